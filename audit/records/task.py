"""Tasks, their parts and the benchmark that holds them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias, Union

from audit.records.experiment import Experiment
from audit.records.policy import Policy

Json: TypeAlias = Union[bool, int, float, str, Sequence["Json"], Mapping[str, "Json"], None]  # noqa: UP007
"""A parsed JSON value; records hold them read-only."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a piece of a task was read.

    Parameters
    ----------
    file
        Path as a user would type it: relative to the benchmark's folder where it lies inside it.
    field
        JSON path inside the file's task or row, such as ``evaluation_criteria.actions[2]``.
    task_id
        The task whose entry it is; ``None`` for a database row.
    line
        1-based line of the task's entry, where its loader alone can tell; no part of what it is.
    """

    file: str
    field: str
    task_id: str | None = None
    line: int | None = dataclasses.field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        task = f" task {self.task_id}" if self.task_id is not None else ""
        return f"{self.file}{task} {self.field}"


class PartKind(StrEnum):
    """What a part of a description or of an expected behavior is."""

    PERSONA = "persona"
    SCENARIO = "scenario"
    """Anything that the simulated user is told: reason for call, known and unknown facts, instructions."""
    CONTEXT = "context"
    """For the judge alone; the user does not say it (a ticket, an initial state in words)."""
    ASSERTION = "nl"
    ACTION = "actions"
    COMMUNICATE = "communicate"
    ENV_ASSERTION = "env"
    PURPOSE = "purpose"
    NO_WRITE = "no_write"
    """Our own sentence: the database must not change. Comes with ``actions``."""
    PROSE = "prose"


BEHAVIOR_KINDS = (
    PartKind.ASSERTION,
    PartKind.ACTION,
    PartKind.COMMUNICATE,
    PartKind.ENV_ASSERTION,
    PartKind.PROSE,
    PartKind.PURPOSE,
)
"""The parts of an expected behavior that a user can select, in the order in which they are shown."""

DEFAULT_BEHAVIOR = frozenset(BEHAVIOR_KINDS) - {PartKind.PURPOSE}


@dataclass(frozen=True, slots=True)
class Part:
    """One labelled piece of text of a task, with its origin."""

    kind: PartKind
    label: str
    text: str
    origin: Origin


class ToolKind(StrEnum):
    """What a tool does to the database; ``UNKNOWN`` when the tool table doesn't list it."""

    READ = "read"
    WRITE = "write"
    GENERIC = "generic"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool; ``type`` is the table's own text, such as ``str`` or ``list[str]``."""

    name: str
    type: str
    is_required: bool = True


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of a domain: its name, parameters, kind and who may call it."""

    name: str
    kind: ToolKind
    parameters: tuple[Parameter, ...] = ()
    caller: str = "assistant"
    """``assistant`` or ``user``."""


@dataclass(frozen=True, slots=True)
class Action:
    """One gold action: a tool call of the reference trajectory."""

    name: str
    arguments: Mapping[str, Json]
    kind: ToolKind
    origin: Origin
    requestor: str = "assistant"
    compare_args: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One database row that belongs to a task's initial state, pruned to what is relevant."""

    table: str
    key: str
    value: Json
    origin: Origin


@dataclass(frozen=True, slots=True)
class Task:
    """One scenario: description, expected behavior, initial state.

    Parameters
    ----------
    id
        Unique in its benchmark.
    description
        What the simulated user wants and knows (d), in reading order.
    behavior
        Every part of the expected behavior (e) that the file offers; a run selects among them.
    rows
        The relevant database rows (i).
    actions
        The gold actions as calls; ``None`` when the file has no list at all (which is not an empty list).
    policy
        The task's own policy where policies differ by task; ``None`` for the benchmark's.
    tags
        Split names and whatever the format labels a task with.
    raw
        The task as parsed, for checks and for writing it back.
    """

    id: str
    description: tuple[Part, ...]
    behavior: tuple[Part, ...]
    rows: tuple[Row, ...] = ()
    actions: tuple[Action, ...] | None = ()
    policy: Policy | None = None
    tags: tuple[str, ...] = ()
    origin: Origin = Origin("", "")
    raw: Mapping[str, Json] = field(default_factory=dict, repr=False, compare=False)

    @property
    def description_text(self) -> str:
        """The description as one text, without labels."""
        return "\n".join(part.text for part in self.description)

    @property
    def behavior_text(self) -> str:
        """Every part of the expected behavior as one text, without labels."""
        return "\n".join(part.text for part in self.behavior)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that a benchmark was read from, with the SHA-256 of its bytes."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Twin:
    """The tasks of a benchmark as they stand a second time beside it, where no loader reads them."""

    file: str
    entries: Mapping[str, Json] = field(repr=False)
    """Task id to the task as parsed."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A policy and the tasks that test it.

    Parameters
    ----------
    name
        ``set/domain`` or the path it was loaded from.
    style
        Which variant of the judges' prompts fits: ``tau`` (outcomes), ``workflow`` (whole procedures) or ``plan``
        (the diagnosis of a plan).
    database
        Table name to row key to row, as loaded; empty when the set has none. Shared, read-only.
    corpus
        Every task of the files, for scorers that contrast a task with the whole benchmark.
    author_family
        The model family that wrote the benchmark, when known (``openai``, ``anthropic``, …).
    other_policies
        Versions of the policy document that the files hold beside ``policy``, such as today's beside the one that the
        tasks were written for; ``name`` says which.
    experiments
        Dialogs that were held on the benchmark before.
    format
        Name of the loader that read it; empty for one that was read from no file.
    columns
        Of a plain table, pairs of a task's field and the column that holds it.
    twin
        The same tasks as they stand a second time beside these; ``None`` where they do not.
    """

    name: str
    policy: Policy
    tasks: tuple[Task, ...]
    tools: tuple[Tool, ...] = ()
    style: str = "tau"
    title: str = ""
    version: str = ""
    database: Mapping[str, Mapping[str, Json]] = field(default_factory=dict, repr=False)
    files: tuple[SourceFile, ...] = ()
    splits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    corpus: tuple[Task, ...] = field(default=(), repr=False)
    author_family: str | None = None
    other_policies: tuple[Policy, ...] = field(default=(), repr=False)
    experiments: tuple[Experiment, ...] = ()
    format: str = ""
    columns: tuple[tuple[str, str], ...] = ()
    twin: Twin | None = field(default=None, repr=False)

    @property
    def n_available(self) -> int:
        """Tasks in the files, before any choice among them."""
        return len(self.corpus) or len(self.tasks)

    def policy_of(self, task: Task) -> Policy:
        """Return the policy that governs ``task``."""
        return task.policy or self.policy
