"""A tiny writer of pickles, so that tests need neither the classes that a file names nor anybody's code."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

START, END = b"\x80\x04", b"."


@dataclass
class Ref:
    """The name of a class or function."""

    module: str
    attribute: str


@dataclass
class Call:
    """A class or function called with arguments (``how`` is the instruction), and a state set afterwards."""

    name: Ref
    arguments: tuple[Any, ...] = ()
    state: Any = None
    how: bytes = b"R"


def dumps(value: Any) -> bytes:  # noqa: ANN401  # any value
    """Return the pickle of a value, in protocol 4."""
    return START + write(value) + END


def text(value: str) -> bytes:
    raw = value.encode("utf-8", "surrogatepass")
    return b"X" + struct.pack("<I", len(raw)) + raw


def write(value: Any) -> bytes:  # noqa: ANN401  # any value
    if isinstance(value, Ref):
        return text(value.module) + text(value.attribute) + b"\x93"
    if isinstance(value, Call):
        state = b"" if value.state is None else write(value.state) + b"b"
        return write(value.name) + write(value.arguments) + value.how + state
    if isinstance(value, tuple):
        return b"(" + b"".join(map(write, value)) + b"t"
    if isinstance(value, list):
        return b"](" + b"".join(map(write, value)) + b"e"
    if isinstance(value, dict):
        return b"}(" + b"".join(write(key) + write(part) for key, part in value.items()) + b"u"
    return _plain(value)


def _plain(value: Any) -> bytes:  # noqa: ANN401  # any plain value
    if value is None or isinstance(value, bool):
        return {None: b"N", True: b"\x88", False: b"\x89"}[value]
    if isinstance(value, int):
        raw = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
        return b"\x8a" + bytes([len(raw)]) + raw
    if isinstance(value, float):
        return b"G" + struct.pack(">d", value)
    return text(value) if isinstance(value, str) else b"B" + struct.pack("<I", len(value)) + bytes(value)


def dtype(code: str, order: str = "|") -> Call:
    return Call(Ref("numpy", "dtype"), (code, False, True), (3, order, None, None, None, -1, -1, 63))


def array(values: list[Any], shape: tuple[int, ...] | None = None) -> Call:
    """Return a numpy array of objects, in numpy 1's layout."""
    return raw_array(shape or (len(values),), dtype("O8"), values)


def raw_array(shape: Any, kind: Any, raw: Any, *, by_column: bool = False) -> Call:  # noqa: ANN401  # wrong ones too
    name = Ref("numpy.core.multiarray", "_reconstruct")
    return Call(name, (Ref("numpy", "ndarray"), (0,), b"b"), (1, shape, kind, by_column, raw))


def integers(values: list[int]) -> Call:
    return raw_array((len(values),), dtype("i8", "<"), struct.pack(f"<{len(values)}q", *values))


def index(values: Any) -> Call:  # noqa: ANN401  # wrong ones too
    name = Ref("pandas.core.indexes.base", "_new_Index")
    return Call(name, (Ref("pandas.core.indexes.base", "Index"), {"data": values, "name": None}))


def range_index(n: int, *, step: int = 1) -> Call:
    name = Ref("pandas.core.indexes.base", "_new_Index")
    content = {"name": None, "start": 0, "stop": n, "step": step}
    return Call(name, (Ref("pandas.core.indexes.range", "RangeIndex"), content))


def block(values: Any, placement: Any) -> Call:  # noqa: ANN401  # wrong ones too
    return Call(Ref("pandas._libs.internals", "_unpickle_block"), (values, placement, 2))


def span(start: int, stop: int, step: int = 1) -> Call:
    return Call(Ref("builtins", "slice"), (start, stop, step))


def frame(columns: list[str], *blocks: Call, n_rows: int) -> Call:
    manager = Ref("pandas.core.internals.managers", "BlockManager")
    return framed(Call(manager, (blocks, [index(array(columns)), range_index(n_rows)])))


def framed(manager: Any) -> Call:  # noqa: ANN401  # wrong ones too
    return Call(Ref("pandas.core.frame", "DataFrame"), (), {"_mgr": manager, "_typ": "dataframe"}, b"\x81")


def table(rows: list[dict[str, Any]]) -> Call:
    """Return a pandas table of objects, in pandas 2's layout; cells that a row lacks are NaN."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [row.get(name, float("nan")) for name in columns for row in rows]
    return frame(columns, block(array(cells, (len(columns), len(rows))), span(0, len(columns))), n_rows=len(rows))


def event(*, module: str = "simulator.dataset.definitions", **fields: Any) -> Call:  # noqa: ANN401  # any field
    """Return an event; ``description`` and ``database`` are given as plain dictionaries."""
    near = "simulator.descriptor_generator" if module == "simulator.events_generator" else DESCRIPTOR
    state = dict(fields)
    if isinstance(state.get("description"), dict):
        state["description"] = Call(Ref(near, "Description"), (), state["description"], b"\x81")
    if isinstance(state.get("database"), dict):
        state["database"] = {name: table(rows) for name, rows in state["database"].items()}
    return Call(Ref(module, "Event"), (), state, b"\x81")


DESCRIPTOR = "simulator.dataset.descriptor_generator"


def graph(**fields: Any) -> Call:  # noqa: ANN401  # any field
    """Return a policy graph with two nodes and one edge."""
    nodes = [
        {"flow": "Book", "policy": "Dogs travel on deck.", "score": 2},
        {"flow": "Book", "policy": "B", "score": 3},
    ]
    edges = {0: {1: {"weight": 6}}, 1: {0: {"weight": 6}}}
    view = Call(Ref("networkx.classes.reportviews", "NodeView"), (), {"_nodes": {0: {}}}, b"\x81")
    net = Call(
        Ref("networkx.classes.graph", "Graph"), (), {"_node": {0: {}, 1: {}}, "_adj": edges, "nodes": view}, b"\x81"
    )
    state = {"config": {}, "flows": ["Book"], "policies": {}, "graph_info": {"G": net, "nodes": nodes}, **fields}
    return Call(Ref(DESCRIPTOR, "DescriptionGenerator"), (), state, b"\x81")
