from __future__ import annotations

import pytest

from audit.errors import UsageError
from audit.providers.spec import JudgeSpec, parse_judge


@pytest.mark.parametrize(
    ("text", "vendor", "model", "base_url"),
    [
        ("openai:gpt-5.4", "openai", "gpt-5.4", None),
        ("anthropic:claude-sonnet-4-5", "anthropic", "claude-sonnet-4-5", None),
        ("google:models/gemini-2.0-flash", "google", "models/gemini-2.0-flash", None),
        ("openai:any-name@http://127.0.0.1:8080/v1", "openai", "any-name", "http://127.0.0.1:8080/v1"),
        ("openai:qwen3:8b@http://localhost:11434/v1/", "openai", "qwen3:8b", "http://localhost:11434/v1"),
        ("openai:org/model@2025@https://Example.ORG:443/a", "openai", "org/model@2025", "https://example.org/a"),
        ("anthropic:claude@20250101", "anthropic", "claude@20250101", None),
        ("google:g@http://[::1]:9/", "google", "g", "http://[::1]:9"),
        ("scripted:constant-7", "scripted", "constant-7", None),
        (" openai:gpt-5.4 ", "openai", "gpt-5.4", None),
    ],
)
def test_a_judge_s_name_gives_vendor_model_and_url(text: str, vendor: str, model: str, base_url: str | None) -> None:
    name = f"{vendor}:{model}@{base_url}" if base_url else f"{vendor}:{model}"
    assert parse_judge(text) == JudgeSpec(vendor, model, base_url, name)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("gpt-5.4", "has no vendor.*openai"),
        ("", "has no vendor"),
        ("opnai:gpt-5.4", "'opnai' is not known.*Did you mean openai?"),
        ("OpenAI:gpt-5.4", "Did you mean openai?"),
        ("mistral:large", "Known are openai, anthropic, google, local, scripted.*openai:MODEL@URL"),
        ("openai:", "names no model"),
        ("openai:@http://127.0.0.1/v1", "names no model"),
        ("openai:a b", "white space"),
        ("openai:m@ftp://host/v1", "can't begin with ftp://"),
        ("openai:m@http:///v1", "no host"),
        ("openai:m@http://host:99999/v1", "no usable host and port"),
        ("openai:m@http://[::1/v1", "no usable host and port"),
        ("openai:m@http://host/v1?key=abc", "query"),
        ("openai:m@http://host/v1#x", "fragment"),
        ("openai:m@http://ho st/v1", "white space"),
        ("openai:m@localhost:8080/v1", "no http:// or https://"),
        ("openai:m@127.0.0.1", "no http:// or https://"),
        ("openai:m@my-server:8000", "no http:// or https://.*openai:m@http://"),
        ("scripted:seeded@http://127.0.0.1/v1", "no URL"),
    ],
)
def test_a_bad_name_says_in_one_line_how_to_mend_it(text: str, match: str) -> None:
    with pytest.raises(UsageError, match=match) as caught:
        parse_judge(text)
    assert "\n" not in str(caught.value)
    assert caught.value.mend


def test_credentials_in_a_url_are_refused_and_not_repeated() -> None:
    with pytest.raises(UsageError, match="holds credentials") as caught:
        parse_judge("openai:m@https://user:hunter2-secret@host/v1")
    assert "hunter2" not in str(caught.value)
