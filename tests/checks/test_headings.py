"""Headings whose figures the text below them denies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit.checks import headings
from audit.checks.protocol import Subject
from tests.checks import inn


def found(text: str) -> list[tuple[str, str | None, str]]:
    return inn.brief(inn.inspect(headings.CHECK, inn.task("t1"), policy=text))


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("# Oak card: 4% back\n\nEvery stay earns 10% back.\n", 1),
        ("# Oak card: 4% back\n\nEvery stay earns 4.0% back, meals 10%.\n", 0),
        ("# Oak card: 4 % back\n\n## Meals\n\nMeals earn 10%.\n", 1),
        ("# Oak card: 4% back\n\nNo figure here.\n", 0),
        ("# Oak card: 4% back\n\nNo figure here.\n\n# Elm card\n\nStays earn 10%.\n", 0),
        ("# Oak card: 4% back\nNo figure.\n</document>\nStays earn 10%.\n", 0),
        ("# Oak card\n\nStays earn 10%.\n", 0),
        ("## Oak: 4% or 5%\n\nStays earn 5%.\n", 0),
        ("#4% is no heading\n\nStays earn 10%.\n", 0),
        ("# Version 1.4%\n\nStays earn 4%.\n", 1),
    ],
)
def test_headings_against_the_text_below(text: str, n: int) -> None:
    assert found(text) == [("heading-contradicts-text", None, "warning")] * n


def test_a_task_s_own_document_is_reported_for_the_task() -> None:
    benchmark = inn.benchmark(inn.task("t1"), inn.task("t2"), policy="# Inn\n\nThe inn is open.\n")
    assert found("# Inn: 4%\n\nIt is 5%.\n\n# Inn: 4%\n\nIt is 6%.\n")[0][1] is None
    own = inn.benchmark(inn.task("t1"), policy="# Oak card: 4%\n\nStays earn 10%.\n").policy
    tasks = (replace(benchmark.tasks[0], policy=own), benchmark.tasks[1])
    (one,) = headings.inspect(Subject(replace(benchmark, tasks=tasks)))
    assert (one.task_id, one.evidence[1]) == ("t1", ("in the text", "10%"))
