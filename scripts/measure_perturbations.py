"""Measure the offline scorer on perturbed benchmarks: kinds that must lower scores, and kinds that must not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from audit.errors import AuditError
from audit.inspection import Places, load
from audit.perturbations.registry import KEEPING, PERTURBATIONS, perturb
from audit.records.score import Interval
from audit.records.task import Benchmark
from audit.scorers.offline import OfflineScorer
from audit.stats.bootstrap import Floats, weighted_interval
from scripts.measure_offline import nearest, swap, swappable

DATA_VARIABLE = "BENCH_AUDIT_TEST_DATA"
BEGIN, END = "<!-- perturbations: begin -->", "<!-- perturbations: end -->"
DOMAINS = ("airline", "retail", "banking")
KINDS = tuple(kind for kind, each in PERTURBATIONS.items() if kind not in KEEPING and not each.needs_other)
"""Kinds that a scorer can notice which reads no policy."""
SHARE = 0.4
"""Of the tasks that are changed where changed and unchanged ones stand in one set."""
_EPSILON = 1e-9

Scores = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Contest:
    """How unchanged tasks (rows) fare against changed ones (columns), summed over draws.

    Parameters
    ----------
    wins
        Draws in which the unchanged one scored higher, a tie counting half.
    meetings
        Draws in which both had a score.
    """

    wins: Floats
    meetings: Floats

    @property
    def auroc(self) -> float:
        """The chance that an unchanged task scores above a changed one."""
        return float(self.wins.sum() / self.meetings.sum()) if self.meetings.any() else float("nan")

    def interval(self, rng: np.random.Generator) -> Interval | None:
        """Return the bootstrap interval over tasks: one that is drawn comes with all of its meetings."""

        def statistic(weights: Floats) -> Floats:
            with np.errstate(invalid="ignore"):
                share: Floats = _weighted(self.wins, weights) / _weighted(self.meetings, weights)
            return share

        return weighted_interval(statistic, len(self.wins), rng=rng)


def _weighted(matrix: Floats, weights: Floats) -> Floats:
    total: Floats = ((weights @ matrix) * weights).sum(axis=1)
    return total


@dataclass(frozen=True, slots=True)
class Line:
    """What was measured of one kind in one domain.

    Parameters
    ----------
    n_changed
        Tasks that can be changed, and have a score before and after.
    n_fell, n_moved
        Share of these whose score fell, or moved at all, over all draws.
    largest
        The largest move of any score.
    """

    name: str
    domain: str
    auroc: float
    interval: Interval | None
    n_changed: int
    n_fell: float
    n_moved: float
    largest: float


Change = Callable[[int], tuple[Benchmark, Sequence[str]]]
"""A draw to a changed benchmark and the ids of the tasks that were changed."""


def score(benchmark: Benchmark) -> Scores:
    """Return the offline scores that are defined."""
    return {v.task_id: v.score for v in OfflineScorer().score(benchmark) if v.score is not None}


def contest(ids: Sequence[str], pairs: Sequence[tuple[Scores, Scores]]) -> Contest:
    """Sum up who scores higher, over pairs of the scores of unchanged and of changed tasks."""
    wins, meetings = np.zeros((len(ids), len(ids))), np.zeros((len(ids), len(ids)))
    for unchanged, changed in pairs:
        high, low = _column(ids, unchanged)[:, None], _column(ids, changed)[None, :]
        both = np.isfinite(high) & np.isfinite(low)
        meetings += both
        wins += np.where(both, (high > low + _EPSILON) + (np.abs(high - low) <= _EPSILON) / 2, 0.0)
    return Contest(wins, meetings)


def _column(ids: Sequence[str], scores: Scores) -> NDArray[np.float64]:
    return np.array([scores.get(task_id, float("nan")) for task_id in ids])


def measure_whole(name: str, benchmark: Benchmark, change: Change, *, n_draws: int, seed: int) -> Line:
    """Score a benchmark as it is and with every task changed that can be; the same tasks on both sides."""
    own, ids = score(benchmark), [task.id for task in benchmark.tasks]
    pairs: list[tuple[Scores, Scores]] = []
    moves: list[float] = []
    for draw in range(n_draws):
        made, changed = change(draw)
        after = score(made)
        both = [task_id for task_id in changed if task_id in own and task_id in after]
        pairs.append(({i: own[i] for i in both}, {i: after[i] for i in both}))
        moves += [after[i] - own[i] for i in both]
    found, move = contest(ids, pairs), np.array(moves)
    return Line(
        name=name,
        domain=benchmark.name,
        auroc=found.auroc,
        interval=found.interval(np.random.default_rng(seed)) if moves else None,
        n_changed=max((len(before) for before, _ in pairs), default=0),
        n_fell=float((move < -_EPSILON).mean()) if moves else float("nan"),
        n_moved=float((np.abs(move) > _EPSILON).mean()) if moves else float("nan"),
        largest=float(np.abs(move).max()) if moves else float("nan"),
    )


def measure_mixed(name: str, benchmark: Benchmark, change: Change, *, n_draws: int, seed: int) -> Line:
    """Score a benchmark in which a share of the tasks is changed, and tell these from the others."""
    ids = [task.id for task in benchmark.tasks]
    pairs: list[tuple[Scores, Scores]] = []
    for draw in range(n_draws):
        made, changed = change(draw)
        scores = score(made)
        pairs.append(
            ({i: s for i, s in scores.items() if i not in changed}, {i: s for i, s in scores.items() if i in changed})
        )
    found = contest(ids, pairs)
    n_changed = max(len(changed) for _, changed in pairs)
    interval = found.interval(np.random.default_rng(seed)) if n_changed else None
    nan = float("nan")
    return Line(name, benchmark.name, found.auroc, interval, n_changed, nan, nan, nan)


def by_kind(benchmark: Benchmark, kind: str, rate: float) -> Change:
    """Return the change of a kind at a rate; a draw is a seed."""

    def change(draw: int) -> tuple[Benchmark, Sequence[str]]:
        found = perturb(benchmark, kind, rate=rate, seed=draw)
        return found.benchmark, tuple({each.task_id: None for each in found.changes if each.task_id is not None})

    return change


def by_nearest(benchmark: Benchmark) -> Change:
    """Return the change in which each task gets the behavior of the task whose description is most like its own."""

    def change(_draw: int) -> tuple[Benchmark, Sequence[str]]:
        return swap(benchmark, nearest(benchmark)), tuple(task.id for task in benchmark.tasks)

    return change


def measure_domain(benchmark: Benchmark, *, n_draws: int, seed: int) -> Iterator[tuple[str, Line]]:
    """Yield the lines of a domain, each with the table that it belongs to."""
    known = swappable(benchmark, OfflineScorer())
    lowering: dict[str, Change] = {"swap-behavior, random": by_kind(known, "swap-behavior", 1.0)}
    lowering["swap-behavior, nearest"] = by_nearest(known)
    lowering |= {kind: by_kind(known, kind, 1.0) for kind in KINDS if kind != "swap-behavior"}
    for name, change in lowering.items():
        draws = 1 if name.endswith("nearest") else n_draws
        yield "whole", measure_whole(name, known, change, n_draws=draws, seed=seed)
    for kind in KINDS:
        yield "mixed", measure_mixed(kind, known, by_kind(known, kind, SHARE), n_draws=n_draws, seed=seed)
    for kind in KEEPING:
        change = by_kind(known, kind, 1.0)
        yield "kept", measure_whole(kind, known, change, n_draws=n_draws, seed=seed)


def render(tables: Mapping[str, Sequence[Line]], domains: Sequence[str]) -> str:
    """Return the three tables in Markdown."""
    head = f"| {{}} | {' | '.join(domains)} |\n| --- |{' --- |' * len(domains)}"
    return "\n".join(
        (
            "Every task that can be changed, against the same tasks as they were:\n",
            head.format("kind"),
            *_rows(tables["whole"], domains, _lowered),
            f"\n{SHARE:.0%} of the tasks changed, against the others in the same set:\n",
            head.format("kind"),
            *_rows(tables["mixed"], domains, _plain),
            "\nKinds that must not move a score:\n",
            head.format("kind"),
            *_rows(tables["kept"], domains, _kept),
        )
    )


def _rows(lines: Sequence[Line], domains: Sequence[str], cell: Callable[[Line], str]) -> Iterator[str]:
    for name in dict.fromkeys(line.name for line in lines):
        found = {line.domain: line for line in lines if line.name == name}
        yield f"| {name} | {' | '.join(cell(found[domain]) if domain in found else '–' for domain in domains)} |"


def _plain(line: Line) -> str:
    if line.interval is None:
        return f"– (n = {line.n_changed})"
    return f"{line.auroc:.3f} [{line.interval.low:.3f}, {line.interval.high:.3f}], n = {line.n_changed}"


def _lowered(line: Line) -> str:
    return _plain(line) if line.interval is None else f"{_plain(line)}, {line.n_fell:.0%} fell"


def _kept(line: Line) -> str:
    if line.interval is None:
        return _plain(line)
    return f"{_plain(line)}, {line.n_moved:.0%} moved, at most {line.largest:.2f}"


def put_between(document: str, text: str) -> str:
    """Return a document with ``text`` between its two marks.

    Raises
    ------
    click.ClickException
        If it lacks a mark.
    """
    if BEGIN not in document or END not in document:
        raise click.ClickException(f"the document has no marks {BEGIN} and {END}")
    return f"{document.split(BEGIN, maxsplit=1)[0]}{BEGIN}\n\n{text}\n\n{END}{document.split(END)[1]}"


@click.command()
@click.option(
    "--data", type=click.Path(path_type=Path, exists=True), envvar=DATA_VARIABLE, required=True, help="Folder of τ³."
)
@click.option("--domain", "domains", multiple=True, default=DOMAINS, show_default=True)
@click.option("--draws", default=5, show_default=True, type=click.IntRange(min=1), help="Seeds of each kind.")
@click.option("--seed", default=0, show_default=True, help="Of the bootstrap.")
@click.option("--write", type=click.Path(path_type=Path, exists=True), help="Document to write the tables into.")
def main(data: Path, domains: tuple[str, ...], draws: int, seed: int, write: Path | None) -> None:
    """Print the tables on perturbations of docs/offline-scorer.md.

    Example: python -m scripts.measure_perturbations --data ../data --write docs/offline-scorer.md
    """
    tables: dict[str, list[Line]] = {"whole": [], "mixed": [], "kept": []}
    try:
        benchmarks = [load(f"tau3/{domain}", Places(data)) for domain in domains]
    except AuditError as error:
        raise click.ClickException(str(error)) from error
    for benchmark in benchmarks:
        for table, line in measure_domain(benchmark, n_draws=draws, seed=seed):
            tables[table].append(line)
    text = render(tables, [benchmark.name for benchmark in benchmarks])
    click.echo(text)
    if write is not None:
        write.write_text(put_between(write.read_text(encoding="utf-8"), text), encoding="utf-8")


if __name__ == "__main__":
    main()
