from __future__ import annotations

import dataclasses

import pytest

from audit.records.verdict import Trust
from audit.reports import to_text
from tests import builders
from tests.reports import runs


def lines(content: str) -> list[str]:
    return content.splitlines()


def test_the_table_is_aligned_and_has_the_spread_and_counts() -> None:
    content = to_text.render(runs.small()).decode()
    (header,) = [row for row in lines(content) if row.startswith("metric ")]
    (row,) = [row for row in lines(content) if row.startswith("desc_alignment  ")]
    cells = ("desc_alignment", "openai:gpt-5.4", "5.50", "5.20 to 5.80", "5.50", "4.95", "2.00–9.00", "2/1")
    assert " ".join(row.split()) == " ".join(cells)
    assert len(header) == len(row)
    assert "desc_alignment, openai:gpt-5.4: between 4.00 and 7.00 whatever the missing verdicts say" in content


def test_it_says_the_verdict_the_untested_items_the_worst_tasks_and_what_is_missing() -> None:
    content = " ".join(to_text.render(runs.small()).decode().split())
    for words in (
        "sample/library (1.0): 3 of 3 tasks, 6 policy items",
        "Mend before release: 1 of 2 tasks scores 3 or lower on description–behavior alignment; 4 of 6 policy items",
        "judge K=1 K=2 K=3 K=4 K=5 never challenged",
        "openai:gpt-5.4 33.3% 16.7% 0.0% 0.0% 0.0% 4 of 6: P01, P03, P04, P06",
        "1 2 Description: The loan L999 is named nowhere in the description.",
        "Missing: 1 of 6 verdicts 1 timed out: no reply within 120 s",
        "Cost $0.31 in this run",
    ):
        assert words in content, words


def test_every_line_with_an_offline_number_says_that_it_is_offline() -> None:
    content = to_text.render(runs.offline()).decode()
    for row in lines(content):
        if row.startswith(("offline_match", "  6 ")) or "Match," in row:
            assert "[offline (heuristic)]" in row
    assert "Not applicable, needs a judge: desc_alignment, policy_alignment, violation_count" in content
    assert "Note: The offline scorer can't see the policy" in content
    assert "No judge's verdict, only the offline heuristic ran" in content


def test_undefined_metrics_give_their_reason_once() -> None:
    content = to_text.render(runs.no_items()).decode()
    assert (
        content.count("violation_count, violation_coverage@1, openai:gpt-5.4: undefined: nobody has marked items") == 1
    )


def test_an_item_that_every_task_challenges_leaves_no_list() -> None:
    covered = runs.coverage(runs.OPENAI, [("P01",)], items=("P01",))
    result = dataclasses.replace(runs.small(), scores=covered, benchmark=runs.benchmark(policy=runs.policy(1)))
    assert " 0.0%  0 of 1\n" in to_text.to_text(result)


def test_the_panel_and_stopped_judges_are_in_the_text() -> None:
    content = to_text.render(runs.panel()).decode()
    assert "panel (median of 2)" in content
    assert "anthropic:claude-sonnet-4-5 was stopped (quota): the account's monthly limit is reached" in content


def test_a_panels_own_row_stands_below_those_of_its_judges() -> None:
    rows = [row.split()[1] for row in lines(to_text.to_text(runs.panel())) if row.startswith("desc_alignment ")]
    assert rows == [runs.OPENAI, runs.CLAUDE, "panel"]


def test_judges_go_by_their_names_and_their_addresses_are_told_once() -> None:
    url = "http://127.0.0.1:8080/v1"
    judges = (f"openai:any@{url}", f"openai:other@{url}")
    scores = tuple(runs.score("desc_alignment", {"0": 7.0}, judge) for judge in judges)
    tested = runs.benchmark(runs.task(0))
    content = to_text.to_text(runs.result(tested, scores=scores, settings=runs.settings(judges)))
    assert f"Judges: openai:any at {url}; openai:other at {url}\n" in content
    assert content.count(url) == 2


def test_the_same_model_at_two_addresses_keeps_both_names_whole() -> None:
    judges = ("openai:any@http://127.0.0.1:1/v1", "openai:any@http://127.0.0.1:2/v1")
    scores = tuple(runs.score("desc_alignment", {"0": 7.0}, judge) for judge in judges)
    content = to_text.to_text(runs.result(runs.benchmark(runs.task(0)), scores=scores))
    assert "Judges:" not in content
    assert all(judge in content for judge in judges)


def test_a_long_list_of_untested_items_is_cut_and_counted() -> None:
    items = tuple(f"P{n:02d}" for n in range(1, 31))
    scores = runs.coverage(runs.OPENAI, [("P01",)], items=items)
    content = to_text.to_text(runs.result(runs.benchmark(policy=runs.policy(6)), scores=scores))
    assert "29 of 6: P02, P03, P04, P05, P06, P07, P08, P09 and 21 more\n" in content


def test_tasks_left_out_as_undefined_are_told_beside_the_scores_that_lack_them() -> None:
    why = "left out as undefined: 1 more (the task has no expected behavior to compare)"
    score = runs.score("offline_match", {"0": 0.5}, "offline", trust=Trust.OFFLINE, reason=why)
    content = to_text.to_text(runs.result(runs.benchmark(runs.task(0)), scores=(score,)))
    assert f"offline_match, offline [offline (heuristic)]: {why}" in " ".join(content.split())


def test_trials_are_told_and_commits_are_short() -> None:
    tested = runs.benchmark(runs.task(0), version="a2c0247251" * 4)
    content = to_text.to_text(runs.result(tested, settings=runs.settings(trials=2)))
    assert content.startswith("sample/library (a2c0247251a2): 1 of 1 tasks, 6 policy items, 2 trials\n")


def test_values_below_one_are_aligned_and_have_all_reasons_of_the_heuristic() -> None:
    verdict = builders.verdict(
        "0", score=0.6, criterion="offline_match", judge="offline", trust=Trust.OFFLINE, reasons=("One.", "Two.")
    )
    score = runs.score("offline_match", {"0": 0.6}, "offline", trust=Trust.OFFLINE)
    content = to_text.to_text(runs.result(runs.benchmark(runs.task(0)), verdicts=(verdict,), scores=(score,)))
    assert "  0  0.60  Match [offline (heuristic)]: One. Two.\n" in content


def test_the_text_ends_with_a_blank_line() -> None:
    assert to_text.to_text(runs.small()).endswith("42.0 s\n\n")


@pytest.mark.parametrize("width", [10, 60, 200])
def test_it_fits_the_width_of_the_terminal(width: int) -> None:
    content = to_text.to_text(runs.panel(), width=width)
    assert max(len(row) for row in lines(content)) <= max(40, width)


def test_it_is_plain_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = to_text.render(runs.panel())
    monkeypatch.delenv("NO_COLOR")
    for name, value in {"FORCE_COLOR": "1", "COLUMNS": "44", "TERM": "xterm-256color"}.items():
        monkeypatch.setenv(name, value)
    assert to_text.render(runs.panel()) == expected
    assert b"\x1b" not in expected
