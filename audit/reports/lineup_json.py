"""A lineup as versioned JSON; docs/compare.md describes it, docs/schema/comparisons-1.json is its schema."""

from __future__ import annotations

from audit.records.comparison import Snapshot
from audit.records.lineup import Lineup, LineupCell, LineupRow, SideChange
from audit.reports.comparison_json import changes_of
from audit.reports.lineup_words import headline, lineup_moves, state_of
from audit.reports.plain import Plain, dump, fields_of, to_plain

FORMAT = "bench-audit/comparisons"
FORMAT_VERSION = 1


def render(lineup: Lineup) -> bytes:
    """Return the document, UTF-8, ending in a line break; the same lineup gives the same bytes."""
    document: dict[str, Plain] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "headline": headline(lineup),
        "baseline": lineup.names[lineup.baseline],
        "sides": [_side(name, side) for name, side in zip(lineup.names, lineup.sides, strict=True)],
        "n_tests": lineup.n_tests,
        "rows": [_row(lineup, row) for row in lineup.rows],
        "changes": [
            {"side": name, **{key: value for key, value in changes_of(made).items() if key not in _ELSEWHERE}}
            for name, made in zip(lineup.names, lineup.comparisons, strict=True)
            if made is not None
        ],
        "notes": list(lineup.notes),
    }
    return f"{dump(document)}\n".encode()


_ELSEWHERE = frozenset({"old", "new", "scores", "notes"})
"""Of a comparison, what the document tells of all sides together."""


def _side(name: str, side: Snapshot) -> Plain:
    return {
        "side": name,
        "label": side.label,
        "benchmark": side.benchmark,
        "policy_sha256": side.policy_sha256,
        "n_tasks": len(side.tasks),
        "n_findings": None if side.findings is None else len(side.findings),
        "trials": side.trials,
        "models": to_plain(side.models),
    }


def _row(lineup: Lineup, row: LineupRow) -> Plain:
    return {
        "metric": row.metric,
        "judge": row.judge or None,
        "trust": row.trust.value,
        "cells": [_cell(name, cell) for name, cell in zip(lineup.names, row.cells, strict=True)],
        "moved": [
            {
                "task_id": move.task_id,
                "values": list(move.values),
                "widest": move.widest,
                "side": lineup.names[move.side],
            }
            for move in lineup_moves(lineup, row)
        ],
    }


def _cell(name: str, cell: LineupCell) -> Plain:
    score = cell.score
    return {
        "side": name,
        "judge": None if score is None else score.judge,
        "trust": None if score is None else score.trust.value,
        "value": None if score is None else score.value,
        "interval": None if score is None or score.interval is None else fields_of(score.interval),
        "n_used": 0 if score is None else score.n_used,
        "n_missing": 0 if score is None else score.n_missing,
        "change": None if cell.change is None else _change(cell.change),
    }


def _change(change: SideChange) -> Plain:
    made = change.change
    return {
        "difference": made.difference,
        "interval": None if made.interval is None else fields_of(made.interval),
        "n_paired": made.n_paired,
        "p": change.p,
        "p_holm": change.p_holm,
        "answer": state_of(change),
        "reasons": list(made.reasons),
    }
