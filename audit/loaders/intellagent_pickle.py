"""IntellAgent's two pickles, datasets and policy graphs, as the JSON that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from audit.errors import LoadError
from audit.loaders.intellagent_frames import read_frame
from audit.loaders.json_file import InputFile
from audit.loaders.pickle_reader import Made, Name, Plain, read_pickle
from audit.loaders.plain_values import OddShapeError, Walk, describe, need
from audit.records.task import Json

T = TypeVar("T")

_GENERATIONS = ("simulator", "simulator.dataset")
"""The program moved its modules once; files of both kinds are about."""
_NUMPY = ("numpy.core", "numpy._core")
_MANAGERS, _ARRAYS = "pandas.core.internals.managers", "pandas._libs.arrays"
_TABLE_NAMES = frozenset(
    {
        ("pandas.core.frame", "DataFrame"),
        ("pandas", "DataFrame"),
        (_MANAGERS, "BlockManager"),
        ("pandas._libs.internals", "_unpickle_block"),
        ("pandas.core.indexes.base", "Index"),
        ("pandas", "Index"),
        ("pandas.core.indexes.base", "_new_Index"),
        ("pandas.core.indexes.range", "RangeIndex"),
        ("pandas", "RangeIndex"),
        ("pandas", "StringDtype"),
        ("pandas.arrays", "StringArray"),
        ("pandas.arrays", "DatetimeArray"),
        ("pandas.core.arrays.datetimes", "DatetimeArray"),
        (_ARRAYS, "__pyx_unpickle_NDArrayBacked"),
        ("pandas._libs.tslibs.timestamps", "_unpickle_timestamp"),
        ("pandas._libs.tslibs.nattype", "__nat_unpickle"),
        ("pandas._libs.tslibs.nattype", "_nat_unpickle"),
        ("pandas._libs.missing", "NA"),
        ("pandas", "NA"),
        ("numpy", "ndarray"),
        ("numpy", "dtype"),
        ("builtins", "slice"),
    }
    | {(f"{module}.multiarray", name) for module in _NUMPY for name in ("_reconstruct", "scalar")}
    | {(f"{module}.numeric", "_frombuffer") for module in _NUMPY}
)
DATASET_NAMES = _TABLE_NAMES | {
    ("simulator.events_generator", "Event"),
    ("simulator.dataset.definitions", "Event"),
    *((f"{module}.descriptor_generator", "Description") for module in _GENERATIONS),
}
GRAPH_NAMES = frozenset(
    {
        *((f"{module}.descriptor_generator", "DescriptionGenerator") for module in _GENERATIONS),
        ("networkx.classes.graph", "Graph"),
        ("networkx.classes.coreviews", "AdjacencyView"),
        ("networkx.classes.reportviews", "NodeView"),
        ("networkx.classes.reportviews", "EdgeView"),
    }
)
_LIBRARIES = ("pandas", "numpy", "networkx", "datetime")


def read_dataset(file: InputFile) -> list[Json]:
    """Return the events of a dataset pickle, each as a JSON object with ``database`` as table to columns and rows.

    Raises
    ------
    LoadError
        If the file is not a dataset, or holds anything but data.
    """
    return _read(file, DATASET_NAMES, _events, "a dataset of IntellAgent")


def read_graph(file: InputFile) -> Mapping[str, Json]:
    """Return a policy-graph pickle as a JSON object; ``graph_info`` has nodes, and edges as two nodes and a weight.

    Raises
    ------
    LoadError
        If the file is not a policy graph, or holds anything but data.
    """
    return _read(file, GRAPH_NAMES, _graph, "a policy graph of IntellAgent")


def _read(file: InputFile, names: frozenset[tuple[str, str]], convert: Callable[[Plain, Walk], T], what: str) -> T:
    value = read_pickle(file, names=names, hint=_hint)
    try:
        return convert(value, Walk())
    except OddShapeError as error:
        raise LoadError(f"not {what}: {error}", where=str(file.path), mend="Give a file that it wrote") from error


def _hint(name: Name) -> str:
    library = name.module.partition(".")[0]
    if library.startswith(("langchain", "pydantic")):
        return "It looks like the intermediate results of a simulation; give the file below datasets/"
    if library in _LIBRARIES:
        return "IntellAgent does not write this; if the file is from a newer version of the library, convert it to JSON"
    return ""


def _object(value: Plain, attribute: str, what: str) -> dict[str | int, Plain]:
    """Return the fields of an object of a class."""
    made = need(value, Made, what=what)
    if made.name.attribute != attribute:
        raise OddShapeError(f"{what} is {describe(made)}")
    return need(made.state, dict, what=f"the content of {what}")


def _events(value: Plain, walk: Walk) -> list[Json]:
    parts = need(value, tuple, what="the whole")
    if len(parts) != 3:  # noqa: PLR2004  # events, iterations, cost
        raise OddShapeError(f"the whole is a tuple of {len(parts)}")
    return [_event(part, walk) for part in need(parts[0], list, what="the list of events")]


def _event(value: Plain, walk: Walk) -> dict[str, Json]:
    fields = _object(value, "Event", "an event")
    made: dict[str, Json] = {}
    for name, part in fields.items():
        if name == "description":
            described = _object(part, "Description", "an event's description")
            made[name] = {str(key): walk.json(inner) for key, inner in described.items()}
        elif name == "database":
            tables = need(part, dict, what="an event's database")
            made[name] = {str(table): _table(frame, walk) for table, frame in tables.items()}
        else:
            made[str(name)] = walk.json(part)
    return made


def _table(frame: Plain, walk: Walk) -> Json:
    columns, rows = read_frame(frame, walk)
    return {"columns": columns, "rows": rows}


def _graph(value: Plain, walk: Walk) -> dict[str, Json]:
    fields = _object(value, "DescriptionGenerator", "the whole")
    made = {str(name): walk.json(part) for name, part in fields.items() if name != "graph_info"}
    info = need(fields.get("graph_info"), dict, what="the graph")
    nodes: list[Json] = (
        [walk.json(node) for node in need(info["nodes"], list, what="the nodes")] if "nodes" in info else []
    )
    made["graph_info"] = {"nodes": nodes, "edges": _edges(info["G"], walk) if "G" in info else []}
    return made


def _edges(graph: Plain, walk: Walk) -> list[Json]:
    """Return the edges once each; whatever else a graph carries, such as views and caches, is left alone."""
    fields = _object(graph, "Graph", "the graph")
    edges: list[Json] = []
    for node, near in need(fields.get("_adj"), dict, what="the graph's edges").items():
        for other, edge in need(near, dict, what="the graph's edges").items():
            if need(node, int, what="a node") < need(other, int, what="a node"):
                weight = need(edge, dict, what="an edge")
                edges.append([node, other, walk.json(weight.get("weight"))])
    return edges
