"""What an agent must say, against what the script, the rows and arithmetic give."""

from __future__ import annotations

import ast
import json
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

from audit.checks.layout import criterion, criterion_place
from audit.checks.numbers import amounts_in, dates_in, number_of
from audit.checks.protocol import Check, Subject
from audit.checks.raw import leaves, objects, show, texts
from audit.checks.world import World, world_of
from audit.databases.tables import Ref
from audit.environments.replay import Replay
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.same import Same
from audit.records.task import Json, Task

NOT_DERIVED = Rule(
    "communicate-not-derived",
    "The agent must say something that follows from nothing we can see",
    Severity.WARNING,
    Certainty.LIKELY,
    "A string of communicate_info is neither in the user's script, nor in the rows that the task and its gold actions "
    "reach, nor a result of the gold calls, nor a sum, difference or product of a few amounts there. Either the "
    "expected answer is wrong, or it follows by longer reasoning than this rule knows, such as the sum of many "
    "prices. A person should check the value.",
    "Recompute the value, and correct it or keep it.",
)
_TOLERANCE = 0.005
_MAX_AMOUNTS = 160
"""Amounts beyond which sums of three are not tried: any value would come out."""
_MAX_FACTOR = 12
_COUNT = 100
_MAX_DAYS = 400
_MAX_AMOUNT = 1e12
_OPERATORS: Mapping[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


@dataclass(frozen=True)
class _Sources:
    """What a task's agent can see: the script, rows and results, as text and as values."""

    task: Task
    values: Sequence[Json]
    changes: Sequence[float]
    """By how much the gold actions change a field, over all rows together."""
    policy: str

    @cached_property
    def text(self) -> str:
        dumped = json.dumps(list(self.values), ensure_ascii=False, default=str)
        return f"{self.task.description_text}\n{dumped}".lower()

    @cached_property
    def amounts(self) -> list[float]:
        found = amounts_in(self.task.description_text)
        for leaf in (leaf for value in self.values for leaf in leaves(value)):
            number = number_of(leaf.value)
            found += [number] if number is not None else []
            found += amounts_in(leaf.value) if isinstance(leaf.value, str) else []
        return sorted({abs(number) for number in found if abs(number) <= _MAX_AMOUNT})

    @cached_property
    def totals(self) -> set[float]:
        """Counts of lists and objects, and sums of one field over each list or object of objects."""
        found = set(self.changes)
        for _, node in (pair for value in self.values for pair in objects({"": value})):
            for part in node.values():
                rows = list(part.values()) if isinstance(part, Mapping) else part if isinstance(part, list) else []
                found |= {float(len(rows)), *_sums(rows)}
        return found


def _sums(rows: Sequence[Json]) -> Iterator[float]:
    fields: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items() if isinstance(row, Mapping) else ():
            number = number_of(value)
            if number is not None:
                fields.setdefault(name, []).append(number)
    yield from (sum(values) for values in fields.values())
    for row in rows:  # how many entries say yes to the same thing, such as what is available
        if isinstance(row, Mapping):
            flags = [name for name, value in row.items() if isinstance(value, bool)]
            yield from (float(sum(1 for r in rows if isinstance(r, Mapping) and r.get(name) is True)) for name in flags)
            break


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the strings to communicate that do not follow from what the agent can see."""
    world = world_of(subject)
    for task in subject.benchmark.tasks:
        wanted = texts(criterion(task, "communicate_info"))
        if not wanted or not task.rows:
            continue
        run = world.replay(task)
        changes = list(_changes(run)) if run else []
        sources = _Sources(task, list(_values(world, task, run)), changes, subject.benchmark.policy_of(task).text)
        for position, value in enumerate(wanted):
            if not _follows(value, sources) and not _is_stored(value, world):
                yield report(
                    NOT_DERIVED,
                    f"The agent must say {show(value)!r}, which follows from no script, row, result or short sum.",
                    origin=criterion_place(task, "communicate_info", position=position),
                    subject=show(value),
                    evidence=(("value", show(value)),),
                )


def _values(world: World, task: Task, run: Replay | None) -> Iterator[Json]:
    """Yield the rows that the task and its gold actions reach, whole, and what the gold calls take and return."""
    yield from (row.value for row in task.rows)
    named = {row.key for row in task.rows}
    for call in world.calls[task.id]:
        yield dict(call.arguments)
        result = _calculated(call.arguments.get("expression"))
        yield [] if result is None else [result]
        named |= {leaf.value for leaf in leaves(dict(call.arguments)) if isinstance(leaf.value, str)}
    refs = {ref for value in sorted(named) for ref in world.spaces.rows_of(value)}
    yield from (world.index.rows[ref] for ref in sorted(refs))
    for outcome in run.outcomes if run else ():
        yield outcome.result
        yield from (outcome.state[table][key] for table, key in outcome.changed if key in outcome.state[table])


def _changes(run: Replay) -> Iterator[float]:
    refs = {ref for outcome in run.outcomes for ref in outcome.changed}
    before, after = (
        _totals(state[table][key] for table, key in refs if table in state and key in state[table])
        for state in (run.initial, run.final)
    )
    yield from (abs(after.get(name, 0.0) - before.get(name, 0.0)) for name in {*before, *after})


def _totals(rows: Iterable[Json]) -> dict[str, float]:
    found: dict[str, float] = {}
    for leaf in (leaf for row in rows for leaf in leaves(row)):
        number = number_of(leaf.value)
        if number is not None:
            field = re.sub(r"\[\d+\]", "", leaf.path)
            found[field] = found[field] + number if field in found else number
    return found


def _is_stored(value: str, world: World) -> bool:
    """Return whether any row of the database holds the number, so that a search can bring it up."""
    number = _as_number(value.strip())
    if number is None or (number <= _COUNT and number.is_integer()):
        return False
    return number in _stored_numbers(Same(world.index.rows))


@lru_cache(maxsize=2)
def _stored_numbers(held: Same[Mapping[Ref, Json]]) -> frozenset[float]:
    numbers = (number_of(leaf.value) for row in held.value.values() for leaf in leaves(row))
    return frozenset(number for number in numbers if number is not None)


def _calculated(expression: Json) -> float | None:
    """Return the value of an expression of numbers and + - * /; ``None`` for anything else."""
    if not isinstance(expression, str) or len(expression) > 500:
        return None
    try:
        return _evaluate(ast.parse(expression.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None


def _evaluate(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return -_evaluate(node.operand) if isinstance(node.op, ast.USub) else _evaluate(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_evaluate(node.left), _evaluate(node.right))
    raise ValueError("not arithmetic")


def _follows(value: str, sources: _Sources) -> bool:
    low = value.lower().strip()
    if not low or low in sources.text:
        return True
    days = [day for _, day in dates_in(value) if day is not None]
    if days:
        known = [day for _, day in dates_in(f"{sources.text}\n{sources.policy}") if day is not None]
        spans = {number for number in sources.amounts if number <= _MAX_DAYS}
        return all(any((day - other).days in spans for other in known) for day in days)
    number = _as_number(low)
    if number is not None:
        return (number <= _COUNT and number in sources.totals) or _is_reached(number, sources)
    words = [word for word in re.findall(r"[^\W_]+", low) if len(word) > 2]
    return all(word in sources.text for word in words)


def _as_number(text: str) -> float | None:
    match = re.fullmatch(r"[$€£]?\s*(-?\d[\d,]*(?:\.\d+)?)\s*%?", text)
    number = abs(float(match[1].replace(",", ""))) if match else None
    return number if number is not None and number <= _MAX_AMOUNT else None


def _is_reached(target: float, sources: _Sources) -> bool:
    """Return whether one amount, a sum or difference of two or three, or a small multiple is the target."""
    amounts = sources.amounts
    sums = sorted(sources.totals | set(amounts))
    if _has(target, sums) or any(_has(target / factor, amounts) for factor in range(2, _MAX_FACTOR)):
        return True
    if any(_has(abs(target - amount), sums) or _has(target + amount, sums) for amount in amounts):
        return True
    small = [amount for amount in amounts if amount >= 1][:_MAX_AMOUNTS]
    known = set(map(_cents, small))
    return any(
        _cents(abs(target - first * sign - second)) in known
        for first, second in combinations(small, 2)
        for sign in (1, -1)
    )


def _cents(amount: float) -> int:
    return round(amount * 100)


def _has(target: float, amounts: Iterable[float]) -> bool:
    return any(abs(target - amount) < _TOLERANCE for amount in amounts)


CHECK = Check("derivability", (NOT_DERIVED,), inspect)
