"""From whatever goes wrong with a call to the one taxonomy of failures."""

from __future__ import annotations

import json
import math
import re
import ssl
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeAlias

from audit.errors import ProviderErrorKind as Kind
from audit.providers.fault_classes import KIND_BY_CLASS


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a call brought no reply.

    Parameters
    ----------
    message
        One line: the server's words where it said any.
    status
        HTTP status, 0 without an answer.
    code
        The server's own names for the failure, joined.
    retry_after_s
        How long the server asks us to wait.
    """

    kind: Kind
    message: str
    status: int = 0
    code: str = ""
    retry_after_s: float | None = None


Clean: TypeAlias = Callable[[str], str]
"""Takes keys out of a text."""
_MAX_RAW_CHARACTERS = 20_000
"""Of a server's words, before keys are taken out of them and they are cut to a line."""
_MAX_CODE_CHARACTERS = 500


def fault_of(error: BaseException, *, clean: Clean = str) -> Fault:
    """Map an SDK's or transport's exception.

    Parameters
    ----------
    error
        Anything that the SDKs raise; with a ``response`` the server's answer decides, else the class.
    clean
        Applied to the message before it is cut, so that no half of a key is left at its end.
    """
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", None)
    if isinstance(status, int) and response is not None:
        return fault_from_answer(status, response.text, headers=response.headers, clean=clean)
    return Fault(kind_of_class(type(error)) or Kind.BAD_RESPONSE, _describe(error, clean))


def kind_of_class(cls: type[BaseException]) -> Kind | None:
    """Return what an exception class means without looking at its content; ``None`` if it is not listed."""
    for base in cls.__mro__:
        kind = KIND_BY_CLASS.get(class_key(base))
        if kind is not None:
            return kind
    return Kind.CONNECTION if issubclass(cls, ssl.SSLError | OSError) else None


def class_key(cls: type) -> str:
    """Return a class's top package and name, as :data:`KIND_BY_CLASS` lists it."""
    return f"{cls.__module__.partition('.')[0]}.{cls.__qualname__}"


def fault_from_answer(status: int, text: str, *, headers: Mapping[str, str], clean: Clean = str) -> Fault:
    """Map an HTTP answer that is not a reply; ``clean`` as for :func:`fault_of`."""
    record = _error_record(text)
    message = _one_line(_message_of(record) or text, clean) or "no words"
    code = " ".join(_codes_of(record))[:_MAX_CODE_CHARACTERS]
    details = json.dumps(record.get("details", ""))[:_MAX_RAW_CHARACTERS] if record else ""
    kind = classify(status, f"{message} {details}", code=code)
    return Fault(kind, message, status, code, _asked_wait(headers, details))


_BY_STATUS = {
    401: Kind.AUTH,
    402: Kind.QUOTA,
    403: Kind.AUTH,
    404: Kind.NOT_FOUND,
    405: Kind.NOT_FOUND,
    407: Kind.AUTH,
    408: Kind.TIMEOUT,
    409: Kind.SERVER,
    410: Kind.NOT_FOUND,
    413: Kind.CONTEXT_TOO_LONG,
    425: Kind.OVERLOADED,
    429: Kind.RATE_LIMITED,
    498: Kind.OVERLOADED,
    499: Kind.CONNECTION,
    503: Kind.OVERLOADED,
    504: Kind.TIMEOUT,
    524: Kind.TIMEOUT,
    529: Kind.OVERLOADED,
}
_BY_WORDS = (
    (
        frozenset({400, 402, 403, 429}),
        re.compile(
            r"insufficient_quota|billing_(hard_limit|not_active|error)|credit.{0,20}(too low|depleted|exhausted)"
            r"|insufficient (credits|balance|funds)|PerDay|spend(ing)?[ _]limit",
            re.IGNORECASE,
        ),
        Kind.QUOTA,
    ),
    (
        frozenset({400}),
        re.compile(r"API_KEY_INVALID|API key (not valid|expired)|invalid_api_key|organization_on_hold", re.IGNORECASE),
        Kind.AUTH,
    ),
    (
        frozenset({400, 403, 422}),
        re.compile(r"model_not_found|model.{0,80}(does not exist|not found)", re.IGNORECASE),
        Kind.NOT_FOUND,
    ),
    (
        frozenset({400, 413, 422, 500}),
        re.compile(
            r"context.?length|context.?(size|window)|prompt is too long|maximum context|exceed_context|too many tokens"
            r"|exceeds? the (maximum|max).{0,30}tokens|input.{0,30}too long",
            re.IGNORECASE,
        ),
        Kind.CONTEXT_TOO_LONG,
    ),
    (frozenset({500}), re.compile(r"overloaded", re.IGNORECASE), Kind.OVERLOADED),
)


def classify(status: int, text: str, *, code: str) -> Kind:
    """Return the kind of an answer from its status and words.

    Examples
    --------
    >>> str(classify(429, "You exceeded your quota", code="insufficient_quota"))
    'quota'
    """
    words = f"{code} {text}"
    for statuses, pattern, kind in _BY_WORDS:
        if status in statuses and pattern.search(words):
            return kind
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if 300 <= status < 400:
        return Kind.NOT_FOUND
    if 400 <= status < 500:
        return Kind.BAD_REQUEST
    return Kind.SERVER if status >= 500 else Kind.BAD_RESPONSE


def parse_wait(text: str, *, unit_s: float = 1.0, now: datetime | None = None) -> float | None:
    """Return the seconds that a header asks for: a number, or an HTTP date.

    Examples
    --------
    >>> parse_wait("1500", unit_s=0.001)
    1.5
    >>> parse_wait("soon") is None
    True
    """
    try:
        seconds = float(text) * unit_s
    except ValueError:
        seconds = _seconds_until(text, now or datetime.now(UTC))
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _seconds_until(text: str, now: datetime) -> float:
    try:
        moment = parsedate_to_datetime(text)
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return (aware - now).total_seconds()
    except (ValueError, OverflowError):  # no date, or one that no calendar has
        return math.nan


_RETRY_DELAY = re.compile(r'"retryDelay": "([0-9.]+)s"')


def _asked_wait(headers: Mapping[str, str], details: str) -> float | None:
    waits = [
        parse_wait(headers[name], unit_s=unit_s)
        for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0))
        if name in headers
    ]
    waits += [parse_wait(match) for match in _RETRY_DELAY.findall(details)]
    return next((wait for wait in waits if wait is not None), None)


def _error_record(text: str) -> Mapping[str, object]:
    """The object that describes the error, wherever this vendor or server keeps it."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if isinstance(record, list) and len(record) == 1:
        record = record[0]
    if not isinstance(record, dict):
        return {}
    inner = record.get("error", record)
    return inner if isinstance(inner, dict) else {"message": inner}


def _message_of(record: Mapping[str, object]) -> str:
    texts = (record.get(name) for name in ("message", "detail", "msg"))
    return next((text if isinstance(text, str) else json.dumps(text) for text in texts if text), "")


def _codes_of(record: Mapping[str, object]) -> Iterator[str]:
    for name in ("code", "type", "status", "param"):
        value = record.get(name)
        if isinstance(value, str | int):
            yield str(value)
    details = record.get("details")
    if isinstance(details, dict) and isinstance(details.get("error_code"), str):
        yield str(details["error_code"])


def _describe(error: BaseException, clean: Clean) -> str:
    """An exception's own words, and those of the one it hides."""
    words = _one_line(str(error), clean)
    cause = _one_line(str(error.__cause__), clean) if error.__cause__ is not None else ""
    return " ".join(dict.fromkeys(part for part in (words, cause) if part)) or type(error).__name__


def _one_line(text: str, clean: Clean) -> str:
    line = clean(" ".join(text[:_MAX_RAW_CHARACTERS].split()))
    printable = "".join(sign if sign.isprintable() else " " for sign in line)
    return printable if len(printable) <= 300 else f"{printable[:299]}…"
