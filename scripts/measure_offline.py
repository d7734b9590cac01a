"""Measure the offline scorer: how well it tells true pairs of description and expected behavior from swapped ones."""

from __future__ import annotations

import csv
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from audit.errors import AuditError
from audit.loaders.registry import load_benchmark
from audit.records.task import DEFAULT_BEHAVIOR, Benchmark, PartKind, Task
from audit.records.verdict import Verdict
from audit.scorers.behavior import behavior_text
from audit.scorers.offline import LEAST_DESCRIPTIONS, OfflineScorer
from audit.scorers.words import terms
from audit.sources.listing import list_known
from audit.sources.resolve import resolve_source

Rng = np.random.Generator
Order = NDArray[np.int64]
PROSE_ONLY = DEFAULT_BEHAVIOR - {PartKind.ACTION}


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured line: AUROC over its draws."""

    name: str
    mean: float
    low: float
    high: float
    n_draws: int


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Return the chance that a positive scores above a negative; ties count half.

    Examples
    --------
    >>> auroc([0.9, 0.5], [0.5, 0.1])
    0.875
    """
    difference = np.subtract.outer(np.asarray(positive), np.asarray(negative))
    return float(((difference > 0) + (difference == 0) / 2).mean())


def derangement(n: int, rng: Rng) -> Order:
    """Return a random order of ``n`` in which nothing keeps its place."""
    while True:
        order = rng.permutation(n)
        if not (order == np.arange(n)).any():
            return order


def swappable(benchmark: Benchmark, scorer: OfflineScorer) -> Benchmark:
    """Return the benchmark of all tasks that have an expected behavior to swap."""
    tasks = tuple(task for task in benchmark.tasks if behavior_text(task, scorer.behavior))
    return replace(benchmark, tasks=tasks, corpus=tasks)


def swap(benchmark: Benchmark, partners: Order) -> Benchmark:
    """Return the benchmark in which task i has the expected behavior of task ``partners[i]``."""
    tasks = tuple(
        _with_behavior(task, benchmark.tasks[int(partner)])
        for task, partner in zip(benchmark.tasks, partners, strict=True)
    )
    return replace(benchmark, tasks=tasks, corpus=tasks)


def mix(true: Benchmark, swapped: Benchmark) -> Benchmark:
    """Return one benchmark of both, the swapped tasks under names of their own."""
    renamed = tuple(replace(task, id=f"swapped {task.id}") for task in swapped.tasks)
    return replace(true, tasks=(*true.tasks, *renamed), corpus=(*true.tasks, *renamed))


def nearest(benchmark: Benchmark) -> Order:
    """Return for each task the other task whose description is most similar (cosine of TF-IDF)."""
    vectors = TfidfVectorizer(analyzer=terms).fit_transform([task.description_text for task in benchmark.tasks])
    similarity = (vectors @ vectors.T).toarray()
    np.fill_diagonal(similarity, -1.0)
    order: Order = similarity.argmax(axis=1)
    return order


def scores(verdicts: Sequence[Verdict]) -> list[float]:
    """Return the scores that are defined."""
    return [verdict.score for verdict in verdicts if verdict.score is not None]


def whole_swap(scorer: OfflineScorer, benchmark: Benchmark, orders: Sequence[Order]) -> list[float]:
    """AUROCs of a benchmark's own scores against those of the same benchmark with every behavior swapped."""
    own = scores(scorer.score(benchmark))
    return [auroc(own, scores(scorer.score(swap(benchmark, order)))) for order in orders]


def mixed_swap(scorer: OfflineScorer, benchmark: Benchmark, order: Order) -> float:
    """AUROC of true against swapped pairs that stand in one benchmark, every true pair among them."""
    verdicts = scorer.score(mix(benchmark, swap(benchmark, order)))
    half = len(benchmark.tasks)
    return auroc(scores(verdicts[:half]), scores(verdicts[half:]))


def foreign_swap(scorer: OfflineScorer, benchmark: Benchmark, rng: Rng) -> float:
    """AUROC of half a benchmark against the same half with the behaviors of the other half.

    No swapped behavior has its own description among those that it is contrasted with.
    """
    order, half = rng.permutation(len(benchmark.tasks)), len(benchmark.tasks) // 2
    here, there = order[:half], order[half : 2 * half]
    own = replace(benchmark, tasks=_pick(benchmark, here), corpus=())
    foreign = tuple(map(_with_behavior, own.tasks, _pick(benchmark, there)))
    return auroc(scores(scorer.score(own)), scores(scorer.score(replace(own, tasks=foreign))))


def _pick(benchmark: Benchmark, order: Order) -> tuple[Task, ...]:
    return tuple(benchmark.tasks[int(number)] for number in order)


def _with_behavior(task: Task, donor: Task) -> Task:
    return replace(task, behavior=donor.behavior, actions=donor.actions)


def derangements(n: int, *, n_draws: int, seed: int) -> list[Order]:
    """Return seeded derangements of ``n``."""
    return [derangement(n, np.random.default_rng([seed, draw])) for draw in range(n_draws)]


def measure_swaps(benchmark: Benchmark, scorer: OfflineScorer, *, n_draws: int, seed: int) -> list[Figure]:
    """Return the figures of every kind of swap."""
    known = swappable(benchmark, scorer)
    n, close = len(known.tasks), nearest(known)
    orders = derangements(n, n_draws=n_draws, seed=seed)
    figures = [
        _figure("whole benchmark swapped", whole_swap(scorer, known, orders)),
        _figure("true and swapped pairs mixed", [mixed_swap(scorer, known, order) for order in orders]),
        _figure("nearest swap, whole benchmark", whole_swap(scorer, known, [close])),
        _figure("nearest swap, pairs mixed", [mixed_swap(scorer, known, close)]),
    ]
    if n // 2 >= LEAST_DESCRIPTIONS:
        rngs = [np.random.default_rng([seed, draw]) for draw in range(n_draws)]
        figures.append(_figure("foreign behaviors, half benchmark", [foreign_swap(scorer, known, rng) for rng in rngs]))
    return figures


def _figure(name: str, values: Sequence[float]) -> Figure:
    return Figure(name, float(np.mean(values)), min(values), max(values), len(values))


def measure_flaws(benchmark: Benchmark, labels: Mapping[str, bool]) -> tuple[float, int, int]:
    """Return the AUROC of tasks never corrected against flawed ones, and how many of each have a score."""
    by_task = {verdict.task_id: verdict.score for verdict in OfflineScorer().score(benchmark)}
    flawed = [by_task[id] for id, is_flawed in labels.items() if is_flawed]
    sound = [by_task[id] for id, is_flawed in labels.items() if not is_flawed]
    low = [score for score in flawed if score is not None]
    high = [score for score in sound if score is not None]
    return auroc(high, low), len(low), len(high)


def read_labels(path: Path, domain: str) -> dict[str, dict[str, bool]]:
    """Return, per source of labels, task id to flawed; cosmetic corrections are left out."""
    found: dict[str, dict[str, bool]] = {}
    with path.open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row["domain"] == domain and row["severity"] != "cosmetic":
                found.setdefault(row["source"], {})[row["task_id"]] = row["flawed"] == "1"
    return found


def load(data_dir: Path, domain: str) -> Benchmark:
    """Load a domain of τ³ by name, or from its folder: with any policy, for the scorer reads none."""
    if f"tau3/{domain}" in {known.name for known in list_known()}:
        return load_benchmark(resolve_source(f"tau3/{domain}", data_dir=data_dir))
    folder = data_dir / "domains" / domain
    return load_benchmark(resolve_source(str(folder), policy=min(folder.rglob("*.md"))))


def load_flaws(folder: Path, data_dir: Path) -> Benchmark:
    """Load one domain of a folder of labelled flaws; what it lacks comes from τ³."""
    database = folder / "db.json"
    policy = folder / "policy.md"
    return load_benchmark(
        resolve_source(
            str(folder),
            policy=policy if policy.is_file() else folder / "policy_header.md",
            database=database if database.is_file() else data_dir / "domains" / folder.name / "db.json",
        )
    )


def report_domain(data_dir: Path, domain: str, *, n_draws: int, seed: int) -> None:
    """Print the lines of one domain."""
    start = time.perf_counter()
    benchmark = load(data_dir, domain)
    loaded = time.perf_counter()
    verdicts = OfflineScorer().score(benchmark)
    done = time.perf_counter()
    times = f"load {loaded - start:.2f} s, score {done - loaded:.2f} s"
    click.echo(f"\n{domain}: {len(benchmark.tasks)} tasks, {len(scores(verdicts))} scored; {times}")
    _print_swaps("full e", benchmark, OfflineScorer(), n_draws=n_draws, seed=seed)
    if sum(bool(behavior_text(task, PROSE_ONLY)) for task in benchmark.tasks) >= 40:
        _print_swaps("e without actions", benchmark, OfflineScorer(PROSE_ONLY), n_draws=n_draws, seed=seed)
    _print_swaps("full e, no database", replace(benchmark, database={}), OfflineScorer(), n_draws=n_draws, seed=seed)


def _print_swaps(title: str, benchmark: Benchmark, scorer: OfflineScorer, *, n_draws: int, seed: int) -> None:
    for figure in measure_swaps(benchmark, scorer, n_draws=n_draws, seed=seed):
        spread = f"{figure.low:.3f} to {figure.high:.3f}, {figure.n_draws} draws" if figure.n_draws > 1 else ""
        click.echo(f"  {title:20} {figure.name:34} {figure.mean:.3f}  {spread}")


def report_flaws(flaws_dir: Path, data_dir: Path) -> None:
    """Print how the scorer ranks tasks that people corrected below tasks that they did not."""
    click.echo("\nflaws found by people: AUROC of never corrected against flawed")
    for folder in sorted(path for path in flaws_dir.iterdir() if path.is_dir()):
        benchmark = load_flaws(folder, data_dir)
        for source, labels in read_labels(flaws_dir / "labels.csv", folder.name).items():
            value, n_flawed, n_sound = measure_flaws(benchmark, labels)
            click.echo(f"  {folder.name:20} {source:34} {value:.3f}  {n_flawed} flawed, {n_sound} not")


@click.command()
@click.option("--data-dir", type=click.Path(path_type=Path, exists=True), required=True, help="Root of τ³.")
@click.option("--flaws-dir", type=click.Path(path_type=Path, exists=True), help="Tasks with labels of flaws.")
@click.option("--domain", "domains", multiple=True, default=("airline", "retail"), show_default=True)
@click.option("--draws", default=20, show_default=True, type=click.IntRange(min=1), help="Random swaps of each kind.")
@click.option("--seed", default=0, show_default=True)
def main(data_dir: Path, flaws_dir: Path | None, domains: tuple[str, ...], draws: int, seed: int) -> None:
    """Print the table of docs/offline-scorer.md.

    Example: python -m scripts.measure_offline --data-dir ../tau3 --domain airline
    """
    try:
        for domain in domains:
            report_domain(data_dir, domain, n_draws=draws, seed=seed)
        if flaws_dir is not None:
            report_flaws(flaws_dir, data_dir)
    except AuditError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
