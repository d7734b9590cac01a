"""The self-test's result as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from audit.records.selftest import Alarm, LayerResult, SelfTestResult, Sighting
from audit.reports import numbers
from audit.reports.plain import Plain, dump, fields_of
from audit.reports.visible import plain

FORMAT = "bench-audit/selftest"
FORMAT_VERSION = 1


def render_text(result: SelfTestResult) -> bytes:
    """Return the result for a terminal; the same result gives the same bytes."""
    return "".join(f"{line.rstrip()}\n" for line in _lines(result)).encode("utf-8", errors="backslashreplace")


def render_json(result: SelfTestResult) -> bytes:
    """Return the result as versioned JSON; the same result gives the same bytes."""
    document: dict[str, Plain] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "tool_version": result.tool_version,
        "benchmark": result.benchmark,
        "is_complete": result.is_complete,
        "layers": [
            {**fields_of(layer), "recall": layer.recall, "precision": layer.precision} for layer in result.layers
        ],
        "flaws": [
            {**fields_of(seen.flaw), "found": bool(seen.alarms), "alarms": [fields_of(each) for each in seen.alarms]}
            for seen in result.sightings
        ],
        "false_alarms": [fields_of(alarm) for alarm in result.false_alarms],
        "partner_alarms": [fields_of(alarm) for alarm in result.partner_alarms],
        "kinds_unseen_without_a_judge": list(result.unseen_by_checks),
        "notes": list(result.notes),
    }
    return f"{dump(document)}\n".encode()


def _lines(result: SelfTestResult) -> Iterator[str]:
    n_flawed, n_sound = result.layers[-1].n_flawed, result.layers[-1].n_sound
    yield f"{plain(result.benchmark)}: {n_flawed} tasks with a planted flaw, {n_sound} sound ones"
    yield ""
    width = max(len(_name(layer)) for layer in result.layers)
    yield f"  {'':<{width}}  found     false alarms  recall  precision"
    for layer in result.layers:
        yield _layer_line(layer, width)
    yield ""
    yield "Planted flaws"
    width = max(len(seen.flaw.kind) for seen in result.sightings)
    for seen in result.sightings:
        yield f"  {seen.flaw.kind:<{width}}  {plain(seen.flaw.task_id)}  {_found_by(seen)}"
    yield from _alarm_lines("False alarms: sound tasks that were marked", result.false_alarms)
    yield from _alarm_lines("Marked as the other half of a pair: sound tasks that a flaw copies", result.partner_alarms)
    yield ""
    unseen = ", ".join(result.unseen_by_checks) or "none"
    yield f"Kinds that the free layer saw nothing of: {unseen}"
    yield "The sample has one or two flaws of a kind, so this shows that a rule works, not how often it does."
    for note in result.notes:
        yield f"Note: {plain(note, limit=600)}"


def _name(layer: LayerResult) -> str:
    return f"{layer.name} [{layer.label}]" if layer.label else layer.name


def _layer_line(layer: LayerResult, width: int) -> str:
    found, false = f"{layer.n_found} of {layer.n_flawed}", f"{layer.n_false} of {layer.n_sound}"
    missing = f"  ({numbers.plural(layer.n_missing, 'task')} with missing verdicts)" if layer.n_missing else ""
    recall, precision = numbers.percent(layer.recall, 0), numbers.percent(layer.precision, 0)
    return f"  {_name(layer):<{width}}  {found:<8}  {false:<12}  {recall:>6}  {precision:>9}{missing}"


def _found_by(seen: Sighting) -> str:
    if not seen.alarms:
        return "not found"
    by = dict.fromkeys(alarm.by if alarm.layer == "checks" else f"{alarm.by} (low)" for alarm in seen.alarms)
    return f"found by {', '.join(map(plain, by))}"


def _alarm_lines(title: str, alarms: tuple[Alarm, ...]) -> Iterator[str]:
    if not alarms:
        return
    yield ""
    yield title
    for alarm in alarms:
        yield f"  {plain(alarm.task_id)}  {plain(alarm.by)}: {plain(alarm.what, limit=300)}"
