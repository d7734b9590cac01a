"""``bench-audit batch``: from a later process, or another machine with the same store."""

from __future__ import annotations

import dataclasses
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from audit.errors import StoreError
from audit.store import Store
from tests.batches.test_score import LIMIT, score
from tests.cli.conftest import Cli, Result
from tests.providers.asking import VENDORS
from tests.servers.batches import BatchServer
from tests.servers.http import Request, Response

REPO = Path(__file__).resolve().parents[2]


def batch(cli: Cli, *arguments: object) -> Result:
    return cli("batch", *arguments, "--store", "s.sqlite3")


@pytest.mark.parametrize("vendor", VENDORS)
def test_results_are_collected_without_the_benchmark_and_read_later_without_the_server(
    cli: Cli, batches: BatchServer, vendor: str
) -> None:
    score(cli, batches, vendor)
    shown = batch(cli, "status")
    assert (shown.code, "running" in shown.out) == (0, True)
    assert batch(cli, "collect").code == 3
    batches.end()
    done = batch(cli, "collect")
    assert (done.code, "Collected 1, not ended 0" in done.err) == (0, True), done
    assert "completed" in batch(cli, "status").out
    batches.server.stop()
    result = score(cli, batches, vendor)
    assert (result.code, result.json["tally"]["scored"]) == (0, LIMIT)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_cancelled_batch_keeps_what_was_answered(cli: Cli, batches: BatchServer, vendor: str) -> None:
    score(cli, batches, vendor)
    assert batch(cli, "cancel").code == 2
    done = batch(cli, "cancel", "--all")
    assert (done.code, "cancelled" in done.out, "1 of" in done.out) == (0, True, True), done
    score(cli, batches, vendor)
    assert batches.batches[1].keys == batches.batches[0].keys[1:]


def test_batches_are_chosen_by_the_beginning_of_their_id_and_by_judge(cli: Cli, batches: BatchServer) -> None:
    score(cli, batches)
    (shown,) = batch(cli, "status", "--format", "json").json["batches"]
    assert "owner" not in shown
    assert shown["id"][:8] in batch(cli, "status", shown["id"][:8]).out
    assert batch(cli, "status", "--judge", batches.server.judge()).code == 0
    for wrong in (("status", "zzz"), ("collect", "--judge", "openai:other"), ("status", "")):
        done = batch(cli, *wrong)
        assert (done.code, done.err.count("\n")) == (2, 1), done


def test_a_store_without_batches_or_no_store_says_so(cli: Cli, batches: BatchServer) -> None:
    assert batch(cli, "status").code == 2
    with Store(Path("s.sqlite3")):
        pass
    assert "No batches" in batch(cli, "status").out
    assert batch(cli, "collect").code == 0


def test_a_batch_that_its_provider_does_not_know_stays_until_it_is_struck_off(cli: Cli, batches: BatchServer) -> None:
    score(cli, batches)
    batches.batches.clear()
    done = batch(cli, "collect", "--timeout", 5)
    assert (done.code, "no such" in done.err) == (3, True), done
    assert score(cli, batches).code == 3
    assert not batches.batches
    assert "lost" in batch(cli, "cancel", "--all").out
    assert score(cli, batches).code == 3
    assert len(batches.batches) == 1


def test_a_judge_whose_key_is_missing_is_named_and_the_others_are_looked_after(
    cli: Cli, batches: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    score(cli, batches)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with sqlite3.connect("s.sqlite3") as connection:
        connection.execute(
            "INSERT INTO batches SELECT 'other', 'openai:gpt-5.4', 'openai', model, 1, 1, created_at, owner, state, "
            "'batch_9', submitted_at, '', 0, '' FROM batches"
        )
    batches.end()
    done = batch(cli, "collect")
    assert done.code == 3
    assert "OPENAI_API_KEY" in done.err
    assert "Collected 1, not ended 1" in done.err


def test_an_older_store_takes_batches_and_is_still_of_its_version(cli: Cli, batches: BatchServer) -> None:
    with Store(Path("s.sqlite3")):
        pass
    score(cli, batches)
    with sqlite3.connect("s.sqlite3") as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


@pytest.mark.parametrize("change", ["state = 'odd'", "n_requests = 'many'", "judge = x'00'"])
def test_a_damaged_row_is_one_clear_line(cli: Cli, batches: BatchServer, change: str) -> None:
    score(cli, batches)
    with sqlite3.connect("s.sqlite3") as connection:
        connection.execute(f"UPDATE batches SET {change}")  # noqa: S608  # the test's own words
    done = batch(cli, "status")
    assert (done.code, done.err.count("\n"), "damaged" in done.err) == (2, 1, True), done
    with Store(Path("s.sqlite3")) as store, pytest.raises(StoreError):
        store.batches.find()


def test_a_process_killed_while_it_hands_a_batch_over_buys_nothing_twice(cli: Cli, batches: BatchServer) -> None:
    create, arrived = batches.server.other, threading.Event()

    def answer_late(request: Request) -> Response | None:
        answer = create(request)
        if answer is None or f"{request.method} {request.path}" != "POST /v1/batches":
            return answer
        arrived.set()
        return dataclasses.replace(answer, delay_s=60.0)

    batches.server.other = answer_late
    flags = ["--batch", "--metric", "desc_alignment", "--limit", str(LIMIT), "--store", "s.sqlite3"]
    start = "from audit.cli.main import run; run()"
    command = [sys.executable, "-c", start, "score", "sample/library", "--judge", batches.server.judge(), *flags]
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(REPO)}) as process:
        has_arrived = arrived.wait(60)
        process.kill()
    batches.server.other = create
    assert has_arrived
    assert score(cli, batches).code == 3
    assert len(batches.batches) == 1
    batches.end()
    assert score(cli, batches).json["tally"]["scored"] == LIMIT
