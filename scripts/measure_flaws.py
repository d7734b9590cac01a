"""Measure the free layer on tasks with labels of flaws: what it finds, and what it marks in vain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import click
import numpy as np

from audit.errors import AuditError
from audit.pipeline import Places, check_benchmark, load
from audit.records.finding import SEVERITY_ORDER, Finding, Severity
from audit.records.task import Benchmark
from audit.scorers.offline import OfflineScorer
from scripts.bench.checking import Run, measure_runs
from scripts.flaw_figures import Floats, break_ties, measure_ranking, measure_share, weigh
from scripts.flaw_labels import LABELS, Label, Labelled, merged_of, read_labels, sources_of
from scripts.flaw_records import CategoryCount, Figures, Measured, RuleCount
from scripts.flaw_tables import BEGIN, END, to_markdown, to_text

DATA_VARIABLE = "BENCH_AUDIT_TEST_DATA"
FLAWS, TAU3 = "flaws-dev", "tau3"
POLICIES = ("policy.md", "policy_header.md")
CUTS: Mapping[str, tuple[Severity, ...]] = {
    "error": (Severity.ERROR,),
    "error or warning": (Severity.ERROR, Severity.WARNING),
    "any finding": SEVERITY_ORDER,
}
"""What marks a task: one finding of these severities about the task itself."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A domain with its findings by task (those about the whole set are none) and its offline matches."""

    benchmark: Benchmark
    findings: Mapping[str, tuple[Finding, ...]]
    matches: Mapping[str, float | None]


def check_domain(data: Path, domain: str) -> Checked:
    """Load one labelled domain, check it and score it offline; a database that it lacks is that of τ³."""
    folder = data / FLAWS / domain
    database = folder / "db.json"
    policy = next((folder / name for name in POLICIES if (folder / name).is_file()), None)
    places = Places(
        policy=policy,
        database=database if database.is_file() else data / TAU3 / "domains" / domain / "db.json",
        tools=folder / "tools.json",
    )
    benchmark = load(str(folder), places)
    found: dict[str, list[Finding]] = {task.id: [] for task in benchmark.tasks}
    for finding in check_benchmark(benchmark, root=folder).findings:
        if finding.task_id is not None:
            found[finding.task_id].append(finding)
    matches = {verdict.task_id: verdict.score for verdict in OfflineScorer().score(benchmark)}
    return Checked(benchmark, {task_id: tuple(own) for task_id, own in found.items()}, matches)


def measure(pairs: Sequence[tuple[Checked, Labelled]], *, draws: int, seed: int) -> Figures:
    """Return the figures of one domain under one source of labels, or of several domains together."""
    rows = [
        (task_id in labelled.flawed, checked.findings[task_id], checked.matches.get(task_id))
        for checked, labelled in pairs
        for task_id in (*labelled.flawed, *labelled.sound)
    ]
    is_flawed = np.array([row[0] for row in rows])
    drawn = np.random.default_rng(seed).integers(0, len(rows), size=(draws, len(rows)))
    marks = {
        name: np.array([any(finding.severity in cut for finding in row[1]) for row in rows])
        for name, cut in CUTS.items()
    }
    rankings = {
        name: measure_ranking(score, is_flawed, draws=draws, rng=np.random.default_rng(seed))
        for name, score in _scores([row[1] for row in rows], [row[2] for row in rows]).items()
    }
    return Figures(
        domain=pairs[0][1].domain if len(pairs) == 1 else "all",
        source=pairs[0][1].source,
        n_flawed=int(is_flawed.sum()),
        n_sound=int((~is_flawed).sum()),
        precision={name: measure_share(is_flawed, mark, draws=drawn) for name, mark in marks.items()},
        recall={name: measure_share(mark, is_flawed, draws=drawn) for name, mark in marks.items()},
        rankings=rankings,
    )


def _scores(findings: Sequence[Sequence[Finding]], matches: Sequence[float | None]) -> dict[str, Floats]:
    """Return the scores that should be high for flawed tasks; nan is missing."""
    checks = np.array([weigh(own) for own in findings])
    offline = np.array([np.nan if match is None else 1.0 - match for match in matches])
    known = ~np.isnan(offline)
    both = np.full(len(checks), np.nan)
    both[known] = break_ties(checks[known], offline[known])
    return {"checks": checks, "offline score": offline, "checks, ties by the offline score": both}


def count_rules(checked: Checked, labelled: Labelled) -> Iterator[RuleCount]:
    """Yield how often each rule reports on flawed and on sound tasks."""
    tasks: dict[tuple[Severity, str], tuple[set[str], set[str]]] = {}
    for task_id in (*labelled.flawed, *labelled.sound):
        for finding in checked.findings[task_id]:
            flawed, sound = tasks.setdefault((finding.severity, finding.rule), (set(), set()))
            (flawed if task_id in labelled.flawed else sound).add(task_id)
    for (severity, rule), (flawed, sound) in tasks.items():
        yield RuleCount(rule, severity, labelled.domain, len(flawed), len(sound))


def count_categories(pairs: Sequence[tuple[Checked, Labelled]]) -> Iterator[CategoryCount]:
    """Yield, per kind of flaw, how many tasks an error or warning marks; a task may have two kinds."""
    cut = CUTS["error or warning"]
    found: dict[str, list[bool]] = {}
    for checked, labelled in pairs:
        for task_id, categories in labelled.flawed.items():
            for category in categories:
                is_marked = any(finding.severity in cut for finding in checked.findings[task_id])
                found.setdefault(category, []).append(is_marked)
    for category, marks in sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        yield CategoryCount(category, sum(marks), len(marks))


def measure_all(data: Path, *, draws: int, seed: int, runs: Sequence[Run]) -> Measured:
    """Measure every domain that loads, under every source of labels, and all domains together."""
    labels = read_labels(data / FLAWS / LABELS)
    checked: dict[str, Checked] = {}
    not_loaded = []
    for domain in sorted({label.domain for label in labels}):
        try:
            checked[domain] = check_domain(data, domain)
        except AuditError as error:
            not_loaded.append(f"{domain}: {error.what}")
    merged = [(one, merged_of(labels, domain)) for domain, one in checked.items()]
    return Measured(
        figures=tuple(_all_figures(checked, labels, draws=draws, seed=seed)),
        rules=tuple(count for pair in merged for count in count_rules(*pair)),
        categories=tuple(count_categories(merged)),
        runs=tuple(runs),
        not_loaded=tuple(not_loaded),
        seed=seed,
        draws=draws,
        day=datetime.now(UTC).date().isoformat(),
    )


def _all_figures(
    checked: Mapping[str, Checked], labels: Sequence[Label], *, draws: int, seed: int
) -> Iterator[Figures]:
    for domain, one in checked.items():
        for labelled in sources_of(labels, domain):
            yield measure([(one, labelled)], draws=draws, seed=seed)
    merged = [(one, merged_of(labels, domain)) for domain, one in checked.items()]
    if len(merged) > 1:
        yield measure(merged, draws=draws, seed=seed)


def write_between_markers(path: Path, table: str) -> None:
    """Replace what stands between the markers of a document."""
    text = path.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise click.ClickException(f"{path} has no {BEGIN} and {END}")
    path.write_text(f"{before}{BEGIN}\n{table}{END}{after}", encoding="utf-8")


@click.command()
@click.option("--data", type=click.Path(path_type=Path), envvar=DATA_VARIABLE, help="Folder of real benchmark data.")
@click.option("--write", type=click.Path(path_type=Path, exists=True), help="Document to write the tables into.")
@click.option("--draws", default=1000, show_default=True, type=click.IntRange(min=10), help="Bootstrap draws.")
@click.option("--seed", default=0, show_default=True)
@click.option("--speed/--no-speed", default=True, help="Time `bench-audit check` on every domain of τ³.")
def main(data: Path | None, write: Path | None, draws: int, seed: int, speed: bool) -> None:
    """Print how well the free layer finds the flaws that people found.

    Example: python -m scripts.measure_flaws --data ../data --write docs/flaws.md
    """
    if data is None or not (data / FLAWS / LABELS).is_file():
        where = f"{data} has no {FLAWS}/{LABELS}" if data is not None else "no data"
        raise click.ClickException(f"{where}: name the folder of real benchmark data by --data or {DATA_VARIABLE}")
    runs = measure_runs(data / TAU3) if speed else ()
    measured = measure_all(data, draws=draws, seed=seed, runs=runs)
    click.echo(to_text(measured))
    if write is not None:
        write_between_markers(write, to_markdown(measured))


if __name__ == "__main__":
    main()
