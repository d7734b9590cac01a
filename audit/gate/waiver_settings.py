"""The waivers of a settings file, and the lines that a new one needs."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from datetime import date, datetime, timedelta

from audit.errors import UsageError
from audit.gate.nearest import nearest
from audit.records.content import DIGITS
from audit.records.gate import Waiver

_KEYS = ("rule", "task", "content", "reason", "owner", "expires")
_NEEDED = ("rule", "content", "reason", "owner", "expires")
_CONTENT = re.compile(rf"[0-9a-f]{{{DIGITS}}}")
_UNSAFE = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_DAYS = 90
_PRINT = "bench-audit gate BENCHMARK --print-waiver RULE:TASK prints one"


def read_waivers(value: object, rules: Collection[str], *, where: str) -> tuple[Waiver, ...]:
    """Read ``[[gate.waiver]]``.

    Parameters
    ----------
    rules
        Ids of the rules that there are.
    where
        The file, for messages.

    Raises
    ------
    UsageError
        If one lacks a field, or a field is unknown, empty or of the wrong type; or two waive the same.
    """
    if not isinstance(value, list):
        raise UsageError(
            "waivers are not a list of tables",
            where=f"{where}: [gate.waiver]",
            mend=f"Write them under [[gate.waiver]]; {_PRINT}",
        )
    waivers = tuple(_read(entry, rules, where=f"{where}: [[gate.waiver]] {n}") for n, entry in enumerate(value, 1))
    seen: dict[tuple[str, str | None], Waiver] = {}
    for waiver in waivers:
        key = (waiver.rule, waiver.task_id)
        if key in seen:
            raise UsageError(
                f"waives the same as {seen[key].where.rpartition(': ')[2]}", where=waiver.where, mend="Keep one of them"
            )
        seen[key] = waiver
    return waivers


def _read(entry: object, rules: Collection[str], *, where: str) -> Waiver:
    if not isinstance(entry, Mapping):
        raise UsageError("is not a table", where=where, mend=_PRINT)
    for key in entry:
        if key not in _KEYS:
            raise UsageError(f"unknown setting '{key}'", where=where, mend=nearest(key, _KEYS))
    for key in _NEEDED:
        if key not in entry:
            raise UsageError(f"has no {key}", where=where, mend=_mend(key))
    rule = _read_text(entry, "rule", where=where)
    if rule not in rules:
        raise UsageError(f"no rule '{rule}'", where=where, mend=nearest(rule, rules))
    content = _read_text(entry, "content", where=where)
    if not _CONTENT.fullmatch(content):
        raise UsageError(f"content is not {DIGITS} hex digits", where=where, mend=_mend("content"))
    return Waiver(
        rule=rule,
        task_id=_read_text(entry, "task", where=where) if "task" in entry else None,
        content=content,
        reason=_read_text(entry, "reason", where=where),
        owner=_read_text(entry, "owner", where=where),
        expires=_read_date(entry["expires"], where=where),
        where=where,
    )


def _read_text(entry: Mapping[str, object], key: str, *, where: str) -> str:
    value = entry[key]
    if not isinstance(value, str):
        raise UsageError(f"{key} is not a text", where=where, mend=f'Put it between quotes: {key} = "…"')
    if not value.strip():
        raise UsageError(f"has an empty {key}", where=where, mend=_mend(key))
    return value


def _read_date(value: object, *, where: str) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    try:
        return date.fromisoformat(value if isinstance(value, str) else "")
    except ValueError as error:
        raise UsageError("expires is not a date", where=where, mend="Write it as 2027-01-31") from error


def _mend(key: str) -> str:
    told = {
        "reason": "Say why the finding may stay",
        "owner": "Say who answers for it",
        "expires": "Say until which day it holds, as 2027-01-31",
    }
    return told.get(key, _PRINT)


def write_waiver(rule: str, task_id: str | None, *, content: str, today: date) -> str:
    """Return the lines of a waiver, to be filled in: it is refused while reason and owner are empty.

    Parameters
    ----------
    content
        Digest of what is waived.

    Examples
    --------
    >>> print(write_waiver("class-balance", None, content="0" * 16, today=date(2027, 1, 1)), end="")
    [[gate.waiver]]
    rule = "class-balance"
    content = "0000000000000000"
    reason = ""           # why the finding may stay
    owner = ""            # who answers for it
    expires = 2027-04-01  # the last day on which this holds
    """
    task = "" if task_id is None else f"task = {_quote(task_id)}\n"
    return (
        f"[[gate.waiver]]\nrule = {_quote(rule)}\n{task}content = {_quote(content)}\n"
        f'reason = ""           # why the finding may stay\nowner = ""            # who answers for it\n'
        f"expires = {today + timedelta(days=_DAYS)}  # the last day on which this holds\n"
    )


def _quote(text: str) -> str:
    """Return a TOML basic string; JSON's escapes are TOML's too."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", json.dumps(text, ensure_ascii=False))
