"""The keys under which verdicts are stored: hashes of everything that they depend on."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache

from audit.records.prompt import Prompt
from audit.records.task import Benchmark, Task

_FORMAT = 1


@lru_cache(maxsize=256)
def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def request_key(prompt: Prompt, *, endpoint: str, model: str, parameters: str, trial: int) -> str:
    """Return the SHA-256 of a request in canonical form: whatever changes the request changes the key.

    Parameters
    ----------
    endpoint, model, parameters
        As the provider states them.
    trial
        Which repetition it is, from 0.
    """
    request = {
        "endpoint": endpoint,
        "format": _FORMAT,
        "model": model,
        "parameters": parameters,
        "prefix": _digest(prompt.prefix),
        "schema": prompt.schema,
        "suffix": prompt.suffix,
        "template": prompt.template_hash,
        "trial": trial,
    }
    return hashlib.sha256(_canonical(request)).hexdigest()


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
