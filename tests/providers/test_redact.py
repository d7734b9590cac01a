from __future__ import annotations

import json

import pytest

from audit.providers.redact import REDACTED, known_secrets, remove_keys, remove_secrets


def test_every_vendor_s_key_is_known() -> None:
    env = {
        "OPENAI_API_KEY": "openai-0123456789",
        "ANTHROPIC_API_KEY": "anthropic-0123456789",
        "ANTHROPIC_AUTH_TOKEN": " token-0123456789 ",
        "GOOGLE_API_KEY": "google-0123456789",
        "GEMINI_API_KEY": "gemini-0123456789",
        "OPENAI_CUSTOM_HEADERS": "X-Auth: Bearer header-0123456789\nX-Team: evaluation-team\nno colon",
        "OPENAI_ORG_ID": "org-0123456789",
    }
    assert set(known_secrets(env, extra=["mine-0123456789"])) == {
        "openai-0123456789",
        "anthropic-0123456789",
        "token-0123456789",
        "google-0123456789",
        "gemini-0123456789",
        "header-0123456789",
        "mine-0123456789",
    }


def test_what_is_too_short_for_a_key_is_left_alone() -> None:
    assert known_secrets({"OPENAI_API_KEY": "x"}) == ()


def test_a_key_that_holds_another_is_taken_out_whole() -> None:
    secrets = known_secrets({"OPENAI_API_KEY": "key-01234", "GOOGLE_API_KEY": "key-0123456789"})
    assert remove_secrets("<key-0123456789>", secrets) == f"<{REDACTED}>"


def test_a_key_that_shares_a_half_with_another_is_taken_out_whole() -> None:
    ours, other = "sk-mine-0123456789abcdefXYZ", "google-0123456789abcdef"
    assert remove_secrets(f"you sent {ours}", [ours, other]) == f"you sent {REDACTED}"
    assert remove_secrets(f"you sent {ours}", [other, ours]) == f"you sent {REDACTED}"


def test_a_key_is_found_where_json_escapes_it() -> None:
    secret = 'se"cret\\0123'
    assert secret.replace('"', '\\"') not in remove_secrets(json.dumps({"a": secret}), [secret])
    assert json.loads(remove_secrets(json.dumps({"a": secret}), [secret])) == {"a": REDACTED}


@pytest.mark.parametrize(
    "key",
    [
        "sk-proj-abcdefghijkl",
        "sk-ant-api03-abcdefgh",
        "sk-proj-********wxyz",
        "AIzaSyA0123456789abcdef",
        "ya29.a0AfH6SMB1234",
        "AKIAIOSFODNN7EXAMPLE",
        "gsk_0123456789abcdef",
        "eyJhbGciOiJI.eyJzdWIiOiIx.c2ln",
    ],
)
def test_what_looks_like_a_key_goes_even_if_it_is_not_known(key: str) -> None:
    assert remove_keys(f"Incorrect API key provided: {key}.", []).startswith(f"Incorrect API key provided: {REDACTED}")


def test_bearer_tokens_and_credentials_in_urls_go() -> None:
    text = remove_keys("Bearer 0123456789abc to http://user:pw@host/v1", [])
    assert text == f"Bearer {REDACTED} to http://{REDACTED}@host/v1"


def test_ordinary_words_stay() -> None:
    text = "The task asks for a risk-free booking; see https://example.org/a:b and sk-1."
    assert remove_keys(text, []) == text
