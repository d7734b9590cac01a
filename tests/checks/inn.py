"""A small domain of our own, an inn, as a loaded benchmark with given tasks."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from audit.checks.protocol import Check, Subject
from audit.checks.registry import CHECKS, order_findings
from audit.loaders.registry import load_benchmark
from audit.records.finding import Finding
from audit.records.task import Benchmark
from audit.sources.resolve import resolve_source

POLICY = "# Inn\n\nThe current date is 2031-05-10. A stay lasts nine nights at most.\n"


def _tool(name: str, kind: str, caller: str = "assistant", **types: str) -> dict[str, Any]:
    parameters = [
        {"name": key, "type": kind.removesuffix("?"), "required": not kind.endswith("?")} for key, kind in types.items()
    ]
    return {"name": name, "kind": kind, "caller": caller, "parameters": parameters}


TOOLS = {
    "tools": [
        _tool("find_guest", "read", email="str"),
        _tool("find_guest_by_name", "read", first_name="str", last_name="str", zip="str"),
        _tool("get_stay", "read", stay_id="str"),
        _tool("get_room", "read", room_id="str"),
        _tool("calculate", "generic", expression="str"),
        _tool(
            "book_stay",
            "write",
            guest_id="str",
            room_id="str",
            day="str",
            nights="int",
            meal="enum[none|breakfast|full board]",
            card_id="str?",
            companions="list[object]?",
            street="str?",
            arrival="str?",
        ),
        _tool("cancel_stay", "write", stay_id="str", reason="str?"),
        _tool("transfer_to_innkeeper", "generic", summary="str"),
        _tool("call_special", "generic", tool_name="str", arguments="str"),
        _tool("ring_bell", "write", "user"),
    ]
}


def guest(number: int, first: str, last: str, *stays: str) -> dict[str, Any]:
    return {
        "guest_id": f"gu_{number}",
        "name": {"first_name": first, "last_name": last},
        "born_on": f"19{number % 100:02d}-03-04",
        "email": f"{first.lower()}@inn.example",
        "address": {"street": f"{number} Mill Lane", "zip": f"30{number}"},
        "cards": {f"card_9{number}": {"brand": "Oak", "credit": 80.0 + number}},
        "companions": [{"first_name": "Ines", "last_name": last, "dob": "1999-09-09"}],
        "stays": list(stays),
    }


def stay(key: str, owner: str, room: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401  # any JSON
    return {"stay_id": key, "guest_id": owner, "room_id": room, "day": "2031-05-20", "price": 120.5, **fields}


def database() -> dict[str, Any]:
    return {
        "guests": {
            "gu_101": guest(101, "Mara", "Quill", "ST501", "ST502"),
            "gu_102": guest(102, "Odo", "Brandt", "ST503"),
            "gu_103": guest(103, "Lise", "Fenn"),
        },
        "stays": {
            "ST501": stay("ST501", "gu_101", "RM11", status="booked", nights=2),
            "ST502": stay("ST502", "gu_101", "RM12", status="past", nights=4),
            "ST503": stay("ST503", "gu_102", "RM12", status="booked", nights=3),
        },
        "rooms": {
            f"RM1{n}": {"room_id": f"RM1{n}", "name": f"Room {n}", "price": 60.25, "is_free": n > 1}
            for n in range(1, 5)
        },
    }


def action(name: str, requestor: str | None = None, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401  # any JSON
    who = {"requestor": requestor} if requestor else {}
    return {"action_id": "a", "name": name, "arguments": arguments, **who}


def task(
    id: str = "t1",
    script: Any = "You are Mara Quill, guest gu_101. Cancel your next stay.",  # noqa: ANN401  # a text or an object
    *actions: dict[str, Any],
    **fields: Any,  # noqa: ANN401  # any JSON
) -> dict[str, Any]:
    """A task in τ² layout; ``criteria`` adds to its evaluation criteria."""
    criteria = fields.pop("criteria", {})
    return {
        "id": id,
        "user_scenario": {"instructions": script},
        "evaluation_criteria": {"actions": list(actions), **criteria},
        **fields,
    }


def benchmark(*tasks: dict[str, Any], **files: Any) -> Benchmark:  # noqa: ANN401  # any JSON, or text for the policy
    """Write the domain with these tasks into a folder and load it; a file that is ``None`` is left out."""
    content = {"tasks": list(tasks), "db": database(), "tools": TOOLS, "policy": POLICY, **files}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for stem, value in content.items():
            if stem == "policy":
                (folder / "policy.md").write_text(value, encoding="utf-8")
            elif value is not None:
                (folder / f"{stem}.json").write_text(json.dumps(value), encoding="utf-8")
        return load_benchmark(resolve_source(str(folder)))


def inspect(check: Check, *tasks: dict[str, Any], **files: Any) -> list[Finding]:  # noqa: ANN401
    """Return what a check finds in the domain with these tasks."""
    return list(check.inspect(Subject(benchmark(*tasks, **files))))


def inspect_all(subject: Subject) -> tuple[Finding, ...]:
    """Return the findings of every check in their order."""
    return order_findings((found for check in CHECKS for found in check.inspect(subject)), subject.benchmark)


def brief(findings: list[Finding]) -> list[tuple[str, str | None, str]]:
    """Return rule, task and severity of findings."""
    return [(finding.rule, finding.task_id, finding.severity.value) for finding in findings]
