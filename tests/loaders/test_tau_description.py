from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.records.task import PartKind
from tests.loaders.boats import database, load_task, parts_of, script, task


def test_a_script_is_read_in_the_order_in_which_the_user_reads_it(tmp_path: Path) -> None:
    loaded = load_task(tmp_path, task(told=script(unknown_info="The price.")))
    assert [part.text for part in loaded.description] == [
        "boats",
        "You want to cancel a hire.",
        "You are mem_1.",
        "The price.",
        "Be brief.",
    ]
    assert {part.kind for part in loaded.description} == {PartKind.SCENARIO}
    assert str(loaded.description[1].origin) == "tasks.json task 1 user_scenario.instructions.reason_for_call"


@pytest.mark.parametrize("value", [None, "", "  \n"])
def test_blank_fields_of_a_script_are_left_out(tmp_path: Path, value: str | None) -> None:
    loaded = load_task(tmp_path, task(told=script(known_info=value)))
    assert len(loaded.description) == 3


def test_an_absent_field_of_a_script_is_left_out(tmp_path: Path) -> None:
    loaded = load_task(tmp_path, task(told={"reason_for_call": "You want out.", "domain": "boats"}))
    assert loaded.description_text == "boats\nYou want out."


def test_instructions_may_be_one_text_kept_as_it_is(tmp_path: Path) -> None:
    text = 'Ask {agent}:\n\t"50%"  '
    loaded = load_task(tmp_path, task(told=text))
    assert [(part.kind, part.text) for part in loaded.description] == [(PartKind.SCENARIO, text)]


def test_a_persona_comes_first(tmp_path: Path) -> None:
    value = task()
    value["user_scenario"]["persona"] = "A grumpy rower."
    first = load_task(tmp_path, value).description[0]
    assert (first.kind, first.text) == (PartKind.PERSONA, "A grumpy rower.")


def test_purpose_and_notes_never_reach_the_description(tmp_path: Path) -> None:
    value = task(
        description={"purpose": "SECRET", "notes": "SECRET"}, annotations="SECRET", issues=[{"title": "SECRET"}]
    )
    loaded = load_task(tmp_path, value)
    assert "SECRET" not in loaded.description_text
    assert parts_of(loaded.behavior, PartKind.PURPOSE) == ["SECRET"]


def test_a_ticket_is_context_for_the_judge_alone(tmp_path: Path) -> None:
    loaded = load_task(tmp_path, task(ticket="Cancel #H501."))
    part = loaded.description[-1]
    assert (part.kind, part.text) == (PartKind.CONTEXT, "Cancel #H501.")
    assert "judge alone" in part.label


def test_changed_records_are_context_in_words_and_rows_of_this_task_alone(tmp_path: Path) -> None:
    data = {"agent_data": {"members": {"mem_1": {"hires": []}}}, "user_data": {"phone": {"on": True}}}
    value = task(initial_state={"initialization_data": data})
    loaded = load_task(tmp_path, value)
    assert parts_of(loaded.description, PartKind.CONTEXT) == [
        'members: {"mem_1": {"hires": []}}',
        'phone: {"on": true}',
    ]
    row, *others = loaded.rows
    assert isinstance(row.value, dict)
    assert row.value["hires"] == []
    assert [other.key for other in others[:2]] == ["#H501", "#H502"], "rows that name the member stay in the database"
    assert row.value["email"] == "greta1@lake.example"


def test_changed_records_without_a_database_are_context_only(tmp_path: Path) -> None:
    value = task(initial_state={"initialization_data": {"agent_data": {"members": {"mem_1": {}}}}})
    loaded = load_task(tmp_path, value, skip=("db",))
    assert loaded.rows == ()
    assert len(parts_of(loaded.description, PartKind.CONTEXT)) == 1


def test_preparations_are_numbered_calls_with_their_side(tmp_path: Path) -> None:
    calls = [
        {"env_type": "user", "func_name": "ring_bell", "arguments": {"times": 2}},
        {"env_type": "assistant", "func_name": "flood"},
    ]
    loaded = load_task(tmp_path, task(initial_state={"initialization_actions": calls}))
    assert parts_of(loaded.description, PartKind.CONTEXT) == [
        "1. user's side: ring_bell(times=2) (a tool)\n"
        "2. assistant's side: flood() (a function of the environment, no tool)"
    ]


def test_earlier_messages_are_told_with_their_calls_and_bring_rows(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": None, "tool_calls": [{"name": "find", "arguments": {"hire": "#H503"}}]},
        {"role": "tool", "content": ""},
    ]
    loaded = load_task(tmp_path, task(told="Go on.", initial_state={"message_history": messages}))
    assert parts_of(loaded.description, PartKind.CONTEXT) == ['user: Hello.\nassistant calls find(hire="#H503")']
    assert loaded.rows[0].key == "#H503"


def test_empty_initial_states_add_nothing(tmp_path: Path) -> None:
    empty: dict[str, object] = {
        "initialization_data": {"agent_data": {}},
        "initialization_actions": [],
        "message_history": None,
    }
    loaded = load_task(tmp_path, task(initial_state=empty), db=database())
    assert parts_of(loaded.description, PartKind.CONTEXT) == []


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ({"id": "1"}, "task 1 user_scenario: the task has no user scenario"),
        ({"id": "1", "user_scenario": "You want out."}, "task 1 user_scenario: must be an object, not a text"),
        (task(told=" "), "task 1 user_scenario.instructions: the user gets no instructions"),
        (task(told={}), "task 1 user_scenario.instructions: the user gets no instructions"),
        ({"id": "1", "user_scenario": {}}, "task 1 user_scenario.instructions: the user gets no instructions"),
        (task(told=["x"]), "task 1 user_scenario.instructions: must be an object, not a list"),
        (task(told=script(known_info=3)), "task 1 user_scenario.instructions.known_info: must be a text, not a number"),
        (task(ticket=[]), "task 1 ticket: must be a text, not a list"),
        (task(initial_state=[]), "task 1 initial_state: must be an object"),
        (task(initial_state={"message_history": [{}]}), r"message_history\[0\]\.role: the field 'role' is missing"),
        (
            task(initial_state={"initialization_actions": [{"func_name": "f", "env_type": "robot"}]}),
            r"initialization_actions\[0\]\.env_type: must be 'assistant' or 'user', not 'robot'",
        ),
        (task(initial_state={"initialization_data": {"agent_data": [1]}}), "agent_data: must be an object, not a list"),
    ],
)
def test_a_broken_description_names_task_and_field(tmp_path: Path, value: dict[str, object], complaint: str) -> None:
    with pytest.raises(LoadError, match=complaint):
        load_task(tmp_path, value)


def test_preparations_are_not_told_apart_without_a_tool_table(tmp_path: Path) -> None:
    calls = [{"env_type": "user", "func_name": "ring_bell"}]
    loaded = load_task(tmp_path, task(initial_state={"initialization_actions": calls}), skip=("tools",))
    assert parts_of(loaded.description, PartKind.CONTEXT) == ["1. user's side: ring_bell()"]


@pytest.mark.parametrize(("names", "told"), [(["ring_bell", "row"], ["ring_bell, row"]), ([], ["none"]), (None, [])])
def test_the_user_s_tools_are_context_where_a_task_limits_them(
    tmp_path: Path, names: list[str] | None, told: list[str]
) -> None:
    loaded = load_task(tmp_path, task(user_tools=names))
    assert parts_of(loaded.description, PartKind.CONTEXT) == told
