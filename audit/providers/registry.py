"""From a judge's name to its provider."""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from audit.errors import UsageError
from audit.providers.anthropic import AnthropicWire
from audit.providers.capabilities import Capabilities, find_facts
from audit.providers.decisions import GoogleDecisionsWire, OpenAIDecisionsWire
from audit.providers.endpoint import resolve_endpoint
from audit.providers.google import GoogleWire, check_key
from audit.providers.local import LOCAL, LocalProvider
from audit.providers.openai import OpenAIWire
from audit.providers.protocol import Provider
from audit.providers.redact import known_secrets
from audit.providers.scripted import make_scripted
from audit.providers.sdk import SdkProvider, Target
from audit.providers.spec import JudgeSpec
from audit.providers.vendors import VENDORS
from audit.providers.wire import Wire
from audit.records.mode import Mode, without_mode

WIRES: dict[str, Callable[..., Wire]] = {"openai": OpenAIWire, "anthropic": AnthropicWire, "google": GoogleWire}
"""Vendor to what speaks its protocol."""
DECISIONS_WIRES: dict[str, Callable[..., Wire]] = {"openai": OpenAIDecisionsWire, "google": GoogleDecisionsWire}
"""The same for its decisions endpoint, where it has one."""


@dataclass(frozen=True, slots=True)
class ProviderOptions:
    """What a user can set about a provider.

    Parameters
    ----------
    api_key_env
        Variable that holds the key; ``None`` for the vendor's usual ones.
    timeout_s
        For a whole call.
    secret_envs
        Variables that hold the keys of the run's other judges: no reply or error may quote them either.
    is_asked_here
        Whether this process sends the requests; else it needs no key.
    is_planned
        Whether nothing is to be sent; then it needs none either.
    """

    api_key_env: str | None = None
    timeout_s: float = 120.0
    secret_envs: tuple[str, ...] = ()
    is_asked_here: bool = True
    is_planned: bool = False


def make_provider(
    spec: JudgeSpec, options: ProviderOptions | None = None, *, environ: Mapping[str, str] = os.environ
) -> Provider:
    """Return what answers for a judge; nothing is sent yet.

    Parameters
    ----------
    spec
        From :func:`audit.providers.spec.parse_judge`.
    options
        Key variable, time-out, allowance.
    environ
        The process's environment: keys and moved addresses.

    Raises
    ------
    UsageError
        If the key is missing, no script has that name, or the vendor can't be asked in that mode.
    """
    chosen = options or ProviderOptions()
    wires = DECISIONS_WIRES if spec.mode is Mode.DECISIONS else WIRES
    if spec.mode is Mode.DECISIONS and spec.vendor not in wires:
        what = f"{spec.vendor} has no decisions endpoint; {' and '.join(wires)} have one"
        where, mend = f"judge {without_mode(spec.name)}", "Leave out --mode decisions, or this judge"
        raise UsageError(what, where=where, mend=mend)
    if spec.vendor == "scripted":
        return make_scripted(spec.model)
    if spec.vendor == LOCAL:
        return _make_local(spec, chosen)
    is_asked_here = chosen.is_asked_here and not chosen.is_planned
    endpoint = resolve_endpoint(spec, api_key_env=chosen.api_key_env, environ=environ, is_asked_here=is_asked_here)
    facts, is_known = find_facts(spec.vendor, spec.model, is_own=endpoint.is_own)
    secrets = known_secrets(environ, extra=[endpoint.key, *(environ.get(name, "") for name in chosen.secret_envs)])
    target = Target(spec, endpoint, facts, chosen.timeout_s, secrets)
    capabilities = Capabilities(facts.refused, is_settled=is_known)
    check_key(endpoint, vendor=spec.vendor)
    make_wire = partial(wires[spec.vendor], endpoint, timeout_s=chosen.timeout_s)
    return SdkProvider(target, make_wire, capabilities=capabilities)


def _make_local(spec: JudgeSpec, options: ProviderOptions) -> Provider:
    if not options.is_asked_here:
        what = "a model's file is asked by the machine that it is on"
        raise UsageError(what, where=f"judge {spec.name}", mend="Leave out --workers")
    return LocalProvider(spec, timeout_s=options.timeout_s)


@dataclass(frozen=True, slots=True)
class VendorStatus:
    """Whether a vendor can be used on this machine.

    Parameters
    ----------
    version
        Of the SDK; empty when it is not installed, or when the vendor needs none.
    key_env
        The variable that holds a key; empty when none is set. Never the key.
    url_env
        The variable that moves the vendor's address; empty when none does.
    """

    vendor: str
    is_installed: bool
    version: str
    key_env: str
    url_env: str


def vendor_status(environ: Mapping[str, str] = os.environ) -> tuple[VendorStatus, ...]:
    """Return the state of every vendor, without importing an SDK."""
    return tuple(_status_of(name, environ) for name in VENDORS)


def _status_of(name: str, environ: Mapping[str, str]) -> VendorStatus:
    vendor = VENDORS[name]
    version = version_of(vendor.distribution) if vendor.distribution else ""
    key_env = next((env for env in vendor.key_envs if environ.get(env, "").strip()), "")
    url_env = vendor.url_env if vendor.url_env and environ.get(vendor.url_env) else ""
    return VendorStatus(name, not vendor.distribution or bool(version), version, key_env, url_env)


def version_of(distribution: str) -> str:
    """Return an installed distribution's version; empty when it is not installed."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""
