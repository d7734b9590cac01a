from __future__ import annotations

import dataclasses
import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jsonschema
import pytest

from audit.records.run import RunResult
from audit.records.verdict import Trust, VerdictState
from audit.reports import numbers, to_html, to_json
from audit.reports.plain import fields_of, pretty, to_plain
from tests.reports import checked, hostile, runs
from tests.reports.parsed import parse

DOCS = Path(__file__).resolve().parents[2] / "docs"
MAKERS = (runs.small, runs.offline, runs.scripted, runs.no_items, runs.panel)


def document(result: RunResult) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(to_json.render(result), parse_constant=_refuse)
    return loaded


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


def schema() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((DOCS / "schema" / "run-1.json").read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_real_output_keeps_the_published_schema(make: Callable[[], RunResult]) -> None:
    jsonschema.Draft202012Validator(schema()).validate(document(make()))


def test_hostile_output_keeps_the_schema_too() -> None:
    jsonschema.Draft202012Validator(schema()).validate(document(hostile.everywhere("<script>")))


def test_the_schema_refuses_what_it_does_not_describe() -> None:
    validator = jsonschema.Draft202012Validator(schema())
    changes: tuple[dict[str, Any], ...] = ({"format_version": 2}, {"extra": 1}, {"scores": [{}]})
    for change in changes:
        assert not validator.is_valid({**document(runs.small()), **change})


def test_the_schema_names_every_state_and_trust_that_the_records_have() -> None:
    definitions = schema()["$defs"]
    assert definitions["state"]["enum"] == [state.value for state in VerdictState]
    assert definitions["trust"]["enum"] == [trust.value for trust in Trust]


def test_the_document_names_its_format_and_every_top_field_is_explained() -> None:
    content = document(runs.panel())
    assert (content["format"], content["format_version"]) == ("bench-audit/run", 1)
    text = (DOCS / "json-format.md").read_text(encoding="utf-8")
    assert [name for name in content if f"`{name}`" not in text] == []


def test_verdicts_hold_everything_that_is_known_of_them() -> None:
    result = runs.small()
    verdicts = document(result)["verdicts"]
    assert len(verdicts) == len(result.verdicts)
    for made, verdict in zip(verdicts, result.verdicts, strict=True):
        assert set(made) == {field.name for field in dataclasses.fields(verdict)} - {"is_shared"}
    lost = verdicts[2]
    assert (lost["state"], lost["score"], lost["violated"]) == ("timeout", None, None)
    assert verdicts[0]["usage"]["cached_tokens"] == 900


def test_offline_numbers_are_labelled_in_every_object_that_holds_them() -> None:
    content = document(runs.offline())
    assert content["trust"] == ["offline (heuristic)"]
    assert content["summary"]["trust"] == "offline (heuristic)"
    measured = [score for score in content["scores"] if score["value"] is not None]
    labelled = [*measured, *content["verdicts"], *(task["lowest"] for task in content["tasks"])]
    assert {one["trust"] for one in labelled} == {"offline (heuristic)"}


def test_the_map_and_the_charts_are_in_the_document() -> None:
    content = document(runs.small())
    (found,) = content["policy_challenges"]
    assert {item["id"]: item["n_tasks"] for item in found["items"] if item["n_tasks"]} == {"P02": 2, "P05": 1}
    assert found["items"][1]["share_of_trials_by_task"] == {"0": 1.0, "2": 1.0}
    bars = content["scores"][0]["distribution"]
    assert sum(bar["n_tasks"] for bar in bars) == content["scores"][0]["n_used"]


def test_tasks_stand_in_reading_order() -> None:
    assert [task["id"] for task in document(runs.small())["tasks"]] == ["1", "0", "2"]
    assert document(runs.small())["tasks"][2]["lowest"] is None


def test_no_key_or_path_of_this_machine_is_in_the_document() -> None:
    assert b"/home/" not in to_json.render(runs.panel())
    assert str(Path.cwd()).encode() not in to_json.render(runs.panel())


def test_only_records_and_json_values_become_plain() -> None:
    with pytest.raises(TypeError, match="not a record: object"):
        to_plain(object())
    with pytest.raises(TypeError, match="not a record: type"):
        fields_of(RunResult)
    with pytest.raises(TypeError, match="not a JSON value"):
        pretty({"a": object()})
    with pytest.raises(ValueError, match="must be None"):
        to_plain(float("inf"))


def test_rows_of_read_only_mappings_are_shown() -> None:
    assert pretty(MappingProxyType({"a": deque([1])})) == '{\n\t"a": [\n\t\t1\n\t]\n}'  # fmt: skip


def test_findings_and_replays_are_in_the_document_with_their_counts() -> None:
    made = document(checked.audited())
    jsonschema.Draft202012Validator(schema()).validate(made)
    assert made["findings"]["counts"]["by_severity"] == {"error": 2, "warning": 3, "note": 1}
    assert len(made["findings"]["findings"]) == 6
    assert {task["id"]: task["n_findings"]["error"] for task in made["tasks"]} == {"0": 1, "2": 1, "1": 0}
    replays = {task["id"]: task["replay"] for task in made["tasks"]}
    assert replays["0"] == [{"error": "renewals used up", "detail": "2 of 2", "changed": []}]
    assert replays["1"][0]["changed"] == [["loans", "L001"]]
    assert document(runs.small())["findings"] is None
    assert {task["replay"] for task in document(runs.small())["tasks"]} == {None}


def test_tasks_with_errors_come_first() -> None:
    assert [task["id"] for task in document(checked.audited())["tasks"]] == ["0", "2", "1"]


def test_pairs_of_scores_add_up_to_the_tasks_that_both_judged() -> None:
    (pair,) = document(runs.panel())["panel"]["score_pairs"]
    assert sum(n for _, _, n in pair["n_tasks"]) == 47


def audited_panel() -> RunResult:
    return dataclasses.replace(runs.panel(), checked=checked.small())


@pytest.mark.parametrize("make", [*MAKERS, audited_panel, checked.audited], ids=lambda make: make.__name__)
def test_every_number_of_the_page_is_in_the_document(make: Callable[[], RunResult]) -> None:
    run = make()
    shown = numbers_of_page(run)
    assert len(shown) > 12
    assert shown - set(numbers_in(document(run))) == set()


@pytest.mark.parametrize("part", ["scores", "panel", "answers", "tally", "policy_challenges"])
def test_a_number_that_only_the_page_had_would_be_found(part: str) -> None:
    run = audited_panel()
    rest = {name: value for name, value in document(run).items() if name != part}
    assert numbers_of_page(run) - set(numbers_in(rest))


def numbers_of_page(run: RunResult) -> set[str]:
    """Every number in a table or fact of the page; hashes, dates and versions are none."""
    root = parse(to_html.render(run))
    here = {section.attributes["id"] for section in root.all("section") if "id" in section.attributes}
    places = [
        root.one(id_)
        for id_ in ("verdict", "findings", "panel", "metrics", "coverage", "tasks", "method")
        if id_ in here
    ]
    cells = [
        cell.text
        for place in places
        for cell in (*place.all("td", cls="num"), *place.all(cls="value"), *place.all("dd"), *place.all("strong"))
    ]
    text = "\n".join(cells).replace(numbers.moment(run.created_at), "").replace(run.tool_version, "")
    found = re.findall(r"(?<![\w.:-])\d[\d,]*(?:\.\d+)?%?(?![\w:])", text)
    return {each.rstrip(",") for each in found if len(each) < 20}


def numbers_in(value: object) -> Iterator[str]:
    """Every number of a document as a page may write it, and the lengths of its lists."""
    if isinstance(value, dict):
        yield from (text for inner in value.values() for text in numbers_in(inner))
    elif isinstance(value, list):
        yield f"{len(value):,}"
        yield from (text for inner in value for text in numbers_in(inner))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from (numbers.fixed(value), numbers.trimmed(value), numbers.percent(value), numbers.percent(value, 0))
        yield f"{value:,}"
