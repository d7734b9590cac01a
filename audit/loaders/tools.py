"""Tool tables: names, parameters, kinds and callers, from our own format and from those that users have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from audit.errors import LoadError
from audit.loaders.entry import Entry
from audit.loaders.json_file import InputFile, parse_json
from audit.records.task import Json, Origin, Parameter, Tool, ToolKind

_KINDS = {
    "read": ToolKind.READ,
    "write": ToolKind.WRITE,
    "generic": ToolKind.GENERIC,
    "think": ToolKind.GENERIC,
}
_CALLERS = {"agent": "assistant", "assistant": "assistant", "user": "user"}
_SCHEMA_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "object"}
_SHAPES = "Give a list of tools with name, kind, caller and parameters, or a list of function schemas"


_LONGEST_TYPE = 1000
"""Characters of an annotation that is tidied; a longer one is none that anybody wrote."""


def read_tools(file: InputFile) -> tuple[Tool, ...]:
    """Read a tool table.

    Parameters
    ----------
    file
        ``{"tools": [{"name", "kind", "caller", "parameters": [{"name", "type", "required"}]}]}``, or only the list;
        a list of function schemas as chat APIs take them (kinds are then unknown); or
        ``{"agent": {"tools": {name: {"tool_type", "parameters"}}}, "user": …}``.

    Raises
    ------
    LoadError
        If it is none of these, names a tool twice, or has a field of the wrong type.
    """
    tools: dict[tuple[str, str], Tool] = {}
    for entry, name, caller in _entries(parse_json(file), file):
        tool = _read_tool(entry, name, caller)
        if (tool.caller, tool.name) in tools:
            raise entry.error(f"the tool {tool.name!r} is listed twice", mend="Remove one of them")
        tools[tool.caller, tool.name] = tool
    return tuple(tools.values())


def kind_of(tools: Mapping[tuple[str, str], Tool], name: str, *, caller: str) -> ToolKind:
    """Return the kind of the tool that ``caller`` calls ``name``; unknown when the table does not list it."""
    tool = tools.get((caller, name))
    return tool.kind if tool is not None else ToolKind.UNKNOWN


def kind_of_call(
    tools: Mapping[tuple[str, str], Tool], name: str, *, arguments: Mapping[str, Json], caller: str
) -> ToolKind:
    """Return what a call does: the kind of the tool that it carries, where it carries one; else of its own.

    A call carries another if one of its arguments names a listed tool of the same caller, and its tool takes that
    tool's arguments too: as an object, or as a text that holds one.
    """
    own = kind_of(tools, name, caller=caller)
    inner = next((v for v in arguments.values() if isinstance(v, str) and v != name and (caller, v) in tools), None)
    if inner is None:
        return own
    outer = tools.get((caller, name))
    takes_more = outer is not None and len(outer.parameters) > 1
    if not takes_more and not any(_is_object(value) for value in arguments.values()):
        return own
    carried = kind_of(tools, inner, caller=caller)
    return own if carried is ToolKind.UNKNOWN else carried


def _is_object(value: Json) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, str) and value.lstrip().startswith("{"))


def by_caller(tools: Sequence[Tool]) -> dict[tuple[str, str], Tool]:
    """Return the tools by caller and name."""
    return {(tool.caller, tool.name): tool for tool in tools}


def _entries(value: Json, file: InputFile) -> Iterator[tuple[Entry, str | None, str]]:
    """Yield every tool's object, with its name and caller where the table's shape gives them."""
    if isinstance(value, dict) and "tools" in value and isinstance(value["tools"], list):
        yield from _listed(value["tools"], file, "tools")
    elif isinstance(value, list):
        yield from _listed(value, file, "")
    elif isinstance(value, dict) and ("agent" in value or "user" in value):
        root = Entry(value, Origin(file.shown, ""), file.path)
        for side in ("agent", "user"):
            yield from _sided(root, side)
    else:
        raise LoadError("not a tool table", where=str(file.path), mend=_SHAPES)


def _listed(values: Sequence[Json], file: InputFile, parent: str) -> Iterator[tuple[Entry, str | None, str]]:
    for position, value in enumerate(values):
        place = Origin(file.shown, f"{parent}[{position}]")
        if not isinstance(value, dict):
            raise LoadError("a tool must be an object", where=f"{file.path} {place.field}", mend=_SHAPES)
        yield Entry(value, place, file.path), None, "assistant"


def _sided(root: Entry, side: str) -> Iterator[tuple[Entry, str | None, str]]:
    holder = root.entry(side)
    tools = holder.entry("tools") if holder else None
    for name in tools.values if tools else ():
        tool = tools.entry(name) if tools else None
        yield tool or Entry({}, root.origin_of(f"{side}.tools.{name}"), root.path), name, _CALLERS[side]


def _read_tool(entry: Entry, name: str | None, caller: str) -> Tool:
    function = entry.entry("function") or entry
    kind = entry.text("kind") or entry.text("tool_type") or function.text("kind") or entry.text("type") or ""
    owner = entry.text("class") or ""
    said = entry.text("caller") or ("user" if owner.endswith("UserTools") else caller)
    if said not in _CALLERS:
        raise entry.error(f"the caller is {said!r}", field="caller", mend="Write 'assistant' or 'user'")
    return Tool(
        name=name if name is not None else function.need_text("name"),
        kind=_KINDS.get(kind.lower(), ToolKind.UNKNOWN),
        parameters=tuple(_parameters(function)),
        caller=_CALLERS[said],
    )


def _parameters(function: Entry) -> Iterator[Parameter]:
    value = function.values.get("parameters")
    if isinstance(value, dict):
        yield from _schema_parameters(function)
        return
    for entry in function.entries("parameters") or ():
        written = entry.text("type") or "any"
        yield Parameter(entry.need_text("name"), _tidy_type(written), entry.flag("required", default=True))


def _schema_parameters(function: Entry) -> Iterator[Parameter]:
    schema = function.entry("parameters")
    properties = schema.entry("properties") if schema else None
    required = (schema.texts("required") if schema else None) or ()
    for name, value in properties.values.items() if properties else ():
        yield Parameter(name, _schema_type(value), name in required)


def _tidy_type(written: str) -> str:
    """Return a Python annotation as our tables write it.

    Examples
    --------
    >>> _tidy_type("List[str]"), _tidy_type("Optional[int]"), _tidy_type("enum[none | full board]")
    ('list[str]', 'int|null', 'enum[none|full board]')
    """
    if len(written) > _LONGEST_TYPE:
        return written
    text = re.sub(r"\bOptional\[(.+)\]", r"\1|null", written)
    text = re.sub(r"\s*([|\[\],])\s*", r"\1", text).strip()
    return re.sub(r"\b(List|Dict)\b", lambda found: found[0].lower(), text).replace("|None", "|null")


def _schema_type(schema: Json) -> str:
    """Return a JSON Schema's type as our tables write it; ``any`` where it has none."""
    if not isinstance(schema, dict):
        return "any"
    choices = schema.get("enum")
    if isinstance(choices, list):
        return f"enum[{'|'.join(str(choice) for choice in choices)}]"
    either = schema.get("anyOf")
    if isinstance(either, list):
        return "|".join(dict.fromkeys(_schema_type(option) for option in either))
    kind = schema.get("type")
    if isinstance(kind, list):
        return "|".join(str(_SCHEMA_TYPES.get(str(name), str(name))) for name in kind)
    if kind == "array":
        return f"list[{_schema_type(schema.get('items'))}]"
    return _SCHEMA_TYPES.get(str(kind), "any" if kind is None else str(kind))
