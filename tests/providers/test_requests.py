"""What each vendor's server is sent, and what is made of what it returns."""

from __future__ import annotations

import json

import pytest

from audit.records.prompt import Usage
from tests.providers.asking import SCHEMA, VENDORS, get_reply, make_prompt, provider_for
from tests.servers import outcomes
from tests.servers.http import Request, Response
from tests.servers.vendors import VendorServer

KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY", "google": "GEMINI_API_KEY"}
URLS = {"openai": "OPENAI_BASE_URL", "anthropic": "ANTHROPIC_BASE_URL", "google": "GOOGLE_GEMINI_BASE_URL"}
LONG = "The policy has many rules. " * 1000


def sent(server: VendorServer) -> Request:
    (request,) = server.requests
    return request


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_prefix_is_the_system_s_part_and_the_task_the_user_s(server: VendorServer, vendor: str) -> None:
    get_reply(provider_for(server.judge(vendor, "m1")))
    request = sent(server)
    assert (request.vendor, request.model) == (vendor, "m1")
    assert (request.system, request.turns) == ("The policy.", [("user", "The task.")])


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_repair_shows_the_bad_reply_and_our_complaint(server: VendorServer, vendor: str) -> None:
    get_reply(provider_for(server.judge(vendor)), make_prompt(repair=("Seven!", "Send JSON.")))
    assert sent(server).turns == [("user", "The task."), ("assistant", "Seven!"), ("user", "Send JSON.")]


@pytest.mark.parametrize("vendor", VENDORS)
def test_an_empty_bad_reply_is_no_turn(server: VendorServer, vendor: str) -> None:
    get_reply(provider_for(server.judge(vendor)), make_prompt(repair=(" \n", "Send JSON.")))
    assert sent(server).turns == [("user", "The task.\n\nSend JSON.")]


def test_openai_s_request_asks_for_strict_json_at_temperature_0_with_the_trial_as_seed(server: VendorServer) -> None:
    get_reply(provider_for(server.judge("openai")), trial=3)
    body = sent(server).body
    assert body["response_format"]["json_schema"] == {"name": "verdict", "schema": SCHEMA, "strict": True}
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0, 3, 4096)
    assert "prompt_cache_key" not in body
    assert "max_completion_tokens" not in body


def test_google_s_request_asks_for_json_at_temperature_0_with_the_trial_as_seed(server: VendorServer) -> None:
    get_reply(provider_for(server.judge("google")), trial=3)
    config = sent(server).body["generationConfig"]
    assert config["responseJsonSchema"] == SCHEMA
    assert config["responseMimeType"] == "application/json"
    assert (config["temperature"], config["seed"], config["maxOutputTokens"]) == (0, 3, 4096)


def test_anthropic_s_request_moves_bounds_that_it_does_not_take_into_descriptions(server: VendorServer) -> None:
    get_reply(provider_for(server.judge("anthropic")))
    request = sent(server)
    assert (request.body["temperature"], request.body["max_tokens"]) == (0, 4096)
    assert "seed" not in request.body
    schema = request.schema
    assert schema is not None
    assert "minimum: 1, maximum: 10" in schema["properties"]["score"]["description"]
    assert "minimum" not in schema["properties"]["score"]
    assert SCHEMA["properties"]["score"]["minimum"] == 1, "the prompt's own schema is not touched"


@pytest.mark.parametrize(("prefix", "is_cached"), [(LONG, True), ("Short.", False)])
def test_anthropic_s_cache_is_asked_for_when_the_prefix_is_long_enough(
    server: VendorServer, prefix: str, is_cached: bool
) -> None:
    get_reply(provider_for(server.judge("anthropic")), make_prompt(prefix))
    (block,) = sent(server).body["system"]
    assert ("cache_control" in block) is is_cached


def test_the_caching_prefix_of_a_model_can_be_longer(server: VendorServer) -> None:
    prefix = "x" * 4 * 3000
    for model in ("claude-sonnet-4-5", "claude-haiku-4-5"):
        get_reply(provider_for(server.judge("anthropic", model)), make_prompt(prefix))
    cached = ["cache_control" in request.body["system"][0] for request in server.requests]
    assert cached == [True, False]


def test_openai_s_own_address_gets_its_own_parameters() -> None:
    from audit.providers.capabilities import Capabilities, find_facts  # noqa: PLC0415
    from audit.providers.endpoint import Endpoint  # noqa: PLC0415
    from audit.providers.openai import OpenAIWire  # noqa: PLC0415
    from audit.providers.wire import Call  # noqa: PLC0415

    facts, _ = find_facts("openai", "gpt-5.4", is_own=True)
    call = Call(make_prompt(), "gpt-5.4", 0, facts, Capabilities(facts.refused), is_own=True)
    wire = OpenAIWire(Endpoint("openai", "https://api.openai.com/v1", "k"), timeout_s=1)
    body = wire.parameters(call)
    assert (body["max_completion_tokens"], len(str(body["prompt_cache_key"]))) == (16_384, 32)
    assert "temperature" not in body
    assert "max_tokens" not in body
    other = Call(make_prompt("Another."), "gpt-5.4", 0, facts, Capabilities(facts.refused), is_own=True)
    assert wire.parameters(other)["prompt_cache_key"] != body["prompt_cache_key"]


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_server_without_key_is_sent_a_placeholder(server: VendorServer, vendor: str) -> None:
    get_reply(provider_for(server.judge(vendor)))
    assert "not-needed" in json.dumps(dict(sent(server).headers))


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_moved_address_is_asked_with_the_vendor_s_key(server: VendorServer, vendor: str) -> None:
    env = {URLS[vendor]: server.url_of(vendor), KEYS[vendor]: "planted-key-0123456789"}
    provider = provider_for(f"{vendor}:m1", env=env)
    assert provider.endpoint == server.url_of(vendor)
    get_reply(provider)
    assert "planted-key-0123456789" in json.dumps(dict(sent(server).headers))


def test_anthropic_s_token_is_sent_as_a_bearer(server: VendorServer) -> None:
    env = {"ANTHROPIC_BASE_URL": server.anthropic_url, "ANTHROPIC_AUTH_TOKEN": "token-0123456789"}
    get_reply(provider_for("anthropic:m1", env=env))
    assert sent(server).headers["authorization"] == "Bearer token-0123456789"


def test_google_is_not_asked_through_vertex_whatever_the_environment_says(
    server: VendorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    get_reply(provider_for(server.judge("google", "m1")))
    assert sent(server).path == "/v1/models/m1:generateContent"


USAGES = {
    "openai": Usage(1000, 600, None, 50, 20),
    "anthropic": Usage(1000, 600, 100, 50, None),
    "google": Usage(1000, 600, None, 50, 20),
}


@pytest.mark.parametrize("vendor", VENDORS)
def test_usage_means_the_same_for_every_vendor(server: VendorServer, vendor: str) -> None:
    assert get_reply(provider_for(server.judge(vendor))).usage == USAGES[vendor]


@pytest.mark.parametrize("vendor", VENDORS)
def test_usage_that_is_not_reported_is_not_0(server: VendorServer, vendor: str) -> None:
    server.always(outcomes.say("{}", usage=False))
    assert get_reply(provider_for(server.judge(vendor))).usage == Usage()


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("usage", ["none", 7, {"prompt_tokens": "many", "input_tokens": -1, "promptTokenCount": True}])
def test_usage_of_a_wrong_type_costs_no_reply(server: VendorServer, vendor: str, usage: object) -> None:
    def spoil(request: Request) -> Response:
        body = outcomes.say("{}")(request).body
        body["usageMetadata" if vendor == "google" else "usage"] = usage
        return Response(body)

    server.always(spoil)
    reply = get_reply(provider_for(server.judge(vendor)))
    assert (reply.text, reply.usage) == ("{}", Usage())


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_model_as_returned_and_the_whole_body_are_kept(server: VendorServer, vendor: str) -> None:
    server.always(outcomes.say("{}", model="m1-of-today"))
    reply = get_reply(provider_for(server.judge(vendor, "m1")))
    assert reply.model == "m1-of-today"
    assert json.loads(reply.raw) == outcomes.say("{}", model="m1-of-today")(sent(server)).body
    assert reply.latency_s > 0


def test_the_store_s_parameters_do_not_change_with_what_a_server_refuses(server: VendorServer) -> None:
    server.script([outcomes.bad_request("no temperature")])
    provider = provider_for(server.judge("openai"))
    before = provider.parameters
    assert get_reply(provider).n_attempts == 2
    assert (
        provider.parameters == before == '{"format":"native","max_output_tokens":4096,"seed":"trial","temperature":0}'
    )
