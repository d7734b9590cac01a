"""A run's result as one HTML file that needs no network, and no JavaScript to be read."""

from __future__ import annotations

import base64
import hashlib

import jinja2
from markupsafe import Markup

from audit.records.gate import GateResult
from audit.records.run import RunResult
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
    css, script = _read("report.css"), _script()
    page = page_of(result, gate)
    text = (
        environment()
        .get_template("report.html.j2")
        .render(
            page=page,
            pages=task_pages(result),
            data=_data(page),
            css=Markup(css),  # noqa: S704  # our file
            script=Markup(script),  # noqa: S704  # our files
            policy=content_policy(css, script),
        )
    )
    return text.encode("utf-8", errors="backslashreplace")


def _data(page: Page) -> tuple[Markup, ...]:
    by_k = to_plain([one.by_k for one in page.coverage.maps])
    return (data_block("index", page.tasks.data), data_block("coverage-data", {"by_k": by_k}))


def _script() -> str:
    body = "".join(_read("js", f"{name}.js") for name in SCRIPTS)
    return f'"use strict";(() => {{\n{body}}})();'


def _read(*parts: str) -> str:
    return resource("reports", *parts).read_text(encoding="utf-8")


def environment() -> jinja2.Environment:
    """Return the templates' environment: everything that is shown is escaped."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(resource("reports")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def content_policy(css: str, script: str = "") -> str:
    """Allow one style sheet and one script, by their hashes, and nothing else; no text can become markup."""
    scripts = f"script-src {_hash(script)}; " if script else ""
    return (
        f"default-src 'none'; style-src {_hash(css)}; {scripts}img-src data:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
