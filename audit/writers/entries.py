"""Entries of tasks as the text that stands in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping

from audit.records.task import Json


def spell_entry(text: str, raw: Mapping[str, Json], *, indent: int | None = None, margin: str = "") -> str:
    r"""Return the text of an entry: as it stands where it still says the same in the same order, else written anew.

    Parameters
    ----------
    text
        The entry in the file.
    raw
        The entry as the task has it.
    indent, margin
        How to lay out one that is written anew.

    Examples
    --------
    >>> spell_entry('{"id":1}', {"id": 1}), spell_entry('{"id":1}', {"id": 2})
    ('{"id":1}', '{"id": 2}')
    """
    if json.dumps(json.loads(text)) == json.dumps(raw):
        return text
    return json.dumps(raw, ensure_ascii=False, indent=indent).replace("\n", f"\n{margin}")
