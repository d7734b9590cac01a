"""Schedulers and workers of Dask as real processes, and in this one."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import cli

__all__ = ("cli",)
REPO = Path(__file__).resolve().parents[2]
SCHEDULER = "distributed.cli.dask_scheduler"
WORKER = "distributed.cli.dask_worker"
LOCAL: Mapping[str, Any] = {
    "processes": False,
    "protocol": "tcp://",
    "host": "127.0.0.1",
    "dashboard_address": "127.0.0.1:0",
    "silence_logs": logging.CRITICAL,
}
"""A cluster within this process."""


@dataclass
class Processes:
    """A scheduler and its workers, each with the environment that it is given and nothing else of this one."""

    folder: Path
    address: str = ""
    scheduler: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def without_package(self) -> dict[str, str]:
        """Of a process that finds another package by the name of ours."""
        return {"PYTHONPATH": str(self.folder / "other")}

    def start(self) -> None:
        """Start the scheduler, which needs no bench-audit."""
        log = self.folder / "scheduler.log"
        flags = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        other = self.folder / "other" / "audit"
        other.mkdir(parents=True)
        (other / "__init__.py").touch()
        environment = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1", **self.without_package}
        self.scheduler = self._run(SCHEDULER, log, *flags, environment=environment)
        self.address = self._wait_for(log, "Scheduler at:").split()[-1]

    def start_worker(self, environment: Mapping[str, str] | None = None, *, n_threads: int = 1) -> None:
        log = self.folder / f"worker-{len(self.workers)}.log"
        flags = ("--no-nanny", "--no-dashboard", "--nthreads", str(n_threads), "--host", "127.0.0.1")
        self.workers.append(self._run(WORKER, log, self.address, *flags, environment=environment))

    def wait_for_workers(self) -> None:
        for number in range(len(self.workers)):
            self._wait_for(self.folder / f"worker-{number}.log", "Registered to:")

    def stop(self) -> None:
        for process in [*self.workers, *filter(None, [self.scheduler])]:
            process.kill()
            process.wait(30)

    def _run(
        self, module: str, log: Path, *flags: str, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        local = {"DASK_TEMPORARY_DIRECTORY": str(self.folder), "PYTHONPATH": str(REPO), "HOME": str(self.folder)}
        with log.open("wb") as out:
            return subprocess.Popen(
                [sys.executable, "-m", module, *flags],
                env=kept | local | dict(environment or {}),
                cwd=self.folder,
                stdout=out,
                stderr=out,
            )

    def _wait_for(self, log: Path, words: str) -> str:
        for _ in range(600):
            found = [line for line in log.read_text(errors="replace").splitlines() if words in line]
            if found:
                return found[0]
            time.sleep(0.1)
        raise AssertionError(log.read_text(errors="replace"))


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    """A scheduler without workers; skips, visibly, where Dask is not installed."""
    pytest.importorskip("distributed", reason="needs the [dask] extra")
    folder = tmp_path / "cluster"
    folder.mkdir()
    made = Processes(folder)
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.fixture
def address() -> Iterator[str]:
    """The scheduler of two workers with one thread each, all of them threads of this process."""
    distributed = pytest.importorskip("distributed", reason="needs the [dask] extra")
    with distributed.LocalCluster(**LOCAL, n_workers=2, threads_per_worker=1) as cluster:
        yield str(cluster.scheduler_address)
