"""A run that dies, and two runs at once: real processes, a real store, a real socket."""

from __future__ import annotations

import contextlib
import json
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from audit.store import Store
from tests.servers import outcomes
from tests.servers.http import Request
from tests.servers.outcomes import Outcome
from tests.servers.vendors import VendorServer, well_behaved

REPO = Path(__file__).resolve().parent.parent
N_TASKS = 120
MANY = 800
CONCURRENCY = 4
CLIENT = """
import asyncio, json, sys
from dataclasses import replace
from pathlib import Path
from audit.judges.asking import ask_all
from audit.providers.registry import make_provider
from audit.providers.spec import parse_judge
from audit.store import Store
from tests.judges.panels import QUICK, questions

async def run():
    spec = parse_judge(sys.argv[1])
    provider = make_provider(spec, environ={})
    options = replace(QUICK, concurrency=int(sys.argv[4]))
    with Store(Path(sys.argv[2])) as store:
        asked = await ask_all(questions(int(sys.argv[3])), {spec.name: provider}, store=store, options=options)
    await provider.aclose()
    return asked

asked = asyncio.run(run())
keys = [verdict.key for verdict in asked.verdicts]
scores = [verdict.score for verdict in asked.verdicts]
print(json.dumps([asked.tally.stored, asked.tally.asked, asked.tally.scored, keys, scores]))
"""


def start(
    server: VendorServer, path: Path, *, n_tasks: int = N_TASKS, concurrency: int = CONCURRENCY
) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CLIENT, server.judge(), str(path), str(n_tasks), str(concurrency)]
    return subprocess.Popen(command, cwd=REPO, stdout=subprocess.PIPE, text=True)


def finish(client: subprocess.Popen[str]) -> tuple[int, int, int, list[str], list[float]]:
    """Return what was stored, asked and scored, and the keys and scores of all verdicts."""
    out, _ = client.communicate(timeout=120)
    assert client.returncode == 0
    stored, asked, scored, keys, scores = json.loads(out)
    return stored, asked, scored, keys, scores


@pytest.mark.parametrize("n_before_the_kill", [1, 30, 90])
def test_a_killed_run_loses_only_the_calls_in_flight(
    server: VendorServer, tmp_path: Path, n_before_the_kill: int
) -> None:
    path = tmp_path / "verdicts.sqlite3"
    reached = threading.Event()

    def watch(request: Request) -> Outcome:
        if len(server.requests) >= n_before_the_kill:
            reached.set()
        is_late = len(server.requests) > n_before_the_kill + 15  # however slow the kill, the run does not end
        return outcomes.hang() if is_late else well_behaved(7)

    server.behave(watch)
    client = start(server, path)
    assert reached.wait(60)
    client.send_signal(signal.SIGKILL)
    client.communicate(timeout=60)
    assert client.returncode == -signal.SIGKILL
    time.sleep(0.5)  # the server reads what the dead process had sent

    first_run = [request.user for request in server.requests]
    with Store(path) as store:
        n_kept = len(store)
    assert len(first_run) - CONCURRENCY <= n_kept <= len(first_run) < N_TASKS

    server.requests.clear()
    server.always(well_behaved(7))
    stored, asked, scored, keys, _ = finish(start(server, path))
    assert (stored, asked, scored) == (n_kept, N_TASKS - n_kept, N_TASKS)
    second_run = [request.user for request in server.requests]
    assert len(second_run) == len(set(second_run)) == N_TASKS - n_kept, "exactly what is missing is asked"
    assert len(set(first_run) & set(second_run)) == len(first_run) - n_kept, (
        "the calls in flight, and they alone, again"
    )
    with Store(path) as store:
        assert len(store.find(keys)) == len(store) == N_TASKS


@pytest.mark.parametrize("seed", range(5))
def test_ten_kills_at_random_moments_under_load_lose_and_double_nothing(
    server: VendorServer, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    path = tmp_path / "verdicts.sqlite3"
    begun = threading.Event()

    def answer_late(request: Request) -> Outcome:
        begun.set()
        return outcomes.delayed(chance.random() / 50, well_behaved(7))

    server.behave(answer_late)
    kept: set[str] = set()
    for _ in range(10):
        server.requests.clear()
        begun.clear()
        client = start(server, path, n_tasks=MANY, concurrency=32)
        assert begun.wait(60)
        time.sleep(chance.random() / 4)
        client.kill()
        client.communicate(timeout=60)
        time.sleep(0.2)  # the server reads what the dead process had sent
        asked = [number_of(request) for request in server.requests]
        before, kept = kept, kept_tasks(path)
        assert len(asked) == len(set(asked))
        assert before <= kept, "what was stored stays"
        assert kept <= before | set(asked)
        assert before.isdisjoint(asked), "what is stored is not asked again"
        assert len(asked) - len(kept - before) <= 32, "the calls in flight, and they alone, are lost"

    assert 0 < len(kept) < MANY
    server.requests.clear()
    stored, asked_last, scored, keys, _ = finish(start(server, path, n_tasks=MANY))
    assert (stored, asked_last, scored) == (len(kept), MANY - len(kept), MANY)
    assert {number_of(request) for request in server.requests}.isdisjoint(kept)
    assert len(server.requests) == MANY - len(kept), "exactly what is missing is asked"
    with Store(path) as store:
        assert len(store) == len(store.find(keys)) == MANY, "each verdict is there, once"


def number_of(request: Request) -> str:
    """Return the id of the task that a request is about."""
    found = re.search(r"You want (\d+)\.", request.user)
    assert found is not None
    return f"t{found[1]}"


def kept_tasks(path: Path) -> set[str]:
    """Return the tasks with a stored verdict, after making sure that the file is sound and no task stands twice."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        ids = [row[0] for row in connection.execute("SELECT task_id FROM verdicts")]
    assert len(ids) == len(set(ids)), "no verdict is doubled"
    return set(ids)


def test_two_runs_at_once_share_a_store(server: VendorServer, tmp_path: Path) -> None:
    path = tmp_path / "verdicts.sqlite3"
    server.behave(lambda request: outcomes.delayed(0.002, well_behaved(1 + len(server.requests) % 10)))
    both = [finish(client) for client in [start(server, path), start(server, path)]]
    for stored, asked, scored, _, _ in both:
        assert stored + asked == scored == N_TASKS
    assert len(server.requests) == sum(asked for _, asked, *_ in both)
    stored, asked, scored, keys, scores = finish(start(server, path))
    assert (stored, asked, scored) == (N_TASKS, 0, N_TASKS)
    with Store(path) as store:
        assert len(store) == len(server.requests), "every verdict that was paid for is there, once"
        assert [store.find([key])[key].score for key in keys] == scores
