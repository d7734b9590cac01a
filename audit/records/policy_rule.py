"""Rules of a policy that a program can decide, as expressions over a gold call and the database."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, Union

from audit.records.finding import Certainty, Severity
from audit.records.task import Json


@dataclass(frozen=True, slots=True)
class Literal:
    """A text, a number, true, false or null."""

    value: Json


@dataclass(frozen=True, slots=True)
class Path:
    """A name and the fields below it; the step ``[]`` goes on with every entry of a list."""

    name: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator of :data:`OPERATORS` and what it works on."""

    name: str
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Each:
    """An operator of :data:`LOOPS` over the entries of a list.

    Parameters
    ----------
    source
        The list.
    entry
        The name that an entry has in ``where`` and ``body``.
    where
        Entries for which it fails are left out; ``None`` to keep all.
    body
        What is asked of an entry, or taken from it; ``None`` for a count.
    """

    name: str
    source: Expression
    entry: str
    where: Expression | None
    body: Expression | None


@dataclass(frozen=True, slots=True)
class Choice:
    """The value that belongs to the text ``by``."""

    by: Expression
    cases: Mapping[str, Expression]


@dataclass(frozen=True, slots=True)
class Zip:
    """Lists of one length, side by side: one object an entry, with a field a list."""

    parts: Mapping[str, Expression]


@dataclass(frozen=True, slots=True)
class Mentions:
    """Whether the user's text holds one of some words; what it says can only make a finding likely."""

    words: re.Pattern[str]


Expression: TypeAlias = Union[Literal, Path, Operation, Each, Choice, Zip, Mentions]  # noqa: UP007


@dataclass(frozen=True, slots=True)
class Shape:
    """What an operator takes: how many parts, whether they are conditions, and whether it is a condition itself."""

    least: int
    most: int
    takes_conditions: bool = False
    is_condition: bool = True


_MANY = 100
OPERATORS: Final[Mapping[str, Shape]] = {
    "all": Shape(1, _MANY, takes_conditions=True),
    "any": Shape(1, _MANY, takes_conditions=True),
    "not": Shape(1, 1, takes_conditions=True),
    "equal": Shape(2, 2),
    "less": Shape(2, 2),
    "at_most": Shape(2, 2),
    "more": Shape(2, 2),
    "at_least": Shape(2, 2),
    "in": Shape(2, 2),
    "within": Shape(2, 2),
    "same_entries": Shape(2, 2),
    "present": Shape(1, 1),
    "row": Shape(2, 2, is_condition=False),
    "rows": Shape(1, 1, is_condition=False),
    "get": Shape(2, 10, is_condition=False),
    "default": Shape(2, 2, is_condition=False),
    "add": Shape(1, _MANY, is_condition=False),
    "subtract": Shape(2, 2, is_condition=False),
    "multiply": Shape(2, _MANY, is_condition=False),
    "max": Shape(1, _MANY, is_condition=False),
    "min": Shape(1, _MANY, is_condition=False),
    "size": Shape(1, 1, is_condition=False),
    "first": Shape(1, 1, is_condition=False),
    "join": Shape(2, _MANY, is_condition=False),
    "hours": Shape(2, 2, is_condition=False),
    "days": Shape(2, 2, is_condition=False),
    "months": Shape(2, 2, is_condition=False),
}
"""Operators by name. A list in a rule is an operation of the name :data:`ITEMS`."""
ITEMS: Final = "[]"


@dataclass(frozen=True, slots=True)
class LoopShape:
    """What a loop asks of an entry: the name of the field, and whether that is a condition."""

    body: str | None
    is_condition: bool


LOOPS: Final[Mapping[str, LoopShape]] = {
    "some": LoopShape("is", is_condition=True),
    "every": LoopShape("is", is_condition=True),
    "count": LoopShape(None, is_condition=False),
    "sum": LoopShape("of", is_condition=False),
    "list": LoopShape("of", is_condition=False),
}
NAMES: Final = ("argument", "call", "before", "after", "now")
"""Names that every rule has."""


@dataclass(frozen=True, slots=True)
class PolicyRule:
    """One rule.

    Parameters
    ----------
    id
        Unique in its file, in kebab case.
    item
        The policy item that it decides; empty where the policy has no items.
    on
        Tools of the assistant to whose gold calls it applies.
    names
        Values by name, in order; each may use those before it.
    where
        The rule is silent about a call for which this is not known to hold; ``None`` for all calls.
    require
        A call for which this fails breaks the rule.
    says
        What is wrong then, as one sentence.
    show
        Labelled values for the evidence.
    certainty
        Likely where the condition itself is a guess; with ``mentions`` a finding is never more than that.
    severity
        Of a finding that is as certain as ``certainty`` says.
    """

    id: str
    item: str
    on: frozenset[str]
    names: Mapping[str, Expression]
    where: Expression | None
    require: Expression
    says: str
    show: Mapping[str, Expression]
    certainty: Certainty = Certainty.PROVED
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class PolicyRules:
    """The rules of one policy document.

    Parameters
    ----------
    policy
        What the policy is called.
    document_sha256
        Of the normalised document that they were made for; empty for any.
    now
        The policy's current time; empty where it states none.
    file
        Where they were read.
    """

    policy: str
    document_sha256: str
    now: str
    rules: tuple[PolicyRule, ...]
    file: str = ""
