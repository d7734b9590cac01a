"""The keys under which verdicts are stored: hashes of everything that they depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from audit.records.prompt import Prompt
from audit.records.same import Same
from audit.records.task import Benchmark, Json, Task

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

_FORMAT = 1


def request_keys(
    prompt: Prompt, *, endpoint: str, model: str, parameters: str, trials: Sequence[int]
) -> tuple[str, ...]:
    """Return, for each trial, the SHA-256 of a request in canonical form: whatever changes the request changes the key.

    Parameters
    ----------
    endpoint, model, parameters
        As the provider states them.
    trials
        Which repetitions, from 0.

    Notes
    -----
    The form is compact JSON with sorted names. What the questions of one judge have in common stands in front and is
    hashed once, and so is what the trials of one question have in common.
    """
    digest = _judge(Same(prompt.schema), prompt.prefix, endpoint=endpoint, model=model, parameters=parameters).copy()
    digest.update(b'"suffix":%b,"template":%b,"trial":' % (_canonical(prompt.suffix), _canonical(prompt.template_hash)))
    return tuple(_end(digest, trial) for trial in trials)


def _end(opening: Hash, trial: int) -> str:
    digest = opening.copy()
    digest.update(b"%d}" % trial)
    return digest.hexdigest()


@lru_cache(maxsize=64)
def _judge(held: Same[Mapping[str, Json]], prefix: str, *, endpoint: str, model: str, parameters: str) -> Hash:
    """Return the hash of a request up to its suffix; to be copied."""
    request = {
        "endpoint": endpoint,
        "format": _FORMAT,
        "model": model,
        "parameters": parameters,
        "prefix": hashlib.sha256(prefix.encode()).hexdigest(),
        "schema": held.value,
    }
    return hashlib.sha256(_canonical(request).removesuffix(b"}") + b",")


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode()


def task_hash(task: Task) -> str:
    """Return the SHA-256 of what a task says; where its files lie does not matter."""
    actions = task.actions
    content: dict[str, object] = {
        "id": task.id,
        "description": [[part.kind, part.label, part.text] for part in task.description],
        "behavior": [[part.kind, part.label, part.text] for part in task.behavior],
        "rows": [[row.table, row.key, row.value] for row in task.rows],
        "actions": None if actions is None else [[a.name, a.arguments, a.kind, a.requestor] for a in actions],
    }
    return hashlib.sha256(_canonical(content)).hexdigest()


def benchmark_hash(benchmark: Benchmark) -> str:
    """Return the SHA-256 of what a whole benchmark says: policy, tools, database and every task of its files."""
    digest = hashlib.sha256(benchmark.policy.sha256.encode())
    tools = [
        [tool.name, tool.kind, tool.caller, [[p.name, p.type, p.is_required] for p in tool.parameters]]
        for tool in benchmark.tools
    ]
    digest.update(_canonical([tools, benchmark.database]))
    for task in (*benchmark.tasks, *benchmark.corpus):
        digest.update(task_hash(task).encode())
    return digest.hexdigest()


def scorer_key(task: Task, *, scorer: str, version: str, benchmark_sha256: str) -> str:
    """Return the key of a whole-benchmark scorer's verdict on a task.

    Parameters
    ----------
    scorer, version
        The scorer's criterion, and whatever changes when its rule does.
    benchmark_sha256
        From :func:`benchmark_hash`.
    """
    return hashlib.sha256(_canonical([_FORMAT, scorer, version, task_hash(task), benchmark_sha256])).hexdigest()
