"""The decisions endpoints through their vendors' real SDKs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit.errors import ProviderErrorKind as Kind
from audit.errors import UsageError
from audit.providers.capabilities import Capabilities
from audit.providers.registry import ProviderOptions, make_provider
from audit.providers.spec import parse_judge
from audit.records.mode import Mode
from audit.records.prompt import Decision, Finish, Prompt, Usage
from tests.providers.asking import ask, ask_together, get_error, get_reply, provider_for
from tests.providers.test_fault_matrix import FAULTS
from tests.servers import outcomes
from tests.servers.decisions import Raw, asked, decide, plainly
from tests.servers.http import Response
from tests.servers.vendors import VendorServer

VENDORS = ("openai", "google")
LEVELS = tuple(f"Score {n}. What {n} means." for n in range(1, 11))
QUESTIONS = (Decision("fit", "How well does it fit?", LEVELS), Decision("item_1", "It breaks rule A01"))


def prompt(*decisions: Decision, prefix: str = "The policy.") -> Prompt:
    return Prompt(prefix, "The task.", {}, "fit", "hash", decisions=decisions or QUESTIONS)


def judge(server: VendorServer, vendor: str, options: ProviderOptions | None = None) -> Any:  # noqa: ANN401
    return provider_for(f"{server.judge(vendor)} (decisions)", options)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_request_has_the_input_once_and_every_question(server: VendorServer, vendor: str) -> None:
    get_reply(judge(server, vendor), prompt())
    (request,) = server.requests
    assert (request.method, request.path, request.model) == ("POST", "/v1/decisions", "any-name")
    assert (request.system, request.user) == ("The policy.", "The task.")
    assert [(q.name, q.text, q.levels) for q in asked(request)] == [
        ("fit", "How well does it fit?", LEVELS),
        ("item_1", "It breaks rule A01", ()),
    ]
    assert request.raw.count(b"The policy.") == request.raw.count(b"The task.") == 1


def test_openai_is_asked_in_its_own_words(server: VendorServer) -> None:
    get_reply(judge(server, "openai"), prompt())
    body = server.requests[0].body
    assert set(body) == {"model", "input", "questions"}, "no cache key for an address that is not OpenAI's own"
    assert [turn["role"] for turn in body["input"]] == ["system", "user"]
    score, predicate = body["questions"]
    assert score["levels"][9] == {"label": "10", "description": "Score 10. What 10 means."}
    assert predicate == {"type": "predicate", "name": "item_1", "instructions": "It breaks rule A01"}


def test_openai_s_own_address_gets_a_cache_key_per_prefix(server: VendorServer) -> None:
    env = {"OPENAI_API_KEY": "sk-of-nobody"}
    provider = make_provider(parse_judge("openai:gpt-6-luna (decisions)"), environ=env)
    wire: Any = provider.wire  # type: ignore[attr-defined]  # of an SDK
    bodies = [wire.body(provider.make_call(prompt(prefix=prefix), 0)) for prefix in ("A", "A", "B")]  # type: ignore[attr-defined]
    keys = [body["prompt_cache_key"] for body in bodies]
    assert keys[0] == keys[1] != keys[2]
    without = Capabilities.from_json({"refused": ["prompt_cache"], "is_settled": True})
    provider.capabilities = without
    assert "prompt_cache_key" not in wire.body(provider.make_call(prompt(), 0))  # type: ignore[attr-defined]
    ask(provider, *[])


def test_google_is_asked_in_its_own_words(server: VendorServer) -> None:
    get_reply(judge(server, "google"), prompt())
    body = server.requests[0].body
    assert body["model"] == "models/any-name"
    assert body["input"] == [{"type": "text", "text": "The policy."}, {"type": "text", "text": "The task."}]
    assert body["questions"]["fit"]["criteria"] == list(LEVELS)
    assert body["questions"]["item_1"] == {"type": "noul", "instructions": "It breaks rule A01"}


@pytest.mark.parametrize("vendor", VENDORS)
def test_both_vendors_answers_come_in_one_form(server: VendorServer, vendor: str) -> None:
    server.always(decide(lambda question: [0.0] * 8 + [0.25, 0.75] if question.levels else 0.125))
    reply = get_reply(judge(server, vendor), prompt())
    score, predicate = json.loads(reply.text)["answers"]
    assert predicate == {"name": "item_1", "type": "predicate", "probability": 0.125}
    assert (score["name"], score["type"]) == ("fit", "score")
    assert score["probabilities"][8:] == [["9", 0.25], ["10", 0.75]]
    assert reply.finish is Finish.COMPLETE
    assert reply.model == ("any-name-2026-01-01" if vendor == "openai" else ""), "Google does not say which answered"
    assert reply.usage.input_tokens == 1000
    assert (reply.usage.cached_tokens, reply.usage.output_tokens) == (600, 2)
    assert json.loads(reply.raw)["usage"]


def test_a_refusal_and_any_other_answer_are_handed_on(server: VendorServer) -> None:
    server.always(decide(lambda question: "refusal" if question.levels else Raw({"type": "choice", "choice": "x"})))
    for vendor in VENDORS:
        answers = json.loads(get_reply(judge(server, vendor), prompt()).text)["answers"]
        assert [answer["type"] for answer in answers] == ["refusal", "choice"]


def test_google_blocks_the_whole_input_with_its_reason(server: VendorServer) -> None:
    server.always(outcomes.refuse("Not this."))
    reply = get_reply(judge(server, "google"), prompt())
    assert (reply.finish, reply.text) == (Finish.REFUSED, "Not this.")
    server.always(lambda _: Response({"prompt_feedback": {"block_reason": "safety"}, "answers": {}}))
    assert get_reply(judge(server, "google"), prompt()).text == "safety"


@pytest.mark.parametrize("vendor", VENDORS)
def test_tokens_that_are_not_told_are_not_known(server: VendorServer, vendor: str) -> None:
    server.always(decide(plainly(), usage=None))
    assert get_reply(judge(server, vendor), prompt()).usage == Usage()


def test_levels_of_strange_forms_are_handed_on_as_they_are(server: VendorServer) -> None:
    forms: list[Any] = [{"label": 3, "probability": "x"}, "no level"]
    server.always(decide(lambda _: Raw({"type": "score", "probabilities": forms})))
    (first, _) = json.loads(get_reply(judge(server, "openai"), prompt()).text)["answers"]
    assert first["probabilities"] == [[3, "x"], [None, None]]
    server.always(decide(lambda _: Raw({"type": "score", "probabilities": {"first": 1}})))
    (first, _) = json.loads(get_reply(judge(server, "google"), prompt()).text)["answers"]
    assert first["probabilities"] == [["first", 1]]
    server.always(decide(lambda _: Raw({"type": "score", "probabilities": 7})))
    for vendor in VENDORS:
        (first, _) = json.loads(get_reply(judge(server, vendor), prompt()).text)["answers"]
        assert first["probabilities"] == []


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_becomes_one_provider_error_of_its_kind(server: VendorServer, vendor: str, fault: str) -> None:
    outcome, kind, retry_after_s = FAULTS[fault]
    server.always(outcome)
    error = get_error(judge(server, vendor), prompt())
    assert (error.kind, error.retry_after_s) == (kind, retry_after_s)
    assert error.where == f"{server.judge(vendor)} (decisions)"
    assert len(server.requests) == 1, "the SDK repeats nothing by itself"


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_server_without_such_an_endpoint_is_told_apart_from_a_wrong_name(server: VendorServer, vendor: str) -> None:
    server.always(outcomes.fail(404, "Not Found"))
    error = get_error(judge(server, vendor), prompt())
    assert error.what == "this server offers no decisions endpoint, or not for this model (404: Not Found)"
    assert error.mend == "Leave out --mode decisions"
    assert error.stops_judge


@pytest.mark.parametrize("vendor", VENDORS)
def test_silence_ends(server: VendorServer, vendor: str) -> None:
    server.always(outcomes.hang())
    provider = judge(server, vendor, ProviderOptions(timeout_s=0.2))
    assert get_error(provider, prompt()).kind is Kind.TIMEOUT


@pytest.mark.parametrize("vendor", VENDORS)
def test_many_calls_at_once_keep_their_own_answers(server: VendorServer, vendor: str) -> None:
    server.behave(lambda request: decide(plainly(probability=len(request.system) / 100)))
    prompts = [prompt(prefix="x" * n) for n in range(1, 30)]
    replies = ask_together(judge(server, vendor), prompts)
    said = [json.loads(reply.text)["answers"][1]["probability"] for reply in replies]  # type: ignore[union-attr]
    assert said == [n / 100 for n in range(1, 30)]


def test_only_two_vendors_have_one() -> None:
    for name in ("anthropic:claude-sonnet-4-5", "scripted:seeded"):
        with pytest.raises(UsageError, match=r"openai and google have one\. Leave out --mode"):
            make_provider(parse_judge(f"{name} (decisions)"), environ={"ANTHROPIC_API_KEY": "k"})


def test_the_name_tells_the_mode_and_is_read_back() -> None:
    spec = parse_judge("openai:qwen3:8b@http://127.0.0.1:8080/v1/ (decisions)")
    assert (spec.mode, spec.model, spec.base_url) == (Mode.DECISIONS, "qwen3:8b", "http://127.0.0.1:8080/v1")
    assert spec.name == "openai:qwen3:8b@http://127.0.0.1:8080/v1 (decisions)"
    assert spec.asked_in(Mode.PROMPTS) == parse_judge("openai:qwen3:8b@http://127.0.0.1:8080/v1")
    assert spec.asked_in(Mode.DECISIONS) == spec
    with pytest.raises(UsageError, match="white space"):
        parse_judge("openai:gpt-6-luna (choices)")
