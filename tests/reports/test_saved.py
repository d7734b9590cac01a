"""Runs and studies, written as JSON and read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.errors import LoadError
from audit.loaders.saved_run import NO_TEXTS, read_run, run_of
from audit.loaders.saved_study import study_of
from audit.records.run import RunResult
from audit.reports import study_html, study_json, to_html, to_json
from tests.reports import checked, hostile, runs, studies
from tests.reports.parsed import parse
from tests.reports.test_to_json import schema

MAKERS = (runs.small, runs.panel, runs.offline, checked.audited)


def saved(result: RunResult) -> Any:  # noqa: ANN401  # any JSON
    return json.loads(to_json.render(result))


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_a_saved_run_gives_the_page_of_the_run(make: Callable[[], RunResult], tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(to_json.render(make()))
    again = read_run(path)
    assert to_html.render(again) == to_html.render(make())
    assert json.loads(to_json.render(again)) == json.loads(path.read_bytes())


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "\u202e\x00\x1b[31m", "{{ 7 * 7 }}", "'\"`"])
def test_hostile_texts_come_back_and_keep_the_schema(text: str) -> None:
    document = saved(hostile.everywhere(text))
    jsonschema.Draft202012Validator(schema()).validate(document)
    page = to_html.render(run_of(document, where="x"))
    assert b"<script>alert" not in page


def test_a_run_without_texts_says_so_and_shows_the_rest() -> None:
    document = saved(checked.audited())
    del document["material"]
    jsonschema.Draft202012Validator(schema()).validate(document)
    result = run_of(document, where="x")
    page = parse(to_html.render(result)).one("verdict").text
    assert NO_TEXTS in page
    assert {task.id for task in result.benchmark.tasks} == {task.id for task in checked.audited().benchmark.tasks}


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("scores",), [{}], "scores.0.metric"),
        (("material", "tasks", 0, "policy"), 7, "no policy number 7"),
        (("material", "tasks"), [], "not those that it lists"),
        (("tasks", 0, "id"), "other", "not those that it lists"),
        (("format_version",), 2, "format_version"),
        (("benchmark", "n_available"), 10**12, "n_available"),
        (("scores", 1, "value"), 1e308, r"scores\.1\.value: the number is too great"),
        (("scores", 0, "scale"), [1, -1], "has the scale 1 to -1"),
        (("scores", 0, "scale"), [0, 1_000_000], "has the scale 0 to 1000000"),
        (("scores", 0, "by_task"), {"t1": 11}, "task t1 has 11 on desc_alignment, which is off its scale"),
        (("panel", "agreements", 0, "judges"), ["a", "b"], "its panel has no judge a"),
    ],
)
def test_damaged_runs_are_refused_with_their_place(place: tuple[Any, ...], value: object, said: str) -> None:
    document = saved(runs.panel() if "panel" in place else runs.small())
    node = document
    for step in place[:-1]:
        node = node[step]
    node[place[-1]] = value
    with pytest.raises(LoadError, match=said):
        run_of(document, where="run.json")


def test_a_row_of_the_benchmark_may_hold_any_number() -> None:
    document = saved(runs.small())
    document["material"]["tasks"][0]["rows"] = [
        {
            "table": "stars",
            "key": "1",
            "value": {"kg": 2e30},
            "origin": {"file": "db.json", "field": "", "task_id": None},
        }
    ]
    assert run_of(document, where="run.json").benchmark.tasks[0].rows[0].value == {"kg": 2e30}


def test_a_saved_study_gives_the_page_of_the_study(tmp_path: Path) -> None:
    result = studies.study()
    path = tmp_path / "study.json"
    path.write_bytes(study_json.render(result))
    again = study_of(json.loads(path.read_bytes()), where=str(path))
    assert study_html.render(again) == study_html.render(result)
    assert json.loads(study_json.render(again)) == json.loads(path.read_bytes())


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("tables", 0, "name"), "../x", "tables.0.name"),
        (("figures", 0, "table"), "lost", "figures without a table"),
        (("tables", 0, "rows", 0, "cells"), {}, "is no saved study"),
        (("kind",), "a/b", "kind"),
        (("summary",), None, "summary"),
        (("figures", 0, "series", 0, "points", 0, "place"), -1e300, "points.0.place: the number is too great"),
    ],
)
def test_damaged_studies_are_refused(place: tuple[Any, ...], value: object, said: str) -> None:
    document: Any = json.loads(study_json.render(studies.study()))
    node = document
    for step in place[:-1]:
        node = node[step]
    node[place[-1]] = value
    with pytest.raises(LoadError, match=said):
        study_of(document, where="study.json")


def test_a_figure_that_points_nowhere_is_refused() -> None:
    document: Any = json.loads(study_json.render(studies.study()))
    (figure,) = [each for each in document["figures"] if each["kind"] == "dots"]
    figure["series"][0]["points"][0]["place"] = 99
    with pytest.raises(LoadError, match="no place 99"):
        study_of(document, where="study.json")
