"""A small domain of our own, a boat hire, written into a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from audit.loaders.registry import load_benchmark
from audit.records.task import Benchmark, Part, PartKind, Task
from audit.sources.resolve import resolve_source

POLICY = "# Boat hire\n\n- Hires can't be moved.\n- Ask for the member number.\n"

TOOLS: dict[str, Any] = {
    "tools": [
        {
            "name": "find_member",
            "kind": "read",
            "caller": "assistant",
            "parameters": [{"name": "email", "type": "str"}],
        },
        {"name": "cancel_hire", "kind": "write", "caller": "assistant", "parameters": []},
        {"name": "add_up", "kind": "generic", "caller": "assistant", "parameters": []},
        {"name": "transfer_to_harbour_master", "kind": "generic", "caller": "assistant", "parameters": []},
        {"name": "ring_bell", "kind": "write", "caller": "user", "parameters": []},
    ]
}

DAYS = [f"2031-06-{day:02d}" for day in range(1, 11)]


def member(number: int, *hires: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401  # any JSON
    name = {"first_name": f"Greta{number}", "last_name": "Oarsman"}
    return {
        "member_id": f"mem_{number}",
        "name": name,
        "email": f"greta{number}@lake.example",
        "address": {"street": "1 Pier", "zip": f"7000{number}"},
        "hires": list(hires),
        **fields,
    }


def boat(key: str) -> dict[str, Any]:
    return {"boat_id": key, "kind": "dinghy", "days": {day: {"status": "free", "price": 20} for day in DAYS}}


def database() -> dict[str, Any]:
    return {
        "members": {"mem_1": member(1, "#H501", "#H502"), "mem_2": member(2, "#H503"), "mem_3": member(3)},
        "hires": {
            "#H501": {"hire_id": "#H501", "member_id": "mem_1", "trips": [{"boat": "BT7", "date": "2031-06-02"}]},
            "#H502": {"hire_id": "#H502", "member_id": "mem_1", "trips": [{"boat": "BT8", "date": "2031-06-05"}]},
            "#H503": {"hire_id": "#H503", "member_id": "mem_2", "trips": [{"boat": "BT7", "date": "2031-06-09"}]},
        },
        "boats": {"BT7": boat("BT7"), "BT8": boat("BT8"), "BT9": boat("BT9")},
    }


def script(**fields: Any) -> dict[str, Any]:  # noqa: ANN401  # any JSON
    return {
        "task_instructions": "Be brief.",
        "domain": "boats",
        "reason_for_call": "You want to cancel a hire.",
        "known_info": "You are mem_1.",
        "unknown_info": None,
        **fields,
    }


def task(id: object = "1", *, told: object = None, criteria: object = None, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "id": id,
        "user_scenario": {"persona": None, "instructions": script() if told is None else told},
        "evaluation_criteria": {"actions": []} if criteria is None else criteria,
        **fields,
    }


def action(name: str = "cancel_hire", **fields: Any) -> dict[str, Any]:  # noqa: ANN401  # any JSON
    return {"action_id": "a", "name": name, "arguments": {"hire_id": "#H501"}, **fields}


def write_json(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_document(folder: Path, id: str, *, title: str = "Title", content: str = "Text.") -> Path:
    return write_json(folder / f"{id}.json", {"id": id, "title": title, "content": content})


def write_domain(folder: Path, tasks: object = None, *, skip: tuple[str, ...] = (), **files: Any) -> Path:  # noqa: ANN401
    """Write a whole domain; ``files`` replaces JSON files by stem, ``skip`` leaves some out."""
    content = {"tasks": [task()] if tasks is None else tasks, "db": database(), "tools": TOOLS, **files}
    folder.mkdir(parents=True, exist_ok=True)
    for stem, value in content.items():
        if stem not in skip:
            write_json(folder / f"{stem}.json", value)
    if "policy" not in skip:
        (folder / "policy.md").write_text(POLICY, encoding="utf-8")
    return folder


def load(folder: Path, **fields: Any) -> Benchmark:  # noqa: ANN401  # resolve_source's own flags
    return load_benchmark(resolve_source(str(folder), **fields))


def load_task(folder: Path, value: dict[str, Any], **files: Any) -> Task:  # noqa: ANN401  # any JSON
    """Write a domain with this one task and return it as loaded."""
    return load(write_domain(folder, [value], **files)).tasks[0]


def parts_of(parts: tuple[Part, ...], kind: PartKind) -> list[str]:
    return [part.text for part in parts if part.kind is kind]
