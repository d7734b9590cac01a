"""Which output formats there are."""

from __future__ import annotations

from collections.abc import Mapping

from audit.records.gate import GateResult
from audit.records.run import RunResult
from audit.reports import to_csv, to_json, to_markdown, to_text
from audit.reports.protocol import Renderer


class HtmlRenderer:
    """The report; loads matplotlib when it is asked for, which takes half a second."""

    def render(self, result: RunResult, *, gate: GateResult | None = None) -> bytes:
        """Return the whole page, with what a gate says where there is one."""
        from audit.reports import to_html  # noqa: PLC0415  # see above

        return to_html.render(result, gate=gate)


HTML = HtmlRenderer()
RENDERERS: Mapping[str, Renderer] = {
    "text": to_text,
    "json": to_json,
    "csv": to_csv,
    "markdown": to_markdown,
    "html": HTML,
}
"""Format name, as ``--format`` takes it, to its renderer."""
