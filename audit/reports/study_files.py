"""A study as a folder of files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from audit.records.study import StudyResult
from audit.reports import study_csv, study_json, study_text

_FILE_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")


def render_html(result: StudyResult) -> bytes:
    """Return the page; loads matplotlib when it is asked for, which takes half a second."""
    from audit.reports import study_html  # noqa: PLC0415  # see above

    return study_html.render(result)


STUDY_FORMATS: Mapping[str, Callable[[StudyResult], bytes]] = MappingProxyType(
    {"text": study_text.render, "json": study_json.render, "html": render_html}
)
"""Format name, as ``--format`` takes it, to its renderer."""


def render_files(result: StudyResult) -> dict[str, bytes]:
    """Return every file of a study by its name in the folder: text, JSON, page, one CSV a table, SVG and PNG a figure.

    Raises
    ------
    ValueError
        If a table's or a figure's name is not fit for a file.
    """
    from audit.reports import study_figures  # noqa: PLC0415  # see above

    files = {
        f"{result.kind}.txt": study_text.render(result),
        f"{result.kind}.json": study_json.render(result),
        f"{result.kind}.html": render_html(result),
    }
    for table in result.tables:
        files[f"{_fit(table.name)}.csv"] = study_csv.render(table)
    for figure in result.figures:
        files[f"{_fit(figure.name)}.svg"] = study_figures.to_svg(figure)
        files[f"{_fit(figure.name)}.png"] = study_figures.to_png(figure)
    return files


def _fit(name: str) -> str:
    if not _FILE_NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not fit for a file name")
    return name
