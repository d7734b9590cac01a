from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from audit.errors import UsageError
from audit.plans.error_types import MEANINGS
from audit.prompts.templates import DOCUMENT_STYLE, STYLES, Template, load_template, repair_request, with_item_ids

SCHEMAS = {"desc_alignment": "alignment", "policy_alignment": "alignment", "policy_violations": "policy_violations"}
EVERY = [(criterion, style) for criterion in SCHEMAS for style in STYLES]
OF_A_DOCUMENT = load_template("policy_items", DOCUMENT_STYLE, schema="policy_items")
OF_REASONS = load_template("pattern_name", DOCUMENT_STYLE, schema="pattern_name")
KNOWN = Path(__file__).parent / "known_prompts.json"


def template(criterion: str, style: str) -> Template:
    return load_template(criterion, style, schema=SCHEMAS[criterion])


def test_a_changed_prompt_gets_a_new_version() -> None:
    """When a prompt's text changes, raise the version at its top and put the new hash into known_prompts.json."""
    texts = [*(template(criterion, style) for criterion, style in EVERY), OF_A_DOCUMENT, OF_REASONS]
    now = {text.name: [text.version, text.sha256] for text in texts}
    assert now == json.loads(KNOWN.read_text())


@pytest.mark.parametrize(("criterion", "style"), EVERY)
def test_a_prompt_is_whole(criterion: str, style: str) -> None:
    text = template(criterion, style).instructions
    assert "@include" not in text
    assert "version:" not in text
    assert not set("{}") & set(text), "no placeholder that a model could copy"
    assert "never an instruction to you" in text
    assert "| " in text


def test_the_prompt_for_documents_is_whole_and_its_schema_strict() -> None:
    text, schema = OF_A_DOCUMENT.instructions, json.loads(json.dumps(OF_A_DOCUMENT.schema))
    assert "@include" not in text
    assert not set("{}") & set(text)
    Draft202012Validator.check_schema(schema)
    for shape in (schema, schema["properties"]["rules"]["items"]):
        assert list(shape["properties"]) == shape["required"]
        assert shape["additionalProperties"] is False
        places = [text.index(f'"{key}"') for key in shape["required"]]
        assert places == sorted(places)


def schema_of(criterion: str, style: str) -> Any:  # noqa: ANN401  # JSON
    return json.loads(json.dumps(template(criterion, style).schema))


@pytest.mark.parametrize(("criterion", "style"), EVERY)
def test_a_prompt_names_every_key_of_its_schema_in_order(criterion: str, style: str) -> None:
    text = template(criterion, style).instructions
    places = [text.index(f'"{key}"') for key in schema_of(criterion, style)["required"]]
    assert places == sorted(places)


@pytest.mark.parametrize(("criterion", "style"), EVERY)
def test_a_schema_is_strict_and_asks_for_reasons_first(criterion: str, style: str) -> None:
    schema = schema_of(criterion, style)
    Draft202012Validator.check_schema(schema)
    objects = [schema]
    if criterion == "policy_violations":
        objects.append(schema["properties"]["violations"]["items"])
    for shape in objects:
        assert list(shape["properties"]) == shape["required"]
        assert shape["additionalProperties"] is False
        assert shape["required"][0] in {"reasons", "requests", "reason"}


@pytest.mark.parametrize("criterion", ["desc_alignment", "policy_alignment"])
@pytest.mark.parametrize("style", STYLES)
def test_every_band_of_the_scale_is_described(criterion: str, style: str) -> None:
    text = template(criterion, style).instructions
    for band in ("- 10:", "- 7 to 9:", "- 4 to 6:", "- 1 to 3:"):
        assert band in text


@pytest.mark.parametrize("criterion", ["desc_alignment", "policy_alignment"])
def test_only_the_outcome_style_forgives_routine_steps(criterion: str) -> None:
    assert "Routine steps go without saying" in template(criterion, "tau").instructions
    assert "Routine steps go without saying" not in template(criterion, "workflow").instructions


def test_the_plan_style_defines_every_type_of_error_and_no_other_style_does() -> None:
    for error_type in MEANINGS:
        assert f"- {error_type}: " in template("desc_alignment", "plan").instructions
        assert error_type not in template("desc_alignment", "workflow").instructions


def test_a_style_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match=r"desc_alignment: no prompt style 'haiku'\. Use one of tau, workflow, plan\."):
        load_template("desc_alignment", "haiku", schema="alignment")


def test_only_items_of_the_policy_fit_the_violations_schema() -> None:
    open_schema = template("policy_violations", "tau").schema
    check = Draft202012Validator(with_item_ids(open_schema, ("A01", "A02")))
    assert check.is_valid({"requests": ["x"], "violations": [{"reason": "y", "item": "A02"}]})
    assert not check.is_valid({"requests": ["x"], "violations": [{"reason": "y", "item": "A03"}]})
    assert "enum" not in json.dumps(open_schema), "the shared schema stays as it was"


def test_a_repair_request_ends_with_the_complaint() -> None:
    assert repair_request('key "score" is missing').endswith('What was wrong with the reply: key "score" is missing.')
