"""``--mode decisions`` from end to end: both vendors, faults, plans, a run that dies, panels, certificates."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.store import Store
from tests.cli.conftest import Cli
from tests.servers import outcomes
from tests.servers.decisions import Asked, Said, asked, decide, decision_body, plainly
from tests.servers.http import Request, Response
from tests.servers.outcomes import Outcome
from tests.servers.vendors import VendorServer, well_behaved
from tests.vocabularies import count_tokens

REPO = Path(__file__).resolve().parent.parent.parent
SAMPLE = "sample/library"
N_TASKS, N_ITEMS = 42, 32
DECISIONS = ("--mode", "decisions", "--quiet")
QUICK = ("--no-checks", "--limit", "3")
VENDORS = ("openai", "google")


def between(question: Asked) -> Said:
    """A score between two levels, and one item violated."""
    if question.levels:
        return [0.0] * 6 + [0.75, 0.25, 0.0, 0.0]
    return 0.9 if question.item == "L03" else 0.01


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_task_is_one_request_and_its_probabilities_are_in_the_json(
    cli: Cli, server: VendorServer, vendor: str
) -> None:
    server.always(decide(between))
    done = cli("score", SAMPLE, "--judge", server.judge(vendor), *DECISIONS, *QUICK, "--format", "json")
    assert done.code == 0
    assert [len(asked(request)) for request in server.requests] == [2 + N_ITEMS] * 3
    document = done.json
    schema = json.loads((REPO / "docs" / "schema" / "run-1.json").read_text())
    jsonschema.validate(document, schema)
    name = f"{server.judge(vendor)} (decisions)"
    assert document["settings"]["judges"] == [name]
    score, violations = document["verdicts"][0], document["verdicts"][-1]
    assert (score["judge"], score["score"], score["reasons"]) == (name, 7.25, [])
    assert score["probabilities"]["7"] == 0.75
    assert violations["violated"] == ["L03"]
    assert violations["probabilities"]["L03"] == 0.9
    assert len(violations["probabilities"]) == N_ITEMS
    assert {pair["prompt"] for pair in document["prompts"]} == {
        "desc_alignment.tau (decisions)",
        "policy_alignment.tau (decisions)",
        "policy_violations.tau (decisions)",
    }
    assert (document["tally"]["n_calls"], document["tally"]["scored"]) == (3, 9)


def test_people_are_told_that_there_are_no_reasons(cli: Cli, server: VendorServer, tmp_path: Path) -> None:
    server.always(decide(between))
    flags = ("--judge", server.judge(), *DECISIONS, *QUICK)
    text = " ".join(cli("score", SAMPLE, *flags, "--report", "page.html").out.split())
    assert f"Judges: openai:any-name (decisions) at {server.openai_url}" in text
    assert "Description: no reasons in this mode; likeliest: 7 (75%), 8 (25%)" in text
    assert f"certify --judge {server.judge()} --mode decisions" in text
    page = (tmp_path / "page.html").read_text()
    assert "no reasons in this mode; most likely violated: L03 (90%)" in page
    assert "openai:any-name (decisions)" in page


def test_both_modes_are_two_judges_of_a_panel(cli: Cli, server: VendorServer) -> None:
    server.behave(lambda request: decide(between) if request.is_decisions else well_behaved(7))
    flags = ("--judge", server.judge(), "--mode", "prompts", "--mode", "decisions", "--quiet")
    done = cli("score", SAMPLE, *flags, *QUICK, "--format", "json").json
    names = [server.judge(), f"{server.judge()} (decisions)"]
    assert done["settings"]["judges"] == names
    found = {
        (each["criterion"], each["statistic"]): each["value"]
        for each in done["panel"]["agreements"]
        if each["judges"] == names
    }
    assert found["desc_alignment", "mean_absolute_difference"] == 0.25
    assert found["desc_alignment", "exact_match"] == 1.0, "by the nearest level"
    assert found["policy_violations", "exact_match"] == 0.0
    assert len(done["prompts"]) == 6
    assert sum(request.is_decisions for request in server.requests) == 3
    assert len(server.requests) == 3 + 9
    again = cli("score", SAMPLE, *flags, *QUICK, "--format", "json").json
    assert (again["tally"]["stored"], again["tally"]["asked"]) == (18, 0)
    assert [score["value"] for score in again["scores"]] == [score["value"] for score in done["scores"]]


def test_a_judge_can_be_named_as_reports_name_it(cli: Cli, server: VendorServer) -> None:
    done = cli("score", SAMPLE, "--judge", f"{server.judge()} (decisions)", "--quiet", *QUICK, "--format", "json")
    assert done.json["settings"]["judges"] == [f"{server.judge()} (decisions)"]
    twice = cli("score", SAMPLE, "--judge", server.judge(), *DECISIONS, "--mode", "decisions", "--dry-run")
    assert twice.code == 0
    assert twice.out.count("(decisions)  ") == 1


class Counting:
    """Counts tokens as a vendor does, and holds prefixes of at least 1,024 tokens in a prompt cache."""

    def __init__(self) -> None:
        self._cached: set[str] = set()

    def __call__(self, request: Request) -> Outcome:
        def answer(request: Request) -> Response:
            body, prefix = decision_body(request, between), count_tokens(request.system)
            texts = [text for each in asked(request) for text in (each.text, *each.levels)]
            tokens = prefix + count_tokens(request.user) + sum(map(count_tokens, texts))
            is_cached = request.system in self._cached
            self._cached.add(request.system)
            body["usage"]["input_tokens"] = tokens
            body["usage"]["input_tokens_details"]["cached_tokens"] = prefix if is_cached else 0
            return Response(body)

        return answer


def test_a_dry_run_says_what_the_run_then_reports(cli: Cli, server: VendorServer) -> None:
    server.behave(Counting())
    flags = ("score", SAMPLE, "--judge", server.judge(), *DECISIONS, "--price", f"{server.judge()}=2/0.2/10")
    (planned,) = cli(*flags, "--dry-run", "--format", "json").json["judges"]
    text = cli(*flags, "--dry-run").out
    assert "Calls" in text.splitlines()[0]
    assert not server.requests
    spent = cli(*flags, "--no-checks", "--format", "json").json["tally"]
    assert planned["n_calls"] == spent["n_calls"] == len(server.requests) == N_TASKS
    assert planned["to_ask"] == spent["asked"] == 3 * N_TASKS
    for name in ("input_tokens", "cached_tokens", "output_tokens"):
        assert planned[name] == pytest.approx(spent[name], rel=0.15), name
    assert planned["cached_cost_usd"] == pytest.approx(spent["cost_usd"], rel=0.15)
    assert planned["batch_cost_usd"] is None
    whole = (2 * spent["input_tokens"] + 10 * spent["output_tokens"]) / 1e6
    assert spent["cache_saved_usd"] == pytest.approx(whole - spent["cost_usd"])
    (after,) = cli(*flags, "--dry-run", "--format", "json").json["judges"]
    assert (after["n_calls"], after["to_ask"], after["cost_usd"]) == (0, 0, 0)


def test_prices_and_keys_of_a_judge_are_meant_for_all_its_modes(
    cli: Cli, server: VendorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = server.judge()
    monkeypatch.setenv("TEAM_KEY", "k-team")
    both = ("--judge", judge, "--mode", "prompts", *DECISIONS, "--api-key-env", f"{judge}=TEAM_KEY")
    prices = ("--price", f"{judge}=1/1", "--price", f"{judge} (decisions)=3/3")
    plans = cli("score", SAMPLE, *both, *prices, *QUICK[1:], "--dry-run", "--format", "json").json["judges"]
    per_token = [plan["cost_usd"] / (plan["input_tokens"] + plan["output_tokens"]) * 1e6 for plan in plans]
    assert per_token == pytest.approx([1, 3], rel=0.01)
    cli("score", SAMPLE, *both, *QUICK)
    assert {request.headers["authorization"] for request in server.requests} == {"Bearer k-team"}


@pytest.mark.parametrize("vendor", VENDORS)
def test_what_passes_is_tried_again(cli: Cli, server: VendorServer, vendor: str) -> None:
    server.script([outcomes.rate_limited("0"), outcomes.cut_json(), outcomes.server_error()])
    done = cli("score", SAMPLE, "--judge", server.judge(vendor), *DECISIONS, *QUICK, "--format", "json")
    tally = done.json["tally"]
    assert (done.code, tally["scored"], tally["n_calls"]) == (0, 9, 6)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_server_without_the_endpoint_says_so_in_one_line(cli: Cli, server: VendorServer, vendor: str) -> None:
    server.always(outcomes.fail(404, "Not Found"))
    done = cli("score", SAMPLE, "--judge", server.judge(vendor), *DECISIONS, *QUICK)
    said = " ".join((done.out + done.err).split())
    assert done.code == 3
    assert "this server offers no decisions endpoint, or not for this model (404: Not Found)" in said
    assert "Leave out --mode decisions" in said
    assert len(server.requests) == 1


def test_a_refused_question_is_missing_with_its_reason(cli: Cli, server: VendorServer) -> None:
    server.always(decide(lambda question: "refusal" if question.name == "item_5" else between(question)))
    done = cli("score", SAMPLE, "--judge", server.judge(), *DECISIONS, *QUICK)
    assert done.code == 3
    assert "refused" in done.out
    assert "for 1 of 32 items (L05)" in done.out
    server.always(decide(between))
    server.requests.clear()
    again = cli("score", SAMPLE, "--judge", server.judge(), *DECISIONS, *QUICK, "--format", "json").json
    assert (again["tally"]["stored"], again["tally"]["asked"]) == (6, 3)
    assert {len(asked(request)) for request in server.requests} == {N_ITEMS}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("score", SAMPLE, "--mode", "decisions"), "--mode: no judge is named. Add --judge VENDOR:MODEL."),
        (
            ("score", SAMPLE, "--judge", "scripted:seeded", "--mode", "decisions"),
            "scripted has no decisions endpoint; openai and google have one. Leave out --mode decisions",
        ),
        (
            ("score", SAMPLE, "--judge", "anthropic:claude-sonnet-4-5", "--mode", "decisions"),
            "anthropic has no decisions endpoint; openai and google have one. Leave out --mode decisions",
        ),
        (
            ("score", SAMPLE, "--judge", "openai:m@http://127.0.0.1:1/v1", "--mode", "decisions", "--batch"),
            "--batch: the batch APIs don't take questions for decisions endpoints. Leave out --batch",
        ),
        (
            ("study", "patterns", SAMPLE, "--judge", "openai:m@http://127.0.0.1:1/v1", "--mode", "decisions"),
            "--mode: decisions come without reasons. Leave it out.",
        ),
        (("score", SAMPLE, "--judge", "openai:m@http://127.0.0.1:1", "--mode", "oracle"), "'oracle' is not one of"),
    ],
)
def test_what_can_t_be_is_one_clear_line(cli: Cli, arguments: tuple[str, ...], told: str) -> None:
    done = cli(*arguments)
    assert done.code == 2
    assert told in " ".join(done.err.split())
    assert "Traceback" not in done.err


def test_each_mode_has_its_own_certificate(cli: Cli, server: VendorServer) -> None:
    server.behave(lambda request: decide(between) if request.is_decisions else well_behaved(7))
    flags = ("--judge", server.judge(), "--mode", "prompts", "--mode", "decisions", "--quiet")
    certified = cli("certify", *flags, "--out", "certificate")
    assert certified.code == 0
    text = " ".join(certified.out.split())
    assert f"{server.judge()} (decisions): planted defects" in text
    assert f"{server.judge()}: planted defects" in text
    document = cli("score", SAMPLE, *flags, *QUICK, "--format", "json").json
    held = {each["judge"]: each for each in document["certificates"]}
    assert set(held) == {server.judge(), f"{server.judge()} (decisions)"}
    prompts = {judge: {digest for _, digest in _prompts(each)} for judge, each in held.items()}
    assert prompts[server.judge()].isdisjoint(prompts[f"{server.judge()} (decisions)"])
    assert [each["caveats"] for each in held.values()] == [[], []]
    alone = cli("score", SAMPLE, "--judge", server.judge(), *DECISIONS, *QUICK)
    assert "not certified" not in alone.out


def _prompts(held: Any) -> list[tuple[str, str]]:  # noqa: ANN401  # JSON
    return [tuple(pair.values()) if isinstance(pair, dict) else tuple(pair) for pair in held["certificate"]["prompts"]]


def test_runs_of_both_modes_can_be_compared_and_gated(cli: Cli, server: VendorServer, tmp_path: Path) -> None:
    server.behave(lambda request: decide(between) if request.is_decisions else well_behaved(7))
    for mode in ("prompts", "decisions"):
        flags = ("--judge", server.judge(), "--mode", mode, "--quiet", "--no-checks", "--format", "json")
        assert cli("score", SAMPLE, *flags, "-o", f"{mode}.json").code == 0
    same = cli("compare", "decisions.json", "decisions.json")
    assert same.code == 0
    assert "(decisions)" in same.out
    other = cli("compare", "prompts.json", "decisions.json")
    assert other.code in (0, 1)
    assert "Traceback" not in other.err
    (tmp_path / "bench-audit.toml").write_text("[gate.metric]\ndesc_alignment = { fail_below = 7.5 }\n")
    gated = cli("gate", SAMPLE, "--judge", server.judge(), *DECISIONS, "--format", "json")
    assert gated.code == 1
    assert "7.25" in gated.out
    (tmp_path / "bench-audit.toml").write_text("[gate.metric]\ndesc_alignment = { fail_below = 7.2 }\n")
    assert cli("gate", SAMPLE, "--judge", server.judge(), *DECISIONS).code == 0


def test_a_study_takes_real_scores(cli: Cli, server: VendorServer) -> None:
    server.always(decide(between))
    flags = ("--judge", server.judge(), *DECISIONS, "--limit", "6", "--trials", "2", "--format", "json")
    document = cli("study", "stability", SAMPLE, *flags).json
    tables = {table["name"]: table for table in document["tables"]}
    scale = tables["scale"]["rows"][0]["cells"]
    assert (scale["minimum"], scale["n_distinct"]) == (7.0, 1.0), "counted at the nearest level"


N_BEFORE_THE_KILL = 12
CONCURRENCY = 4


def start(server: VendorServer, folder: Path) -> subprocess.Popen[str]:
    flags = ("--judge", server.judge(), *DECISIONS, "--no-checks", "--store", str(folder / "s.db"), "--format", "json")
    command = [
        sys.executable,
        "-c",
        "from audit.cli.main import run; run()",
        "score",
        SAMPLE,
        *flags,
        "--concurrency",
        str(CONCURRENCY),
    ]
    return subprocess.Popen(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": str(REPO)}, stdout=subprocess.PIPE, text=True
    )


def test_a_killed_run_loses_only_whole_calls_in_flight(server: VendorServer, tmp_path: Path) -> None:
    reached = threading.Event()

    def watch(request: Request) -> Outcome:
        if len(server.requests) >= N_BEFORE_THE_KILL:
            reached.set()
        return outcomes.hang() if len(server.requests) > N_BEFORE_THE_KILL + 8 else well_behaved(7)

    server.behave(watch)
    client = start(server, tmp_path)
    assert reached.wait(60)
    client.send_signal(signal.SIGKILL)
    client.communicate(timeout=60)
    time.sleep(0.5)  # the server reads what the dead process had sent
    first = [request.user for request in server.requests]
    with Store(tmp_path / "s.db") as store:
        n_kept = len(store)
    assert n_kept % 3 == 0, "the verdicts of a call are there together"
    assert 3 * (len(first) - CONCURRENCY) <= n_kept <= 3 * len(first) < 3 * N_TASKS

    server.requests.clear()
    server.always(decide(plainly()))
    out, _ = start(server, tmp_path).communicate(timeout=120)
    tally = json.loads(out)["tally"]
    assert (tally["stored"], tally["asked"], tally["scored"]) == (n_kept, 3 * N_TASKS - n_kept, 3 * N_TASKS)
    second = [request.user for request in server.requests]
    assert len(second) == len(set(second)) == N_TASKS - n_kept // 3, "exactly what is missing is asked"
    with Store(tmp_path / "s.db") as store:
        assert len(store) == 3 * N_TASKS
