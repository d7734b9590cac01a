"""Environments that are made of tools written here: tables of plain functions over a draft of the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from audit.databases.tables import merge
from audit.environments.protocol import Outcome, State
from audit.environments.typed import Field, convert_numbers
from audit.environments.view import Draft, Row, ToolError, change_rows
from audit.records.task import Action, Benchmark, Json, Origin, ToolKind

UNKNOWN_TOOL = "unknown tool"
BAD_ARGUMENTS = "bad arguments"
_FAULTS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, StopIteration)
"""What a tool runs into when an argument or a row is not of the shape that it takes for granted."""

Body = Callable[[Draft, Row], Json]


@dataclass(frozen=True, slots=True)
class ToolBody:
    """One tool or function.

    Parameters
    ----------
    parameters
        Required ones.
    run
        Takes the draft and the arguments, returns the result, raises :class:`audit.environments.view.ToolError`.
    optional
        Parameters that may be left out.
    """

    kind: ToolKind
    parameters: tuple[str, ...]
    run: Body
    optional: tuple[str, ...] = ()

    def check(self, arguments: Mapping[str, Json]) -> None:
        """Raise a :class:`ToolError` unless every required parameter is there and no unknown one."""
        missing = [name for name in self.parameters if name not in arguments]
        surplus = [name for name in arguments if name not in self.parameters and name not in self.optional]
        if missing or surplus:
            said = [f"{name} is missing" for name in missing] + [f"{name} is not a parameter" for name in surplus]
            raise ToolError(BAD_ARGUMENTS, ", ".join(said))


Bodies = Mapping[tuple[str, str], ToolBody]
"""Caller (``assistant`` or ``user``) and name to body."""


@dataclass(frozen=True, slots=True)
class Domain:
    """The tools of one domain and the types of its tables.

    Parameters
    ----------
    functions
        What only tasks may call.
    tables
        Tables that a database of this domain has.
    numbers
        ``(table, path, field)`` of the number fields whose type the domain fixes.
    """

    name: str
    tools: Bodies
    tables: tuple[str, ...]
    numbers: tuple[tuple[str, tuple[str, ...], Field], ...] = ()
    functions: Bodies = field(default_factory=dict)

    def bind(self, benchmark: Benchmark) -> ToolEnvironment:
        """Return this domain's environment over the benchmark's database and tasks."""
        tasks = {task.id: task.raw for task in (*benchmark.corpus, *benchmark.tasks)}
        return ToolEnvironment(self, type_tables(benchmark.database, self), tasks)


def type_tables(database: State, domain: Domain) -> State:
    """Return the database with number fields of the types that the domain fixes; rows that need none are shared."""
    changed: dict[tuple[str, str], Json] = {}
    for table, path, read in domain.numbers:
        for key, row in database.get(table, {}).items():
            before = changed.get((table, key), row)
            after = convert_numbers(before, path, read=read)
            if after is not before:
                changed[table, key] = after
    return change_rows(database, changed)


class ToolEnvironment:
    """One domain's tools over one benchmark's database."""

    def __init__(self, domain: Domain, database: State, tasks: Mapping[str, Mapping[str, Json]]) -> None:
        self.name = domain.name
        self._domain = domain
        self._database = database
        self._tasks = tasks

    def kind_of(self, action: Action) -> ToolKind:
        """Return the kind of the tool that the action's requestor calls; unknown if there is no such tool."""
        body = self._domain.tools.get((action.requestor, action.name))
        return body.kind if body else ToolKind.UNKNOWN

    def setup(self, task_id: str) -> tuple[Outcome, ...]:
        """Return the calls that the task makes before the talk begins, in order."""
        return self._set_up(task_id)[1]

    def initial_state(self, task_id: str) -> State:
        """Return the database with the task's own rows merged in and its preparing calls made."""
        return self._set_up(task_id)[0]

    def call(self, state: State, action: Action) -> Outcome:
        """Run one tool."""
        return _run(self._domain.tools, state, action)

    def run(self, state: State, function: Action) -> Outcome:
        """Run a tool or a function that only tasks may call."""
        return _run({**self._domain.tools, **self._domain.functions}, state, function)

    def _set_up(self, task_id: str) -> tuple[State, tuple[Outcome, ...]]:
        setup = _object(self._tasks.get(task_id, {}).get("initial_state"))
        state, outcomes = _merge_rows(self._database, _object(setup.get("initialization_data"))), []
        for action in _functions(setup.get("initialization_actions")):
            outcomes.append(self.run(state, action))
            state = outcomes[-1].state
        for action in _said_calls(setup.get("message_history")):
            if self.kind_of(action) is ToolKind.WRITE:
                outcomes.append(self.call(state, action))
                state = outcomes[-1].state
        return state, tuple(outcomes)


def _run(bodies: Bodies, state: State, action: Action) -> Outcome:
    draft = Draft(state)
    result: Json = None
    error = detail = ""
    try:
        body = bodies.get((action.requestor, action.name))
        if body is None:
            raise ToolError(UNKNOWN_TOOL)
        body.check(action.arguments)
        result = body.run(draft, dict(action.arguments))
    except ToolError as problem:
        error, detail = problem.kind, problem.detail
    except _FAULTS as problem:
        error, detail = "an argument or a row has another shape", f"{type(problem).__name__}: {problem}"
    after, changed = draft.finish()
    return Outcome(action, result, error, changed, after, detail)


def _object(value: Json) -> Mapping[str, Json]:
    """Return an object, an empty one for anything else: a task's own file was checked when it was loaded."""
    return value if isinstance(value, dict) else {}


def _merge_rows(state: State, patch: Mapping[str, Json]) -> State:
    rows: dict[tuple[str, str], Json] = {}
    for side in ("agent_data", "user_data"):
        for table, entries in _object(patch.get(side)).items():
            inner = _object(entries).get("data")
            for key, row in (inner if isinstance(inner, dict) else _object(entries)).items():
                rows[table, key] = merge(state.get(table, {}).get(key), row)
    return change_rows(state, rows)


def _functions(values: Json) -> Iterator[Action]:
    for number, value in enumerate(values if isinstance(values, list) else ()):
        yield read_function(_object(value), Origin("", f"initial_state.initialization_actions[{number}]"))


def read_function(value: Mapping[str, Json], origin: Origin) -> Action:
    """Return a function call of a task (``func_name``, ``arguments``, ``env_type``) as an action."""
    name, caller = value.get("func_name"), value.get("env_type")
    return Action(
        name=name if isinstance(name, str) else "",
        arguments=_object(value.get("arguments")),
        kind=ToolKind.UNKNOWN,
        origin=origin,
        requestor="user" if caller == "user" else "assistant",
    )


def _said_calls(messages: Json) -> Iterator[Action]:
    for number, message in enumerate(messages if isinstance(messages, list) else ()):
        calls = _object(message).get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            entry = _object(call)
            role = "user" if _object(message).get("role") == "user" else "assistant"
            yield Action(
                name=str(entry.get("name")),
                arguments=_object(entry.get("arguments")),
                kind=ToolKind.UNKNOWN,
                origin=Origin("", f"initial_state.message_history[{number}]"),
                requestor=role,
            )
