"""Items of policies that are put together from several documents, on the real ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.loaders.registry import load_benchmark
from audit.sources.resolve import resolve_source


@pytest.mark.parametrize(
    ("name", "letters", "n"),
    [("tau3/telecom", "TM", 24 + 18), ("tau3/telecom-workflow", "TW", 24 + 21), ("tau3/banking", "BC", 6 + 4)],
)
def test_the_items_of_each_document_hold_in_the_whole_and_in_every_tasks_policy(
    real_data: Path, name: str, letters: str, n: int
) -> None:
    benchmark = load_benchmark(resolve_source(name, data_dir=real_data))
    shared = benchmark.policy
    assert len(shared.items) == n
    assert {item.id[0] for item in shared.items} == set(letters)
    quotes = {item.id: shared.quote(item) for item in shared.items}
    own = [policy for task in benchmark.tasks if (policy := benchmark.policy_of(task)) is not shared]
    assert bool(own) is (name == "tau3/banking")
    for policy in own:
        assert {item.id: policy.quote(item) for item in policy.items} == quotes


def test_bankings_documents_are_told_to_have_no_items(real_data: Path) -> None:
    note = load_benchmark(resolve_source("tau3/banking", data_dir=real_data)).policy.items_note
    assert note.startswith(
        "The 10 policy items mark what all tasks share. The 218 documents that tasks add to it have none"
    )
    assert load_benchmark(resolve_source("tau3/telecom", data_dir=real_data)).policy.items_note == ""
