"""A study as a folder of files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from audit.records.study import Figure, StudyResult, Table
from audit.reports import study_csv, study_json, study_markdown, study_text

_FILE_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")


def render_html(result: StudyResult) -> bytes:
    """Return the page; loads matplotlib when it is asked for, which takes half a second."""
    from audit.reports import study_html  # noqa: PLC0415  # see above

    return study_html.render(result)


STUDY_FORMATS: Mapping[str, Callable[[StudyResult], bytes]] = MappingProxyType(
    {"text": study_text.render, "json": study_json.render, "html": render_html, "markdown": study_markdown.render}
)
"""Format name, as ``--format`` takes it, to its renderer."""


def render_files(result: StudyResult) -> dict[str, bytes]:
    """Return every file of a study by its name in the folder: text, JSON, page, one CSV a table, SVG and PNG a figure.

    Raises
    ------
    ValueError
        If a table's or a figure's name is not fit for a file.
    """
    return {
        f"{result.kind}.txt": study_text.render(result),
        f"{result.kind}.json": study_json.render(result),
        f"{result.kind}.html": render_html(result),
        **figure_files(result.tables, result.figures),
    }


def figure_files(tables: Sequence[Table], figures: Sequence[Figure]) -> dict[str, bytes]:
    """Return one CSV a table, and SVG and PNG a figure, by file name.

    Raises
    ------
    ValueError
        If a table's or a figure's name is not fit for a file.
    """
    from audit.reports import study_figures  # noqa: PLC0415  # see above

    files = {f"{_fit(table.name)}.csv": study_csv.render(table) for table in tables}
    for figure in figures:
        files[f"{_fit(figure.name)}.svg"] = study_figures.to_svg(figure)
        files[f"{_fit(figure.name)}.png"] = study_figures.to_png(figure)
    return files


def _fit(name: str) -> str:
    if not _FILE_NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not fit for a file name")
    return name
