"""What became of policy items in a new version of their document: as text, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Iterator

from audit.records.item_diff import CarriedItem, Fate, ItemDiff, NewText
from audit.reports import numbers, visible
from audit.reports.plain import Plain, dump

FORMAT_VERSION = 1
"""Of the JSON form; rises when a field changes its meaning or goes."""
_LOOK = (Fate.CHANGED, Fate.MOVED, Fate.VANISHED)
_HEADINGS = {
    Fate.CHANGED: "Changed: read these again, their review starts anew",
    Fate.MOVED: "Moved: the same words in another place",
    Fate.VANISHED: "Vanished: no text of the new version is like theirs",
}
_NEW = "New text that no item marks"
_LONGEST = 300


def diff_text(diff: ItemDiff) -> str:
    """Return what needs a look as plain text; ends with a line break."""
    lines = [_head(diff)]
    for fate in _LOOK:
        lines += _section(_HEADINGS[fate], [line for item in diff.of(fate) for line in _item_lines(item)])
    lines += _section(_NEW, [_new_line(text) for text in diff.new_texts])
    return "\n".join(lines) + "\n"


def diff_markdown(diff: ItemDiff) -> str:
    """Return what needs a look as Markdown; ends with a line break."""
    lines = [f"# {_inline(_head(diff))}"]
    for fate in _LOOK:
        if found := diff.of(fate):
            lines += ["", f"## {_HEADINGS[fate]}", "", "| item | title | was | is | |", "|---|---|---|---|---|"]
            lines += [_row(item) for item in found]
    if diff.new_texts:
        lines += ["", f"## {_NEW}", "", "| line | text | |", "|---|---|---|"]
        lines += [f"| {each.line} | {_inline(_shown(each.text))} | {_likeness(each)} |" for each in diff.new_texts]
    return "\n".join(lines) + "\n"


def diff_json(diff: ItemDiff) -> str:
    """Return everything, the items that were kept included, as versioned JSON."""
    items: list[Plain] = [_fields(item) for item in diff.items]
    new_texts: list[Plain] = [
        {
            "start": each.start,
            "end": each.end,
            "line": each.line,
            "text": each.text,
            "reads_like_rule": each.reads_like_rule,
        }
        for each in diff.new_texts
    ]
    return dump(
        {
            "format": "bench-audit policy item diff",
            "format_version": FORMAT_VERSION,
            "policy": diff.old.policy,
            "old_document": diff.old_document,
            "old_document_sha256": diff.old.document_sha256,
            "new_document": diff.new_document,
            "new_document_sha256": diff.new.document_sha256,
            "needs_look": diff.needs_look,
            "counts": {fate.value: len(diff.of(fate)) for fate in Fate},
            "items": items,
            "new_texts": new_texts,
        }
    )


def _head(diff: ItemDiff) -> str:
    counts = ", ".join(f"{len(diff.of(fate))} {fate.value}" for fate in Fate)
    n_rules = sum(each.reads_like_rule for each in diff.new_texts)
    new = f"{numbers.plural(len(diff.new_texts), 'new sentence')} without an item"
    like = f" ({n_rules} {'reads' if n_rules == 1 else 'read'} like a rule)" if diff.new_texts else ""
    items = numbers.plural(len(diff.items), "policy item")
    return f"{visible.plain(diff.old.policy)}: {items}: {counts}; {new}{like}"


def _section(heading: str, lines: list[str]) -> list[str]:
    return ["", heading, *lines] if lines else []


def _item_lines(item: CarriedItem) -> Iterator[str]:
    yield f"  {item.old.id}  {visible.plain(item.old.title)}  ({visible.plain(item.why)})"
    if item.fate is not Fate.MOVED:
        yield f"      was: {_shown(item.old_text)}"
    if item.fate is Fate.CHANGED:
        yield f"      is:  {_shown(item.new_text)}"


def _new_line(text: NewText) -> str:
    mark = "rule?" if text.reads_like_rule else "     "
    return f"  line {text.line:>4}  {mark}  {_shown(text.text)}"


def _row(item: CarriedItem) -> str:
    cells = (item.old.id, visible.plain(item.old.title), _shown(item.old_text), _shown(item.new_text), item.why)
    return f"| {' | '.join(_inline(cell) for cell in cells)} |"


def _likeness(text: NewText) -> str:
    return "reads like a rule" if text.reads_like_rule else ""


def _shown(text: str) -> str:
    return visible.plain(text, limit=_LONGEST)


def _inline(text: str) -> str:
    """Return ``text`` with nothing in it that Markdown or HTML would obey."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{char}" if char in "\\`*_[]|#!~" else char for char in text)


def _fields(item: CarriedItem) -> dict[str, Plain]:
    return {
        "id": item.old.id,
        "title": item.old.title,
        "fate": item.fate.value,
        "why": item.why,
        "old_start": item.old.start,
        "old_end": item.old.end,
        "old_text": item.old_text,
        "new_start": None if item.new is None else item.new.start,
        "new_end": None if item.new is None else item.new.end,
        "new_text": item.new_text,
    }
