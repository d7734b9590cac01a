"""How a dry run's plan is printed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, fields

from audit.providers.prices import price_table
from audit.records.plan import Plan

FORMAT = "bench-audit/plan"
FORMAT_VERSION = 2
NOTHING = "No judge is named: the offline scorer runs on this machine and sends nothing."
UNKNOWN = "unknown"
_COUNTS = ("planned", "stored", "to_ask", "n_calls", "undefined", "input_tokens", "output_tokens")
_COSTS = ("cost_usd", "cached_cost_usd", "batch_cost_usd")
_HEADINGS = {
    "judge": "Judge",
    "planned": "Planned",
    "stored": "Stored",
    "to_ask": "To ask",
    "n_calls": "Calls",
    "undefined": "Undefined",
    "input_tokens": "Tokens in",
    "output_tokens": "Tokens out",
    "cost_usd": "Price",
    "cached_cost_usd": "Cached",
    "batch_cost_usd": "Batch",
}


def plan_text(plans: Sequence[Plan], *, is_counted: bool = True) -> str:
    """Return the plan as an aligned table, with what its estimates go by.

    Parameters
    ----------
    is_counted
        Whether to say how many verdicts are planned, stored and undefined; not where another table has said so.
    """
    if not plans:
        return f"{NOTHING}\n"
    rows = [list(_HEADINGS.values()), *(_row(plan) for plan in plans)]
    if len(plans) > 1:
        rows.append(_total(plans))
    for heading in ("Planned", "Stored"):
        rows = _leave_out(heading, rows, is_needed=is_counted)
    rows = _leave_out("Undefined", rows, is_needed=is_counted and any(plan.undefined for plan in plans))
    rows = _leave_out("Calls", rows, is_needed=any(plan.n_calls != plan.to_ask for plan in plans))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows]
    lines += ["", *(f"{plan.judge}: {plan.basis}." for plan in plans if plan.to_ask)]
    lines += [
        f"Prices: {price_table()}, or your own (--price); 'unknown' is not free. Cached: where the prompts' shared",
        "beginning is read from the provider's cache. Batch: through the vendor's batch API.",
        "Calls and prices are estimates, before repair requests and retries.",
    ]
    if is_counted and any(plan.undefined for plan in plans):
        lines.append("An undefined verdict is a question that can't be put, and costs nothing.")
    return "\n".join(lines) + "\n"


def _leave_out(heading: str, rows: list[list[str]], *, is_needed: bool) -> list[list[str]]:
    place = rows[0].index(heading)
    return rows if is_needed else [[*row[:place], *row[place + 1 :]] for row in rows]


def _row(plan: Plan) -> list[str]:
    counts = [f"{getattr(plan, name):,}" for name in _COUNTS]
    return [plan.judge, *counts, *(_money(getattr(plan, name)) for name in _COSTS)]


def _total(plans: Sequence[Plan]) -> list[str]:
    counts = [f"{sum(getattr(plan, name) for plan in plans):,}" for name in _COUNTS]
    return ["total", *counts, *(_money(_sum([getattr(plan, name) for plan in plans])) for name in _COSTS)]


def _sum(costs: Sequence[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _money(amount: float | None) -> str:
    if amount is None:
        return UNKNOWN
    return f"${amount:,.2f}" if amount >= 1 or not amount else f"${amount:.3g}"


def plan_json(plans: Sequence[Plan]) -> str:
    """Return the plan as JSON, one object a judge; an unknown price is null."""
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "prices": price_table(),
        "judges": [asdict(plan) for plan in plans],
    }
    return json.dumps(document, indent=2) + "\n"


def plan_csv(plans: Sequence[Plan]) -> str:
    """Return the plan as CSV, one row a judge; an unknown price is an empty cell."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [field.name for field in fields(Plan)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(plan) for plan in plans)
    return out.getvalue()
