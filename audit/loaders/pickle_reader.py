"""Pickles read as plain data: nothing is imported, called or made, whatever the file says.

A pickle is a program. This module is a small machine of its own for the instructions that data needs. A name of a class
or function stays a name, and "call it with these arguments" becomes a record of what was to be called with what.
"""

from __future__ import annotations

import pickletools
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias, Union

from audit.errors import LoadError
from audit.loaders.json_file import InputFile

Plain: TypeAlias = Union[  # noqa: UP007
    bool, int, float, str, bytes, list["Plain"], dict[str | int, "Plain"], tuple["Plain", ...], "Name", "Made", None
]
"""What a pickle may hold. Lists and dicts may hold one another, and themselves: whoever walks them sets limits."""

_MOST_BITS = 1000
_LARGEST_KEY = 2**53
"""Keys are texts or small whole numbers: others can be made to collide."""
_NEWEST = 5
_CUT = "Get the whole file; a run that is stopped while it writes leaves a part"
_UNSAFE = "It is not loaded, and no option does so; ask who sent it, or get the data as JSON"


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a class or function. It is never looked up."""

    module: str
    attribute: str

    def __str__(self) -> str:
        return f"{self.module}.{self.attribute}"


@dataclass(slots=True, eq=False)
class Made:
    """What the file says to make: by which class or function, from what, and with which state afterwards."""

    name: Name
    arguments: tuple[Plain, ...] = field(repr=False)
    state: Plain = field(default=None, repr=False)


class _RefusedError(Exception):
    """An instruction that data does not need; ``mend`` is empty where the file is merely broken."""

    def __init__(self, what: str, mend: str = "") -> None:
        super().__init__(what)
        self.mend = mend


def read_pickle(
    file: InputFile, *, names: Collection[tuple[str, str]], hint: Callable[[Name], str] = lambda _: ""
) -> Plain:
    """Return what a pickle holds.

    Parameters
    ----------
    names
        The classes and functions that the file may name, as exact pairs of module and attribute.
    hint
        What to tell the user of a name that is not among them.

    Raises
    ------
    LoadError
        With the byte, if the file is not a pickle, is cut off, names anything else, or holds an instruction that
        plain data does not need.
    """
    machine = _Machine(frozenset(names), hint)
    position = 0
    try:
        for step, argument, place in pickletools.genops(file.content):
            position = place or 0
            machine.run(step.name, argument)
    except _RefusedError as error:
        mend = error.mend or "Get the file anew"
        raise LoadError(str(error), where=f"{file.path} byte {position}", mend=mend) from error
    except (ValueError, IndexError) as error:
        what = "not a pickle, or one that was cut off"
        raise LoadError(what, where=f"{file.path} after byte {position}", mend=_CUT) from error
    if len(file.content) > position + 1:
        what = f"{len(file.content) - position - 1} bytes follow the end of the pickle"
        raise LoadError(what, where=f"{file.path} byte {position + 1}", mend="Get the file anew")
    return machine.result()


_LITERALS = re.compile(r"BININT[12]?|BINFLOAT|LONG1|SHORT_BINUNICODE|BINUNICODE8?|SHORT_BINBYTES|BINBYTES8?|BYTEARRAY8")
_CONSTANTS: dict[str, Plain] = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_MEANINGS = {
    **dict.fromkeys(("INST", "OBJ", "NEWOBJ_EX"), "make an object of a class"),
    **dict.fromkeys(("PERSID", "BINPERSID", "NEXT_BUFFER"), "take an object from outside the file"),
    **dict.fromkeys(("EXT1", "EXT2", "EXT4"), "take a class from the extension registry"),
}


class _Machine:
    """The stack, the marks on it and the memo."""

    def __init__(self, names: frozenset[tuple[str, str]], hint: Callable[[Name], str]) -> None:
        self._names = names
        self._hint = hint
        self._stack: list[Plain] = []
        self._marks: list[int] = []
        self._memo: dict[int, Plain] = {}

    def run(self, step: str, argument: object) -> None:
        if _LITERALS.fullmatch(step):
            self._stack.append(_literal(argument))
        elif step in _CONSTANTS:
            self._stack.append(_CONSTANTS[step])
        elif step in _TUPLES:
            self._stack.append(tuple(self._take(_TUPLES[step])))
        elif step in _STEPS:
            _STEPS[step](self, argument)
        else:
            meaning = f", which asks to {_MEANINGS[step]}" if step in _MEANINGS else ""
            shown = f" {argument!r:.80}" if isinstance(argument, str) else ""
            raise _RefusedError(f"holds the pickle instruction {step}{shown}{meaning}; plain data needs none", _UNSAFE)

    def result(self) -> Plain:
        return self._stack[-1]

    def stop(self, _: object) -> None:
        if len(self._stack) != 1 or self._marks:
            raise _RefusedError("the pickle ends in the middle of a value")

    def proto(self, version: object) -> None:
        if not isinstance(version, int) or version > _NEWEST:
            raise _RefusedError(f"pickle protocol {version} is not known")

    def mark(self, _: object) -> None:
        self._marks.append(len(self._stack))

    def empty_list(self, _: object) -> None:
        self._stack.append([])

    def empty_dict(self, _: object) -> None:
        self._stack.append({})

    def tuple_of_marked(self, _: object) -> None:
        self._stack.append(tuple(self._marked()))

    def list_of_marked(self, _: object) -> None:
        self._stack.append(self._marked())

    def append(self, _: object) -> None:
        self._extend(self._take(1))

    def appends(self, _: object) -> None:
        self._extend(self._marked())

    def set_item(self, _: object) -> None:
        self._set(self._take(2))

    def set_items(self, _: object) -> None:
        self._set(self._marked())

    def memoize(self, _: object) -> None:
        self._memo[len(self._memo)] = self._top()

    def put(self, index: object) -> None:
        if isinstance(index, int):
            self._memo[index] = self._top()

    def get(self, index: object) -> None:
        if index not in self._memo or not isinstance(index, int):
            raise _RefusedError("uses a value that was not kept")
        self._stack.append(self._memo[index])

    def name(self, argument: object) -> None:
        """Push a name; its parts stand on the stack, or in the instruction with a blank between them."""
        if isinstance(argument, str):
            module, _, attribute = argument.partition(" ")
        else:
            first, second = self._take(2)
            if not isinstance(first, str) or not isinstance(second, str):
                raise _RefusedError("names a class by something that is not a text")
            module, attribute = first, second
        name = Name(module, attribute)
        if (module, attribute) not in self._names:
            raise _RefusedError(f"names {str(name)!r:.120}, which such data does not hold", self._hint(name) or _UNSAFE)
        self._stack.append(name)

    def make(self, _: object) -> None:
        """Push the record of a call, where pickle would call."""
        name, arguments = self._take(2)
        if not isinstance(name, Name) or not isinstance(arguments, tuple):
            raise _RefusedError("calls something that is not a name", _UNSAFE)
        self._stack.append(Made(name, arguments))

    def build(self, _: object) -> None:
        (state,) = self._take(1)
        made = self._top()
        if not isinstance(made, Made):
            raise _RefusedError("sets the state of something that is no object", _UNSAFE)
        if made.state is not None:
            raise _RefusedError("sets the state of an object twice", _UNSAFE)
        made.state = state

    def ignore(self, _: object) -> None:
        """Do nothing: frames only help to read ahead."""

    def _floor(self) -> int:
        return self._marks[-1] if self._marks else 0

    def _top(self) -> Plain:
        if len(self._stack) <= self._floor():
            raise _RefusedError("takes a value where there is none")
        return self._stack[-1]

    def _take(self, n: int) -> list[Plain]:
        if len(self._stack) - n < self._floor():
            raise _RefusedError("takes a value where there is none")
        taken = self._stack[-n:]
        del self._stack[-n:]
        return taken

    def _marked(self) -> list[Plain]:
        if not self._marks:
            raise _RefusedError("takes values up to a mark where there is none")
        start = self._marks.pop()
        taken = self._stack[start:]
        del self._stack[start:]
        return taken

    def _extend(self, values: list[Plain]) -> None:
        target = self._top()
        if not isinstance(target, list):
            raise _RefusedError("adds to something that is no list", _UNSAFE)
        target.extend(values)

    def _set(self, values: list[Plain]) -> None:
        target = self._top()
        if not isinstance(target, dict) or len(values) % 2:
            raise _RefusedError("sets items of something that is no dictionary", _UNSAFE)
        for key, value in _pairs(values):
            target[key] = value


def _pairs(values: list[Plain]) -> Iterator[tuple[str | int, Plain]]:
    for key, value in zip(values[::2], values[1::2], strict=True):
        if isinstance(key, str) or (isinstance(key, int) and abs(key) <= _LARGEST_KEY):
            yield key, value
        else:
            raise _RefusedError("a dictionary has a key that is neither a text nor a small whole number")


def _literal(value: object) -> Plain:
    """Return the value that stands in an instruction."""
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        raise _RefusedError("holds a whole number of hundreds of digits")
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise _RefusedError("a text holds half of a surrogate pair") from error
    if isinstance(value, int | float | str | bytes):
        return value
    raise _RefusedError("holds a value of an unknown kind")


_STEPS: dict[str, Callable[[_Machine, object], None]] = {
    "PROTO": _Machine.proto,
    "FRAME": _Machine.ignore,
    "STOP": _Machine.stop,
    "MARK": _Machine.mark,
    "EMPTY_LIST": _Machine.empty_list,
    "EMPTY_SET": _Machine.empty_list,
    "EMPTY_DICT": _Machine.empty_dict,
    "TUPLE": _Machine.tuple_of_marked,
    "FROZENSET": _Machine.list_of_marked,
    "APPEND": _Machine.append,
    "APPENDS": _Machine.appends,
    "ADDITEMS": _Machine.appends,
    "SETITEM": _Machine.set_item,
    "SETITEMS": _Machine.set_items,
    "MEMOIZE": _Machine.memoize,
    "BINPUT": _Machine.put,
    "LONG_BINPUT": _Machine.put,
    "BINGET": _Machine.get,
    "LONG_BINGET": _Machine.get,
    "GLOBAL": _Machine.name,
    "STACK_GLOBAL": _Machine.name,
    "NEWOBJ": _Machine.make,
    "REDUCE": _Machine.make,
    "BUILD": _Machine.build,
}
"""Sets are read as lists: nothing needs to be hashed for them."""
