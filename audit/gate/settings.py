"""The gate's table of a settings file → what it demands, and what it waives."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from audit.errors import UsageError
from audit.gate.certificates import KEY, read_demand
from audit.gate.nearest import nearest
from audit.gate.waiver_settings import read_waivers
from audit.records.finding import Severity
from audit.records.gate import WHOLE, Demand, GateSettings, Kind, Side, Subset, Threshold

Scale = tuple[float, float | None]

GROUPS = (Kind.SEVERITY, Kind.RULE, Kind.METRIC)
SUBSETS = ("split", "tag")

_COUNT_KEYS = ("warn_above", "fail_above")
_METRIC_KEYS = ("warn_below", "fail_below", "warn_above", "fail_above", "judge")
_EXAMPLE = "Add one, such as [gate.severity.error] with fail_above = 0"


@dataclass(frozen=True, slots=True)
class Known:
    """What thresholds and waivers may be about.

    Parameters
    ----------
    rules
        Ids.
    scales
        Metric to its least and greatest value.
    """

    rules: Collection[str]
    scales: Mapping[str, Scale]


def read_settings(table: Mapping[str, object], known: Known, *, where: str) -> GateSettings:
    """Read and check the gate's table.

    Parameters
    ----------
    table
        As the file's parser gave it, flags left out.
    where
        The file, for messages.

    Raises
    ------
    UsageError
        If it demands nothing, or a key, name, type or number is wrong; the message names the place.
    """
    demands = [
        *_read_groups(table, known, subset=WHOLE, path=f"{where}: [gate."),
        *_read_subsets(table.get("subset", ()), known, where=where),
    ]
    waivers = read_waivers(table["waiver"], known.rules, where=where) if "waiver" in table else ()
    certificate = read_demand(table[KEY], where=where) if KEY in table else None
    if not demands and certificate is None:
        raise UsageError("the gate has no thresholds and would let everything through", where=where, mend=_EXAMPLE)
    return GateSettings(tuple(demands), waivers, where, certificate)


def _read_subsets(value: object, known: Known, *, where: str) -> Iterator[Demand]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise UsageError("is not a list of tables", where=f"{where}: [gate.subset]", mend="Write [[gate.subset]]")
    for number, table in enumerate(value, 1):
        path = f"{where}: [[gate.subset]] {number}"
        if not isinstance(table, Mapping):
            raise UsageError("is not a table", where=path, mend="Write it under [[gate.subset]]")
        _check_keys(table, [*SUBSETS, *(group.value for group in GROUPS)], path=path)
        named = [kind for kind in SUBSETS if kind in table]
        if len(named) != 1:
            raise UsageError("does not say which tasks it is about", where=path, mend="Give it one split or one tag")
        name = table[named[0]]
        if not isinstance(name, str):
            raise UsageError(f"{named[0]} is not a text", where=path, mend=f'Write {named[0]} = "NAME"')
        demands = list(_read_groups(table, known, subset=Subset(named[0], name), path=f"{path} ["))
        if not demands:
            raise UsageError("has no thresholds", where=path, mend="Add one, such as severity.error.fail_above = 0")
        yield from demands


def _read_groups(table: Mapping[str, object], known: Known, *, subset: Subset, path: str) -> Iterator[Demand]:
    names: dict[Kind, Collection[str]] = {
        Kind.SEVERITY: [severity.value for severity in Severity],
        Kind.RULE: known.rules,
        Kind.METRIC: known.scales,
    }
    for kind in GROUPS:
        for name, keys in _tables(table, kind, path=path):
            place = f"{path}{kind}.{name}]"
            if name not in names[kind]:
                raise UsageError(f"no {kind} '{name}'", where=place, mend=nearest(name, names[kind]))
            _check_keys(keys, _METRIC_KEYS if kind is Kind.METRIC else _COUNT_KEYS, path=place)
            scale = known.scales[name] if kind is Kind.METRIC else (0, None)
            threshold = _read_threshold(keys, scale, is_count=kind is not Kind.METRIC, path=place)
            yield Demand(kind, name, threshold, subset, judge=_read_judge(keys, path=place), where=place)


def _tables(table: Mapping[str, object], name: str, *, path: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    inner = table.get(name, {})
    if not isinstance(inner, Mapping):
        mend = f"Give it one table a {name}, such as {name}.NAME.fail_above = 0"
        raise UsageError("is not a table", where=f"{path}{name}]", mend=mend)
    for key, value in inner.items():
        if not isinstance(value, Mapping):
            place = f"{path}{name}.{key}]"
            raise UsageError("is not a table", where=place, mend=f"Write {key} = {{ fail_above = 0 }}, or the like")
        yield key, value


def _check_keys(table: Mapping[str, object], known: Collection[str], *, path: str) -> None:
    for key in table:
        if key not in known:
            raise UsageError(f"unknown setting '{key}'", where=path, mend=nearest(key, known))


def _read_judge(table: Mapping[str, object], *, path: str) -> str:
    judge = table.get("judge", "")
    if not isinstance(judge, str):
        raise UsageError("judge is not a text", where=path, mend="Name a judge as --judge does, or 'each'")
    return judge


def _read_threshold(table: Mapping[str, object], scale: Scale, *, is_count: bool, path: str) -> Threshold:
    limits = {key: _read_limit(table[key], key, scale, is_count=is_count, path=path) for key in table if key != "judge"}
    sides = {Side(key.partition("_")[2]) for key in limits}
    if not sides:
        raise UsageError("has no threshold", where=path, mend="Add fail_above, fail_below or the like")
    if len(sides) > 1:
        mend = "Keep either those that end in _above or those that end in _below"
        raise UsageError("has thresholds on both sides", where=path, mend=mend)
    (side,) = sides
    warn, fail = limits.get(f"warn_{side}"), limits.get(f"fail_{side}")
    if warn is not None and fail is not None and (warn < fail if side is Side.BELOW else warn > fail):
        raise UsageError(f"warn_{side} lies beyond fail_{side} and would never show", where=path, mend="Swap the two")
    return Threshold(side, warn, fail)


def _read_limit(value: object, key: str, scale: Scale, *, is_count: bool, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int if is_count else int | float):
        wanted = "a whole number" if is_count else "a number"
        raise UsageError(f"{key} is {value!r}, which is not {wanted}", where=path, mend="Correct it")
    low, high = scale
    if not math.isfinite(value) or not low <= value or (high is not None and not value <= high):
        upper = "and up" if high is None else f"to {high:g}"
        raise UsageError(f"{key} is {value:g}, outside of {low:g} {upper}", where=path, mend="Correct it")
    return float(value)
