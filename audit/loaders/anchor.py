"""A file of frozen verdicts → the anchor, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from audit.errors import LoadError, first_fault
from audit.loaders.json_file import read_input
from audit.records.anchor import Anchor, FrozenVerdict

FORMAT = "bench-audit/anchor"
_MEND = "Name a file that an earlier study stability wrote with --save-anchor"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class _Verdict(_Part):
    judge: str
    criterion: str
    task_id: str
    trial: int
    score: float | None
    violated: list[str] | None
    model: str
    prompt_hash: str
    asked_at: str


class _File(_Part):
    format: Literal["bench-audit/anchor"]
    format_version: Literal[1]
    tool_version: str
    created_at: str
    benchmark: str
    tasks: dict[str, str]
    verdicts: list[_Verdict]


def read_anchor(path: Path) -> Anchor:
    """Read frozen verdicts.

    Raises
    ------
    LoadError
        If the file can't be read or is no anchor.
    """
    content = read_input(path, root=path.parent, role="anchor").content
    try:
        file = _File.model_validate_json(content)
    except ValidationError as error:
        raise LoadError(f"is no anchor: {first_fault(error)}", where=str(path), mend=_MEND) from error
    verdicts = (
        FrozenVerdict(**{**dict(each), "violated": None if each.violated is None else tuple(each.violated)})
        for each in file.verdicts
    )
    return Anchor(file.benchmark, file.created_at, file.tasks, tuple(verdicts), where=str(path))


def write_anchor(anchor: Anchor, *, tool_version: str) -> bytes:
    """Return an anchor as the file that :func:`read_anchor` reads."""
    document = {
        "format": FORMAT,
        "format_version": 1,
        "tool_version": tool_version,
        "created_at": anchor.created_at,
        "benchmark": anchor.benchmark,
        "tasks": dict(anchor.tasks),
        "verdicts": [
            {name: getattr(each, name) for name in FrozenVerdict.__dataclass_fields__} for each in anchor.verdicts
        ],
    }
    return f"{json.dumps(document, indent=1)}\n".encode()
