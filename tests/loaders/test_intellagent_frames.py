"""pandas tables read without pandas, against pandas itself and against every layout that is wrong."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from audit.errors import LoadError
from audit.loaders.intellagent_frames import read_frame
from audit.loaders.intellagent_pickle import DATASET_NAMES
from audit.loaders.json_file import MAX_DEPTH, InputFile
from audit.loaders.pickle_reader import Plain, read_pickle
from audit.loaders.plain_values import MAX_NODES, OddShapeError, Walk, describe
from audit.records.task import Json
from tests.loaders.pickles import (
    Call,
    Ref,
    array,
    block,
    dtype,
    dumps,
    frame,
    framed,
    index,
    integers,
    range_index,
    raw_array,
    span,
    table,
)

ROWS = [
    {"id": "a", "n": 1, "x": [1, {"k": None}], "f": 1.5, "b": True, "t": "ä"},
    {"id": "b", "n": -(2**40), "x": {"y": (2,)}, "f": float("nan"), "b": False, "t": None},
    {"id": "c", "n": 0, "x": "text", "f": -0.25, "b": True, "t": ""},
]


def read(content: bytes) -> tuple[list[str], list[dict[str, Json]]]:
    file = InputFile(Path("frame.pickle"), "frame.pickle", content)
    return read_frame(read_pickle(file, names=DATASET_NAMES), Walk())


@pytest.mark.parametrize("protocol", [4, 5])
@pytest.mark.parametrize("by_column", [False, True])
def test_a_table_of_the_installed_pandas_is_read_as_it_is(protocol: int, by_column: bool) -> None:
    made = pd.DataFrame(ROWS)
    if by_column:
        made = pd.concat([made[["id", "n"]], made[["f", "b"]], made[["x", "t"]]], axis=1).copy()
    columns, rows = read(pickle.dumps(made, protocol=protocol))
    assert columns == list(made.columns)
    assert [row["n"] for row in rows] == [1, -(2**40), 0]
    assert [row["f"] for row in rows] == [1.5, None, -0.25]
    assert [row["b"] for row in rows] == [True, False, True]
    assert [row["id"] for row in rows] == ["a", "b", "c"]
    assert [row["x"] for row in rows] == [[1, {"k": None}], {"y": [2]}, "text"]
    assert [row["t"] for row in rows] == ["ä", None, ""]


@pytest.mark.parametrize("protocol", [4, 5])
def test_numbers_that_stand_column_by_column_are_put_in_their_rows(protocol: int) -> None:
    values = np.asfortranarray(np.arange(12, dtype="int64").reshape(4, 3))
    columns, rows = read(pickle.dumps(pd.DataFrame(values, columns=list("abc")), protocol=protocol))
    assert [list(row.values()) for row in rows] == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]
    assert columns == ["a", "b", "c"]


def test_times_missing_times_and_numpy_numbers_become_plain() -> None:
    moment = pd.Timestamp("2031-05-02 03:10:19")
    cells: dict[str, Any] = {"at": moment, "gone": pd.NaT, "none": pd.NA, "n": np.int64(3), "f": np.float32(0.5)}
    made = pd.DataFrame([cells, cells]).astype(object)
    for row in range(2):
        for name, cell in cells.items():
            made.iat[row, list(cells).index(name)] = cell
    _, rows = read(pickle.dumps(made))
    assert rows[1] == {"at": "2031-05-02T03:10:19", "gone": None, "none": None, "n": 3, "f": 0.5}


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_columns_of_times_are_read_in_every_unit(unit: str) -> None:
    made = pd.DataFrame({"at": pd.Series(["2031-05-02 03:10:19", None], dtype=f"datetime64[{unit}]")})
    _, rows = read(pickle.dumps(made))
    assert rows == [{"at": "2031-05-02T03:10:19"}, {"at": None}]


@pytest.mark.parametrize(
    ("column", "complaint"),
    [
        (pd.Series(["a", "b"], dtype="category"), "Categorical"),
        (pd.Series([1, None], dtype="Int64"), "IntegerArray|Int64Dtype"),
        (pd.Series(pd.to_datetime(["2031-05-02"]).tz_localize("Europe/Vienna")), "DatetimeTZDtype|Vienna"),
    ],
)
def test_a_column_of_a_type_that_is_never_made_is_refused_by_its_name(column: Any, complaint: str) -> None:  # noqa: ANN401
    with pytest.raises((LoadError, OddShapeError), match=complaint):
        read(pickle.dumps(pd.DataFrame({"x": column})))


def test_the_layout_of_pandas_2_is_read_with_its_scattered_columns() -> None:
    made = frame(
        ["id", "n", "x", "m"],
        block(array(["a", "b", [1], None], (2, 2)), span(0, 4, 2)),
        block(raw_array((2, 2), dtype("i8", ">"), struct.pack(">4q", 1, 3, 2, 4), by_column=True), integers([1, 3])),
        n_rows=2,
    )
    assert read(dumps(made)) == (
        ["id", "n", "x", "m"],
        [{"id": "a", "n": 1, "x": [1], "m": 3}, {"id": "b", "n": 2, "x": None, "m": 4}],
    )


def test_a_table_without_rows_or_columns_is_empty() -> None:
    manager = Call(Ref("pandas.core.internals.managers", "BlockManager"), ((), [range_index(0), range_index(0)]))
    assert read(dumps(framed(manager))) == ([], [])


GOOD = block(array(["a"], (1, 1)), span(0, 1))


def one(content: Any, **fields: Any) -> Call:  # noqa: ANN401  # wrong ones too
    return frame(["id"], content, n_rows=fields.get("n_rows", 1))


def managed(*arguments: Any) -> Call:  # noqa: ANN401  # wrong ones too
    return framed(Call(Ref("pandas.core.internals.managers", "BlockManager"), arguments))


WRONG: dict[str, tuple[Any, str]] = {
    "no table": ([1], "a table is a list"),
    "another class": (Call(Ref("pandas", "Index"), ()), "a table is an object of pandas.Index"),
    "no content": (Call(Ref("pandas", "DataFrame"), ()), "a table's content is None"),
    "no manager": (framed(7), "a table's content is 7"),
    "another manager": (framed(Call(Ref("pandas", "Index"), ())), "a table's content is an object of pandas.Index"),
    "few arguments": (managed(()), "has 1 arguments"),
    "axes that are none": (managed((), 5), "a table's axes is 5"),
    "one axis": (managed((), [index(array(["id"]))]), "a table has 1 axes"),
    "column names that are numbers": (managed((), [index(integers([1])), range_index(0)]), "a column's name is 1"),
    "a column twice": (frame(["a", "a"], GOOD, n_rows=1), "two columns of a table have the same name"),
    "column missing": (frame(["a", "b"], GOOD, n_rows=1), "a table lacks one of its columns"),
    "column in two blocks": (frame(["id"], GOOD, GOOD, n_rows=1), "two blocks of a table hold the same column"),
    "more rows than cells": (one(GOOD, n_rows=2), "a block of a table is larger or smaller"),
    "millions of rows": (one(GOOD, n_rows=10**15), "what the file describes is too large"),
    "step 0": (managed((), [index(array(["id"])), range_index(1, step=0)]), "an index has the step 0"),
    "slice step 0": (one(block(array(["a"], (1, 1)), span(0, 1, 0))), "a slice has the step 0"),
    "place outside": (one(block(array(["a"], (1, 1)), integers([3]))), "a column's place is outside the table"),
    "place that is a text": (one(block(array(["a"], (1, 1)), array(["0"]))), "a column's place is a text"),
    "values that are no array": (one(block(["a"], span(0, 1))), "an array is a list"),
    "another array": (
        one(block(Call(Ref("pandas", "Index"), ()), span(0, 1))),
        "an array is an object of pandas.Index",
    ),
    "array without content": (
        one(block(Call(Ref("numpy.core.multiarray", "_reconstruct"), ()), span(0, 1))),
        "an array's content is None",
    ),
    "array cut short": (
        one(block(Call(Ref("numpy.core.multiarray", "_reconstruct"), (), (1,)), span(0, 1))),
        "an array's content is not complete",
    ),
    "three dimensions": (one(block(array(["a"], (1, 1, 1)), span(0, 1))), "neither one dimension nor two"),
    "negative size": (one(block(array(["a"], (1, -1)), span(0, 1))), "neither one dimension nor two"),
    "size that is true": (one(block(array(["a"], (1, True)), span(0, 1))), "a size is True"),
    "too few objects": (one(block(array(["a"], (1, 2)), span(0, 1))), "longer or shorter than its table"),
    "too few bytes": (one(block(raw_array((1, 1), dtype("i8", "<"), b"1"), span(0, 1))), "longer or shorter"),
    "bytes that are a list": (one(block(raw_array((1, 1), dtype("i8", "<"), []), span(0, 1))), "a column is a list"),
    "unknown type": (one(block(raw_array((1, 1), dtype("U5", "<"), b""), span(0, 1))), "the numpy type 'U5'"),
    "type that is none": (one(block(raw_array((1, 1), 4, b""), span(0, 1))), "a column's type is 4"),
    "type of another class": (
        one(block(raw_array((1, 1), Call(Ref("pandas", "Index"), ("i8",), (3, "<")), b""), span(0, 1))),
        "a column's type is an object of pandas.Index",
    ),
    "type without order": (
        one(block(raw_array((1, 1), Call(Ref("numpy", "dtype"), ("i8",), (3,)), b""), span(0, 1))),
        "a byte order is None",
    ),
    "infinite number": (one(block(array([float("inf")], (1, 1)), span(0, 1))), "a number is not finite"),
    "time out of reach": (
        one(block(raw_array((1, 1), dtype("M8", "<"), struct.pack("<q", 2**62)), span(0, 1))),
        "a time is 4611686018427387904 ''",
    ),
    "bytes in a cell": (one(block(array([b"x"], (1, 1)), span(0, 1))), "a value is bytes"),
    "class in a cell": (one(block(array([Ref("pandas", "Index")], (1, 1)), span(0, 1))), "the name pandas.Index"),
    "object in a cell": (one(block(array([Call(Ref("pandas", "Index"), ())], (1, 1)), span(0, 1))), "pandas.Index"),
    "time with a zone": (
        one(
            block(
                array([Call(Ref("pandas._libs.tslibs.timestamps", "_unpickle_timestamp"), (1, None, "x", 9))], (1, 1)),
                span(0, 1),
            )
        ),
        "an object of pandas._libs.tslibs.timestamps._unpickle_timestamp",
    ),
    "keys that read alike": (one(block(array([{"1": 0, 1: 0}], (1, 1)), span(0, 1))), "two keys that read alike"),
    "pandas array of another kind": (
        one(
            block(
                Call(Ref("pandas._libs.arrays", "__pyx_unpickle_NDArrayBacked"), (Ref("pandas", "Index"), 1, None)),
                span(0, 1),
            )
        ),
        "a column is a pandas Index, which IntellAgent's tables do not hold",
    ),
    "pandas array without array": (
        one(
            block(
                Call(
                    Ref("pandas._libs.arrays", "__pyx_unpickle_NDArrayBacked"),
                    (Ref("pandas.arrays", "StringArray"), 1, None),
                    (1,),
                ),
                span(0, 1),
            )
        ),
        "a column holds no array",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_table_that_is_none_is_refused_with_what_was_found(name: str) -> None:
    value, complaint = WRONG[name]
    with pytest.raises(OddShapeError, match=complaint):
        read(dumps(value))


def test_a_small_file_that_describes_millions_of_values_is_refused() -> None:
    doubled = b"K\x01\x85\x94" + b"".join(b"h" + bytes([n]) + b"\x86\x94" for n in range(30))
    bomb = read_pickle(InputFile(Path("b"), "b", b"\x80\x04" + doubled + b"."), names=())
    with pytest.raises(OddShapeError, match="what the file describes is too large"):
        Walk().json(bomb)
    assert MAX_NODES < 2**30


def test_a_part_that_stands_in_many_places_is_written_out_in_each() -> None:
    shared: list[Plain] = [1, {"a": "x"}]
    assert Walk().json([shared, (shared, shared)]) == [[1, {"a": "x"}], [[1, {"a": "x"}], [1, {"a": "x"}]]]


def test_how_deep_a_value_may_be_does_not_depend_on_what_was_looked_at_before() -> None:
    limit: list[Plain] = [1]
    for _ in range(MAX_DEPTH - 1):
        limit = [limit]
    Walk().json([limit, limit])
    with pytest.raises(OddShapeError, match="nested more than"):
        Walk().json([limit, [limit]])
    with pytest.raises(OddShapeError, match="nested more than"):
        Walk().json([[limit]])


def test_a_long_text_that_is_used_over_and_over_is_refused() -> None:
    shared = "x" * 100_000
    with pytest.raises(OddShapeError, match="too large"):
        Walk().json([shared] * 2_000)


def test_deep_and_circular_values_are_refused() -> None:
    circle: list[Any] = []
    circle.append(circle)
    deep = read_pickle(InputFile(Path("b"), "b", b"\x80\x04" + b"]" * 999 + b"a" * 998 + b"."), names=())
    values: list[Plain] = [circle, deep]
    for value in values:
        with pytest.raises(OddShapeError, match="nested more than 100 levels deep"):
            Walk().json(value)


def test_rows_with_an_index_of_their_own_are_counted_by_it() -> None:
    made = pd.DataFrame({"id": ["a", "b"]}, index=[7, 9])
    assert read(pickle.dumps(made))[1] == [{"id": "a"}, {"id": "b"}]


def test_what_was_found_is_named() -> None:
    values: list[object] = [(), {}, b"", 1.5]
    assert [describe(value) for value in values] == ["a tuple", "a dictionary", "bytes", "1.5"]


def test_rows_that_lack_a_cell_have_null_there() -> None:
    assert read(dumps(table([{"id": "a"}, {"id": "b", "x": 2}])))[1] == [{"id": "a", "x": None}, {"id": "b", "x": 2}]
