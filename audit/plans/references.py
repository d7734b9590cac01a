"""Values that stand for the result of another node: there is no syntax for them, only wordings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit.plans.instance import Node
from audit.records.task import Json

_LONGEST = 120
"""Characters of a text that may stand for a result; longer ones are contents."""
_ID = r"(?:\d+(?:[.-]\d+)*[a-z]?|root)"
_LABEL = r"(?:tasks?|steps?|nodes?|任务|步骤|节点)"
_RESULT = r"(?:results?|outputs?|return(?:ed)?|values?|结果|输出|返回|返回值|的值|获得|获取|得到|内容)"
_LABELLED = re.compile(rf"(?<![a-z]){_LABEL}[\s_#-]*({_ID})(?![\d])", re.IGNORECASE)
_RANGE = re.compile(rf"{_LABEL}\s*(\d+)\s*(?:-|–|to|到)\s*(\d+)", re.IGNORECASE)
_LED = re.compile(rf"^(?:outputs?|results?)[\s_]*(?:of|from)[\s_]*({_ID})$", re.IGNORECASE)
_POSSESSIVE = re.compile(rf"^({_ID})的")
_AT = re.compile(rf"^@({_ID})$")
_DOTTED = re.compile(rf"^({_ID})[._](?:outputs?|results?)\b", re.IGNORECASE)
_SAYS_RESULT = re.compile(_RESULT, re.IGNORECASE)
_WHOLE = re.compile(rf"^{_LABEL}[\s_#-]*{_ID}$", re.IGNORECASE)
_OPEN = re.compile(
    r"placeholder|待填|待定|待补|\bTBD\b|\bto be (?:filled|determined|provided)\b|^<[^<>]+>$|^\{\{.*\}\}$"
    r"|^(?:outputs?|results?)[\s_](?:of|from)[\s_]|_(?:outputs?|results?)$|返回的?结果|中输出的|返回结果|列表出来的|(?:获取|获得|得到|返回)的",
    re.IGNORECASE,
)
_BEFORE_TOOL = re.compile(rf"{_RESULT}|\bfrom\b|\bof\b|从|由|来自|_of_", re.IGNORECASE)


class ValueKind(StrEnum):
    """What a value is."""

    LITERAL = "literal"
    REFERENCE = "reference"
    PLACEHOLDER = "placeholder"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a value is, the nodes that it stands for, and ids it names that no node has."""

    kind: ValueKind
    targets: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


_LITERAL = Reading(ValueKind.LITERAL)


class References:
    """Reads values of one plan.

    Parameters
    ----------
    nodes
        Of the plan.
    """

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._ids = {node.id for node in nodes if node.id}
        self._by_tool: dict[str, list[str]] = {}
        for node in nodes:
            if len(node.name) > 3 and node.is_call:
                self._by_tool.setdefault(node.name, []).append(node.id)

    def read(self, value: Json) -> Reading:
        """Return what a value is; objects and lists are literals, whatever is in them."""
        if not isinstance(value, str):
            return _LITERAL
        text = value.strip()
        if not text or len(text) > _LONGEST:
            return _LITERAL
        named = list(dict.fromkeys(self._named(text)))
        if named:
            known = tuple(name for name in named if name in self._ids)
            return Reading(ValueKind.REFERENCE, known, tuple(name for name in named if name not in self._ids))
        made_by = self._made_by(text)
        if made_by:
            return Reading(ValueKind.REFERENCE, made_by)
        return Reading(ValueKind.PLACEHOLDER) if _OPEN.search(text) else _LITERAL

    def _named(self, text: str) -> Iterator[str]:
        for pattern in (_LED, _AT, _DOTTED, _POSSESSIVE):
            match = pattern.search(text)
            if match:
                yield match[1]
                return
        if not (_SAYS_RESULT.search(text) or _WHOLE.search(text)):
            return
        for first, last in _RANGE.findall(text):
            if int(first) < int(last) <= int(first) + 50:
                yield from (str(number) for number in range(int(first), int(last) + 1))
        if not _RANGE.search(text):
            yield from _LABELLED.findall(text)

    def _made_by(self, text: str) -> tuple[str, ...]:
        return tuple(
            node_id
            for tool, ids in self._by_tool.items()
            if tool in text and text != tool and _BEFORE_TOOL.search(text.replace(tool, " "))
            for node_id in ids
        )

    def targets(self, node: Node) -> Reading:
        """Return all that the arguments of a node stand for, at any depth.

        Beside wordings, these are an object whose only key is an id, and a bare id among values without a name.
        """
        readings = [self.read(leaf) for leaf in texts_in([node.arguments.named, *node.arguments.positional])]
        bare = [value for value in node.arguments.positional if isinstance(value, str) and value in self._ids]
        bare += [
            value for value in _id_objects([node.arguments.named, *node.arguments.positional]) if value in self._ids
        ]
        targets = [name for reading in readings for name in reading.targets]
        missing = [name for reading in readings for name in reading.missing]
        found = any(reading.kind is not ValueKind.LITERAL for reading in readings) or bare
        return Reading(
            ValueKind.REFERENCE if found else ValueKind.LITERAL,
            tuple(dict.fromkeys([*targets, *bare])),
            tuple(dict.fromkeys(missing)),
        )


def texts_in(value: Json) -> Iterator[str]:
    """Yield every text inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from texts_in(part)
    elif isinstance(value, Sequence):
        for part in value:
            yield from texts_in(part)


def _id_objects(value: Json) -> Iterator[str]:
    if isinstance(value, Mapping):
        if list(value) == ["id"] and isinstance(value["id"], str):
            yield value["id"]
        for part in value.values():
            yield from _id_objects(part)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for part in value:
            yield from _id_objects(part)
