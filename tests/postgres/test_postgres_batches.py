"""Batches whose state is kept in a PostgreSQL store: handed over by one process, collected by another."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import psycopg
import pytest

from audit.postgres import StoreUrl
from audit.records.batch import BatchLine, BatchRecord, BatchState, LineKind
from audit.store import Store
from tests.cli.conftest import Cli, cli
from tests.servers.batches import BatchServer
from tests.servers.vendors import VendorServer

__all__ = ("cli",)
N_TASKS = 5


@pytest.fixture
def batches() -> Iterator[BatchServer]:
    """Judges with batch APIs; ``server`` is the database's here."""
    running = VendorServer()
    running.start()
    yield BatchServer(running)
    running.stop()


def record(name: str, created_at: str = "2026-01-01T00:00:00.000+00:00") -> BatchRecord:
    return BatchRecord(name, "openai:m", "openai", "m", 1, 100, created_at, "host:1")


@pytest.mark.parametrize("vendor", ["openai", "anthropic", "google"])
def test_batches_are_handed_over_and_collected_through_the_server(
    cli: Cli, batches: BatchServer, url: str, vendor: str
) -> None:
    judge = ("--judge", batches.server.judge(vendor), "--metric", "desc_alignment", "--limit", N_TASKS)
    flags = ("score", "sample/library", *judge, "--format", "json", "--store", url, "--batch")
    first = cli(*flags)
    assert (first.code, first.out) == (3, ""), first.err
    n_live = len(batches.server.requests)
    (batch,) = batches.batches
    assert len(batch.keys) == N_TASKS - n_live
    assert "running" in cli("batch", "status", "--store", url).out
    assert cli("batch", "collect", "--store", url).code == 3
    batches.end()
    assert cli("batch", "collect", "--store", url).code == 0
    done = cli(*flags)
    assert done.code == 0, done.err
    assert done.json["tally"]["scored"] == N_TASKS
    warm = cli(*flags)
    assert (warm.code, warm.json["tally"]["stored"], len(batches.batches)) == (0, N_TASKS, 1)
    alone = ("score", "sample/library", *judge, "--format", "json", "--store", "file.sqlite3")
    assert scores(cli(*alone).json["verdicts"]) == scores(done.json["verdicts"])


def scores(verdicts: list[dict[str, object]]) -> list[tuple[object, ...]]:
    return [(each["task_id"], each["score"], each["raw_reply"], each["prompt_hash"]) for each in verdicts]


def test_a_question_is_in_one_open_batch_whoever_writes_it_down_first(url: str) -> None:
    keys = [f"{number:064x}" for number in range(400)]
    own: list[tuple[str, ...]] = []
    barrier = threading.Barrier(6)

    def reserve(name: str) -> None:
        with Store(StoreUrl(url)) as store:
            barrier.wait(60)
            for start in range(0, len(keys), 50):
                own.append(store.batches.reserve(record(f"{name}-{start}"), keys[start : start + 50]))

    threads = [threading.Thread(target=reserve, args=(f"batch-{number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert sorted(key for some in own for key in some) == keys
    with Store(StoreUrl(url)) as store:
        assert store.batches.held(keys) == frozenset(keys)
        assert sum(each.n_requests for each in store.batches.find()) == len(keys)


def test_results_are_kept_once_and_only_a_batch_s_own(url: str) -> None:
    with Store(StoreUrl(url)) as store:
        book = store.batches
        assert (book.find(), book.held(["k1"]), book.results(["k1"])) == ((), frozenset(), {})
        book.reserve(record("b"), ["k1", "k2"])
        lines = [BatchLine(key, LineKind.REPLY, f"body of {key}", 200) for key in ("k1", "k1", "foreign")]
        assert book.keep_lines(record("b"), lines) == 1
        assert book.results(["k1", "k2", "foreign"]) == {"k1": lines[0]}
        assert book.keys_of("b") == ("k1", "k2")
        (kept,) = book.find(judge="openai:m")
        assert (kept.n_requests, kept.n_answered, kept.state) == (2, 1, BatchState.SUBMITTING)
        book.take([], ["k1"])
        assert book.results(["k1"]) == {}


def test_batches_come_the_oldest_first(url: str) -> None:
    with Store(StoreUrl(url)) as store:
        for moment in (".300", ".100", ""):
            store.batches.reserve(record(f"at{moment}", f"2026-01-01T00:00:00{moment}+00:00"), [f"key{moment}"])
        assert [each.id for each in store.batches.find()] == ["at", "at.100", "at.300"]


def test_a_store_of_before_gets_the_tables_when_they_are_needed(url: str) -> None:
    with Store(StoreUrl(url)) as store:
        store.batches.find()
    query = b"SELECT count(*) FROM pg_tables WHERE tablename IN ('batches', 'batch_lines')"
    with psycopg.connect(url) as connection:
        assert connection.execute(query).fetchone() == (0,)
    with Store(StoreUrl(url)) as store:
        store.batches.update(record("nobody's"))
    with psycopg.connect(url) as connection:
        assert connection.execute(query).fetchone() == (2,)
