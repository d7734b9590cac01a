"""How a dry run's plan is printed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict

from audit.judges.questions import Plan

FORMAT = "bench-audit/plan"
NOTHING = "No judge is named: the offline scorer runs on this machine and sends nothing."
_COLUMNS = ("judge", "planned", "stored", "to_ask", "undefined", "input_tokens")
_HEADINGS = ("Judge", "Planned", "Stored", "To ask", "Undefined", "Input tokens (about)")


def plan_text(plans: Sequence[Plan]) -> str:
    """Return the plan as an aligned table."""
    if not plans:
        return f"{NOTHING}\n"
    rows = [_HEADINGS, *([_cell(asdict(plan)[name]) for name in _COLUMNS] for plan in plans)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    lines = [
        "  ".join(
            cell.ljust(width) if not column else cell.rjust(width) for column, (cell, width) in _numbered(row, widths)
        )
        for row in rows
    ]
    lines += [
        "Calls are counted before repair requests and retries. Tokens are an estimate, four characters a token.",
        "An undefined verdict is a question that can't be put, and costs nothing.",
    ]
    return "\n".join(lines) + "\n"


def _cell(value: str | int) -> str:
    return f"{value:,}" if isinstance(value, int) else value


def _numbered(row: Sequence[str], widths: Sequence[int]) -> enumerate[tuple[str, int]]:
    return enumerate(zip(row, widths, strict=True))


def plan_json(plans: Sequence[Plan]) -> str:
    """Return the plan as JSON, one object a judge."""
    document = {"format": FORMAT, "format_version": 1, "judges": [asdict(plan) for plan in plans]}
    return json.dumps(document, indent=2) + "\n"


def plan_csv(plans: Sequence[Plan]) -> str:
    """Return the plan as CSV, one row a judge."""
    out = io.StringIO()
    writer = csv.DictWriter(out, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(plan) for plan in plans)
    return out.getvalue()
