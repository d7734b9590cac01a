from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.loaders.json_file import InputFile
from audit.loaders.toml_file import parse_data, parse_toml


def toml(text: str | bytes) -> InputFile:
    return InputFile(Path("db.toml"), "db.toml", text.encode() if isinstance(text, str) else text)


def test_tables_lists_and_values_become_json() -> None:
    text = '[[boats]]\nboat_id = "BT7"\nseats = 4\nprice = 2.5\nfree = true\ntags = ["a", "b"]\n[boats.dock]\nn = 1\n'
    assert parse_toml(toml(text)) == {
        "boats": [{"boat_id": "BT7", "seats": 4, "price": 2.5, "free": True, "tags": ["a", "b"], "dock": {"n": 1}}]
    }


def test_dates_and_times_become_texts() -> None:
    text = "day = 2031-06-02\nhour = 08:30:00\nat = 2031-06-02T08:30:00\nin_utc = 2031-06-02T08:30:00Z\n"
    assert parse_toml(toml(text)) == {
        "day": "2031-06-02",
        "hour": "08:30:00",
        "at": "2031-06-02T08:30:00",
        "in_utc": "2031-06-02T08:30:00+00:00",
    }


def test_the_name_tells_the_format() -> None:
    assert parse_data(toml("n = 1")) == {"n": 1}
    assert parse_data(InputFile(Path("db.json"), "db.json", b'{"n": 1}')) == {"n": 1}
    assert parse_data(InputFile(Path("DB.TOML"), "DB.TOML", b"n = 1")) == {"n": 1}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[boats\n", r"db\.toml: not TOML: .*line 1"),
        ("n = 1\nn = 2\n", r"not TOML: .*line 2"),
        (b"n = '\xff'", r"db\.toml:1: not UTF-8"),
        ("n = nan", r"db\.toml: a number is not finite"),
        ("n = [1, {m = -inf}]", "a number is not finite"),
        (f"n = 1{'0' * 400}", "a number is not finite"),
        (f"n = 1{'0' * 5000}", "a value is out of range"),
        ("n = " + "[" * 150 + "]" * 150, "nested more than 100 levels deep"),
        ("n = " + "[" * 50_000 + "]" * 50_000, "nested more than 100 levels deep"),
    ],
)
def test_what_no_benchmark_should_hold_is_one_line(text: str | bytes, complaint: str) -> None:
    with pytest.raises(LoadError, match=complaint):
        parse_toml(toml(text))
