from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from audit.records.check import CheckResult
from audit.reports.findings_json import render, rules_document
from tests.conftest import REPO
from tests.reports import checked, hostile


def document(result: CheckResult) -> Any:  # noqa: ANN401  # any JSON
    return json.loads(render(result))


def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads((REPO / "docs" / "schema" / "findings-1.json").read_text(encoding="utf-8"))
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("result", [checked.small(), checked.clean(), checked.everywhere("<script>")])
def test_output_keeps_the_published_schema(result: CheckResult) -> None:
    validator().validate(document(result))


@pytest.mark.parametrize("name", sorted(hostile.STRINGS))
def test_a_hostile_text_comes_back_as_it_was(name: str) -> None:
    text = hostile.STRINGS[name]
    found = document(checked.everywhere(text))["findings"][0]
    assert found["what"] == found["task_id"] == found["evidence"][0]["label"] == text


def test_the_schema_refuses_what_it_does_not_describe() -> None:
    changes: tuple[dict[str, Any], ...] = ({"format_version": 2}, {"extra": 1}, {"findings": [{}]}, {"fail_on": "all"})
    for change in changes:
        assert not validator().is_valid({**document(checked.small()), **change})


def test_counts_agree_with_the_findings() -> None:
    made = document(checked.small())
    assert made["counts"]["by_severity"] == {"error": 2, "warning": 3, "note": 1}
    assert made["counts"]["by_certainty"] == {"proved": 3, "likely": 1, "judged": 2}
    assert sum(made["counts"]["by_rule"].values()) == len(made["findings"])
    assert (made["fail_on"], made["n_failing"]) == ("error", 2)


def test_a_finding_has_its_fingerprint_and_both_names_of_its_file() -> None:
    result = checked.small()
    first = document(result)["findings"][0]
    assert first["fingerprint"] == result.findings[0].fingerprint
    assert (first["file"], first["path"], first["line"]) == ("tasks.json", "library/tasks.json", 12)


def test_rules_alone_are_a_document_too() -> None:
    made = json.loads(rules_document(checked.RULES))
    assert made["format"] == "bench-audit/rules"
    assert [rule["id"] for rule in made["rules"]] == [rule.id for rule in checked.RULES]
