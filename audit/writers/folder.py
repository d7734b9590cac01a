"""A folder that is there whole or not at all."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

from audit.errors import OutputError


def check_target(target: Path, *, may_replace: bool, names: Collection[str]) -> None:
    """Raise :class:`OutputError` unless a folder may be written at ``target``.

    Parameters
    ----------
    may_replace
        Whether a folder that is not empty may be replaced; only one that holds no other files than ``names``.
    names
        Files below it that an earlier pass wrote.
    """
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise OutputError("is there and no folder", where=str(target), mend="Name a new folder with --out")
    held = {path.relative_to(target).as_posix() for path in target.rglob("*") if not path.is_dir() or path.is_symlink()}
    if held and not may_replace:
        raise OutputError("the folder is not empty", where=str(target), mend="Name a new folder, or add --force")
    if foreign := sorted(held - set(names)):
        what = f"the folder holds {foreign[0]!r}, which no export wrote"
        raise OutputError(what, where=str(target), mend="Name another folder: --force replaces earlier exports only")


def stated_files(target: Path, *, record: str, form: str) -> frozenset[str]:
    """Return the files below ``target`` that the record of an earlier pass says it wrote, the record included.

    Parameters
    ----------
    record
        The record's name: JSON with ``format`` and ``files``.
    form
        Its format. Nothing is returned where there is none of that format.
    """
    try:
        stated = json.loads((target / record).read_bytes())
    except (OSError, ValueError):
        return frozenset()
    if not isinstance(stated, dict) or stated.get("format") != form or not isinstance(stated.get("files"), list):
        return frozenset()
    return frozenset((*map(str, stated["files"]), record))


@contextlib.contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Give a temporary folder to fill, which becomes ``target`` at the end; after an error nothing has changed.

    Raises
    ------
    OutputError
        If a file or a folder can't be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        try:
            filled = work / "new"
            filled.mkdir()
            yield filled
            if target.exists():
                target.rename(work / "old")
            try:
                filled.rename(target)
            except OSError:
                if (work / "old").exists():
                    (work / "old").rename(target)
                raise
        finally:
            shutil.rmtree(work, ignore_errors=True)
    except OSError as error:
        raise OutputError(
            f"can't be written: {error.strerror}", where=str(target), mend="Choose another place"
        ) from error
