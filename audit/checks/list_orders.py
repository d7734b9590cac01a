"""Gold writes whose target hangs on the order in which they list things."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, permutations
from typing import Any, Final

from audit.checks.raw import inside, leaves, show
from audit.environments.protocol import Environment, State
from audit.environments.replay import Replay, run_calls
from audit.environments.view import differences, write_row
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Action, Json

ORDER = Rule(
    "order-sensitive-gold",
    "The target depends on the order in which a gold action lists things",
    Severity.WARNING,
    Certainty.PROVED,
    "The same call with its lists in another order leaves another state, though a user would not tell the two apart. "
    "An agent that lists them differently does the task and is marked wrong. Where the states hold the same values "
    "and only a stored list is ordered differently, this is a note; lists that run by date are left out.",
    "Tell the user's order in the text, compare such lists without order, or split the task.",
)
_ALL_ORDERS: Final = 4
_MAX_ORDERS: Final = 12


def write_action(action: Action) -> str:
    """Return a call as text: the tool and its arguments as JSON with sorted keys."""
    return f"{action.name} {json.dumps(action.arguments, sort_keys=True, ensure_ascii=False)}"


def inspect_orders(environment: Environment, run: Replay, *, position: int) -> Iterator[Finding]:
    """Yield the groups of lists in one gold write whose order changes the target."""
    action = run.outcomes[position].action
    rest = [outcome.action for outcome in run.outcomes[position + 1 :]]
    for names in _list_groups(action.arguments):
        finals: dict[str, State] = {}
        for arguments in _permuted(action.arguments, names):
            calls = [replace(action, arguments=arguments), *rest]
            final = run_calls(environment, calls, state=run.state_before(position))[-1].state
            clash = _write_clash(run.final, final)
            if clash:
                finals.setdefault(clash, final)
        if finals:
            yield _order_finding(run, action, names=names, finals=list(finals.values()))


def _list_groups(arguments: Mapping[str, Json]) -> list[tuple[str, ...]]:
    """Return the lists that can be reordered: lists of plain values of one length together, for they go in pairs."""
    groups: dict[object, list[str]] = {}
    for name, value in arguments.items():
        if isinstance(value, list) and len(value) > 1 and not _runs_by_date(value):
            is_plain = not any(isinstance(part, Mapping | list) for part in value)
            groups.setdefault(len(value) if is_plain else name, []).append(name)
    return [tuple(names) for names in groups.values()]


def _runs_by_date(values: list[Json]) -> bool:
    dates = [value["date"] for value in values if isinstance(value, Mapping) and isinstance(value.get("date"), str)]
    return len(dates) == len(values) and dates == sorted(dates, key=str)


def _permuted(arguments: Mapping[str, Json], names: tuple[str, ...]) -> Iterator[Mapping[str, Json]]:
    """Yield the arguments with the named lists in other orders, the same for all; a bounded number of them."""
    lists: dict[str, Any] = {name: arguments[name] for name in names}
    n = len(lists[names[0]])
    for order in _some_orders(n):
        other = {name: [values[at] for at in order] for name, values in lists.items()}
        if other != lists:
            yield {**arguments, **other}


def _some_orders(n: int) -> Iterator[tuple[int, ...]]:
    """Yield every order of up to four things; of more, each with another thing last, first forwards, then backwards."""
    if n <= _ALL_ORDERS:
        yield from permutations(range(n))
        return
    for last in range(min(n, _MAX_ORDERS)):
        others = [at for at in range(n) if at != last]
        yield (*others, last)
        yield (*reversed(others), last)


def _write_clash(one: State, other: State) -> str:
    """Return a text that is the same for equal states, empty where both are equal."""
    rows = sorted(differences(one, other))
    return "\n".join(f"{table} {key} {write_row(other.get(table, {}).get(key))}" for table, key in rows)


def _order_finding(run: Replay, action: Action, *, names: tuple[str, ...], finals: list[State]) -> Finding:
    deep = [final for final in finals if _differs_in_values(run.final, final)]
    listed = " and ".join(names)
    first = action.arguments[names[0]]
    bound = "at least " if isinstance(first, list) and len(first) > _ALL_ORDERS else ""
    finding = report(
        ORDER,
        f"{action.name} leaves {bound}{len(finals) + 1} different states, by the order of {listed}.",
        origin=inside(action.origin, f"arguments.{names[0]}"),
        subject=f"{write_action(action)} {listed}",
        evidence=(("call", show(write_action(action))), *_clash(run.final, (deep or finals)[0])),
    )
    return finding if deep else replace(finding, severity=Severity.NOTE)


def _differs_in_values(one: State, other: State) -> bool:
    """Return whether two states differ in more than the order of stored lists."""
    pairs = [(one.get(table, {}).get(key), other.get(table, {}).get(key)) for table, key in differences(one, other)]
    return any(write_row(_sorted(left)) != write_row(_sorted(right)) for left, right in pairs)


def _sorted(value: Json) -> Json:
    if isinstance(value, Mapping):
        return {key: _sorted(part) for key, part in value.items()}
    if isinstance(value, list):
        return sorted((_sorted(part) for part in value), key=lambda part: json.dumps(part, sort_keys=True))
    return value


def _clash(one: State, other: State) -> Iterator[tuple[str, str]]:
    """Yield the first values that differ between two states."""
    for table, key in islice(differences(one, other), 1):
        left, right = (
            {leaf.path: leaf.value for leaf in leaves(state.get(table, {}).get(key))} for state in (one, other)
        )
        paths = [path for path in {**left, **right} if left.get(path) != right.get(path)]
        for path in paths[:2]:
            yield f"{table} {key} {path}", f"{show(left.get(path))} or {show(right.get(path))}"
