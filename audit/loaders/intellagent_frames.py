"""pandas tables out of a pickle's records, without pandas.

Layouts of pandas 2 and 3 and numpy 1 and 2: a table is a manager of blocks and two axes, a block an array with one line
a column, and an array a type with its bytes or, for objects, its list.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from audit.loaders.pickle_reader import Made, Plain
from audit.loaders.plain_values import OddShapeError, Walk, describe, need, numbers, read_dtype
from audit.records.task import Json

_PAIR = 2
_ARRAY_STATE = 5


def read_frame(value: Plain, walk: Walk) -> tuple[list[str], list[dict[str, Json]]]:
    """Return a table's columns and rows.

    Raises
    ------
    OddShapeError
        If it is not a table, or one of a layout or with a type of column that is not known.
    """
    state = need(_made(value, "DataFrame", "a table").state, dict, what="a table's content")
    manager = _made(state.get("_mgr"), "BlockManager", "a table's content")
    blocks, axes = _arguments(manager, _PAIR)
    axes = need(axes, list, what="a table's axes")
    if len(axes) != _PAIR:
        raise OddShapeError(f"a table has {len(axes)} axes")
    labels, n_rows = _labels(axes[0]), _length(axes[1])
    walk.spend(n_rows * (len(labels) + 1))
    columns: dict[int, list[Json]] = {}
    for block in need(blocks, tuple, what="a table's blocks"):
        for position, column in _columns(block, n_rows, len(labels), walk):
            if position in columns:
                raise OddShapeError("two blocks of a table hold the same column")
            columns[position] = column
    if len(columns) < len(labels):
        raise OddShapeError("a table lacks one of its columns")
    rows = [{label: columns[n][row] for n, label in enumerate(labels)} for row in range(n_rows)]
    return labels, rows


def _made(value: Plain, attribute: str, what: str) -> Made:
    made = need(value, Made, what=what)
    if made.name.attribute != attribute:
        raise OddShapeError(f"{what} is {describe(made)}")
    return made


def _arguments(made: Made, n: int) -> tuple[Plain, ...]:
    if len(made.arguments) != n:
        raise OddShapeError(f"{made.name} has {len(made.arguments)} arguments")
    return made.arguments


def _index(value: Plain) -> tuple[str, dict[str | int, Plain]]:
    """Return the class of an index and what it is made from."""
    name, content = _arguments(_made(value, "_new_Index", "an index"), _PAIR)
    return str(name).rpartition(".")[2], need(content, dict, what="an index")


def _labels(value: Plain) -> list[str]:
    kind, content = _index(value)
    if kind == "RangeIndex" and _length(value) == 0:
        return []
    shape, found = _array(content.get("data"))
    labels = [need(label, str, what="a column's name") for label in found]
    if len(shape) != 1 or len(set(labels)) < len(labels):
        raise OddShapeError("two columns of a table have the same name")
    return labels


def _length(value: Plain) -> int:
    kind, content = _index(value)
    if kind != "RangeIndex":
        shape, _ = _array(content.get("data"))
        return shape[0]
    start, stop, step = (need(content.get(name), int, what="an index") for name in ("start", "stop", "step"))
    if step == 0:
        raise OddShapeError("an index has the step 0")
    return max(0, -((start - stop) // step))


def _columns(block: Plain, n_rows: int, n_columns: int, walk: Walk) -> list[tuple[int, list[Json]]]:
    """Return the columns that a block holds, each with its place in the table."""
    values, placement, _ = _arguments(_made(block, "_unpickle_block", "a block of a table"), 3)
    places = _places(placement, n_columns)
    shape, found = _array(values)
    if math.prod(shape) != len(places) * n_rows or shape[-1] != n_rows:
        raise OddShapeError("a block of a table is larger or smaller than its columns")
    return [
        (place, [walk.json(cell) for cell in found[n * n_rows : (n + 1) * n_rows]]) for n, place in enumerate(places)
    ]


def _places(placement: Plain, n_columns: int) -> Sequence[int]:
    if isinstance(placement, Made) and placement.name.attribute == "slice":
        start, stop, step = (need(part, int, what="a slice") for part in _arguments(placement, 3))
        if step == 0:
            raise OddShapeError("a slice has the step 0")
        return range(*slice(start, stop, step).indices(n_columns))
    _, found = _array(placement)
    places = [need(place, int, what="a column's place") for place in found]
    if any(not 0 <= place < n_columns for place in places):
        raise OddShapeError("a column's place is outside the table")
    return places


def _array(value: Plain) -> tuple[tuple[int, ...], Sequence[Plain]]:
    """Return an array's shape, of one or two numbers, and its values line by line."""
    made = need(value, Made, what="an array")
    if made.name.attribute == "_frombuffer":
        raw, dtype, shape, order = _arguments(made, 4)
        return _arranged(_shape(shape), raw, dtype, by_column=order == "F")
    if made.name.attribute == "__pyx_unpickle_NDArrayBacked":
        return _array(_backing(made))
    if made.name.attribute != "_reconstruct":
        raise OddShapeError(f"an array is {describe(made)}, which IntellAgent's tables do not hold")
    state = need(made.state, tuple, what="an array's content")
    if len(state) != _ARRAY_STATE:
        raise OddShapeError("an array's content is not complete")
    _, shape, dtype, is_by_column, raw = state
    return _arranged(_shape(shape), raw, dtype, by_column=is_by_column is True)


def _backing(made: Made) -> Plain:
    """Return the array in pandas' own array of texts or times; others, such as categories, are refused."""
    kind = str(made.arguments[0]).rpartition(".")[2] if made.arguments else ""
    if kind not in ("StringArray", "DatetimeArray"):
        raise OddShapeError(f"a column is a pandas {kind}, which IntellAgent's tables do not hold")
    state = need(made.state, tuple, what="a column")
    arrays = ("_reconstruct", "_frombuffer")
    found = [part for part in state if isinstance(part, Made) and part.name.attribute in arrays]
    if len(found) != 1:
        raise OddShapeError("a column holds no array")
    return found[0]


def _shape(value: Plain) -> tuple[int, ...]:
    shape = tuple(need(size, int, what="a size") for size in need(value, tuple, what="a shape"))
    if not 1 <= len(shape) <= _PAIR or min(shape) < 0:
        raise OddShapeError("an array has neither one dimension nor two")
    return shape


def _arranged(
    shape: tuple[int, ...], raw: Plain, dtype: Plain, *, by_column: bool
) -> tuple[tuple[int, ...], Sequence[Plain]]:
    """Return an array line by line; lists of objects always are, bytes may be column by column."""
    size = math.prod(shape)
    if read_dtype(dtype)[0] == "O8":
        found = need(raw, list, what="a column")
        if len(found) != size:
            raise OddShapeError("a column is longer or shorter than its table")
        return shape, found
    flat: list[Plain] = [_plain(value) for value in numbers(need(raw, bytes, what="a column"), dtype, n=size)]
    if by_column and len(shape) == _PAIR:
        flat = [value for line in range(shape[0]) for value in flat[line :: shape[0]]]
    return shape, flat


def _plain(value: Json) -> Plain:
    return value if isinstance(value, bool | int | float | str) else None
