"""Which files hold instances."""

from __future__ import annotations

import json
from pathlib import Path

from audit.plans.instance import is_instance

_PATTERNS = ("*.jsonl", "*/*.jsonl", "*/*/*.jsonl")
_MOST_READ = 2_000_000
"""Bytes of a file's beginning that are looked at."""


def find_record_files(folder: Path) -> list[Path]:
    """Return the files of instances in a folder and two levels below, by name."""
    return sorted(path for pattern in _PATTERNS for path in folder.glob(pattern) if is_record_file(path))


def is_record_file(path: Path) -> bool:
    """Return whether the first line that is not blank is an instance; a file that can't be read holds none."""
    if path.suffix != ".jsonl" or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            head = file.read(_MOST_READ).removeprefix(b"\xef\xbb\xbf").lstrip()
        found = json.loads(head.partition(b"\n")[0])
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and is_instance(found)
