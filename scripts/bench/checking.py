"""Time and peak memory of ``bench-audit check``, each domain in a process of its own."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.sources.listing import list_known
from scripts.bench.processes import BENCH_AUDIT, measure


@dataclass(frozen=True, slots=True)
class Run:
    """One command on a benchmark from start to end; ``error`` says why it did not finish.

    Parameters
    ----------
    seconds, cpu_seconds, memory_mb
        As those of :class:`scripts.bench.processes.Used`; the memory is ``None`` of a command that did not finish.
    """

    name: str
    n_tasks: int
    seconds: float
    cpu_seconds: float
    memory_mb: float | None
    error: str = ""


def measure_runs(data_dir: Path) -> tuple[Run, ...]:
    """Run ``bench-audit check`` on every known domain of τ³, one after the other."""
    names = [known.name for known in list_known() if known.name.startswith("tau3/")]
    return tuple(_runs(names, data_dir))


def _runs(names: Sequence[str], data_dir: Path) -> Iterator[Run]:
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            yield _run(name, data_dir, Path(folder))


def _run(name: str, data_dir: Path, folder: Path) -> Run:
    output = folder / "findings.json"
    flags = ("--data-dir", str(data_dir.resolve()), "--format", "json", "--output", str(output))
    used = measure([*BENCH_AUDIT, "check", name, *flags], folder=folder)
    if used.error:
        return Run(name, 0, used.seconds, used.cpu_seconds, None, used.error)
    n_tasks = len(json.loads(output.read_text(encoding="utf-8"))["tasks"])
    return Run(name, n_tasks, used.seconds, used.cpu_seconds, used.memory_mb)
