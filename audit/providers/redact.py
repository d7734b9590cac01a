"""Keys that must not be seen, taken out of every text that leaves a provider."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from audit.providers.vendors import VENDORS

REDACTED = "[key removed]"
_SHORTEST = 8
"""Shorter values are no keys; taking them out would tear ordinary words apart."""
_SHORTEST_PIECE = 12
_ESCAPE = re.compile(
    r"(?<!\\)(?P<before>(?:\\\\)*)\\(?:u00(?P<code>2[0134-9a-f]|[3-46-7][0-9a-f]|5[0-9abd-f])|/)", re.IGNORECASE
)
"""JSON's escapes of characters that need none: all printable ones of ASCII but the quote and the backslash."""
_AUTHORISES = re.compile("auth|key|token|secret", re.IGNORECASE)
_LOOKS_LIKE_KEY = re.compile(
    r"""
      \b(?:sk|pk|rk|gsk|xai|hf|fw|nvapi|pplx|r8|glpat|ghp|gho)[-_][A-Za-z0-9*_\-]{8,}
    | \bAIza[A-Za-z0-9*_\-]{10,}
    | \bya29\.[A-Za-z0-9_\-]{8,}
    | \bAKIA[A-Z0-9]{12,}
    | \beyJ[A-Za-z0-9_\-]{8,1000}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*
    | (?<=Bearer\s)\S{8,}
    | (?<=://)[^\s/@:]+:[^\s/@]+(?=@)
    """,
    re.VERBOSE,
)


def known_secrets(environ: Mapping[str, str] = os.environ, *, extra: Iterable[str] = ()) -> tuple[str, ...]:
    """Return every key that this process could leak, the longest first.

    Parameters
    ----------
    environ
        Read for the key variables of every vendor.
    extra
        Keys from other places.
    """
    values = {value.strip() for value in extra}
    for vendor in VENDORS.values():
        for name in (*vendor.key_envs, *vendor.secret_envs):
            if name.endswith(("_KEY", "_TOKEN")) and name in environ:
                values.add(environ[name].strip())
            elif name.endswith("_HEADERS") and name in environ:
                values.update(_secret_headers(environ[name]))
    return tuple(sorted((value for value in values if len(value) >= _SHORTEST), key=lambda value: (-len(value), value)))


def read_headers(text: str) -> tuple[tuple[str, str], ...]:
    """Return names and values of a variable that holds one ``Name: value`` a line."""
    lines = (line.partition(":") for line in text.splitlines() if ":" in line)
    return tuple((name.strip(), value.strip()) for name, _, value in lines)


def _secret_headers(text: str) -> tuple[str, ...]:
    """Values of headers that authorise, without a scheme such as ``Bearer`` before them."""
    secret = (value for name, value in read_headers(text) if _AUTHORISES.search(name))
    return tuple(value.split()[-1] for value in secret if value)


def remove_secrets(text: str, secrets: Iterable[str]) -> str:
    r"""Return ``text`` without ``secrets``: as they are, as JSON or base64 write them, and without halves of them.

    Examples
    --------
    >>> remove_secrets("you sent abc-0123456789", ["abc-0123456789"])
    'you sent [key removed]'
    >>> remove_secrets(r'{"reason": "\u0061bc-0123456789"}', ["abc-0123456789"])
    '{"reason": "[key removed]"}'
    """
    every = tuple(secrets)
    for secret in every:
        text = _reveal(text, secret)
        for form in _forms(secret):
            text = text.replace(form, REDACTED)
    for secret in every:  # when all are out as wholes: keys may have pieces in common
        text = _remove_pieces(text, secret)
    return text


def _reveal(text: str, secret: str) -> str:
    """Write out needless escapes of JSON if they hide a key, which its reader would bring to light."""
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(_unescape, text)
    return plain if plain.count(secret) > text.count(secret) else text


def _unescape(match: re.Match[str]) -> str:
    return match["before"] + (chr(int(match["code"], 16)) if match["code"] else "/")


@lru_cache(maxsize=64)
def _forms(secret: str) -> tuple[str, ...]:
    packed = base64.b64encode(secret.encode()).decode().rstrip("=")
    return tuple(dict.fromkeys((secret, json.dumps(secret)[1:-1], packed, packed[:-1])))


def _remove_pieces(text: str, secret: str) -> str:
    """Take out whatever has half of a key, which others could complete."""
    size = max(_SHORTEST_PIECE, len(secret) // 2)
    for start in range(len(secret) - size + 1):
        while (at := text.find(secret[start : start + size])) >= 0:
            end = at + size
            while end < len(text) and secret.startswith(text[at : end + 1], start):
                end += 1
            text = text[:at] + REDACTED + text[end:]
    return text


def remove_keys(text: str, secrets: Iterable[str]) -> str:
    """Return ``text`` without ``secrets`` and without anything that looks like a key."""
    return _LOOKS_LIKE_KEY.sub(REDACTED, remove_secrets(text, secrets))
