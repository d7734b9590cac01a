"""Spreadsheets of a small desk of our own, as people save them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from audit.inspection import Places, load
from audit.records.task import Benchmark

POLICY = "# Desk\n\n- Used tickets are not refunded.\n- A booking keeps its name.\n"
HEADINGS = ("id", "description", "behavior")


def write(folder: Path, text: str | bytes, name: str = "cases.csv", *, policy: str | None = POLICY) -> Path:
    """Write a table with a policy beside it and return the table."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    if policy is not None:
        (folder / "policy.md").write_text(policy, encoding="utf-8")
    return path


def rows(*cells: Sequence[str], headings: Sequence[str] = HEADINGS, separator: str = ",") -> str:
    """Return a table of plain cells."""
    return "".join(separator.join(row) + "\n" for row in (headings, *cells))


def write_json(folder: Path, *records: Mapping[str, Any], name: str = "cases.json") -> Path:
    if name.endswith("l"):
        return write(folder, "".join(json.dumps(record) + "\n" for record in records), name)
    return write(folder, json.dumps(list(records), indent=1), name)


def read(path: Path, *columns: tuple[str, str], **places: Any) -> Benchmark:  # noqa: ANN401  # fields of Places
    return load(str(path), Places(columns=columns, **places))
