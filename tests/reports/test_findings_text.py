from __future__ import annotations

from audit.reports.findings_text import explain, list_rules, render
from tests.reports import checked


def text() -> str:
    return render(checked.small()).decode()


def test_counts_come_first() -> None:
    first, second, third = text().splitlines()[:3]
    assert first == "sample/library: 3 tasks, 4 rules"
    assert second == "2 errors, 3 warnings, 1 note in 3 tasks"
    assert third == "gold actions replayed in library"


def test_a_finding_says_where_it_is_what_it_is_and_how_to_mend_it() -> None:
    lines = text().splitlines()
    at = lines.index("    loan-write-fails [proved]  library/tasks.json:12 task 0 actions[0]")
    assert lines[at + 1] == "      renew_loan refuses 'L000'. (renewals: 2) To mend: Renew another loan."


def test_evidence_that_the_sentence_holds_already_is_not_said_twice() -> None:
    assert "loan: L000" not in text()


def test_findings_stand_by_severity_then_by_task() -> None:
    headings = [
        line for line in text().splitlines() if line.startswith(("Errors", "Warnings", "Notes", "  task", "  the"))
    ]
    assert [heading.split(":")[0] for heading in headings] == [
        "Errors (2)", "  task 0", "  task 2", "Warnings (3)", "  task 0", "  task 1", "  task 2", "Notes (1)",
        "  the set as a whole",
    ]  # fmt: skip


def test_a_judged_finding_that_was_not_repeated_says_so() -> None:
    assert "judged-desc-alignment [judged, not repeated]" in text()
    assert "judged-desc-alignment [judged]" in text()


def test_the_policy_item_is_named() -> None:
    assert "Policy item P02." in text()


def test_it_ends_with_what_nobody_looked_at_and_what_that_means() -> None:
    tail = text().split("\nNot checked\n")[1]
    assert "ids against the database: there is no database (--db)" in tail
    assert "No finding is no proof" in tail


def test_without_an_environment_it_says_that_nothing_was_replayed() -> None:
    assert "replayed not at all" in render(checked.result(environment="")).decode()


def test_a_rule_is_explained_with_everything_that_is_known_of_it() -> None:
    said = explain(checked.FAILS)
    assert all(part in said for part in (checked.FAILS.id, "error", "proved", checked.FAILS.explanation, "To mend"))


def test_rules_are_listed_one_a_line() -> None:
    assert [line.split()[0] for line in list_rules(checked.RULES).splitlines()] == [rule.id for rule in checked.RULES]
