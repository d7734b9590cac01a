"""Any domain of an installed tau2 package as an environment; its code runs in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Final

from audit.environments.protocol import Outcome, State
from audit.environments.toolset import BAD_ARGUMENTS, UNKNOWN_TOOL
from audit.environments.view import Ref, change_rows, remove_rows
from audit.errors import AuditError, UsageError
from audit.records.task import Action, Benchmark, Json, Origin, ToolKind

PYTHON_VARIABLE: Final = "BENCH_AUDIT_TAU2_PYTHON"
"""Names the Python that has tau2; without it, it is looked for in the one that runs bench-audit."""
_PROGRAM: Final = Path(__file__).parent / "child" / "serve_tau2.py"
_SECRETS: Final = ("KEY", "TOKEN", "SECRET", "PASSWORD")
_QUIET: Final = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LOGURU_LEVEL": "ERROR"}
"""Keeps what tau2 imports from asking the network for prices, and its log short."""
_KINDS: Final = {"read": ToolKind.READ, "write": ToolKind.WRITE, "generic": ToolKind.GENERIC, "think": ToolKind.GENERIC}
_INSTALL: Final = f"Install it with pip install 'bench-audit[tau2]', or name a Python that has it in {PYTHON_VARIABLE}"


class Tau2State(dict[str, Mapping[str, Json]]):
    """A state and the way to it, for the process can only walk: a task's setup and its calls so far."""

    def __init__(self, tables: State, setup: Mapping[str, Json], calls: tuple[Mapping[str, Any], ...]) -> None:
        super().__init__(tables)
        self.setup = setup
        self.calls = calls


class Tau2Environment:
    """One domain that is registered in a tau2 installation.

    Parameters
    ----------
    domain
        As tau2 knows it, such as ``telecom``.
    tasks
        The tasks as parsed, by id; their initial states are set up in the process.
    python
        The Python that has tau2; by default what :data:`PYTHON_VARIABLE` says, else the one running.
    timeout_s
        How long one answer may take; the first one includes loading the package.

    Raises
    ------
    UsageError
        If there is no such Python, no tau2 in it, another package of that name, or no such domain.
    AuditError
        From every method, if the process ends or gives no answer in time.
    """

    def __init__(
        self,
        domain: str,
        *,
        tasks: Mapping[str, Mapping[str, Json]],
        python: str | None = None,
        timeout_s: float = 120.0,
    ) -> None:
        self.name = f"tau2:{domain}"
        self._tasks = tasks
        self.timeout_s = timeout_s
        self._process = _Process(python or os.environ.get(PYTHON_VARIABLE) or sys.executable)
        opened = self._ask({"do": "open", "domain": domain})
        if "problem" in opened:
            raise _refusal(domain, opened, self._process)
        self._kinds = {
            (caller, name): _KINDS.get(kind, ToolKind.UNKNOWN)
            for caller, kinds in opened["tools"].items()
            for name, kind in kinds.items()
        }
        self._base: State = opened["tables"]
        self._starts: dict[str, tuple[Tau2State, tuple[Outcome, ...]]] = {}

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def kind_of(self, action: Action) -> ToolKind:
        """Return the kind of the tool that the action's requestor calls; unknown if there is no such tool."""
        return self._kinds.get((action.requestor, action.name), ToolKind.UNKNOWN)

    def setup(self, task_id: str) -> tuple[Outcome, ...]:
        """Return the calls that the task makes before the talk begins, in order, all with the state after them."""
        return self._start(task_id)[1]

    def initial_state(self, task_id: str) -> State:
        """Return the state in which the task starts."""
        return self._start(task_id)[0]

    def check_database(self, database: State) -> None:
        """Raise a :class:`UsageError` if a table of ``database`` has other rows than the domain's own."""
        for table in sorted(database.keys() & self._base.keys()):
            if other := sorted(database[table].keys() ^ self._base[table].keys()):
                self.close()
                what = f"tau2 has another database: row {other[0]!r} of {table} is in only one of them"
                raise UsageError(
                    what, where=self.name, mend=f"Name the Python of your own version in {PYTHON_VARIABLE}"
                )

    def call(self, state: State, action: Action) -> Outcome:
        """Run one tool."""
        if (action.requestor, action.name) not in self._kinds:
            return Outcome(action, None, UNKNOWN_TOOL, (), state)
        return self._run(state, action, is_function=False)

    def run(self, state: State, function: Action) -> Outcome:
        """Run a tool or a function of the domain's toolkits."""
        return self._run(state, function, is_function=True)

    def _ask(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._process.ask(request, timeout_s=self.timeout_s)

    def _start(self, task_id: str) -> tuple[Tau2State, tuple[Outcome, ...]]:
        if task_id not in self._starts:
            raw = self._tasks[task_id].get("initial_state") if task_id in self._tasks else None
            setup = raw if isinstance(raw, Mapping) else {}
            answer = self._ask({"do": "run", "setup": setup, "calls": []})
            state = Tau2State(_apply(self._base, answer["changes"])[0], setup, ())
            self._starts[task_id] = state, tuple(_read_setup(entry, state) for entry in answer["setup"])
        return self._starts[task_id]

    def _run(self, state: State, action: Action, *, is_function: bool) -> Outcome:
        if not isinstance(state, Tau2State):
            raise TypeError("a state of another environment")
        call = {"name": action.name, "arguments": action.arguments, "caller": action.requestor}
        calls = (*state.calls, {**call, "is_function": is_function})
        answer = self._ask({"do": "run", "setup": state.setup, "calls": calls})
        tables, changed = _apply(state, answer["changes"])
        after = Tau2State(tables, state.setup, calls)
        error, detail = _read_error(answer)
        return Outcome(action, answer["result"], error, changed, after, detail)


def open_tau2(benchmark: Benchmark, domain: str) -> Tau2Environment:
    """Return the environment of a tau2 domain for a benchmark's tasks."""
    tasks = {task.id: task.raw for task in (*benchmark.corpus, *benchmark.tasks)}
    environment = Tau2Environment(domain, tasks=tasks)
    environment.check_database(benchmark.database)
    return environment


def _apply(state: State, changes: Mapping[str, Mapping[str, Json]]) -> tuple[State, tuple[Ref, ...]]:
    rows = {(table, key): row for table, entries in changes.items() for key, row in entries.items()}
    gone = tuple(ref for ref, row in rows.items() if row is None)
    kept = {ref: row for ref, row in rows.items() if row is not None}
    return remove_rows(change_rows(dict(state), kept), gone), tuple(rows)


def _read_error(answer: Mapping[str, Any]) -> tuple[str, str]:
    """Return kind and detail; a call that doesn't fit the signature gets the kind that our own tools give it."""
    error, detail = str(answer["error"]), str(answer["detail"])
    if detail == "TypeError" and ("unexpected keyword argument" in error or "required positional argument" in error):
        return BAD_ARGUMENTS, error
    return error, ""


def _read_setup(entry: Mapping[str, Any], state: State) -> Outcome:
    origin = Origin("", "initial_state")
    action = Action(entry["name"], entry["arguments"], ToolKind.UNKNOWN, origin, entry["caller"])
    error, detail = _read_error(entry)
    return Outcome(action, entry["result"], error, (), state, detail)


def _refusal(domain: str, opened: Mapping[str, Any], process: _Process) -> UsageError:
    process.close()
    if opened["problem"] == "missing":
        return UsageError("tau2 is not installed", where=process.python, mend=_INSTALL)
    if opened["problem"] == "other package":
        what = "the installed package tau2 is another one than tau2-bench's"
        return UsageError(what, where=process.python, mend=f"Remove it. {_INSTALL}")
    return UsageError(f"tau2 has no domain {domain!r}", where=process.python, mend=f"There are: {opened['detail']}")


class _Process:
    """The program in a Python of its own, asked one line at a time."""

    def __init__(self, python: str) -> None:
        self.python = python
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # open as long as the process
        kept = {k: v for k, v in os.environ.items() if not any(word in k.upper() for word in _SECRETS)}
        try:
            self._child = subprocess.Popen(  # noqa: S603  # the user's own Python, no shell
                [python, str(_PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
                encoding="utf-8",
                env={**kept, **_QUIET},
            )
        except OSError as error:
            self._errors.close()
            what = f"this Python can't be started ({error.strerror})"
            raise UsageError(what, where=python, mend=f"Correct {PYTHON_VARIABLE}") from error
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        reader = threading.Thread(target=_pass_lines, args=(self._child.stdout, self._lines), daemon=True)
        reader.start()
        self.close = weakref.finalize(self, _end, self._child, reader, self._errors)

    def ask(self, request: Mapping[str, Any], *, timeout_s: float) -> Mapping[str, Any]:
        """Return the answer to a request."""
        if not self.close.alive:
            raise AuditError("the tau2 process has ended", where=self.python, mend="Start again")
        with contextlib.suppress(OSError):  # a child that has ended says why below
            _pipe(self._child.stdin).write(json.dumps(request) + "\n")
            _pipe(self._child.stdin).flush()
        try:
            line = self._lines.get(timeout=timeout_s)
        except queue.Empty:
            self.close()
            what = f"the tau2 process gave no answer in {timeout_s:g} s"
            raise AuditError(what, where=self.python, mend="Try its tools by hand in that Python") from None
        if not line:
            raise self._ended()
        answer: Mapping[str, Any] = json.loads(line)
        return answer

    def _ended(self) -> AuditError:
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip().splitlines()
        self.close()
        reason = f" ({said[-1]})" if said else ""
        return AuditError(f"the tau2 process ended{reason}", where=self.python, mend="Try tau2 by hand in that Python")


def _pipe(stream: IO[str] | None) -> IO[str]:
    if stream is None:
        raise ValueError("the process was started without pipes")
    return stream


def _pass_lines(stream: IO[str], lines: queue.SimpleQueue[str]) -> None:
    """Move lines from the process to a queue that can be waited for; an empty one says that it ended."""
    with contextlib.suppress(ValueError):  # closed while reading
        for line in stream:
            lines.put(line)
    lines.put("")


def _end(child: subprocess.Popen[str], reader: threading.Thread, errors: IO[bytes]) -> None:
    child.kill()
    child.wait()
    reader.join()
    for stream in (child.stdin, child.stdout):
        with contextlib.suppress(OSError):
            _pipe(stream).close()
    errors.close()
