from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from dataclasses import fields, replace
from pathlib import Path

import pytest

from audit.errors import StoreError
from audit.records.prompt import Usage
from audit.records.verdict import Trust, Verdict, VerdictState
from audit.sqlite_file import SqliteFile
from audit.store import Store, default_store_path
from audit.store_tables import SCHEMA_VERSION
from tests import builders

KEY = "k" * 64
FULL = Verdict(
    task_id="t1",
    criterion="policy_violations",
    judge="openai:gpt-4o",
    trial=2,
    state=VerdictState.OK,
    score=7.5,
    violated=("P02", "P01"),
    reasons=("Because.", "Zoë said “so” 😀\n\x00"),
    problem="none",
    raw_reply='{"é": "\u202e"}',
    usage=Usage(1, 2, 3, 4, 5),
    cost_usd=0.25,
    latency_s=1.5,
    model="gpt-4o-2024-08-06",
    prompt_hash="h",
    key=KEY,
    trust=Trust.SCRIPTED,
    asked_at="2026-11-30T01:02:03+00:00",
    n_calls=2,
    is_repaired=True,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "verdicts.sqlite3"


def kept(key: str = KEY, **changes: object) -> Verdict:
    return replace(builders.verdict(score=7), key=key, **changes)  # type: ignore[arg-type]  # fields of Verdict


def connection_of(store: Store) -> sqlite3.Connection:
    assert isinstance(store._database, SqliteFile)
    return store._database.connection


def test_the_default_place_is_the_users_data_folder() -> None:
    assert default_store_path() == Path(os.environ["XDG_DATA_HOME"]) / "bench-audit" / "verdicts.sqlite3"


def test_every_field_of_a_verdict_comes_back(path: Path) -> None:
    with Store(path) as store:
        store.append(FULL)
    with Store(path) as store:
        (back,) = store.history(KEY)
    assert back == FULL
    defaults = Verdict("t1", "c", "j", 0, VerdictState.OK)
    same = [field.name for field in fields(Verdict) if getattr(FULL, field.name) == getattr(defaults, field.name)]
    assert same == ["task_id", "state", "is_shared"], "the verdict of this test sets every field that is stored"


def test_what_is_not_known_stays_not_known(path: Path) -> None:
    verdict = kept(score=None, violated=None, cost_usd=None, state=VerdictState.UNDEFINED)
    with Store(path) as store:
        store.append(verdict)
        assert store.history(KEY) == (verdict,)
        assert store.find([KEY])[KEY].usage == Usage()


def test_no_violations_are_not_the_same_as_none_known(path: Path) -> None:
    with Store(path) as store:
        store.append(kept(violated=()))
        assert store.find([KEY])[KEY].violated == ()


def test_a_verdict_that_is_read_back_took_no_call(path: Path) -> None:
    with Store(path) as store:
        store.append(FULL)
        assert store.find([KEY, "other"]) == {KEY: replace(FULL, n_calls=0)}


@pytest.mark.parametrize("state", [state for state in VerdictState if state not in ("ok", "undefined")])
def test_what_is_no_verdict_is_kept_and_asked_again(path: Path, state: VerdictState) -> None:
    with Store(path) as store:
        store.append(kept(state=state, score=None, raw_reply="paid for"))
        assert store.find([KEY]) == {}
        assert store.history(KEY)[0].raw_reply == "paid for"


def test_a_question_that_can_not_be_put_is_settled(path: Path) -> None:
    with Store(path) as store:
        store.append(kept(state=VerdictState.UNDEFINED, score=None, problem="too few tasks"))
        assert store.find([KEY])[KEY].problem == "too few tasks"


def test_the_newest_verdict_counts_and_the_older_ones_stay(path: Path) -> None:
    with Store(path) as store:
        for score in (3, 9):
            store.append(kept(score=score))
        store.append(kept(state=VerdictState.MALFORMED, score=None), is_interim=True)
        assert store.find([KEY])[KEY].score == 9
        assert [verdict.score for verdict in store.history(KEY)] == [3, 9, None]
        assert len(store) == 3


def test_many_keys_are_looked_up_at_once(path: Path) -> None:
    keys = [f"{number:064x}" for number in range(2500)]
    with Store(path) as store:
        store.append_many([kept(key, trial=number) for number, key in enumerate(keys)])
        found = store.find([*keys, "missing"])
    assert [found[key].trial for key in keys] == list(range(2500))
    assert len(found) == 2500


def test_looking_up_nothing_finds_nothing(path: Path) -> None:
    with Store(path) as store:
        assert store.find([]) == {}


def test_many_verdicts_are_written_all_or_none(path: Path) -> None:
    with Store(path) as store:
        with pytest.raises(StoreError, match="can't be written"):
            store.append_many([kept("a"), replace(kept("b"), judge=None)])  # type: ignore[arg-type]  # what the disk may do
        assert len(store) == 0
        store.append(kept("c"))
        assert len(store) == 1


def test_a_store_can_be_used_from_several_threads(path: Path) -> None:
    with Store(path) as store:

        def write(letter: str) -> None:
            for number in range(50):
                store.append(kept(f"{letter}{number}"))

        threads = [threading.Thread(target=write, args=(letter,)) for letter in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(store) == 200


def test_writes_survive_the_loss_of_power_as_far_as_the_disk_tells_the_truth(path: Path) -> None:
    with Store(path) as store:
        modes = [
            connection_of(store).execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")
        ]
    assert modes == ["wal", 2], "write-ahead log, synced at every commit"


def test_a_store_is_for_its_owners_eyes(path: Path) -> None:
    Store(path).close()
    assert path.stat().st_mode & 0o077 == 0


def make_database(path: Path, *statements: str) -> None:
    path.parent.mkdir(parents=True)
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_store_of_another_version_is_refused(path: Path) -> None:
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    with pytest.raises(
        StoreError, match=r"has schema version 2, this program reads version 1\. Use the bench-audit that"
    ):
        Store(path)


@pytest.mark.parametrize(
    "statements",
    [("CREATE TABLE notes (text)",), ("PRAGMA application_id = 7",), ("PRAGMA user_version = 1",)],
)
def test_a_database_of_another_program_is_refused_and_left_alone(path: Path, statements: tuple[str, ...]) -> None:
    make_database(path, *statements)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"this is a database of another program\. Name another file with --store"):
        Store(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("These are my notes. " * 100)
    with pytest.raises(StoreError, match=f"^{path}: the verdict store can't be opened: file is not a database"):
        Store(path)
    assert path.read_text().startswith("These are my notes.")


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with Store(path) as store:
        store.append(FULL)
    with Store(path) as store:
        assert len(store) == 1


def test_a_damaged_store_is_told_of(path: Path) -> None:
    with Store(path) as store:
        store.append_many([kept(f"{number}", raw_reply="x" * 4000) for number in range(50)])
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    path.write_bytes(content)
    with Store(path) as store, pytest.raises(StoreError, match=r"can't be read: .* It is damaged or no SQLite file"):
        store.find([f"{number}" for number in range(50)])


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"can't be opened: unable to open database file\. Check the path"):
        Store(tmp_path)


def test_a_path_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=f"can't be opened: File exists: {tmp_path}/file"):
        Store(tmp_path / "file" / "verdicts.sqlite3")


def test_a_store_that_can_not_be_written_is_told_of(path: Path) -> None:
    Store(path).close()
    with Store(path) as store:
        connection_of(store).execute("PRAGMA query_only = ON")  # what a read-only disk does, for root too
        with pytest.raises(StoreError, match="can't be written: attempt to write a readonly database"):
            store.append(FULL)


def test_a_full_disk_is_told_of(path: Path) -> None:
    with Store(path) as store:
        connection_of(store).execute("PRAGMA max_page_count = 5")
        with pytest.raises(StoreError, match=r"disk is full\. The disk is full; make room, then run the same command"):
            store.append(replace(FULL, raw_reply="x" * 100_000))


def test_a_store_that_another_process_holds_is_told_of(path: Path) -> None:
    Store(path).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match=r"database is locked\. Another process holds it"):
        Store(path, timeout_s=0.05)
    other.execute("ROLLBACK")
    with Store(path, timeout_s=0.05) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="can't be written: database is locked"):
            store.append(FULL)
        assert store.find([KEY]) == {}, "reading goes on meanwhile"
    other.close()


def test_a_place_without_write_ahead_logging_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match=r"write-ahead logging does not work here\. Put --store on a local disk"):
        Store(Path(":memory:"))  # has no log, like some network folders


WRITER = """
import sys
from dataclasses import replace
from pathlib import Path
from audit.store import Store
from tests import builders
with Store(Path(sys.argv[1])) as store:
    for number in range(100):
        store.append(replace(builders.verdict(score=1), key=f"{sys.argv[2]}-{number}", raw_reply="x" * 500))
"""


def test_processes_can_make_and_fill_one_store_at_once(path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(name)]) for name in range(4)]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0, 0]
    with Store(path) as store:
        assert len(store.find([f"{name}-{number}" for name in range(4) for number in range(100)])) == 400


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("score = NULL", "the state is ok, without a score or items"),
        ("score = 'seven'", "score is 'seven'"),
        ("score = 1e6", "the score is 1000000.0"),
        ("score = 9e999", "score is inf"),
        ("criterion = 'offline_match'", "the score is 7.0"),
        ("reasons = hex(zeroblob(3000000))", "string or blob too big"),
        ("state = 'undefined'", "the state is undefined, with a score or items"),
        ("reasons = '[1]'", "is no list of texts"),
        ("reasons = '{'", "a row of the verdict store is damaged"),
        ("violated = '\"P01\"'", "is no list of texts"),
        ("trial = 'x'", "trial is 'x'"),
        ("trust = 'full'", "'full' is not a valid Trust"),
        ("input_tokens = 1.5", "input_tokens is 1.5"),
        ("model = x'ff'", "model is b"),
    ],
)
def test_a_row_that_somebody_has_changed_is_told_of(path: Path, change: str, told: str) -> None:
    with Store(path) as store:
        store.append(kept())
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE verdicts SET {change}")  # noqa: S608  # our own words
    connection.close()
    with Store(path) as store, pytest.raises(StoreError, match=told):
        store.find([KEY])


@pytest.mark.parametrize("changes", [{"usage": Usage(input_tokens=2**63)}, {"model": "\ud800"}])
def test_what_no_database_holds_is_told_of(path: Path, changes: dict[str, object]) -> None:
    with Store(path) as store, pytest.raises(StoreError, match="can't be written"):
        store.append(replace(kept(), **changes))  # type: ignore[arg-type]  # fields of Verdict
