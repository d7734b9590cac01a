"""Places in the text of a Python file that assigns one list of literals; nothing is imported, called or run."""

from __future__ import annotations

import ast
import re
import warnings
from itertools import accumulate

from audit.json_text import Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def parse_module(text: str) -> ast.Module:
    """Return the syntax of a Python file.

    Raises
    ------
    SyntaxError, ValueError, RecursionError, MemoryError
        If it is none, or nested too deep.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def lists_of(module: ast.Module) -> list[tuple[str, ast.List | ast.Tuple]]:
    """Return the lists that a file assigns to a name at its top level."""
    found = []
    for node in module.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.List | ast.Tuple) and len(targets) == 1 and isinstance(targets[0], ast.Name):
            found.append((targets[0].id, value))
    return found


def members_of(node: ast.expr) -> dict[str, ast.expr]:
    """Return the syntax of an object's members by key: of a dictionary, or of a call with keywords."""
    if isinstance(node, ast.Call):
        return {str(each.arg): each.value for each in node.keywords}
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {str(key.value): value for key, value in pairs if isinstance(key, ast.Constant)}
    return {}


def follow_literal(node: ast.expr, path: str) -> ast.expr:
    """Return the syntax that a path such as ``actions[2].kwargs`` leads to, or the last on the way that exists."""
    for name, index in _STEP.findall(path):
        if name:
            found = members_of(node).get(name)
        else:
            parts = node.elts if isinstance(node, ast.List | ast.Tuple) else []
            found = parts[int(index)] if int(index) < len(parts) else None
        if found is None:
            return node
        node = found
    return node


def element_spans(text: str) -> list[Span]:
    r"""Return where the elements of the file's one list stand.

    Examples
    --------
    >>> text = 'TASKS = [\n  Task(n="é"), {"é": 2},\n]\n'
    >>> [text[span.start : span.end] for span in element_spans(text)]
    ['Task(n="é")', '{"é": 2}']
    """
    places = _Places(text)
    nodes = lists_of(parse_module(text))[0][1].elts
    return [
        Span(
            places.find(node.lineno, node.col_offset),
            places.find(node.end_lineno or node.lineno, node.end_col_offset or 0),
        )
        for node in nodes
    ]


class _Places:
    """Offsets in a text of places that the syntax gives by line and byte; asked for from the first to the last."""

    def __init__(self, text: str) -> None:
        lines = _LINE.findall(text)
        self._starts = [0, *accumulate(map(len, lines))]
        self._lines = [line.encode() for line in lines]
        self._line = self._n_bytes = self._n_characters = 0

    def find(self, line: int, column: int) -> int:
        """Return an offset."""
        if line != self._line:
            self._line, self._n_bytes, self._n_characters = line, 0, 0
        self._n_characters += len(self._lines[line - 1][self._n_bytes : column].decode())
        self._n_bytes = column
        return self._starts[line - 1] + self._n_characters
