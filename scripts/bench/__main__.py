"""Measure how fast bench-audit is, and write the page of figures: ``make bench``, ``python -m scripts.bench``."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import asdict, replace
from pathlib import Path

import click

from scripts.bench.page import to_markdown
from scripts.bench.records import Results
from scripts.bench.running import Plan, Sizes, run
from scripts.bench.server import Manner

DATA_VARIABLE = "BENCH_AUDIT_TEST_DATA"
TAU3 = "tau3"
USUAL = Sizes(n_calls=10_000, n_slow=2_000, n_peers=10_000, n_stored=100_000, n_tasks=2_285, n_repeats=3)
FULL = replace(USUAL, n_slow=10_000)
QUICK = Sizes(n_calls=1_000, n_slow=200, n_peers=0, n_stored=10_000, n_tasks=300, n_repeats=1)
SIZES = {None: USUAL, "full": FULL, "quick": QUICK}


@click.command()
@click.option("--quick", "size", flag_value="quick", help="1,000 calls, no peers: a look, in two minutes.")
@click.option("--full", "size", flag_value="full", help="10,000 calls also at 8 in flight.")
@click.option("--calls", type=click.IntRange(min=1), help="So many calls, stored verdicts and tasks everywhere.")
@click.option("--peers/--no-peers", default=True, help="Install other programs below --out and ask through them.")
@click.option("--latency", default=0.2, show_default=True, help="Seconds before each answer.")
@click.option("--jitter", default=0.0, show_default=True, help="Seconds more, at most, drawn at random.")
@click.option("--faults", default=0.0, show_default=True, help="Share of requests that fail with status 500.")
@click.option("--data", type=click.Path(path_type=Path), envvar=DATA_VARIABLE, help="Folder of real benchmark data.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out/bench"), show_default=True)
@click.option("--write", type=click.Path(path_type=Path), help="Write the page here, instead of to stdout.")
def main(  # noqa: PLR0913, PLR0917  # one for each flag
    size: str | None,
    calls: int | None,
    peers: bool,
    latency: float,
    jitter: float,
    faults: float,
    data: Path | None,
    out: Path,
    write: Path | None,
) -> None:
    """Measure how fast bench-audit is on this machine.

    The row with faults has the jitter and faults given, or half a latency more and one request in twenty failing.

    Example: python -m scripts.bench --write docs/benchmarks.md
    """
    sizes = SIZES[size]
    if calls is not None:
        sizes = Sizes(calls, calls, calls, calls, calls, 1)
    work = out / "work"
    shutil.rmtree(work, ignore_errors=True)
    plan = Plan(
        sizes=sizes if peers else replace(sizes, n_peers=0),
        manner=Manner(latency, jitter, faults),
        faulty=Manner(latency, jitter or latency / 2, faults or 0.05),
        folder=work.resolve(),
        programs=out.resolve(),
        data=data / TAU3 if data is not None else None,
    )
    command = f"python -m scripts.bench{f' --{size}' if size else ''}{'' if peers else ' --no-peers'}"
    for results in run(plan, command=command, tell=_tell):
        _save(results, out / "results.json")
    page = to_markdown(results)
    if write is None:
        click.echo(page)
    else:
        write.write_text(page, encoding="utf-8")
    shutil.rmtree(work, ignore_errors=True)


def _tell(line: str) -> None:
    click.echo(line, err=True)


def _save(results: Results, path: Path) -> None:
    """Write what is known by now; a run that is stopped leaves that."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(results), indent=2), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
