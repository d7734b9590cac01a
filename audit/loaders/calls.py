"""Function calls in words: gold actions, preparations and earlier messages."""

from __future__ import annotations

from collections.abc import Mapping

from audit.loaders.entry import Entry, as_json
from audit.records.task import Json

CALLERS = ("assistant", "user")


def write_call(name: str, arguments: Mapping[str, Json]) -> str:
    """Return a call as one line.

    Examples
    --------
    >>> write_call("cancel", {"loan_id": "L1", "days": 3})
    'cancel(loan_id="L1", days=3)'
    """
    return f"{name}({', '.join(f'{key}={as_json(value)}' for key, value in arguments.items())})"


def read_call(entry: Entry, *, name: str = "name") -> str:
    """Return the call that ``entry`` holds, its function's name being in the field ``name``."""
    return write_call(entry.need_text(name), entry.mapping("arguments") or {})


def read_side(entry: Entry, field: str) -> str:
    """Return who acts, the assistant where the field is absent."""
    side = entry.text(field) or CALLERS[0]
    if side not in CALLERS:
        raise entry.error(f"must be 'assistant' or 'user', not {side!r}", field=field, mend="Correct the field")
    return side
