"""Start a command, wait for it, and write down what the system says that it used: ``launch.py REPORT COMMAND …``.

It imports next to nothing: a process's peak of memory begins with the size of the one that started it.
"""

import os
import sys
import time


def main() -> int:
    """Write seconds, processor seconds and the greatest resident memory, with that of its children."""
    report, command = sys.argv[1], sys.argv[2:]
    start = time.monotonic()
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, used = os.wait4(pid, 0)
    seconds = time.monotonic() - start
    memory = used.ru_maxrss if sys.platform == "darwin" else used.ru_maxrss * 1024
    with open(report, "w", encoding="ascii") as file:  # noqa: PTH123  # pathlib would be the greatest part of this process
        file.write(f"{seconds} {used.ru_utime + used.ru_stime} {memory}")
    return os.waitstatus_to_exitcode(status) % 256


if __name__ == "__main__":
    raise SystemExit(main())
