"""Which column of a table holds its rows' ids, by the columns' names alone."""

from __future__ import annotations

from collections.abc import Sequence

_ENDINGS = ("_id", "_number", "_no", "_code", "_key")


def key_column(table: str, columns: Sequence[str]) -> str | None:
    """Return the column of a table's ids: the one named for the table, else ``id``, else the first that ends like one.

    Examples
    --------
    >>> key_column("products", ["name", "product_id"]), key_column("flights", ["flight_number", "origin"])
    ('product_id', 'flight_number')
    >>> key_column("notes", ["text"]) is None
    True
    """
    single = singular(table)
    named = (*(f"{single}{ending}" for ending in _ENDINGS), "id", f"{single}id")
    found = next((column for column in columns if column.lower() in named), None)
    return found or next((column for column in columns if column.lower().endswith(_ENDINGS)), None)


def singular(table: str) -> str:
    """Return the word for one row of a table.

    Examples
    --------
    >>> singular("reservations"), singular("categories"), singular("Staff")
    ('reservation', 'category', 'staff')
    """
    name = table.lower()
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")
