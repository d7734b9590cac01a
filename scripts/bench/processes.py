"""Commands in processes of their own: what each used, and a judge's server to ask."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts.bench.server import Counts, Manner

REPO = Path(__file__).resolve().parent.parent.parent
BENCH_AUDIT = (sys.executable, "-c", "from audit.cli.main import run; run()")
"""What the installed command does."""
OWN_MODULES = {"PYTHONPATH": str(REPO)}
"""The environment in which Python finds the modules of this folder."""
_LAUNCH = (sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py")))
_OURS = ("BENCH_AUDIT_", "OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_")


@dataclass(frozen=True, slots=True)
class Used:
    """One command from start to end; ``error`` says why it did not finish, and is empty when it did.

    Parameters
    ----------
    seconds, cpu_seconds, memory_mb
        Wall clock, which other work on the machine lengthens; work done, with the children's; the greatest resident
        memory of one process.
    output
        The end of what it wrote to stdout.
    """

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    memory_mb: float = 0.0
    error: str = ""
    output: str = ""


@dataclass(frozen=True, slots=True)
class Server:
    """A judge's server that runs."""

    url: str

    def counts(self) -> Counts:
        """Ask it what it did so far."""
        with urllib.request.urlopen(self.url.removesuffix("/v1") + "/count", timeout=30) as reply:  # noqa: S310  # our own
            return Counts(**json.load(reply))


def measure(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    folder: Path | None = None,
    codes: Sequence[int] = (0,),
    timeout_s: float = 900.0,
) -> Used:
    """Run a command, whose first word is a path, and tell what it used.

    Parameters
    ----------
    env
        Beside what the environment has; variables of our own and of judges' keys are taken out of that.
    folder
        Where it runs.
    codes
        Exit codes that are no error.
    """
    with tempfile.TemporaryDirectory() as own:
        report = Path(own) / "used"
        code, output, errors = _run([*_LAUNCH, str(report), *command], clean_environment(env), folder, timeout_s)
        if code is None:
            return Used(error=f"did not end within {timeout_s:.0f} s")
        told = report.read_text(encoding="ascii").split() if report.is_file() else None
    error = "" if code in codes and told else pick_error(errors) or f"exit code {code}"
    seconds, cpu_seconds, memory = map(float, told or (0, 0, 0))
    return Used(seconds, cpu_seconds, memory / 2**20, error=error, output=output[-2000:])


def pick_error(said: str) -> str:
    """Return the line of a program's messages that says what went wrong: the last with "error" in it, or the last."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if "error" in line.lower()), lines[-1] if lines else "")


def _run(
    command: Sequence[str], env: Mapping[str, str], folder: Path | None, timeout_s: float
) -> tuple[int | None, str, str]:
    """Run a command in a process group of its own, which is ended when its time is over."""
    with subprocess.Popen(  # noqa: S603  # our own command
        command,
        env=env,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            output, errors = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, "", ""
        return process.returncode, output, errors


def clean_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return this process's environment without keys and settings, with ``more`` beside it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    return {**kept, **(more or {})}


@contextmanager
def serving(manner: Manner) -> Iterator[Server]:
    """Run the judge's server in a process of its own as long as the block runs."""
    flags = [f"--{name.removesuffix('_s')}={value}" for name, value in asdict(manner).items()]
    command = [sys.executable, "-m", "scripts.bench.server", *flags]
    with subprocess.Popen(command, cwd=REPO, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  # our own
        assert process.stdout is not None
        try:
            yield Server(process.stdout.readline().strip())
        finally:
            process.terminate()
