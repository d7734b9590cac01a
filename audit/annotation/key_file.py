"""The file that tells which task stands behind each code of a sheet; not for raters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from audit.annotation.making import identify
from audit.errors import LoadError, first_fault
from audit.loaders.json_file import parse_json, read_input
from audit.records.annotation import Sheet
from audit.reports.plain import dump, fields_of

FORMAT = "bench-audit/annotation-key"
SUFFIX = ".key.json"
_MEND = "Give the file that annotate export wrote beside the sheet"


class _Head(BaseModel):
    model_config = ConfigDict(extra="ignore")

    format: str
    format_version: int


_SHEET = TypeAdapter(Sheet)


def write_key(sheet: Sheet, *, tool_version: str) -> bytes:
    """Return the key of a sheet: everything that it asks, and which task each code is."""
    document = {"format": FORMAT, "format_version": 1, "tool_version": tool_version, **fields_of(sheet)}
    return f"{dump(document)}\n".encode()


def read_key(path: Path) -> Sheet:
    """Read a sheet's key.

    Raises
    ------
    LoadError
        If the file can't be read, is no key, or was changed since.
    """
    document = parse_json(read_input(path, root=path.parent, role="key"))
    try:
        head = _Head.model_validate(document)
        if (head.format, head.format_version) != (FORMAT, 1):
            raise LoadError("is no key of a sheet", where=str(path), mend=_MEND)
        sheet = _SHEET.validate_python(document)
    except ValidationError as error:
        raise LoadError(f"is no key of a sheet: {first_fault(error)}", where=str(path), mend=_MEND) from error
    if identify(sheet).id != sheet.id:
        raise LoadError("what this key asks was changed since the sheet was written", where=str(path), mend=_MEND)
    return sheet


def find_keys(named: Sequence[Path], sheets: Iterable[Path]) -> dict[str, Sheet]:
    """Return sheets by id: those of the keys that the user named, or else of every key beside a filled sheet."""
    paths = named or sorted({key for sheet in sheets for key in sheet.parent.glob(f"*{SUFFIX}")})
    found = [read_key(path) for path in paths]
    return {sheet.id: sheet for sheet in found}
