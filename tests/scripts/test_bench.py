"""`make bench` on a few calls: the server, commands in processes of their own, and the whole way to the page."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import httpx2
import pytest
from click.testing import CliRunner
from openai import AsyncOpenAI, InternalServerError

from scripts.bench.__main__ import TAU3, main
from scripts.bench.checking import measure_check
from scripts.bench.judging import Load, ask, ask_again
from scripts.bench.peers.running import INSPECT_AI, ask_bare, ask_inspect_ai
from scripts.bench.processes import measure, pick_error, serving
from scripts.bench.server import LETTER_MODEL, Manner
from scripts.bench.stored import fill, load_and_aggregate
from scripts.bench.tasks import write_benchmark, write_questions

SOON = Manner(0.005)


def test_the_server_answers_as_completions_and_as_responses_and_counts() -> None:
    async def talk(url: str) -> tuple[str, str]:
        async with AsyncOpenAI(base_url=url, api_key="none") as client:
            completion = await client.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "Which score?"}]
            )
            response = await client.responses.create(model=LETTER_MODEL, input="Which letter?")
        return completion.choices[0].message.content or "", response.output_text

    with serving(SOON) as server:
        score, letter = asyncio.run(talk(server.url))
        counts = server.counts()

    assert 1 <= json.loads(score)["score"] <= 10
    assert letter.splitlines()[-1] in ("GRADE: C", "GRADE: I")
    assert (counts.completions, counts.faults, counts.in_flight, counts.most_in_flight) == (2, 0, 0, 1)
    assert counts.first_request_s is not None
    assert counts.last_answer_s > counts.first_request_s


def test_a_share_of_requests_fails_whatever_connection_they_come_on() -> None:
    async def talk(url: str) -> list[bool]:
        async with AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:
            return await asyncio.gather(*(fails(client) for _ in range(40)))

    async def fails(client: AsyncOpenAI) -> bool:
        try:
            await client.chat.completions.create(model="m", messages=[{"role": "user", "content": "?"}])
        except InternalServerError:
            return True
        return False

    with serving(Manner(0.005, faults=0.5)) as server:
        failed = asyncio.run(talk(server.url))
        assert server.counts().faults == sum(failed)

    assert 5 < sum(failed) < 35


def test_a_command_is_measured_with_what_its_children_used() -> None:
    busy = "sum(range(10**7)); x = bytearray(60 * 2**20); print('done')"
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}])"
    used = measure([sys.executable, "-c", program])

    assert used.error == ""
    assert used.output == "done\n"
    assert used.memory_mb > 60
    assert used.cpu_seconds > 0.05


def test_a_command_s_memory_does_not_begin_with_that_of_the_one_who_measures() -> None:
    heavy = bytearray(b"x") * (200 * 2**20)

    assert measure([sys.executable, "-S", "-c", "pass"]).memory_mb < 100 < len(heavy) / 2**20


def test_a_command_that_breaks_or_hangs_says_so() -> None:
    broken = measure([sys.executable, "-c", "import sys; sys.exit('Error: no luck')"])
    hanging = measure([sys.executable, "-c", "import time; time.sleep(60)"], timeout_s=1)

    assert broken.error == "Error: no luck"
    assert hanging.error == "did not end within 1 s"


@pytest.mark.parametrize(
    ("said", "expected"), [("", ""), ("One.\nError: two.\nThree.\n", "Error: two."), ("One.\nTwo.\n", "Two.")]
)
def test_of_a_program_s_messages_the_one_that_names_an_error_is_told(said: str, expected: str) -> None:
    assert pick_error(said) == expected


def test_every_verdict_of_a_run_is_stored_and_read_back_without_the_server(tmp_path: Path) -> None:
    asked, scored = ask(Load(20, 8, Manner(0.005, 0.005, 0.1)), tmp_path / "run")
    (with_checks, without) = ask_again(scored, n_repeats=1)

    assert asked.error == ""
    assert (asked.n_planned, asked.n_kept) == (21, 21)
    assert asked.counts is not None
    assert asked.counts.completions == 21
    assert (with_checks.error, without.error) == ("", "")  # exit code 0: no verdict is missing


def test_stored_verdicts_are_loaded_and_aggregated(tmp_path: Path) -> None:
    stored = load_and_aggregate(fill(tmp_path / "stored", n_verdicts=30), n_repeats=1)

    assert stored.whole.error == ""
    assert stored.n_verdicts == 36  # four tasks with three questions, three times


def test_the_bare_loop_asks_what_bench_audit_asks(tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    benchmark = write_benchmark(tmp_path / "big", n_tasks=7)

    assert write_questions(benchmark, questions, judge="openai:m@http://127.0.0.1:9/v1") == 21
    assert len(set(questions.read_text().splitlines())) == 21
    asked = ask_bare(Load(21, 4, SOON), questions)
    assert (asked.error, asked.n_kept) == ("", 21)


def test_a_peer_that_can_t_be_installed_has_no_figures(tmp_path: Path) -> None:
    in_the_way = tmp_path / "inspect_ai"
    in_the_way.mkdir()
    (in_the_way / "bin").write_text("A file where the folder of programs belongs.")
    asked = ask_inspect_ai(Load(20, 4, SOON), tmp_path / "questions.jsonl", program=in_the_way)

    assert asked.program == INSPECT_AI
    assert asked.error.startswith("can't be installed: ")
    assert (asked.n_kept, asked.counts) == (0, None)


def test_a_check_is_timed_on_a_domain_and_on_one_of_its_splits(real_data: Path) -> None:
    usual, small = (measure_check("tau3/airline", real_data / TAU3, split=split) for split in (None, "test"))

    assert (usual.name, usual.error) == ("tau3/airline", "")
    assert (small.name, small.error) == ("tau3/airline --split test", "")
    assert 0 < small.n_tasks < usual.n_tasks


def test_a_check_that_can_t_be_made_says_why(tmp_path: Path) -> None:
    run = measure_check("tau3/airline", tmp_path)

    assert run.error.startswith("Error: ")
    assert (run.n_tasks, run.memory_mb) == (0, None)


@pytest.mark.browser
def test_one_command_writes_the_page_and_keeps_the_figures(tmp_path: Path) -> None:
    page, out = tmp_path / "benchmarks.md", tmp_path / "out"
    flags = ["--calls", "9", "--no-peers", "--latency", "0.005", "--out", str(out), "--write", str(page)]
    result = CliRunner().invoke(main, flags, catch_exceptions=False)

    assert result.exit_code == 0
    text, kept = page.read_text(), json.loads((out / "results.json").read_text())
    assert "for whose files BENCH_AUDIT_TEST_DATA names a folder" in text
    assert "other programs on the same server" in text
    assert str(tmp_path) not in text
    assert [(each["concurrency"], each["n_kept"], each["error"]) for each in kept["asked"]] == [
        (8, 9, ""), (64, 9, ""), (256, 9, ""), (64, 9, ""),
    ]  # fmt: skip
    assert kept["browser"]["n_tasks"] == 9
    assert not (out / "work").exists()
    assert httpx2.__version__ in text
