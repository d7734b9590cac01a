"""Tables as spreadsheets and programs write them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.loaders.json_file import InputFile
from audit.loaders.table_file import MAX_CELLS, MAX_LINES, Table, read_table


def read(content: str | bytes, name: str = "cases.csv") -> Table:
    data = content if isinstance(content, bytes) else content.encode()
    return read_table(InputFile(Path(name), name, data))


def values(table: Table) -> list[dict[str, object]]:
    return [dict(record.values) for record in table.records]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("a,b\n1,2\n", "x.csv"),
        ("a;b\n1;2\n", "x.csv"),
        ("a\tb\n1\t2\n", "x.tsv"),
        ("a\tb\n1\t2\n", "x.csv"),
        ("a|b\r\n1|2\r\n", "x.csv"),
        ("a,b\r1,2\r", "x.csv"),
        ("sep=;\r\na;b\r\n1;2\r\n", "x.csv"),
        ("\ufeffa,b\n1,2", "x.csv"),
        ("a\tb\r\n1\t2\r\n".encode("utf-16"), "x.csv"),
        ('"a","b"\n"1","2"\n', "x.CSV"),
        ("\n\na,b\n,\n1,2\n ,\n\n", "x.csv"),
        ("a,b\n1,2,,\n", "x.csv"),
        ('{"a": "1", "b": "2"}\n\n', "x.jsonl"),
        ('\ufeff{"a": "1", "b": "2"}\r\n', "x.ndjson"),
        ('[{"a": "1", "b": "2"}]', "x.json"),
        ('{"about": 1, "tasks": [{"a": "1", "b": "2"}]}', "x.json"),
    ],
)
def test_the_same_table_in_any_form(content: str | bytes, name: str) -> None:
    table = read(content, name)
    assert table.headings == ("a", "b")
    assert values(table) == [{"a": "1", "b": "2"}]


def test_quoted_cells_hold_separators_quotes_and_line_breaks() -> None:
    table = read('what,why\n"a ""b"", c","line 1\nline 2"\nx,y\n')
    assert values(table) == [{"what": 'a "b", c', "why": "line 1\nline 2"}, {"what": "x", "why": "y"}]
    assert [(record.place, record.line) for record in table.records] == [("row 2", 2), ("row 3", 4)]


def test_short_rows_are_filled_and_columns_without_heading_have_a_number() -> None:
    table = read('a,,"c\n d"\n1\n')
    assert table.headings == ("a", "column 2", "c d")
    assert values(table) == [{"a": "1", "column 2": "", "c d": ""}]


def test_records_of_json_know_their_lines() -> None:
    assert [record.line for record in read('\n{"a": 1}\n\n{"b": 2}\n', "x.jsonl").records] == [2, 4]
    table = read('[\n {"a": 1},\n\n {"b": 2}, {"c": 3}]', "x.json")
    assert [record.line for record in table.records] == [2, 4, 4]
    assert table.headings == ("a", "b", "c")


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        ("", "x.csv", "x.csv: holds no row"),
        (" \n\n", "x.csv", "holds no row"),
        ("a,b\n", "x.csv", "holds no task. Add a row"),
        ("a,a\n1,2\n", "x.csv", "two columns have the heading 'a'"),
        ("a,b\n1,2\n1,2,3\n", "x.csv", r"x\.csv row 3 \(line 3\): 3 cells, and 2 headings\. Put cells"),
        ('a,b\n\n"1,2\n3', "x.csv", r"x\.csv row 3 \(from line 3\): a quote is opened and never closed"),
        ('a,b\n"1"x,2\n', "x.csv", r"row 2 \(from line 2\): no sound CSV"),
        ("a,b\n1," + "x" * 200_000, "x.csv", "a cell is longer than 131,072 characters"),
        (
            "a,b\nMüller,2\n".encode("latin-1"),
            "x.csv",
            r"x\.csv:2: not UTF-8 \(byte 0xfc\)\. Save it as UTF-8; in Excel",
        ),
        (b"\xff\xfea", "x.csv", "not UTF-16"),
        (b"PK\x03\x04junk", "x.csv", "a workbook, whatever its name"),
        ("a,b\n1,\0\n", "x.csv", "holds zero bytes"),
        ('{"a": 1}\n{"a": \n', "x.jsonl", r"x\.jsonl:2: not JSON: .*\.jsonl holds one JSON object a line"),
        ('{"a": NaN}\n', "x.jsonl", r"x\.jsonl:1: a number is not finite"),
        ('{"a": 1, "a": 2}\n', "x.jsonl", r"x\.jsonl:1: the key 'a' stands twice"),
        ("[1]\n", "x.jsonl", r"x\.jsonl:1: must be an object, not a list"),
        ("\n", "x.jsonl", "holds no task"),
        ("[]", "x.json", "holds no task"),
        ("[1]", "x.json", r"x\.json entry 1: must be an object, not a number"),
        ('{"a": 1}', "x.json", "must be a list of tasks, not an object"),
        ("[" * 150 + "]" * 150, "x.json", "nested more than 100 levels deep"),
        ('[{"a": Infinity}]', "x.json", "a number is not finite"),
        ("[{", "x.json", r"x\.json:1:3: not JSON"),
    ],
)
def test_what_is_no_table_is_one_line(content: str | bytes, name: str, words: str) -> None:
    with pytest.raises(LoadError, match=words) as caught:
        read(content, name)
    assert len(str(caught.value).splitlines()) == 1


def test_blank_lines_and_cells_without_end_are_refused() -> None:
    for name in ("x.csv", "x.jsonl"):
        with pytest.raises(LoadError, match="has more than 1,000,000 lines"):
            read(b"\n" * (2 * MAX_LINES + 1), name)
    n = 5_000
    with pytest.raises(LoadError, match="has more than 5 million cells"):
        read(",".join(f"c{i}" for i in range(n)) + "\n" + "1\n" * (MAX_CELLS // n + 1))


def test_very_many_columns_and_rows_take_linear_time() -> None:
    n = 30_000
    assert len(read(",".join(f"c{i}" for i in range(n)) + "\n1\n").headings) == n
    assert len(read("a,b\n" + "1,2\n" * n).records) == n


def test_altered_tables_are_read_or_refused_and_nothing_else() -> None:
    rng = random.Random(7)
    sound = 'id,description,behavior\n1,"You want, say ""this""\nand that.",Done.\n2,x;y,é\n'.encode()
    n_read, messages = 0, []
    for _ in range(500):
        start, end = sorted(rng.sample(range(len(sound) + 1), 2))
        noise = rng.choice([b"", b'"', b"\xff", b"\0", b"\n", b",,,,", b"\xef\xbb\xbf", b"\xff\xfe"])
        try:
            read(sound[:start] + noise + sound[end:], rng.choice(["x.csv", "x.tsv"]))
            n_read += 1
        except LoadError as error:
            messages.append(str(error))
    assert n_read
    assert messages
    assert not [message for message in messages if "\n" in message]
