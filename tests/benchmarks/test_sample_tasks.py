"""The sample's tasks, its tool table and its splits."""

import re

import pytest

from tests.benchmarks.sample import (
    Record,
    actions,
    answer_key,
    flawed,
    scenario,
    splits,
    strings,
    tables,
    tasks,
    tools,
    writes,
)

BAD_WORDS = re.compile(r"flaw|plant|wrong_|\bbugs?\b|mistake|trick|\btrap|self-?test|answer key|invalid", re.IGNORECASE)
ROW_ID = re.compile(r"\b(?:(?:MB|IT|HD|FE|BK|RQ)\d{4}|LN\d{5}|RM\d{3})\b")
SOUND = sorted(answer_key()["sound"])
every_sound_task = pytest.mark.parametrize("task_id", SOUND)


def mismatches(action: Record) -> list[str]:
    """What is wrong with an action's arguments, by the tool table."""
    if action["name"] not in tools():
        return [f"no tool {action['name']}"]
    parameters = {row["name"]: row for row in tools()[action["name"]]["parameters"]}
    given = action["arguments"]
    found = [f"unknown {name}" for name in given.keys() - parameters.keys()]
    found += [f"missing {name}" for name, row in parameters.items() if row["required"] and name not in given]
    return found + [f"bad {name}" for name in given.keys() & parameters if not fits(given[name], parameters[name])]


def fits(value: object, parameter: Record) -> bool:
    kind = parameter["type"]
    if kind.startswith("enum["):
        return value in kind.removeprefix("enum[").removesuffix("]").split("|")
    if kind == "list[str]":
        return isinstance(value, list) and all(isinstance(part, str) for part in value)
    return type(value) is {"str": str, "int": int}[kind]


def members_named(task: Record) -> list[str]:
    text = scenario(task)
    return [
        key
        for key, row in tables()["members"].items()
        if key in text
        or row["email"] in text
        or all(word in text for word in (*row["name"].values(), row["address"]["zip"]))
    ]


def reached(task: Record) -> set[str]:
    """Every row id that can be had from the text by following ids."""
    rows = {key: row for table in tables().values() for key, row in table.items()}
    waiting = [*ROW_ID.findall(scenario(task)), *members_named(task)]
    found: set[str] = set()
    while waiting:
        key = waiting.pop()
        if key not in found and key in rows:
            found.add(key)
            waiting += [word for word in strings(rows[key]) if word in rows]
    return found


def test_there_are_enough_tasks_with_ids_of_their_own() -> None:
    assert len(tasks()) >= 36
    assert list(tasks()) == [f"lib_{number:02d}" for number in range(1, len(tasks()) + 1)]


def test_splits_cover_the_tasks_and_do_not_overlap() -> None:
    assert splits()["base"] == list(tasks())
    assert sorted(splits()["train"] + splits()["test"]) == sorted(tasks())
    assert not set(splits()["train"]) & set(splits()["test"])


def test_action_ids_are_unique() -> None:
    ids = [action["action_id"] for task in tasks().values() for action in actions(task)]
    assert len(set(ids)) == len(ids)


def test_descriptions_are_distinct() -> None:
    assert len({scenario(task) for task in tasks().values()}) == len(tasks())


def test_every_task_names_exactly_one_member_who_writes() -> None:
    assert {task_id: len(members_named(task)) for task_id, task in tasks().items()} == dict.fromkeys(tasks(), 1)


def test_no_task_gives_itself_away() -> None:
    assert {task_id for task_id, task in tasks().items() if BAD_WORDS.search(" ".join(strings(task)))} == set()


def test_the_tool_table_is_of_the_promised_size_and_kinds() -> None:
    assert 8 <= len(tools()) <= 14
    assert {tool["kind"] for tool in tools().values()} == {"read", "write", "generic"}


def test_every_gold_call_fits_the_tool_table_but_the_planted_one() -> None:
    bad = {id for id, task in tasks().items() if any(mismatches(action) for action in actions(task))}
    assert bad == {task["id"] for task in flawed("bad_arguments")}


@every_sound_task
def test_a_sound_task_scores_every_criterion_that_it_has_and_no_other(task_id: str) -> None:
    criteria = tasks()[task_id]["evaluation_criteria"]
    expected = {"DB"}
    expected |= {"COMMUNICATE"} if criteria["communicate_info"] else set()
    expected |= {"NL_ASSERTION"} if criteria["nl_assertions"] else set()
    assert set(criteria["reward_basis"]) == expected


@every_sound_task
def test_a_sound_tasks_ids_can_be_had_from_its_text(task_id: str) -> None:
    task = tasks()[task_id]
    named = set(ROW_ID.findall(" ".join(strings(task["evaluation_criteria"]))))
    assert named <= reached(task)


@every_sound_task
def test_a_sound_tasks_quoted_titles_belong_to_rows_that_it_reaches(task_id: str) -> None:
    task = tasks()[task_id]
    titles = {row["title"]: key for key, row in tables()["items"].items()}
    quoted = set(re.findall(r'"([^"]+)"', "\n".join(strings(task))))
    assert {titles[title] for title in quoted & titles.keys()} <= reached(task)


@every_sound_task
def test_what_a_sound_task_wants_said_is_a_date_an_amount_or_a_copy(task_id: str) -> None:
    for text in tasks()[task_id]["evaluation_criteria"]["communicate_info"]:
        assert re.fullmatch(r"\d{4}-\d\d-\d\d|\d+\.\d\d|CP\d{5}", text)


def test_sound_tasks_are_of_many_sorts() -> None:
    sound = [tasks()[task_id] for task_id in SOUND]
    transfers = [task for task in sound if any(row["name"].startswith("transfer") for row in actions(task))]
    assert len(transfers) >= 3
    assert len([task for task in sound if not writes(task) and task not in transfers]) >= 4
    assert len([task for task in sound if len(writes(task)) > 1]) >= 3
    refused = [task for task in sound if task["id"] in answer_key()["violations"]]
    assert len(sound) * 0.4 <= len(refused) <= len(sound) * 0.6
