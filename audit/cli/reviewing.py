"""What ``bench-audit policy review`` does with its flags."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from audit.cli.loopback import listen, serve
from audit.cli.output import check_writable, say, write_file
from audit.errors import LoadError, UsageError
from audit.loaders.item_set import read_item_set
from audit.loaders.json_file import read_input
from audit.policies.documents import find_document, read_document
from audit.policies.server import ReviewServer
from audit.policies.session import ReviewSession
from audit.policies.sheet import apply_sheet, read_sheet, write_csv, write_markdown
from audit.records.item_set import ItemSet, Review
from audit.records.policy import Policy
from audit.reports import numbers
from audit.writers.item_set import render_item_set

_SHEETS = (".csv", ".md")


@dataclass(frozen=True, slots=True)
class ReviewFlags:
    """The command's flags as click parsed them."""

    items_file: Path
    document: Path | None
    export_path: Path | None
    import_path: Path | None
    port: int
    no_browser: bool


def run(flags: ReviewFlags) -> int:
    """Serve the page, or write or read a sheet; return the exit code."""
    if flags.export_path is not None and flags.import_path is not None:
        raise UsageError("--export and --import exclude each other", where="policy review", mend="Give one of them")
    item_set = read_item_set(flags.items_file)
    named = None if flags.document is None else read_document(flags.document)
    policy = find_document(item_set, flags.items_file, named=named)
    if flags.export_path is not None:
        return _export(item_set, policy, flags.export_path)
    check_writable(flags.items_file)
    if flags.import_path is not None:
        return _import(item_set, policy, flags)
    return _serve(flags, policy)


def _is_markdown(path: Path, *, flag: str) -> bool:
    if path.suffix.lower() not in _SHEETS:
        raise UsageError("a sheet's name ends in .csv or .md", where=f"{flag} {path}", mend="Name it so")
    return path.suffix.lower() == ".md"


def _export(item_set: ItemSet, policy: Policy, path: Path) -> int:
    write = write_markdown if _is_markdown(path, flag="--export") else write_csv
    check_writable(path)
    write_file(path, write(item_set, policy.text))
    say(f"{numbers.plural(len(item_set.items), 'item')} to fill in: {path}")
    return 0


def _import(item_set: ItemSet, policy: Policy, flags: ReviewFlags) -> int:
    path = flags.import_path
    assert path is not None, "the caller has looked"
    is_markdown = _is_markdown(path, flag="--import")
    content = read_input(path, root=path.parent, role="sheet").content
    rows = read_sheet(content, is_markdown=is_markdown, where=str(path))
    after, bad = apply_sheet(item_set, rows, text=policy.text)
    for cell in bad:
        say(f"{path}: {cell.where}: {cell.problem}.")
    if bad:
        what = f"{numbers.plural(len(bad), 'cell')} can't be used, and nothing was changed"
        raise LoadError(what, where=str(path), mend="Correct the sheet and read it again")
    write_file(flags.items_file, render_item_set(after).encode())
    say(_describe(after, flags.items_file))
    return 0


def _serve(flags: ReviewFlags, policy: Policy) -> int:
    session = ReviewSession(flags.items_file, policy, save=write_file)
    server = listen(lambda: ReviewServer(session, port=flags.port), port=flags.port)
    said = "The page is for this machine alone, and saves after every step. Ctrl-C ends it."
    serve(server, server.url, said=said, is_opened=not flags.no_browser)
    say(_describe(session.item_set, flags.items_file))
    return 0


def _describe(item_set: ItemSet, path: Path) -> str:
    counts = ", ".join(f"{item_set.count(review)} {review.value}" for review in Review)
    return f"{numbers.plural(len(item_set.items), 'item')} ({counts}), {len(item_set.used)} used by score: {path}"
