"""The arguments of a planned call against the schema of its tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from audit.plans.instance import Instance, Node, PlanTool
from audit.plans.references import References, ValueKind
from audit.records.task import Json

_DATE = re.compile(r"(?<!\d)(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?!\d)")


class FaultKind(StrEnum):
    """What is wrong with a call."""

    UNKNOWN_TOOL = "unknown tool"
    UNKNOWN_PARAMETER = "unknown parameter"
    MISSING = "required parameter missing"
    POSITIONAL = "values without names"
    TYPE = "wrong type"
    REFERENCE = "reference where the schema wants another type"
    TEXT_REFERENCE = "reference in a text parameter"
    INVALID = "invalid value"
    CLASH = "objects that disagree"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with one call; ``parameter`` is a path inside the arguments, or empty."""

    kind: FaultKind
    node: Node
    parameter: str
    what: str
    value: Json = None

    @property
    def field(self) -> str:
        """The place in the record."""
        return f"{self.node.field}.{'name' if self.kind is FaultKind.UNKNOWN_TOOL else 'para'}"


def find_faults(instance: Instance, references: References) -> tuple[Fault, ...]:
    """Return what is wrong with the calls of a plan, in the plan's order; nodes without a name are no calls.

    Texts that stand for a later result are told apart from wrong types.
    """
    return tuple(
        fault
        for node in instance.calls
        if node.name and instance.tools
        for fault in _of_node(node, instance.tools.get(node.name), references)
    )


def _of_node(node: Node, tool: PlanTool | None, references: References) -> Iterator[Fault]:
    if tool is None:
        yield Fault(FaultKind.UNKNOWN_TOOL, node, "", f"{node.id} calls {node.name!r}, which is not in the list")
        return
    given = node.arguments
    if given.clashes:
        names = ", ".join(given.clashes)
        yield Fault(FaultKind.CLASH, node, given.clashes[0], f"{node.id} gives several values for {names}", given.raw)
        return
    if given.positional:
        yield Fault(FaultKind.POSITIONAL, node, "", f"{node.id} gives values without names", given.raw)
        return
    for name, value in given.named.items():
        if name in tool.parameters:
            yield from _of_value(node, name, value, schema=tool.parameters[name], references=references)
        else:
            yield Fault(FaultKind.UNKNOWN_PARAMETER, node, name, f"{node.id} gives {name!r}, which is unknown", value)
    for name in tool.required or ():
        if name not in given.named:
            yield Fault(FaultKind.MISSING, node, name, f"{node.id} leaves out {name!r}, which is required")


def _of_value(  # the parts of one value's place
    node: Node, name: str, value: Json, *, schema: Json, references: References
) -> Iterator[Fault]:
    wanted = schema.get("type") if isinstance(schema, Mapping) else None
    reading = references.read(value)
    fits = fits_type(value, wanted)
    if reading.kind is not ValueKind.LITERAL:
        kind = FaultKind.TEXT_REFERENCE if fits else FaultKind.REFERENCE
        yield Fault(kind, node, name, f"{node.id} gives a text for a later result as {name!r}", value)
    elif not fits:
        yield Fault(FaultKind.TYPE, node, name, f"{node.id} gives {_named(value)} as {name!r}, not {wanted}", value)
    elif reason := _invalid(value, schema):
        yield Fault(FaultKind.INVALID, node, name, f"{node.id} gives {name!r} {reason}", value)
    elif isinstance(schema, Mapping):
        yield from _of_inner(node, name, value, schema=schema, references=references)


def _of_inner(
    node: Node, name: str, value: Json, *, schema: Mapping[str, Json], references: References
) -> Iterator[Fault]:
    inner, items, required = schema.get("properties"), schema.get("items"), schema.get("required")
    if isinstance(value, Mapping) and isinstance(required, list):
        for key in required:
            if isinstance(key, str) and key not in value:
                yield Fault(FaultKind.MISSING, node, f"{name}.{key}", f"{node.id} leaves out {name}.{key}")
    if isinstance(value, Mapping) and isinstance(inner, Mapping):
        for key in (key for key in value if key in inner):
            yield from _of_value(node, f"{name}.{key}", value[key], schema=inner[key], references=references)
    if isinstance(value, list) and isinstance(items, Mapping):
        for position, part in enumerate(value):
            yield from _of_value(node, f"{name}[{position}]", part, schema=items, references=references)


def fits_type(value: Json, wanted: Json) -> bool:
    """Return whether a value has a schema's type; unknown types fit, and ``enum`` is no type.

    Examples
    --------
    >>> fits_type(3, "number"), fits_type(True, "number"), fits_type("3", "number"), fits_type(3, "roman")
    (True, False, False, True)
    """
    if isinstance(wanted, list):
        return any(fits_type(value, one) for one in wanted)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    known: dict[Json, bool] = {
        "string": isinstance(value, str),
        "number": is_number,
        "integer": is_number and value == int(value) if isinstance(value, int | float) else False,
        "array": isinstance(value, Sequence) and not isinstance(value, str),
        "object": isinstance(value, Mapping),
        "boolean": isinstance(value, bool),
        "null": value is None,
    }
    return known[wanted] if isinstance(wanted, str) and wanted in known else True


def _named(value: Json) -> str:
    names = {str: "a text", bool: "a truth value", dict: "an object", list: "a list", type(None): "null"}
    return names.get(type(value), "a number")


def _invalid(value: Json, schema: Json) -> str:
    """Return why a value of the right type can't be meant, or an empty text."""
    if value in ("", []) and not isinstance(value, bool):
        return "an empty value"
    choices = schema.get("enum") if isinstance(schema, Mapping) else None
    if isinstance(choices, list) and choices and value not in choices:
        return "a value that is not among its choices"
    if isinstance(value, str) and any(not _is_day(*match.group(1, 3, 4)) for match in _DATE.finditer(value)):
        return "a day that no calendar has"
    return ""


def _is_day(year: str, month: str, day: str) -> bool:
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return False
    return True
