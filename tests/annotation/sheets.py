"""Sheets with defaults, for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from audit.annotation.making import choose_criteria, describe, make_sheet
from audit.annotation.sampling import draw_tasks
from audit.records.annotation import Sheet
from audit.records.task import DEFAULT_BEHAVIOR, Benchmark, Origin, Row
from tests import builders


def made(n: int = 4, *, text: str = "You want to cancel booking B1.", n_items: int = 2) -> Benchmark:
    row = Row("bookings", "B1", {"note": text, "seats": [1, 2]}, Origin("db.json", "bookings.B1"))
    tasks = [builders.task(f"task-{number}", description=text, behavior=text, rows=[row]) for number in range(n)]
    return builders.benchmark(*tasks, policy=builders.policy(n_items=n_items))


def sheet(benchmark: Benchmark | None = None, *, n: int = 4, metrics: tuple[str, ...] = (), seed: int = 0) -> Sheet:
    chosen = benchmark or made()
    tasks, strata = draw_tasks(chosen, n, bands={}, seed=seed)
    asked = make_sheet(chosen, tasks, criteria=choose_criteria(metrics), behavior=DEFAULT_BEHAVIOR, seed=seed)
    return describe(asked, strata, by=["tags"], raters=())


def saved(path: Path, sheet_id: str, *answers: Mapping[str, object], rater: str = "anna") -> Path:
    document = {
        "format": "bench-audit/annotation",
        "format_version": 1,
        "sheet": sheet_id,
        "rater": rater,
        "answers": list(answers),
    }
    path.write_text(json.dumps(document))
    return path
