"""Lists that stand in Python files as literals, read from the syntax tree: nothing is imported, called or run."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from audit.errors import LoadError
from audit.literal_text import lists_of, parse_module
from audit.loaders.json_file import MAX_DEPTH, InputFile, decode
from audit.records.task import Json

MAX_CHARACTERS = 5_000_000
"""Longer files are refused: a syntax tree takes a hundred times their memory, and the longest known has 400,000."""
_MOST_BITS = 1000
_MEND = "Keep to literals: texts, numbers, lists, dictionaries"


@dataclass(frozen=True, slots=True)
class LiteralList:
    """The one list that a file assigns to a name.

    Parameters
    ----------
    name
        Of the variable.
    values
        The elements as JSON; a constructor's call is an object of its keywords.
    nodes
        The elements' syntax, for their places.
    """

    name: str
    values: tuple[Json, ...]
    nodes: tuple[ast.expr, ...] = field(repr=False)


def read_list(file: InputFile, *, constructors: Mapping[str, frozenset[str]]) -> LiteralList:
    """Return the list that a Python file assigns to a name at its top level.

    Imports, docstrings and names of modules are passed over; they are never looked up.

    Parameters
    ----------
    constructors
        Names that may be called with keywords, and the keywords that each may have.

    Raises
    ------
    LoadError
        If the file is no Python, does anything but assign literals, or assigns no list or several.
    """
    module = _parse(file)
    _refuse_code(module, file)
    found = lists_of(module)
    if len(found) != 1:
        names = ", ".join(name for name, _ in found)
        what = f"assigns several lists: {names}" if found else "assigns no list"
        raise LoadError(what, where=str(file.path), mend="Leave one list of tasks in the file")
    name, listed = found[0]
    reader = _Reader(file, constructors)
    return LiteralList(name, tuple(reader.value(node, 2) for node in listed.elts), tuple(listed.elts))


def _parse(file: InputFile) -> ast.Module:
    text = decode(file)
    if len(text) > MAX_CHARACTERS:
        what = f"a Python file longer than {MAX_CHARACTERS // 1_000_000} million characters"
        raise LoadError(what, where=str(file.path), mend="Convert it to JSON")
    try:
        return parse_module(text)
    except SyntaxError as error:
        where = f"{file.path}:{error.lineno}" if error.lineno else str(file.path)
        raise LoadError(f"not Python: {error.msg}", where=where, mend="Mend the syntax") from error
    except (RecursionError, MemoryError) as error:
        raise LoadError("nested too deep to read", where=str(file.path), mend="Flatten it") from error
    except ValueError as error:
        raise LoadError(f"not Python: {error}", where=str(file.path), mend="Mend the syntax") from error


def _refuse_code(module: ast.Module, file: InputFile) -> None:
    for node in module.body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_text or isinstance(node, ast.Import | ast.ImportFrom):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        if len(targets) != 1 or not isinstance(targets[0], ast.Name):
            what = f"a statement that is no assignment to a name ({type(node).__name__})"
            raise LoadError(what, where=f"{file.path}:{node.lineno}", mend="Nothing is run here: remove it")


@dataclass(frozen=True, slots=True)
class _Reader:
    file: InputFile
    constructors: Mapping[str, frozenset[str]]

    def value(self, node: ast.expr, depth: int) -> Json:
        if depth > MAX_DEPTH:
            raise self.error(node, f"nested more than {MAX_DEPTH} levels deep", mend="Flatten it")
        if isinstance(node, ast.Constant):
            return self._constant(node)
        if isinstance(node, ast.List | ast.Tuple):
            return [self.value(part, depth + 1) for part in node.elts]
        if isinstance(node, ast.Dict):
            return self._members(node, [(self._key(node, key), value) for key, value in _pairs(node)], depth)
        if isinstance(node, ast.Call):
            return self._members(node, self._keywords(node), depth)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            number = self.value(node.operand, depth + 1)
            if isinstance(number, int | float) and not isinstance(number, bool):
                return -number
        raise self.error(node, f"no literal ({type(node).__name__})")

    def error(self, node: ast.expr, what: str, *, mend: str = _MEND) -> LoadError:
        return LoadError(what, where=f"{self.file.path}:{node.lineno}", mend=mend)

    def _constant(self, node: ast.Constant) -> Json:
        value = node.value
        if isinstance(value, bytes | complex) or value is ...:
            raise self.error(node, f"a value that no JSON has ({type(value).__name__})")
        is_huge = isinstance(value, int) and value.bit_length() > _MOST_BITS
        if is_huge or (isinstance(value, float) and not math.isfinite(value)):
            raise self.error(node, "a number is not finite", mend="Correct the value")
        if isinstance(value, str) and any("\ud800" <= sign <= "\udfff" for sign in value):
            raise self.error(node, "a text holds half of a surrogate pair", mend="Correct the value")
        return value

    def _members(self, node: ast.expr, pairs: Sequence[tuple[str, ast.expr]], depth: int) -> dict[str, Json]:
        made = {key: self.value(value, depth + 1) for key, value in pairs}
        if len(made) < len(pairs):
            double = Counter(key for key, _ in pairs).most_common(1)[0][0]
            raise self.error(node, f"the key {double!r} stands twice", mend="Remove one")
        return made

    def _key(self, node: ast.Dict, key: ast.expr | None) -> str:
        value = None if key is None else self.value(key, 2)
        if not isinstance(value, str):
            raise self.error(key or node, "a key that is no text", mend="Write every key out as a text")
        return value

    def _keywords(self, node: ast.Call) -> list[tuple[str, ast.expr]]:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in self.constructors:
            known = " and ".join(self.constructors)
            what = f"a call of {ast.unparse(node.func)[:60]}" if isinstance(node.func, ast.Name) else "a call"
            raise self.error(node, what, mend=f"Nothing is called here: keep to {known} with literals")
        if node.args or any(each.arg is None for each in node.keywords):
            raise self.error(node, f"{name} with values that have no name", mend="Write NAME=VALUE for each")
        pairs = [(str(each.arg), each.value) for each in node.keywords]
        for key, value in pairs:
            if key not in self.constructors[name]:
                raise self.error(value, f"{name} has no {key!r}", mend=f"It has: {', '.join(self.constructors[name])}")
        return pairs


def _pairs(node: ast.Dict) -> Iterator[tuple[ast.expr | None, ast.expr]]:
    yield from zip(node.keys, node.values, strict=True)
