"""The only writer to stdout and stderr, and to the files that a user names."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from audit.errors import OutputError

_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]"
)


def harmless(text: str) -> str:
    r"""Return ``text`` with control and direction characters written as escapes, safe for a terminal.

    Examples
    --------
    >>> harmless("\x1b[31mred")
    '\\x1b[31mred'
    """
    return _CONTROL.sub(lambda match: match.group().encode("unicode_escape").decode(), text)


def one_line(text: str) -> str:
    r"""Return :func:`harmless` ``text`` without line breaks, which could pass for lines of ours.

    Examples
    --------
    >>> one_line("task 7\nReport: fine")
    'task 7\\nReport: fine'
    """
    return harmless(text).replace("\n", "\\n")


def write_result(content: bytes) -> None:
    """Write a command's result to stdout; a reader that has enough, such as ``head``, is no error."""
    if sys.stdout is None:
        raise OutputError("is closed", where="stdout", mend="Name a file with --output")
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_stdout()
    except OSError as error:
        _drop_stdout()
        mend = "Name a file with --output"
        raise OutputError(f"can't be written: {error.strerror}", where="stdout", mend=mend) from error


def _drop_stdout() -> None:
    """Let what is still to be written go nowhere, so that the end of the process does not fail over it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def terminal_width(otherwise: int) -> int:
    """Return how many columns the terminal has that stdout is; ``otherwise`` where it is none, such as a pipe."""
    if sys.stdout is None or not sys.stdout.isatty():
        return otherwise
    return shutil.get_terminal_size((otherwise, 24)).columns


def write_lines(*lines: str) -> None:
    """Write lines of a command's result to stdout."""
    write_result("".join(f"{harmless(line)}\n" for line in lines).encode(errors="backslashreplace"))


def say(message: str) -> None:
    """Write one line of progress, summary or error to stderr."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):  # nobody is left to be told
            sys.stderr.write(f"{one_line(message)}\n")
            sys.stderr.flush()


def check_writable(path: Path) -> None:
    """Raise :class:`OutputError` now if ``path`` could not be written at the end."""
    folder = path.parent
    try:
        is_folder = path.is_dir()
    except OSError as error:  # a name that no disk takes
        mend = "Choose another name"
        raise OutputError(f"can't be written: {error.strerror}", where=str(path), mend=mend) from error
    if is_folder:
        raise OutputError("is a folder, not a file", where=str(path), mend="Name a file")
    if not folder.is_dir():
        _make_folder(folder)
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise OutputError("can't be written", where=str(path), mend="Choose another place or mend its permissions")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        mend = "Choose another place"
        raise OutputError(f"folder can't be made: {error.strerror}", where=str(folder), mend=mend) from error


def write_file(path: Path, content: bytes) -> None:
    """Write ``content`` to ``path`` whole or not at all."""
    try:
        with _replacement(path) as temporary:
            temporary.write_bytes(content)
    except OSError as error:
        mend = "Choose another place or free some space"
        raise OutputError(f"can't be written: {error.strerror}", where=str(path), mend=mend) from error


@contextlib.contextmanager
def _replacement(path: Path) -> Iterator[Path]:
    if path.exists() and not path.is_file():  # a device or pipe, such as /dev/stdout
        yield path
        return
    descriptor, name = tempfile.mkstemp(prefix=".bench-audit.", dir=path.parent)
    os.close(descriptor)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
