"""Which output formats there are."""

from __future__ import annotations

from collections.abc import Mapping

from audit.reports import to_csv, to_html, to_json, to_text
from audit.reports.protocol import Renderer

RENDERERS: Mapping[str, Renderer] = {"text": to_text, "json": to_json, "csv": to_csv, "html": to_html}
"""Format name, as ``--format`` takes it, to its renderer."""
