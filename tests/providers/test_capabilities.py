from __future__ import annotations

import pytest

from audit.providers.capabilities import FACTS, Capabilities, Feature, alias_note, find_facts, refused_features


@pytest.mark.parametrize(
    ("vendor", "model", "refused", "is_reasoning"),
    [
        ("openai", "gpt-5.4", {Feature.TEMPERATURE}, True),
        ("openai", "o3-mini", {Feature.TEMPERATURE}, True),
        ("openai", "gpt-5.1-chat-latest", {Feature.TEMPERATURE}, False),
        ("openai", "gpt-4o-2024-08-06", set(), False),
        ("openai", "gpt-4.1-mini", set(), False),
        ("openai", "gpt-4-turbo", {Feature.JSON_SCHEMA}, False),
        ("openai", "gpt-4", {Feature.JSON_SCHEMA, Feature.JSON_OBJECT}, False),
        ("anthropic", "claude-sonnet-4-5", set(), False),
        ("anthropic", "claude-sonnet-4-20250514", {Feature.JSON_SCHEMA}, False),
        ("anthropic", "claude-3-5-haiku-20241022", {Feature.JSON_SCHEMA}, False),
        ("google", "gemini-2.0-flash", set(), False),
        ("google", "models/gemini-2.5-pro", set(), True),
    ],
)
def test_facts_of_known_models(vendor: str, model: str, refused: set[Feature], is_reasoning: bool) -> None:
    facts, is_known = find_facts(vendor, model, is_own=True)
    assert (is_known, set(facts.refused), facts.is_reasoning) == (True, refused, is_reasoning)


@pytest.mark.parametrize(("vendor", "model"), [("openai", "gpt-9"), ("openai", "gpt-oss-20b"), ("google", "gemma-3")])
def test_an_unknown_model_is_known_as_such_and_refuses_nothing_yet(vendor: str, model: str) -> None:
    facts, is_known = find_facts(vendor, model, is_own=False)
    assert (is_known, facts.refused) == (False, frozenset())


def test_a_reasoning_model_has_room_to_think() -> None:
    for facts in (facts for table in FACTS.values() for facts in table):
        assert (facts.max_output_tokens > 10_000) is facts.is_reasoning


def test_capabilities_can_be_kept_between_runs() -> None:
    learned = Capabilities().without([Feature.SEED, Feature.JSON_SCHEMA]).settled()
    assert Capabilities.from_json(learned.to_json()) == learned
    assert Capabilities.from_json({"refused": ["seed", "of-tomorrow"], "is_settled": False}).refused == {Feature.SEED}
    assert Capabilities.from_json({"refused": None, "is_settled": False}) == Capabilities()


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("Unsupported value: 'temperature' does not support 0", {Feature.TEMPERATURE}),
        ("Unrecognized request argument supplied: seed", {Feature.SEED}),
        ("seeds grow; temperatures rise", set()),
        ("'response_format.type' must be 'text'", {Feature.JSON_SCHEMA}),
        ("Failed to parse grammar", {Feature.JSON_SCHEMA}),
        ("Structured outputs are not supported", {Feature.JSON_SCHEMA}),
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", {Feature.MAX_TOKENS}),
        ("The request is wrong", set()),
    ],
)
def test_a_refusal_is_read_from_the_words_of_the_server(message: str, named: set[Feature]) -> None:
    sent = [Feature.TEMPERATURE, Feature.SEED, Feature.JSON_SCHEMA, Feature.MAX_TOKENS]
    assert refused_features(message, sent) == named


def test_what_was_not_sent_was_not_refused() -> None:
    assert refused_features("temperature and response_format", [Feature.JSON_OBJECT]) == {Feature.JSON_OBJECT}
    assert refused_features("grammar", [Feature.JSON_OBJECT]) == frozenset()


def test_a_floating_name_is_noted() -> None:
    assert alias_note("gpt-5.4", "gpt-5.4") == alias_note("gpt-5.4", "") == ""
    assert alias_note("models/gemini-2.0-flash", "gemini-2.0-flash") == ""
    assert alias_note("gpt-5.4", "gpt-5.4-2026-03-05") == "gpt-5.4 is a floating name: gpt-5.4-2026-03-05 answered."
