"""Records as keys of caches by what they are, not by what they hold."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Same(Generic[T]):
    """A value as a key of a cache: two are equal if they were made of the very same objects.

    Parameters
    ----------
    value
        What the cache's function works on; the key keeps it alive.
    parts
        What makes it the same; the value itself where none are given.

    Examples
    --------
    >>> row = {"id": 1}
    >>> Same(row) == Same(row), Same(row) == Same({"id": 1})
    (True, False)
    """

    __slots__ = ("_parts", "value")

    def __init__(self, value: T, *parts: object) -> None:
        self.value = value
        self._parts = parts or (value,)

    def __hash__(self) -> int:
        return hash(tuple(map(id, self._parts)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and [*map(id, self._parts)] == [*map(id, other._parts)]
