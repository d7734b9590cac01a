from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest

from audit.errors import UsageError
from audit.providers.gate import Gate
from audit.providers.registry import WIRES, VendorStatus, make_provider, vendor_status, version_of
from audit.providers.scripted import ScriptedProvider
from audit.providers.sdk import SdkProvider
from audit.providers.spec import parse_judge
from audit.providers.vendors import VENDORS
from audit.records.verdict import Trust
from tests.providers.asking import VENDORS as WITH_SDK


def test_every_vendor_with_an_sdk_has_a_wire() -> None:
    assert set(WIRES) == set(WITH_SDK) == {name for name, vendor in VENDORS.items() if vendor.package}


@pytest.mark.parametrize("vendor", WITH_SDK)
def test_a_provider_knows_its_endpoint_model_and_trust(vendor: str) -> None:
    provider = make_provider(parse_judge(f"{vendor}:m"), environ={VENDORS[vendor].key_envs[0]: "key-0123456789"})
    assert isinstance(provider, SdkProvider)
    assert (provider.endpoint, provider.model, provider.trust) == (vendor, "m", Trust.MODEL)
    assert "key-0123456789" not in repr(vars(provider))
    asyncio.run(provider.aclose())


def test_a_scripted_provider_needs_nothing() -> None:
    assert isinstance(make_provider(parse_judge("scripted:seeded"), environ={}), ScriptedProvider)


@pytest.mark.parametrize("vendor", WITH_SDK)
def test_without_a_key_nothing_is_made(vendor: str) -> None:
    with pytest.raises(UsageError, match=f"the variable {VENDORS[vendor].key_envs[0]} is not set"):
        make_provider(parse_judge(f"{vendor}:m"), environ={})


def test_the_process_s_environment_is_read_when_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-0123456789")
    provider = make_provider(parse_judge("openai:m"))
    assert provider.endpoint == "openai"
    asyncio.run(provider.aclose())


def test_the_status_names_variables_and_never_keys() -> None:
    env = {"OPENAI_API_KEY": "key-0123456789", "GEMINI_API_KEY": "key-0123456789", "OPENAI_BASE_URL": "http://h/v1"}
    status = {entry.vendor: entry for entry in vendor_status(env)}
    assert status["openai"].key_env == "OPENAI_API_KEY"
    assert status["openai"].url_env == "OPENAI_BASE_URL"
    assert status["openai"].version.startswith("3.")
    assert (status["google"].key_env, status["google"].url_env) == ("GEMINI_API_KEY", "")
    assert status["anthropic"].key_env == ""
    assert status["scripted"] == VendorStatus("scripted", is_installed=True, version="", key_env="", url_env="")
    assert "0123456789" not in repr(status)


def test_a_distribution_that_is_missing_has_no_version() -> None:
    assert version_of("no-such-distribution") == ""


def test_importing_the_registry_and_asking_for_the_status_loads_no_sdk() -> None:
    code = (
        "import sys; from audit.providers.registry import vendor_status; vendor_status();"
        "print([n for n in ('openai', 'anthropic', 'google.genai', 'genai_prices', 'pandas') if n in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=True)
    assert run.stdout.strip() == "[]"


def test_the_first_through_a_gate_goes_alone_and_the_others_follow_even_if_it_fails() -> None:
    seen: list[str] = []

    async def go(gate: Gate, name: str, kind: str) -> None:
        async with gate.turn(kind):
            seen.append(f"{name} in")
            await asyncio.sleep(0)
            seen.append(f"{name} out")
            if name == "first":
                raise KeyError(name)

    async def run() -> None:
        gate = Gate()
        names = [("first", "k"), ("second", "k"), ("third", "k"), ("other", "j")]
        await asyncio.gather(*(go(gate, *name) for name in names), return_exceptions=True)

    asyncio.run(run())
    assert seen.index("first out") < min(seen.index("second in"), seen.index("third in"))
    assert seen.index("other in") < seen.index("first out")
    assert len(seen) == 8
