"""Policy rules' expressions → true, false or not known, at one gold call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from audit.checks.policy_rules_values import (
    TESTS,
    UNKNOWN,
    WORK,
    Truth,
    Unknown,
    Value,
    add,
    entries,
    loop_entries,
    present,
)
from audit.environments.protocol import State
from audit.records.policy_rule import Choice, Each, Expression, Literal, Mentions, Operation, Path, Zip

MAX_STEPS = 200_000
"""Expressions that one rule may work out at one call; beyond that it can't be told."""
_EVERY_ENTRY = "[]"


class _TooLongError(Exception):
    """Nested loops over long lists."""


@dataclass
class _Steps:
    left: int = MAX_STEPS


@dataclass(frozen=True, slots=True)
class Scene:
    """What an expression is worked out in.

    Parameters
    ----------
    state
        The database just before the call.
    names
        Values by name.
    text
        What the user is told; ``None`` to leave open what it mentions.
    """

    state: State = field(repr=False)
    names: Mapping[str, Value]
    text: str | None = None
    steps: _Steps = field(default_factory=_Steps)

    def knowing(self, name: str, value: Value) -> Scene:
        """Return the scene with one more name."""
        return Scene(self.state, {**self.names, name: value}, self.text, self.steps)

    def afresh(self) -> Scene:
        """Return the scene with all steps left."""
        return Scene(self.state, self.names, self.text)


def decide(condition: Expression, scene: Scene) -> Truth:
    """Return whether a condition holds; ``None`` where the scene does not tell."""
    try:
        return _test(condition, scene.afresh())
    except _TooLongError:
        return None


def work_out(expression: Expression, scene: Scene) -> Value:
    """Return a value; :data:`UNKNOWN` where the scene does not tell."""
    try:
        return _value(expression, scene.afresh())
    except _TooLongError:
        return UNKNOWN


def _count_step(scene: Scene) -> None:
    scene.steps.left -= 1
    if scene.steps.left < 0:
        raise _TooLongError


def _test(condition: Expression, scene: Scene) -> Truth:
    _count_step(scene)
    if isinstance(condition, Mentions):
        return None if scene.text is None else condition.words.search(scene.text) is not None
    if isinstance(condition, Each):
        return _loop_test(condition, scene)
    if not isinstance(condition, Operation):
        raise ValueError(f"{condition!r} is no condition")  # the loader lets none through
    if condition.name == "all":
        return _all(_test(part, scene) for part in condition.parts)
    if condition.name == "any":
        return _not(_all(_not(_test(part, scene)) for part in condition.parts))
    if condition.name == "not":
        return _not(_test(condition.parts[0], scene))
    values = [_value(part, scene) for part in condition.parts]
    return present(values[0]) if condition.name == "present" else TESTS[condition.name](*values)


def _all(truths: Iterator[Truth]) -> Truth:
    """Return false if one is false, true if all are true, and else ``None``."""
    is_open = False
    for truth in truths:
        if truth is False:
            return False
        is_open = is_open or truth is None
    return None if is_open else True


def _not(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _loop_test(loop: Each, scene: Scene) -> Truth:
    found = loop_entries(_value(loop.source, scene))
    if found is None or loop.body is None:
        return None
    is_every = loop.name == "every"
    truths = (_entry_test(loop, loop.body, scene.knowing(loop.entry, entry)) for entry in found)
    return _all(truths) if is_every else _not(_all(_not(truth) for truth in truths))


def _entry_test(loop: Each, body: Expression, scene: Scene) -> Truth:
    """Return what an entry adds: one that is left out changes nothing, so it is true of every and false of some."""
    is_every = loop.name == "every"
    kept = True if loop.where is None else _test(loop.where, scene)
    if kept is False:
        return is_every
    truth = _test(body, scene)
    return None if kept is None and truth is not is_every else truth


def _value(expression: Expression, scene: Scene) -> Value:
    _count_step(scene)
    match expression:
        case Literal():
            return expression.value
        case Path():
            return _follow(scene.names[expression.name], expression.steps)
        case Operation():
            return _operate(expression, [_value(part, scene) for part in expression.parts], scene)
        case _:
            return _composed(expression, scene)


def _operate(operation: Operation, values: list[Value], scene: Scene) -> Value:
    if operation.name not in ("row", "rows"):
        return WORK[operation.name](values)
    table = values[0]
    if not isinstance(table, str) or table not in scene.state:
        return UNKNOWN
    rows = scene.state[table]
    if operation.name == "rows":
        return list(rows.values())
    return rows.get(values[1], UNKNOWN) if isinstance(values[1], str) else UNKNOWN


def _composed(expression: Choice | Zip | Each | Mentions, scene: Scene) -> Value:
    match expression:
        case Choice():
            return _chosen(expression, _value(expression.by, scene), scene)
        case Zip():
            return _zip({name: _value(part, scene) for name, part in expression.parts.items()})
        case Each():
            return _loop_value(expression, scene)
        case Mentions():
            raise ValueError("a condition is no value")  # the loader lets none through


def _chosen(choice: Choice, by: Value, scene: Scene) -> Value:
    return _value(choice.cases[by], scene) if isinstance(by, str) and by in choice.cases else UNKNOWN


def _follow(value: Value, steps: tuple[str, ...]) -> Value:
    for position, step in enumerate(steps):
        if step != _EVERY_ENTRY:
            value = value[step] if isinstance(value, dict | Mapping) and step in value else UNKNOWN
            continue
        found = entries(value)
        if found is None:
            return UNKNOWN
        return _flatten([_follow(entry, steps[position + 1 :]) for entry in found], steps[position + 1 :])
    return value


def _flatten(parts: list[Value], steps: tuple[str, ...]) -> Value:
    """Return the parts as one list; where the rest of the path holds a list step too, their own parts."""
    if _EVERY_ENTRY in steps:
        lists = [entries(part) for part in parts]
        return UNKNOWN if None in lists else [part for found in lists if found is not None for part in found]
    return WORK[_EVERY_ENTRY](parts)


def _zip(lists: Mapping[str, Value]) -> Value:
    found = [entries(part) for part in lists.values()]
    parts = [part for part in found if part is not None]
    if len(parts) < len(found) or len({len(part) for part in parts}) > 1:
        return UNKNOWN
    return [dict(zip(lists, entry, strict=True)) for entry in zip(*parts, strict=True)]


def _loop_value(loop: Each, scene: Scene) -> Value:
    found = loop_entries(_value(loop.source, scene))
    if found is None:
        return UNKNOWN
    kept: list[Value] = []
    for entry in found:
        inner = scene.knowing(loop.entry, entry)
        is_kept = True if loop.where is None else _test(loop.where, inner)
        if is_kept is None:
            return UNKNOWN
        if is_kept:
            kept.append(entry if loop.body is None else _value(loop.body, inner))
    return _gather(loop.name, kept)


def _gather(name: str, values: list[Value]) -> Value:
    if name == "count":
        return len(values)
    return add(values) if name == "sum" else WORK[_EVERY_ENTRY](values)


def as_names(names: Mapping[str, Expression], scene: Scene) -> Scene:
    """Return the scene with the values of a rule's own names, each worked out with those before it."""
    for name, expression in names.items():
        scene = scene.knowing(name, work_out(expression, scene))
    return scene


def unknown_names(names: Mapping[str, Expression], scene: Scene) -> list[str]:
    """Return which of a rule's own names have no value."""
    return [name for name in names if isinstance(scene.names[name], Unknown)]
