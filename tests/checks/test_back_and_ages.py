"""What scripts ask to get back against what gold gives back, and rows that are told apart by ages that no row has."""

from __future__ import annotations

from typing import Any

import pytest

from audit.checks import ages, given_back
from audit.checks.protocol import Subject
from audit.environments.protocol import Outcome, State
from audit.records.task import Action, ToolKind
from tests.checks import inn

ASKS = "You are guest gu_101. You want to know how much you get back."


class Desk:
    """An environment in which some calls change a text, some a number, and some fail."""

    name = "desk"

    def __init__(self) -> None:
        self.state: State = inn.database()

    def kind_of(self, action: Action) -> ToolKind:
        return action.kind

    def setup(self, task_id: str) -> tuple[Outcome, ...]:
        return ()

    def initial_state(self, task_id: str) -> State:
        return self.state

    def call(self, state: State, action: Action) -> Outcome:
        changes: dict[str, dict[str, Any]] = {
            "cancel_stay": {"status": "gone"},
            "book_stay": {"room_id": "RM14"},
            "ring_bell": {"price": 99.5},
            "transfer_to_innkeeper": {"note": "refund asked for"},
        }
        if action.name not in changes:
            return Outcome(action, None, "no such call", (), state)
        rows: dict[str, Any] = dict(state["stays"])
        rows["ST501"] = rows["ST501"] | changes[action.name]
        return Outcome(action, {}, "", (("stays", "ST501"),), {**state, "stays": rows})

    def run(self, state: State, function: Action) -> Outcome:
        return self.call(state, function)


def back(script: str, *calls: dict[str, Any], wanted: str = "120.50") -> list[str]:
    """Return the values of the rule's findings; every call of gold is replayed at the desk."""
    task = inn.task("t1", script, *calls, criteria={"communicate_info": [wanted], "reward_basis": ["COMMUNICATE"]})
    found = list(given_back.inspect(Subject(inn.benchmark(task), Desk())))
    assert {(one.severity.value, one.certainty.value) for one in found} <= {("warning", "likely")}
    return [one.subject for one in found]


@pytest.mark.parametrize(
    ("name", "n"),
    [("book_stay", 1), ("cancel_stay", 0), ("ring_bell", 0), ("transfer_to_innkeeper", 0), ("get_stay", 0)],
)
def test_an_amount_to_get_back_needs_a_call_that_gives_back(name: str, n: int) -> None:
    """A name, a number and a text may each say that something is given back; a call that fails decides nothing."""
    assert back(ASKS, inn.action(name, "user" if name == "ring_bell" else None)) == ["120.50"] * n


def test_gold_without_a_call_gives_nothing_back() -> None:
    assert back(ASKS) == ["120.50"]
    assert back("You are guest gu_101. You want to know the price.") == []
    assert back("You are guest gu_101. Confirm the refund.") == ["120.50"]


@pytest.mark.parametrize(
    ("wanted", "n"), [("1,120", 1), ("$ 30", 1), ("2.50", 1), ("4", 0), ("0.0", 0), ("room", 0), ("9" * 400, 0)]
)
def test_only_amounts_are_given_back(wanted: str, n: int) -> None:
    assert len(back(ASKS, wanted=wanted)) == n


def test_without_a_replay_nobody_knows_what_is_given_back() -> None:
    task = inn.task("t1", ASKS, criteria={"communicate_info": ["120.50"]})
    assert inn.inspect(given_back.CHECK, task) == []
    task["evaluation_criteria"]["actions"] = None
    assert list(given_back.inspect(Subject(inn.benchmark(task), Desk()))) == []


CANCEL = inn.action("cancel_stay", stay_id="ST501")


def undated() -> dict[str, Any]:
    rows = inn.database()
    for stay in rows["stays"].values():
        del stay["day"]
    return rows


@pytest.mark.parametrize(
    ("script", "severities"),
    [
        ("Of ST501 and ST502, cancel the older stay.", ["warning"]),
        ("Of ST501 and ST502, cancel the stay that is the oldest.", ["warning"]),
        ("Cancel the most recent stay.", ["note"]),
        ("Cancel the older stay, ST501.", ["note"]),
        ("Cancel the cheaper stay of ST501 and ST502.", []),
        ("Cancel ST501. You are older than Odo.", []),
    ],
)
def test_ages_that_no_row_tells(script: str, severities: list[str]) -> None:
    task = inn.task("t1", f"You are guest gu_101. {script}", CANCEL)
    assert [one.severity.value for one in inn.inspect(ages.CHECK, task, db=undated())] == severities
    assert inn.inspect(ages.CHECK, task) == []  # stays have a day


def test_an_age_matters_only_where_gold_changes_one_of_several() -> None:
    script = "You are guest gu_101. Of ST501 and ST502, look at the older stay."
    look = inn.action("get_stay", stay_id="ST501")
    assert inn.inspect(ages.CHECK, inn.task("t1", script, look), db=undated()) == []
    lone = inn.task("t1", "You are guest gu_102. Cancel the older stay.", inn.action("cancel_stay", stay_id="ST503"))
    assert inn.inspect(ages.CHECK, lone, db=undated()) == []


@pytest.mark.parametrize("day", ["2031-05-20", "05/20/2031", "20 May 2031"])
def test_a_date_in_any_form_tells_an_age(day: str) -> None:
    rows = undated()
    rows["stays"]["ST503"]["about"] = f"made on {day}"
    task = inn.task("t1", "You are guest gu_101. Of ST501 and ST502, cancel the older stay.", CANCEL)
    assert inn.inspect(ages.CHECK, task, db=rows) == []
