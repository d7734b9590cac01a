"""Plans of a made-up agent that runs a flower kiosk: hand-made instances, sound unless a test breaks them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from audit.checks.pararecover_view import View, make_view
from audit.plans.instance import Instance, read_instance
from audit.records.task import Benchmark, Origin, Task
from tests.builders import policy

FILE = "kiosk.jsonl"
REQUEST = "Please bind nine tulips, price the bouquet and reserve it for Mrs Oduya."


def tool(name: str, required: list[str] | None = None, /, **types: Any) -> dict[str, Any]:  # noqa: ANN401  # schemas
    schemas = {key: kind if isinstance(kind, dict) else {"type": kind} for key, kind in types.items()}
    return {
        "name": name,
        "description": f"{name} for the kiosk",
        "parameters": schemas,
        "required": list(types) if required is None else required,
    }


TOOLS = [
    tool("cut_stems", flower="string", count="number"),
    tool("bind_bouquet", stems="array", ribbon="string"),
    tool("price_bouquet", bouquet="object"),
    tool("reserve_bouquet", bouquet="object", name="string"),
]


def node(id: str, name: str | None = None, dep: Any = ("root",), **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """A node; ``para`` and everything else as given."""
    made: dict[str, Any] = {"id": id} | ({} if name is None else {"name": name})
    return made | {"desc": f"Step {id}", "dep": list(dep), "status": False} | fields


ROOT = node("root", None, (), status=True, desc="Start")


def response(*dep: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    return node("response", None, dep, **fields)


CUT = node("1", "cut_stems", para={"flower": "tulip", "count": 9})
BIND = node("2", "bind_bouquet", ("1",), para={"stems": "task1_output", "ribbon": "blue"})
PRICE = node("3", "price_bouquet", ("2",), para={"bouquet": "task2_output"})
RESERVE = node("4", "reserve_bouquet", ("2",), para={"bouquet": "task2_output", "name": "Oduya"})
SOUND = (ROOT, CUT, BIND, PRICE, RESERVE, response("3", "4"))


def call(name: str, results: Any = "Done.", **arguments: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"name": name, "arguments": arguments, "results": results}


CUT_RESULT = call("cut_stems", "Error: the shears are locked.", flower="tulip", count=9)


def record(*nodes: Any, **fields: Any) -> dict[str, Any]:  # noqa: ANN401  # nodes may be odd
    """A record in the layout of real rollouts, of the sound plan unless nodes are given."""
    made: dict[str, Any] = {
        "id": 7,
        "query_id": 70,
        "query": REQUEST,
        "tool_list": json.dumps(fields.pop("tools", TOOLS)),
        "plan": json.dumps({"tasks": list(nodes or SOUND)}, ensure_ascii=False),
        "error_reason": "任务1失败",
        "funcall_times_gt": 4,
        "round_gt": 4,
        "tag": "Timeout_Error",
        "fun_call": [CUT_RESULT],
    }
    return made | fields


def instance(*nodes: dict[str, Any], **fields: Any) -> Instance:  # noqa: ANN401
    return read_instance(record(*nodes, **fields))


def task(*nodes: dict[str, Any], **fields: Any) -> Task:  # noqa: ANN401
    raw = record(*nodes, **fields)
    task_id = str(raw["id"])
    return Task(task_id, (), (), raw=raw, origin=Origin(fields.get("file", FILE), "", task_id))


def view(*nodes: dict[str, Any], **fields: Any) -> View:  # noqa: ANN401
    return make_view(task(*nodes, **fields))


def benchmark(*tasks: Task) -> Benchmark:
    return Benchmark("kiosk", policy(), tasks, style="plan")


def write(path: Path, *records: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
    return path
