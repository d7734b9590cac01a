"""Every exception class of the SDKs and of their transport means something to us."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterator, Mapping
from typing import TypeGuard

import pytest
from pydantic import JsonValue

from audit.errors import ProviderErrorKind as Kind
from audit.providers.capabilities import Capabilities, Feature, find_facts
from audit.providers.endpoint import Endpoint
from audit.providers.fault_classes import KIND_BY_CLASS
from audit.providers.faults import class_key, kind_of_class
from audit.providers.registry import DECISIONS_WIRES, WIRES
from audit.providers.sdk import SdkProvider, Target
from audit.providers.spec import parse_judge
from audit.providers.transport import RAW_ERRORS
from audit.providers.wire import Answer, Call
from tests.providers.asking import get_error

PACKAGES = {"openai": "openai", "anthropic": "anthropic", "google": "google.genai", "transport": "httpx2"}
ROOTS = {"openai.OpenAIError", "openai.APIError", "openai.APIStatusError"}
ROOTS |= {"anthropic.AnthropicError", "anthropic.APIError", "anthropic.APIStatusError", "google.APIError"}

NEVER_RAISED_HERE = {
    "openai.MissingStreamClassError",
    "openai._TransientTokenExchangeError",
    "openai.InvalidWebhookSignatureError",
    "anthropic.MissingStreamClassError",
    "anthropic._NonObjectPayloadError",
    "anthropic.ToolError",
    "anthropic.FileStoreError",
    "anthropic.WorkloadIdentityError",
    "google.UnknownFunctionCallArgumentError",
    "google.UnsupportedFunctionError",
    "google.FunctionInvocationError",
    "google.ContinuationInterruptedError",
    "google.EphemeralTokenAPIKeyError",
    "google.GenAiError",
    "google.NoResponseError",
    "google.PermanentError",
    "google.TemporaryError",
}
"""Of streams, webhooks, tools, workload identities and continuations, none of which we use; a key of the kind that
raises "EphemeralTokenAPIKeyError" is refused before the client is made, and what comes after it the SDK turns into
others."""


def classes_of(package: str) -> Iterator[type[Exception]]:
    importlib.import_module(package)
    if package == "google.genai":
        importlib.import_module("google.genai.errors")
        importlib.import_module("google.genai._gaos.google_genai")  # which the SDK imports for decisions
    found: set[type[Exception]] = set()
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(f"{package}."):
            found.update(cls for cls in vars(module).values() if inspect.isclass(cls) and _is_own(cls, package))
    for cls in list(found):
        found |= set(_below(cls, package))
    yield from sorted(found, key=lambda cls: cls.__module__ + cls.__qualname__)


def _is_own(cls: type[object], package: str) -> TypeGuard[type[Exception]]:
    return issubclass(cls, Exception) and not issubclass(cls, Warning) and cls.__module__.startswith(package)


def _below(cls: type[Exception], package: str) -> Iterator[type[Exception]]:
    for sub in cls.__subclasses__():
        if _is_own(sub, package):
            yield sub
        yield from _below(sub, package)


class RaisingWire:
    """Raises what it is given instead of sending anything."""

    def __init__(self, error: Exception, roots: tuple[type[Exception], ...]) -> None:
        self.errors = roots
        self._error = error

    def sent(self, call: Call) -> frozenset[Feature]:
        return frozenset()

    async def send(self, call: Call) -> str:
        raise self._error

    def read(self, body: Mapping[str, JsonValue]) -> Answer:
        raise AssertionError

    async def aclose(self) -> None:
        return None


def roots_of(vendor: str) -> tuple[type[Exception], ...]:
    if vendor == "transport":
        return RAW_ERRORS
    makers = [wires[vendor] for wires in (WIRES, DECISIONS_WIRES) if vendor in wires]
    wires = [make(Endpoint("x", "http://127.0.0.1:1/v1"), timeout_s=1) for make in makers]
    return (*(error for wire in wires for error in wire.errors), *RAW_ERRORS)


def provider_raising(error: Exception, roots: tuple[type[Exception], ...]) -> SdkProvider:
    facts, _ = find_facts("openai", "m", is_own=False)
    endpoint = Endpoint("http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1", is_own=False)
    target = Target(parse_judge("openai:m@http://127.0.0.1:1/v1"), endpoint, facts, 5.0, ())
    return SdkProvider(target, lambda: RaisingWire(error, roots), capabilities=Capabilities())


def _blank(cls: type[Exception]) -> Exception:
    """An error of that class, whatever its own way of making one needs."""
    error = cls.__new__(cls)
    error.__dict__["message"] = "It broke."
    return error


@pytest.mark.parametrize("vendor", list(PACKAGES))
def test_every_exception_class_is_mapped_and_becomes_a_provider_error(vendor: str) -> None:
    classes, roots = list(classes_of(PACKAGES[vendor])), roots_of(vendor)
    assert len(classes) >= 9
    unmapped, unlike = [], []
    for cls in classes:
        lineage = [class_key(base) for base in cls.__mro__]
        if NEVER_RAISED_HERE.intersection(lineage):
            continue
        named = next((key for key in lineage if key in KIND_BY_CLASS), None)
        if named is None or (named in ROOTS and named != class_key(cls)) or not issubclass(cls, roots):
            unmapped.append(class_key(cls))
            continue
        error = get_error(provider_raising(_blank(cls), roots))
        if error.kind is not kind_of_class(cls):
            unlike.append((class_key(cls), error.kind))
    assert unmapped == []
    assert unlike == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("openai.APITimeoutError", Kind.TIMEOUT),
        ("openai.APIConnectionError", Kind.CONNECTION),
        ("anthropic.OverloadedError", Kind.OVERLOADED),
        ("anthropic.EnforcedSpendLimitReachedError", Kind.QUOTA),
        ("anthropic.NotFoundError", Kind.NOT_FOUND),
        ("httpx2.ReadTimeout", Kind.TIMEOUT),
        ("httpx2.RemoteProtocolError", Kind.CONNECTION),
        ("httpx2.InvalidURL", Kind.NOT_FOUND),
    ],
)
def test_a_class_means_what_its_name_says(name: str, kind: Kind) -> None:
    assert KIND_BY_CLASS[name] is kind


def test_every_listed_class_of_the_sdks_still_exists() -> None:
    there = {class_key(cls) for package in PACKAGES.values() for cls in classes_of(package)}
    listed = {key for key in KIND_BY_CLASS if not key.startswith(("anyio.", "builtins.", "json."))}
    assert listed - there == set()


@pytest.mark.parametrize(("cls", "kind"), [(TimeoutError, Kind.TIMEOUT), (ConnectionResetError, Kind.CONNECTION)])
def test_the_system_s_own_errors_become_provider_errors(cls: type[Exception], kind: Kind) -> None:
    assert get_error(provider_raising(cls(), RAW_ERRORS)).kind is kind


def test_a_bug_is_not_swallowed() -> None:
    with pytest.raises(KeyError):
        get_error(provider_raising(KeyError("bug"), RAW_ERRORS))
