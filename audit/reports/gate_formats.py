"""Which formats there are for a gate's result and for a comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from audit.records.comparison import Comparison
from audit.records.gate import GateResult
from audit.reports import (
    comparison_json,
    comparison_markdown,
    comparison_text,
    gate_json,
    gate_junit,
    gate_markdown,
    gate_sarif,
    gate_text,
)

GATE_FORMATS: Mapping[str, Callable[[GateResult], bytes]] = {
    "text": gate_text.render,
    "json": gate_json.render,
    "junit": gate_junit.render,
    "markdown": gate_markdown.render,
    "sarif": gate_sarif.render,
}
COMPARISON_FORMATS: Mapping[str, Callable[[Comparison], bytes]] = {
    "text": comparison_text.render,
    "json": comparison_json.render,
    "markdown": comparison_markdown.render,
}
"""Format name, as ``--format`` takes it, to what writes it."""
