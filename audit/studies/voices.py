"""What judges answered, by task and trial, and how they use their scales."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from audit.errors import UndefinedScoreError
from audit.metrics.registry import needed_criterion
from audit.records.run import RunResult
from audit.records.study import (
    Axis,
    Column,
    ColumnKind,
    Estimate,
    Figure,
    FigureKind,
    Point,
    Row,
    Series,
    Table,
)
from audit.records.verdict import Verdict
from audit.reports import numbers
from audit.reports.labels import trust_label
from audit.reports.ranking import band_of
from audit.stats.scale_use import use_of_scale
from audit.studies.ground import Key, scores_by_key, slug, verdicts_by_task

N_POINTS = {"desc_alignment": 10, "policy_alignment": 10}
"""Points of the scales that have an end and whole numbers."""
SCALE_COLUMNS = (
    Column("criterion", "Criterion"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("n", "Answers", ColumnKind.COUNT),
    Column("minimum", "Least", ColumnKind.NUMBER),
    Column("maximum", "Greatest", ColumnKind.NUMBER),
    Column("n_distinct", "Different", ColumnKind.NUMBER, digits=0),
    Column("entropy", "Entropy", ColumnKind.NUMBER, unit="bits"),
    Column("evenness", "Of the greatest", ColumnKind.SHARE),
    Column("ties", "Tied pairs", ColumnKind.SHARE),
)

Trials = dict[str, dict[int, Verdict]]


class Voice:
    """One judge on one criterion: its answers by task and trial."""

    def __init__(self, run: RunResult, key: Key, label: str) -> None:
        self.criterion = needed_criterion(key[0].partition("@")[0])
        self.judge, self.label = key[1], label
        self.trials: Trials = verdicts_by_task(run, key, criterion=self.criterion)

    @property
    def n_trials(self) -> int:
        """The most answers that a task has."""
        return max(map(len, self.trials.values()), default=0)

    @property
    def values(self) -> dict[str, dict[int, float]]:
        """Scores, or numbers of items."""
        return {
            task_id: {trial: value_of(verdict) for trial, verdict in found.items()}
            for task_id, found in self.trials.items()
        }

    @property
    def levels(self) -> list[float]:
        """Scores as steps of the scale, or numbers of items, all in one list."""
        return [
            value_of(verdict) if verdict.level is None else verdict.level
            for found in self.trials.values()
            for verdict in found.values()
        ]

    @property
    def answers(self) -> list[list[str]]:
        """Bands of scores, or sets of items, as texts: what a flip is a change of."""
        return [[_band(verdict) for verdict in found.values()] for found in self.trials.values()]

    @property
    def exact(self) -> list[list[str]]:
        """Scores or sets of items, as texts."""
        return [[_exact(verdict) for verdict in found.values()] for found in self.trials.values()]


def value_of(verdict: Verdict) -> float:
    """Return a verdict's score, or how many items it names."""
    return verdict.score if verdict.score is not None else float(len(verdict.violated or ()))


def _exact(verdict: Verdict) -> str:
    if verdict.level is not None:
        return numbers.trimmed(verdict.level, 4)
    return ", ".join(sorted(verdict.violated or ())) or "none"


def _band(verdict: Verdict) -> str:
    is_graded = verdict.score is not None and verdict.criterion in N_POINTS
    return band_of(verdict.score) if is_graded and verdict.score is not None else _exact(verdict)


def voices_of(run: RunResult) -> Iterator[Voice]:
    """Yield every judge on every criterion of a run."""
    seen: set[tuple[str, str]] = set()
    for key, score in scores_by_key(run).items():
        voice = Voice(run, key, trust_label(score.trust))
        if (voice.criterion, voice.judge) not in seen:
            seen.add((voice.criterion, voice.judge))
            yield voice


def scale_table(voices: Sequence[Voice]) -> Table:
    """Return range, entropy and ties of every judge's answers."""
    about = "Over all answers. Entropy: how evenly they spread over the scale; a judge that always says 7 has none."
    return Table("scale", "Use of the scale", SCALE_COLUMNS, tuple(map(_scale_row, voices)), about=about)


def _scale_row(voice: Voice) -> Row:
    answers = voice.levels
    n_points = N_POINTS.get(voice.criterion)
    try:
        used = use_of_scale(answers, n_points=n_points)
    except UndefinedScoreError as error:
        nothing = (Estimate(None, reason=error.what),) * 6
        return Row((voice.criterion, voice.judge, len(answers), *nothing), voice.label)
    no_end = "the scale has no end" if voice.criterion == "policy_violations" else "the scale has no steps"
    evenness = Estimate(used.share_of_most, reason="" if used.share_of_most is not None else no_end)
    cells = (used.minimum, used.maximum, float(used.n_distinct), used.entropy, evenness, used.tied_pairs)
    return Row((voice.criterion, voice.judge, len(answers), *cells), voice.label)


def answer_table(voices: Sequence[Voice]) -> Table:
    """Return how often each answer was given."""
    columns = (
        Column("criterion", "Criterion"),
        Column("judge", "Judge", ColumnKind.JUDGE),
        Column("answer", "Answer", ColumnKind.NUMBER),
        Column("n", "Times", ColumnKind.COUNT),
    )
    rows = []
    for voice in voices:
        counts = Counter(voice.levels)
        points = range(1, N_POINTS[voice.criterion] + 1) if voice.criterion in N_POINTS else ()
        for answer in sorted({*counts, *map(float, points)}):
            rows.append(Row((voice.criterion, voice.judge, answer, counts[answer]), voice.label))
    return Table("answers", "How often each answer was given", columns, tuple(rows), n_in_text=0)


def answer_figures(tables: Sequence[Table]) -> Iterator[Figure]:
    """Yield a figure of the answers for each criterion with steps."""
    answers = next(table for table in tables if table.name == "answers")
    for criterion in dict.fromkeys(str(row.cells[0]) for row in answers.rows):
        rows = [row for row in answers.rows if row.cells[0] == criterion and isinstance(row.cells[2], float)]
        if criterion == "offline_match":
            continue
        places = sorted({float(str(row.cells[2])) for row in rows})
        lines: dict[tuple[str, str], list[Point]] = {}
        for row in rows:
            point = Point(places.index(float(str(row.cells[2]))), Estimate(float(str(row.cells[3]))))
            lines.setdefault((str(row.cells[1]), row.label), []).append(point)
        yield Figure(
            name=f"answers-{slug(criterion)}",
            title=f"How often each answer was given: {criterion}",
            kind=FigureKind.BARS,
            x=Axis("answer", categories=tuple(numbers.trimmed(place) for place in places)),
            y=Axis("verdicts", ColumnKind.COUNT, low=0.0),
            series=tuple(Series(judge, tuple(points), label) for (judge, label), points in lines.items()),
            table="answers",
        )
