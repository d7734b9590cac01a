"""Time and peak memory of ``bench-audit check``, each domain in a process of its own."""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from audit.sources.listing import list_known

COMMAND = """
import atexit, pathlib, sys
from audit.cli.main import run
atexit.register(lambda: pathlib.Path({status!r}).write_bytes(pathlib.Path("/proc/self/status").read_bytes()))
run()
"""
"""The command in a new interpreter that leaves behind what Linux knows of it: a child's ``ru_maxrss`` begins with its
parent's size, so it can't be used."""


@dataclass(frozen=True, slots=True)
class Run:
    """One command from start to end; ``error`` says why it did not finish.

    Parameters
    ----------
    seconds, cpu_seconds, memory_mb
        Wall clock, which other work on the machine lengthens; work done; the greatest resident memory, ``None`` where
        the system does not tell.
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
    output, status = folder / "findings.json", folder / "status"
    command = [sys.executable, "-c", COMMAND.format(status=str(status)), "check", name]
    command += ["--data-dir", str(data_dir), "--format", "json", "--output", str(output)]
    start, before = time.perf_counter(), _cpu_seconds()
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own command
    seconds, cpu_seconds = time.perf_counter() - start, _cpu_seconds() - before
    if done.returncode:
        said = done.stderr.strip().splitlines()
        return Run(name, 0, seconds, cpu_seconds, None, said[-1] if said else f"exit {done.returncode}")
    n_tasks = len(json.loads(output.read_text(encoding="utf-8"))["tasks"])
    return Run(name, n_tasks, seconds, cpu_seconds, _peak_mb(status))


def _cpu_seconds() -> float:
    """Return the processor time of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _peak_mb(status: Path) -> float | None:
    if not status.is_file():
        return None
    found = re.search(r"^VmHWM:\s+(\d+) kB", status.read_text(encoding="utf-8"), re.MULTILINE)
    return int(found[1]) / 1024 if found else None
