"""Gold calls against the tool table."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit.checks.signatures import CHECK
from audit.checks.types import choices_of, misfit
from tests.checks import inn


def book(**changes: Any) -> dict[str, Any]:  # noqa: ANN401  # any JSON
    return {"guest_id": "gu_101", "room_id": "RM11", "day": "2031-05-20", "nights": 2, "meal": "none", **changes}


def test_a_call_that_fits_the_table_is_no_finding() -> None:
    found = inn.inspect(CHECK, inn.task("t1", "x", inn.action("book_stay", **book(card_id="card_9101"))))
    assert found == []


@pytest.mark.parametrize(
    ("name", "arguments", "rule", "field", "words"),
    [
        ("bok_stay", {}, "gold-unknown-tool", "evaluation_criteria.actions[0]", "book_stay comes close"),
        ("zzz", {}, "gold-unknown-tool", "evaluation_criteria.actions[0]", "no tool 'zzz'."),
        ("get_stay", {}, "gold-argument-missing", "evaluation_criteria.actions[0].arguments", "needs the argument"),
        (
            "get_stay",
            {"stay_id": "ST501", "stayid": 1},
            "gold-argument-unknown",
            ".arguments.stayid",
            "'stay_id' comes",
        ),
        ("get_stay", {"stay_id": "ST501", "qq": 1}, "gold-argument-unknown", ".arguments.qq", "no argument 'qq'."),
        ("book_stay", book(nights="2"), "gold-argument-type", ".arguments.nights", "takes int, not '2'"),
        ("book_stay", book(companions=[1]), "gold-argument-type", ".arguments.companions", "takes object, not '1'"),
        ("book_stay", book(meal="brunch"), "gold-argument-enum", ".arguments.meal", "one of none|breakfast"),
    ],
)
def test_each_misfit_names_its_place(name: str, arguments: dict[str, Any], rule: str, field: str, words: str) -> None:
    (found,) = inn.inspect(CHECK, inn.task("t1", "x", inn.action(name, **arguments)))
    assert (found.rule, found.severity.value, found.certainty.value) == (rule, "error", "proved")
    assert found.origin.field.endswith(field)
    assert words in found.what


def test_a_tool_of_the_user_is_unknown_to_the_assistant() -> None:
    call = inn.action("ring_bell")
    (found,) = inn.inspect(CHECK, inn.task("t1", "x", call, inn.action("ring_bell", "user")))
    assert found.what == "The assistant has no tool 'ring_bell'; only the user has it."


def test_without_a_tool_table_nothing_is_said() -> None:
    assert inn.inspect(CHECK, inn.task("t1", "x", inn.action("zzz")), tools=None) == []


@pytest.mark.parametrize("arguments", [json.dumps({"stay": "ST501"}), {"stay": "ST501"}])
def test_a_call_inside_a_dispatching_call_is_checked_too(arguments: object) -> None:
    call = inn.action("call_special", tool_name="get_stay", arguments=arguments)
    rules = [one.rule for one in inn.inspect(CHECK, inn.task("t1", "x", call))]
    assert rules[-2:] == ["gold-argument-missing", "gold-argument-unknown"]


@pytest.mark.parametrize("arguments", ["{", "{" * 5000, "[1]", "free text"])
def test_arguments_that_hold_no_object_are_left_alone(arguments: str) -> None:
    call = inn.action("call_special", tool_name="get_stay", arguments=arguments)
    assert inn.inspect(CHECK, inn.task("t1", "x", call)) == []


@pytest.mark.parametrize(
    ("value", "written", "fits"),
    [
        (3, "float", True),
        (3.0, "int", True),
        (3.5, "int", False),
        (True, "int", False),
        (None, "str|null", True),
        ("x", "int|list[str]", False),
        (["x"], "int|list[str]", True),
        ([[1]], "list[list[int]]", True),
        ([["1"]], "list[list[int]]", False),
        ({}, "dict[str,int]", True),
        ("anything", "Reservation", True),
        (False, "bool", True),
        (2, "enum[1|2]", True),
        (False, "enum[True|False]", True),
        (None, "enum[a|b]", False),
        ("c", "enum[a|b]|null", False),
        ("", "none", False),
    ],
)
def test_values_against_written_types(value: object, written: str, fits: bool) -> None:
    assert (misfit(value, written) is None) is fits  # type: ignore[arg-type]  # any JSON


def test_a_list_of_choices_says_so_inside_a_union_too() -> None:
    found = misfit("c", "enum[a|b]|null")
    assert found is not None
    assert found.is_enum
    assert choices_of("enum[a|b]") == ("a", "b")
