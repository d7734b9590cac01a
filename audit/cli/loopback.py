"""Pages for this machine alone, served until the user ends them."""

from __future__ import annotations

import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from audit.cli.output import say, write_lines
from audit.errors import OutputError
from audit.loopback import LoopbackServer

Server = TypeVar("Server", bound=LoopbackServer)


def listen(make: Callable[[], Server], *, port: int) -> Server:
    """Return the server that ``make`` starts.

    Raises
    ------
    OutputError
        If the port is taken or not ours to take.
    """
    try:
        return make()
    except OSError as error:
        what = f"no page can be served on this port: {error.strerror}"
        raise OutputError(what, where=f"--port {port}", mend="Leave --port out") from error


def serve(server: LoopbackServer, url: str, *, said: str, is_opened: bool) -> None:
    """Print the address, open it where there is a screen, and answer until Ctrl-C."""
    with server, _stopped_by_signals(server):
        write_lines(url)
        say(said)
        if is_opened and _has_screen():
            webbrowser.open(url)
        server.serve_forever(poll_interval=0.2)


@contextmanager
def _stopped_by_signals(server: LoopbackServer) -> Iterator[None]:
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
