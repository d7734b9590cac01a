"""One run of the benchmark, part after part."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.bench.browser import measure as measure_in_browser
from scripts.bench.checking import measure_check, measure_runs
from scripts.bench.judging import KEYS, Load, ask, ask_again, score_command
from scripts.bench.machine import tell_machine
from scripts.bench.peers.running import ask_peers
from scripts.bench.processes import BENCH_AUDIT, measure
from scripts.bench.records import Repeated, Results
from scripts.bench.server import Manner
from scripts.bench.stored import TRIALS, fill, load_and_aggregate
from scripts.bench.tasks import write_benchmark

_N_START_UPS = 7
_BIGGEST = "tau3/telecom"
"""Of 2,285 tasks, 114 of which are its usual ones."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of everything is measured.

    Parameters
    ----------
    n_calls, n_slow
        Judge calls at 64 and 256 in flight; and at 8, and where some fail.
    n_peers
        Questions to each peer; 0 for no peers.
    n_stored, n_tasks
        Stored verdicts that are loaded, and tasks of the report.
    """

    n_calls: int
    n_slow: int
    n_peers: int
    n_stored: int
    n_tasks: int
    n_repeats: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What one run of the benchmark measures, and where its files go.

    Parameters
    ----------
    manner, faulty
        How the server behaves, and how it does in the row with faults.
    folder
        For what is written meanwhile.
    programs
        Where the peers are or are installed.
    data
        The folder of a τ³ checkout, or ``None``.
    """

    sizes: Sizes
    manner: Manner
    faulty: Manner
    folder: Path
    programs: Path
    data: Path | None


def run(plan: Plan, *, command: str, tell: Callable[[str], None]) -> Iterator[Results]:
    """Measure one part after the other, and yield after each all that is known by then.

    Parameters
    ----------
    command
        What the user typed, for the page.
    tell
        Told what is being measured, a line at a time.
    """
    start = time.monotonic()
    results = Results(tell_machine(), command, os.getloadavg()[0])
    for part in (_ask, _ask_peers, _load_stored, _start_and_report, _check):
        part(plan, results, tell)
        results.seconds, results.load_after = time.monotonic() - start, os.getloadavg()[0]
        yield results


def _ask(plan: Plan, results: Results, tell: Callable[[str], None]) -> None:
    sizes = plan.sizes
    loads = (
        Load(sizes.n_slow, 8, plan.manner),
        Load(sizes.n_calls, 64, plan.manner, TRIALS),
        Load(sizes.n_calls, 256, plan.manner, TRIALS),
        Load(sizes.n_slow, 64, plan.faulty),
    )
    for number, load in enumerate(loads):
        faults = f", {load.manner.faults:.0%} of them failing" if load.manner.faults else ""
        tell(f"{load.n_calls:,} judge calls, {load.concurrency} in flight{faults}")
        asked, scored = ask(load, plan.folder / f"asked-{number}")
        results.asked.append(asked)
        if number == 1 and not asked.error:
            tell(f"the same {asked.n_kept:,} verdicts from the store")
            results.again, results.n_again = ask_again(scored, n_repeats=sizes.n_repeats), asked.n_kept


def _ask_peers(plan: Plan, results: Results, tell: Callable[[str], None]) -> None:
    n_peers = plan.sizes.n_peers
    if not n_peers:
        results.skipped.append("other programs on the same server, which this run was told to leave out")
        return
    tell(f"{n_peers:,} questions through other programs")
    load = Load(n_peers, 64, plan.manner)
    asked = ask_peers(load, plan.folder / "peers", programs=plan.programs, n_repeats=min(2, plan.sizes.n_repeats))
    for each in asked:
        tell(f"  {each.program}: {each.error or f'{each.used.seconds:.0f} s'}")
        results.peers.append(each)


def _load_stored(plan: Plan, results: Results, tell: Callable[[str], None]) -> None:
    tell(f"{plan.sizes.n_stored:,} stored verdicts, written and loaded")
    scored = fill(plan.folder / "stored", n_verdicts=plan.sizes.n_stored)
    results.stored = load_and_aggregate(scored, n_repeats=plan.sizes.n_repeats)
    if not results.stored.whole.error:
        flags = ("--report", "report.html", "--no-checks")
        used = measure(score_command(scored, *flags), env=KEYS, folder=scored.store.parent)
        name = f"`score --report --no-checks`, {results.stored.n_verdicts:,} stored verdicts"
        results.rest.append(Repeated(name, (used,)))


def _start_and_report(plan: Plan, results: Results, tell: Callable[[str], None]) -> None:
    tell("start-up")
    results.rest.append(Repeated("`--help`", tuple(measure([*BENCH_AUDIT, "--help"]) for _ in range(_N_START_UPS))))
    tell(f"report of {plan.sizes.n_tasks:,} tasks")
    folder = plan.folder / "report"
    folder.mkdir(parents=True)
    benchmark = write_benchmark(folder / "big", n_tasks=plan.sizes.n_tasks)
    report = folder / "report.html"
    flags = ("--store", str(folder / "store.sqlite3"), "-o", str(folder / "result.txt"), "--report", str(report))
    used = measure([*BENCH_AUDIT, "score", str(benchmark), *flags], folder=folder)
    results.rest.append(Repeated(f"`score --report` offline, with the checks, {plan.sizes.n_tasks:,} tasks", (used,)))
    if used.error:
        return
    try:
        results.browser = measure_in_browser(report)
    except FileNotFoundError as error:
        results.skipped.append(f"the report in a browser, which {error}")


def _check(plan: Plan, results: Results, tell: Callable[[str], None]) -> None:
    if plan.data is None or not plan.data.is_dir():
        results.skipped.append("`check` on τ³, for whose files BENCH_AUDIT_TEST_DATA names a folder")
        return
    tell("check on τ³")
    results.checks = (*measure_runs(plan.data), measure_check(_BIGGEST, plan.data, split="full"))
