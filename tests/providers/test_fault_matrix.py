"""Everything that a server can do wrong, for each vendor, through its real SDK."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from audit.errors import ProviderErrorKind as Kind
from audit.providers.registry import ProviderOptions
from audit.records.prompt import Finish, Reply
from tests.providers.asking import VENDORS, ask, get_error, get_reply, make_prompt, provider_for
from tests.servers import outcomes
from tests.servers.http import Response
from tests.servers.outcomes import Outcome
from tests.servers.vendors import VendorServer

FAULTS: dict[str, tuple[Outcome, Kind, float | None]] = {
    "429": (outcomes.rate_limited(), Kind.RATE_LIMITED, None),
    "429 with Retry-After": (outcomes.rate_limited("7"), Kind.RATE_LIMITED, 7.0),
    "429 with a date": (outcomes.rate_limited("Wed, 21 Oct 2015 07:28:00 GMT"), Kind.RATE_LIMITED, 0.0),
    "quota": (outcomes.quota(), Kind.QUOTA, None),
    "402": (outcomes.fail(402, "Pay first."), Kind.QUOTA, None),
    "401": (outcomes.bad_key(), Kind.AUTH, None),
    "403": (outcomes.fail(403, "Not allowed."), Kind.AUTH, None),
    "404": (outcomes.no_model(), Kind.NOT_FOUND, None),
    "400": (outcomes.bad_request(), Kind.BAD_REQUEST, None),
    "422": (outcomes.fail(422, "Not processable."), Kind.BAD_REQUEST, None),
    "context": (outcomes.too_long(), Kind.CONTEXT_TOO_LONG, None),
    "413": (outcomes.fail(413, "Too large."), Kind.CONTEXT_TOO_LONG, None),
    "408": (outcomes.fail(408, "Too slow."), Kind.TIMEOUT, None),
    "504": (outcomes.fail(504, "Too slow."), Kind.TIMEOUT, None),
    "500": (outcomes.server_error(), Kind.SERVER, None),
    "502 in HTML": (lambda _: Response("<html>Bad gateway</html>", status=502), Kind.SERVER, None),
    "503": (outcomes.fail(503, "Overloaded.", retry_after="3"), Kind.OVERLOADED, 3.0),
    "529": (outcomes.fail(529, "Overloaded."), Kind.OVERLOADED, None),
    "redirect": (lambda _: Response("", status=307, headers={"location": "http://[::1]:1/"}), Kind.NOT_FOUND, None),
    "connection cut before the answer": (outcomes.cut_connection(), Kind.CONNECTION, None),
    "connection cut in the head": (outcomes.cut_connection(30), Kind.CONNECTION, None),
    "connection cut in the body": (outcomes.cut_connection(200), Kind.CONNECTION, None),
    "no HTTP": (outcomes.raw(b"SSH-2.0-OpenSSH_9.6\r\n"), Kind.CONNECTION, None),
    "cut JSON": (outcomes.cut_json(), Kind.BAD_RESPONSE, None),
    "HTML with 200": (outcomes.html(), Kind.BAD_RESPONSE, None),
    "empty body": (lambda _: Response(""), Kind.BAD_RESPONSE, None),
    "a JSON list": (lambda _: Response([1, 2]), Kind.BAD_RESPONSE, None),
    "an empty object": (lambda _: Response({}), Kind.BAD_RESPONSE, None),
    "deep JSON": (lambda _: Response("[" * 100_000), Kind.BAD_RESPONSE, None),
    "wrong bytes": (lambda _: Response(b"\xff\xfe{}"), Kind.BAD_RESPONSE, None),
    "no choices": (lambda _: Response({"choices": [], "candidates": []}), Kind.BAD_RESPONSE, None),
    "wrong types": (outcomes.wrong_types(), Kind.BAD_RESPONSE, None),
    "an error with 200": (lambda _: Response({"error": {"message": "Busy.", "code": 503}}), Kind.OVERLOADED, None),
    "an error text with 200": (lambda _: Response({"error": "It broke."}), Kind.BAD_RESPONSE, None),
}


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_becomes_one_provider_error_of_its_kind(server: VendorServer, vendor: str, fault: str) -> None:
    outcome, kind, retry_after_s = FAULTS[fault]
    server.always(outcome)
    error = get_error(provider_for(server.judge(vendor)))
    assert (error.kind, error.retry_after_s) == (kind, retry_after_s)
    assert error.where == server.judge(vendor)
    assert "\n" not in str(error)
    assert len(str(error)) < 700
    assert len(server.requests) == 1, "the SDK must not retry behind our back"


REPLIES: dict[str, tuple[Outcome, Finish, str]] = {
    "complete": (outcomes.say("An answer."), Finish.COMPLETE, "An answer."),
    "empty": (outcomes.empty(), Finish.COMPLETE, ""),
    "refusal": (outcomes.refuse("I won't."), Finish.REFUSED, "I won't."),
    "filter": (outcomes.filtered(), Finish.FILTERED, ""),
    "truncation": (outcomes.truncated('{"score": 1'), Finish.TRUNCATED, '{"score": 1'),
    "fences": (outcomes.say_fenced({"a": 1}), Finish.COMPLETE, '```json\n{\n  "a": 1\n}\n```'),
    "prose": (outcomes.say("So: {}. Fine?"), Finish.COMPLETE, "So: {}. Fine?"),
    "half a character": (outcomes.say("a\ud800b"), Finish.COMPLETE, "a?b"),
}


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("case", REPLIES)
def test_what_a_model_says_or_will_not_say_is_a_reply(server: VendorServer, vendor: str, case: str) -> None:
    outcome, finish, text = REPLIES[case]
    if (vendor, case) == ("anthropic", "filter"):
        finish, text = Finish.REFUSED, "I can't help with that."
    server.always(outcome)
    reply = get_reply(provider_for(server.judge(vendor)))
    assert (reply.finish, reply.text) == (finish, text)
    assert reply.n_attempts == 1
    reply.raw.encode()


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("outcome", [outcomes.hang(), outcomes.drip()], ids=["silent", "dripping"])
def test_a_server_that_does_not_answer_in_time_is_a_timeout(
    server: VendorServer, vendor: str, outcome: Outcome
) -> None:
    server.always(outcome)
    error = get_error(provider_for(server.judge(vendor), ProviderOptions(timeout_s=0.3)))
    assert error.kind is Kind.TIMEOUT
    assert "no answer came in time (0.3 s)" in str(error)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_server_that_is_not_there_is_a_connection_error(server: VendorServer, vendor: str) -> None:
    judge = server.judge(vendor)
    server.stop()
    error = get_error(provider_for(judge))
    assert error.kind is Kind.CONNECTION
    assert f"Check that a server runs at {server.url_of(vendor)}." in str(error)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_provider_recovers_after_a_fault(server: VendorServer, vendor: str) -> None:
    server.script([outcomes.cut_connection(), outcomes.server_error(), outcomes.say("Back.")])
    first, second, third = ask(provider_for(server.judge(vendor)), *[make_prompt()] * 3)
    assert [getattr(error, "kind", None) for error in (first, second)] == [Kind.CONNECTION, Kind.SERVER]
    assert isinstance(third, Reply)
    assert third.text == "Back."


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_wrong_path_says_how_the_url_has_to_look(server: VendorServer, vendor: str) -> None:
    error = get_error(provider_for(f"{vendor}:m@{server.url}/wrong/place"))
    assert (error.kind, error.stops_judge) == (Kind.NOT_FOUND, True)
    assert "/v1" in error.mend


@pytest.mark.parametrize("code", ["content_filter", "invalid_prompt"])
def test_a_request_that_a_filter_refuses_is_a_filtered_reply(server: VendorServer, code: str) -> None:
    server.always(outcomes.fail(400, "The prompt was flagged.", code=code))
    reply = get_reply(provider_for(server.judge("openai")))
    assert (reply.finish, reply.text) == (Finish.FILTERED, "The prompt was flagged.")


def test_a_refusal_beside_a_text_is_still_a_refusal(server: VendorServer) -> None:
    message = {"role": "assistant", "content": "Well.", "refusal": "No."}
    server.always(lambda _: Response({"choices": [{"message": message, "finish_reason": "stop"}]}))
    reply = get_reply(provider_for(server.judge("openai")))
    assert (reply.finish, reply.text, reply.model) == (Finish.REFUSED, "Well.", "")


def test_a_text_in_parts_is_joined(server: VendorServer) -> None:
    parts = [{"type": "thinking", "text": "Hm."}, {"type": "text", "text": "An "}, {"type": "text", "text": "answer."}]
    server.always(lambda _: Response({"choices": [{"message": {"content": parts}}]}))
    assert get_reply(provider_for(server.judge("openai"))).text == "An answer."


def test_thoughts_are_no_part_of_the_answer(server: VendorServer) -> None:
    parts = [{"text": "Hm.", "thought": True}, {"text": "An answer."}]
    server.script([lambda _: Response({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]})])
    assert get_reply(provider_for(server.judge("google"))).text == "An answer."
    blocks = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "An answer."}]
    server.script([lambda _: Response({"content": blocks, "stop_reason": "end_turn"})])
    assert get_reply(provider_for(server.judge("anthropic"))).text == "An answer."


ODD_ENDS: dict[str, Callable[[str], object]] = {
    "openai": lambda text: {"choices": [{"message": {"content": text}, "finish_reason": "of_tomorrow"}]},
    "anthropic": lambda text: {"content": [{"type": "text", "text": text}], "stop_reason": "of_tomorrow"},
    "google": lambda text: {"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "OF_TOMORROW"}]},
}


@pytest.mark.parametrize("vendor", VENDORS)
def test_an_unknown_end_is_left_to_the_judge_s_check_if_there_is_a_text(server: VendorServer, vendor: str) -> None:
    server.script([lambda _: Response(ODD_ENDS[vendor]("{}")), lambda _: Response(ODD_ENDS[vendor](""))])
    reply, error = ask(provider_for(server.judge(vendor)), make_prompt(), make_prompt())
    assert isinstance(reply, Reply)
    assert (reply.finish, reply.text) == (Finish.COMPLETE, "{}")
    assert getattr(error, "kind", None) is Kind.BAD_RESPONSE


@pytest.mark.parametrize(
    ("details", "text"), [({"category": "cyber"}, "cyber"), ({"explanation": "No."}, "No."), (None, ""), (7, "")]
)
def test_anthropic_s_refusal_takes_its_words_from_the_details(server: VendorServer, details: object, text: str) -> None:
    server.always(lambda _: Response({"content": [], "stop_reason": "refusal", "stop_details": details}))
    reply = get_reply(provider_for(server.judge("anthropic")))
    assert (reply.finish, reply.text) == (Finish.REFUSED, text)


def test_google_s_block_without_words_names_its_reason(server: VendorServer) -> None:
    server.always(lambda _: Response({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}))
    reply = get_reply(provider_for(server.judge("google")))
    assert (reply.finish, reply.text) == (Finish.REFUSED, "PROHIBITED_CONTENT")
