"""The frame of every page: a template that escapes all that it shows, with a style sheet and at most one script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping

import jinja2
from markupsafe import Markup

from audit.resources import resource


def fill_page(template: str, shown: Mapping[str, object], *, css: str, script: str = "") -> bytes:
    """Return a page as one HTML file that loads nothing.

    Parameters
    ----------
    template
        Its place below ``reports/``.
    shown
        The template's variables by name.
    css, script
        Our own, allowed by their hashes.
    """
    text = (
        _environment()
        .get_template(template)
        .render(
            **shown,
            css=Markup(css),  # noqa: S704  # our files
            script=Markup(script),  # noqa: S704  # our files
            policy=content_policy(css, script),
        )
    )
    return text.encode("utf-8", errors="backslashreplace")


def read_styles(*names: str) -> str:
    """Return style sheets of ours as one."""
    return "\n".join(resource("reports", name).read_text(encoding="utf-8") for name in names)


def content_policy(css: str, script: str = "") -> str:
    """Allow one style sheet and one script, by their hashes, and nothing else; no text can become markup."""
    scripts = f"script-src {_hash(script)}; " if script else ""
    return (
        f"default-src 'none'; style-src {_hash(css)}; {scripts}img-src data:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(resource("reports")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
