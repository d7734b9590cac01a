from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from audit.prompts.keys import benchmark_hash, request_keys, scorer_key, task_hash
from audit.records.prompt import Prompt
from audit.records.task import Action, Origin, Row, Tool, ToolKind
from tests import builders

PROMPT = Prompt("prefix", "suffix", {"type": "object"}, "name", "template")


def key(prompt: Prompt = PROMPT, **changes: object) -> str:
    asked: dict[str, object] = {"endpoint": "openai", "model": "m", "parameters": "{}", "trials": [0]}
    (found,) = request_keys(prompt, **(asked | changes))  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(
    "other",
    [
        key(replace(PROMPT, prefix="other")),
        key(replace(PROMPT, suffix="other")),
        key(replace(PROMPT, schema={"type": "array"})),
        key(replace(PROMPT, template_hash="other")),
        key(replace(PROMPT, prefix="prefixsuffix", suffix="")),
        key(endpoint="http://127.0.0.1/v1"),
        key(model="n"),
        key(parameters='{"temperature":0}'),
        key(trials=[1]),
    ],
)
def test_whatever_changes_a_request_changes_its_key(other: str) -> None:
    assert other != key()


def test_the_same_request_has_the_same_key() -> None:
    assert key() == key(replace(PROMPT, schema={"type": "object"}))
    assert len(key()) == 64


def test_a_key_is_the_hash_of_the_whole_request_as_canonical_json() -> None:
    prompt = replace(PROMPT, suffix='é "quoted" \n', template_hash="ab")
    keys = request_keys(prompt, endpoint="openai", model="m", parameters='{"t":0}', trials=[0, 12])
    for trial, found in zip((0, 12), keys, strict=True):
        request = {
            "trial": trial,
            "template": "ab",
            "suffix": prompt.suffix,
            "schema": {"type": "object"},
            "prefix": hashlib.sha256(b"prefix").hexdigest(),
            "parameters": '{"t":0}',
            "model": "m",
            "format": 1,
            "endpoint": "openai",
        }
        text = json.dumps(request, sort_keys=True, separators=(",", ":"))
        assert found == hashlib.sha256(text.encode()).hexdigest()


def test_a_task_that_says_something_else_has_another_hash() -> None:
    task = builders.task()
    row = Row("users", "u1", {"name": "Ada"}, Origin("db.json", "users.u1"))
    changed = [
        builders.task("t2"),
        builders.task(description="Other."),
        builders.task(behavior="Other."),
        builders.task(rows=[row]),
        builders.task(actions=None),
        builders.task(actions=(Action("cancel", {"id": "B1"}, ToolKind.WRITE, Origin("f", "a")),)),
    ]
    assert len({task_hash(task), *map(task_hash, changed)}) == 1 + len(changed)


def test_where_a_task_was_read_does_not_matter() -> None:
    assert task_hash(replace(builders.task(), origin=Origin("elsewhere.json", "", "t1"))) == task_hash(builders.task())


def test_a_benchmark_with_other_tasks_tools_rows_or_rules_has_another_hash() -> None:
    benchmark = builders.benchmark()
    changed = [
        builders.benchmark(policy=builders.policy("Other rules.")),
        builders.benchmark(builders.task("t2")),
        builders.benchmark(database={"users": {"u1": {}}}),
        builders.benchmark(tools=(Tool("cancel", ToolKind.WRITE),)),
        builders.benchmark(corpus=(builders.task(), builders.task("t2"))),
    ]
    assert len({benchmark_hash(benchmark), *map(benchmark_hash, changed)}) == 1 + len(changed)


def test_a_scorers_key_follows_its_version_its_task_and_the_benchmark() -> None:
    def key(task_id: str = "t1", *, scorer: str = "offline_match", version: str = "1", whole: str = "h") -> str:
        return scorer_key(builders.task(task_id), scorer=scorer, version=version, benchmark_sha256=whole)

    assert key() == key()
    assert len({key(), key("t2"), key(scorer="x"), key(version="2"), key(whole="i")}) == 5
