from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.checks.criteria import CHECK, DEFAULT_BASIS, read_criteria
from audit.checks.protocol import Subject
from audit.loaders.registry import load_benchmark
from audit.records.finding import Finding, Severity
from audit.records.task import Action, Json, Origin, Task, ToolKind
from audit.sources.resolve import resolve_source
from tests.builders import benchmark, task

CALL: Json = {"name": "cancel", "arguments": {}}


def scored(criteria: Json, task_id: str = "t1") -> Task:
    """Return a task with these criteria as parsed."""
    return replace(task(task_id), raw={"evaluation_criteria": criteria}, origin=Origin("tasks.json", "", task_id))


def inspect(*tasks: Task) -> list[Finding]:
    return list(CHECK.inspect(Subject(benchmark(*tasks))))


def rules(criteria: Json) -> list[tuple[str, str]]:
    return [(found.rule, found.subject) for found in inspect(scored(criteria))]


def sound(**changes: Json) -> dict[str, Json]:
    criteria: dict[str, Json] = {"actions": [CALL], "communicate_info": ["25.50"]}
    return criteria | {"reward_basis": ["DB", "COMMUNICATE"]} | changes


def test_a_task_that_scores_what_it_states_gives_no_finding() -> None:
    assert rules(sound()) == []
    assert rules({"actions": [CALL], "communicate_info": ["25.50"]}) == []


def test_the_basis_is_the_formats_own_where_none_is_written() -> None:
    assert read_criteria(scored({})).basis == DEFAULT_BASIS
    assert read_criteria(scored({"reward_basis": []})).basis == ()
    assert read_criteria(scored({"reward_basis": ["DB", "DB", 3]})).basis == ("DB",)
    assert not read_criteria(scored(None)).is_written


def test_null_is_not_an_empty_list() -> None:
    criteria = read_criteria(scored({"actions": None, "env_assertions": []}))
    assert (criteria.values["ACTION"], criteria.values["ENV_ASSERTION"]) == (None, [])
    assert criteria.entries("ACTION") == ()


@pytest.mark.parametrize(
    ("field", "component", "entry"),
    [
        ("nl_assertions", "NL_ASSERTION", "The agent refuses."),
        ("env_assertions", "ENV_ASSERTION", {"func_name": "f"}),
    ],
)
def test_a_criterion_outside_the_basis_is_dead(field: str, component: str, entry: Json) -> None:
    (found,) = inspect(scored(sound(**{field: [entry]})))
    assert (found.rule, found.subject, found.severity) == ("dead-criterion", component, Severity.WARNING)
    assert found.origin.field == f"evaluation_criteria.{field}"
    assert dict(found.evidence)["basis"] == "DB, COMMUNICATE"


def test_actions_are_scored_through_the_database_too() -> None:
    assert rules(sound(reward_basis=["COMMUNICATE"])) == [("dead-criterion", "ACTION")]
    assert rules(sound(reward_basis=["ACTION", "COMMUNICATE"])) == []


def test_a_string_that_a_scored_assertion_repeats_is_not_dead() -> None:
    told: dict[str, Json] = {"nl_assertions": ["Agent says 1,025.50 is due."], "reward_basis": ["DB", "NL_ASSERTION"]}
    assert rules(sound(communicate_info=["1025.50"], **told)) == []
    assert rules(sound(communicate_info=["99"], **told)) == [("dead-criterion", "COMMUNICATE")]
    unjudged = told | {"reward_basis": ["DB"]}
    assert ("dead-criterion", "COMMUNICATE") in rules(sound(communicate_info=["1025.50"], **unjudged))


def test_what_holds_for_most_tasks_is_said_once_for_the_set() -> None:
    dead = [scored(sound(nl_assertions=["The agent refuses."]), f"t{n}") for n in range(12)]
    (found,) = inspect(*dead)
    assert (found.rule, found.task_id) == ("dead-criterion", None)
    assert found.what == "nl_assertions of 12 of the 12 tasks that have them are never scored."
    assert found.evidence == (("tasks", "t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, …"),)


def test_what_holds_for_few_tasks_is_said_of_each() -> None:
    live = sound(nl_assertions=["Yes."], reward_basis=["DB", "COMMUNICATE", "NL_ASSERTION"])
    tasks = [scored(live, f"l{n}") for n in range(4)]
    tasks += [scored(sound(nl_assertions=["No."]), f"d{n}") for n in range(3)]
    assert [found.task_id for found in inspect(*tasks)] == ["d0", "d1", "d2"]


def test_a_component_without_anything_to_check_is_vacuous() -> None:
    (found,) = inspect(scored(sound(reward_basis=["DB", "COMMUNICATE", "NL_ASSERTION"])))
    assert (found.rule, found.severity, found.task_id) == ("vacuous-criterion", Severity.NOTE, "t1")
    many = [scored(sound(communicate_info=[]), f"t{n}") for n in range(3)]
    (whole,) = inspect(*many)
    assert whole.what == "COMMUNICATE is in the reward basis of 3 tasks, and 3 have no communicate_info."
    assert whole.task_id is None


def test_a_task_without_any_criterion_is_found_and_worse_without_the_object() -> None:
    empty = inspect(scored({"nl_assertions": None, "reward_basis": ["DB"]}))
    assert [(found.rule, found.severity) for found in empty] == [("no-criteria", Severity.WARNING)]
    none = inspect(scored(None))
    assert [(found.rule, found.severity) for found in none] == [("no-criteria", Severity.ERROR)]


def test_an_empty_list_of_actions_that_is_scored_says_at_least_that_nothing_may_change() -> None:
    (found,) = inspect(scored({"actions": [], "communicate_info": [], "reward_basis": ["DB"]}))
    assert (found.rule, found.severity) == ("no-criteria", Severity.NOTE)
    assert found.what.endswith("only a change of the database fails.")
    unscored = inspect(scored({"actions": [], "reward_basis": ["NL_ASSERTION"]}))
    assert ("no-criteria", Severity.WARNING) in [(found.rule, found.severity) for found in unscored]


def test_a_dead_assertion_beside_a_scored_change_is_a_note_but_a_dead_string_is_not() -> None:
    change = Action("cancel", {}, ToolKind.WRITE, Origin("tasks.json", "", "t1"))
    told = sound(nl_assertions=["The agent cancels."], reward_basis=["DB"])
    found = inspect(replace(scored(told), actions=(change,)))
    assert [(one.subject, one.severity) for one in found] == [
        ("COMMUNICATE", Severity.WARNING),
        ("NL_ASSERTION", Severity.NOTE),
    ]
    unscored = inspect(replace(scored(told | {"reward_basis": ["COMMUNICATE"]}), actions=(change,)))
    assert [(one.subject, one.severity) for one in unscored] == [
        ("NL_ASSERTION", Severity.WARNING),
        ("ACTION", Severity.WARNING),
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1,234.50", [("communicate-with-comma", Severity.ERROR)]),
        ("The agent confirmed it", [("communicate-sentence", Severity.WARNING)]),
        ("Yes, it is done", [("communicate-with-comma", Severity.ERROR), ("communicate-sentence", Severity.WARNING)]),
        ("4", [("communicate-short-string", Severity.NOTE)]),
        (" 10 ", [("communicate-short-string", Severity.NOTE)]),
        ("", [("communicate-short-string", Severity.WARNING)]),
        ("HAT 123", []),
        ("123", []),
    ],
)
def test_strings_that_can_not_be_matched_or_match_by_accident(value: str, expected: list[tuple[str, Severity]]) -> None:
    found = inspect(scored(sound(communicate_info=["25.50", value])))
    assert [(each.rule, each.severity) for each in found] == expected
    assert all(each.origin.field == "evaluation_criteria.communicate_info[1]" for each in found)


def test_strings_that_are_not_scored_are_not_judged() -> None:
    assert rules(sound(communicate_info=["1,2"], reward_basis=["DB"])) == [("dead-criterion", "COMMUNICATE")]


@pytest.mark.parametrize(
    "criteria", [3, "x", [], {"actions": 3}, {"communicate_info": [3, None]}, {"reward_basis": "DB"}]
)
def test_criteria_of_another_shape_never_raise(criteria: Json) -> None:
    assert all(found.rule for found in inspect(scored(criteria)))


def test_other_formats_are_left_alone() -> None:
    assert inspect(replace(task(), raw={"expected": "x"})) == []


def real(real_data: Path, domain: str) -> list[Finding]:
    return list(CHECK.inspect(Subject(load_benchmark(resolve_source(f"tau3/{domain}", data_dir=real_data)))))


def test_tau3_airline_scores_no_assertion(real_data: Path) -> None:
    found: dict[str, Any] = {each.rule: each for each in real(real_data, "airline")}
    assert found["dead-criterion"].what.startswith("nl_assertions of 50 of the 50 tasks")
    assert found["vacuous-criterion"].what.startswith("COMMUNICATE is in the reward basis of 50 tasks, and 44 ")
    assert found["communicate-short-string"].task_id == "3"


def test_tau3_retail_scores_no_string_and_a_third_of_its_assertions_is_missing(real_data: Path) -> None:
    found = real(real_data, "retail")
    said = {(each.rule, each.task_id) for each in found}
    assert said == {
        ("dead-criterion", None),
        ("dead-criterion", "30"),
        ("dead-criterion", "31"),
        ("dead-criterion", "32"),
        ("vacuous-criterion", None),
        ("no-criteria", "57"),
    }
    assert any("36 of the 36" in each.what for each in found)
    assert any("112 tasks, and 72 " in each.what for each in found)


def test_tau3_mock_asks_for_whole_sentences(real_data: Path) -> None:
    sentences = [each for each in real(real_data, "mock") if each.rule == "communicate-sentence"]
    assert len(sentences) == 2
