"""Documents of smaller commands against the schemas that docs/schema publishes for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.perturbations.registry import PERTURBATIONS
from tests.cli.conftest import Cli

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schema"
SAMPLE = "sample/library"


def schema(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def assert_it_keeps(document: dict[str, Any], name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    checked = jsonschema.Draft202012Validator(schema(name))
    checked.validate(document)
    assert not checked.is_valid({**document, "format_version": 99})
    assert not checked.is_valid({**document, "more": 1})


@pytest.mark.parametrize("kind", PERTURBATIONS)
def test_the_record_of_a_perturbation_keeps_its_schema(cli: Cli, kind: str) -> None:
    other = ("--with", "mine") if PERTURBATIONS[kind].needs_other else ()
    if other:
        assert cli("new-benchmark", "mine").code == 0
    assert_it_keeps(cli("perturb", SAMPLE, kind, *other, "--format", "json").json, "perturbation-1")


def test_the_plan_of_a_run_keeps_its_schema_and_is_one_with_that_of_a_study(cli: Cli) -> None:
    judges = ("--judge", "scripted:seeded", "--store", "v.sqlite3")
    assert_it_keeps(cli("score", SAMPLE, *judges, "--dry-run", "--format", "json").json, "plan-2")
    assert_it_keeps(cli("score", SAMPLE, "--dry-run", "--format", "json").json, "plan-2")
    assert schema("plan-2")["$defs"]["plan"] == schema("study-plan-1")["$defs"]["plan"]


def test_disagreements_keep_their_schema(cli: Cli) -> None:
    Path("r.csv").write_text(
        "task_id,desc_alignment:a,desc_alignment:b,policy_violations:a,policy_violations:b\n1,9,2,L01,none\n2,5,5,,\n"
    )
    document = cli("annotate", "adjudicate", "r.csv", "--format", "json").json
    assert len(document["disagreements"]) == 2
    assert_it_keeps(document, "disagreements-1")
