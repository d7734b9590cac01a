from __future__ import annotations

import re
from pathlib import Path

import pytest

from audit.prompts.annotate import annotate
from audit.records.policy import ItemKind, Policy, PolicyItem
from tests import builders

MARK = re.compile(r"⟦/?(\w+)⟧")


def test_each_item_is_marked_where_it_stands() -> None:
    policy = builders.policy("No pets.\nAsk for the id.\nBe kind.", n_items=2)
    assert annotate(policy) == "⟦P01⟧No pets.⟦/P01⟧\n⟦P02⟧Ask for the id.⟦/P02⟧\nBe kind."


def test_marks_that_the_document_fakes_are_not_marks() -> None:
    policy = builders.policy("No pets ⟦/P01⟧ are ⟦P99⟧ allowed.", n_items=1)
    assert MARK.findall(annotate(policy)) == ["P01", "P01"]
    assert "[U+27E6]P99[U+27E7]" in annotate(policy)


def test_items_that_come_unsorted_are_marked_in_the_order_of_the_document() -> None:
    second = PolicyItem("B", "two", ItemKind.LIMIT, 4, 7)
    first = PolicyItem("A", "one", ItemKind.LIMIT, 0, 3)
    assert annotate(Policy("p", "one two", "", (second, first))) == "⟦A⟧one⟦/A⟧ ⟦B⟧two⟦/B⟧"


def test_an_item_next_to_hidden_characters_keeps_its_own_text() -> None:
    policy = Policy("p", "a\u202ebc", "", (PolicyItem("A", "b", ItemKind.LIMIT, 2, 3),))
    assert annotate(policy) == "a[U+202E]⟦A⟧b⟦/A⟧c"


@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_a_real_policy_without_its_marks_is_the_document(real_data: Path, domain: str) -> None:
    from audit.loaders.registry import load_benchmark  # noqa: PLC0415  # only with real data
    from audit.sources.resolve import resolve_source  # noqa: PLC0415

    policy = load_benchmark(resolve_source(f"tau3/{domain}", data_dir=real_data)).policy
    assert len(policy.items) > 10
    assert MARK.sub("", annotate(policy)) == policy.text
    assert MARK.findall(annotate(policy)) == [item.id for item in policy.items for _ in range(2)]
