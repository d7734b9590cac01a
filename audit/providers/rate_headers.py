"""What servers say in their headers about how much may still be sent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_NAMES = {
    "requests": ("x-ratelimit-{}-requests", "anthropic-ratelimit-requests-{}"),
    "tokens": (
        "x-ratelimit-{}-tokens",
        "anthropic-ratelimit-tokens-{}",
        "anthropic-ratelimit-input-tokens-{}",
    ),
}


def pause_s(headers: Mapping[str, str], *, n_tokens: int, now: datetime | None = None) -> float:
    """Return for how long nothing should be sent, so that the server's limits are kept.

    Parameters
    ----------
    headers
        Of a response, names in lower case or case-insensitive: those of OpenAI and of Anthropic are known.
    n_tokens
        What the next call is going to need, about.
    now
        For moments that are told as such.

    Returns
    -------
    float
        Seconds; 0 where enough is left, or where nothing that can be read is said.

    Examples
    --------
    >>> pause_s({"x-ratelimit-remaining-tokens": "100", "x-ratelimit-reset-tokens": "1m2.5s"}, n_tokens=500)
    62.5
    >>> pause_s({"x-ratelimit-remaining-tokens": "900", "x-ratelimit-reset-tokens": "1m2.5s"}, n_tokens=500)
    0.0
    """
    moment = now or datetime.now(UTC)
    return max([0.0, *_pauses(headers, n_tokens, moment)])


def _pauses(headers: Mapping[str, str], n_tokens: int, now: datetime) -> Iterator[float]:
    for kind, names in _NAMES.items():
        needed = 1 if kind == "requests" else max(1, n_tokens)
        for name in names:
            left = _read_number(headers.get(name.format("remaining"), ""))
            if left is not None and left < needed:
                yield _read_reset(headers.get(name.format("reset"), ""), now)


def _read_number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d{1,15}", text) else None


def _read_reset(text: str, now: datetime) -> float:
    """Return the seconds until a moment or for a duration; 0 for what is neither."""
    if parts := _DURATION.findall(text):
        return sum(float(amount) * _UNITS[unit] for amount, unit in parts)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return 0.0
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds())
