"""Characters that a reader does not see and a model does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace

from audit.checks.protocol import Check, Subject
from audit.checks.raw import leaves, place, show
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Json, Origin, Task

HIDDEN = Rule(
    "hidden-characters",
    "A text holds characters that nobody sees",
    Severity.ERROR,
    Certainty.PROVED,
    "Tag characters, direction overrides and control characters can hide instructions from people who review the "
    "task while models read them, or make a text look other than it is. Zero-width characters and private-use "
    "characters are a warning: they break comparisons letter by letter, but are often left from copying. A joiner "
    "inside an emoji or in a script that needs it is not reported.",
    "Remove the characters.",
)
_TAGS = (0xE0000, 0xE007F)
_OVERRIDES = {0x202D, 0x202E, *range(0x2066, 0x206A)}
_JOINERS = {0x200C, 0x200D}
_SUSPECT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ue000-\uf8ff\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_FLAG_BASE = "\U0001f3f4"
"""A black flag, after which tag characters spell a region: an emoji."""
_JOINED_SCRIPTS = re.compile("[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1800-\u18af\ufb50-\ufdff\ufe70-\ufefc]")


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the texts of tasks, policies and database that hold hidden characters, once a field."""
    benchmark = subject.benchmark
    for task in benchmark.tasks:
        if _SUSPECT.search("\n".join([*_strings(task.raw), *(key for _, key in _keys(task.raw, ""))])):
            yield from _texts(task)
    policies = dict.fromkeys([benchmark.policy, *(benchmark.policy_of(task) for task in benchmark.tasks)])
    for file, text in dict.fromkeys(entry for policy in policies for entry in policy.texts):
        yield from _inspect(text, Origin(file, ""), file)
    for table, rows in benchmark.database.items():
        if any(_SUSPECT.search(text) for text in _strings(rows) if not (text.isascii() and text.isprintable())):
            for key, row in rows.items():
                yield from _row(table, key, row)


def _strings(value: Json) -> Iterator[str]:
    """Yield every text inside a value, in any order and without its place, for that is fast."""
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping):
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
        elif isinstance(node, str):
            yield node


def _texts(task: Task) -> Iterator[Finding]:
    for leaf in leaves(dict(task.raw)):
        if isinstance(leaf.value, str):
            yield from _inspect(leaf.value, place(task, leaf.path), re.sub(r"\[\d+\]", "", leaf.path))
    for path, key in _keys(task.raw, ""):
        yield from _inspect(key, place(task, path), f"{path} key")


def _row(table: str, key: str, row: Json) -> Iterator[Finding]:
    for leaf in leaves(row, f"{table}.{key}"):
        if isinstance(leaf.value, str):
            yield from _inspect(leaf.value, Origin("database", leaf.path), leaf.path)


def _keys(value: Json, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield path, str(key)
            yield from _keys(part, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for position, part in enumerate(value):
            yield from _keys(part, f"{path}[{position}]")


def _inspect(text: str, origin: Origin, subject: str) -> Iterator[Finding]:
    found = [match.start() for match in _SUSPECT.finditer(text) if not _is_fair(text, match.start())]
    if not found:
        return
    names = sorted({_name(text[position]) for position in found})
    hidden = "".join(chr(ord(sign) - 0xE0000) for sign in text if 0xE0020 <= ord(sign) <= 0xE007E)
    around = text[max(0, found[0] - 20) : found[0] + 20]
    finding = report(
        HIDDEN,
        f"The text holds {len(found)} hidden characters: {show(', '.join(names))}."
        + (f" They spell {show(hidden)!r}." if hidden else ""),
        origin=origin,
        subject=f"{subject} {' '.join(names)}",
        evidence=(("around", show(ascii(around))), *((("hidden", show(hidden)),) if hidden else ())),
    )
    is_grave = any(_is_grave(ord(text[position])) for position in found)
    yield finding if is_grave else replace(finding, severity=Severity.WARNING)


def _is_grave(code: int) -> bool:
    return _TAGS[0] <= code <= _TAGS[1] or code in _OVERRIDES or unicodedata.category(chr(code)) == "Cc"


def _is_fair(text: str, position: int) -> bool:
    """Return whether a suspect character has a use where it stands."""
    code = ord(text[position])
    before, after = text[max(0, position - 2) : position], text[position + 1 : position + 2]
    if code in _JOINERS:
        is_emoji = any(unicodedata.category(sign) in ("So", "Sk", "Mn", "Me") for sign in before[-1:] + after)
        return is_emoji or bool(_JOINED_SCRIPTS.search(before[-1:] + after))
    if _TAGS[0] <= code <= _TAGS[1]:
        start = text.rfind(_FLAG_BASE, 0, position)
        return start >= 0 and all(_TAGS[0] <= ord(sign) <= _TAGS[1] for sign in text[start + 1 : position])
    if code == 0xFEFF:
        return position == 0
    return code in (0x200E, 0x200F, 0x061C) and bool(re.search("[\u0590-\u08ff]", text))


def _name(sign: str) -> str:
    code = ord(sign)
    return f"U+{code:04X} {unicodedata.name(sign, 'control' if code < 0xA0 else 'unnamed').lower()}"


CHECK = Check("hidden_text", (HIDDEN,), inspect)
