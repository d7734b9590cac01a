"""A small domain of our own, a ferry line, as a folder that IntellAgent could have written."""

from __future__ import annotations

import copy
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from audit.loaders.registry import load_benchmark
from audit.records.task import Benchmark
from audit.sources.resolve import resolve_source
from tests.loaders.pickles import dumps, event, graph

POLICY = """# Ferry line

The current time is 2031-05-10 09:00:00.

- Crossings with the status "delayed" can't be sold.
- Saver tickets can't be moved. Flex tickets can, by members with a bronze or silver card.
- Ask for the ticket number.
"""
TODAY = POLICY.replace("- Ask for the ticket number.\n", "")
DATASET = "dataset__10_05_2031_09_00_00"


def rows() -> dict[str, list[dict[str, Any]]]:
    """Return a sound database: one passenger with one ticket for one crossing."""
    return {
        "passengers": [
            {
                "passenger_id": "ada_1",
                "name": "{'first': 'Ada', 'last': 'Berg'}",
                "card": "silver",
                "payment_methods": '{"pay_1": {"kind": "voucher"}}',
                "tickets": ["TK100"],
            }
        ],
        "crossings": [
            {
                "crossing_number": "CR7",
                "origin": "Kiel",
                "destination": "Oslo",
                "dates": {"2031-06-01": {"status": "open"}},
            }
        ],
        "tickets": [
            {
                "ticket_id": "TK100",
                "passenger_id": "ada_1",
                "fare": "saver",
                "legs": [{"crossing_number": "CR7", "origin": "Kiel", "destination": "Oslo", "date": "2031-06-01"}],
                "payment_history": [{"payment_id": "pay_1", "amount": 90}],
                "created_at": 1935457219000,
            }
        ],
    }


def fields(number: int = 1, **changes: Any) -> dict[str, Any]:  # noqa: ANN401  # any field
    """Return an event as plain dictionaries; ``changes`` replace its fields."""
    scores = [2, 3]
    made = {
        "id": number,
        "scenario": f"Passenger 'Ada Berg' with ID 'ada_1' wants to move ticket 'TK100' to day {number}.",
        "description": {
            "event_description": f"A passenger wants to move a ticket to day {number}.",
            "expected_behaviour": "The agent refuses, for saver tickets stay as they are.",
            "policies": [{"flow": "Move", "policy": f"Rule {n}", "score": score} for n, score in enumerate(scores)],
            "challenge_level": sum(scores),
        },
        "database": rows(),
        **changes,
    }
    return copy.deepcopy(made)


def write_run(  # noqa: PLR0913  # what a run may hold
    folder: Path,
    *events: dict[str, Any],
    prompt: str | None = POLICY,
    today: str | None = None,
    dataset: str = DATASET,
    module: str = "simulator.dataset.definitions",
) -> Path:
    """Write an output folder below ``folder`` and return it."""
    run = folder / "run"
    made = [event(module=module, **one) for one in events or (fields(),)]
    put(run / "datasets" / f"{dataset}.pickle", dumps((made, 3, 0.5)))
    if prompt is not None:
        config = {"llm_description": {"type": "x", "name": "gpt-test"}, "llm_policy": {"name": "gpt-test"}}
        content = dumps(graph(prompt=prompt, config=config))
        put(run / "policies_graph" / "descriptions_generator.pickle", content)
    if today is not None:
        put(folder / "input" / "wiki.md", today.encode())
    return run


def write_json_run(folder: Path, *events: dict[str, Any], prompt: str = POLICY) -> Path:
    """Write the same folder as converted to JSON."""
    made = [copy.deepcopy(one) for one in events or (fields(),)]
    for one in made:
        one["database"] = {
            name: {"columns": list(dict.fromkeys(column for row in found for column in row)), "rows": found}
            for name, found in one["database"].items()
        }
    put(folder / "events.json", json.dumps({"events": made}).encode())
    config = {"llm_description": {"type": "x", "name": "gpt-test"}, "llm_policy": {"name": "gpt-test"}}
    put(folder / "policy_graph.json", json.dumps({"config": config, "prompt": prompt}).encode())
    return folder


def put(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def write_memory(run: Path, *ends: str, dataset: str = DATASET) -> Path:
    """Write the dialogs of an experiment, each with this last message."""
    path = put(run / "experiments" / f"{dataset}__exp_1" / "memory.db", b"")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE Dialog (thread_id TEXT, role TEXT, message TEXT, time INTEGER)")
        for number, end in enumerate(ends):
            connection.execute("INSERT INTO Dialog VALUES (?, 'Human', 'Hello', 1)", (f"t{number}",))
            connection.execute("INSERT INTO Dialog VALUES (?, 'Human', ?, 2)", (f"t{number}", end))
        connection.commit()
    return path


def load(path: Path, **places: Any) -> Benchmark:  # noqa: ANN401  # any place
    return load_benchmark(resolve_source(str(path), **places))
