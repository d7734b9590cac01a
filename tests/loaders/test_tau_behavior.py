from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.loaders.tau_behavior import NO_WRITE
from audit.records.task import Part, PartKind, Task, ToolKind
from tests.loaders.boats import action, load_task, parts_of, task


def calls(loaded: Task) -> list[Part]:
    return [part for part in loaded.behavior if part.kind is PartKind.ACTION]


def with_criteria(folder: Path, **criteria: object) -> Task:
    return load_task(folder, task(criteria=criteria))


def expects_no_write(loaded: Task) -> bool:
    return parts_of(loaded.behavior, PartKind.NO_WRITE) == [NO_WRITE]


def test_every_kind_of_expectation_is_a_part_with_its_origin(tmp_path: Path) -> None:
    loaded = load_task(
        tmp_path,
        task(
            criteria={
                "nl_assertions": ["The agent cancels."],
                "actions": [action()],
                "communicate_info": ["42"],
                "env_assertions": [
                    {"env_type": "user", "func_name": "is_dry", "arguments": {"n": 1}, "message": "Dry."}
                ],
            },
            description={"purpose": "Cancelling."},
        ),
    )
    assert [(part.kind, part.text) for part in loaded.behavior] == [
        (PartKind.ASSERTION, "The agent cancels."),
        (PartKind.ACTION, 'cancel_hire(hire_id="#H501")'),
        (PartKind.COMMUNICATE, "42"),
        (PartKind.ENV_ASSERTION, "is_dry(n=1) returns true (Dry.)"),
        (PartKind.PURPOSE, "Cancelling."),
    ]
    assert [str(part.origin) for part in loaded.behavior] == [
        "tasks.json task 1 evaluation_criteria.nl_assertions[0]",
        "tasks.json task 1 evaluation_criteria.actions[0]",
        "tasks.json task 1 evaluation_criteria.communicate_info[0]",
        "tasks.json task 1 evaluation_criteria.env_assertions[0]",
        "tasks.json task 1 description.purpose",
    ]


def test_an_end_condition_may_want_a_no(tmp_path: Path) -> None:
    loaded = with_criteria(tmp_path, env_assertions=[{"func_name": "is_wet", "assert_value": False}])
    assert parts_of(loaded.behavior, PartKind.ENV_ASSERTION) == ["is_wet() returns false"]


def test_calls_are_numbered_and_say_what_they_do_and_how_binding_they_are(tmp_path: Path) -> None:
    names = ["find_member", "cancel_hire", "add_up", "transfer_to_harbour_master", "sing"]
    labels = [part.label for part in calls(with_criteria(tmp_path, actions=[action(name) for name in names]))]
    assert labels == [
        "Reference call 1 (reads; one way to find this out, not required)",
        "Reference call 2 (writes; required)",
        "Reference call 3 (changes no record; an aid, not required)",
        "Reference call 4 (changes no record; required: the talk ends with a hand-over to a person)",
        "Reference call 5 (its kind is not known, for the tool table does not list it; part of one way to the goal)",
    ]


def test_where_calls_are_compared_one_by_one_every_one_is_required(tmp_path: Path) -> None:
    loaded = with_criteria(tmp_path, actions=[action("find_member")], reward_basis=["ACTION"])
    assert "required: the benchmark looks for this very call" in calls(loaded)[0].label


def test_calls_by_the_user_say_so_and_have_the_user_s_kind(tmp_path: Path) -> None:
    loaded = with_criteria(tmp_path, actions=[action("ring_bell", requestor="user"), action("ring_bell")])
    assert loaded.actions is not None
    assert [part.kind for part in loaded.actions] == [ToolKind.WRITE, ToolKind.UNKNOWN]
    assert calls(loaded)[0].label.startswith("Reference call 1 (by the user, writes;")


@pytest.mark.parametrize("compare_args", [None, [], ["reason"]])
def test_the_summary_of_a_hand_over_is_not_meant_literally(tmp_path: Path, compare_args: list[str] | None) -> None:
    call = action("transfer_to_harbour_master", arguments={"summary": "Wet."}, compare_args=compare_args)
    (part,) = calls(with_criteria(tmp_path, actions=[call]))
    assert part.label.endswith("; not meant literally: summary)")
    assert part.text == 'transfer_to_harbour_master(summary="Wet.")'


def test_arguments_that_are_not_compared_are_named_except_those_of_a_write(tmp_path: Path) -> None:
    arguments = {"email": "a@b.c", "note": "x"}
    read = action("find_member", arguments=arguments, compare_args=["email"])
    write = action("cancel_hire", arguments=arguments, compare_args=["email"])
    first, second = calls(with_criteria(tmp_path, actions=[read, write]))
    assert first.label.endswith("; not meant literally: note)")
    assert "literally" not in second.label


def test_no_actions_and_only_harmless_ones_mean_that_the_database_stays(tmp_path: Path) -> None:
    assert expects_no_write(with_criteria(tmp_path / "a", actions=[]))
    assert expects_no_write(with_criteria(tmp_path / "b", actions=[action("find_member"), action("add_up")]))


def test_a_write_or_a_call_of_unknown_kind_forbids_that_sentence(tmp_path: Path) -> None:
    assert not expects_no_write(with_criteria(tmp_path / "a", actions=[action("find_member"), action()]))
    assert not expects_no_write(with_criteria(tmp_path / "b", actions=[action("sing")]))


@pytest.mark.parametrize("criteria", [{}, {"actions": None}, {"nl_assertions": ["Done."]}])
def test_a_missing_list_of_actions_is_no_empty_list(tmp_path: Path, criteria: dict[str, object]) -> None:
    loaded = with_criteria(tmp_path, **criteria)
    assert loaded.actions is None
    assert not expects_no_write(loaded)


def test_an_empty_list_of_actions_stays_one(tmp_path: Path) -> None:
    assert with_criteria(tmp_path, actions=[]).actions == ()


def test_end_conditions_may_ask_for_a_change_where_the_database_is_not_scored(tmp_path: Path) -> None:
    criteria = {"actions": [], "env_assertions": [{"func_name": "is_dry"}]}
    assert not expects_no_write(with_criteria(tmp_path / "a", **criteria, reward_basis=["ENV_ASSERTION"]))
    assert expects_no_write(with_criteria(tmp_path / "b", **criteria))


@pytest.mark.parametrize("value", [task(evaluation_criteria=None), {k: v for k, v in task().items() if k[0] != "e"}])
def test_a_task_without_criteria_expects_nothing_and_loads(tmp_path: Path, value: dict[str, object]) -> None:
    loaded = load_task(tmp_path, value)
    assert (loaded.behavior, loaded.actions) == ((), None)


def test_null_lists_are_empty(tmp_path: Path) -> None:
    loaded = with_criteria(tmp_path, actions=[action()], nl_assertions=None, communicate_info=None, env_assertions=None)
    assert [part.kind for part in loaded.behavior] == [PartKind.ACTION]


def test_what_is_rewarded_stays_in_the_raw_task(tmp_path: Path) -> None:
    raw = with_criteria(tmp_path, actions=[], reward_basis=["DB", "NL_ASSERTION"], unknown_key=1).raw
    assert raw["evaluation_criteria"] == {"actions": [], "reward_basis": ["DB", "NL_ASSERTION"], "unknown_key": 1}


@pytest.mark.parametrize(
    ("criteria", "complaint"),
    [
        ("x", "task 1 evaluation_criteria: must be an object, not a text"),
        ({"actions": "cancel"}, "evaluation_criteria.actions: must be a list, not a text"),
        ({"actions": ["cancel"]}, r"actions\[0\]: must be an object, not a text"),
        ({"actions": [{}]}, r"actions\[0\]\.name: the field 'name' is missing"),
        ({"actions": [action(arguments=[])]}, r"actions\[0\]\.arguments: must be an object, not a list"),
        ({"actions": [action(requestor="robot")]}, r"actions\[0\]\.requestor: must be 'assistant' or 'user'"),
        ({"actions": [action(compare_args="x")]}, r"actions\[0\]\.compare_args: must be a list"),
        ({"nl_assertions": "x"}, "nl_assertions: must be a list, not a text"),
        ({"communicate_info": [42]}, r"communicate_info\[0\]: must be a text, not a number"),
        ({"env_assertions": [{}]}, r"env_assertions\[0\]\.func_name: the field 'func_name' is missing"),
        ({"env_assertions": [{"func_name": "f", "assert_value": 1}]}, r"assert_value: must be true or false"),
        ({"reward_basis": "DB"}, "reward_basis: must be a list"),
    ],
)
def test_broken_criteria_name_task_and_field(tmp_path: Path, criteria: object, complaint: str) -> None:
    with pytest.raises(LoadError, match=complaint):
        load_task(tmp_path, task(criteria=criteria))


def test_a_broken_purpose_names_task_and_field(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"task 1 description\.purpose: must be a text"):
        load_task(tmp_path, task(description={"purpose": 3}))
