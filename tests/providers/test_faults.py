from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from audit.errors import ProviderErrorKind as Kind
from audit.providers.faults import classify, fault_from_answer, fault_of, parse_wait


@pytest.mark.parametrize(
    ("status", "code", "text", "kind"),
    [
        (429, "rate_limit_exceeded", "Rate limit reached on requests per day", Kind.RATE_LIMITED),
        (429, "insufficient_quota", "You exceeded your current quota", Kind.QUOTA),
        (429, "contract_spend_limit_reached", "", Kind.QUOTA),
        (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota", Kind.RATE_LIMITED),
        (402, "", "", Kind.QUOTA),
        (400, "", "Your credit balance is too low", Kind.QUOTA),
        (401, "", "", Kind.AUTH),
        (403, "", "", Kind.AUTH),
        (403, "model_not_found", "", Kind.NOT_FOUND),
        (400, "", "API key not valid. Please pass a valid API key.", Kind.AUTH),
        (400, "organization_on_hold", "", Kind.AUTH),
        (404, "", "", Kind.NOT_FOUND),
        (405, "", "", Kind.NOT_FOUND),
        (400, "", "The model `x` does not exist", Kind.NOT_FOUND),
        (301, "", "", Kind.NOT_FOUND),
        (308, "", "", Kind.NOT_FOUND),
        (400, "context_length_exceeded", "", Kind.CONTEXT_TOO_LONG),
        (400, "", "prompt is too long: 300000 tokens > 200000 maximum", Kind.CONTEXT_TOO_LONG),
        (400, "exceed_context_size_error", "", Kind.CONTEXT_TOO_LONG),
        (400, "", "The input token count (9) exceeds the maximum number of tokens allowed (8).", Kind.CONTEXT_TOO_LONG),
        (413, "", "", Kind.CONTEXT_TOO_LONG),
        (400, "", "max_tokens is too large", Kind.BAD_REQUEST),
        (418, "", "", Kind.BAD_REQUEST),
        (422, "", "", Kind.BAD_REQUEST),
        (408, "", "", Kind.TIMEOUT),
        (504, "", "", Kind.TIMEOUT),
        (500, "", "", Kind.SERVER),
        (500, "", "The engine is overloaded", Kind.OVERLOADED),
        (502, "", "", Kind.SERVER),
        (503, "", "", Kind.OVERLOADED),
        (529, "", "", Kind.OVERLOADED),
        (409, "", "", Kind.SERVER),
        (200, "", "", Kind.BAD_RESPONSE),
        (201, "", "", Kind.BAD_RESPONSE),
    ],
)
def test_an_answer_s_kind_follows_from_status_and_words(status: int, code: str, text: str, kind: Kind) -> None:
    assert classify(status, text, code=code) is kind


@pytest.mark.parametrize(
    ("headers", "details", "seconds"),
    [
        ({}, None, None),
        ({"retry-after": "7"}, None, 7.0),
        ({"retry-after": "0.5"}, None, 0.5),
        ({"retry-after": "9", "retry-after-ms": "1500"}, None, 1.5),
        ({"retry-after": "soon"}, None, None),
        ({"retry-after": "nan"}, None, None),
        ({"retry-after": "inf"}, None, None),
        ({"retry-after": "-3"}, None, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, None, 0.0),
        ({}, [{"@type": "type/RetryInfo", "retryDelay": "34.5s"}], 34.5),
    ],
)
def test_the_wait_is_read_from_every_place_where_servers_put_it(
    headers: dict[str, str], details: object, seconds: float | None
) -> None:
    text = json.dumps({"error": {"message": "Slow down", "details": details}})
    assert fault_from_answer(429, text, headers=headers).retry_after_s == seconds


def test_a_date_is_counted_from_now() -> None:
    now = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)
    assert parse_wait("Thu, 01 Jan 2026 12:00:30 GMT", now=now) == 30.0
    assert parse_wait("Thu, 01 Jan 2026 12:00:30 -0000", now=now) == 30.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"error": {"message": "Two\\nlines"}}', "Two lines"),
        ('[{"error": {"message": "In a list"}}]', "In a list"),
        ('{"error": "A text"}', "A text"),
        ('{"detail": [{"loc": ["body"]}]}', '[{"loc": ["body"]}]'),
        ('{"message": "At the top"}', "At the top"),
        ("<html>Bad gateway</html>", "<html>Bad gateway</html>"),
        ("[1, 2]", "[1, 2]"),
        ("", "no words"),
        ("[" * 100_000, "[" * 299 + "…"),
        ('{"error": {"message": "a\\u0007b\\u202ec"}}', "a b c"),
    ],
)
def test_the_server_s_words_are_found_and_put_on_one_line(text: str, message: str) -> None:
    assert fault_from_answer(500, text, headers={}).message == message


def test_anthropic_s_stable_code_decides() -> None:
    error = {"type": "rate_limit_error", "message": "-", "details": {"error_code": "enforced_spend_limit_reached"}}
    fault = fault_from_answer(429, json.dumps({"type": "error", "error": error}), headers={})
    assert (fault.kind, fault.code) == (Kind.QUOTA, "rate_limit_error enforced_spend_limit_reached")


def test_an_unlisted_exception_reads_as_a_bad_response() -> None:
    assert fault_of(KeyError("x")).kind is Kind.BAD_RESPONSE
    assert fault_of(ConnectionResetError()).kind is Kind.CONNECTION
    assert fault_of(ConnectionResetError()).message == "ConnectionResetError"
