"""A sheet as one HTML file that works from disk, keeps to itself, and hands the answers out as a download."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from audit.annotation.csv_sheet import KEYS, pieces_of
from audit.annotation.making import copy_for
from audit.records.annotation import SCALE, VIOLATIONS, Piece, Sheet, SheetTask
from audit.reports.html_page import fill_page
from audit.reports.packed import data_block
from audit.reports.plain import Plain
from audit.resources import resource

FORMAT = "bench-audit/annotation"
_LISTED = re.compile(r"(?:- |\d+\. )")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A piece of a rubric: ``h4``, ``p``, ``ul`` or ``ol``, with its lines."""

    tag: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task as the page shows it."""

    task: SheetTask
    blocks: tuple[tuple[str, tuple[Piece, ...]], ...]


def render_page(sheet: Sheet, *, rater: str) -> bytes:
    """Return a rater's copy as a page; the same sheet and rater give the same bytes."""
    css = "".join(_read(*name) for name in (("report.css",), ("annotation", "sheet.css")))
    script = f'"use strict";(() => {{\n{_read("annotation", "sheet.js")}}})();'
    shown = {
        "sheet": sheet,
        "rater": rater,
        "asks": [(ask, tuple(paragraphs(ask.rubric))) for ask in sheet.asks],
        "tasks": [_view(sheet, task) for task in copy_for(sheet, rater)],
        "scale": SCALE,
        "violations": VIOLATIONS,
        "data": data_block("about", _about(sheet)),
    }
    return fill_page("annotation/sheet.html.j2", shown, css=css, script=script)


def paragraphs(markdown: str) -> Iterator[Paragraph]:
    """Yield a rubric's paragraphs; it knows headings, lists and plain text, which is all that our prompts have."""
    for block in markdown.split("\n\n"):
        lines = block.strip().split("\n")
        if lines[0].startswith("# "):
            yield Paragraph("h4", (lines[0][2:],))
        elif _LISTED.match(lines[0]):
            tag = "ul" if lines[0].startswith("- ") else "ol"
            yield Paragraph(tag, tuple(_LISTED.sub("", line, count=1) for line in lines))
        else:
            yield Paragraph("p", (" ".join(lines),))


def _view(sheet: Sheet, task: SheetTask) -> TaskView:
    names = [
        name for name in ("description", "expected behavior", "rows") if any(name in ask.sees for ask in sheet.asks)
    ]
    return TaskView(task, tuple((name, pieces_of(task, name)) for name in names))


def _about(sheet: Sheet) -> Plain:
    criteria: list[Plain] = [ask.criterion for ask in sheet.asks]
    return {
        "format": FORMAT,
        "format_version": 1,
        "sheet": sheet.id,
        "keys": list(KEYS),
        "criteria": criteria,
        "violations": VIOLATIONS,
    }


def _read(*parts: str) -> str:
    return resource("reports", *parts).read_text(encoding="utf-8")
