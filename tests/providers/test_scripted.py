from __future__ import annotations

import dataclasses
import json
from typing import Any

import jsonschema
import pytest

from audit.errors import ProviderError, UsageError
from audit.errors import ProviderErrorKind as Kind
from audit.providers.examples import Chooser, make_example
from audit.providers.scripted import ScriptedProvider, make_scripted
from audit.records.prompt import Finish, Reply
from audit.records.verdict import Trust
from tests.providers.asking import SCHEMA, ask, get_error, get_reply, make_prompt, provider_for

ITEMS = [f"A{number:02d}" for number in range(1, 31)]
VIOLATIONS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "requests": {"type": "array", "items": {"type": "string"}},
        "violations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"reason": {"type": "string"}, "item": {"type": "string", "enum": ITEMS}},
                "required": ["reason", "item"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["requests", "violations"],
    "additionalProperties": False,
}


def test_a_script_gets_prompt_and_trial_and_its_reply_is_labelled() -> None:
    provider = ScriptedProvider(lambda prompt, trial: f"{prompt.suffix} {trial}")
    reply = get_reply(provider, make_prompt(suffix="T"), trial=2)
    assert (reply.text, reply.finish, reply.model, json.loads(reply.raw)) == (
        "T 2",
        Finish.COMPLETE,
        "test",
        {"text": "T 2"},
    )
    assert (provider.trust, provider.endpoint, provider.model) == (Trust.SCRIPTED, "scripted", "test")


def test_a_script_can_fail_and_every_error_is_a_new_one() -> None:
    planned = ProviderError("Slow down", kind=Kind.RATE_LIMITED, where="w", mend="m", retry_after_s=3)
    first, second = ask(ScriptedProvider(lambda prompt, trial: planned), make_prompt(), make_prompt())
    assert first is not second
    assert str(first) == str(planned)
    assert isinstance(first, ProviderError)
    assert (first.kind, first.retry_after_s) == (Kind.RATE_LIMITED, 3)


def test_a_constant_judge_says_its_number_and_lists_nothing() -> None:
    provider = provider_for("scripted:constant-7")
    assert json.loads(get_reply(provider).text)["score"] == 7
    prompt = dataclasses.replace(make_prompt(), schema=VIOLATIONS)
    assert json.loads(get_reply(provider, prompt).text)["violations"] == []


@pytest.mark.parametrize("schema", [SCHEMA, VIOLATIONS])
def test_a_seeded_judge_fits_the_schema_and_repeats_itself(schema: dict[str, Any]) -> None:
    prompts = [dataclasses.replace(make_prompt(suffix=f"Task {number}"), schema=schema) for number in range(200)]
    first, again = (ask(make_scripted("seeded"), *prompts) for _ in range(2))
    assert first == again
    values = [json.loads(reply.text) for reply in first if isinstance(reply, Reply)]
    for value in values:
        jsonschema.validate(value, schema)
    assert len({json.dumps(value) for value in values}) > 5


def test_a_seeded_judge_names_different_items_and_mostly_few() -> None:
    prompts = [dataclasses.replace(make_prompt(suffix=f"Task {n}"), schema=VIOLATIONS) for n in range(200)]
    replies = [reply for reply in ask(make_scripted("seeded"), *prompts) if isinstance(reply, Reply)]
    lists = [[entry["item"] for entry in json.loads(reply.text)["violations"]] for reply in replies]
    assert all(len(set(ids)) == len(ids) and set(ids) <= set(ITEMS) for ids in lists)
    assert {0, 1, 2} <= {len(ids) for ids in lists}
    assert sum(map(len, lists)) < 2 * len(lists)


def test_a_seeded_judge_differs_between_trials_and_tasks() -> None:
    provider = make_scripted("seeded")
    texts = {get_reply(provider, trial=trial).text for trial in range(20)}
    assert len(texts) > 5


def test_the_other_scripts_give_no_verdict() -> None:
    refusal = get_reply(make_scripted("refuses"))
    assert refusal.finish is Finish.REFUSED
    garbage = get_reply(make_scripted("garbage"))
    with pytest.raises(json.JSONDecodeError):
        json.loads(garbage.text)


@pytest.mark.parametrize("name", ["constant", "constant-x", "constant--1", "nobody"])
def test_an_unknown_script_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(UsageError, match="Known are constant-N, seeded, refuses, garbage"):
        provider_for(f"scripted:{name}")


def test_failing_is_reported_by_the_helper_too() -> None:
    provider = ScriptedProvider(lambda prompt, trial: ProviderError("no", kind=Kind.SERVER))
    assert get_error(provider).kind is Kind.SERVER


@pytest.mark.parametrize(
    ("schema", "least"),
    [
        ({"const": 4}, 4),
        ({"enum": ["b", "a"]}, "b"),
        ({"type": "boolean"}, False),
        ({"type": "null"}, None),
        ({"type": "integer", "minimum": 3}, 3),
        ({"type": "number", "minimum": 0.5, "maximum": 1}, 0.5),
        ({"type": "string"}, "Scripted text: no model was asked."),
        ({"anyOf": [{"type": "null"}, {"type": "string"}]}, None),
        ({"$ref": "#/$defs/x", "$defs": {"x": {"type": "integer", "minimum": 2}}}, 2),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, [0, 0]),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 0}, []),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, []),
        ({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1}, ["a"]),
        ({"type": "array", "items": {"type": "object", "properties": {}}}, []),
        ({"type": "object"}, {}),
    ],
)
def test_the_least_value_of_a_schema(schema: dict[str, Any], least: object) -> None:
    assert make_example(schema, Chooser()) == least
    jsonschema.validate(least, schema)


def test_random_values_fit_every_kind_of_schema() -> None:
    import numpy as np  # noqa: PLC0415

    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "b": {"type": "boolean"},
            "n": {"type": "number", "minimum": 0, "maximum": 1},
            "l": {"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 1, "maxItems": 2},
            "s": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 4},
        },
        "required": ["b", "n", "l", "s"],
    }
    for seed in range(50):
        jsonschema.validate(make_example(schema, Chooser(rng=np.random.default_rng(seed))), schema)


def test_what_is_no_schema_is_a_caller_s_mistake() -> None:
    with pytest.raises(ValueError, match="a JSON Schema was expected"):
        make_example({"type": "array", "items": "string"}, Chooser())
