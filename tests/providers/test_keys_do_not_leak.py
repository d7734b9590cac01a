"""A planted key is nowhere in what a provider lets out."""

from __future__ import annotations

import logging
import traceback

import pytest

from audit.errors import UsageError
from audit.providers.redact import REDACTED
from audit.providers.registry import ProviderOptions, make_provider
from audit.providers.spec import parse_judge
from tests.providers.asking import VENDORS, get_error, get_reply, provider_for
from tests.servers import outcomes
from tests.servers.http import Response
from tests.servers.vendors import VendorServer

PLANTED = "planted.key.0123456789"
ENV = {"OPENAI_API_KEY": PLANTED, "ANTHROPIC_API_KEY": PLANTED, "GOOGLE_API_KEY": PLANTED, "MY_KEY": "mine.0123456789"}
LOOKALIKE = "sk-proj-0123456789abcdef"


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_vendor_s_key_does_not_reach_another_host(
    server: VendorServer, vendor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = ENV | {
        "OPENAI_ORG_ID": "org.0123456789",
        "OPENAI_PROJECT_ID": "project.0123456789",
        "OPENAI_ADMIN_KEY": "admin.0123456789",
        "ANTHROPIC_AUTH_TOKEN": "token.0123456789",
        "OPENAI_CUSTOM_HEADERS": "X-Secret: header.0123456789",
        "ANTHROPIC_CUSTOM_HEADERS": "X-Secret: header.0123456789",
    }
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    get_reply(make_provider(parse_judge(server.judge(vendor)), ProviderOptions(timeout_s=20)))
    (request,) = server.requests
    assert "0123456789" not in "".join(request.headers.values())
    assert b"0123456789" not in request.raw


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_key_that_the_user_names_reaches_the_host(server: VendorServer, vendor: str) -> None:
    options = ProviderOptions(api_key_env="MY_KEY", timeout_s=20)
    get_reply(provider_for(server.judge(vendor), options, env=ENV))
    (request,) = server.requests
    assert ENV["MY_KEY"] in "".join(request.headers.values())
    assert PLANTED not in "".join(request.headers.values())


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503, 200])
def test_a_key_that_the_server_repeats_is_not_in_the_error(server: VendorServer, vendor: str, status: int) -> None:
    server.always(outcomes.fail(status, f"The key {PLANTED} or {ENV['MY_KEY']} or {LOOKALIKE} is no good"))
    options = ProviderOptions(api_key_env="MY_KEY", timeout_s=20)
    error = get_error(provider_for(server.judge(vendor), options, env=ENV))
    shown = "".join(traceback.format_exception(error)) + str(error) + repr(error)
    for key in (PLANTED, ENV["MY_KEY"], LOOKALIKE):
        assert key not in shown
    assert REDACTED in str(error)


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("body", [f"<html>{PLANTED}</html>", f'{{"cut": "{PLANTED}"', f"{PLANTED}"])
def test_a_key_in_a_broken_body_is_not_in_the_error(server: VendorServer, vendor: str, body: str) -> None:
    server.always(lambda _: Response(body))
    error = get_error(provider_for(server.judge(vendor), env=ENV))
    assert PLANTED not in "".join(traceback.format_exception(error))


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_key_that_a_reply_quotes_is_taken_out_of_text_model_and_body(server: VendorServer, vendor: str) -> None:
    server.always(outcomes.say(f'{{"reasons": ["{PLANTED}"]}}', model=f"m-{PLANTED}"))
    reply = get_reply(provider_for(server.judge(vendor), env=ENV))
    assert PLANTED not in repr(reply)
    assert reply.text == f'{{"reasons": ["{REDACTED}"]}}'


def test_a_key_written_with_escapes_is_found_too(server: VendorServer) -> None:
    escaped = "".join(f"\\u{ord(sign):04x}" for sign in PLANTED)
    server.always(lambda _: Response('{"choices": [{"message": {"content": "' + escaped + '"}}]}'))
    reply = get_reply(provider_for(server.judge("openai"), env=ENV))
    assert reply.text == REDACTED
    assert escaped not in reply.raw


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_refusal_or_a_filter_that_quotes_the_key_is_cleaned(server: VendorServer, vendor: str) -> None:
    server.always(outcomes.refuse(f"I saw {PLANTED}."))
    assert PLANTED not in repr(get_reply(provider_for(server.judge(vendor), env=ENV)))
    server.always(outcomes.fail(400, f"Flagged: {PLANTED}", code="content_filter"))
    if vendor == "openai":
        assert PLANTED not in repr(get_reply(provider_for(server.judge(vendor), env=ENV)))


@pytest.mark.parametrize("vendor", VENDORS)
def test_nothing_is_logged_that_holds_the_key(
    server: VendorServer, vendor: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script([outcomes.bad_request(f"no temperature {PLANTED}")])
    options = ProviderOptions(api_key_env="MY_KEY", timeout_s=20)
    get_reply(provider_for(server.judge(vendor), options, env=ENV))
    ours = [record for record in caplog.records if record.name.startswith("audit")]
    assert ours
    assert PLANTED not in caplog.text
    assert ENV["MY_KEY"] not in caplog.text


def test_a_google_token_of_the_wrong_kind_is_refused_without_being_shown() -> None:
    with pytest.raises(UsageError, match="GOOGLE_API_KEY holds is a short-lived token") as caught:
        provider_for("google:m", env={"GOOGLE_API_KEY": "auth_tokens/0123456789"})
    assert "0123456789" not in str(caught.value)
