"""The page of figures of `make bench`: ratios, promises and rows, from figures that are given."""

from __future__ import annotations

import dataclasses
import json

import pytest

from scripts.bench.browser import Speed
from scripts.bench.checking import Run
from scripts.bench.page import to_markdown
from scripts.bench.peers.running import BARE, INSPECT_AI, PROMPTFOO, count_told
from scripts.bench.processes import Used
from scripts.bench.records import Asked, Machine, Repeated, Results, Stored
from scripts.bench.server import Counts, Manner

MACHINE = Machine("2026-01-02", "Abacus | 9", 2, 24.0, "Linux 6 x86_64", "CPython 3.11.7", (("openai", "3.57.0"),))


def asked(program: str, *, seconds: float, cpu: float, n: int = 10_000, memory: float = 100.0) -> Asked:
    counts = Counts(completions=n, first_request_s=100.0, last_answer_s=100.0 + seconds - 2, cpu_s=n / 1000)
    return Asked(program, 64, Manner(0.2), n, n, Used(seconds, cpu, memory), counts)


def results() -> Results:
    return Results(
        MACHINE,
        "python -m scripts.bench",
        0.5,
        asked=[asked("bench-audit", seconds=50, cpu=40)],
        peers=[
            asked("bench-audit", seconds=50, cpu=40, memory=100),
            asked(BARE, seconds=40, cpu=40, memory=50),
            asked(INSPECT_AI, seconds=250, cpu=250, memory=400),
            Asked(PROMPTFOO, 64, Manner(0.2), 10_000, error="can't be installed: there is no npm"),
            asked("bench-audit", seconds=50, cpu=44, memory=100),
        ],
    )


def rows(page: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("|")]


def row(page: str, first: str) -> list[str]:
    (found,) = (each for each in rows(page) if each[0] == first)
    return found


def test_ratios_are_of_medians_and_of_whole_commands() -> None:
    page = to_markdown(results())

    ratios = next(each for each in rows(page) if each[0] == INSPECT_AI)
    assert ratios == [INSPECT_AI, "5.00 ×", "0.17 ×", "0.25 ×"]  # 200 : 40 a second; 42 : 250 s; 100 : 400 MB


def test_a_peer_that_is_not_there_has_no_figure_but_its_reason() -> None:
    page = to_markdown(results())

    ratios, told = (each for each in rows(page) if each[0] == PROMPTFOO)
    assert ratios == [PROMPTFOO, "–", "–", "–"]
    assert told[4] == "can't be installed: there is no npm"
    assert set(told[5:]) == {"–"}


def test_a_row_tells_the_share_of_the_ideal_and_the_cost_of_a_verdict() -> None:
    told = next(each for each in rows(to_markdown(results())) if each[0] == "10,000")

    # 157 rounds of 0.2 s are 31.4 s at best, and 48 s were needed
    assert told == ["10,000", "64", "200 ms", "200", "208", "0.65", "4.0 ms", "100 MB", "1.0 ms"]


def test_a_row_tells_how_many_calls_were_in_flight_where_it_was_fewer_than_allowed() -> None:
    known = asked("bench-audit", seconds=9, cpu=9)
    assert known.counts is not None
    few, all_of_them = (dataclasses.replace(known.counts, most_in_flight=most) for most in (40, 64))
    both = [dataclasses.replace(known, counts=counts) for counts in (few, all_of_them)]
    told = rows(to_markdown(dataclasses.replace(results(), asked=both, peers=[])))

    assert [each[1] for each in told if each[0] == "10,000"] == ["64, 40 reached", "64"]


def test_what_holds_and_what_does_not_is_said() -> None:
    known = dataclasses.replace(
        results(),
        again=(Repeated("`score`", (Used(4, 3, 9), Used(6, 3, 9), Used(7, 3, 9))),),
        n_again=10_000,
        stored=Stored(100_000, Repeated("load", (Used(5, 3, 9),)), 2.0, 1.0),
    )
    page = to_markdown(known)

    holds = {each[0]: each[2:] for each in rows(page) if each[-1] in ("yes", "**no**")}
    assert holds == {
        "stored verdicts a second, 10,000 calls, 64 in flight, whole command": ["200", "yes"],
        "processor time a verdict, as a share of inspect_ai's in the same run": ["0.17", "yes"],
        "10,000 stored verdicts again, `score`, median": ["6.0 s", "**no**"],
        "100,000 stored verdicts, load and aggregate": ["3.0 s", "yes"],
    }


def test_nothing_is_promised_of_a_run_that_is_smaller_than_the_promise() -> None:
    known = dataclasses.replace(results(), asked=[asked("bench-audit", seconds=50, cpu=9, n=999)], peers=[])

    assert "what must hold" not in to_markdown(known)


def test_jitter_and_faults_stand_in_their_row() -> None:
    shaky = dataclasses.replace(asked("bench-audit", seconds=9, cpu=9), manner=Manner(0.2, 0.1, 0.05))
    told = rows(to_markdown(dataclasses.replace(results(), asked=[shaky])))

    assert "200 ms + 0–100 ms, 5 % fail" in {each[2] for each in told if len(each) > 2}


def test_what_was_skipped_or_broke_is_visible() -> None:
    known = dataclasses.replace(
        results(),
        checks=[Run("tau3/inn", 9, 1.0, 0.9, 80.0), Run("tau3/moon", 0, 0.0, 0.0, None, "Error: no moon | here")],
        rest=[Repeated("`--help`", (Used(error="it broke"),))],
        skipped=["the sun"],
    )
    page = to_markdown(known)

    assert "Not measured: the sun." in page
    assert row(page, "tau3/inn") == ["tau3/inn", "9", "1.0 s", "0.9 s", "80 MB"]
    assert row(page, "tau3/moon") == ["tau3/moon", "–", "Error: no moon / here", "–", "–"]
    assert row(page, "`--help`")[2] == "it broke"


def test_every_table_has_as_many_cells_in_each_row() -> None:
    speed = Speed(1.0, 2285, 0.1, 0.2, 3.0, 4.0, 5.0, 6.0)
    for block in to_markdown(dataclasses.replace(results(), browser=speed)).split("\n\n"):
        assert len({len(each) for each in rows(block)}) <= 1, block


def test_the_results_can_be_written_as_json() -> None:
    assert json.loads(json.dumps(dataclasses.asdict(results())))["peers"][2]["program"] == INSPECT_AI


@pytest.mark.parametrize(
    ("output", "expected"),
    [("✓ 1,026 passed (41%)\n ✗ 37 failed (58%)\n 2 errors (0%)", 1063), ("Nothing.", 0)],
)
def test_grades_that_promptfoo_tells_of_are_counted_without_its_errors(output: str, expected: int) -> None:
    assert count_told(output) == expected


def test_the_least_and_the_median_are_told_of_several_runs_and_one_figure_of_one() -> None:
    several = Repeated("several", tuple(Used(seconds, 1.0, 9.0) for seconds in (3.0, 1.0, 2.5)))
    page = to_markdown(dataclasses.replace(results(), rest=[several, Repeated("one", (Used(3.0, 1.0, 9.0),))]))

    assert row(page, "several")[2] == "1.00 s / 2.50 s"
    assert row(page, "one")[2] == "3.00 s"
