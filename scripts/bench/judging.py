"""``bench-audit score`` with a judge: asked of a server, and again from its store."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from scripts.bench.processes import BENCH_AUDIT, Server, Used, measure, serving
from scripts.bench.records import Asked, Repeated
from scripts.bench.server import Manner
from scripts.bench.tasks import N_CRITERIA, write_benchmark

PROGRAM = "bench-audit"
NOBODY = "http://127.0.0.1:9/v1"
"""Where nobody listens: of a judge that is not to be asked."""
KEYS = {"OPENAI_API_KEY": "none"}


@dataclass(frozen=True, slots=True)
class Load:
    """How much is asked, how much of it at once, and of what kind of server."""

    n_calls: int
    concurrency: int
    manner: Manner
    trials: int = 1

    @property
    def n_tasks(self) -> int:
        """Tasks whose questions are these calls, or the next few more."""
        return -(-self.n_calls // (N_CRITERIA * self.trials))


@dataclass(frozen=True, slots=True)
class Scored:
    """A benchmark and the store that holds its verdicts."""

    benchmark: Path
    store: Path
    judge: str
    trials: int = 1


def name_judge(url: str) -> str:
    """Return the judge that a server stands for."""
    return f"openai:bench@{url}"


def ask(load: Load, folder: Path) -> tuple[Asked, Scored]:
    """Score a new benchmark below ``folder`` with a new store."""
    folder.mkdir(parents=True)
    benchmark = write_benchmark(folder / "big", n_tasks=load.n_tasks)
    with serving(load.manner) as server:
        scored = Scored(benchmark, folder / "store.sqlite3", name_judge(server.url), load.trials)
        flags = ("--concurrency", str(load.concurrency), "--no-checks")
        used = measure(score_command(scored, *flags), env=KEYS, folder=folder)
        return tell(PROGRAM, load, used=used, n_kept=count_verdicts(scored.store), server=server), scored


def score_command(scored: Scored, *flags: str) -> tuple[str, ...]:
    """Return the command that scores a benchmark, its result in a file."""
    named = ("--judge", scored.judge, "--store", str(scored.store), "--trials", str(scored.trials))
    return (*BENCH_AUDIT, "score", str(scored.benchmark), *named, "-q", "-o", "result.txt", *flags)


def tell(program: str, load: Load, *, used: Used, n_kept: int, server: Server) -> Asked:
    """Return what a program did with a server's help; a verdict too few is an error."""
    n_planned = load.n_tasks * N_CRITERIA * load.trials
    error = used.error or ("" if n_kept == n_planned else f"{n_kept} of {n_planned} verdicts")
    return Asked(program, load.concurrency, load.manner, n_planned, n_kept, used, server.counts(), error)


def count_verdicts(store: Path) -> int:
    """Return how many questions of a store have an answer, by the database's own count."""
    if not store.is_file():
        return 0
    with closing(sqlite3.connect(f"{store.resolve().as_uri()}?mode=ro", uri=True)) as database:
        (n_answered,) = database.execute("SELECT count(DISTINCT key) FROM verdicts WHERE state = 'ok'").fetchone()
    return int(n_answered)


def ask_again(scored: Scored, *, n_repeats: int) -> tuple[Repeated, ...]:
    """Score again what is stored, report included; no server is there any more.

    One run goes before, which is not measured: it keeps what the checks say, as any run before would have.
    """
    again(scored)
    ways: tuple[tuple[str, ...], ...] = ((), ("--no-checks",))
    return tuple(Repeated(_name(flags), tuple(again(scored, *flags) for _ in range(n_repeats))) for flags in ways)


def _name(flags: Sequence[str]) -> str:
    return f"`{' '.join(('score', '--report', *flags))}`"


def again(scored: Scored, *flags: str) -> Used:
    """Score from the store alone."""
    command = score_command(scored, "--report", "report.html", *flags)
    folder = scored.store.parent
    return measure(command, env={**KEYS, "BENCH_AUDIT_CACHE": str(folder / "cache")}, folder=folder)
