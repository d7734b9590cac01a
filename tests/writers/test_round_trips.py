"""Whatever the tasks say: loaded, written in the same format and loaded again, they are the same records."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.inspection import Places, find_source
from audit.loaders.registry import load_benchmark
from audit.records.source import Source
from audit.records.task import Benchmark
from audit.sources.resolve import resolve_source
from audit.writers.registry import find_writer
from tests.loaders import boats, sheets, trams
from tests.plans import kiosk

PROPERTY = settings(
    deadline=None, max_examples=25, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
PLAIN = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.text(PLAIN, min_size=1, max_size=30).filter(lambda text: bool(text.strip()))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(TEXTS, VALUES, max_size=3)
N = 4
KEPT = st.lists(st.integers(0, N - 1), min_size=1, unique=True)
"""Places of the tasks that are written, of ``N``."""


def again(source: Source, kept: list[int], folder: Path) -> tuple[Benchmark, Benchmark]:
    """Write some tasks and return the benchmark with them as it was and as it loads."""
    before = load_benchmark(source)
    chosen = replace(before, tasks=tuple(before.tasks[place] for place in sorted(kept)))
    folder.mkdir()
    find_writer(source.loader).write(source, chosen, folder=folder)
    return chosen, load_benchmark(find_source(str(folder), Places()))


def check_equal(before: Benchmark, after: Benchmark) -> None:
    assert after.tasks == before.tasks
    assert [task.raw for task in after.tasks] == [task.raw for task in before.tasks]
    assert (after.policy.text, after.policy.items) == (before.policy.text, before.policy.items)
    assert (after.tools, after.database, after.style) == (before.tools, before.database, before.style)


@PROPERTY
@given(st.lists(st.tuples(TEXTS, ARGUMENTS, st.lists(TEXTS, max_size=2)), min_size=N, max_size=N), KEPT, st.booleans())
def test_tau_tasks_in_one_file_or_a_file_each(
    tmp_path_factory: pytest.TempPathFactory,
    told: list[tuple[str, dict[str, Any], list[str]]],
    kept: list[int],
    is_split: bool,  # noqa: FBT001  # drawn
) -> None:
    folder = tmp_path_factory.mktemp("tau")
    tasks = [
        boats.task(
            f"t{n}",
            told=text,
            criteria={"actions": [boats.action(arguments=arguments)], "nl_assertions": asserted},
        )
        for n, (text, arguments, asserted) in enumerate(told)
    ]
    boats.write_domain(folder / "in", tasks)
    if is_split:
        (folder / "in" / "tasks.json").unlink()
        for task in tasks:
            boats.write_json(folder / "in" / "tasks" / f"{task['id']}.json", task)
    check_equal(*again(resolve_source(str(folder / "in")), kept, folder / "out"))


@PROPERTY
@given(TEXTS, st.integers(0, 10**9), KEPT)
def test_tau_tasks_beside_a_database_in_toml(
    tmp_path_factory: pytest.TempPathFactory, name: str, fee: int, kept: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("toml")
    boats.write_domain(folder / "in", [boats.task(str(n)) for n in range(N)], skip=("db",))
    text = json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")
    (folder / "in" / "db.toml").write_text(f"[members.mem_1]\nname = {text}\nfee = {fee}\n", encoding="utf-8")
    check_equal(*again(resolve_source(str(folder / "in")), kept, folder / "out"))


@PROPERTY
@given(st.lists(st.tuples(TEXTS, ARGUMENTS, st.lists(TEXTS, max_size=2)), min_size=N, max_size=N), KEPT, st.booleans())
def test_tau1_tasks_in_python_and_json(
    tmp_path_factory: pytest.TempPathFactory,
    told: list[tuple[str, dict[str, Any], list[str]]],
    kept: list[int],
    is_python: bool,  # noqa: FBT001  # drawn
) -> None:
    folder = tmp_path_factory.mktemp("tau1")
    tasks = [
        trams.task(instruction=text, actions=[{"name": "hand_out", "kwargs": arguments}], outputs=outputs)
        for text, arguments, outputs in told
    ]
    trams.write_domain(folder / "in", is_python=is_python, test=tasks)
    check_equal(*again(resolve_source(str(folder / "in")), kept, folder / "out"))


CELLS = st.tuples(TEXTS, st.text(PLAIN, max_size=30), st.text(PLAIN, max_size=10))


@PROPERTY
@given(st.lists(CELLS, min_size=N, max_size=N), KEPT, st.sampled_from([",", ";", "\t"]), st.booleans())
def test_rows_of_a_spreadsheet_with_and_without_ids(
    tmp_path_factory: pytest.TempPathFactory,
    cells: list[tuple[str, str, str]],
    kept: list[int],
    separator: str,
    has_ids: bool,  # noqa: FBT001  # drawn
) -> None:
    folder = tmp_path_factory.mktemp("csv")
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator)
    writer.writerow([*(["Nr"] if has_ids else []), "What", "Then", "tags"])
    writer.writerows([*([f"A{n}"] if has_ids else []), *row] for n, row in enumerate(cells))
    path = sheets.write(folder / "in", text.getvalue(), "cases.tsv" if separator == "\t" else "cases.csv")
    columns = (("description", "What"), ("behavior", "Then"))
    check_equal(*again(find_source(str(path), Places(columns=columns)), kept, folder / "out"))


RECORDS = st.fixed_dictionaries(
    {"task": TEXTS, "answer": TEXTS | st.lists(TEXTS, min_size=1, max_size=2), "state": VALUES},
    optional={"more": VALUES},
)


@PROPERTY
@given(
    st.lists(RECORDS, min_size=N, max_size=N),
    KEPT,
    st.sampled_from(["x.json", "x.jsonl"]),
    st.sampled_from([None, 1]),
    st.booleans(),
)
def test_records_of_json_with_and_without_ids(
    tmp_path_factory: pytest.TempPathFactory,
    records: list[dict[str, Any]],
    kept: list[int],
    name: str,
    indent: int | None,
    has_ids: bool,  # noqa: FBT001  # drawn
) -> None:
    folder = tmp_path_factory.mktemp("json")
    named = [{**({"id": f"A{n}"} if has_ids else {}), **record} for n, record in enumerate(records)]
    lines = "".join(json.dumps(record) + "\n" for record in named)
    path = sheets.write(folder / "in", lines if name == "x.jsonl" else json.dumps(named, indent=indent), name)
    check_equal(*again(find_source(str(path), Places()), kept, folder / "out"))


@PROPERTY
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=N, max_size=N), KEPT)
def test_plans_a_line_each(
    tmp_path_factory: pytest.TempPathFactory, told: list[tuple[str, str]], kept: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("plans")
    records = [kiosk.record(id=n, query=text, error_reason=reason) for n, (text, reason) in enumerate(told)]
    path = kiosk.write(folder / "in" / kiosk.FILE, *records)
    check_equal(*again(resolve_source(str(path)), kept, folder / "out"))
