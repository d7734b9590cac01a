"""What is kept between runs: the same result as made anew, and never another's."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import pytest

from audit import kept
from audit.kept import keep
from audit.records.finding import Certainty, Rule, Severity

RULE = Rule("a-rule", "it is ½", Severity.NOTE, Certainty.PROVED, "Because.", "Mend it")


class Maker:
    """Counts how often it was asked."""

    def __init__(self, *values: object) -> None:
        self.n = 0
        self._values = values

    def __call__(self) -> tuple[Rule, ...]:
        self.n += 1
        return (RULE,) * self.n


def folder() -> Path:
    return Path(os.environ["BENCH_AUDIT_CACHE"]) / "kept"


def test_what_was_made_is_not_made_again() -> None:
    make = Maker()
    results = [keep("rules", of=["a", 1], as_type=tuple[Rule, ...], make=make) for _ in range(3)]
    assert results == [(RULE,)] * 3
    assert make.n == 1


def test_other_input_another_kind_and_another_program_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    make = Maker()
    for kind, of in (("rules", "a"), ("rules", "b"), ("others", "a")):
        keep(kind, of=of, as_type=tuple[Rule, ...], make=make)
    assert make.n == 3
    monkeypatch.setattr(kept, "program", lambda: "another")
    keep("rules", of="a", as_type=tuple[Rule, ...], make=make)
    assert make.n == 4


@pytest.mark.parametrize(
    "content", [b"", b"no zlib", zlib.compress(b'[{"id": 1}]'), zlib.compress(b"[")[:-4], zlib.compress(b"[" * 10_000)]
)
def test_a_damaged_file_is_as_if_it_were_not_there(content: bytes) -> None:
    make = Maker()
    keep("rules", of=1, as_type=tuple[Rule, ...], make=make)
    (path,) = folder().iterdir()
    path.write_bytes(content)
    assert keep("rules", of=1, as_type=tuple[Rule, ...], make=make) == (RULE, RULE)
    assert keep("rules", of=1, as_type=tuple[Rule, ...], make=make) == (RULE, RULE)


def test_what_json_cannot_tell_whole_is_not_kept() -> None:
    values = [keep("numbers", of=1, as_type=tuple[float, ...], make=lambda: (float("nan"),)) for _ in range(2)]
    assert [len(each) for each in values] == [1, 1]
    assert keep("texts", of=1, as_type=tuple[str, ...], make=lambda: ("\ud800",)) == ("\ud800",)
    assert not folder().exists()


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BENCH_AUDIT_CACHE", str(tmp_path / "file"))
    assert keep("rules", of=1, as_type=tuple[Rule, ...], make=Maker()) == (RULE,)


def test_only_so_many_are_kept_and_only_the_user_reads_them() -> None:
    for number in range(kept._MOST + 3):
        keep("rules", of=number, as_type=tuple[Rule, ...], make=Maker())
    files = list(folder().iterdir())
    assert len(files) == kept._MOST
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
