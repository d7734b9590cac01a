"""Small benchmarks of every format, with enough in them for every kind of change."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from audit.inspection import Places, find_source, load
from audit.records.source import Source
from audit.records.task import Benchmark
from tests.loaders import boats, ferries, trams
from tests.plans import kiosk

SAMPLE = "sample/library"
FORMATS = ("sample", "boats", "ferries", "kiosk", "trams", "table")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def locate(name: str, folder: Path) -> Source:
    return find_source(SAMPLE if name == "sample" else str(_MAKERS[name](folder)), _places(name))


def make(name: str, folder: Path) -> Benchmark:
    return load(SAMPLE if name == "sample" else str(_MAKERS[name](folder)), _places(name))


def _places(name: str) -> Places:
    return Places(columns=(("behavior", "Exp. result"), ("state", "state")) if name == "table" else ())


def _boats(folder: Path) -> Path:
    """Tasks with a persona, one file a task, and rows that a task changes itself."""
    tasks = [
        boats.task(
            str(number),
            told=boats.script(reason_for_call=f"You want hire H{number} cancelled on {day}. Ask about the weather."),
            criteria={
                "actions": [boats.action("find_member", arguments={"email": f"m{number}@x"}), boats.action()],
                "nl_assertions": [f"The agent cancels the hire on {day}.", "The agent is told the weather."],
                "communicate_info": [day],
            },
            initial_state={"initialization_data": {"agent_data": {"members": {f"m{number}": {"tier": day}}}}},
        )
        for number, day in enumerate(_DAYS, 1)
    ]
    return boats.write_domain(folder, tasks)


def _ferries(folder: Path) -> Path:
    events = []
    for number, day in enumerate(_DAYS, 1):
        event = ferries.fields(
            number,
            scenario=f"Passenger 'Ada Berg' with ID 'ada_1' holds ticket 'TK100'. She wants to move it to {day}.",
        )
        event["description"]["expected_behaviour"] = (
            f"The agent asks for the ticket number. The agent refuses to move the ticket to {day}, as it is a saver."
        )
        rows = event["database"]["tickets"]
        rows.append({**rows[0], "ticket_id": f"TK20{number}", "fare": "flex"})
        events.append(event)
    return ferries.write_json_run(folder, *events)


def _kiosk(folder: Path) -> Path:
    records: list[dict[str, Any]] = []
    for number, day in enumerate(_DAYS, 1):
        record = kiosk.record(
            id=number,
            query=f"Please bind nine tulips for {day}. I need them reserved for Mrs Oduya.",
            error_reason=f"The call to cut_stems failed on {day}. The plan has to wait for it.",
        )
        records.append(record | {"tag": "Timeout_Error" if number % 2 else "Null_Error"})
    return kiosk.write(folder / "kiosk.jsonl", *records)


def _trams(folder: Path) -> Path:
    tasks = [
        trams.task(
            instruction=f"You are Ola Nord, id rid_1. You want your umbrella F901 back by {day}. Ask what it costs.",
            actions=[
                trams.call("find_rider", email="ola@tram.example", reason=day),
                trams.call("find_rider", email="ben@tram.example", reason=day),
                trams.call(),
            ],
            outputs=[day, "3 euros"],
        )
        for day in _DAYS
    ]
    return trams.write_domain(folder, is_python=False, test=tasks)


def _table(folder: Path) -> Path:
    """A CSV file with a heading that holds a dot, and a file of items beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "id": f"c{number}",
            "scenario": f"You ordered lamp L10{number} and want it delivered on {day}. You have no receipt.",
            "Exp. result": f"The agent moves the delivery of L10{number} to {day}. The agent never asks for a receipt.",
            "state": json.dumps({"lamps": {f"L10{number}": {"lamp_id": f"L10{number}", "day": day}}}),
        }
        for number, day in enumerate(_DAYS, 1)
    ]
    with (folder / "cases.csv").open("w", newline="", encoding="utf-8") as lines:
        writer = csv.DictWriter(lines, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    (folder / "policy.md").write_text("# Lamps\n\n- Deliveries can't be moved twice.\n- Ask for the number.\n")
    return folder / "cases.csv"


_MAKERS = {"boats": _boats, "ferries": _ferries, "kiosk": _kiosk, "trams": _trams, "table": _table}
