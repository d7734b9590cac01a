"""The seam from a run's result to bytes."""

from __future__ import annotations

from typing import Protocol

from audit.records.run import RunResult


class Renderer(Protocol):
    """Writes one format; the modules ``to_html``, ``to_json``, ``to_text`` and ``to_csv`` are renderers."""

    def render(self, result: RunResult) -> bytes:
        """Return the whole file; the same result gives the same bytes."""
        ...
