"""The main flow, top to bottom: load → judge → measure → report. It joins the stages; :mod:`audit.inspection`, whose
names it shares, joins those that no judge is needed for.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from audit import __version__
from audit.certified import hold_certificates, identities
from audit.errors import UsageError
from audit.families import family_note
from audit.inspection import CheckOptions, Places, check_benchmark, find_source, load
from audit.judges.one_model import AskingOptions
from audit.judges.panel import Panel, alias_notes
from audit.judges.planning import plan
from audit.judges.progress import OnEvent, ignore_event, recount
from audit.judges.questions import Questions
from audit.judges.registry import JUDGES
from audit.judges.running import ask_panel
from audit.judges.savings import cache_saved_usd
from audit.loaders.splits import suggest
from audit.metrics.measure import measure_all
from audit.metrics.panel import measure_panel
from audit.metrics.registry import JUDGED_METRICS, METRICS, needed_criterion
from audit.prompts.keys import benchmark_hash, scorer_key
from audit.prompts.render import Segment
from audit.records.mode import mode_of, name_in_mode
from audit.records.plan import Plan
from audit.records.run import RunResult, Settings, Tally
from audit.records.task import BEHAVIOR_KINDS, Benchmark, PartKind, Task
from audit.records.verdict import Verdict, VerdictState
from audit.scorers.registry import SCORERS
from audit.store import Store

logger = logging.getLogger(__name__)

__all__ = (
    "OFFLINE",
    "CheckOptions",
    "Places",
    "check_benchmark",
    "choose_behavior",
    "choose_metrics",
    "find_source",
    "load",
    "make_questions",
    "plan_run",
    "plan_runs",
    "score_benchmark",
    "score_benchmarks",
    "show_task",
)
OFFLINE = "offline_match"


def choose_metrics(names: Sequence[str], *, has_judge: bool) -> tuple[str, ...]:
    """Return the metrics to measure, all of them when none is named; an unknown one raises ``UsageError``."""
    for name in names:
        if name not in METRICS:
            raise UsageError(f"no metric '{name}'", where="--metric", mend=suggest(name, list(METRICS)))
    if OFFLINE in names and has_judge:
        mend = "Leave out --judge, or the metric"
        raise UsageError("offline_match is measured without a judge", where="--metric", mend=mend)
    return tuple(names) or (JUDGED_METRICS if has_judge else (*JUDGED_METRICS, OFFLINE))


def choose_behavior(names: Sequence[str]) -> tuple[str, ...]:
    """Return the parts of the expected behavior to judge, all but the purpose when none is named."""
    known = [kind.value for kind in BEHAVIOR_KINDS]
    for name in names:
        if name not in known:
            raise UsageError(f"no part '{name}'", where="--behavior", mend=suggest(name, known))
    return tuple(names) or tuple(name for name in known if name != PartKind.PURPOSE.value)


def plan_run(benchmark: Benchmark, settings: Settings, *, panel: Panel, store: Store) -> tuple[Plan, ...]:
    """Count the calls that :func:`score_benchmark` would send, judge by judge; send none."""
    return plan_runs([benchmark], settings, panel=panel, store=store)


def plan_runs(benchmarks: Sequence[Benchmark], settings: Settings, *, panel: Panel, store: Store) -> tuple[Plan, ...]:
    """Count the calls that :func:`score_benchmarks` would send, judge by judge; send none."""
    questions = make_questions(benchmarks, settings)
    return plan(questions, panel.providers, store=store, is_fresh=settings.is_fresh, prices=panel.prices)


def score_benchmark(
    benchmark: Benchmark,
    settings: Settings,
    *,
    panel: Panel,
    store: Store,
    on_event: OnEvent = ignore_event,
) -> RunResult:
    """Judge a benchmark's tasks and measure the verdicts.

    Parameters
    ----------
    panel
        Without judges the offline scorer runs.
    store
        Consulted first; every verdict is in it before the next one is waited for.
    on_event
        Told of each verdict as it comes.
    """
    if panel.providers:
        (result,) = _judge([benchmark], [settings], panel=panel, store=store, on_event=on_event)
    else:
        result = _score_offline(benchmark, settings, store)
    return _measure(result, panel, store)


def score_benchmarks(
    benchmarks: Sequence[Benchmark],
    settings: Settings,
    *,
    panel: Panel,
    store: Store,
    on_event: OnEvent = ignore_event,
) -> tuple[RunResult, ...]:
    """Judge several benchmarks in one run: what is the same question in two of them is asked once.

    Parameters
    ----------
    settings
        Those of every benchmark but for its name; the tasks are chosen already.
    panel, store, on_event
        As for :func:`score_benchmark`.

    Returns
    -------
    tuple of RunResult
        One a benchmark. Its tally counts what was sent for it first, and the rest as stored.
    """
    each = [replace(settings, benchmark=benchmark.name) for benchmark in benchmarks]
    if panel.providers and benchmarks:
        results = _judge(benchmarks, each, panel=panel, store=store, on_event=on_event)
    else:
        results = [_score_offline(benchmark, own, store) for benchmark, own in zip(benchmarks, each, strict=True)]
    return tuple(_measure(result, panel, store) for result in results)


def _measure(result: RunResult, panel: Panel, store: Store) -> RunResult:
    """Add the scores to a run's verdicts, and what is known of the judges."""
    benchmark, settings = result.benchmark, result.settings
    verdicts, judges = result.verdicts, tuple(panel.providers)
    scores = measure_all(benchmark, verdicts, metrics=settings.metrics, judges=judges, seed=settings.seed)
    told = (benchmark.policy.items_note, family_note(judges, benchmark.author_family))
    notes = (*result.notes, *filter(None, told))
    result = replace(result, scores=scores, notes=notes, created_at=_now(), tool_version=__version__)
    result = hold_certificates(result, identities(panel.providers), store=store)
    if len(judges) < 2:
        return result
    return replace(
        result,
        panel=measure_panel(benchmark, verdicts, metrics=settings.metrics, judges=judges, seed=settings.seed),
    )


def show_task(benchmark: Benchmark, task: Task, *, behavior: Sequence[str]) -> dict[str, tuple[Segment, ...]]:
    """Return what each judge sees of a task, piece by piece, by criterion."""
    policy, kinds = benchmark.policy_of(task), _kinds(behavior)
    return {
        criterion: judge.segments(task, policy, style=benchmark.style, behavior=kinds)
        for criterion, judge in JUDGES.items()
        if not judge.undefined_reason(task, policy, behavior=kinds)
    }


def make_questions(benchmarks: Sequence[Benchmark], settings: Settings) -> Questions:
    """Return what every judge is asked about one or more benchmarks."""
    criteria = dict.fromkeys(needed_criterion(name) for name in settings.metrics)
    judges = tuple(JUDGES[criterion] for criterion in criteria if criterion in JUDGES)
    kinds = _kinds(settings.behavior)
    first, *others = (Questions(benchmark, judges, settings.trials, kinds) for benchmark in benchmarks)
    return replace(first, more=tuple(others))


def _kinds(behavior: Sequence[str]) -> frozenset[PartKind]:
    return frozenset(PartKind(name) for name in behavior)


def _judge(
    benchmarks: Sequence[Benchmark], settings: Sequence[Settings], *, panel: Panel, store: Store, on_event: OnEvent
) -> list[RunResult]:
    questions = make_questions(benchmarks, settings[0])
    options = AskingOptions(settings[0].concurrency, is_fresh=settings[0].is_fresh)
    asked = ask_panel(questions, panel, store=store, options=options, on_event=on_event)
    parts = questions.split(asked.verdicts)
    tallies = [asked.tally] if len(parts) == 1 else [recount(verdicts) for verdicts in parts]
    return [
        RunResult(
            settings=own,
            benchmark=benchmark,
            verdicts=verdicts,
            scores=(),
            tally=replace(tally, cache_saved_usd=cache_saved_usd(verdicts, panel)),
            stops=asked.stops,
            notes=alias_notes(verdicts, panel),
            prompts=_prompts(benchmark, verdicts),
        )
        for benchmark, own, verdicts, tally in zip(benchmarks, settings, parts, tallies, strict=True)
    ]


def _prompts(benchmark: Benchmark, verdicts: Sequence[Verdict]) -> tuple[tuple[str, str], ...]:
    asked = {
        (verdict.criterion, mode_of(verdict.judge)): verdict.prompt_hash for verdict in verdicts if verdict.prompt_hash
    }
    return tuple(
        (name_in_mode(f"{criterion}.{benchmark.style}", mode), digest) for (criterion, mode), digest in asked.items()
    )


def _score_offline(benchmark: Benchmark, settings: Settings, store: Store) -> RunResult:
    started = time.monotonic()
    scorer = SCORERS["offline"](_kinds(settings.behavior))
    digest = benchmark_hash(benchmark)
    keys = {
        task.id: scorer_key(task, scorer=scorer.criterion, version=scorer.version, benchmark_sha256=digest)
        for task in benchmark.tasks
    }
    stored = {} if settings.is_fresh else store.find(list(keys.values()))
    found = {key: each for key, each in stored.items() if each.task_id in keys and keys[each.task_id] == key}
    if len(found) < len(keys):
        verdicts = tuple(replace(verdict, key=keys[verdict.task_id]) for verdict in scorer.score(benchmark))
        store.append_many([verdict for verdict in verdicts if verdict.is_ok and verdict.key not in found])
    else:
        verdicts = tuple(found[keys[task.id]] for task in benchmark.tasks)
    n_undefined = sum(verdict.state is VerdictState.UNDEFINED for verdict in verdicts)
    planned = len(verdicts) - n_undefined
    free = Tally(cost_usd=0.0, stored_cost_usd=0.0)
    tally = replace(free, planned=planned, stored=len(found), scored=planned, undefined=n_undefined)
    return RunResult(
        settings=settings,
        benchmark=benchmark,
        verdicts=verdicts,
        scores=(),
        tally=replace(tally, seconds=time.monotonic() - started),
        notes=(scorer.limits,),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
