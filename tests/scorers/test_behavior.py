from __future__ import annotations

from dataclasses import replace

from audit.records.task import DEFAULT_BEHAVIOR, PartKind
from audit.scorers.behavior import behavior_text, id_arguments, unknown_ids
from audit.scorers.reachability import index_database
from tests.builders import part
from tests.scorers.studio import booking, call, pair_task, studio


def test_actions_enter_as_their_name_and_values() -> None:
    action = call("move", id="b1", to={"day": 3, "hours": [9, "ten"]}, note=None, notify=True)
    assert behavior_text(pair_task("t1", "d", actions=[action]), DEFAULT_BEHAVIOR).split() == [
        "move",
        "b1",
        "3",
        "9",
        "ten",
    ]


def test_our_own_rendering_of_actions_does_not_enter() -> None:
    task = pair_task("t1", "d", actions=[call("move", id="b1")])
    rendered = replace(task, behavior=(part("1. move (changes the database)", PartKind.ACTION),))
    assert behavior_text(rendered, DEFAULT_BEHAVIOR) == behavior_text(task, DEFAULT_BEHAVIOR)


def test_action_parts_enter_where_there_are_no_calls() -> None:
    task = replace(pair_task("t1", "d"), behavior=(part("then reset the router", PartKind.ACTION),), actions=None)
    assert behavior_text(task, DEFAULT_BEHAVIOR) == "then reset the router"


def test_our_sentence_on_unchanged_databases_and_the_purpose_do_not_enter() -> None:
    parts = (part("nothing may change", PartKind.NO_WRITE), part("tests refusals", PartKind.PURPOSE), part(" "))
    task = replace(pair_task("t1", "d"), behavior=parts)
    assert behavior_text(task, DEFAULT_BEHAVIOR | {PartKind.NO_WRITE}) == ""


def test_a_chosen_purpose_enters() -> None:
    task = replace(pair_task("t1", "d"), behavior=(part("tests refusals", PartKind.PURPOSE),))
    assert behavior_text(task, frozenset({PartKind.PURPOSE})) == "tests refusals"


def test_actions_that_were_not_chosen_do_not_enter() -> None:
    task = pair_task("t1", "d", ["the agent agrees"], [call("move", id="b1")])
    assert behavior_text(task, frozenset({PartKind.ASSERTION})) == "the agent agrees"


def test_arguments_that_nearly_always_hold_ids_are_id_arguments() -> None:
    benchmark = studio()
    odd = pair_task("odd", "d", actions=[call("get_booking", booking_id="#B9999", reason="lost ticket")])
    names = id_arguments((*benchmark.tasks, odd), index_database(benchmark.database))
    assert names == {"booking_id", "payment_id"}


def test_lists_of_ids_count_one_by_one() -> None:
    index = index_database(studio().database)
    task = pair_task("t1", "d", actions=[call("cancel", ids=[booking(n, 0) for n in range(6)], n=3)])
    assert id_arguments((task,), index) == {"ids"}


def test_few_values_make_no_id_argument() -> None:
    index = index_database(studio().database)
    task = pair_task("t1", "d", actions=[call("cancel", ids=[booking(n, 0) for n in range(4)])])
    assert id_arguments((task,), index) == frozenset()


def test_unknown_ids_are_values_of_id_arguments_that_no_table_has() -> None:
    index = index_database(studio().database)
    task = pair_task(
        "t1", "d", actions=[call("get", booking_id="#B9999"), call("get", booking_id="#B5000", note="#B7777")]
    )
    assert unknown_ids(task, frozenset({"booking_id"}), index=index) == {"b9999": "#B9999"}
