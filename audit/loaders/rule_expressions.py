"""The expressions of policy rules: parsed JSON → records, every mistake named with its place."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from audit.errors import LoadError
from audit.loaders.entry import name_type
from audit.records.policy_rule import (
    ITEMS,
    LOOPS,
    OPERATORS,
    Choice,
    Each,
    Expression,
    Literal,
    Mentions,
    Operation,
    Path,
    Zip,
)
from audit.records.task import Json

MAX_PARTS = 1000
"""Expressions in one rule, defined ones counted at each use."""
_PATH = re.compile(r"\$([a-z_][a-z0-9_]*)((?:\[\])?(?:\.[A-Za-z0-9_-]+(?:\[\])?)*)")
_STEP = re.compile(r"\[\]|[A-Za-z0-9_-]+")
_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_DOLLAR = "$$"


@dataclass
class Budget:
    """Counts the expressions of one rule, so that definitions that use one another can't grow without end."""

    left: int = MAX_PARTS


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expression stands, and what it may name.

    Parameters
    ----------
    where
        File and rule, for messages.
    path
        Of the expression inside the rule.
    names
        Names that ``$name`` may begin with.
    defined
        The file's definitions that ``use`` may name.
    """

    where: str
    path: str
    names: frozenset[str]
    defined: Mapping[str, Json] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)

    def at(self, step: str | int) -> Place:
        """Return the place one step below."""
        return replace(self, path=f"{self.path}[{step}]" if isinstance(step, int) else f"{self.path}.{step}")

    def knowing(self, names: Iterable[str]) -> Place:
        """Return the place with more names."""
        return replace(self, names=self.names | frozenset(names))

    def error(self, what: str, mend: str) -> LoadError:
        """Return an error about this place."""
        return LoadError(what, where=f"{self.where} {self.path}".strip(), mend=mend)


def read_condition(value: Json, place: Place) -> Expression:
    """Return a condition: something that holds, fails, or can't be told.

    Raises
    ------
    LoadError
        Naming file, rule and path.
    """
    return _read(value, place, wants_condition=True)


def read_value(value: Json, place: Place) -> Expression:
    """Return a value: a literal, a path, a list or an operation on them."""
    return _read(value, place, wants_condition=False)


def read_name(name: str, place: Place) -> str:
    """Return a name for a value; it must be new, in lower case and without hyphens."""
    if not _NAME.fullmatch(name):
        raise place.error(f"{name!r} is no name", "Use lower-case letters, digits and _")
    if name in place.names:
        raise place.error(f"the name {name!r} is taken", "Choose another one")
    return name


def _read(value: Json, place: Place, *, wants_condition: bool) -> Expression:
    place.budget.left -= 1
    if place.budget.left < 0:
        raise place.error(f"the rule is made of more than {MAX_PARTS} expressions", "Make it simpler")
    if isinstance(value, Mapping):
        return _read_operator(value, place, wants_condition=wants_condition)
    if wants_condition:
        what = f"{name_type(value)} stands where a condition must"
        raise place.error(what, 'Compare it, as in {"equal": ["$argument.kind", "gift"]}')
    if isinstance(value, list):
        return Operation(ITEMS, tuple(read_value(part, place.at(n)) for n, part in enumerate(value)))
    return _read_plain(value, place)


def _read_plain(value: Json, place: Place) -> Expression:
    if not isinstance(value, str) or not value.startswith("$"):
        return Literal(value)
    if value.startswith(_DOLLAR):
        return Literal(value[1:])
    match = _PATH.fullmatch(value)
    if match is None:
        mend = "Write $name.field, $name.list[].field, or $$ for a text that begins with $"
        raise place.error(f"{value!r} is no path", mend)
    if match[1] not in place.names:
        close = difflib.get_close_matches(match[1], sorted(place.names), n=1)
        known = (
            f"Did you mean ${close[0]}" if close else f"There are: {', '.join(f'${n}' for n in sorted(place.names))}"
        )
        raise place.error(f"nothing has the name ${match[1]}", known)
    return Path(match[1], tuple(_STEP.findall(match[2])))


def _read_operator(value: Mapping[str, Json], place: Place, *, wants_condition: bool) -> Expression:
    if len(value) != 1:
        raise place.error(f"an object must hold one operator, not {len(value)}", "Split it, or join with all or any")
    name, inside = next(iter(value.items()))
    below = place.at(name)
    if name == "use":
        return _read_use(inside, below, wants_condition=wants_condition)
    is_condition = _gives_condition(name, below)
    if is_condition and not wants_condition:
        raise below.error("a condition stands where a value must", "Use a value here")
    if wants_condition and not is_condition:
        raise below.error("a value stands where a condition must", 'Compare it, as in {"equal": [..., 3]}')
    if name in OPERATORS:
        return _read_operation(name, inside, below)
    if name in LOOPS:
        return _read_loop(name, inside, below)
    return {"choose": _read_choice, "zip": _read_zip, "mentions": _read_mentions}[name](inside, below)


def _gives_condition(name: str, place: Place) -> bool:
    if name in OPERATORS:
        return OPERATORS[name].is_condition
    if name in LOOPS:
        return LOOPS[name].is_condition
    if name in ("choose", "zip", "mentions"):
        return name == "mentions"
    known = sorted([*OPERATORS, *LOOPS, "choose", "zip", "mentions", "use"])
    close = difflib.get_close_matches(name, known, n=1)
    mend = f"Did you mean {close[0]!r}" if close else f"There are: {', '.join(known)}"
    raise place.error(f"there is no operator {name!r}", mend)


def _read_use(value: Json, place: Place, *, wants_condition: bool) -> Expression:
    if not isinstance(value, str) or value not in place.defined:
        known = ", ".join(place.defined) or "none"
        raise place.error(f"{value!r} is not defined before it is used", f"Known here: {known}")
    earlier = list(place.defined)[: list(place.defined).index(value)]
    inner = replace(place.at(value), defined={name: place.defined[name] for name in earlier})
    return _read(place.defined[value], inner, wants_condition=wants_condition)


def _read_operation(name: str, value: Json, place: Place) -> Expression:
    shape = OPERATORS[name]
    parts = value if isinstance(value, list) else [value] if shape.least == 1 else None
    if parts is None or not shape.least <= len(parts) <= shape.most:
        number = f"{shape.least}" if shape.least == shape.most else f"{shape.least} or more"
        raise place.error(f"{name} takes a list of {number} parts", "Give them as a list")
    read = read_condition if shape.takes_conditions else read_value
    return Operation(name, tuple(read(part, place.at(n)) for n, part in enumerate(parts)))


def _read_loop(name: str, value: Json, place: Place) -> Expression:
    body = LOOPS[name].body
    needed = {"in", "as"} | ({body} if body else set())
    if not isinstance(value, Mapping) or not needed <= value.keys() <= needed | {"where"}:
        fields = ", ".join(sorted(needed))
        raise place.error(f"{name} takes an object with {fields} and, if need be, where", "Correct its fields")
    entry = value["as"]
    if not isinstance(entry, str):
        raise place.at("as").error(f"a name must be a text, not {name_type(entry)}", "Name the entry")
    source = read_value(value["in"], place.at("in"))
    inner = place.knowing([read_name(entry, place.at("as"))])
    where = read_condition(value["where"], inner.at("where")) if "where" in value else None
    if body is None:
        return Each(name, source, entry, where, None)
    read = read_condition if LOOPS[name].is_condition else read_value
    return Each(name, source, entry, where, read(value[body], inner.at(body)))


def _read_choice(value: Json, place: Place) -> Expression:
    if not isinstance(value, Mapping) or value.keys() != {"by", "from"} or not isinstance(value["from"], Mapping):
        raise place.error("choose takes an object with by, and from as an object of values", "Correct its fields")
    cases = {name: read_value(part, place.at("from").at(name)) for name, part in value["from"].items()}
    return Choice(read_value(value["by"], place.at("by")), cases)


def _read_zip(value: Json, place: Place) -> Expression:
    if not isinstance(value, Mapping) or len(value) < 2:
        raise place.error("zip takes an object of two lists or more", 'As in {"zip": {"old": …, "new": …}}')
    return Zip({name: read_value(part, place.at(name)) for name, part in value.items()})


def _read_mentions(value: Json, place: Place) -> Expression:
    words = value if isinstance(value, list) else []
    texts = [word for word in words if isinstance(word, str) and re.search(r"\w", word)]
    if not texts or len(texts) < len(words):
        raise place.error("mentions takes a list of words", 'As in ["storm*", "bad weather"]; * stands for any ending')
    return Mentions(re.compile("|".join(_pattern(word) for word in texts), re.IGNORECASE))


def _pattern(phrase: str) -> str:
    words = [re.escape(word.removesuffix("*")) + (r"\w*" if word.endswith("*") else "") for word in phrase.split()]
    return r"(?<!\w)" + r"\s+".join(words) + r"(?!\w)"
