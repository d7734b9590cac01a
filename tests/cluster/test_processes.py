"""Real schedulers, real workers, a real command: what happens when one of them goes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from audit.errors import WorkersError
from audit.judges.one_model import AskingOptions
from audit.judges.panel import WorkersChoice
from audit.store import Store
from tests.cluster.conftest import REPO, Processes
from tests.cluster.deadly import DEADLY
from tests.cluster.test_workers import ask, panel_of
from tests.judges.panels import questions
from tests.servers import outcomes
from tests.servers.http import Request
from tests.servers.outcomes import Outcome
from tests.servers.vendors import VendorServer, well_behaved

CONCURRENCY = 8
N_TASKS = 250
KEY = "sk-the-key-of-the-workers-alone-0123456789"


def after(n_requests: int, do: Callable[[], None], server: VendorServer) -> None:
    """Have ``do`` done in a thread of its own when the server has seen so many requests."""
    reached = threading.Event()

    def watch(request: Request) -> Outcome:
        if len(server.requests) >= n_requests:
            reached.set()
        return outcomes.delayed(0.02, well_behaved(1 + len(request.user) % 10))

    def wait() -> None:
        assert reached.wait(120)
        do()

    server.behave(watch)
    threading.Thread(target=wait, daemon=True).start()


def n_twice(server: VendorServer) -> int:
    return sum(n - 1 for n in Counter(request.user for request in server.requests).values())


def test_a_killed_worker_loses_the_calls_in_flight_and_the_run_completes(
    server: VendorServer, processes: Processes, tmp_path: Path
) -> None:
    path = tmp_path / "s.sqlite3"
    for _ in range(2):
        processes.start_worker()
    processes.wait_for_workers()
    after(60, lambda: processes.workers[0].send_signal(signal.SIGKILL), server)
    told: list[str] = []
    workers = panel_of(server.judge(), workers=WorkersChoice(processes.address, told.append))
    asked = ask(questions(N_TASKS), workers, path, options=AskingOptions(CONCURRENCY))
    assert processes.workers[0].wait(30) == -signal.SIGKILL
    assert (asked.tally.scored, asked.tally.unscored, asked.stops) == (N_TASKS, 0, ())
    assert n_twice(server) <= CONCURRENCY
    assert len(server.requests) == N_TASKS + n_twice(server)
    assert told[1:] == ["1 worker with 1 thread now"]
    with Store(path) as store:
        assert len(store) == N_TASKS
    again = ask(questions(N_TASKS), workers, path)
    assert (again.tally.stored, again.tally.asked) == (N_TASKS, 0)
    assert len(server.requests) == N_TASKS + n_twice(server)


def test_a_chunk_that_kills_every_worker_is_missing_with_the_reason(
    server: VendorServer, processes: Processes, tmp_path: Path
) -> None:
    for _ in range(3):
        processes.start_worker()
    processes.wait_for_workers()
    asked = replace(questions(9), judges=(DEADLY,))
    done = ask(asked, panel_of(server.judge(), workers=WorkersChoice(processes.address)), tmp_path / "s.sqlite3")
    assert done.tally.scored + done.tally.unscored == 9
    missing = {verdict.task_id: verdict.problem for verdict in done.verdicts if not verdict.is_ok}
    assert "t7" in missing
    assert set(missing.values()) == {"2 workers died while they asked it, and it is not given to another"}
    assert sum(worker.poll() == -signal.SIGKILL for worker in processes.workers) == 2


def test_a_lost_scheduler_ends_the_run_with_what_is_stored(
    server: VendorServer, processes: Processes, tmp_path: Path
) -> None:
    path = tmp_path / "s.sqlite3"
    processes.start_worker()
    processes.wait_for_workers()
    assert processes.scheduler is not None
    after(60, processes.scheduler.kill, server)
    asked = ask(questions(N_TASKS), panel_of(server.judge(), workers=WorkersChoice(processes.address)), path)
    assert asked.tally.scored + asked.tally.unscored == N_TASKS
    (stop,) = asked.stops
    assert stop.message == "the scheduler was lost; what was answered is kept, and the same command goes on"
    assert processes.workers[0].wait(60) is not None, "a worker without a scheduler ends"
    with Store(path) as store:
        assert asked.tally.scored <= len(store) < N_TASKS


def test_a_run_whose_workers_are_all_gone_ends_with_what_is_stored(
    server: VendorServer, processes: Processes, tmp_path: Path
) -> None:
    processes.start_worker()
    processes.wait_for_workers()
    after(60, processes.workers[0].kill, server)
    choice = WorkersChoice(processes.address, patience_s=1.5)
    asked = ask(questions(N_TASKS), panel_of(server.judge(), workers=choice), tmp_path / "s.sqlite3")
    (stop,) = asked.stops
    assert stop.message == "all workers were lost; what was answered is kept, and the same command goes on"
    assert asked.tally.scored + asked.tally.unscored == N_TASKS
    assert asked.tally.scored >= 30
    missing = {verdict.problem for verdict in asked.verdicts if not verdict.is_ok}
    assert missing == {f"the judge was stopped: {stop.message}"}


def test_a_worker_without_bench_audit_is_told_of_in_one_line(
    server: VendorServer, processes: Processes, tmp_path: Path
) -> None:
    processes.start_worker(processes.without_package)
    workers = panel_of(server.judge(), workers=WorkersChoice(processes.address))
    with pytest.raises(
        WorkersError, match=r"^--workers tcp\S+: a worker failed: .*Install the same bench-audit"
    ) as told:
        ask(questions(2), workers, tmp_path / "s.sqlite3")
    assert "\n" not in str(told.value)
    assert not server.requests


def start_score(server: VendorServer, *flags: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from audit.cli.main import run; run()", "score", "sample/library"]
    environment = {name: text for name, text in os.environ.items() if not name.endswith("_API_KEY")}
    return subprocess.Popen(
        [*command, *map(str, flags)],
        cwd=REPO,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_ctrl_c_ends_the_chunks_and_keeps_what_is_stored(
    server: VendorServer, processes: Processes, tmp_path: Path
) -> None:
    processes.start_worker()
    processes.wait_for_workers()
    path = tmp_path / "s.sqlite3"
    flags = ("--judge", server.judge(), "--trials", 5, "--concurrency", 2, "--store", path)
    command = start_score(server, *flags, "--workers", processes.address)
    after(30, lambda: command.send_signal(signal.SIGINT), server)
    out, err = command.communicate(timeout=120)
    assert command.returncode == 3, err
    assert "the run was interrupted; run again to ask the rest" in out
    assert "Traceback" not in err
    n_asked = len(server.requests)
    assert 30 <= n_asked < 100
    with Store(path) as store:
        assert len(store) == n_asked, "what was sent is stored when the command has ended"
    time.sleep(1)
    assert len(server.requests) == n_asked, "no worker goes on"


def test_a_command_that_is_killed_is_asked_for_no_longer(
    server: VendorServer, processes: Processes, tmp_path: Path
) -> None:
    processes.start_worker()
    processes.wait_for_workers()
    path = tmp_path / "s.sqlite3"
    flags = ("--judge", server.judge(), "--trials", 5, "--concurrency", 2, "--store", path)
    command = start_score(server, *flags, "--workers", processes.address)
    after(30, command.kill, server)
    command.communicate(timeout=120)
    n_asked = 0
    while n_asked < len(server.requests):
        n_asked = len(server.requests)
        time.sleep(2)
    assert 30 <= n_asked < 300


def test_keys_are_the_workers_own_and_never_travel(server: VendorServer, processes: Processes, tmp_path: Path) -> None:
    """Everything that the command sends to the scheduler is recorded on the way."""
    processes.start_worker({"TEAM_KEY": KEY})
    processes.wait_for_workers()
    with recorder(processes.address) as (address, sent):
        flags = (
            "--judge",
            server.judge(),
            "--api-key-env",
            "TEAM_KEY",
            "--limit",
            3,
            "--store",
            tmp_path / "s.sqlite3",
        )
        command = start_score(server, *flags, "--workers", address)
        _, err = command.communicate(timeout=120)
    assert command.returncode == 0, err
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {KEY}"}
    assert b"TEAM_KEY" in sent, "the chunk itself is in the record"
    assert KEY.encode() not in sent


@contextmanager
def recorder(address: str) -> Iterator[tuple[str, bytearray]]:
    """A way to the scheduler on which every byte to it is kept."""
    sent = bytearray()
    host, _, port = address.removeprefix("tcp://").rpartition(":")

    def pass_on(source: socket.socket, target: socket.socket, record: bytearray) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                record += data
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def accept() -> None:
        with suppress(OSError):
            while True:
                here, _ = listener.accept()
                there = socket.create_connection((host, int(port)))
                sockets.extend((here, there))
                for each in ((here, there, sent), (there, here, bytearray())):
                    threading.Thread(target=pass_on, args=each, daemon=True).start()

    sockets: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield f"tcp://127.0.0.1:{listener.getsockname()[1]}", sent
    for each in sockets:
        each.close()
