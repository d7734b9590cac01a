"""A run's result as one HTML file that needs no network, and no JavaScript to be read."""

from __future__ import annotations

from markupsafe import Markup

from audit.records.gate import GateResult
from audit.records.run import RunResult
from audit.reports.html_page import fill_page, read_styles
from audit.reports.packed import data_block
from audit.reports.plain import to_plain
from audit.reports.task_pages import task_pages
from audit.reports.view import Page, page_of
from audit.resources import resource

SCRIPTS = ("build", "packed", "tasks_data", "table", "dialog", "coverage", "start")
"""The page's script, in this order; one after another they are one function."""


def render(result: RunResult, *, gate: GateResult | None = None) -> bytes:
    """Return the whole page; the same result gives the same bytes.

    Parameters
    ----------
    gate
        What a gate says of it, where one was asked.
    """
    css, script = read_styles("report.css"), _script()
    page = page_of(result, gate)
    shown = {"page": page, "pages": task_pages(result), "data": _data(page)}
    return fill_page("report.html.j2", shown, css=css, script=script)


def _data(page: Page) -> tuple[Markup, ...]:
    by_k = to_plain([one.by_k for one in page.coverage.maps])
    return (data_block("index", page.tasks.data), data_block("coverage-data", {"by_k": by_k}))


def _script() -> str:
    body = "".join(resource("reports", "js", f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    return f'"use strict";(() => {{\n{body}}})();'
