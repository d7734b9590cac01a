"""Suites of our own ferry line: small runs by several generators."""

from __future__ import annotations

from pathlib import Path

from tests.loaders.ferries import POLICY, fields, put, write_run
from tests.loaders.pickles import dumps, graph


def write_member(folder: Path, *, n: int = 2, first: int = 1, model: str = "gpt-4o", policy: str = POLICY) -> Path:
    """Write a run of ``n`` events by ``model``, numbered from ``first``, and return its folder."""
    run = write_run(folder, *(fields(number) for number in range(first, first + n)))
    config = {"llm_description": {"type": "x", "name": model}, "llm_policy": {"type": "x", "name": model}}
    put(run / "policies_graph" / "descriptions_generator.pickle", dumps(graph(prompt=policy, config=config)))
    return run


def write_file(folder: Path, text: str) -> Path:
    return put(folder / "suite.toml", text.encode())
