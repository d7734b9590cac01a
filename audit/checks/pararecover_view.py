"""What the checks of plans look at: one instance with its graph, its references and what is wrong with its calls."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from audit.checks.raw import place
from audit.plans.graph import Graph
from audit.plans.instance import Instance, Node, read_instance
from audit.plans.nested import read_nested
from audit.plans.references import References, ValueKind
from audit.plans.schema import Fault, FaultKind, find_faults
from audit.records.task import Json, Origin, Task

_TIMED_OUT = re.compile(
    r"tim(?:ed?|ing)[\s_-]?out|did(?: not|n't) respond|no response (?:with)?in|deadline exceeded|超时", re.IGNORECASE
)
_FAILED = re.compile(
    r"\berrors?\b|\bfail(?:ed|ure|s)?\b|\binvalid\b|\bexception\b|unable to|could ?n[o']t|错误|失败|异常|无效",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"(?:execution|tool call|call) results?\s*[::]\s*(?!pending)\S|(?:tool )?call failed|\berror[::]|timed out"
    r"|previous attempt|返回(?:结果)?\s*[::]\s*\S|执行结果\s*[::]\s*\S|返回错误|successfully \w+ed\b|成功",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class View:
    """One task, read."""

    task: Task
    instance: Instance

    @cached_property
    def graph(self) -> Graph:
        """The plan's dependencies."""
        return Graph(self.instance.nodes)

    @cached_property
    def references(self) -> References:
        """Reads values of the plan."""
        return References(self.instance.nodes)

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """What is wrong with the calls."""
        return find_faults(self.instance, self.references)

    @cached_property
    def open_calls(self) -> tuple[Node, ...]:
        """The calls that have not run."""
        return tuple(node for node in self.instance.calls if not node.is_done)

    @cached_property
    def targets(self) -> Mapping[str, tuple[str, ...]]:
        """For each call the nodes whose results its arguments stand for."""
        return {node.id: self.references.targets(node).targets for node in self.instance.calls}

    def has_open_placeholder(self, node: Node) -> bool:
        """Return whether an argument of a node stands for a result that can't be told."""
        found = self.references.targets(node)
        return found.kind is not ValueKind.LITERAL and not found.targets

    def open_faults(self, *kinds: FaultKind) -> list[Fault]:
        """Return what is wrong with calls that have not run."""
        return [fault for fault in self.faults if fault.kind in kinds and not fault.node.is_done]

    def done_faults(self, *kinds: FaultKind) -> list[Fault]:
        """Return what is wrong with calls that have run."""
        return [fault for fault in self.faults if fault.kind in kinds and fault.node.is_done]

    def at(self, field: str) -> Origin:
        """Return the origin of a field of the record."""
        return place(self.task, field)

    @cached_property
    def repeated(self) -> tuple[tuple[Node, ...], ...]:
        """Calls of the same tool with the same arguments, grouped; at least one of each group has not run."""
        groups: dict[str, list[Node]] = defaultdict(list)
        for node in self.instance.calls:
            if node.name:
                groups[call_text(node)].append(node)
        return tuple(
            tuple(group) for group in groups.values() if len(group) > 1 and not all(node.is_done for node in group)
        )

    def is_apart(self, one: Node, other: Node) -> bool:
        """Return whether neither of two nodes waits for the other."""
        return (
            one.id != other.id
            and one.id not in self.graph.ancestors(other.id)
            and other.id not in self.graph.ancestors(one.id)
        )


def make_view(task: Task) -> View:
    """Read a task's record."""
    return View(task, read_instance(task.raw))


def call_text(node: Node) -> str:
    """Return the call of a node as canonical text."""
    given = [node.name, node.arguments.named, list(node.arguments.positional)]
    return json.dumps(given, sort_keys=True, ensure_ascii=True, default=str)


def timed_out(text: str) -> bool:
    """Return whether a text tells of a tool that did not answer in time."""
    return _TIMED_OUT.search(text) is not None


def failed(text: str) -> bool:
    """Return whether a result is empty or tells of a failure."""
    return is_empty_result(text) or timed_out(text) or _FAILED.search(text) is not None


def reports_result(text: str) -> bool:
    """Return whether a node's description tells what came of it already."""
    return _REPORTED.search(text) is not None


def is_empty_result(text: str) -> bool:
    """Return whether a result holds nothing: no text, null, or JSON in which nothing stands.

    Examples
    --------
    >>> [is_empty_result(text) for text in ("", "[]", '{"trails": []}', "null", "0", "none left")]
    [True, True, True, True, False, False]
    """
    stripped = text.strip()
    if not stripped or stripped.lower() in {"none", "null", "nan"}:
        return True
    found = read_nested(stripped)
    return found.is_read and _holds_nothing(found.value)


def _holds_nothing(value: Json) -> bool:
    if isinstance(value, Mapping):
        return all(_holds_nothing(part) for part in value.values())
    if isinstance(value, list):
        return all(_holds_nothing(part) for part in value)
    return value is None or value == ""


def plain_values(value: Json) -> Iterator[str]:
    """Yield the texts and numbers inside a value as texts."""
    if isinstance(value, Mapping):
        for part in value.values():
            yield from plain_values(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from plain_values(part)
    elif value is not None and not isinstance(value, bool):
        yield str(value)[:200]
