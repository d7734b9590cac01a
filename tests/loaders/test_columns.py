"""Which column holds what: as the user says, or by the usual headings."""

from __future__ import annotations

import pytest

from audit.errors import LoadError, UsageError
from audit.loaders.columns import HEADINGS, choose_columns, read_mapping


def test_usual_headings_are_known_in_any_case_and_spelling() -> None:
    found = choose_columns(
        ["Test_Case ID", "userScenario", "EXPECTED RESULT:", "Pre-conditions", "Labels"], (), where="t"
    )
    assert dict(found.by_field) == {
        "id": "Test_Case ID",
        "description": "userScenario",
        "behavior": "EXPECTED RESULT:",
        "tags": "Labels",
    }
    assert set(found.guessed) == {"id", "description", "behavior", "tags"}


def test_the_fields_own_names_are_no_guess() -> None:
    found = choose_columns(["id", "description", "behavior", "notes"], (), where="t")
    assert (found.guessed, dict(found.rivals)) == ((), {})
    assert (
        found.describe(found.by_field)
        == "id from 'id', description from 'description', expected behavior from 'behavior'"
    )


def test_the_likeliest_of_several_headings_is_taken_and_the_others_are_named() -> None:
    found = choose_columns(["Scenario", "Task", "Expected"], (), where="t")
    assert found.by_field["description"] == "Scenario"
    assert found.rivals == {"description": ("Task",)}
    assert found.describe(found.guessed) == "description from 'Scenario', expected behavior from 'Expected'"


def test_what_the_user_says_wins_and_no_column_is_taken_twice() -> None:
    found = choose_columns(["Task", "Answer"], (("behavior", "task"), ("description", "Answer")), where="t")
    assert dict(found.by_field) == {"behavior": "Task", "description": "Answer"}


@pytest.mark.parametrize(
    ("headings", "given", "words"),
    [
        (["a", "b"], (), r"t: no column holds the description \(columns: 'a', 'b'\)\. Name it with --map description="),
        (["Task", "b"], (), r"no column holds the expected behavior \(columns: 'Task', 'b'\)"),
        ([], (), r"\(columns: none\)"),
        (["Task"], (("behavior", "What"),), r"there is no column 'What' for the expected behavior \(columns: 'Task'\)"),
        (["x y", "X_Y", "Task"], (("behavior", "x-y"),), "there is no column 'x-y'"),
        (["Task"], (("behaviour", "Task"),), r"a task has no 'behaviour' to map a column to\. Did you mean behavior\?"),
    ],
)
def test_a_missing_column_is_one_line_that_lists_those_there(
    headings: list[str], given: tuple[tuple[str, str], ...], words: str
) -> None:
    with pytest.raises(LoadError, match=words):
        choose_columns(headings, given, where="t")


def test_actions_alone_say_what_is_expected() -> None:
    assert "behavior" not in choose_columns(["task", "tool calls"], (), where="t").by_field


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("description", "--map: 'description' is no FIELD=COLUMN"),
        ("description= ", "is no FIELD=COLUMN"),
        ("descripton=A", r"a task has no 'descripton'\. Did you mean description\? Fields: id, description"),
        ("zzz=A", r"a task has no 'zzz'\. Fields: id"),
    ],
)
def test_a_mapping_that_says_nothing_is_one_line(value: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        read_mapping([value])


def test_a_field_is_mapped_once_and_a_column_may_hold_an_equals_sign() -> None:
    assert read_mapping(["Tags = a=b"]) == (("tags", "a=b"),)
    with pytest.raises(UsageError, match="id is given twice"):
        read_mapping(["id=a", "ID=b"])


def test_no_heading_stands_for_two_fields() -> None:
    every = [name for names in HEADINGS.values() for name in names]
    assert len(every) == len(set(every))
