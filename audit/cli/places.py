"""Where a benchmark's files are, from the flags that every command with a benchmark has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from audit.inspection import Places
from audit.loaders.columns import read_mapping

_FLAGS = frozenset({"data_dir", "policy", "database", "tools", "policy_items", "columns", "style"})


def with_places(parsed: Mapping[str, Any]) -> dict[str, Any]:
    """Return a command's flags with those of ``place_options`` as one record, ``places``.

    Raises
    ------
    UsageError
        If a value of ``--map`` can't be read.
    """
    items = parsed["policy_items"]
    places = Places(
        parsed["data_dir"],
        parsed["policy"],
        parsed["database"],
        parsed["tools"],
        use_items=items != "none",
        items=None if items in ("auto", "none") else Path(items),
        columns=read_mapping(parsed["columns"]),
        style=parsed["style"],
    )
    return {name: value for name, value in parsed.items() if name not in _FLAGS} | {"places": places}
