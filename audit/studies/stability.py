"""Does a judge say the same when asked again, how does it use its scale, and has it changed since?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

import numpy as np

from audit.errors import UndefinedScoreError
from audit.metrics.measure import spawn_rng
from audit.records.anchor import Anchor
from audit.records.study import (
    Column,
    ColumnKind,
    Estimate,
    Row,
    StudyResult,
    Table,
)
from audit.records.task import Benchmark
from audit.reports import numbers
from audit.stats.discrimination import share_interval
from audit.stats.rank import kendall_test, tau_b_interval
from audit.stats.reliability import alpha_interval, krippendorff_alpha
from audit.stats.scale_use import flip_rate, mean_spread, pairwise_flips
from audit.studies.drift import drift_table, drift_words, freeze
from audit.studies.ground import Ground, ask, close, estimate, settings_of
from audit.studies.voices import Voice, answer_figures, answer_table, scale_table, voices_of

STABILITY_COLUMNS = (
    Column("criterion", "Criterion"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("n_tasks", "Tasks", ColumnKind.COUNT),
    Column("n_trials", "Trials", ColumnKind.COUNT),
    Column("flips", "Flip rate", ColumnKind.SHARE),
    Column("pairwise", "Two answers differ", ColumnKind.SHARE),
    Column("spread", "Spread", ColumnKind.NUMBER),
    Column("retest_move", "Retest move", ColumnKind.NUMBER),
    Column("retest_tau", "Retest τ_b", ColumnKind.NUMBER),
    Column("alpha", "α over trials", ColumnKind.NUMBER),
)


def study_stability(
    benchmark: Benchmark, *, ground: Ground, anchor: Anchor | None = None
) -> tuple[StudyResult, Anchor]:
    """Ask each question several times, and say how far the answers part and how the scale is used.

    Parameters
    ----------
    ground
        Its settings say how many trials there are.
    anchor
        Verdicts of an earlier day to hold these against; ``None`` for none.

    Returns
    -------
    tuple
        The study, and its own verdicts as an anchor for later ones.
    """
    answers = ask([benchmark], ground)
    (run,) = answers.results
    voices = tuple(voices_of(run))
    tables = [_stability_table(voices, ground), scale_table(voices), answer_table(voices), _task_table(voices)]
    if anchor is not None:
        tables.insert(0, drift_table(run, anchor, seed=ground.settings.seed))
    study = StudyResult(
        kind="stability",
        title=f"{benchmark.name}: does the judge say the same when asked again?",
        summary=(*drift_words(tables[0]), *_summary(tables)),
        settings=settings_of(ground, benchmark=benchmark.name, anchor=anchor.where if anchor else None),
        tables=tuple(tables),
        figures=tuple(answer_figures(tables)),
    )
    closed = close(study, answers, benchmarks=[benchmark])
    return closed, freeze(run, created_at=closed.created_at)


def _stability_table(voices: Sequence[Voice], ground: Ground) -> Table:
    about = (
        "Flip rate: tasks whose answers are not all in the same band (1–3, 4–6, 7–10), or not all the same items; it "
        "rises with trials, the chance that two answers differ at all does not. Spread: standard deviation of the "
        "answers to one question. Retest: the first trial against the second, by mean absolute difference and τ_b. α: "
        "Krippendorff's, ordinal, with trials for raters."
    )
    rows = tuple(_stability_row(voice, ground) for voice in voices)
    return Table("stability", "Asked again", STABILITY_COLUMNS, rows, about=about)


def _stability_row(voice: Voice, ground: Ground) -> Row:
    values = voice.values
    both = [found for found in values.values() if 0 in found and 1 in found]
    first, second = [found[0] for found in both], [found[1] for found in both]
    table = [[found.get(trial) for trial in range(voice.n_trials)] for found in values.values()]

    def rng(name: str) -> np.random.Generator:
        return spawn_rng(ground.settings.seed, metric=f"{voice.criterion}\0{name}", judge=voice.judge)

    def move() -> float:
        if not both:
            raise UndefinedScoreError("no task has a verdict in the first two trials")
        return fmean(abs(a - b) for a, b in zip(first, second, strict=True))

    n_repeated = sum(len(found) > 1 for found in values.values())
    cells = (
        voice.criterion,
        voice.judge,
        len(values),
        voice.n_trials,
        estimate(
            lambda: flip_rate(voice.answers),
            lambda: share_interval(round(flip_rate(voice.answers) * n_repeated), n_repeated),
        ),
        estimate(lambda: pairwise_flips(voice.exact)),
        estimate(lambda: mean_spread([list(found.values()) for found in values.values()])),
        estimate(move),
        estimate(
            lambda: kendall_test(first, second).value,
            lambda: tau_b_interval(first, second, rng=rng("tau")),
        ),
        estimate(
            lambda: krippendorff_alpha(table),
            lambda: alpha_interval(table, rng=rng("alpha")),
        ),
    )
    return Row(cells, voice.label)


def _task_table(voices: Sequence[Voice]) -> Table:
    columns = (
        Column("criterion", "Criterion"),
        Column("judge", "Judge", ColumnKind.JUDGE),
        Column("task", "Task"),
        Column("answers", "Answers, trial by trial"),
        Column("apart", "Apart", ColumnKind.NUMBER),
    )
    found = [
        (max(values) - min(values), voice, task_id, texts)
        for voice in voices
        for (task_id, trials), texts in zip(voice.values.items(), voice.exact, strict=True)
        for values in [trials.values()]
        if len(set(texts)) > 1
    ]
    rows = tuple(
        Row((voice.criterion, voice.judge, task_id, " / ".join(texts), apart), voice.label)
        for apart, voice, task_id, texts in sorted(found, key=lambda each: -each[0])
    )
    return Table("tasks", "Tasks on which the answers part", columns, rows, "The widest first.", n_in_text=10)


def _summary(tables: Sequence[Table]) -> Iterator[str]:
    stability = next(table for table in tables if table.name == "stability")
    for row in stability.rows:
        criterion, judge, n_tasks, n_trials, flips, pairwise, *_ = row.cells
        who = f"{criterion}, {judge}{f' [{row.label}]' if row.label else ''}"
        if isinstance(flips, Estimate) and isinstance(pairwise, Estimate) and flips.value is not None:
            yield (
                f"{who}: {numbers.percent(flips.value)} of {n_tasks} tasks flip over {n_trials} trials; two answers to "
                f"the same question differ in {numbers.percent(pairwise.value)} of the cases."
            )
        elif isinstance(flips, Estimate):
            yield f"{who}: steadiness is undefined ({flips.reason})."
