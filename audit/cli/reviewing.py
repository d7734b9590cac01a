"""What ``bench-audit policy review`` does with its flags."""

from __future__ import annotations

import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from audit.cli.output import check_writable, say, write_file, write_lines
from audit.errors import LoadError, OutputError, UsageError
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
    try:
        server = ReviewServer(session, port=flags.port)
    except OSError as error:
        what = f"no page can be served on this port: {error.strerror}"
        raise OutputError(what, where=f"--port {flags.port}", mend="Leave --port out") from error
    with server, _stopped_by_signals(server):
        write_lines(server.url)
        say("The page is for this machine alone, and saves after every step. Ctrl-C ends it.")
        if not flags.no_browser and _has_screen():
            webbrowser.open(server.url)
        server.serve_forever(poll_interval=0.2)
    say(_describe(session.item_set, flags.items_file))
    return 0


@contextmanager
def _stopped_by_signals(server: ReviewServer) -> Iterator[None]:
    """Let Ctrl-C, and the end of the session, end the server and not the program."""

    def stop(_number: int, _frame: object) -> None:
        threading.Thread(target=server.shutdown, daemon=True).start()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _has_screen() -> bool:
    """Tell whether a browser would open in a window: one that opens in the terminal would take this one over."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _describe(item_set: ItemSet, path: Path) -> str:
    counts = ", ".join(f"{item_set.count(review)} {review.value}" for review in Review)
    return f"{numbers.plural(len(item_set.items), 'item')} ({counts}), {len(item_set.used)} used by score: {path}"
