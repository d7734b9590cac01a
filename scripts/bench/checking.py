"""Time and peak memory of ``bench-audit check``, each domain in a process of its own."""

from __future__ import annotations

import json
import tempfile
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
    return tuple(measure_check(name, data_dir) for name in names)


def measure_check(name: str, data_dir: Path, *, split: str | None = None) -> Run:
    """Run ``bench-audit check`` on a benchmark's usual tasks, or on those of a split."""
    flags = ("--split", split) if split is not None else ()
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "findings.json"
        where = ("--data-dir", str(data_dir.resolve()), "--format", "json", "--output", str(output))
        used = measure([*BENCH_AUDIT, "check", name, *flags, *where], folder=Path(folder))
        label = " ".join((name, *flags))
        if used.error:
            return Run(label, 0, used.seconds, used.cpu_seconds, None, used.error)
        n_tasks = len(json.loads(output.read_text(encoding="utf-8"))["tasks"])
    return Run(label, n_tasks, used.seconds, used.cpu_seconds, used.memory_mb)
