"""One instance as a task: the request and its tools, the plan so far and its last results, and its tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from audit.loaders.entry import Entry, as_json
from audit.plans.instance import Tag, count, read_instance
from audit.plans.nested import read_nested
from audit.records.task import Json, Part, PartKind, Row, Task

PLAN, RESULTS = "plan", "results"
"""Table names of the initial state: the nodes of the plan so far, and the calls that were made last."""


_COUNTS = (("funcall_times_gt", "tool calls"), ("round_gt", "rounds, the response included"))


def read_task(entry: Entry) -> Task:
    """Return the task that a record is; its id stands in ``entry.origin``.

    Raises
    ------
    LoadError
        If there is no request. Anything else that is odd is left as it stands.
    """
    request = entry.need_text("query")
    instance = read_instance(entry.values)
    return Task(
        id=entry.origin.task_id or "",
        description=(
            Part(PartKind.SCENARIO, "The user's request", request, entry.origin_of("query")),
            Part(PartKind.CONTEXT, "The tools, one a line", _lines(entry, "tool_list"), entry.origin_of("tool_list")),
        ),
        behavior=tuple(_behavior(entry, instance.tags)),
        rows=(*_rows(entry, PLAN), *_rows(entry, RESULTS)),
        actions=None,
        tags=tuple(dict.fromkeys(tag.type or tag.text for tag in instance.tags)),
        origin=entry.origin,
        raw=entry.values,
    )


def _lines(entry: Entry, name: str) -> str:
    """Return a list as one JSON value a line; what is no list stays as it is written."""
    value = read_nested(entry.values.get(name)).value
    if isinstance(value, list):
        return "\n".join(as_json(part) for part in value)
    return value if isinstance(value, str) else as_json(value)


def _behavior(entry: Entry, tags: tuple[Tag, ...]) -> Iterator[Part]:
    for number, tag in enumerate(tags, 1):
        label = "Tagged error" if len(tags) == 1 else f"Tagged error {number} of {len(tags)}"
        yield Part(PartKind.ASSERTION, label, name_tag(tag), entry.origin_of(tag.field))
    reason = entry.values.get("error_reason")
    if isinstance(reason, str) and reason.strip():
        yield Part(PartKind.PROSE, "The annotator's reason", reason, entry.origin_of("error_reason"))
    for name, what in _COUNTS:
        gold = count(entry.values.get(name))
        if gold is not None:
            yield Part(PartKind.ASSERTION, f"The reference solution's {what}", str(gold), entry.origin_of(name))


def name_tag(tag: Tag) -> str:
    """Return a tag as it stands, and the type that it names where that has another name.

    Examples
    --------
    >>> name_tag(Tag("tag", "错误串行", "Serial_Error")), name_tag(Tag("tag", "Type_Error", "Type_Error"))
    ('错误串行 (Serial_Error)', 'Type_Error')
    """
    return tag.text if tag.type in (None, tag.text) else f"{tag.text} ({tag.type})"


def _rows(entry: Entry, table: str) -> Iterator[Row]:
    field = "plan" if table == PLAN else "fun_call"
    value = read_nested(entry.values.get(field)).value
    inner = value.get("tasks") if isinstance(value, dict) and table == PLAN else value
    place = f"{field}.tasks" if inner is not value else field
    if not isinstance(inner, list):
        if inner is not None or value is not None:
            yield Row(table, "as it is written", value, entry.origin_of(field))
        return
    used: Counter[str] = Counter()
    for position, part in enumerate(inner):
        key = _key(part, position, table)
        used[key] += 1
        shown = key if used[key] == 1 else f"{key} ({used[key]})"
        yield Row(table, shown, part, entry.origin_of(f"{place}[{position}]"))


def _key(part: Json, position: int, table: str) -> str:
    name = part.get("id" if table == PLAN else "name") if isinstance(part, dict) else None
    is_name = isinstance(name, str | int) and not isinstance(name, bool) and str(name).strip()
    if table == PLAN:
        return str(name)[:80] if is_name else f"node {position + 1}"
    return f"{position + 1} {str(name)[:80]}" if is_name else f"{position + 1}"
