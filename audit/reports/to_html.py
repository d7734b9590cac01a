"""A run's result as one HTML file that needs no network and no JavaScript."""

from __future__ import annotations

import base64
import hashlib

import jinja2
from markupsafe import Markup

from audit.records.run import RunResult
from audit.reports.view import page_of
from audit.resources import resource


def render(result: RunResult) -> bytes:
    """Return the whole page; the same result gives the same bytes."""
    css = resource("reports", "report.css").read_text(encoding="utf-8")
    template = environment().get_template("report.html.j2")
    page = template.render(page=page_of(result), css=Markup(css), policy=content_policy(css))  # noqa: S704  # our file
    return page.encode("utf-8", errors="backslashreplace")


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


def content_policy(css: str) -> str:
    """Allow our one style sheet by its hash, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
