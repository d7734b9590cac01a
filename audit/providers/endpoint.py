"""Where a judge is asked and with which key."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from audit.errors import UsageError
from audit.providers.redact import read_headers
from audit.providers.spec import JudgeSpec, check_url
from audit.providers.vendors import VENDORS, Vendor
from audit.records.mode import without_mode

NO_KEY = "not-needed"
"""What a server is sent that needs no key; the SDKs refuse to send nothing."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A resolved address.

    Parameters
    ----------
    name
        What the store's key knows of it: the vendor's name for its own address, else the URL.
    url
        Always given to the SDK, so that no variable moves it behind our back.
    key
        Empty when the server needs none.
    key_env
        The variable that the key was read from.
    is_own
        Whether it is the vendor's own address.
    withheld
        Values that must not be sent there, whatever the SDK picks up from the environment.
    """

    name: str
    url: str
    key: str = field(default="", repr=False)
    key_env: str = ""
    is_own: bool = True
    withheld: tuple[str, ...] = field(default=(), repr=False)


def resolve_endpoint(
    spec: JudgeSpec,
    *,
    api_key_env: str | None = None,
    environ: Mapping[str, str] = os.environ,
    is_asked_here: bool = True,
) -> Endpoint:
    """Find the address and the key of a judge.

    Parameters
    ----------
    spec
        A judge of a vendor with an SDK.
    api_key_env
        The variable that holds this judge's key; ``None`` for the vendor's usual ones.
    environ
        The process's environment.
    is_asked_here
        Whether this process sends the requests; else no key is read.

    Returns
    -------
    Endpoint
        For a URL in the judge's name without a key, unless ``api_key_env`` names one: a vendor's key
        goes to the vendor's own address, and to the one that the vendor's URL variable names.

    Raises
    ------
    UsageError
        If a key is needed or named and there is none.
    """
    vendor = VENDORS[spec.vendor]
    env_url = _env_url(vendor, environ)
    own_url = check_url(vendor.url, where=vendor.name)
    url = spec.base_url or env_url or own_url
    is_own = url == own_url
    if is_asked_here and (is_own or url == env_url or api_key_env is not None):
        key_env = _find_key_env(spec, vendor, api_key_env=api_key_env, environ=environ, is_needed=is_own)
    else:
        key_env = ""
    key = _read_key(key_env, environ) if key_env else ""
    withheld = () if is_own or url == env_url else _vendor_secrets(environ) - {key}
    return Endpoint(vendor.name if is_own else url, url, key, key_env, is_own, tuple(sorted(withheld)))


def assign_key_envs(specs: Sequence[JudgeSpec], choices: Sequence[str]) -> dict[str, str]:
    """Return which judge reads its key from which variable.

    Parameters
    ----------
    specs
        Every judge of the run.
    choices
        What ``--api-key-env`` was given: ``NAME`` when all judges are at one address, else
        ``VENDOR=NAME`` or ``JUDGE=NAME``.

    Returns
    -------
    dict
        Judge name to variable; judges without a choice are absent.

    Raises
    ------
    UsageError
        If a choice fits no judge, or would send one key to several addresses.

    Examples
    --------
    >>> from audit.providers.spec import parse_judge
    >>> assign_key_envs([parse_judge("openai:gpt-5.4")], ["TEAM_KEY"])
    {'openai:gpt-5.4': 'TEAM_KEY'}
    """
    assigned: dict[str, str] = {}
    for choice in choices:
        target, _, name = choice.rpartition("=")
        if not name:
            raise UsageError("no variable is named", where=f"--api-key-env {choice}", mend="Write JUDGE=NAME")
        matching = [spec for spec in specs if VENDORS[spec.vendor].key_envs and target in _names(spec)]
        if not matching:
            raise UsageError("it fits none of the judges", where=f"--api-key-env {choice}", mend="Write JUDGE=NAME")
        if len({(spec.vendor, spec.base_url) for spec in matching}) > 1:
            mend = "Write JUDGE=NAME, once for each judge"
            raise UsageError("it would send one key to several addresses", where=f"--api-key-env {choice}", mend=mend)
        assigned |= {spec.name: name for spec in matching}
    return assigned


def _names(spec: JudgeSpec) -> set[str]:
    """Return what a choice may call a judge."""
    return {"", spec.vendor, spec.name, without_mode(spec.name)}


def _env_url(vendor: Vendor, environ: Mapping[str, str]) -> str | None:
    url = environ.get(vendor.url_env)
    return check_url(url, where=vendor.url_env) if url else None


def _find_key_env(
    spec: JudgeSpec, vendor: Vendor, *, api_key_env: str | None, environ: Mapping[str, str], is_needed: bool
) -> str:
    names = vendor.key_envs if api_key_env is None else (api_key_env,)
    name = next((name for name in names if environ.get(name, "").strip()), "")
    if not name and (is_needed or api_key_env is not None):
        raise UsageError(
            f"no key: the variable {names[0]} is not set",
            where=f"judge {spec.name}",
            mend=f"Set {names[0]}, or name another variable with --api-key-env",
        )
    return name


def _read_key(name: str, environ: Mapping[str, str]) -> str:
    key = environ[name].strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError(f"what the variable {name} holds is not a key", mend="Set it to the key alone, on one line")
    return key


def _vendor_secrets(environ: Mapping[str, str]) -> set[str]:
    secrets: set[str] = set()
    for vendor in VENDORS.values():
        for name in (*vendor.key_envs, *vendor.secret_envs):
            text = environ.get(name, "").strip()
            secrets.update((value for _, value in read_headers(text)) if name.endswith("_HEADERS") else [text])
    return secrets - {""}
