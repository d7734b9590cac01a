"""Digests of what a task says: which edit shows where."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.records.content import COMPONENTS, component_digests, task_digest
from audit.records.task import Action, Json, Origin, Part, PartKind, Row, Task, ToolKind
from tests import builders

CALL = Action("cancel", {"id": "B1"}, ToolKind.WRITE, Origin("tasks.json", "evaluation_criteria.actions[0]", "t1"))
ROW = Row("bookings", "B1", {"state": "open"}, Origin("db.json", "bookings.B1"))
CRITERIA: dict[str, Json] = {
    "actions": [{"name": "cancel", "arguments": {"id": "B1"}}],
    "reward_basis": ["DB"],
}
RAW: dict[str, Json] = {"id": "t1", "field": "You want to cancel booking B1.", "evaluation_criteria": CRITERIA}


def task() -> Task:
    return replace(builders.task(rows=(ROW,), actions=(CALL,)), raw=RAW)


def with_raw(**criteria: Json) -> Task:
    return replace(task(), raw={**RAW, "evaluation_criteria": {**CRITERIA, **criteria}})


@pytest.mark.parametrize(
    ("edited", "components"),
    [
        (task(), ()),
        (replace(task(), description=(builders.part("Cancel B2."),)), ("description",)),
        (replace(task(), behavior=(builders.part("It does not.", PartKind.ASSERTION),)), ("behavior",)),
        (replace(task(), actions=(replace(CALL, arguments={"id": "B2"}),)), ("actions",)),
        (replace(task(), actions=(replace(CALL, compare_args=()),)), ("actions",)),
        (replace(task(), actions=()), ("actions", "other")),
        (replace(task(), actions=None), ("actions", "other")),
        (replace(task(), rows=(replace(ROW, value={"state": "shut"}),)), ("rows",)),
        (replace(task(), policy=builders.policy("Another.")), ("policy",)),
        (with_raw(reward_basis=["NL"]), ("other",)),
        (with_raw(reward_basis=[]), ("other",)),
        (replace(task(), origin=Origin("moved.json", "", "t1")), ()),
    ],
)
def test_an_edit_shows_in_its_own_component(edited: Task, components: tuple[str, ...]) -> None:
    before, after = component_digests(task()), component_digests(edited)
    assert tuple(before) == COMPONENTS
    assert tuple(name for name in COMPONENTS if before[name] != after[name]) == components


def test_where_a_call_is_shown_as_text_it_is_an_action_and_no_behavior() -> None:
    shown = Part(PartKind.ACTION, "Call", "cancel(id='B1')", CALL.origin)
    unchanged = Part(PartKind.NO_WRITE, "Database", "It stays.", Origin("tasks.json", "evaluation_criteria", "t1"))
    more = replace(task(), behavior=(*task().behavior, shown, unchanged))
    assert component_digests(more) == component_digests(task())


def test_the_digest_of_a_task_changes_with_any_field_of_its_raw_entry() -> None:
    assert task_digest(task()) == task_digest(task())
    edited = with_raw(actions=[{"name": "cancel", "arguments": {"id": "B1"}, "info": "see notes"}])
    assert component_digests(edited) == component_digests(task())
    assert task_digest(edited) != task_digest(task())


def test_odd_text_has_a_digest() -> None:
    assert len(task_digest(replace(task(), raw={"id": "\ud800\x00", "n": float("nan")}))) == 16
