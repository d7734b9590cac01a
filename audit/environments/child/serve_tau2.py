"""Runs the tools of an installed tau2 package: one JSON object a line in, one a line out.

Uses the standard library and tau2 alone, for it runs in whatever Python has tau2.

Requests: ``{"do": "open", "domain": …}`` and then ``{"do": "run", "setup": …, "calls": […]}``, where a call is
``{"name", "arguments", "caller", "is_function"}`` and the calls are all of a task so far, from its initial state on.
Answers: ``{"problem": …, "detail": …}``, or what was asked for.
"""

from __future__ import annotations

import importlib
import json
import marshal
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

Object = dict[str, Any]
Tables = dict[str, dict[str, Any]]


def read_tables(dump: Object, prefix: str = "") -> Tables:
    """Return a dumped database as table to row key to row; what is no table of rows becomes one row."""
    return {prefix + name: _rows(value) for name, value in dump.items()}


def _rows(value: Any) -> dict[str, Any]:  # noqa: ANN401  # JSON
    if isinstance(value, dict) and isinstance(value.get("data"), dict) and _is_table(value["data"]):
        return {str(key): row for key, row in value["data"].items()}
    if isinstance(value, dict) and _is_table(value):
        return value
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        return _key_rows(value)
    return {"": value if isinstance(value, dict) else {"value": value}}


def _is_table(value: Object) -> bool:
    return all(isinstance(row, dict) for row in value.values())


def _key_rows(rows: list[Object]) -> dict[str, Any]:
    for name in rows[0]:
        keys = [str(row.get(name)) for row in rows]
        if name.lower().endswith("id") and len(set(keys)) == len(keys):
            return dict(zip(keys, rows, strict=True))
    return {str(number): row for number, row in enumerate(rows)}


def find_changes(before: Tables, after: Tables) -> Tables:
    """Return the rows of ``after`` that are new or differ, and those that are gone as null."""
    changes: Tables = {}
    for table in {**before, **after}:
        old, new = before.get(table, {}), after.get(table, {})
        rows = {key: row for key, row in new.items() if key not in old or not _is_same(old[key], row)}
        rows.update({key: None for key in old if key not in new})
        if rows:
            changes[table] = rows
    return changes


def _is_same(one: Object, other: Object) -> bool:
    return marshal.dumps(one, 2) == marshal.dumps(other, 2)  # tells 25 from 25.0, much faster than JSON


class Session:
    """One domain; the environment of the latest task is kept, so that its next call needs no replay of all before."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._env = make()
        self._base = self._tables = self._read()
        self._setup: Object = {}
        self._outcomes: list[Object] = []
        self._calls: list[Object] = []

    def describe(self) -> Object:
        """Return the tools of both sides with their kinds, and the tables of the initial database."""
        tools = {"assistant": _kinds(self._env.tools), "user": _kinds(self._env.user_tools)}
        return {"tools": tools, "tables": self._base}

    def run(self, setup: Object, calls: list[Object]) -> Object:
        """Run the last call after all others; without calls, only the setup, with changes against the database."""
        self._go_to(setup, calls[:-1])
        before = self._tables if calls else self._base
        answer = self._step(calls[-1]) if calls else {"setup": self._outcomes}
        return {**answer, "changes": find_changes(before, self._tables)}

    def _go_to(self, setup: Object, calls: list[Object]) -> None:
        """Bring the environment to the state after these calls; calls that only read need not be undone."""
        calls = [call for call in calls if not self._only_reads(call)]
        if self._setup != setup or self._calls != calls[: len(self._calls)]:
            self._env, self._setup, self._calls, self._tables = self._make(), setup, [], self._base
            self._outcomes = list(self._prepare(setup))
            if setup:
                self._tables = self._read()
        for call in calls[len(self._calls) :]:
            self._step(call)

    def _step(self, call: Object) -> Object:
        answer = self._call(call)
        if not self._only_reads(call):
            self._calls.append(call)
            self._tables = self._read()
        return answer

    def _prepare(self, setup: Object) -> Iterator[Object]:
        patch = setup.get("initialization_data") or {}
        for toolkit, side in ((self._env.tools, "agent_data"), (self._env.user_tools, "user_data")):
            if patch.get(side) and toolkit is not None:
                toolkit.update_db(patch[side])
        for entry in setup.get("initialization_actions") or []:
            caller = entry.get("env_type") or "assistant"
            call = {"name": entry.get("func_name"), "arguments": entry.get("arguments") or {}, "caller": caller}
            yield {**call, **self._call({**call, "is_function": True})}
        for call in _said_calls(setup.get("message_history") or []):
            if not self._only_reads(call):
                yield {**call, **self._call(call)}

    def _call(self, call: Object) -> Object:
        try:
            result, error, detail = self._as_json(self._invoke(call)), "", ""
        except Exception as problem:  # noqa: BLE001  # whatever a foreign tool raises is its outcome
            result, error, detail = None, str(problem) or type(problem).__name__, type(problem).__name__
        self._env.sync_tools()
        return {"result": result, "error": error, "detail": detail}

    def _invoke(self, call: Object) -> Any:  # noqa: ANN401  # a foreign tool's result
        if call.get("is_function") and not call["name"].startswith("_"):
            return getattr(self._toolkit(call), call["name"])(**call["arguments"])
        return self._env.make_tool_call(call["name"], requestor=call["caller"], **call["arguments"])

    def _only_reads(self, call: Object) -> bool:
        return not call.get("is_function") and _kinds(self._toolkit(call)).get(call["name"]) == "read"

    def _toolkit(self, call: Object) -> Any:  # noqa: ANN401  # a foreign object
        return self._env.user_tools if call["caller"] == "user" else self._env.tools

    def _as_json(self, result: Any) -> Any:  # noqa: ANN401  # a foreign tool's result
        if result is None or isinstance(result, bool | str):
            return result
        return json.loads(self._env.to_json_str(result))

    def _read(self) -> Tables:
        tables = read_tables(_dump(self._env.tools))
        return {**tables, **read_tables(_dump(self._env.user_tools), "user.")}


def _kinds(toolkit: Any) -> dict[str, str]:  # noqa: ANN401  # a foreign object
    return {name: str(toolkit.tool_type(name).value) for name in toolkit.tools} if toolkit is not None else {}


def _dump(toolkit: Any) -> Object:  # noqa: ANN401  # a foreign object
    if toolkit is None or toolkit.db is None:
        return {}
    dump: Object = json.loads(json.dumps(toolkit.db.model_dump(), default=str))  # as tau2 writes what it hashes
    return dump


def _said_calls(messages: list[Object]) -> Iterator[Object]:
    for message in messages:
        for call in message.get("tool_calls") or []:
            yield {"name": call["name"], "arguments": call["arguments"], "caller": message["role"]}


def open_domain(name: str) -> Session | Object:
    """Return a session of a registered domain, or what is wrong."""
    try:
        importlib.import_module("tau2")
    except ImportError as error:
        return {"problem": "missing", "detail": str(error)}
    try:
        registry = importlib.import_module("tau2.registry").registry
    except (ImportError, AttributeError) as error:
        return {"problem": "other package", "detail": str(error)}
    domains = registry.get_info().domains
    if name not in domains:
        return {"problem": "domain", "detail": ", ".join(sorted(domains))}
    return Session(registry.get_env_constructor(name))


def serve(lines: Iterable[str], write: Callable[[str], object]) -> None:
    """Answer requests until the input ends; the first one opens a domain."""
    session: Session | None = None
    for line in lines:
        request = json.loads(line)
        if session is not None:
            write(json.dumps(session.run(request["setup"], request["calls"])))
            continue
        opened = open_domain(request["domain"])
        session = opened if isinstance(opened, Session) else None
        write(json.dumps(opened.describe() if isinstance(opened, Session) else opened))


def main() -> None:
    """Serve standard input; whatever tau2 prints goes to standard error."""
    here = Path(__file__).resolve().parent
    sys.path[:] = [path for path in sys.path if Path(path or ".").resolve() != here]
    out, sys.stdout = sys.stdout, sys.stderr

    def write(text: str) -> None:
        out.write(text + "\n")
        out.flush()

    serve(sys.stdin, write)


if __name__ == "__main__":
    main()
