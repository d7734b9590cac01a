from __future__ import annotations

import dataclasses

import pytest

from audit.reports import to_text
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
    assert "desc_alignment openai:gpt-5.4: between 4.00 and 7.00 whatever the missing verdicts say" in content


def test_it_says_the_verdict_the_untested_items_the_worst_tasks_and_what_is_missing() -> None:
    content = " ".join(to_text.render(runs.small()).decode().split())
    for words in (
        "sample/library 1.0: 3 of 3 tasks, 6 policy items",
        "Mend before release: 1 of 2 tasks scores 3 or lower on description–behavior alignment; 4 of 6 policy items",
        "Policy items that no task challenges, openai:gpt-5.4: 4 of 6 (P01, P03, P04, P06)",
        "Coverage over K, openai:gpt-5.4: 33.3% at K=1, 16.7% at K=2, 0.0% at K=3",
        "1 2 Description, openai:gpt-5.4: The loan L999 is named nowhere in the description.",
        "Missing: 1 of 6 verdicts 1 timed out",
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
    assert content.count("violation_count openai:gpt-5.4: undefined: nobody has marked items") == 1


def test_an_item_that_every_task_challenges_leaves_no_list() -> None:
    covered = runs.coverage(runs.OPENAI, [("P01",)], items=("P01",))
    result = dataclasses.replace(runs.small(), scores=covered, benchmark=runs.benchmark(policy=runs.policy(1)))
    assert "Policy items that no task challenges, openai:gpt-5.4: 0 of 1\n" in to_text.to_text(result)


def test_the_panel_and_stopped_judges_are_in_the_text() -> None:
    content = to_text.render(runs.panel()).decode()
    assert "panel (median of 2)" in content
    assert "anthropic:claude-sonnet-4-5 was stopped (quota): the account's monthly limit is reached" in content


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
