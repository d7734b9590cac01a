"""Judge names: ``vendor:model`` or ``vendor:model@URL``."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from audit.errors import UsageError
from audit.providers.vendors import VENDORS
from audit.records.mode import Mode, mode_of, name_in_mode, without_mode

EXAMPLE = "openai:gpt-5.4"
_URL_AT = re.compile(r"@(?=[A-Za-z][A-Za-z0-9+.\-]*://)")
_BARE_HOST = re.compile(r"@((localhost|\d+\.\d+\.\d+\.\d+|[\w.\-]+:\d{2,5})([:/].*)?)$")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class JudgeSpec:
    """A judge as the user named it.

    Parameters
    ----------
    vendor
        A key of :data:`audit.providers.vendors.VENDORS`.
    model
        The model id as the vendor knows it; for ``scripted`` the script's name, for ``local`` a path.
    base_url
        Where the model is served, without a trailing slash; ``None`` for the vendor's own address.
    name
        What is shown and stored; never holds credentials.
    mode
        How it is asked; the name tells it.
    """

    vendor: str
    model: str
    base_url: str | None
    name: str
    mode: Mode = Mode.PROMPTS

    def asked_in(self, mode: Mode) -> JudgeSpec:
        """Return the same judge asked in another mode."""
        return replace(self, name=name_in_mode(without_mode(self.name), mode), mode=mode)


def parse_judge(text: str) -> JudgeSpec:
    """Read a judge's name as given with ``--judge``.

    Parameters
    ----------
    text
        ``vendor:model`` or ``vendor:model@URL``, or as reports name it, with `` (decisions)`` after it. Models may hold
        colons, slashes and @ signs. For ``local`` the model is a file's path, of which the name alone is shown.

    Returns
    -------
    JudgeSpec
        With a name that is safe to show.

    Raises
    ------
    UsageError
        If the vendor is unknown, the model is missing or the URL can't be used.

    Examples
    --------
    >>> parse_judge("openai:qwen3:8b@http://127.0.0.1:8080/v1/").base_url
    'http://127.0.0.1:8080/v1'
    >>> parse_judge("anthropic:claude-sonnet-4-5").model
    'claude-sonnet-4-5'
    """
    text = text.strip()
    if (mode := mode_of(text)) is not Mode.PROMPTS:
        return parse_judge(without_mode(text)).asked_in(mode)
    vendor, colon, rest = text.partition(":")
    if vendor not in VENDORS:
        raise _unknown_vendor(vendor, rest if colon else None)
    if vendor == "local" and rest:
        return _local(rest)
    model, url = _split_url(rest)
    if not model:
        raise UsageError(f"the judge {vendor!r} names no model", mend=_write_model(vendor))
    where = f"judge {vendor}:{model}"
    if _UNPRINTABLE.search(model):
        raise UsageError("the model's name holds white space", where=where, mend="Write it without")
    if url is None:
        _refuse_bare_host(model, vendor)
        return JudgeSpec(vendor, model, None, f"{vendor}:{model}")
    if not VENDORS[vendor].package:
        raise UsageError("a scripted judge has no URL", where=where, mend=f"Write {vendor}:{model}")
    base_url = check_url(url, where=where)
    return JudgeSpec(vendor, model, base_url, f"{vendor}:{model}@{base_url}")


def _local(path: str) -> JudgeSpec:
    if _CONTROL.search(path):
        raise UsageError("the path holds control characters", where="judge local", mend="Rename the file")
    return JudgeSpec("local", path, None, f"local:{Path(path).name}")


def check_url(url: str, *, where: str) -> str:
    """Return ``url`` in the one form that is shown and stored.

    Parameters
    ----------
    url
        An http or https address with a host and no user, query or fragment.
    where
        Names the URL's place in the error message.

    Raises
    ------
    UsageError
        Never quoting the part of the URL that could be secret.

    Examples
    --------
    >>> check_url("HTTPS://Example.org:443/v1/", where="judge")
    'https://example.org/v1'
    """
    parts, host, port = _parse_url(url, where=where)
    if "@" in parts.netloc:
        raise UsageError(
            "the URL holds credentials", where=where, mend="Put the key into a variable, --api-key-env NAME"
        )
    if parts.query or parts.fragment or "?" in url or "#" in url:
        raise UsageError(
            "the URL has a query or a fragment", where=where, mend="Write scheme, host, port and path alone"
        )
    shown_host = f"[{host}]" if ":" in host else host
    default = {"http": 80, "https": 443}[parts.scheme]
    shown_port = "" if port in (None, default) else f":{port}"
    return f"{parts.scheme}://{shown_host}{shown_port}{parts.path.rstrip('/')}"


def _parse_url(url: str, *, where: str) -> tuple[SplitResult, str, int | None]:
    if _UNPRINTABLE.search(url):
        raise UsageError("the URL holds white space", where=where, mend="Write it without")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError("the URL has no usable host and port", where=where, mend=_URL_FORM) from error
    if parts.scheme not in {"http", "https"}:
        raise UsageError(f"a URL can't begin with {parts.scheme}://", where=where, mend=_URL_FORM)
    if not host:
        raise UsageError("the URL has no host", where=where, mend=_URL_FORM)
    return parts, host, port


_URL_FORM = "Write it as in http://127.0.0.1:8080/v1"


def _write_model(vendor: str) -> str:
    examples = {EXAMPLE.partition(":")[0]: EXAMPLE, "scripted": "scripted:constant-7", "local": "local:model.gguf"}
    example = f", for example {examples[vendor]}" if vendor in examples else ""
    return f"Write {vendor}:MODEL{example}"


def _split_url(rest: str) -> tuple[str, str | None]:
    match = _URL_AT.search(rest)
    return (rest, None) if match is None else (rest[: match.start()], rest[match.end() :])


def _refuse_bare_host(model: str, vendor: str) -> None:
    """A URL without its scheme would be sent to the vendor as part of the model's name."""
    match = _BARE_HOST.search(model)
    if match is None:
        return
    name = model[: match.start()]
    raise UsageError(
        "the URL has no http:// or https://",
        where=f"judge {vendor}:{name}",
        mend=f"Write it as in {vendor}:{name}@http://127.0.0.1:8080/v1",
    )


def _unknown_vendor(vendor: str, rest: str | None) -> UsageError:
    names = ", ".join(VENDORS)
    if rest is None:
        return UsageError(f"the judge {vendor!r} has no vendor", mend=f"Write VENDOR:MODEL with one of {names}")
    close = difflib.get_close_matches(vendor.lower(), VENDORS, n=1)
    advice = (
        f"Did you mean {close[0]}" if close else f"Known are {names}; other servers that speak OpenAI's protocol are"
    )
    advice = f"{advice}?" if close else f"{advice} openai:MODEL@URL"
    return UsageError(f"the vendor {vendor!r} is not known", where="judge", mend=advice)
