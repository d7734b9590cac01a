"""Input files read strictly: every fault becomes one line with its place."""

from __future__ import annotations

import hashlib
import json
import math
import operator
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import cast

from audit.errors import LoadError
from audit.records.task import Json, SourceFile
from audit.resources import resource

MAX_DEPTH = 100
"""Deeper nesting than this is refused: no benchmark needs it, and much code recurses."""
MAX_BYTES = 100_000_000
"""Longer files are refused: seven times the largest known, and read they take twenty times the memory."""

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_MOST_BITS = 1000
_MAYBE_NOT_FINITE = re.compile(rb"NaN|Infinity|\d[eE]\+?\d{3}|\d{200}")
Step = str | int


@dataclass(frozen=True, slots=True)
class InputFile:
    """The bytes of one file and the name by which findings show it."""

    path: Path
    shown: str
    content: bytes = field(repr=False)

    @property
    def record(self) -> SourceFile:
        """The file's entry in a benchmark's list of files."""
        return SourceFile(self.shown, hashlib.sha256(self.content).hexdigest())


def show_path(path: Path, root: Path) -> str:
    """Return ``path`` relative to ``root`` or to the files we ship; else as it is.

    Examples
    --------
    >>> show_path(Path("/data/airline/tasks.json"), Path("/data/airline"))
    'tasks.json'
    """
    for base in (root, resource("benchmarks").parent):
        if path.is_relative_to(base):
            return path.relative_to(base).as_posix()
    return str(path)


def read_input(path: Path, *, root: Path, role: str) -> InputFile:
    """Read a file's bytes.

    Parameters
    ----------
    path, root
        The file, and the folder that it is shown relative to.
    role
        What the file is to the user, such as ``tasks`` or ``policy``; used in the message.

    Raises
    ------
    LoadError
        If it can't be read.
    """
    try:
        content = _read_regular(path)
    except FileNotFoundError as error:
        raise LoadError(f"there is no such {role} file", where=str(path), mend="Check the path") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LoadError(f"the {role} file can't be read ({reason})", where=str(path), mend="Check the path") from error
    if len(content) > MAX_BYTES:
        what = f"the {role} file is longer than {MAX_BYTES // 1_000_000} MB"
        raise LoadError(what, where=str(path), mend="Split the benchmark")
    return InputFile(path, show_path(path, root), content)


def _read_regular(path: Path) -> bytes:
    """Return a file's first bytes, one more than are allowed; pipes and devices may never end and are not opened."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        raise ValueError("Is a directory" if stat.S_ISDIR(mode) else "it is a pipe or a device")
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def decode(file: InputFile) -> str:
    """Return the file's text; raise :class:`LoadError` if it is not UTF-8."""
    try:
        return file.content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = file.content.count(b"\n", 0, error.start) + 1
        raise LoadError(
            f"not UTF-8 (byte {file.content[error.start]:#04x})", where=f"{file.path}:{line}", mend="Save it as UTF-8"
        ) from error


def parse_json(file: InputFile) -> Json:
    """Return the JSON value that the file holds.

    Stricter than :mod:`json`: no NaN or infinities, no key twice in an object, no lone surrogates, and no
    nesting beyond ``MAX_DEPTH``.

    Raises
    ------
    LoadError
        With line and column for bad syntax; with the place in the value, and the task, for the rest.
    """
    doubles: list[tuple[dict[str, Json], str]] = []

    def build(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        made = dict(pairs)
        if len(made) < len(pairs):
            doubles.append((made, Counter(key for key, _ in pairs).most_common(1)[0][0]))
        return made

    text = decode(file)
    try:
        value = cast("Json", json.loads(text, object_pairs_hook=build))
    except json.JSONDecodeError as error:
        where = f"{file.path}:{error.lineno}:{error.colno}"
        raise LoadError(f"not JSON: {error.msg}", where=where, mend="Mend the syntax") from error
    except RecursionError as error:
        raise _too_deep(file) from error
    except ValueError as error:
        what = "holds a whole number of thousands of digits"
        raise LoadError(what, where=str(file.path), mend="Shorten it") from error
    _refuse_depth(file, value)
    for made, key in doubles:
        _refuse(file, value, partial(operator.is_, made), f"the key {key!r} stands twice in one object")
    if _MAYBE_NOT_FINITE.search(file.content):
        _refuse(file, value, _is_not_finite, "a number is not finite")
    if _SURROGATE.search(file.content):
        _refuse(file, value, _is_broken_text, "a text holds half of a surrogate pair")
    return value


def _is_not_finite(value: Json) -> bool:
    """Tell whether no float can hold a number; whole ones of more than 1000 bits are such too."""
    if isinstance(value, float):
        return not math.isfinite(value)
    return isinstance(value, int) and value.bit_length() > _MOST_BITS


def _is_broken_text(value: Json) -> bool:
    return isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value)


def _refuse_depth(file: InputFile, value: Json) -> None:
    level: list[Json] = [value]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in _children(node) if isinstance(child, dict | list)]
        if not level:
            return
    raise _too_deep(file)


def _too_deep(file: InputFile) -> LoadError:
    return LoadError(f"nested more than {MAX_DEPTH} levels deep", where=str(file.path), mend="Flatten it")


def _children(node: Json) -> list[Json]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []


def _refuse(file: InputFile, value: Json, is_bad: Callable[[Json], bool], what: str) -> None:
    for steps, found in _walk(value):
        if is_bad(found) or (isinstance(found, dict) and any(is_bad(key) for key in found)):
            raise LoadError(what, where=_place(file, value, steps), mend="Correct the value")


def _walk(value: Json) -> Iterator[tuple[tuple[Step, ...], Json]]:
    """Yield every value with the steps that lead to it; depth is bounded by ``MAX_DEPTH``."""
    stack: list[tuple[tuple[Step, ...], Json]] = [((), value)]
    while stack:
        steps, node = stack.pop()
        yield steps, node
        if isinstance(node, dict):
            stack.extend(((*steps, key), child) for key, child in node.items())
        elif isinstance(node, list):
            stack.extend(((*steps, position), child) for position, child in enumerate(node))


def _place(file: InputFile, value: Json, steps: tuple[Step, ...]) -> str:
    """Return file, task (where the file is a list of objects with ids) and path."""
    if isinstance(value, dict) and steps[:1] == ("tasks",):
        value, steps = value["tasks"], steps[1:]
    task = ""
    if isinstance(value, list) and steps and isinstance(steps[0], int):
        entry = value[steps[0]]
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            task, steps = f" task {entry['id']}", steps[1:]
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")
    return f"{file.path}{task} {path}".rstrip()
