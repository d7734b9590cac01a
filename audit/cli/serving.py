"""What ``bench-audit serve`` does with its flags."""

from __future__ import annotations

from pathlib import Path

from audit.cli.loopback import listen, serve
from audit.cli.output import say
from audit.errors import LoadError
from audit.reports import numbers
from audit.serving.server import ShelfServer
from audit.serving.shelf import Shelf


def run(folder: Path, *, port: int, is_opened: bool) -> int:
    """Serve the folder until the user ends it, and return the exit code."""
    folder = folder.expanduser()
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "there is no such folder"
        raise LoadError(what, where=str(folder), mend="Name the folder that your runs are in")
    shelf = Shelf(folder)
    server = listen(lambda: ShelfServer(shelf, port=port), port=port)
    n = numbers.plural(len(shelf.entries()), "file")
    serve(server, server.url, said=f"{n}. For this machine alone, read only. Ctrl-C ends it.", is_opened=is_opened)
    say("Ended.")
    return 0
