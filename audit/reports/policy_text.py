"""A policy document with its items marked: for reading, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from audit.records.policy import ItemKind, Policy, PolicyItem
from audit.reports import numbers, visible
from audit.reports.plain import Plain, dump

FORMAT_VERSION = 1
"""Of the JSON form; rises when a field changes its meaning or goes."""

OPEN, CLOSE = "⟦", "⟧"
_MARKS = re.compile(f"[{OPEN}{CLOSE}]")
_FORMULA = re.compile(r"\s*[=+\-@|%＝＋－＠]|[\t\r\n]")
_RESET = "\x1b[0m"
_COLOR_BY_KIND = {
    ItemKind.PERMISSION: "\x1b[32m",
    ItemKind.PROHIBITION: "\x1b[31m",
    ItemKind.OBLIGATION: "\x1b[36m",
    ItemKind.LIMIT: "\x1b[33m",
    ItemKind.PROCEDURE: "\x1b[35m",
}


def render_items(policy: Policy, *, color: bool) -> str:
    """Return a table of the items, then the document with every item between marks that start with its id.

    Parameters
    ----------
    policy
        With its items in document order; without items the reason stands in the table's place.
    color
        Whether to add terminal colors, one a kind.

    Returns
    -------
    str
        Ends with a line break. Steering characters of the document and of the titles are written out, and so
        are marks that the document itself holds.
    """
    head = f"{visible.plain(policy.name)}: {numbers.plural(len(policy.items), 'policy item')}"
    source = f"Document: {visible.plain(', '.join(policy.files))}\n" if policy.files else ""
    digest = f"SHA-256 of its normalised text: {policy.sha256}\n"
    note = f"Note: {visible.line(policy.items_note, limit=1000)}\n" if policy.items_note else ""
    return f"{head}\n{source}{digest}{note}\n{_table(policy, color)}\n\n{_annotated(policy, color)}\n"


def items_json(policy: Policy) -> str:
    """Return the items as versioned JSON text, each with its span, its lines and the words that it marks."""
    items: list[Plain] = [_item_fields(policy, item) for item in policy.items]
    return dump(
        {
            "format": "bench-audit policy items",
            "format_version": FORMAT_VERSION,
            "policy": policy.name,
            "document": policy.file,
            "document_sha256": policy.sha256,
            "n_items": len(items),
            "no_items_reason": policy.no_items_reason,
            "items_note": policy.items_note,
            "items": items,
        }
    )


def items_csv(policy: Policy) -> str:
    """Return the items as CSV text with a header; no cell can start a formula in a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "kind", "title", "first_line", "last_line", "start", "end", "text"])
    for item in policy.items:
        writer.writerow([_cell(value) for value in _item_fields(policy, item).values()])
    return out.getvalue()


def line_numbers(policy: Policy, item: PolicyItem) -> tuple[int, int]:
    """Return the first and the last line of ``item`` in the normalised document, counted from 1."""
    first = policy.text.count("\n", 0, item.start) + 1
    return first, first + policy.quote(item).count("\n")


def _item_fields(policy: Policy, item: PolicyItem) -> dict[str, Plain]:
    first, last = line_numbers(policy, item)
    return {
        "id": item.id,
        "kind": item.kind.value,
        "title": item.title,
        "first_line": first,
        "last_line": last,
        "start": item.start,
        "end": item.end,
        "text": policy.quote(item),
    }


def _cell(value: object) -> str:
    text = visible.reveal(str(value))
    return f"'{text}" if _FORMULA.match(text) else text


def _table(policy: Policy, color: bool) -> str:
    if not policy.items:
        return f"No items: {visible.line(policy.no_items_reason, limit=400) or 'none are known for this document'}."
    rows = [("id", "kind", "lines", "title"), *(_row(policy, item) for item in policy.items)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]]) for row in rows
    ]
    painted = [_paint(line, item.kind, color) for line, item in zip(lines[1:], policy.items, strict=True)]
    return "\n".join([lines[0], *painted])


def _row(policy: Policy, item: PolicyItem) -> tuple[str, str, str, str]:
    first, last = line_numbers(policy, item)
    lines = f"{first}" if first == last else f"{first}-{last}"
    return visible.plain(item.id), item.kind.value, lines, visible.plain(item.title)


def _annotated(policy: Policy, color: bool) -> str:
    return "".join(_pieces(policy, color))


def _pieces(policy: Policy, color: bool) -> Iterator[str]:
    position = 0
    for item in policy.items:
        yield _shown(policy.text[position : item.start])
        marked = f"{OPEN}{_shown(visible.plain(item.id))} {_shown(policy.quote(item))}{CLOSE}"
        yield _paint(marked, item.kind, color)
        position = item.end
    yield _shown(policy.text[position:])


def _shown(text: str) -> str:
    return _MARKS.sub(lambda match: f"[U+{ord(match.group()):04X}]", visible.reveal(text))


def _paint(text: str, kind: ItemKind, color: bool) -> str:
    """Color line by line: pagers reset at line ends."""
    if not color:
        return text
    return "\n".join(f"{_COLOR_BY_KIND[kind]}{line}{_RESET}" for line in text.split("\n"))
