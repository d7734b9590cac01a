"""One side of a comparison, read from the JSON that an earlier command wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from audit.compare.snapshot import collect_models, collect_prompts, collect_violated, item_span
from audit.errors import LoadError, first_fault
from audit.records.comparison import SavedFinding, Snapshot
from audit.records.score import Interval, Score
from audit.records.verdict import Trust

PREFIX = "bench-audit/"
_HEAD = re.compile(rb'\s*\{\s*"format"\s*:\s*"bench-audit/')
MEND = "Save one with --format json: score, check and gate each write one that can be compared"


_Number = Annotated[float, Field(ge=-1e15, le=1e15)]
"""Nothing that we measure comes near the ends; what lies beyond can't be drawn."""


class _Part(BaseModel):
    """Anything in a document; fields that a comparison doesn't need are left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class _Interval(_Part):
    low: _Number
    high: _Number
    level: _Number | None


class _Score(_Part):
    metric: str
    judge: str
    value: _Number | None
    scale: tuple[_Number, _Number | None]
    n_used: int
    n_missing: int
    interval: _Interval | None
    reason: str
    is_applicable: bool
    trust: Trust
    by_task: dict[str, _Number]


class _Verdict(_Part):
    task_id: str
    judge: str
    state: str
    model: str
    violated: list[str] | None


class _Prompt(_Part):
    prompt: str
    sha256: str


class _Settings(_Part):
    behavior: list[str]
    trials: int


class _Item(_Part):
    id: str
    start: int
    end: int


class _Policy(_Part):
    sha256: str
    items: list[_Item]


class _RunBenchmark(_Part):
    name: str
    policy: _Policy


class _Task(_Part):
    id: str
    content: dict[str, str] = Field(default_factory=dict)
    """Absent in what version 0.1 wrote."""


class _Panel(_Part):
    scores: list[_Score]


class _Finding(_Part):
    fingerprint: str
    rule: str
    severity: str
    task_id: str | None
    what: str


class _Counts(_Part):
    by_rule: dict[str, int]
    """Every rule that was looked for, also where it found nothing."""


class _RunFindings(_Part):
    counts: _Counts
    findings: list[_Finding]


class _Run(_Part):
    format: Literal["bench-audit/run"]
    format_version: Literal[1]
    benchmark: _RunBenchmark
    settings: _Settings
    prompts: list[_Prompt]
    scores: list[_Score]
    panel: _Panel | None
    tasks: list[_Task]
    verdicts: list[_Verdict]
    findings: _RunFindings | None = None
    """Absent in what version 0.1 wrote."""


class _FindingsBenchmark(_Part):
    name: str
    policy_sha256: str


class _Rule(_Part):
    id: str


class _Findings(_Part):
    format: Literal["bench-audit/findings"]
    format_version: Literal[1]
    benchmark: _FindingsBenchmark
    rules: list[_Rule]
    findings: list[_Finding]
    tasks: list[_Task]


class _Gate(_Part):
    format: Literal["bench-audit/gate"]
    format_version: Literal[1]
    check: _Findings
    runs: list[_Run]


_DOCUMENT: TypeAdapter[_Run | _Findings | _Gate] = TypeAdapter(
    Annotated[_Run | _Findings | _Gate, Field(discriminator="format")]
)


def is_saved_run(content: bytes) -> bool:
    """Whether a file's bytes look like a document of ours: a JSON object that says so, or the beginning of one.

    Examples
    --------
    >>> is_saved_run(b'{"format": "bench-audit/run"}'), is_saved_run(b'[{"id": "1"}]')
    (True, False)
    """
    if _HEAD.match(content):
        return True
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and str(document.get("format", "")).startswith(PREFIX)


def read_snapshot(content: bytes, *, where: str) -> Snapshot:
    """Read one side of a comparison.

    Parameters
    ----------
    content
        What ``score``, ``check`` or ``gate`` wrote with ``--format json``.
    where
        The file, for messages; it becomes the snapshot's label.

    Raises
    ------
    LoadError
        If it is none of these, or damaged.
    """
    if not is_saved_run(content):
        raise LoadError("is no saved run", where=where, mend=MEND)
    try:
        document = _DOCUMENT.validate_json(content)
    except ValidationError as error:
        if error.errors()[0]["type"] == "json_invalid":
            raise LoadError("is damaged: no whole JSON", where=where, mend=MEND) from error
        raise LoadError(_explain(error), where=where, mend=MEND) from error
    if isinstance(document, _Gate):
        return _snapshot(where, document.check, document.runs)
    return _snapshot(where, None, [document]) if isinstance(document, _Run) else _snapshot(where, document, [])


def _explain(error: ValidationError) -> str:
    return f"is no saved run that can be compared: {first_fault(error, below=1)}"


def _snapshot(label: str, checked: _Findings | None, runs: Sequence[_Run]) -> Snapshot:
    verdicts = [verdict for run in runs for verdict in run.verdicts if verdict.state == "ok"]
    benchmark, policy_sha256 = _identity(checked, runs)
    items = {item.id: item_span(item.start, item.end) for run in runs for item in run.benchmark.policy.items}
    tasks = [*(checked.tasks if checked else ()), *(task for run in runs for task in run.tasks)]
    findings, rules = _found(checked, runs)
    return Snapshot(
        label=label,
        benchmark=benchmark,
        policy_sha256=policy_sha256,
        items=items if runs else None,
        tasks={task.id: task.content for task in tasks},
        findings=None if findings is None else tuple(map(_finding, findings)),
        rules=rules,
        scores=tuple(_score(score) for run in runs for score in _scores(run)),
        violated=collect_violated((v.judge, v.task_id, v.violated) for v in verdicts if v.violated is not None),
        behavior=frozenset(part for run in runs for part in run.settings.behavior),
        trials=max((run.settings.trials for run in runs), default=1),
        prompts=collect_prompts((prompt.prompt, prompt.sha256) for run in runs for prompt in run.prompts),
        models=collect_models((verdict.judge, verdict.model) for verdict in verdicts),
    )


def _found(checked: _Findings | None, runs: Sequence[_Run]) -> tuple[Sequence[_Finding] | None, frozenset[str]]:
    """Return what was found and which rules were looked for: a check's, or else those that a run brings along."""
    if checked is not None:
        return checked.findings, frozenset(rule.id for rule in checked.rules)
    own = [run.findings for run in runs if run.findings is not None]
    return (own[0].findings, frozenset(own[0].counts.by_rule)) if own else (None, frozenset())


def _identity(checked: _Findings | None, runs: Sequence[_Run]) -> tuple[str, str]:
    if checked is not None:
        return checked.benchmark.name, checked.benchmark.policy_sha256
    return runs[0].benchmark.name, runs[0].benchmark.policy.sha256


def _finding(found: _Finding) -> SavedFinding:
    return SavedFinding(found.fingerprint, found.rule, found.severity, found.task_id, found.what)


def _scores(run: _Run) -> Iterator[_Score]:
    for score in (*run.scores, *(run.panel.scores if run.panel else ())):
        if score.is_applicable:
            yield score


def _score(read: _Score) -> Score:
    ends = read.interval
    return Score(
        metric=read.metric,
        judge=read.judge,
        value=read.value,
        scale=read.scale,
        n_used=read.n_used,
        n_missing=read.n_missing,
        interval=None if ends is None else Interval(ends.low, ends.high, ends.level),
        reason=read.reason,
        trust=read.trust,
        by_task=read.by_task,
    )
