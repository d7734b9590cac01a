"""How every number is rounded and written; no other module of the reports rounds."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal

from audit.records.score import Interval

NONE = "–"
"""What stands where there is no number."""
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def fixed(value: float | None, digits: int = 2) -> str:
    """Return ``value`` with ``digits`` decimals, halves rounded away from zero; a dash for ``None``.

    Raises
    ------
    ValueError
        If the value is not finite: a measure that doesn't exist must be ``None``.

    Examples
    --------
    >>> fixed(7.125), fixed(-0.001), fixed(None)
    ('7.13', '0.00', '–')
    """
    if value is None:
        return NONE
    text = f"{_rounded(value, digits):.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def trimmed(value: float | None, digits: int = 2) -> str:
    """Return ``value`` with at most ``digits`` decimals.

    Examples
    --------
    >>> trimmed(8.0), trimmed(7.5), trimmed(6.666)
    ('8', '7.5', '6.67')
    """
    text = fixed(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share of [0, 1] as a percentage.

    Examples
    --------
    >>> percent(0.4146)
    '41.5%'
    """
    return NONE if share is None else f"{fixed(share * 100, digits)}%"


def measure(value: float | None, *, is_share: bool) -> str:
    """Return a metric's value: a percentage for shares of items, else two decimals."""
    return percent(value) if is_share else fixed(value)


def interval(bounds: Interval | None, *, is_share: bool = False) -> str:
    """Return both ends of an interval, without its level.

    Examples
    --------
    >>> interval(Interval(7.904, 8.6, 0.95))
    '7.90 to 8.60'
    """
    if bounds is None:
        return NONE
    return f"{measure(bounds.low, is_share=is_share)} to {measure(bounds.high, is_share=is_share)}"


def count(number: int) -> str:
    """Return a whole number with its thousands apart.

    Examples
    --------
    >>> count(1234567)
    '1,234,567'
    """
    return f"{number:,}"


def plural(number: int, one: str, many: str = "") -> str:
    """Return a number and its noun.

    Examples
    --------
    >>> plural(1, "task"), plural(2, "task"), plural(0, "reply", "replies")
    ('1 task', '2 tasks', '0 replies')
    """
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def usd(amount: float | None) -> str:
    """Return an amount of US dollars; fractions of a cent only below ten cents.

    Examples
    --------
    >>> usd(12.345), usd(0.4), usd(0.01234), usd(0.00001), usd(0), usd(None)
    ('$12.35', '$0.40', '$0.0123', 'under $0.0001', '$0', 'not known')
    """
    if amount is None:
        return "not known"
    if amount == 0:
        return "$0"
    if amount < 0.0001:
        return "under $0.0001"
    return f"${_rounded(amount, 2):,.2f}" if amount >= 0.1 else f"${trimmed(amount, 4)}"


def duration(seconds: float) -> str:
    """Return a time span.

    Examples
    --------
    >>> duration(0.42), duration(75), duration(7260)
    ('0.4 s', '1 min 15 s', '2 h 1 min')
    """
    if seconds < 60:
        return f"{fixed(seconds, 1)} s"
    whole = int(_rounded(seconds, 0))
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def moment(text: str) -> str:
    """Return a time that is written by ISO 8601 as a reader writes it; empty if it is none.

    Examples
    --------
    >>> moment("2026-11-30T04:09:56+00:00"), moment("yesterday")
    ('30 November 2026, 04:09 UTC', '')
    """
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return ""
    if time.tzinfo is not None:
        time = time.astimezone(UTC)
    zone = " UTC" if time.tzinfo is not None else ""
    return f"{time.day} {_MONTHS[time.month - 1]} {time.year}, {time.hour:02}:{time.minute:02}{zone}"


def position(value: float, *, low: float, high: float, width: float = 100.0) -> str:
    """Return where ``value`` lies on a scale that is drawn ``width`` long; outside values stick to its ends."""
    span = high - low
    share = 0.0 if span <= 0 else min(1.0, max(0.0, (value - low) / span))
    return trimmed(share * width)


def _rounded(value: float, digits: int) -> Decimal:
    if not math.isfinite(value):
        raise ValueError(f"a report can't show {value}: what doesn't exist must be None")
    return Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
