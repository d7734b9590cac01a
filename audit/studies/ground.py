"""What every study stands on: judges asked about several benchmarks at once, and the account of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from audit import __version__, pipeline
from audit.errors import UndefinedScoreError
from audit.judges.asking import Asked
from audit.judges.one_model import AskingOptions
from audit.judges.panel import Panel
from audit.judges.planning import plan
from audit.judges.progress import OnEvent, ignore_event, recount
from audit.judges.questions import Question, Questions, Seat, render_questions, take_batch, take_seats
from audit.judges.running import ask_panel
from audit.prompts.keys import benchmark_hash
from audit.records.plan import Plan
from audit.records.run import RunResult, Settings
from audit.records.score import Interval, Score
from audit.records.study import Calls, Estimate, Setting, StudyResult, StudySubject
from audit.records.task import Benchmark
from audit.records.verdict import Verdict
from audit.reports.certificate_words import head_notes
from audit.reports.labels import trust_label
from audit.store import Store

Key = tuple[str, str]
"""A metric and a judge."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a study stands on.

    Parameters
    ----------
    settings
        Metrics, parts, trials, seed and freshness; its tasks are chosen already.
    panel
        The judges; without any, the offline scorer.
    """

    settings: Settings
    panel: Panel
    store: Store
    on_event: OnEvent = ignore_event


@dataclass(frozen=True, slots=True)
class Answers:
    """A run for each benchmark, in their order, and what the judges were asked."""

    results: tuple[RunResult, ...]
    calls: tuple[Calls, ...]


def plan_calls(benchmarks: Sequence[Benchmark], ground: Ground) -> tuple[Calls, ...]:
    """Return what every judge would be asked about all the benchmarks together; sends nothing.

    Without judges there is nothing to plan.
    """
    if not ground.panel.providers or not benchmarks:
        return ()
    return plan_questions(pipeline.make_questions(benchmarks, ground.settings), ground)


def plan_questions(questions: Questions, ground: Ground) -> tuple[Calls, ...]:
    """Return what every judge would be asked of some questions, and what of that is stored; sends nothing."""
    seats = take_seats(ground.panel.providers)
    return tuple(_plan_seat(seat, render_questions(questions, seat), ground) for seat in seats)


def price_questions(questions: Questions, ground: Ground) -> tuple[tuple[Calls, ...], tuple[Plan, ...]]:
    """Return what every judge would be asked of some questions, and what that would cost; sends nothing."""
    panel, is_fresh = ground.panel, ground.settings.is_fresh
    priced = plan(questions, panel.providers, store=ground.store, is_fresh=is_fresh, prices=panel.prices)
    return plan_questions(questions, ground), priced


def ask_questions(questions: Questions, ground: Ground) -> Asked:
    """Ask every judge what the store has no answer to."""
    options = AskingOptions(ground.settings.concurrency, is_fresh=ground.settings.is_fresh)
    return ask_panel(questions, ground.panel, store=ground.store, options=options, on_event=ground.on_event)


def price_calls(benchmarks: Sequence[Benchmark], ground: Ground) -> tuple[Plan, ...]:
    """Return what :func:`plan_calls` does, with tokens and prices."""
    if not ground.panel.providers or not benchmarks:
        return ()
    return pipeline.plan_runs(benchmarks, ground.settings, panel=ground.panel, store=ground.store)


def ask(benchmarks: Sequence[Benchmark], ground: Ground) -> Answers:
    """Judge all the benchmarks in one run, each different question once."""
    planned = plan_calls(benchmarks, ground)
    results = pipeline.score_benchmarks(
        benchmarks, ground.settings, panel=ground.panel, store=ground.store, on_event=ground.on_event
    )
    verdicts = [verdict for result in results for verdict in result.verdicts]
    return Answers(results, tuple(account(calls, verdicts) for calls in planned))


def _plan_seat(seat: Seat, rendered: Iterator[object], ground: Ground) -> Calls:
    keys: list[str] = []
    n_undefined, stored = 0, set[str]()
    while batch := take_batch(rendered):
        asked = [entry.key for entry in batch if isinstance(entry, Question)]
        n_undefined += len(batch) - len(asked)
        keys += asked
        stored.update({} if ground.settings.is_fresh else ground.store.find(asked))
    different = set(keys)
    return Calls(
        judge=seat.name,
        planned=len(keys),
        repeated=len(keys) - len(different),
        stored=len(stored),
        to_ask=len(different) - len(stored),
        undefined=n_undefined,
        label=trust_label(seat.trust),
    )


def account(calls: Calls, verdicts: Sequence[Verdict]) -> Calls:
    """Return what was planned of a judge with what came of it."""
    own = [verdict for verdict in verdicts if verdict.judge == calls.judge]
    tally = recount(own)
    models = sorted({verdict.model for verdict in own if verdict.model})
    return replace(calls, asked=tally.asked, missing=tally.unscored, cost_usd=tally.cost_usd, models=tuple(models))


def estimate(measure: Callable[[], float], interval: Callable[[], Interval | None] | None = None) -> Estimate:
    """Return what two functions say as a cell; an undefined value comes with its reason, and without an interval.

    Examples
    --------
    >>> estimate(lambda: 0.5)
    Estimate(value=0.5, interval=None, reason='')
    """
    try:
        value = measure()
    except UndefinedScoreError as error:
        return Estimate(None, reason=error.what)
    try:
        return Estimate(value, None if interval is None else interval())
    except UndefinedScoreError:
        return Estimate(value)


def estimate_of(score: Score) -> Estimate:
    """Return a score as a cell; what it leaves out stays with it."""
    if score.value is None:
        return Estimate(None, reason=score.reason or "no verdicts")
    return Estimate(score.value, score.interval, score.reason)


def scores_by_key(result: RunResult) -> dict[Key, Score]:
    """Return a run's scores by metric and judge, those that nobody was asked for left out."""
    return {(score.metric, score.judge): score for score in result.scores if score.is_applicable}


def subject_of(benchmark: Benchmark) -> StudySubject:
    """Return a benchmark as a study names it."""
    return StudySubject(benchmark.name, len(benchmark.tasks), benchmark_hash(benchmark), benchmark.version)


def settings_of(ground: Ground, **own: Setting) -> Mapping[str, Setting]:
    """Return what fixes a study: its own settings first, then those that all studies have."""
    settings = ground.settings
    return {
        **own,
        "judges": settings.judges or ("offline",),
        "metrics": settings.metrics if settings.judges else (pipeline.OFFLINE,),
        "behavior": settings.behavior,
        "trials": settings.trials,
        "seed": settings.seed,
        "tasks": settings.tasks,
        "limit": settings.limit,
        "split": settings.split,
        "fresh": settings.is_fresh,
    }


def close(study: StudyResult, answers: Answers, *, benchmarks: Sequence[Benchmark]) -> StudyResult:
    """Add to a study what its runs say of themselves: calls, prompts, notes, stops, subjects, time and version.

    Parameters
    ----------
    benchmarks
        Those that a reader is told of as its subjects.
    """
    results = answers.results
    prompts = dict.fromkeys(pair for result in results for pair in result.prompts)
    own_notes = (note for result in results for note in result.notes)
    notes = dict.fromkeys((*study.notes, *own_notes, *head_notes(results)))
    stops = dict.fromkeys(f"{stop.judge}: {stop.message}" for result in results for stop in result.stops)
    return stamp(
        replace(
            study,
            calls=(*study.calls, *answers.calls),
            prompts=tuple(prompts),
            notes=tuple(notes),
            stops=tuple(stops),
            subjects=(*study.subjects, *map(subject_of, benchmarks)),
        )
    )


def stamp(study: StudyResult) -> StudyResult:
    """Add the time and the version."""
    return replace(study, tool_version=__version__, created_at=datetime.now(UTC).isoformat(timespec="seconds"))


def verdicts_by_task(result: RunResult, key: Key, *, criterion: str) -> dict[str, dict[int, Verdict]]:
    """Return one judge's verdicts on one criterion that are there, by task and trial."""
    found: dict[str, dict[int, Verdict]] = {}
    for verdict in result.verdicts:
        if (verdict.criterion, verdict.judge) == (criterion, key[1]) and verdict.is_ok:
            found.setdefault(verdict.task_id, {})[verdict.trial] = verdict
    return found


def slug(text: str) -> str:
    """Return a metric's or kind's name as part of a file's name.

    Examples
    --------
    >>> slug("violation_coverage@1")
    'violation_coverage-1'
    """
    return text.replace("@", "-").lower()
