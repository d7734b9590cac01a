"""What a server refuses is left out from then on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from audit.errors import ProviderError
from audit.errors import ProviderErrorKind as Kind
from audit.providers.capabilities import Capabilities, Feature
from audit.providers.sdk import SdkProvider
from audit.records.prompt import Reply
from tests.providers.asking import ask, ask_together, get_error, get_reply, make_prompt, provider_for
from tests.servers import outcomes
from tests.servers.http import Request
from tests.servers.outcomes import Outcome
from tests.servers.vendors import VendorServer


def holds(path: str) -> Callable[[Request], bool]:
    """Whether a request has that field; dots lead inwards."""

    def check(request: Request) -> bool:
        value: Any = request.body
        for step in path.split("."):
            value = value.get(step) if isinstance(value, dict) else None
        return value is not None

    return check


def refusing(test: Callable[[Request], bool], message: str, *, status: int = 400) -> Callable[[Request], Outcome]:
    """A server that does not take requests for which ``test`` holds."""
    return lambda request: outcomes.fail(status, message) if test(request) else outcomes.say("{}")


@pytest.mark.parametrize(
    ("vendor", "path", "message"),
    [
        ("openai", "temperature", "Unsupported value: 'temperature' does not support 0 with this model."),
        ("openai", "seed", "Unrecognized request argument supplied: seed"),
        ("anthropic", "temperature", "temperature: Extra inputs are not permitted"),
        ("anthropic", "output_config", "output_config: Extra inputs are not permitted"),
        ("google", "generationConfig.temperature", "Invalid value at generation_config.temperature"),
        ("google", "generationConfig.seed", 'Unknown name "seed" at generation_config'),
    ],
)
def test_a_refused_parameter_is_left_out_and_stays_out(
    server: VendorServer, vendor: str, path: str, message: str
) -> None:
    server.behave(refusing(holds(path), message))
    first, second = ask(provider_for(server.judge(vendor)), make_prompt(), make_prompt())
    assert isinstance(first, Reply)
    assert isinstance(second, Reply)
    assert (first.n_attempts, second.n_attempts) == (2, 1)
    assert [holds(path)(request) for request in server.requests] == [True, False, False]


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_server_without_json_schema_is_asked_for_a_json_object_with_the_schema(
    server: VendorServer, status: int
) -> None:
    message = "'response_format.type' must be 'text' or 'json_object'"
    server.behave(refusing(holds("response_format.json_schema"), message, status=status))
    get_reply(provider_for(server.judge("openai")))
    formats = [request.body["response_format"] for request in server.requests]
    assert formats[0]["type"] == "json_schema"
    assert formats[1] == {"type": "json_object", "schema": formats[0]["json_schema"]["schema"]}


def test_a_server_that_takes_no_format_at_all_is_asked_without(server: VendorServer) -> None:
    server.behave(refusing(holds("response_format"), "response_format is not supported"))
    reply = get_reply(provider_for(server.judge("openai")))
    assert reply.n_attempts == 3
    assert "response_format" not in server.requests[-1].body


def test_google_falls_back_to_json_without_schema_and_then_to_text(server: VendorServer) -> None:
    is_json = holds("generationConfig.responseMimeType")
    server.behave(
        lambda request: (
            outcomes.bad_request("response_json_schema is not supported")
            if request.schema
            else outcomes.bad_request("json_object: no JSON mode")
            if is_json(request)
            else outcomes.say("{}")
        )
    )
    assert get_reply(provider_for(server.judge("google"))).n_attempts == 3


@pytest.mark.parametrize(("refused", "used"), [("max_tokens", "max_completion_tokens"), ("max_", None)])
def test_the_limit_on_tokens_has_two_names(server: VendorServer, refused: str, used: str | None) -> None:
    def behave(request: Request) -> Outcome:
        name = next((name for name in request.body if name.startswith(refused)), None)
        return outcomes.bad_request(f"Unsupported parameter: {name}") if name else outcomes.say("{}")

    server.behave(behave)
    get_reply(provider_for(server.judge("openai")))
    names = [name for name in server.requests[-1].body if name.startswith("max_")]
    assert names == ([] if used is None else [used])


def test_several_refusals_are_learned_one_after_the_other(server: VendorServer) -> None:
    def behave(request: Request) -> Outcome:
        bad = next((name for name in ("temperature", "seed", "response_format") if name in request.body), None)
        return outcomes.bad_request(f"{bad} is not supported") if bad else outcomes.say("{}")

    server.behave(behave)
    provider = provider_for(server.judge("openai"))
    assert isinstance(provider, SdkProvider)
    assert get_reply(provider).n_attempts == 5
    expected = {Feature.TEMPERATURE, Feature.SEED, Feature.JSON_SCHEMA, Feature.JSON_OBJECT}
    assert provider.capabilities == Capabilities(frozenset(expected), is_settled=True)


def test_what_one_run_learned_spares_the_next_the_refusals(server: VendorServer) -> None:
    server.behave(refusing(holds("temperature"), "no temperature"))
    first = provider_for(server.judge("openai"))
    assert isinstance(first, SdkProvider)
    get_reply(first)
    kept = Capabilities.from_json(first.capabilities.to_json())
    second = provider_for(server.judge("openai"))
    second.capabilities = kept
    assert get_reply(second).n_attempts == 1


def test_an_unknown_model_is_probed_by_one_call_while_the_others_wait(server: VendorServer) -> None:
    server.behave(refusing(holds("temperature"), "no temperature"))
    replies = ask_together(provider_for(server.judge("openai")), [make_prompt()] * 8)
    assert sorted(reply.n_attempts for reply in replies) == [1] * 7 + [2]
    assert len(server.requests) == 9


def test_a_known_model_is_not_probed(server: VendorServer) -> None:
    get_reply(provider_for(server.judge("openai", "gpt-5.4")))
    assert "temperature" not in server.requests[0].body


def test_calls_go_on_when_the_probing_one_fails(server: VendorServer) -> None:
    server.script([outcomes.server_error()])
    outcome = ask_together(provider_for(server.judge("openai")), [make_prompt()] * 3)
    assert sum(isinstance(reply, ProviderError) for reply in outcome) == 1


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [
        (outcomes.bad_request("The request is wrong."), Kind.BAD_REQUEST),
        (outcomes.fail(500, "temperature sensor failed"), Kind.SERVER),
        (outcomes.fail(429, "temperature"), Kind.RATE_LIMITED),
    ],
)
def test_other_errors_teach_nothing(server: VendorServer, outcome: Outcome, kind: Kind) -> None:
    server.always(outcome)
    provider = provider_for(server.judge("openai"))
    assert isinstance(provider, SdkProvider)
    error = get_error(provider)
    assert (error.kind, error.n_attempts, len(server.requests)) == (kind, 1, 1)
    assert provider.capabilities == Capabilities()


def test_an_error_that_stays_when_the_parameter_is_gone_is_reported(server: VendorServer) -> None:
    server.always(outcomes.bad_request("temperature is odd"))
    error = get_error(provider_for(server.judge("openai")))
    assert (error.kind, error.n_attempts, len(server.requests)) == (Kind.BAD_REQUEST, 2, 2)
