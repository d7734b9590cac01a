"""Whatever is wrong with one field of a task, checking it gives findings or one clear line: from file to report."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.checks.registry import RULES
from audit.errors import AuditError
from audit.pipeline import Places, check_benchmark, find_source, load
from audit.records.finding import MAX_EVIDENCE
from audit.reports.finding_formats import FINDING_FORMATS
from audit.sources.listing import list_known
from tests.fuzz.altered import DROP, HOSTILE, ODD, Pool, alter, at, places, retyped

FORMATS = ("text", "json", "sarif")
ORDINARY = 40
N_EXAMPLES = settings().max_examples if settings.get_current_profile_name() == "fuzz" else ORDINARY
MANY = settings(max_examples=N_EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


@lru_cache(maxsize=16)
def pool(name: str, data_dir: Path | None) -> Pool | None:
    """Return a benchmark's tasks; ``None`` where its files are not there."""
    places = Places(data_dir=data_dir)
    try:
        source, benchmark = find_source(name, places), load(name, places)
    except AuditError:
        return None
    raw = tuple(task.raw for task in benchmark.tasks)
    is_json = source.database is not None and source.database.suffix == ".json"
    database = json.loads(source.database.read_text(encoding="utf-8")) if source.database and is_json else None
    return Pool(source, benchmark, raw, database)


@lru_cache(maxsize=1)
def real_pools(data: Path) -> dict[str, Pool]:
    names = [known.name for known in list_known() if known.name.startswith("tau3/")]
    return {name: found for name in names if (found := pool(name, data / "tau3")) is not None}


def draw_altered(data: st.DataObject, chosen: Pool) -> tuple[int, list[Any]]:
    """Draw a task, a place in it and what is put there; return the task's number and the altered task in a list."""
    number = data.draw(st.integers(0, len(chosen.raw) - 1), label="task")
    raw = chosen.raw[number]
    path = data.draw(st.sampled_from(list(places(raw))), label="path")
    change = data.draw(
        st.one_of(
            st.sampled_from([DROP, None]),
            st.sampled_from(retyped(at(raw, path))),
            st.sampled_from(ODD),
            st.sampled_from(HOSTILE),
            st.text(max_size=40),
        ),
        label="change",
    )
    return number, alter(raw, path, change)


def check_folder(folder: Path, chosen: Pool) -> str:
    """Go the whole way from files to reports; return ``findings`` or ``error``."""
    try:
        benchmark = load(str(folder), Places(policy=chosen.policy, tools=chosen.source.tools))
    except AuditError as error:
        said = str(error)
        assert said.strip()
        assert "\n" not in said
        return "error"
    result = check_benchmark(benchmark, root=folder)
    for finding in result.findings:
        assert finding.rule in RULES
        assert all(len(value) <= MAX_EVIDENCE for _, value in finding.evidence)
    written = {name: FINDING_FORMATS[name](result) for name in FORMATS}
    assert len(json.loads(written["json"])["findings"]) == len(result.findings)
    assert json.loads(written["sarif"])["version"] == "2.1.0"
    assert written["text"].decode("utf-8").strip()
    return "findings"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples, which write over one another's files."""
    return tmp_path_factory.mktemp("fuzz")


@MANY
@given(data=st.data())
def test_a_sample_task_with_one_bad_field_gives_findings_or_one_line(folder: Path, data: st.DataObject) -> None:
    chosen = pool("sample/library", None)
    assert chosen is not None
    number, altered = draw_altered(data, chosen)
    check_folder(chosen.write(chosen.prepare(folder / chosen.source.name.replace("/", "-")), number, altered), chosen)


@MANY
@given(data=st.data())
def test_a_real_task_with_one_bad_field_gives_findings_or_one_line(
    folder: Path, real_data: Path, data: st.DataObject
) -> None:
    pools = real_pools(real_data)
    chosen = pools[data.draw(st.sampled_from(sorted(pools)), label="benchmark")]
    number, altered = draw_altered(data, chosen)
    check_folder(chosen.write(chosen.prepare(folder / chosen.source.name.replace("/", "-")), number, altered), chosen)


def test_a_sound_task_goes_the_whole_way_and_a_broken_one_stops_with_a_line(folder: Path) -> None:
    """The properties above can fail: both outcomes occur."""
    chosen = pool("sample/library", None)
    assert chosen is not None
    own = chosen.prepare(folder / "both")
    assert check_folder(chosen.write(own, 1, [chosen.raw[1]]), chosen) == "findings"
    assert check_folder(chosen.write(own, 1, alter(chosen.raw[1], ("id",), DROP)), chosen) == "error"


def test_real_tasks_load_with_a_pruned_database(folder: Path, real_data: Path) -> None:
    for number, chosen in enumerate(real_pools(real_data).values()):
        own = chosen.prepare(folder / f"sound-{number}")
        assert check_folder(chosen.write(own, 1, [chosen.raw[1]]), chosen) == "findings"
