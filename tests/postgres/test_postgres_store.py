from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from audit.errors import StoreError
from audit.postgres import StoreUrl, store_place
from audit.records.verdict import VerdictState
from audit.store import Store
from tests.postgres.conftest import ENCODED, PASSWORD, Server
from tests.test_store import FULL, KEY, kept


def change(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def test_every_field_of_a_verdict_comes_back_from_the_server(url: str) -> None:
    with Store(StoreUrl(url)) as store:
        store.append(FULL)
    with Store(StoreUrl(url)) as store:
        (back,) = store.history(KEY)
        assert back == FULL
        assert store.find([KEY, "other"]) == {KEY: replace(FULL, n_calls=0)}
        assert len(store) == 1


def test_the_newest_settled_row_counts_on_the_server_too(url: str) -> None:
    with Store(StoreUrl(url)) as store:
        store.append_many([kept(score=1.0), kept(score=2.0)])
        store.append(kept(state=VerdictState.MALFORMED, score=None))
        store.append(kept("undefined", state=VerdictState.UNDEFINED, score=None), is_interim=True)
        found = store.find([KEY, "undefined"])
        assert found[KEY].score == 2.0
        assert found["undefined"].state is VerdictState.UNDEFINED
        assert [verdict.score for verdict in store.history(KEY)] == [1.0, 2.0, None]


def test_the_character_nul_is_kept_as_its_picture(url: str) -> None:
    with Store(StoreUrl(url)) as store:
        store.append(kept(raw_reply="a\x00b"))
        assert store.history(KEY)[0].raw_reply == "a\u2400b"


def test_verdicts_are_written_to_the_server_all_or_none(url: str) -> None:
    with Store(StoreUrl(url)) as store:
        with pytest.raises(StoreError, match="can't be written"):
            store.append_many([kept("good"), kept("bad", n_calls=2**70)])
        assert len(store) == 0
        store.append(kept("after"))
        assert set(store.find(["good", "bad", "after"])) == {"after"}


def test_what_was_found_out_about_a_model_is_kept_for_a_month(url: str) -> None:
    with Store(StoreUrl(url)) as store:
        store.remember_model("here", model="m", record="1")
        store.remember_model("here", model="m", record="2")
        assert store.recall_model("here", model="m") == "2"
        change(url, "UPDATE models SET learned_at = '2020-01-01 00:00:00'")
        assert store.recall_model("here", model="m") is None


WRITER = """
import sys
from audit.postgres import store_place
from audit.store import Store
from tests.test_store import kept
with Store(store_place(sys.argv[1])) as store:
    for number in range(50):
        store.append(kept(f"{sys.argv[2]}-{number}"))
        store.append_many([kept("shared"), kept(f"{sys.argv[2]}-pair-{number}")])
"""


def test_four_processes_make_and_fill_one_database_at_once(url: str) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", WRITER, url]
    writers = [subprocess.Popen([*command, str(number)], cwd=root) for number in range(4)]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0, 0]
    with Store(StoreUrl(url)) as store:
        keys = [f"{writer}-{kind}{number}" for writer in range(4) for kind in ("", "pair-") for number in range(50)]
        assert set(store.find(keys)) == set(keys)
        assert len(store.history("shared")) == 200
        assert len(store) == 600


def test_a_database_with_tables_of_another_program_is_left_alone(url: str) -> None:
    change(url, "CREATE TABLE verdicts (guilty BOOLEAN)")
    with pytest.raises(StoreError, match="table 'verdicts' of another program"):
        Store(StoreUrl(url))
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT to_regclass('models')").fetchone() == (None,)


def test_a_database_of_another_version_is_refused(url: str) -> None:
    Store(StoreUrl(url)).close()
    change(url, "UPDATE bench_audit_store SET version = 7")
    with pytest.raises(StoreError, match="schema version 7, this program reads version 1"):
        Store(StoreUrl(url))


def test_a_user_without_rights_is_told_so(server: Server, database: str) -> None:
    with pytest.raises(StoreError, match=r"permission denied.*right to create"):
        Store(StoreUrl(server.url(database, user="guest")))


def test_a_user_who_may_only_add_rows_can_work(server: Server, database: str, url: str) -> None:
    Store(StoreUrl(url)).close()
    change(
        url,
        "GRANT SELECT ON verdicts, models, bench_audit_store TO guest",
        "GRANT INSERT ON verdicts, models TO guest",
        "GRANT UPDATE ON models TO guest",
    )
    with Store(StoreUrl(server.url(database, user="guest"))) as store:
        store.append(FULL)
        store.remember_model("here", model="m", record="1")
        assert (len(store), store.recall_model("here", model="m")) == (1, "1")
        with pytest.raises(StoreError, match="permission denied"):
            store.add_certificate("k", created_at="2026-01-01", record="{}")


def test_certificates_are_kept_on_the_server_also_in_tables_of_before(url: str) -> None:
    with Store(StoreUrl(url)) as store:
        store.add_certificate("k", created_at="2026-01-02", record="new")
        store.add_certificate("k", created_at="2026-01-01", record="old")
        assert store.find_certificates("k") == ("old", "new")
    change(url, "DROP TABLE judge_certificates")
    with Store(StoreUrl(url)) as store:
        assert store.find_certificates("k") == ()
        store.add_certificate("k", created_at="2026-01-01", record="again")
        assert store.find_certificates("k") == ("again",)


def test_a_row_on_the_server_that_somebody_has_changed_is_told_of(url: str) -> None:
    with Store(StoreUrl(url)) as store:
        store.append(FULL)
        change(url, "UPDATE verdicts SET score = 11")
        with pytest.raises(StoreError, match="damaged: the score is 11"):
            store.find([KEY])


def test_a_lost_connection_is_one_clear_error(url: str) -> None:
    with Store(StoreUrl(url)) as store:
        store.append(FULL)
        change(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        with pytest.raises(StoreError, match=r"the verdict store can't be written: .*run again"):
            store.append(kept("next"))
        with pytest.raises(StoreError, match="the verdict store can't be read"):
            store.find([KEY])
    with Store(StoreUrl(url)) as store:
        assert len(store) == 1


def test_a_password_of_the_url_opens_the_store_and_is_never_told(server: Server, database: str) -> None:
    right = f"postgresql://owner:{ENCODED}@127.0.0.1:{server.port}/{database}"
    with Store(StoreUrl(right)) as store:
        store.append(FULL)
        shown = f"{store.place} {store.place!r}"
    with pytest.raises(StoreError) as caught:
        Store(StoreUrl(right.replace(ENCODED, ENCODED + "x")))
    assert "password authentication failed" in str(caught.value)
    for secret in (PASSWORD, ENCODED):
        assert secret not in shown
        assert secret not in str(caught.value)
    assert caught.value.__cause__ is None


def test_the_password_may_come_from_the_environment(
    server: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    with Store(StoreUrl(f"postgresql://owner@127.0.0.1:{server.port}/{database}")) as store:
        assert len(store) == 0


def test_a_server_that_is_not_there_is_told_of() -> None:
    with pytest.raises(StoreError, match=r"can't be opened: .*server runs") as caught:
        Store(StoreUrl("postgresql://ann:hush@127.0.0.1:1/audits"))
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://ann:hu/sh@db:5432/audits",
        "postgresql://ann:hu@sh@db/audits",
        "postgresql://ann:hush",
        "postgresql://db/audits?user=ann&password=hu%20sh",
        "postgresql://ann:hu%zzsh@db/audits",
        "postgres://ann:hush@db:port/audits",
    ],
)
def test_no_form_of_a_url_shows_its_password(text: str) -> None:
    place = store_place(text)
    assert isinstance(place, StoreUrl)
    with pytest.raises(StoreError) as caught:
        Store(StoreUrl(text + ("&" if "?" in text else "?") + "connect_timeout=2"))
    for shown in (str(place), repr(place), str(caught.value)):
        assert "hu" not in shown
        assert "sh@" not in shown


def test_without_the_extra_the_command_for_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"needs the package psycopg.*bench-audit\[postgres\]"):
        Store(StoreUrl("postgresql://db/audits"))
