"""One instance: a request, its tools, the plan so far, the last results, and the errors that it is tagged with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from audit.plans.arguments import Arguments, read_arguments
from audit.plans.error_types import type_of
from audit.plans.nested import read_nested
from audit.records.task import Json

ROOT, RESPONSE = "root", "response"
NEEDED = ("query", "tool_list", "plan")
"""Fields that every instance has."""
MOST_NODES, MOST_EDGES = 500, 10_000
"""Larger plans are not looked at; real ones have a dozen nodes."""
_TAGS = ("tag", "tag_1", "tag_2", "tag_3")


@dataclass(frozen=True, slots=True)
class Problem:
    """A field that can't be read as what it should be."""

    field: str
    what: str


@dataclass(frozen=True, slots=True)
class PlanTool:
    """A tool of an instance: parameter names with their schemas; ``required`` is ``None`` where nothing says."""

    name: str
    parameters: Mapping[str, Json]
    required: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the plan.

    Parameters
    ----------
    position
        In the plan's list.
    name
        Of the tool; empty where there is none.
    dependencies
        As texts; ``None`` where they are no list.
    is_done
        Whether it counts as executed.
    """

    position: int
    id: str
    name: str = ""
    arguments: Arguments = field(default_factory=lambda: read_arguments(None, is_present=False))
    description: str = ""
    dependencies: tuple[str, ...] | None = ()
    is_done: bool = False
    raw: Mapping[str, Json] = field(default_factory=dict)

    @property
    def is_call(self) -> bool:
        """Whether it stands between root and response."""
        return self.id not in (ROOT, RESPONSE)

    @property
    def field(self) -> str:
        """Its place in the record."""
        return f"plan.tasks[{self.position}]"


@dataclass(frozen=True, slots=True)
class Result:
    """A call that was made last, and what came back."""

    position: int
    name: str
    arguments: Arguments
    text: str


@dataclass(frozen=True, slots=True)
class Tag:
    """An error that the plan is said to have; ``type`` is one of the fourteen, or ``None``."""

    field: str
    text: str
    type: str | None


@dataclass(frozen=True, slots=True)
class Instance:
    """What a record says.

    Parameters
    ----------
    tags
        In the record's order, without nulls.
    n_calls, n_rounds
        The gold counts; ``None`` where they are no whole number of at least 1.
    problems
        What could not be read.
    """

    query: str
    tools: Mapping[str, PlanTool]
    nodes: tuple[Node, ...]
    results: tuple[Result, ...]
    tags: tuple[Tag, ...]
    n_calls: int | None
    n_rounds: int | None
    problems: tuple[Problem, ...] = ()

    @property
    def calls(self) -> tuple[Node, ...]:
        """The nodes between root and response."""
        return tuple(node for node in self.nodes if node.is_call)

    @property
    def types(self) -> frozenset[str]:
        """The types of its tags."""
        return frozenset(tag.type for tag in self.tags if tag.type is not None)


def is_instance(raw: Mapping[str, Json]) -> bool:
    """Return whether a record has the fields of an instance."""
    return all(name in raw for name in NEEDED)


def read_instance(raw: Mapping[str, Json]) -> Instance:
    """Return what a record says; nothing raises, and what can't be read is left out and named in ``problems``."""
    problems: list[Problem] = []
    tools = {tool.name: tool for tool in _tools(_listed(raw, "tool_list", problems), problems)}
    nodes = _limit(tuple(_nodes(_planned(raw, problems), problems)), problems)
    results = tuple(_results(_listed(raw, "fun_call", problems), problems))
    query = raw.get("query")
    return Instance(
        query=query if isinstance(query, str) else "",
        tools=tools,
        nodes=nodes,
        results=results,
        tags=tuple(_tags(raw, problems)),
        n_calls=count(raw.get("funcall_times_gt")),
        n_rounds=count(raw.get("round_gt")),
        problems=tuple(problems),
    )


def count(value: Json) -> int | None:
    """Return a whole number of at least 1, or the one that a text of digits spells; else ``None``.

    Examples
    --------
    >>> count("6"), count(4), count("six"), count(True), count(0)
    (6, 4, None, None, None)
    """
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 1 else None


def _unnest(raw: Mapping[str, Json], name: str, problems: list[Problem]) -> Json:
    """Return a field that may be JSON inside a text, and note what is wrong with it."""
    found = read_nested(raw.get(name))
    if found.problem:
        problems.append(Problem(name, found.problem))
    return found.value


def _listed(raw: Mapping[str, Json], name: str, problems: list[Problem]) -> Sequence[Json]:
    before = len(problems)
    value = _unnest(raw, name, problems)
    if isinstance(value, list):
        return value
    if len(problems) == before:
        problems.append(Problem(name, "missing" if value is None else "no list"))
    return ()


def _planned(raw: Mapping[str, Json], problems: list[Problem]) -> Sequence[Json]:
    before = len(problems)
    value = _unnest(raw, "plan", problems)
    tasks = value.get("tasks") if isinstance(value, Mapping) else None
    if isinstance(tasks, list) and tasks:
        return tasks
    if len(problems) == before or isinstance(value, Mapping):
        problems.append(Problem("plan", 'no object with a list "tasks" that holds a node'))
    return ()


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _tools(listed: Sequence[Json], problems: list[Problem]) -> Iterator[PlanTool]:
    for position, value in enumerate(listed):
        place = f"tool_list[{position}]"
        name = _text(value.get("name")) if isinstance(value, Mapping) else ""
        if not isinstance(value, Mapping) or not name:
            problems.append(Problem(place, "no object with a name"))
            continue
        parameters, required = value.get("parameters"), value.get("required")
        if not isinstance(parameters, Mapping):
            problems.append(Problem(f"{place}.parameters", "no object of parameters"))
        yield PlanTool(
            name,
            parameters if isinstance(parameters, Mapping) else {},
            tuple(part for part in required if isinstance(part, str)) if isinstance(required, list) else None,
        )


def _nodes(listed: Sequence[Json], problems: list[Problem]) -> Iterator[Node]:
    for position, value in enumerate(listed):
        if not isinstance(value, Mapping):
            problems.append(Problem(f"plan.tasks[{position}]", "no object"))
            continue
        listed_dependencies = value.get("dep")
        if listed_dependencies is None:
            dependencies: tuple[str, ...] | None = ()
        elif isinstance(listed_dependencies, list):
            dependencies = tuple(_as_id(part) for part in listed_dependencies)
        else:
            dependencies = None
        yield Node(
            position=position,
            id=_as_id(value.get("id")),
            name=_text(value.get("name")).strip(),
            arguments=read_arguments(value.get("para"), is_present="para" in value),
            description=_text(value.get("desc")),
            dependencies=dependencies,
            is_done=value.get("status") in (True, "true", "True"),
            raw=value,
        )


def _limit(nodes: tuple[Node, ...], problems: list[Problem]) -> tuple[Node, ...]:
    """Return the nodes of a plan, none of one that is so large that its order takes long to follow."""
    n_edges = sum(len(node.dependencies or ()) for node in nodes)
    if len(nodes) <= MOST_NODES and n_edges <= MOST_EDGES:
        return nodes
    problems.append(Problem("plan", f"{len(nodes)} nodes with {n_edges} dependencies are too many to look at"))
    return ()


def _as_id(value: Json) -> str:
    """Return an id as text; a whole number is taken for the text of its digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)[:40]
    return _text(value)


def _results(listed: Sequence[Json], problems: list[Problem]) -> Iterator[Result]:
    for position, value in enumerate(listed):
        if not isinstance(value, Mapping):
            problems.append(Problem(f"fun_call[{position}]", "no object"))
            continue
        came = value.get("results")
        if not isinstance(came, str):
            problems.append(Problem(f"fun_call[{position}].results", "no text"))
        arguments = read_arguments(value.get("arguments"), is_present="arguments" in value)
        yield Result(position, _text(value.get("name")), arguments, _text(came))


def _tags(raw: Mapping[str, Json], problems: list[Problem]) -> Iterator[Tag]:
    for name in _TAGS:
        value = raw.get(name)
        if isinstance(value, str) and value.strip():
            yield Tag(name, value.strip(), type_of(value))
        elif value is not None and not isinstance(value, str):
            problems.append(Problem(name, "no text"))
