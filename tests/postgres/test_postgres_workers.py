"""Workers that share a PostgreSQL store, each with a password of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from audit.errors import StoreError, WorkersError
from audit.judges.one_model import AskingOptions
from audit.judges.panel import WorkersChoice
from audit.judges.running import ask_panel
from audit.postgres import StoreUrl
from audit.store import Store
from tests.cluster.conftest import Processes, processes
from tests.cluster.test_workers import panel_of
from tests.judges.panels import questions
from tests.postgres.conftest import ENCODED, PASSWORD, Server
from tests.servers.vendors import VendorServer

__all__ = ("processes",)


@pytest.fixture
def judges() -> Iterator[VendorServer]:
    """A server of judges; ``server`` is the database's here."""
    running = VendorServer()
    running.start()
    yield running
    running.stop()


def guarded_url(server: Server, database: str) -> StoreUrl:
    return StoreUrl(f"postgresql://owner:{ENCODED}@127.0.0.1:{server.port}/{database}")


@pytest.mark.parametrize("way", ["PGPASSWORD", "BENCH_AUDIT_STORE"])
def test_workers_write_to_the_database_with_their_own_password(
    judges: VendorServer, server: Server, database: str, processes: Processes, way: str
) -> None:
    place = guarded_url(server, database)
    processes.start_worker({way: PASSWORD if way == "PGPASSWORD" else place.text})
    with Store(place) as store:
        asked = ask_panel(
            questions(120),
            panel_of(judges.judge(), workers=WorkersChoice(processes.address)),
            store=store,
            options=AskingOptions(concurrency=8),
        )
        assert asked.tally.scored == len(store) == len(judges.requests) == 120


def test_a_worker_without_the_password_says_so(
    judges: VendorServer, server: Server, database: str, processes: Processes
) -> None:
    processes.start_worker()
    workers = panel_of(judges.judge(), workers=WorkersChoice(processes.address))
    with (
        Store(guarded_url(server, database)) as store,
        pytest.raises(WorkersError, match=r"worker tcp://\S+: .*no password supplied.*PGPASSWORD") as caught,
    ):
        ask_panel(questions(2), workers, store=store, options=AskingOptions())
    assert PASSWORD not in str(caught.value)
    assert not judges.requests


def test_what_workers_are_told_of_a_store_holds_no_password(
    server: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = guarded_url(server, database)
    with Store(place) as store:
        shared = store.share()
        assert shared == store.share(), "its identity is made up once"
    assert isinstance(shared.place, StoreUrl)
    assert ENCODED not in shared.place.text
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    with shared.open() as same:
        assert same.share() == shared


def test_another_database_is_not_the_store_of_the_run(server: Server, url: str) -> None:
    with Store(StoreUrl(url)) as store:
        shared = store.share()
    with Store(StoreUrl(server.url("postgres"))):
        pass
    other = type(shared)(StoreUrl(server.url("postgres")), shared.identity)
    with pytest.raises(StoreError, match="this is not the store of the run"):
        other.open()
