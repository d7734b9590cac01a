"""Values of gold calls and strings to communicate, against what the task gives."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from audit.checks import dates, derivability, invented
from audit.checks.numbers import amounts_in, dates_in, number_of, numbers_in
from audit.checks.protocol import Subject
from tests.checks import inn
from tests.checks.test_references import Ledger

SCRIPT = "You are Mara Quill, guest gu_101. Two nights in room RM13 from May 20."


def book(**changes: Any) -> dict[str, Any]:  # noqa: ANN401  # any JSON
    made = {"guest_id": "gu_101", "room_id": "RM13", "day": "2031-05-20", "nights": 2, **changes}
    return inn.action("book_stay", **made)


@pytest.mark.parametrize(
    ("changes", "script", "values"),
    [
        ({}, SCRIPT, []),
        ({"nights": 7}, SCRIPT, ["7"]),
        ({"nights": 7}, f"{SCRIPT} Stay for seven nights.", []),
        ({"nights": 9}, SCRIPT, []),  # the policy's limit
        ({"nights": 4}, SCRIPT, []),  # another stay has this many
        ({"nights": 0}, SCRIPT, []),
        ({"nights": 21}, SCRIPT, []),  # an amount
        ({"nights": 5}, f"{SCRIPT} That is from 2031-05-20 to 2031-05-25.", []),
        ({"nights": 6}, f"{SCRIPT} Say 10:00 to 16:00.", []),
        ({"nights": 6, "companions": [{}] * 6}, SCRIPT, []),
        ({"nights": 6, "paid_nights": 7}, SCRIPT, ["7"]),  # 6 may be a part of 7
        ({"price": 6}, SCRIPT, []),
        ({"nights": True}, SCRIPT, []),
        ({"street": "101 Mill Lane"}, SCRIPT, []),
        ({"street": "77 Harbour Road"}, SCRIPT, ["77 Harbour Road"]),
        ({"street": "77 Harbour Road"}, f"{SCRIPT} Bill 77 Harbour Road.", []),
        ({"street": " "}, SCRIPT, []),
        ({"day": "2031-05-22"}, SCRIPT, []),
        ({"day": "2031-09-22"}, SCRIPT, ["2031-09-22"]),
        ({"arrival": "16:30"}, f"{SCRIPT} You come at 4 pm.", []),
        ({"arrival": "16:30"}, SCRIPT, ["16:30"]),
        ({"comment": "Anything at all, freely worded"}, SCRIPT, []),
        ({"room": "RM14"}, SCRIPT, []),
    ],
)
def test_values_that_nobody_gives(changes: dict[str, Any], script: str, values: list[str]) -> None:
    found = inn.inspect(invented.CHECK, inn.task("t1", script, book(**changes)))
    assert [(one.rule, one.severity.value, dict(one.evidence)["value"]) for one in found] == [
        ("gold-invented-value", "warning", value) for value in values
    ]


@pytest.mark.parametrize(
    ("meal", "script", "n"),
    [
        ("breakfast", SCRIPT, 1),
        ("breakfast", f"{SCRIPT} You want breakfasts.", 0),
        ("full board", f"{SCRIPT} All meals, so fully boarded.", 0),
        (7, SCRIPT, 0),
    ],
)
def test_a_choice_that_the_script_does_not_make_is_a_note(meal: object, script: str, n: int) -> None:
    found = inn.inspect(invented.CHECK, inn.task("t1", script, book(meal=meal)))
    assert inn.brief(found) == [("gold-unstated-choice", "t1", "note")] * n


def test_a_choice_that_a_row_holds_already_is_given() -> None:
    rows = inn.database()
    rows["stays"]["ST501"]["meal"] = "breakfast"
    assert inn.inspect(invented.CHECK, inn.task("t1", SCRIPT, book(meal="breakfast")), db=rows) == []


def test_choices_are_learnt_from_many_gold_calls() -> None:
    told = [
        inn.task(f"t{n}", f"{SCRIPT} It is an illness.", inn.action("cancel_stay", stay_id="ST501", reason=reason))
        for n, reason in enumerate(["illness"] * 5 + ["bad weather"] * 3)
    ]
    found = inn.inspect(invented.CHECK, *told)
    assert inn.brief(found) == [("gold-unstated-choice", f"t{n}", "note") for n in (5, 6, 7)]


def test_values_that_most_tasks_have_come_from_elsewhere() -> None:
    told = [inn.task(f"t{n}", SCRIPT, book(street=f"{n} Harbour Road")) for n in range(6)]
    assert inn.inspect(invented.CHECK, *told) == []
    assert len(inn.inspect(invented.CHECK, *told[:5])) == 5


def test_a_carried_call_is_looked_at_instead_of_its_carrier() -> None:
    tools = {"tools": [*inn.TOOLS["tools"], {"name": "carry", "kind": "write", "parameters": []}]}
    call = inn.action("carry", tool="cancel_stay", arguments='{"stay_id": "ST501", "why": "Harbour storm"}')
    found = inn.inspect(invented.CHECK, inn.task("t1", SCRIPT, call), tools=tools)
    assert [dict(one.evidence)["tool"] for one in found] == ["cancel_stay"]


def test_results_of_gold_reads_before_the_first_change_are_given() -> None:
    read = inn.action("get_room", room_id="RM13", street="77 Harbour Road")
    for calls, n in (([read, book(street="77 Harbour Road")], 0), ([book(street="77 Harbour Road"), read], 1)):
        subject = Subject(inn.benchmark(inn.task("t1", SCRIPT, *calls)), Ledger())
        assert len(list(invented.CHECK.inspect(subject))) == n


def test_without_a_replay_an_earlier_call_may_have_returned_the_value() -> None:
    read = inn.action("get_room", room_id="RM13")
    found = inn.inspect(invented.CHECK, inn.task("t1", SCRIPT, read, book(street="77 Harbour Road")))
    assert inn.brief(found) == [("gold-invented-value", "t1", "note")]
    assert found[0].what.endswith("An earlier call may have returned it.")


def test_what_a_reading_tool_is_there_to_tell_is_given() -> None:
    call = book(door_code="zebra moon")
    assert len(inn.inspect(invented.CHECK, inn.task("t1", SCRIPT, call))) == 1
    for name, kind, parameters, n in (
        ("get_door_code", "read", {"stay_id": "str"}, 0),
        ("set_door_code", "write", {"stay_id": "str"}, 1),
        ("get_stay_by_door_code", "read", {"stay_id": "str"}, 1),
        ("check_door_code", "read", {"door_code": "str"}, 1),
    ):
        taken = [{"name": key, "type": value, "required": True} for key, value in parameters.items()]
        tools = {"tools": [*inn.TOOLS["tools"], {"name": name, "kind": kind, "parameters": taken}]}
        assert len(inn.inspect(invented.CHECK, inn.task("t1", SCRIPT, call), tools=tools)) == n, name


def test_the_id_of_what_an_earlier_call_made_is_given() -> None:
    tools = {"tools": [*inn.TOOLS["tools"], {"name": "open_tab", "kind": "write", "parameters": []}]}
    calls = [inn.action("open_tab"), inn.action("cancel_stay", stay_id="ST501", tab_id="tab-77")]
    assert inn.inspect(invented.CHECK, inn.task("t1", SCRIPT, *calls), tools=tools) == []
    assert len(inn.inspect(invented.CHECK, inn.task("t1", SCRIPT, *reversed(calls)), tools=tools)) == 1


@pytest.mark.parametrize(
    ("policy", "n"),
    [
        ("Meals:\n- breakfast: bread at eight.\n", 0),
        ("Meals are 'none' and 'breakfast' → bread.\n", 0),
        ("A guest takes none or breakfast.\n", 1),
        ("Say whether it is breakfast (or not).\n", 1),
    ],
)
def test_a_choice_that_the_policy_explains_may_be_told_in_other_words(policy: str, n: int) -> None:
    assert len(inn.inspect(invented.CHECK, inn.task("t1", SCRIPT, book(meal="breakfast")), policy=policy)) == n


def test_the_moment_of_a_call_is_given_where_a_tool_tells_the_time() -> None:
    call = book(arrival="2033-09-27 17:49:00")
    assert len(inn.inspect(invented.CHECK, inn.task("t1", SCRIPT, call))) == 1
    clock = {"name": "get_current_time", "kind": "read", "parameters": []}
    assert (
        inn.inspect(invented.CHECK, inn.task("t1", SCRIPT, call), tools={"tools": [*inn.TOOLS["tools"], clock]}) == []
    )


def say(*values: Any) -> dict[str, Any]:  # noqa: ANN401  # any JSON
    return {"communicate_info": list(values), "reward_basis": ["COMMUNICATE"]}


@pytest.mark.parametrize(
    "value",
    [
        "RM11",  # a row
        "two nights",  # the script
        "120.50",  # a number of a row, otherwise written
        "$241",  # twice a price
        "301.75",  # three prices of different kinds
        "181",  # a row's credit
        "61.5",  # a difference
        "2031-05-12",  # the policy's day and a stay's nights
        "3",  # as many rooms are free
        "60.25",
        " ",
        "booked room",  # words of the rows
    ],
)
def test_what_follows_from_the_task_may_be_asked_for(value: str) -> None:
    read = inn.action("get_room", room_id="RM11")
    assert inn.inspect(derivability.CHECK, inn.task("t1", SCRIPT, read, criteria=say(value))) == []


@pytest.mark.parametrize("value", ["977.13", "2033-01-01", "the purple canoe"])
def test_what_follows_from_nothing_is_a_warning(value: str) -> None:
    (found,) = inn.inspect(derivability.CHECK, inn.task("t1", SCRIPT, criteria=say(value)))
    assert inn.brief([found]) == [("communicate-not-derived", "t1", "warning")]
    assert found.origin.field == "evaluation_criteria.communicate_info[0]"


@pytest.mark.parametrize(
    ("expression", "n"),
    [
        ("1000 - 22.87 * 1", 0),
        ("-(+5 - 982.13) / 1", 0),
        ("977 / 0", 1),
        ("977,13", 1),
        ("open('x')", 1),
        ("1000 ** 2", 1),
        ("1" * 600, 1),
        (7, 1),
    ],
)
def test_results_of_gold_calculations_are_given(expression: object, n: int) -> None:
    call = inn.action("calculate", expression=expression)
    assert len(inn.inspect(derivability.CHECK, inn.task("t1", SCRIPT, call, criteria=say("977.13")))) == n


def test_what_the_gold_calls_change_in_total_may_be_asked_for() -> None:
    class Refunds(Ledger):
        def call(self, state: Any, action: Any) -> Any:  # noqa: ANN401  # as in the environment
            key = action.arguments["stay_id"]
            row = {**state["stays"][key], "price": state["stays"][key]["price"] - 488.565, "refund": "due"}
            made = {**state, "stays": {**state["stays"], key: row}}
            return type(super().call(state, action))(action, row, "", (("stays", key),), made)

    calls = [inn.action("cancel_stay", stay_id=key) for key in ("ST501", "ST502")]
    subject = Subject(inn.benchmark(inn.task("t1", SCRIPT, *calls, criteria=say("977.13"))), Refunds())
    assert list(derivability.CHECK.inspect(subject)) == []


def test_a_number_anywhere_in_the_database_can_be_looked_up() -> None:
    rows = inn.database()
    rows["rooms"]["RM14"]["deposit"] = 977.13
    assert inn.inspect(derivability.CHECK, inn.task("t1", SCRIPT, criteria=say("977.13")), db=rows) == []


def test_sums_of_one_field_over_a_list_may_be_asked_for() -> None:
    rows = inn.database()
    rows["stays"]["ST501"]["extras"] = [{"cost": 311.11}, {"cost": 222.22}, {"cost": 443.8}, {"cost": "free"}, "x"]
    assert inn.inspect(derivability.CHECK, inn.task("t1", SCRIPT, criteria=say("977.13")), db=rows) == []


def test_without_rows_nothing_is_derived() -> None:
    assert inn.inspect(derivability.CHECK, inn.task("t1", "Hello there.", criteria=say("977.13"))) == []


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("From 2031-02-30 on.", ["2031-02-30"]),
        ("On June 31st.", ["June 31st"]),
        ("On 31 June 2031 and the 3rd of May.", ["31 June 2031"]),
        ("In May 2031, march 12 miles; February 28.", []),
        ("On May 0.", []),
    ],
)
def test_days_that_do_not_exist_are_errors(script: str, found: list[str]) -> None:
    made = inn.inspect(dates.CHECK, inn.task("t1", f"{SCRIPT} {script}"))
    assert [(one.rule, one.severity.value, one.evidence[0][1]) for one in made] == [
        ("date-does-not-exist", "error", text) for text in found
    ]


def test_february_29_passes_where_no_year_is_known() -> None:
    assert inn.inspect(dates.CHECK, inn.task("t1", "You come on February 29."), policy="# Inn\n") == []


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"day": "2031-05-10"}, []),
        ({"day": "2031-05-09"}, ["gold-past-date"]),
        ({"day": "2031-02-31"}, ["date-does-not-exist"]),
        ({"born_on": "1999-09-09"}, []),
        ({"day": "soon"}, []),
    ],
)
def test_gold_writes_days_that_exist_and_are_to_come(changes: dict[str, Any], rules: list[str]) -> None:
    assert [one.rule for one in inn.inspect(dates.CHECK, inn.task("t1", SCRIPT, book(**changes)))] == rules


def test_a_past_day_that_a_row_holds_is_no_finding() -> None:
    rows = inn.database()
    rows["stays"]["ST502"]["day"] = "2031-05-01"
    assert inn.inspect(dates.CHECK, inn.task("t1", SCRIPT, book(day="2031-05-01")), db=rows) == []


def test_one_date_in_another_form_than_the_rest_is_found() -> None:
    told = [inn.task(f"t{n}", SCRIPT, book(day=f"2031-05-{20 + n}")) for n in range(5)]
    other = inn.task("t9", SCRIPT, book(day="05/26/2031"))
    (found,) = inn.inspect(dates.CHECK, *told, other)
    assert inn.brief([found]) == [("gold-date-format", "t9", "warning")]
    assert inn.inspect(dates.CHECK, *told[:3], other) == []


def test_numbers_and_dates_as_texts_write_them() -> None:
    assert numbers_in("a couple of bags, none on RM302") == {1.0, 2.0, 0.0, 302.0}
    assert amounts_in("-3.5 or .25, not 2031-05-20 nor RM7") == [-3.5, 0.25]
    assert list(dates_in("20 May, 2031", year=None)) == [("20 May, 2031", date(2031, 5, 20))]
    assert list(dates_in("May 20")) == []
    assert number_of(10**400) is None
    assert amounts_in("9" * 400) == []
    assert number_of(True) is None


def test_days_at_the_end_of_the_calendar_do_no_harm() -> None:
    task = inn.task("t1", f"{SCRIPT} Until 9999-12-31.", criteria=say("2033-01-01"))
    assert len(inn.inspect(derivability.CHECK, task)) == 1
