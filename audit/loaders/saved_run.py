"""A run's JSON, as score wrote it, back into the run that it tells of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from audit.errors import LoadError, first_fault
from audit.loaders.json_file import parse_json, read_input
from audit.loaders.saved_findings import SavedFindings, checked_of
from audit.loaders.saved_numbers import SavedPart, find_excess, panel_fault, score_fault
from audit.records.certificate import HeldCertificate
from audit.records.panel import PanelResult
from audit.records.pattern import FailurePatterns
from audit.records.policy import Policy, PolicyItem
from audit.records.replay import ReplayedCall
from audit.records.run import JudgeStop, RunResult, Settings, Tally
from audit.records.score import Score
from audit.records.task import Action, Benchmark, Origin, Part, Row, SourceFile, Task, ToolKind
from audit.records.verdict import Verdict

RUN = "bench-audit/run"
MEND = "Give the JSON that score wrote with --format json"
NO_TEXTS = (
    "This run was saved without its tasks' texts, by an earlier version: scores, findings and verdicts are shown, "
    "what the tasks and the policy say is not."
)


class _Policy(SavedPart):
    name: str
    file: str
    sha256: str
    no_items_reason: str
    items: tuple[PolicyItem, ...]


class _Benchmark(SavedPart):
    name: str
    title: str
    version: str
    style: str
    author_family: str | None
    n_available: int = Field(ge=0, le=1_000_000)
    files: tuple[SourceFile, ...]
    policy: _Policy


class _Listed(SavedPart):
    id: str
    origin: str
    tags: tuple[str, ...]


class _Row(SavedPart):
    table: str
    key: str
    value: Any
    origin: Origin


class _Action(SavedPart):
    name: str
    arguments: dict[str, Any]
    kind: ToolKind
    origin: Origin
    requestor: str
    compare_args: tuple[str, ...] | None


class _Task(SavedPart):
    id: str
    policy: int | None = Field(ge=0)
    description: tuple[Part, ...]
    behavior: tuple[Part, ...]
    rows: tuple[_Row, ...]
    actions: tuple[_Action, ...] | None
    tags: tuple[str, ...]
    origin: Origin


class _Call(SavedPart):
    result: Any
    error: str
    detail: str
    changed: tuple[tuple[str, str], ...]


class _Material(SavedPart):
    policies: tuple[Policy, ...] = Field(min_length=1)
    columns: tuple[tuple[str, str], ...]
    tasks: tuple[_Task, ...]
    replays: dict[str, tuple[_Call, ...]]


class _Prompt(SavedPart):
    prompt: str
    sha256: str


class _Run(SavedPart):
    format: Literal["bench-audit/run"]
    format_version: Literal[1]
    tool_version: str
    created_at: str
    notes: tuple[str, ...]
    benchmark: _Benchmark
    settings: Settings
    prompts: tuple[_Prompt, ...]
    tally: Tally
    stops: tuple[JudgeStop, ...]
    scores: tuple[Score, ...]
    panel: PanelResult | None
    findings: SavedFindings | None
    tasks: tuple[_Listed, ...]
    verdicts: tuple[Verdict, ...]
    certificates: tuple[HeldCertificate, ...] = ()
    patterns: FailurePatterns | None = None
    material: _Material | None = None
    """This and the two above are absent in what earlier versions wrote."""


def read_run(path: Path) -> RunResult:
    """Read a saved run.

    Raises
    ------
    LoadError
        If the file can't be read, or holds no run of ours.
    """
    file = read_input(path, root=path.parent, role="saved run")
    return run_of(parse_json(file), where=str(path))


def run_of(document: object, *, where: str) -> RunResult:
    """Return the run of a document.

    Raises
    ------
    LoadError
        If it is none.
    """
    try:
        saved = _Run.model_validate(document)
    except ValidationError as error:
        raise LoadError(f"is no saved run: {first_fault(error)}", where=where, mend=MEND) from error
    benchmark = _benchmark(saved, where)
    known = {task.id for task in benchmark.tasks}
    if not benchmark.tasks or not all(task.id in known for task in saved.tasks):
        raise LoadError("is no saved run: its tasks are not those that it lists", where=where, mend=MEND)
    if fault := _fault(document, saved):
        raise LoadError(f"is no saved run: {fault}", where=where, mend=MEND)
    return RunResult(
        settings=saved.settings,
        benchmark=benchmark,
        verdicts=saved.verdicts,
        scores=saved.scores,
        tally=saved.tally,
        stops=saved.stops,
        prompts=tuple((each.prompt, each.sha256) for each in saved.prompts),
        tool_version=saved.tool_version,
        created_at=saved.created_at,
        notes=saved.notes if saved.material else (*saved.notes, NO_TEXTS),
        panel=saved.panel,
        checked=None
        if saved.findings is None
        else checked_of(saved.findings, benchmark, tool_version=saved.tool_version),
        certificates=saved.certificates,
        patterns=saved.patterns,
        replays={} if saved.material is None else _replays(saved.material.replays),
    )


def _fault(document: object, saved: _Run) -> str:
    """Return what no run of ours has, though each of its fields is as it should be; empty where nothing is wrong."""
    if place := find_excess(document):
        return f"{place}: the number is too great"
    scores = (*saved.scores, *(saved.panel.scores if saved.panel else ()))
    return score_fault(scores) or (panel_fault(saved.panel) if saved.panel else "")


def _benchmark(saved: _Run, where: str) -> Benchmark:
    told, material = saved.benchmark, saved.material
    columns: tuple[tuple[str, str], ...] = ()
    if material is None:
        tasks = tuple(map(_bare, saved.tasks))
        policy = Policy(told.policy.name, "", told.policy.sha256, told.policy.items, told.policy.no_items_reason)
    else:
        tasks, columns = tuple(_tasks(material, where)), material.columns
        policy = material.policies[0]
    unread = (Task("", (), ()),) * (told.n_available - len(tasks))
    return Benchmark(
        name=told.name,
        policy=policy,
        tasks=tasks,
        style=told.style,
        title=told.title,
        version=told.version,
        files=told.files,
        corpus=(*tasks, *unread),
        author_family=told.author_family,
        columns=columns,
    )


def _bare(listed: _Listed) -> Task:
    return Task(listed.id, (), (), tags=listed.tags, origin=Origin(listed.origin, "", listed.id))


def _tasks(material: _Material, where: str) -> Iterator[Task]:
    for each in material.tasks:
        if each.policy is not None and each.policy >= len(material.policies):
            raise LoadError(f"has no policy number {each.policy}", where=f"{where} task {each.id}", mend=MEND)
        yield Task(
            id=each.id,
            description=each.description,
            behavior=each.behavior,
            rows=tuple(Row(row.table, row.key, row.value, row.origin) for row in each.rows),
            actions=None if each.actions is None else tuple(map(_action, each.actions)),
            policy=None if each.policy is None else material.policies[each.policy],
            tags=each.tags,
            origin=each.origin,
        )


def _action(saved: _Action) -> Action:
    return Action(saved.name, saved.arguments, saved.kind, saved.origin, saved.requestor, saved.compare_args)


def _replays(saved: Mapping[str, Sequence[_Call]]) -> dict[str, tuple[ReplayedCall, ...]]:
    return {
        task_id: tuple(ReplayedCall(call.result, call.error, call.detail, call.changed) for call in calls)
        for task_id, calls in saved.items()
    }
