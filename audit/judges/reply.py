"""Reply text to fields, strictly: what is not plainly a verdict is unreadable, and says why.

Accepted around the one JSON object: white space, prose, a code fence, a leading ``<think>`` block; keys that were not
asked for are ignored. Refused: no object or several, a cut or broken one, a key twice, NaN and infinities, numbers as
strings, true as 1, fractions, scores outside 1 to 10, unknown ids, empty reasons. Nothing is repaired here.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Set
from typing import NoReturn, cast

from audit.errors import UnreadableReplyError
from audit.records.task import Json

MAX_REASONS = 12
MAX_REASON_CHARACTERS = 600
_MEND = "Run the command again to ask once more"
_LOWEST, _HIGHEST = 1, 10
_THOUGHT = re.compile(r"\s*<think>.*?</think>", re.DOTALL)
_OBJECT_START = re.compile(r'\{\s*["}]')


class _BrokenJsonError(ValueError):
    """Well-formed JSON that we refuse all the same."""


def _refuse_constant(name: str) -> NoReturn:
    raise _BrokenJsonError(f"{name} is not a number")


def _refuse_duplicates(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise _BrokenJsonError(f"key {_short(twice)} stands twice in one object")
    return fields


_DECODER = json.JSONDecoder(object_pairs_hook=_refuse_duplicates, parse_constant=_refuse_constant)


def unreadable(what: str, where: str) -> UnreadableReplyError:
    """Return the error of a reply in which no verdict is found."""
    return UnreadableReplyError(what, where=where, mend=_MEND)


def _short(value: object) -> str:
    shown = json.dumps(value, default=str)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"


def _decode(text: str, position: int, *, where: str) -> tuple[Json, int]:
    try:
        value, end = _DECODER.raw_decode(text, position)
    except json.JSONDecodeError as error:
        cut = " (it may have been cut off)" if error.pos >= len(text.rstrip()) - 1 else ""
        raise unreadable(f"the JSON breaks at character {error.pos + 1}: {error.msg}{cut}", where) from error
    except _BrokenJsonError as error:
        raise unreadable(str(error), where) from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; brackets nested without end
        raise unreadable("the JSON can't be read: a number or the nesting is too large", where) from error
    return cast("Json", value), end


def read_object(text: str, *, where: str) -> Mapping[str, Json]:
    """Return the one JSON object that ``text`` holds.

    Parameters
    ----------
    text
        A complete reply, not a truncated one.
    where
        Task, criterion and trial, for the message.

    Raises
    ------
    UnreadableReplyError
        If there is no object, more than one, or one that is cut, broken or ambiguous.

    Examples
    --------
    >>> read_object('Here it is: {"score": 7}', where="task 1")
    {'score': 7}
    """
    if not text.strip():
        raise unreadable("the reply is empty", where)
    thought = _THOUGHT.match(text)
    position = thought.end() if thought else 0
    found: list[Mapping[str, Json]] = []
    while start := _OBJECT_START.search(text, position):
        value, position = _decode(text, start.start(), where=where)
        found.append(cast("Mapping[str, Json]", value))
    if len(found) != 1:
        raise unreadable(f"the reply holds {len(found) or 'no'} JSON object{'s' if found else ''}, not one", where)
    return found[0]


def _field(fields: Mapping[str, Json], name: str, *, where: str) -> Json:
    if name not in fields:
        raise unreadable(f"key {_short(name)} is missing", where)
    return fields[name]


def read_score(fields: Mapping[str, Json], name: str, *, where: str) -> float:
    """Return a whole number from 1 to 10; ``7.0`` is one, ``"7"``, ``7.5`` and ``true`` are not.

    Raises
    ------
    UnreadableReplyError
        If the field is missing or anything else.

    Examples
    --------
    >>> read_score({"score": 7}, "score", where="task 1")
    7.0
    """
    value = _field(fields, name, where=where)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise unreadable(f"{_short(name)} is {_short(value)}, not a number", where)
    if isinstance(value, float) and not value.is_integer():
        raise unreadable(f"{_short(name)} is {_short(value)}, not a whole number", where)
    if not _LOWEST <= value <= _HIGHEST:
        raise unreadable(f"{_short(name)} is {_short(value)}, not in {_LOWEST} to {_HIGHEST}", where)
    return float(value)


def _text(value: Json, name: str, *, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise unreadable(f"{_short(name)} holds {_short(value)}, not a sentence", where)
    text = value.strip().encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= MAX_REASON_CHARACTERS else f"{text[: MAX_REASON_CHARACTERS - 1]}…"


def read_text(fields: Mapping[str, Json], name: str, *, where: str) -> str:
    """Return a text that is not blank.

    Raises
    ------
    UnreadableReplyError
        If it is missing or anything else.
    """
    return _text(_field(fields, name, where=where), name, where=where)


def _list(fields: Mapping[str, Json], name: str, *, where: str) -> list[Json]:
    value = _field(fields, name, where=where)
    if not isinstance(value, list):
        raise unreadable(f"{_short(name)} is {_short(value)}, not a list", where)
    return value


def read_texts(fields: Mapping[str, Json], name: str, *, where: str) -> tuple[str, ...]:
    """Return a list of non-blank texts, at most ``MAX_REASONS`` of at most ``MAX_REASON_CHARACTERS``; it may be empty.

    Raises
    ------
    UnreadableReplyError
        If it is not a list of texts.
    """
    return tuple(_text(value, name, where=where) for value in _list(fields, name, where=where))[:MAX_REASONS]


def read_reasons(fields: Mapping[str, Json], name: str, *, where: str) -> tuple[str, ...]:
    """Return :func:`read_texts`, at least one.

    Raises
    ------
    UnreadableReplyError
        If there is no reason: a bare score can't be checked.
    """
    reasons = read_texts(fields, name, where=where)
    if not reasons:
        raise unreadable(f"{_short(name)} is empty", where)
    return reasons


def read_violations(
    fields: Mapping[str, Json], name: str, *, item_ids: Set[str], where: str
) -> tuple[tuple[str, str], ...]:
    """Return ``(item id, reason)`` in the reply's order; an id may come twice.

    Raises
    ------
    UnreadableReplyError
        If an entry has no reason, or an id that is not in ``item_ids``.
    """
    found = []
    for entry in _list(fields, name, where=where):
        if not isinstance(entry, dict):
            raise unreadable(f"{_short(name)} holds {_short(entry)}, not an object", where)
        item = _field(entry, "item", where=where)
        if not isinstance(item, str) or item not in item_ids:
            raise unreadable(f"{_short(item)} is no item of the policy", where)
        found.append((item, _text(_field(entry, "reason", where=where), "reason", where=where)))
    return tuple(found)
