"""Ids, owners and persons in gold calls."""

from __future__ import annotations

from typing import Any

import pytest

from audit.checks import foreign_rows, persons, references
from audit.checks.protocol import Subject
from audit.databases.spaces import build_spaces, owners, singular
from audit.environments.protocol import Outcome, State
from audit.records.task import Action, ToolKind
from tests.checks import inn

SCRIPT = "You are Mara Quill, guest gu_101, zip 30101."


def book(**changes: Any) -> dict[str, Any]:  # noqa: ANN401  # any JSON
    made = {"guest_id": "gu_101", "room_id": "RM11", "day": "2031-05-20", "nights": 2, "meal": "none", **changes}
    return inn.action("book_stay", **made)


class Ledger:
    """An environment whose first call opens a stay; every other call returns the arguments."""

    name = "ledger"

    def __init__(self) -> None:
        self.state: State = inn.database()

    def kind_of(self, action: Action) -> ToolKind:
        return action.kind

    def setup(self, task_id: str) -> tuple[Outcome, ...]:
        return ()

    def initial_state(self, task_id: str) -> State:
        return self.state

    def call(self, state: State, action: Action) -> Outcome:
        if action.name != "book_stay":
            return Outcome(action, dict(action.arguments), "", (), state)
        row = {"stay_id": "ST900", "ticket": "TK77"}
        made = {**state, "stays": {**state["stays"], "ST900": row}}
        return Outcome(action, {"voucher": "VO12"}, "", (("stays", "ST900"), ("stays", "gone")), made)

    def run(self, state: State, function: Action) -> Outcome:
        return self.call(state, function)


def test_an_id_that_exists_nowhere_is_an_error() -> None:
    (found,) = inn.inspect(references.CHECK, inn.task("t1", SCRIPT, inn.action("cancel_stay", stay_id="ST999")))
    assert inn.brief([found]) == [("gold-unknown-id", "t1", "error")]
    assert found.what == "cancel_stay(stay_id) names 'ST999', no id of stays."
    assert found.origin.field == "evaluation_criteria.actions[0].arguments.stay_id"


def test_a_wrong_id_that_the_script_gives_is_a_note() -> None:
    call = inn.action("get_stay", stay_id="ST999")
    (found,) = inn.inspect(references.CHECK, inn.task("t1", f"{SCRIPT} Your stay is ST999.", call))
    assert found.severity.value == "note"


def test_ids_of_the_task_s_own_initial_state_exist() -> None:
    rows = {"stays": {"ST777": {"stay_id": "ST777", "guest_id": "gu_101", "linked": ["ST778"]}}}
    state = {"initialization_data": {"agent_data": rows}, "initialization_actions": []}
    calls = [inn.action("get_stay", stay_id="ST777"), inn.action("get_stay", stay_id="ST778")]
    assert inn.inspect(references.CHECK, inn.task("t1", SCRIPT, *calls, initial_state=state)) == []


def test_after_a_write_that_nobody_replayed_an_unknown_id_is_only_likely() -> None:
    calls = [inn.action("cancel_stay", stay_id="ST501"), inn.action("cancel_stay", stay_id="ST900")]
    (found,) = inn.inspect(references.CHECK, inn.task("t1", SCRIPT, *calls))
    assert (found.severity.value, found.certainty.value) == ("warning", "likely")


@pytest.mark.parametrize(
    ("before", "later", "n_findings"),
    [
        (book(), inn.action("cancel_stay", stay_id="ST900"), 0),
        (inn.action("get_stay", stay_id="ST501"), inn.action("cancel_stay", stay_id="ST900"), 1),
        (book(), inn.action("get_room", room_id="RM99"), 1),  # no room is booked into being
    ],
)
def test_an_earlier_call_that_nobody_replayed_may_have_made_what_it_is_named_for(
    before: dict[str, Any], later: dict[str, Any], n_findings: int
) -> None:
    assert len(inn.inspect(references.CHECK, inn.task("t1", SCRIPT, before, later))) == n_findings
    assert len(inn.inspect(references.CHECK, inn.task("t1", SCRIPT, later, before))) == 1


@pytest.mark.parametrize(("value", "n_findings"), [("ST900", 0), ("TK77", 0), ("VO12", 0), ("ST901", 1)])
def test_a_replay_tells_which_ids_earlier_calls_made(value: str, n_findings: int) -> None:
    task = inn.task("t1", SCRIPT, book(), inn.action("cancel_stay", stay_id=value))
    found = list(references.CHECK.inspect(Subject(inn.benchmark(task), Ledger())))
    assert inn.brief(found) == [("gold-unknown-id", "t1", "error")] * n_findings


@pytest.mark.parametrize(
    ("script", "severity"), [(SCRIPT, "error"), (f"{SCRIPT} You want to see room ST501.", "note"), ("ST501?", "error")]
)
def test_an_id_of_another_table_is_an_error_unless_the_script_calls_it_so(script: str, severity: str) -> None:
    (found,) = inn.inspect(references.CHECK, inn.task("t1", script, inn.action("get_room", room_id="ST501")))
    assert inn.brief([found]) == [("gold-id-of-other-table", "t1", severity)]
    assert "takes an id of rooms, but 'ST501' is one of stays" in found.what


def test_the_name_of_an_id_argument_is_learnt_from_the_other_gold_calls() -> None:
    calls = [inn.action("look", thing=value) for value in ("RM11", "RM12", "ST501", "ST502", "ST503", "RM99")]
    (found,) = inn.inspect(references.CHECK, inn.task("t1", SCRIPT, *calls), tools=None)
    assert found.what == "look(thing) names 'RM99', no id of rooms or stays."


def test_a_learnt_argument_takes_ids_of_any_table() -> None:
    calls = [inn.action("look", thing=value) for value in ("RM11", "RM12", "RM13", "RM14", "gu_101")]
    assert inn.inspect(references.CHECK, inn.task("t1", SCRIPT, *calls)) == []


def test_texts_that_are_no_ids_are_left_alone() -> None:
    call = book(day="2031-06-01", companions=[{"first_name": "Ines", "n": 3}], card_id=" ")
    assert inn.inspect(references.CHECK, inn.task("t1", SCRIPT, call)) == []


@pytest.mark.parametrize(
    ("mail", "script", "expected"),
    [
        ("nobody@inn.example", SCRIPT, ["error"]),
        ("nobody@inn.example", f"{SCRIPT} Mail: Nobody@inn.example", ["note"]),
        ("mara@inn.example", SCRIPT, []),
        ("not an address", SCRIPT, []),
    ],
)
def test_a_search_by_an_address_that_nobody_has(mail: str, script: str, expected: list[str]) -> None:
    found = inn.inspect(references.CHECK, inn.task("t1", script, inn.action("find_guest", email=mail)))
    assert [one.severity.value for one in found] == expected


def test_an_address_that_the_task_itself_sets_is_known() -> None:
    rows = {"guests": {"gu_101": {"email": "new@inn.example"}}}
    state = {"initialization_data": {"agent_data": rows}}
    call = inn.action("find_guest", email="new@inn.example")
    assert inn.inspect(references.CHECK, inn.task("t1", SCRIPT, call, initial_state=state)) == []


def test_without_a_database_no_id_is_judged() -> None:
    task = inn.task("t1", SCRIPT, inn.action("cancel_stay", stay_id="ST999"))
    for check in (references.CHECK, foreign_rows.CHECK, persons.CHECK):
        assert inn.inspect(check, task, db=None) == []


@pytest.mark.parametrize(
    ("call", "rule", "value"),
    [
        (inn.action("cancel_stay", stay_id="ST503"), "gold-foreign-row", "ST503"),
        (book(card_id="card_9102"), "gold-foreign-row", "card_9102"),
        (book(guest_id="gu_102"), "gold-foreign-row", "gu_102"),
        (inn.action("get_stay", stay_id="ST503"), "gold-foreign-read", "ST503"),
        (inn.action("find_guest", email="Odo@inn.example"), "gold-foreign-read", "Odo@inn.example"),
        (
            inn.action("find_guest_by_name", first_name="Odo", last_name="Brandt", zip="30102"),
            "gold-foreign-read",
            "Odo Brandt",
        ),
    ],
)
def test_rows_of_another_person_are_found_by_any_key(call: dict[str, Any], rule: str, value: str) -> None:
    (found,) = inn.inspect(foreign_rows.CHECK, inn.task("t1", SCRIPT, call))
    assert (found.rule, found.evidence[1], found.evidence[2]) == (
        rule,
        ("owner", "gu_102"),
        ("the task's person", "gu_101"),
    )
    assert repr(value) in found.what


@pytest.mark.parametrize(
    ("script", "call"),
    [
        (SCRIPT, inn.action("cancel_stay", stay_id="ST501")),
        (SCRIPT, inn.action("get_room", room_id="RM14")),
        (f"{SCRIPT} Look at ST503.", inn.action("get_stay", stay_id="ST503")),
        ("You want a room.", inn.action("get_stay", stay_id="ST503")),
        (SCRIPT, inn.action("find_guest_by_name", first_name="Odo", last_name="Brandt", zip="99999")),
        (SCRIPT, inn.action("find_guest_by_name", first_name="Odo", last_name=None, zip="30102")),
        (SCRIPT, inn.action("find_guest_by_name", first_name="Odo", last_name="Brandt")),
    ],
)
def test_own_shared_named_and_unknown_rows_are_no_foreign_ones(script: str, call: dict[str, Any]) -> None:
    assert inn.inspect(foreign_rows.CHECK, inn.task("t1", script, call)) == []


def test_ownership_is_inherited_over_rows_in_between() -> None:
    tables = inn.database() | {"bills": {"B1": {"stay_id": "ST503"}}, "lines": {"L1": {"bill_id": "B1"}}}
    whose = owners(tables, ["guests"])
    assert whose["lines", "L1"] == whose["bills", "B1"] == frozenset({("guests", "gu_102")})
    assert ("rooms", "RM11") not in whose


def test_spaces_are_tables_and_nested_maps_with_keys_of_their_own() -> None:
    tables = inn.database()
    for room in tables["rooms"].values():
        room["days"] = {"2031-05-20": {"free": True}, "2031-05-21": {"free": True}}
    spaces = build_spaces(tables)
    assert spaces.spaces_of("card_9101") == frozenset({"guests.cards"})
    assert spaces.spaces_of("2031-05-20") == frozenset()
    assert spaces.spaces_for("new_stay_ids") == frozenset({"stays"})
    assert spaces.spaces_for("street") == frozenset()
    assert spaces.rows_of("card_9101") == (("guests", "gu_101"),)
    assert spaces.rows_of("nothing") == ()
    assert singular("address") == "address"


@pytest.mark.parametrize(
    ("companion", "script", "expected"),
    [
        ({"first_name": "Ines", "last_name": "Quill"}, SCRIPT, []),
        ({"first_name": "Kim", "last_name": "Rook"}, SCRIPT, [("gold-unknown-person", "t1", "warning")]),
        ({"first_name": "Kim", "last_name": "Rook"}, f"{SCRIPT} Take Kim Rook along.", []),
        ({"first_name": "Kim", "last_name": "Rook"}, f"{SCRIPT} Take Rook, Kim along.", []),
        ({"first_name": "Kim", "last_name": "Rook"}, f"{SCRIPT} Kim, of the family Rook, comes.", []),
        (
            {"first_name": "Ida", "last_name": "Quill", "dob": "1999-09-09"},
            SCRIPT,
            [("gold-unknown-person", "t1", "error")],
        ),
        (
            {"first_name": "Ida", "last_name": "Quill", "dob": "1901-03-04"},
            SCRIPT,
            [("gold-unknown-person", "t1", "error")],
        ),
        ({"first_name": "", "last_name": "Quill"}, SCRIPT, []),
    ],
)
def test_companions_must_be_known(companion: dict[str, str], script: str, expected: list[tuple[str, str, str]]) -> None:
    found = inn.inspect(persons.CHECK, inn.task("t1", script, book(companions=[companion])))
    assert inn.brief(found) == expected


def test_the_record_whose_birth_date_agrees_is_named() -> None:
    companion = {"first_name": "Ida", "last_name": "Quill", "dob": "1999-09-09"}
    (found,) = inn.inspect(persons.CHECK, inn.task("t1", SCRIPT, book(companions=[companion])))
    assert "the record with this birth date is Ines Quill" in found.what


def test_a_search_for_an_unknown_name_is_reported_at_the_arguments() -> None:
    call = inn.action("find_guest_by_name", first_name="Kim", last_name="Rook", zip="1")
    (found,) = inn.inspect(persons.CHECK, inn.task("t1", SCRIPT, call))
    assert found.origin.field == "evaluation_criteria.actions[0].arguments"
