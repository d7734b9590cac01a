r"""The language of ``--keep``: what must hold of a task for it to stay.

::

    expression = all { "or" all }
    all        = one { "and" one }
    one        = "not" one | "(" expression ")" | name operator value
    name       = "severity" | "rule" | "tag" | a metric
    operator   = "<" | "<=" | ">" | ">=" | "=" | "==" | "!="
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, Union

from audit.errors import UsageError
from audit.records.finding import SEVERITY_ORDER

SEVERITIES = ("none", *(severity.value for severity in reversed(SEVERITY_ORDER)))
"""What ``severity`` can be of a task, the mildest first: that of its gravest finding."""
MAX_LENGTH = 2000
MAX_DEPTH = 20
_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le, ">=": operator.ge, "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt,
    "=": operator.eq,
}  # fmt: skip
_TOKEN = re.compile(
    r"""(?P<operator><=|>=|==|!=|<|>|=)|(?P<bracket>[()])|"(?P<quoted>[^"]*)"|(?P<word>[^\s()<>=!"]+)"""
)
_WORD = re.compile(r"""[^\s()<>=!"]+""")
_WHERE = "--keep"


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one task.

    Parameters
    ----------
    severity
        One of :data:`SEVERITIES`.
    scores
        Metric to value.
    """

    severity: str
    rules: frozenset[str]
    tags: frozenset[str]
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A name, an operator and a value."""

    name: str
    operator: str
    value: str

    def __str__(self) -> str:
        value = self.value if _WORD.fullmatch(self.value) else f'"{self.value}"'
        return f"{self.name}{self.operator}{value}"


@dataclass(frozen=True, slots=True)
class Not:
    """What must not hold."""

    part: Expression

    def __str__(self) -> str:
        return f"not {self.part}"


@dataclass(frozen=True, slots=True)
class Group:
    """Parts of which all must hold, or any; ``word`` is ``and`` or ``or``."""

    word: str
    parts: tuple[Expression, ...]

    def __str__(self) -> str:
        return "(" + f" {self.word} ".join(map(str, self.parts)) + ")"


Expression: TypeAlias = Union[Comparison, Not, Group]  # noqa: UP007


def holds(expression: Expression, facts: Facts) -> bool:
    """Return whether an expression holds of a task whose scores are all known."""
    if isinstance(expression, Not):
        return not holds(expression.part, facts)
    if isinstance(expression, Group):
        return (all if expression.word == "and" else any)(holds(part, facts) for part in expression.parts)
    return _compares(expression, facts)


def reasons_against(expression: Expression, facts: Facts) -> tuple[str, ...]:
    """Return why an expression does not hold, a clause for each condition that fails; nothing if it holds.

    Examples
    --------
    >>> facts = Facts("error", frozenset({"gold-unknown-id"}), frozenset(), {})
    >>> reasons_against(parse("severity<error and rule!=task-repeated", metrics=()), facts)
    ('severity<error: it is error',)
    """
    if holds(expression, facts):
        return ()
    if isinstance(expression, Group) and expression.word == "and":
        return tuple(reason for part in expression.parts for reason in reasons_against(part, facts))
    if isinstance(expression, Comparison):
        return (f"{expression}: it is {_actual(expression, facts)}",)
    return (f"{expression} does not hold",)


def comparisons(expression: Expression) -> tuple[Comparison, ...]:
    """Return every comparison in an expression."""
    if isinstance(expression, Comparison):
        return (expression,)
    parts = (expression.part,) if isinstance(expression, Not) else expression.parts
    return tuple(found for part in parts for found in comparisons(part))


def _compares(comparison: Comparison, facts: Facts) -> bool:
    compare = _COMPARE[comparison.operator]
    if comparison.name == "severity":
        return compare(SEVERITIES.index(facts.severity), SEVERITIES.index(comparison.value))
    if comparison.name in ("rule", "tag"):
        has = comparison.value in (facts.rules if comparison.name == "rule" else facts.tags)
        return has is (comparison.operator != "!=")
    return compare(facts.scores[comparison.name], float(comparison.value))


def _actual(comparison: Comparison, facts: Facts) -> str:
    if comparison.name == "severity":
        return facts.severity
    if comparison.name in ("rule", "tag"):
        return ", ".join(sorted(facts.rules if comparison.name == "rule" else facts.tags)) or "none"
    return f"{facts.scores[comparison.name]:.3g}"


def parse(text: str, *, metrics: tuple[str, ...]) -> Expression:
    """Read an expression.

    Parameters
    ----------
    metrics
        Names of the metrics that have a value a task.

    Raises
    ------
    UsageError
        Saying at which character it can't be read.
    """
    if len(text) > MAX_LENGTH:
        raise UsageError(f"the expression is longer than {MAX_LENGTH} characters", where=_WHERE, mend="Shorten it")
    parser = _Parser(text, metrics)
    expression = parser.group("or", depth=0)
    parser.end()
    return expression


class _Parser:
    """Walks through the tokens once; ``kind`` and ``word`` are those of the one that comes next."""

    def __init__(self, text: str, metrics: tuple[str, ...]) -> None:
        self._text = text
        self._metrics = metrics
        self._at = self._next = 0
        self.kind = self.word = ""
        self._advance()

    def group(self, joint: str, *, depth: int) -> Expression:
        """Read parts that one word joins: ``or`` joins those that ``and`` joins."""
        parts = [self._part(joint, depth)]
        while self.kind == "word" and self.word == joint:
            self._advance()
            parts.append(self._part(joint, depth))
        return parts[0] if len(parts) == 1 else Group(joint, tuple(parts))

    def end(self) -> None:
        """Raise unless the text ends here."""
        if self.kind:
            raise self._error(f"expected 'and', 'or' or the end, not {self.word!r}")

    def _part(self, joint: str, depth: int) -> Expression:
        return self.group("and", depth=depth) if joint == "or" else self._one(depth)

    def _one(self, depth: int) -> Expression:
        if depth > MAX_DEPTH:
            raise self._error(f"brackets and 'not' are nested more than {MAX_DEPTH} deep")
        if self.kind == "word" and self.word == "not":
            self._advance()
            return Not(self._one(depth + 1))
        if self.kind == "bracket" and self.word == "(":
            self._advance()
            inner = self.group("or", depth=depth + 1)
            if self.word != ")" or self.kind != "bracket":
                raise self._error("a bracket is not closed")
            self._advance()
            return inner
        return self._comparison()

    def _comparison(self) -> Comparison:
        name = self._take("word", "a name")
        if name not in ("severity", "rule", "tag", *self._metrics):
            known = ", ".join(("severity", "rule", "tag", *self._metrics))
            raise self._error(f"no name {name!r}", mend=f"Names: {known}")
        sign = self._take("operator", "an operator such as >=")
        if name in ("rule", "tag") and sign not in ("=", "==", "!="):
            raise self._error(f"{name} can only be compared with = and !=")
        value = self._take("value", "a value")
        if name == "severity" and value not in SEVERITIES:
            raise self._error(f"no severity {value!r}", mend=f"Severities: {', '.join(SEVERITIES)}")
        if name in self._metrics and not re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", value):
            raise self._error(f"{name} must be compared with a number, not {value!r}")
        return Comparison(name, sign, value)

    def _take(self, kind: str, wanted: str) -> str:
        if self.kind not in (("word", "quoted") if kind == "value" else (kind,)):
            raise self._error(f"expected {wanted}, not {repr(self.word) if self.kind else 'the end'}")
        word = self.word
        self._advance()
        return word

    def _advance(self) -> None:
        rest = self._text[self._next :]
        self._at = self._next + len(rest) - len(rest.lstrip())
        if not rest.strip():
            self.kind = self.word = ""
            return
        match = _TOKEN.match(self._text, self._at)
        if match is None or match.lastgroup is None:
            raise self._error("this can't be read")
        self.kind, self.word, self._next = match.lastgroup, match[match.lastgroup], match.end()

    def _error(self, what: str, *, mend: str = "") -> UsageError:
        mend = mend or "Write such as severity<error and desc_alignment>=7"
        return UsageError(f"at character {self._at + 1}: {what}", where=_WHERE, mend=mend)
