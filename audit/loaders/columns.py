"""Which column of a table holds what of a task: as the user says, or by the usual headings."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from audit.errors import LoadError, UsageError

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "task id", "case id", "test id", "test case id", "scenario id", "key", "nr", "no", "number", "case"),
    "description": (
        "description", "user scenario", "scenario", "instruction", "instructions", "user instruction",
        "user instructions", "user goal", "task", "user story", "user request", "request", "user prompt", "prompt",
        "user message", "question", "query", "input",
    ),
    "behavior": (
        "behavior", "behaviour", "expected behavior", "expected behaviour", "expected results", "expected result",
        "expected outcome", "expected outcomes", "expected output", "expected answer", "expected response", "expected",
        "ground truth", "reference answer", "reference", "gold answer", "answer",
    ),
    "state": ("state", "initial state", "preconditions", "precondition", "context", "setup", "given"),
    "tags": ("tags", "tag", "labels", "label", "categories", "category"),
    "actions": (
        "actions", "gold actions", "reference actions", "expected actions", "tool calls", "expected tool calls",
        "reference calls",
    ),
    "policy": ("policy", "own policy"),
}  # fmt: skip
"""Field of a task to the headings that are taken for it where the user does not say, the likeliest first."""
WORDS = {
    "id": "id", "description": "description", "behavior": "expected behavior", "state": "initial state",
    "tags": "tags", "actions": "gold actions", "policy": "policy",
}  # fmt: skip
_MAP = "--map"


@dataclass(frozen=True, slots=True)
class Columns:
    """Field of a task to the column that holds it; fields without a column are absent.

    Parameters
    ----------
    guessed
        Fields whose column was chosen by its heading, where the heading is not the field's own name.
    rivals
        Field to other columns that might have been meant.
    """

    by_field: Mapping[str, str]
    guessed: tuple[str, ...] = ()
    rivals: Mapping[str, tuple[str, ...]] = ()  # type: ignore[assignment]  # an empty one, read-only

    def describe(self, fields: Collection[str]) -> str:
        """Return which column holds these fields, in words."""
        shown = [field for field in HEADINGS if field in self.by_field and field in fields]
        return ", ".join(f"{WORDS[field]} from {self.by_field[field]!r}" for field in shown)


def read_mapping(values: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return what ``--map`` says: pairs of a field and a column.

    Raises
    ------
    UsageError
        If a value is no ``FIELD=COLUMN``, names no field of a task, or a field twice.

    Examples
    --------
    >>> read_mapping(["description=User story", "behaviour=Expected result"])
    (('description', 'User story'), ('behavior', 'Expected result'))
    """
    pairs: dict[str, str] = {}
    for value in values:
        name, sign, column = value.partition("=")
        field = name.strip().lower().replace("behaviour", "behavior")
        if not sign or not column.strip():
            raise UsageError(f"{value!r} is no FIELD=COLUMN", where=_MAP, mend="Write such as description=Scenario")
        if field not in HEADINGS:
            raise UsageError(f"a task has no {field!r}", where=_MAP, mend=_suggest(field))
        if field in pairs:
            raise UsageError(f"{field} is given twice", where=_MAP, mend="Name one column")
        pairs[field] = column.strip()
    return tuple(pairs.items())


def _suggest(field: str) -> str:
    close = difflib.get_close_matches(field, list(HEADINGS), n=1)
    hint = f"Did you mean {close[0]}? " if close else ""
    return f"{hint}Fields: {', '.join(HEADINGS)}"


def choose_columns(headings: Sequence[str], given: Sequence[tuple[str, str]], *, where: str) -> Columns:
    """Return which column holds what.

    Parameters
    ----------
    headings
        Of the table, in order.
    given
        What the user says; every other field is looked for by the usual headings.
    where
        The table, for messages.

    Raises
    ------
    LoadError
        If there is no such column, or none for the description, or none that says what is expected.
    """
    unknown = next((field for field, _ in given if field not in HEADINGS), None)
    if unknown is not None:
        raise LoadError(f"a task has no {unknown!r} to map a column to", where=where, mend=_suggest(unknown))
    by_field = {field: _named(column, headings, field=field, where=where) for field, column in given}
    guessed, rivals = [], {}
    for field, usual in HEADINGS.items():
        taken = set(by_field.values())
        found = [] if field in by_field else _usual(usual, [each for each in headings if each not in taken])
        if found:
            by_field[field] = found[0]
            if _plain(found[0]) != field or len(found) > 1:
                guessed.append(field)
            if len(found) > 1:
                rivals[field] = tuple(found[1:])
    for field, others in {"description": (), "behavior": ("actions",)}.items():
        if not any(name in by_field for name in (field, *others)):
            there = ", ".join(repr(each) for each in headings) or "none"
            what = f"no column holds the {WORDS[field]} (columns: {there})"
            raise LoadError(what, where=where, mend=f"Name it with {_MAP} {field}=COLUMN")
    return Columns(by_field, tuple(guessed), rivals)


def _named(column: str, headings: Sequence[str], *, field: str, where: str) -> str:
    """Return the heading that a user means: letter by letter, or but for case and blanks."""
    if column in headings:
        return column
    alike = [heading for heading in headings if _plain(heading) == _plain(column)]
    if len(alike) == 1:
        return alike[0]
    there = ", ".join(repr(each) for each in headings) or "none"
    what = f"there is no column {column!r} for the {WORDS[field]} (columns: {there})"
    raise LoadError(what, where=where, mend=f"Correct {_MAP} {field}=COLUMN")


def _usual(usual: Sequence[str], headings: Sequence[str]) -> list[str]:
    return [heading for name in usual for heading in headings if _plain(heading) == name]


def _plain(heading: str) -> str:
    """Return a heading in lower case, its words one blank apart.

    Examples
    --------
    >>> _plain("Expected_Result:"), _plain("taskId")
    ('expected result', 'task id')
    """
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", heading)
    return " ".join(re.findall(r"\w+", apart.replace("_", " ").lower()))
