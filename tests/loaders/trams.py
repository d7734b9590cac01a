"""A small domain of our own in the layout of τ1, a tram company's lost property, as Python or as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from audit.loaders.registry import load_benchmark
from audit.records.task import Benchmark
from audit.sources.resolve import resolve_source

WIKI = "# Lost property\n\n- Hand a find out only to its owner.\n- A find is kept for 30 days.\n"

TOOLS = [
    {"name": "find_rider", "kind": "read", "parameters": [{"name": "email", "type": "str"}]},
    {"name": "hand_out", "kind": "write", "parameters": [{"name": "find_id", "type": "str"}]},
]

TABLES: dict[str, dict[str, Any]] = {
    "riders": {
        "rid_1": {"email": "ola@tram.example", "name": {"first_name": "Ola", "last_name": "Nord"}, "finds": ["F901"]},
        "rid_2": {"email": "ben@tram.example", "name": {"first_name": "Ben", "last_name": "Sund"}, "finds": []},
    },
    "finds": {"F901": {"find_id": "F901", "what": "umbrella", "owner": "rid_1"}},
}


def call(name: str = "hand_out", **kwargs: Any) -> dict[str, Any]:  # noqa: ANN401  # any JSON
    return {"name": name, "kwargs": kwargs or {"find_id": "F901"}}


def task(**fields: Any) -> dict[str, Any]:  # noqa: ANN401  # any JSON
    return {
        "annotator": "0",
        "user_id": "rid_1",
        "instruction": "You are rid_1 and want your umbrella F901 back.",
        "actions": [call()],
        "outputs": [],
        **fields,
    }


def as_python(tasks: list[dict[str, Any]], name: str = "TASKS") -> str:
    """Return a file of tasks as people write it: constructors, long texts in pieces, trailing commas."""
    lines = ["# Tasks.", "from tram.types import Action, Task", "", f"{name} = ["]
    for entry in tasks:
        lines.append("    Task(")
        for field, value in entry.items():
            if field == "actions":
                calls = [f"Action(name={each['name']!r}, kwargs={each['kwargs']!r})" for each in value]
                lines.append(f"        actions=[{', '.join(calls)}],")
            else:
                lines.append(f"        {field}={value!r},")
        lines.append("    ),")
    return "\n".join([*lines, "]", ""])


def write_domain(folder: Path, *, is_python: bool = True, **splits: list[dict[str, Any]]) -> Path:
    """Write a domain with a file for each split; by default one task for test."""
    (folder / "data").mkdir(parents=True)
    for split, tasks in (splits or {"test": [task()]}).items():
        text = as_python(tasks, f"TASKS_{split.upper()}") if is_python else json.dumps(tasks, indent=2)
        (folder / f"tasks_{split}.{'py' if is_python else 'json'}").write_text(text, encoding="utf-8")
    for name, rows in TABLES.items():
        (folder / "data" / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    (folder / "wiki.md").write_text(WIKI, encoding="utf-8")
    (folder / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    return folder


def load(path: Path, **fields: Any) -> Benchmark:  # noqa: ANN401  # resolve_source's own flags
    return load_benchmark(resolve_source(str(path), **fields))
