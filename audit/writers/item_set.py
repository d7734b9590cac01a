"""A set of policy items as the text of its file: one line an item, so that a change of one is a change of one line."""

from __future__ import annotations

import json

from audit.records.item_set import ItemSet, SetItem, Unread


def render_item_set(stated: ItemSet) -> str:
    """Return the JSON text that :func:`audit.loaders.item_set.read_item_set` reads back as an equal set."""
    head: dict[str, str] = {"policy": stated.policy}
    for name in ("source", "licence_of_document", "document"):
        value = getattr(stated, name)
        if value:
            head[name] = value
    head["document_sha256"] = stated.document_sha256
    lines = [f"  {json.dumps(name)}: {_dump(value)}" for name, value in head.items()]
    lines.append(f'  "items": {_rows([_item(item) for item in stated.items])}')
    if stated.unread:
        lines.append(f'  "unread": {_rows([_unread(run) for run in stated.unread])}')
    if stated.text:
        lines.append(f'  "text": {_dump(stated.text)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _item(item: SetItem) -> dict[str, object]:
    fields: dict[str, object] = {"id": item.id, "title": item.title, "kind": item.kind.value}
    fields |= {"start": item.start, "end": item.end}
    if item.binds is not None:
        fields["binds"] = item.binds.value
    fields["violable"] = item.violable
    if item.proposed_by:
        fields["proposed_by"] = item.proposed_by
    fields["review"] = item.review.value
    return fields


def _unread(run: Unread) -> dict[str, object]:
    return {"start": run.start, "end": run.end, "reason": run.reason}


def _rows(rows: list[dict[str, object]]) -> str:
    if not rows:
        return "[]"
    return "[\n" + ",\n".join(f"    {_dump(row)}" for row in rows) + "\n  ]"


def _dump(value: object) -> str:
    """Return ASCII JSON: a character that a terminal or an editor would obey stays a number."""
    return json.dumps(value, ensure_ascii=True)
