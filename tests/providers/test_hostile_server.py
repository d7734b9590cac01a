"""A server that means harm: whatever it sends, there is a reply or one error, in bounded memory and without keys."""

from __future__ import annotations

import base64
import gzip
import json
import traceback

import pytest

from audit.errors import ProviderErrorKind as Kind
from audit.providers.redact import REDACTED, remove_keys, remove_secrets
from audit.providers.registry import ProviderOptions
from audit.providers.transport import MAX_BODY_BYTES
from audit.records.prompt import Finish, Reply
from tests.providers.asking import VENDORS, get_error, get_reply, provider_for
from tests.servers import outcomes
from tests.servers.http import Response
from tests.servers.outcomes import Outcome
from tests.servers.vendors import VendorServer

KEY = "lab:KeyThatIsPrivate/0123456789abcdef"
OPTIONS = ProviderOptions(api_key_env="LAB_KEY", timeout_s=20)
TOO_LONG = "it is longer than 2 MB"


def reply_of(server: VendorServer, outcome: Outcome, vendor: str = "openai") -> Reply:
    server.always(outcome)
    return get_reply(provider_for(server.judge(vendor), OPTIONS, env={"LAB_KEY": KEY}))


def told_by(server: VendorServer, outcome: Outcome, vendor: str = "openai") -> str:
    """Everything that the error of this outcome lets out."""
    server.always(outcome)
    error = get_error(provider_for(server.judge(vendor), OPTIONS, env={"LAB_KEY": KEY}))
    return "".join(traceback.format_exception(error)) + str(error)


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("status", [200, 400])
def test_a_body_without_end_is_given_up(server: VendorServer, vendor: str, status: int) -> None:
    head = f"HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\n\r\n"
    raw = head.encode() + b'{"a": "' + b"x" * (MAX_BODY_BYTES + 1)
    server.always(lambda _: Response(raw=raw))
    error = get_error(provider_for(server.judge(vendor)))
    assert error.kind is (Kind.BAD_RESPONSE if status == 200 else Kind.BAD_REQUEST)
    assert TOO_LONG in str(error)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_packed_body_is_unpacked_only_so_far(server: VendorServer, vendor: str) -> None:
    packed = gzip.compress(b" " * (MAX_BODY_BYTES + 1))
    headers = {"content-encoding": "gzip", "content-type": "application/json"}
    assert TOO_LONG in told_by(server, lambda _: Response(packed, headers=headers), vendor)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_packed_body_of_fair_size_is_read(server: VendorServer, vendor: str) -> None:
    def pack(request: object) -> Response:
        body = json.dumps(outcomes.say("fine")(request).body).encode()  # type: ignore[arg-type]  # the server's request
        return Response(gzip.compress(body), headers={"content-encoding": "gzip", "content-type": "application/json"})

    assert reply_of(server, pack, vendor).text == "fine"


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("charset", ["rot13", "zlib", "undefined", "idna", "utf-16", "utf-7", "no-such"])
@pytest.mark.parametrize("status", [200, 400])
def test_a_body_is_utf_8_whatever_codec_the_server_names(
    server: VendorServer, vendor: str, charset: str, status: int
) -> None:
    headers = {"content-type": f"application/json; charset={charset}"}
    if status == 400:
        text = json.dumps({"error": {"message": "Zoë says no"}}, ensure_ascii=False)
        assert "Zoë says no" in told_by(server, lambda _: Response(text, status=400, headers=headers), vendor)
        return

    def say(request: object) -> Response:
        body = outcomes.say("Zoë")(request).body  # type: ignore[arg-type]  # the server's request
        return Response(json.dumps(body, ensure_ascii=False), headers=headers)

    assert reply_of(server, say, vendor).text == "Zoë"


@pytest.mark.parametrize("tokens", [-1, 2**63, 10**400, "5", 1.5, True, None, [1]])
def test_a_count_that_is_none_is_not_known(server: VendorServer, tokens: object) -> None:
    usage = {"prompt_tokens": tokens, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": tokens}}
    body = {"choices": [{"message": {"content": "fine"}, "finish_reason": "stop"}], "usage": usage}
    reply = reply_of(server, lambda _: Response(body))
    assert (reply.usage.input_tokens, reply.usage.cached_tokens, reply.usage.output_tokens) == (None, None, 3)


def test_a_body_with_a_key_twice_is_not_guessed_at(server: VendorServer) -> None:
    one = '{"message": {"content": "one"}, "finish_reason": "stop"}'
    text = f'{{"choices": [{one}], "choices": [{one.replace("one", "other")}]}}'
    assert "the body has a key twice in one object" in told_by(server, lambda _: Response(text))


def test_what_a_server_calls_its_model_is_kept_short(server: VendorServer) -> None:
    assert len(reply_of(server, outcomes.say("fine", model="m" * 100_000)).model) == 200


def test_an_unknown_end_of_a_reply_is_told_in_short(server: VendorServer) -> None:
    body = {"choices": [{"message": {"content": ""}, "finish_reason": "z" * 100_000}]}
    assert len(told_by(server, lambda _: Response(body))) < 5000


@pytest.mark.parametrize("wait", ["Fri, 31 Dec 99999999999999999999 23:59:59 GMT", "9" * 5000, "-1e400", "nan"])
def test_a_wait_that_no_calendar_has_is_no_wait(server: VendorServer, wait: str) -> None:
    server.always(outcomes.rate_limited(wait))
    assert get_error(provider_for(server.judge())).retry_after_s is None


def escaped(text: str, *, every: bool) -> str:
    return "".join(f"\\u{ord(sign):04X}" if every or sign in "lK0" else sign for sign in text)


SHOWN = {
    "escaped": escaped(KEY, every=True),
    "escaped in part": escaped(KEY, every=False),
    "slash": KEY.replace("/", "\\/"),
    "base64": base64.b64encode(KEY.encode()).decode(),
    "first half": KEY[:20],
    "last half": KEY[-20:],
    "in two": f"{KEY[:15]} {KEY[15:]}",
}


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("name", SHOWN)
def test_a_key_does_not_come_back_in_disguise(server: VendorServer, vendor: str, name: str) -> None:
    reply = reply_of(server, outcomes.say('{"reasons": ["' + SHOWN[name] + '"], "score": 7}'), vendor)
    (reason,) = json.loads(reply.text)["reasons"]
    assert REDACTED in reason
    assert KEY not in json.dumps(json.loads(reply.raw))


def test_escapes_that_hide_no_key_stay_as_they_are(server: VendorServer) -> None:
    text = '{"reasons": ["\\u0041 \\\\u006c \\/"], "score": 7}'
    assert reply_of(server, outcomes.say(text)).text == text


@pytest.mark.parametrize("pad", range(40, 81, 8))
def test_no_cut_through_a_key_leaves_half_of_it(server: VendorServer, pad: int) -> None:
    shown = told_by(server, lambda _: Response("x" * pad + KEY))
    assert KEY[:12] not in shown


@pytest.mark.parametrize("pad", range(262, 302, 8))
def test_no_cut_through_a_key_in_an_error_leaves_half_of_it(server: VendorServer, pad: int) -> None:
    shown = told_by(server, outcomes.fail(400, "x" * pad + KEY))
    assert KEY[:12] not in shown


def test_words_that_a_filter_quotes_are_cleaned_too(server: VendorServer) -> None:
    reply = reply_of(server, outcomes.fail(400, f"no {KEY}", code="content_filter"))
    assert (reply.finish, reply.text) == (Finish.FILTERED, f"no {REDACTED}")


def test_looking_for_keys_in_a_long_text_is_no_trap() -> None:
    text = "-eyJabcdefgh" * 20_000
    assert remove_keys(text, []) == text
    assert remove_secrets(text, [KEY]) == text
