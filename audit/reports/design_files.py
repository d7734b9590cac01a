"""A design as a folder of files: a page and a JSON document for the whole, a folder for each study; and as text."""

from __future__ import annotations

from audit.records.design import Design, Part
from audit.reports import study_json
from audit.reports.plain import Plain, dump, fields_of, to_plain
from audit.reports.study_files import render_files
from audit.reports.visible import plain

FORMAT = "bench-audit/design"
FORMAT_VERSION = 1
INDEX = "index.html"
DOCUMENT = "design.json"


def render_design(design: Design) -> dict[str, bytes]:
    """Return every file by its path below the folder."""
    from audit.reports import design_html  # noqa: PLC0415  # loads matplotlib, which takes half a second

    files = {INDEX: design_html.render(design), DOCUMENT: render_json(design)}
    for part in design.parts:
        if part.study is not None:
            own = {**render_files(part.study), **part.files}
            files.update({f"{part.name}/{name}": content for name, content in own.items()})
    return files


def render_json(design: Design) -> bytes:
    """Return the document, UTF-8, ending in a line break; docs/schema/design-1.json is its schema."""
    parts: list[Plain] = [_part(part) for part in design.parts]
    document: dict[str, Plain] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "tool_version": design.tool_version,
        "created_at": design.created_at,
        "title": design.title,
        "is_complete": design.is_complete,
        "labels": list(design.labels),
        "settings": to_plain(design.settings),
        "calls": [fields_of(calls) for calls in design.calls],
        "notes": list(design.notes),
        "stops": list(design.stops),
        "parts": parts,
    }
    return f"{dump(document)}\n".encode()


def _part(part: Part) -> Plain:
    return {
        "name": part.name,
        "title": part.title,
        "left_out": part.left_out,
        "study": None if part.study is None else study_json.to_document(part.study),
    }


def render_text(design: Design) -> bytes:
    """Return what every part says, in sentences."""
    return "".join(f"{row}\n" for part in design.parts for row in (*_words(part), "")).encode(errors="backslashreplace")


def _words(part: Part) -> list[str]:
    if part.study is None:
        return [plain(part.title), f"  left out: {plain(part.left_out)}"]
    labels = "".join(f" [{plain(label)}]" for label in part.labels)
    told = [f"  {plain(sentence, limit=1200)}" for sentence in part.study.summary]
    return [f"{plain(part.title)}{labels}", *told, *(f"  Note: {plain(note, limit=600)}" for note in part.study.notes)]
