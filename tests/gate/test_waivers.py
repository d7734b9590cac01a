"""Waivers: whom they let through, and until when."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from audit.errors import UsageError
from audit.gate.waiver_settings import read_waivers, write_waiver
from audit.gate.waivers import Scene, apply_waivers, content_of
from audit.records.finding import Finding
from audit.records.gate import Waiver, WaiverOutcome, WaiverState
from audit.records.task import Benchmark, Origin, Row
from tests import builders
from tests.gate.made import RULES, TODAY, benchmark, finding, waiver

NAMES = [rule.id for rule in RULES]
GOOD = {
    "rule": "gold-unknown-id",
    "task": "t1",
    "content": "0123456789abcdef",
    "reason": "Known upstream.",
    "owner": "ada",
    "expires": date(2027, 3, 31),
}


def one(given: Waiver, *findings: Finding, of: Benchmark | None = None, today: date = TODAY) -> WaiverOutcome:
    (outcome,) = apply_waivers([given], Scene(of or benchmark(), findings, today, {"judged-desc-alignment"}))
    return outcome


def bound(*findings: Finding, **fields: Any) -> Waiver:  # noqa: ANN401  # any field of the record
    made = waiver(**fields)
    return replace(
        made, content=content_of(benchmark(), made.rule, task_id=made.task_id, findings=findings or (finding(),))
    )


def test_a_waiver_lets_every_finding_of_its_rule_in_its_task_through() -> None:
    own = (finding(subject="B8"), finding(subject="B9"))
    outcome = one(bound(), *own, finding(task_id="t2"), finding("text-doubtful"))
    assert outcome.is_used
    assert outcome.findings == own


def test_a_waiver_is_of_no_use_to_another_task() -> None:
    assert one(bound(), finding(task_id="t2")).state is WaiverState.UNUSED


@pytest.mark.parametrize(
    ("today", "state"), [(date(2027, 3, 31), WaiverState.USED), (date(2027, 4, 1), WaiverState.EXPIRED)]
)
def test_a_waiver_holds_through_its_last_day(today: date, state: WaiverState) -> None:
    assert one(bound(), finding(), today=today).state is state


def test_a_waiver_that_expired_says_so_even_when_there_is_nothing_to_waive() -> None:
    assert one(bound(), today=date(2028, 1, 1)).state is WaiverState.EXPIRED


def test_an_edit_of_the_task_re_opens_and_names_the_new_digest() -> None:
    edited = benchmark()
    first = replace(edited.tasks[0], description=(builders.part("You want to cancel booking B2."),))
    edited = replace(edited, tasks=(first, *edited.tasks[1:]))
    outcome = one(bound(), finding(), of=edited)
    assert outcome.state is WaiverState.REOPENED
    assert content_of(edited, "gold-unknown-id", task_id="t1", findings=()) in outcome.why


def test_an_edit_of_a_row_that_the_task_is_about_re_opens() -> None:
    edited = benchmark()
    row = Row("bookings", "B1", {"state": "cancelled"}, Origin("db.json", "bookings.B1"))
    edited = replace(edited, tasks=(replace(edited.tasks[0], rows=(row,)), *edited.tasks[1:]))
    assert one(bound(), finding(), of=edited).state is WaiverState.REOPENED


def test_an_edit_of_a_field_that_no_part_shows_re_opens() -> None:
    edited = benchmark()
    first = replace(edited.tasks[0], raw={"evaluation_criteria": {"reward_basis": ["DB"]}})
    edited = replace(edited, tasks=(first, *edited.tasks[1:]))
    assert one(bound(), finding(), of=edited).state is WaiverState.REOPENED


def test_an_edit_of_another_task_leaves_it_alone() -> None:
    edited = benchmark()
    second = replace(edited.tasks[1], description=(builders.part("Something else."),))
    assert one(bound(), finding(), of=replace(edited, tasks=(edited.tasks[0], second, edited.tasks[2]))).is_used


def test_a_waiver_without_a_finding_is_unused() -> None:
    outcome = one(bound())
    assert (outcome.state, outcome.findings) == (WaiverState.UNUSED, ())


def test_a_waiver_of_a_task_that_is_gone_is_unused() -> None:
    assert "no such task" in one(waiver(task_id="t9")).why


def test_a_waiver_of_a_task_that_was_not_chosen_is_idle() -> None:
    whole = benchmark()
    assert one(bound(), of=replace(whole, tasks=whole.tasks[1:], corpus=whole.tasks)).state is WaiverState.IDLE


def test_a_waiver_of_a_rule_that_nobody_looked_for_is_idle() -> None:
    assert one(waiver("judged-desc-alignment")).state is WaiverState.IDLE


def test_a_waiver_of_the_set_as_a_whole_is_bound_to_what_its_findings_say() -> None:
    whole = finding("set-unbalanced", None, subject="refusals", what="2 of 40 tasks expect a refusal.")
    given = bound(whole, rule="set-unbalanced", task_id=None)
    assert one(given, whole).is_used
    assert one(given, replace(whole, what="1 of 40 tasks expects a refusal.")).state is WaiverState.REOPENED
    more = replace(whole, subject="transfers", what="No task expects a transfer.")
    assert one(given, whole, more).state is WaiverState.REOPENED


def test_a_waiver_of_the_set_does_not_let_findings_of_tasks_through() -> None:
    whole = finding("set-unbalanced", None)
    outcome = one(bound(whole, rule="set-unbalanced", task_id=None), whole, finding("set-unbalanced", "t1"))
    assert outcome.findings == (whole,)


def test_a_waiver_is_read_with_a_date_or_its_text() -> None:
    (dated,) = read_waivers([GOOD], NAMES, where="gate.toml")
    (written,) = read_waivers([GOOD | {"expires": "2027-03-31"}], NAMES, where="gate.toml")
    assert dated == written
    assert dated.expires == date(2027, 3, 31)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"rule": "gold-unknown-ids"}, "Perhaps you meant gold-unknown-id"),
        ({"reason": ""}, "empty reason"),
        ({"reason": " \t"}, "empty reason"),
        ({"owner": ""}, "empty owner"),
        ({"owner": 3}, "owner is not a text"),
        ({"task": 17}, "task is not a text"),
        ({"task": ""}, "empty task"),
        ({"content": "0123"}, "16 hex digits"),
        ({"content": "G" * 16}, "16 hex digits"),
        ({"expires": "soon"}, "expires is not a date"),
        ({"expires": 20270331}, "expires is not a date"),
        ({"until": "2027-03-31"}, "unknown setting 'until'"),
    ],
)
def test_a_wrong_field_is_one_clear_error(change: dict[str, object], word: str) -> None:
    with pytest.raises(UsageError, match=r"^gate\.toml: ") as caught:
        read_waivers([GOOD | change], NAMES, where="gate.toml")
    assert word in str(caught.value)
    assert "[[gate.waiver]] 1" in str(caught.value)


@pytest.mark.parametrize("key", ["rule", "content", "reason", "owner", "expires"])
def test_a_missing_field_is_one_clear_error(key: str) -> None:
    entry = {name: value for name, value in GOOD.items() if name != key}
    with pytest.raises(UsageError, match=f"has no {key}"):
        read_waivers([entry], NAMES, where="gate.toml")


@pytest.mark.parametrize("value", [{"rule": "x"}, "x", ["x"]])
def test_waivers_are_a_list_of_tables(value: object) -> None:
    with pytest.raises(UsageError, match="table"):
        read_waivers(value, NAMES, where="gate.toml")


def test_two_waivers_of_the_same_are_an_error() -> None:
    with pytest.raises(UsageError, match=r"\[\[gate.waiver\]\] 2: waives the same as \[\[gate.waiver\]\] 1"):
        read_waivers([GOOD, GOOD | {"owner": "bo"}], NAMES, where="gate.toml")


@pytest.mark.parametrize("task_id", ["17", 'a"b\\c', "line\nbreak", "\u202eright", "\x7f\x00", "é😀", None])
def test_the_printed_lines_are_toml_that_reads_back_once_filled_in(task_id: str | None) -> None:
    text = write_waiver("gold-unknown-id", task_id, content="0123456789abcdef", today=TODAY)
    table = tomllib.loads(text)["gate"]["waiver"]
    with pytest.raises(UsageError, match="empty reason"):
        read_waivers(table, NAMES, where="gate.toml")
    (read,) = read_waivers([table[0] | {"reason": "x", "owner": "y"}], NAMES, where="gate.toml")
    assert (read.task_id, read.expires) == (task_id, date(2027, 5, 30))
    assert "\u202e" not in text
