"""A comparison as versioned JSON; docs/gate.md describes it, docs/schema/comparison-1.json is its schema."""

from __future__ import annotations

from audit.records.comparison import Comparison, FindingChanges, ScoreChange, Snapshot
from audit.reports.moves import moves
from audit.reports.plain import Plain, dump, fields_of, to_plain

FORMAT = "bench-audit/comparison"
FORMAT_VERSION = 1


def render(comparison: Comparison) -> bytes:
    """Return the document, UTF-8, ending in a line break; the same comparison gives the same bytes."""
    document: dict[str, Plain] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        **changes_of(comparison),
        "moved": [fields_of(move) for move in moves(comparison)],
    }
    return f"{dump(document)}\n".encode()


def changes_of(comparison: Comparison) -> dict[str, Plain]:
    """Return everything that changed as plain values."""
    return {
        "old": _side(comparison.old),
        "new": _side(comparison.new),
        "tasks": {
            "added": list(comparison.added),
            "removed": list(comparison.removed),
            "changed": [fields_of(change) for change in comparison.changed],
            "n_same": comparison.n_same,
        },
        "policy_changed": comparison.policy_changed,
        "policy_items_changed": list(comparison.items_changed),
        "findings": None if comparison.findings is None else _findings(comparison.findings),
        "scores": [_score(change) for change in comparison.scores],
        "notes": list(comparison.notes),
    }


def _side(side: Snapshot) -> Plain:
    return {
        "label": side.label,
        "benchmark": side.benchmark,
        "policy_sha256": side.policy_sha256,
        "n_tasks": len(side.tasks),
        "n_findings": None if side.findings is None else len(side.findings),
    }


def _findings(changes: FindingChanges) -> Plain:
    return {name: to_plain(getattr(changes, name)) for name in ("new", "fixed", "unchanged", "gone")}


def _score(change: ScoreChange) -> Plain:
    return {
        **fields_of(change),
        "is_comparable": change.difference is not None,
        "has_fallen": change.has_fallen,
        "has_risen": change.has_risen,
    }
