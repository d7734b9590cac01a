"""The sample's answer key: it names real tasks, and what it says of each flaw is so."""

import json
import re

from audit.resources import resource
from tests.benchmarks.sample import (
    actions,
    answer_key,
    flawed,
    scenario,
    strings,
    tables,
    tasks,
    writes,
)
from tests.benchmarks.test_sample_tasks import ROW_ID, members_named, reached

KINDS = {
    "wrong_gold",
    "wrong_entity",
    "invented_fact",
    "missed_goal",
    "policy_breaking_gold",
    "unknown_id",
    "contradicts_row",
    "swapped_behavior",
    "duplicate",
    "dead_criterion",
    "bad_arguments",
    "missing_write",
    "impossible_write",
}


def partner(kind: str) -> str:
    (flaw,) = (flaw for flaw in answer_key()["flaws"] if flaw["kind"] == kind)
    return str(flaw["partner"])


def phrases(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[at : at + 3]) for at in range(len(words) - 2)}


def test_the_key_parts_the_tasks_into_flawed_and_sound() -> None:
    flawed_ids = [flaw["task_id"] for flaw in answer_key()["flaws"]]
    assert sorted(flawed_ids + answer_key()["sound"]) == sorted(tasks())


def test_about_a_third_is_flawed() -> None:
    assert 0.3 <= len(answer_key()["flaws"]) / len(tasks()) <= 0.37


def test_every_kind_of_flaw_is_there_once_or_twice() -> None:
    found = [flaw["kind"] for flaw in answer_key()["flaws"]]
    assert {kind: 1 <= found.count(kind) <= 2 for kind in found} == dict.fromkeys(KINDS, True)


def test_every_flaw_names_a_component_a_sentence_and_its_proof() -> None:
    for flaw in answer_key()["flaws"]:
        assert set(flaw) - {"partner"} == {"task_id", "kind", "component", "what", "proof"}
        assert flaw["component"] in {"description", "behavior", "rows", "criteria"}
        assert flaw["what"].endswith(".")
        assert flaw["proof"].endswith(".")


def test_ids_in_a_proof_are_rows_or_the_one_that_exists_nowhere() -> None:
    rows = {key for table in tables().values() for key in table}
    named = {key for flaw in answer_key()["flaws"] for key in ROW_ID.findall(flaw["proof"])}
    (unknown,) = flawed("unknown_id")
    assert named - rows == set(ROW_ID.findall(json.dumps(writes(unknown)))) - rows
    assert len(named - rows) == 1


def test_partners_are_sound() -> None:
    assert {flaw["partner"] for flaw in answer_key()["flaws"] if "partner" in flaw} <= set(answer_key()["sound"])


def test_violations_name_tasks_and_items_that_exist() -> None:
    items = json.loads(resource("policies", "sample-library", "items.json").read_text(encoding="utf-8"))["items"]
    known = {item["id"] for item in items}
    assert set(answer_key()["violations"]) <= set(tasks())
    for violated in answer_key()["violations"].values():
        assert violated
        assert set(violated) <= known


def test_the_wrong_gold_cancels_another_hold_than_the_text_gives_up() -> None:
    (task,) = flawed("wrong_gold")
    (write,) = writes(task)
    title = tables()["items"][tables()["holds"][write["arguments"]["hold_id"]]["item_id"]]["title"]
    assert f'You still want "{title}"' in scenario(task)


def test_the_wrong_entity_is_a_row_of_another_member() -> None:
    (task,) = flawed("wrong_entity")
    (write,) = writes(task)
    loan = tables()["loans"][write["arguments"]["loan_id"]]
    assert loan["member_id"] not in members_named(task)
    assert loan["loan_id"] not in reached(task)


def test_the_invented_fact_stands_neither_in_the_text_nor_in_the_members_rows() -> None:
    (task,) = flawed("invented_fact")
    assert writes(task)[0]["arguments"]["party_size"] == 7
    assert not re.search(r"\b(7|seven)\b", scenario(task))
    (member,) = members_named(task)
    assert tables()["members"][member]["bookings"] == []


def test_the_missed_goal_has_no_action_and_no_assertion() -> None:
    (task,) = flawed("missed_goal")
    assert "fee" in scenario(task)
    assert "fee" not in json.dumps(task["evaluation_criteria"])


def test_policy_breaking_golds_pass_a_limit_of_the_policy() -> None:
    found = {write["name"]: write["arguments"] for task in flawed("policy_breaking_gold") for write in writes(task)}
    loan = tables()["loans"][found["renew_loan"]["loan_id"]]
    assert loan["renewals"] >= 2
    assert tables()["members"][loan["member_id"]]["kind"] == "adult"
    assert tables()["fees"][found["waive_fee"]["fee_id"]]["amount"] > 6


def test_the_text_that_contradicts_a_row_names_another_room_and_day() -> None:
    (task,) = flawed("contradicts_row")
    booking = tables()["bookings"][writes(task)[0]["arguments"]["booking_id"]]
    assert booking["room_id"] not in scenario(task)
    assert booking["date"] not in scenario(task)
    assert tables()["members"][booking["member_id"]]["bookings"] == [booking["booking_id"]]


def test_the_swapped_behavior_is_its_partners() -> None:
    (task,) = flawed("swapped_behavior")
    other = tasks()[partner("swapped_behavior")]
    assert [row["arguments"] for row in actions(task)] == [row["arguments"] for row in actions(other)]
    assert set(members_named(task)).isdisjoint(members_named(other))


def test_the_duplicate_is_nearly_its_partner_and_no_other_pair_is_close() -> None:
    (task,) = flawed("duplicate")
    texts = {task_id: phrases(scenario(row)) for task_id, row in tasks().items()}
    close = {
        frozenset((one, two))
        for one in texts
        for two in texts
        if one < two and len(texts[one] & texts[two]) / len(texts[one] | texts[two]) >= 0.6
    }
    assert close == {frozenset((task["id"], partner("duplicate")))}


def test_the_dead_criterion_is_outside_the_reward_basis() -> None:
    (task,) = flawed("dead_criterion")
    assert task["evaluation_criteria"]["communicate_info"]
    assert "COMMUNICATE" not in task["evaluation_criteria"]["reward_basis"]


def test_the_missing_write_is_asserted() -> None:
    (task,) = flawed("missing_write")
    assert writes(task) == []
    assert any("cancels booking" in text for text in strings(task["evaluation_criteria"]["nl_assertions"]))


def test_the_impossible_write_books_a_time_that_is_still_taken() -> None:
    (task,) = flawed("impossible_write")
    book, cancel = writes(task)
    taken = tables()["bookings"][cancel["arguments"]["booking_id"]]
    assert (book["name"], cancel["name"]) == ("book_room", "cancel_booking")
    assert (taken["room_id"], taken["date"]) == (book["arguments"]["room_id"], book["arguments"]["date"])
    assert taken["start"] < book["arguments"]["start"] < taken["end"]
