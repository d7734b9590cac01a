"""What ``bench-audit new-benchmark`` writes."""

from __future__ import annotations

import re
from pathlib import Path

from audit.cli.output import check_writable, say, write_file, write_lines
from audit.errors import OutputError, UsageError
from audit.resources import resource
from audit.sources.manifest import read_manifests
from audit.sources.own import MANIFEST, NAME

_PLACEHOLDER = "@NAME@"


def run(folder: Path, *, name: str | None) -> int:
    """Write the skeleton and return the exit code."""
    folder = folder.expanduser()
    chosen = _choose_name(folder, name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError("is there already, and is no empty folder", where=str(folder), mend="Choose another DIR")
    templates = resource("benchmarks", "skeleton")
    names = sorted(path.relative_to(templates) for path in templates.rglob("*") if path.is_file())
    for each in names:
        content = (templates / each).read_text(encoding="utf-8").replace(_PLACEHOLDER, chosen)
        check_writable(folder / each)
        write_file(folder / each, content.encode())
    write_lines(*(str(folder / each) for each in names))
    say(f"Begin with {folder / MANIFEST}. Look at it: bench-audit check {folder}")
    say(f"By its name: bench-audit score {chosen}/desk --data-dir {folder.parent}")
    return 0


def _choose_name(folder: Path, name: str | None) -> str:
    chosen = re.sub(r"[^\w.-]+", "-", folder.resolve().name).strip("-.") if name is None else name
    if not re.fullmatch(NAME, chosen):
        what = f"{chosen!r} is no name for a set: use letters, digits, '-', '_' and '.'"
        raise UsageError(what, where="--name", mend="Choose another")
    if chosen in read_manifests():
        what = f"the name {chosen!r} belongs to a set that bench-audit knows"
        raise UsageError(what, where="--name", mend="Choose another")
    return chosen
