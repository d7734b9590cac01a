"""Which formats there are for a gate's result, for a comparison and for a lineup."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from audit.records.comparison import Comparison
from audit.records.gate import GateResult
from audit.records.lineup import Lineup
from audit.reports import (
    comparison_json,
    comparison_markdown,
    comparison_text,
    gate_json,
    gate_junit,
    gate_markdown,
    gate_sarif,
    gate_text,
    lineup_csv,
    lineup_json,
    lineup_markdown,
    lineup_text,
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
    "csv": lineup_csv.render_pair,
}
LINEUP_FORMATS: Mapping[str, Callable[[Lineup], bytes]] = {
    "text": lineup_text.render,
    "json": lineup_json.render,
    "markdown": lineup_markdown.render,
    "csv": lineup_csv.render,
}
"""Format name, as ``--format`` takes it, to what writes it."""
