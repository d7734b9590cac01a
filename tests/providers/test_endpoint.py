from __future__ import annotations

import pytest

from audit.errors import UsageError
from audit.providers.endpoint import assign_key_envs, resolve_endpoint
from audit.providers.spec import parse_judge

KEY = "planted-key-0123456789"
CUSTOM = "http://127.0.0.1:8080/v1"


def test_the_vendor_s_own_address_gets_the_vendor_s_key() -> None:
    endpoint = resolve_endpoint(parse_judge("openai:gpt-5.4"), environ={"OPENAI_API_KEY": f" {KEY}\n"})
    assert (endpoint.name, endpoint.url, endpoint.key) == ("openai", "https://api.openai.com/v1", KEY)
    assert endpoint.is_own
    assert KEY not in repr(endpoint)


@pytest.mark.parametrize(
    ("judge", "names"),
    [
        ("openai:m", ["OPENAI_API_KEY"]),
        ("anthropic:m", ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"]),
        ("google:m", ["GOOGLE_API_KEY", "GEMINI_API_KEY"]),
    ],
)
def test_the_strongest_key_variable_that_is_set_is_read(judge: str, names: list[str]) -> None:
    spec = parse_judge(judge)
    for name in names:
        assert resolve_endpoint(spec, environ={name: KEY}).key_env == name
    assert resolve_endpoint(spec, environ=dict.fromkeys(names, KEY)).key_env == names[0]


@pytest.mark.parametrize("environ", [{}, {"OPENAI_API_KEY": "  "}])
def test_a_missing_key_names_the_variable(environ: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="judge openai:m: no key: the variable OPENAI_API_KEY is not set"):
        resolve_endpoint(parse_judge("openai:m"), environ=environ)


@pytest.mark.parametrize("key", ["two words", "kéy-0123456789", "a\x00b", "line\nline"])
def test_a_key_that_is_none_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY holds is not a key") as caught:
        resolve_endpoint(parse_judge("openai:m"), environ={"OPENAI_API_KEY": key})
    assert key not in str(caught.value)


def test_a_url_in_the_judge_s_name_gets_no_vendor_key() -> None:
    environ = {"OPENAI_API_KEY": KEY, "OPENAI_ORG_ID": "org-1", "OPENAI_CUSTOM_HEADERS": "X-Auth: secret-header"}
    endpoint = resolve_endpoint(parse_judge(f"openai:m@{CUSTOM}"), environ=environ)
    assert (endpoint.name, endpoint.key, endpoint.key_env, endpoint.is_own) == (CUSTOM, "", "", False)
    assert set(endpoint.withheld) == {KEY, "org-1", "secret-header"}


def test_a_url_gets_the_key_that_the_user_names_for_it() -> None:
    environ = {"OPENAI_API_KEY": "vendor-key-0123", "MY_KEY": KEY}
    endpoint = resolve_endpoint(parse_judge(f"openai:m@{CUSTOM}"), api_key_env="MY_KEY", environ=environ)
    assert (endpoint.key, endpoint.key_env, endpoint.withheld) == (KEY, "MY_KEY", ("vendor-key-0123",))


def test_a_named_variable_has_to_be_set() -> None:
    with pytest.raises(UsageError, match="the variable MY_KEY is not set"):
        resolve_endpoint(parse_judge(f"openai:m@{CUSTOM}"), api_key_env="MY_KEY", environ={"OPENAI_API_KEY": KEY})


@pytest.mark.parametrize(
    ("judge", "variable", "key"),
    [
        ("openai:m", "OPENAI_BASE_URL", "OPENAI_API_KEY"),
        ("anthropic:m", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
        ("google:m", "GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY"),
    ],
)
def test_a_moved_address_is_the_endpoint_and_gets_the_key(judge: str, variable: str, key: str) -> None:
    spec = parse_judge(judge)
    endpoint = resolve_endpoint(spec, environ={variable: f"{CUSTOM}/", key: KEY})
    assert (endpoint.name, endpoint.url, endpoint.key, endpoint.withheld) == (CUSTOM, CUSTOM, KEY, ())
    assert resolve_endpoint(spec, environ={variable: CUSTOM}).key == ""


def test_a_moved_address_named_again_gets_the_key_and_another_does_not() -> None:
    environ = {"OPENAI_BASE_URL": CUSTOM, "OPENAI_API_KEY": KEY}
    assert resolve_endpoint(parse_judge(f"openai:m@{CUSTOM}"), environ=environ).key == KEY
    assert resolve_endpoint(parse_judge("openai:m@http://127.0.0.1:9/v1"), environ=environ).key == ""


def test_the_vendor_s_address_spelled_out_is_its_own_but_not_without_tls() -> None:
    environ = {"OPENAI_API_KEY": KEY}
    assert resolve_endpoint(parse_judge("openai:m@https://API.openai.com/v1/"), environ=environ).name == "openai"
    assert resolve_endpoint(parse_judge("openai:m@http://api.openai.com/v1"), environ=environ).key == ""


def test_a_bad_moved_address_names_its_variable() -> None:
    with pytest.raises(UsageError, match="OPENAI_BASE_URL: the URL holds credentials"):
        resolve_endpoint(parse_judge("openai:m"), environ={"OPENAI_BASE_URL": "http://a:b@h/v1", "OPENAI_API_KEY": KEY})


def test_key_variables_are_assigned_by_vendor_by_judge_or_to_the_only_address() -> None:
    openai, claude = parse_judge("openai:m"), parse_judge("anthropic:c")
    local, scripted = parse_judge(f"openai:m@{CUSTOM}"), parse_judge("scripted:seeded")
    assert assign_key_envs([openai, scripted], ["K"]) == {"openai:m": "K"}
    assert assign_key_envs([openai, claude], ["anthropic=K"]) == {"anthropic:c": "K"}
    assert assign_key_envs([openai, local], [f"openai:m@{CUSTOM}=K", "openai:m=L"]) == {
        local.name: "K",
        "openai:m": "L",
    }
    assert assign_key_envs([openai], []) == {}


@pytest.mark.parametrize(
    ("judges", "choice", "match"),
    [
        (["openai:m", "anthropic:c"], "K", "one key to several addresses"),
        (["openai:m", f"openai:m@{CUSTOM}"], "openai=K", "one key to several addresses"),
        (["openai:m"], "google=K", "fits none of the judges"),
        (["scripted:seeded"], "K", "fits none of the judges"),
        (["openai:m"], "openai=", "no variable is named"),
    ],
)
def test_a_key_variable_that_fits_no_judge_or_too_many_is_refused(judges: list[str], choice: str, match: str) -> None:
    with pytest.raises(UsageError, match=match):
        assign_key_envs([parse_judge(judge) for judge in judges], [choice])
