"""Verdicts of today against frozen ones of an earlier day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from statistics import fmean

from audit.metrics.measure import spawn_rng
from audit.prompts.keys import task_hash
from audit.records.anchor import Anchor, FrozenVerdict
from audit.records.run import RunResult
from audit.records.study import Column, ColumnKind, Estimate, Row, Table
from audit.records.task import Benchmark
from audit.records.verdict import Trust, Verdict
from audit.reports import numbers
from audit.reports.labels import trust_label
from audit.stats.discrimination import share_interval
from audit.stats.multiple import sign_flip_p
from audit.stats.paired import paired_mean_interval
from audit.stats.rank import kendall_test, tau_b_interval
from audit.studies.ground import estimate

DRIFT_COLUMNS = (
    Column("criterion", "Criterion"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("n_tasks", "Tasks", ColumnKind.COUNT),
    Column("shift", "Mean shift", ColumnKind.NUMBER),
    Column("p", "p", ColumnKind.P_VALUE),
    Column("moved", "Moved", ColumnKind.SHARE),
    Column("tau", "τ_b", ColumnKind.NUMBER),
    Column("before", "Model then"),
    Column("after", "Model now"),
    Column("prompt", "Prompt"),
)
_OWN = "these are the anchor's own verdicts, read back from the store; add --fresh to ask again"
LEVEL = 0.05


def freeze(run: RunResult, *, created_at: str) -> Anchor:
    """Return a run's verdicts as an anchor; those that are missing are left out."""
    verdicts = tuple(
        FrozenVerdict(
            each.judge,
            each.criterion,
            each.task_id,
            each.trial,
            each.score,
            each.violated,
            each.model,
            each.prompt_hash,
            each.asked_at,
        )
        for each in run.verdicts
        if each.is_ok
    )
    return Anchor(run.benchmark.name, created_at, _digests(run.benchmark), verdicts)


def _digests(benchmark: Benchmark) -> dict[str, str]:
    """Return what was judged by task: the task, and the policy that it is under."""
    return {task.id: f"{task_hash(task)[:16]}-{benchmark.policy_of(task).sha256[:16]}" for task in benchmark.tasks}


@dataclass(frozen=True, slots=True)
class _Side:
    """One day's verdicts of one judge on one criterion, by task."""

    verdicts: Mapping[str, Sequence[FrozenVerdict | Verdict]]

    def only(self, task_ids: Set[str]) -> _Side:
        return _Side({task_id: found for task_id, found in self.verdicts.items() if task_id in task_ids})

    def mean(self, task_id: str) -> float:
        return fmean(
            each.score if each.score is not None else float(len(each.violated or ())) for each in self.verdicts[task_id]
        )

    def said(self, task_id: str) -> object:
        return sorted(
            (each.trial, each.score or 0.0, tuple(sorted(each.violated or ()))) for each in self.verdicts[task_id]
        )

    def asked(self) -> set[str]:
        return {each.asked_at for found in self.verdicts.values() for each in found}

    def names(self, field: str) -> str:
        return ", ".join(sorted({getattr(each, field) for found in self.verdicts.values() for each in found}))


def drift_table(run: RunResult, anchor: Anchor, *, seed: int) -> Table:
    """Return for each judge and criterion how far its verdicts moved on tasks that did not change."""
    then, now = _sides(anchor.verdicts), _sides([verdict for verdict in run.verdicts if verdict.is_ok])
    digests = _digests(run.benchmark)
    same = {task_id for task_id, digest in digests.items() if anchor.tasks.get(task_id) == digest}
    trusts = {verdict.judge: verdict.trust for verdict in run.verdicts}
    rows = tuple(
        _row(key, then.get(key), side.only(same), trust=trusts[key[1]], seed=seed) for key, side in now.items()
    )
    about = (
        f"Against {len(anchor.verdicts)} verdicts frozen on {anchor.created_at[:10]}: the same tasks, unchanged since. "
        "Moved: tasks with another answer in some trial; some move by the judge's own noise (see Asked again)."
    )
    return Table("drift", "Changed since the anchor?", DRIFT_COLUMNS, rows, about=about)


def _sides(verdicts: Sequence[FrozenVerdict | Verdict]) -> dict[tuple[str, str], _Side]:
    found: dict[tuple[str, str], dict[str, list[FrozenVerdict | Verdict]]] = defaultdict(lambda: defaultdict(list))
    for each in verdicts:
        found[each.criterion, each.judge][each.task_id].append(each)
    return {key: _Side(by_task) for key, by_task in found.items()}


def _row(key: tuple[str, str], then: _Side | None, now: _Side, *, trust: Trust, seed: int) -> Row:
    shared = [task_id for task_id in now.verdicts if then and task_id in then.verdicts]
    n_moved = sum(then.said(task_id) != now.said(task_id) for task_id in shared) if then else 0
    problem = _problem(then, n_shared=len(shared), trust=trust)
    if then is None or problem or (now.asked() <= then.asked() and not n_moved):
        nothing = (Estimate(None, reason=problem or _OWN),) * 4
        models = (then.names("model") if then else "", now.names("model"))
        return Row((*key, len(shared), *nothing, *models, ""), trust_label(trust))
    before, after = [then.mean(task_id) for task_id in shared], [now.mean(task_id) for task_id in shared]
    rngs = [spawn_rng(seed, metric=f"{key[0]}\0drift\0{name}", judge=key[1]) for name in ("shift", "tau")]
    is_same_prompt = then.names("prompt_hash") == now.names("prompt_hash")
    cells = (
        *key,
        len(shared),
        estimate(
            lambda: fmean(b - a for a, b in zip(before, after, strict=True)),
            lambda: paired_mean_interval(before, after, rng=rngs[0]),
        ),
        estimate(lambda: sign_flip_p([b - a for a, b in zip(before, after, strict=True)])),
        Estimate(n_moved / len(shared), share_interval(n_moved, len(shared))),
        estimate(lambda: kendall_test(before, after).value, lambda: tau_b_interval(before, after, rng=rngs[1])),
        then.names("model"),
        now.names("model"),
        "the same" if is_same_prompt else "another",
    )
    return Row(cells, trust_label(trust))


def _problem(then: _Side | None, *, n_shared: int, trust: Trust) -> str:
    if trust is Trust.OFFLINE:
        return "the offline scorer says the same of the same files on any day"
    if then is None:
        return "the anchor has no verdict of this judge"
    return "" if n_shared else "no task of the anchor is here unchanged"


def drift_words(table: Table) -> Iterator[str]:
    """Yield what a drift table says in sentences; nothing for another table."""
    for row in table.rows if table.name == "drift" else ():
        criterion, judge, n_tasks, shift, p, *_ = row.cells
        who = f"{criterion}, {judge}{f' [{row.label}]' if row.label else ''}"
        if not isinstance(shift, Estimate) or shift.value is None:
            yield f"{who}: a drift is undefined ({shift.reason if isinstance(shift, Estimate) else ''})."
            continue
        is_drift = isinstance(p, Estimate) and p.value is not None and p.value < LEVEL
        verdict = "has drifted" if is_drift else "shows no drift"
        ends = f" ({numbers.interval(shift.interval)})" if shift.interval else ""
        yield f"{who}: {verdict}; mean shift {numbers.fixed(shift.value)}{ends} on {n_tasks} tasks."
