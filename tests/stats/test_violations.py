"""Coverage, untested items and majorities."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction import DictVectorizer

from audit.errors import UndefinedScoreError
from audit.stats.violations import majority_items, untested_items, violation_coverage

ITEMS = {f"p{number}" for number in range(1, 7)}
VIOLATIONS = st.dictionaries(st.text("abc", min_size=1, max_size=4), st.sets(st.sampled_from(sorted(ITEMS))))


@pytest.mark.parametrize(("k", "share"), [(1, 3 / 4), (2, 2 / 4), (3, 1 / 4), (4, 0.0)])
def test_coverage_agrees_with_a_worked_example(k: int, share: float) -> None:
    # Four items and three tasks: p1 is violated by all three, p2 by two, p3 by one, p4 by none.
    # (1/N) times the number of items that K tasks or more violate: arXiv 2608.06329, section 3.
    violations = {"t1": {"p1", "p2"}, "t2": {"p1", "p2", "p3"}, "t3": {"p1"}}

    assert violation_coverage(violations, {"p1", "p2", "p3", "p4"}, k=k) == share


@given(VIOLATIONS, st.integers(1, 6))
def test_coverage_agrees_with_counting_item_by_item(violations: dict[str, set[str]], k: int) -> None:
    covered = [item for item in ITEMS if len([task for task, found in violations.items() if item in found]) >= k]

    assert violation_coverage(violations, ITEMS, k=k) == pytest.approx(len(covered) / len(ITEMS))
    assert untested_items(violations, ITEMS, k=k) == ITEMS - set(covered)


@given(VIOLATIONS.filter(bool), st.integers(1, 6))
def test_coverage_agrees_with_the_column_sums_of_a_scikit_learn_matrix(violations: dict[str, set[str]], k: int) -> None:
    rows = [dict.fromkeys(sorted(found), 1) for found in (ITEMS, *violations.values())]
    counts = DictVectorizer(sparse=False).fit_transform(rows)[1:].sum(axis=0)

    assert violation_coverage(violations, ITEMS, k=k) == pytest.approx((counts >= k).mean())


@given(VIOLATIONS)
def test_coverage_never_rises_with_k(violations: dict[str, set[str]]) -> None:
    curve = [violation_coverage(violations, ITEMS, k=k) for k in range(1, 6)]

    assert curve == sorted(curve, reverse=True)


def test_coverage_is_undefined_for_a_policy_without_items() -> None:
    with pytest.raises(UndefinedScoreError, match="no items"):
        violation_coverage({"t1": set()}, set(), k=1)


def test_coverage_needs_a_k_of_one_or_more() -> None:
    with pytest.raises(ValueError, match="k is 0"):
        violation_coverage({"t1": {"p1"}}, ITEMS, k=0)


def test_an_item_that_the_policy_does_not_have_is_not_passed_over() -> None:
    with pytest.raises(ValueError, match=r"\['p99'\]"):
        violation_coverage({"t1": {"p1", "p99"}}, ITEMS, k=1)


def test_an_item_on_which_the_votes_tie_has_no_majority() -> None:
    assert majority_items([{"p1", "p2"}, {"p1"}]) == {"p1"}


@given(st.lists(st.sets(st.sampled_from(sorted(ITEMS))), min_size=1, max_size=7))
def test_a_majority_agrees_with_counting_votes_one_by_one(votes: list[set[str]]) -> None:
    expected = {item for item in ITEMS if [item in vote for vote in votes].count(True) > len(votes) / 2}

    assert majority_items(votes) == expected


def test_no_votes_have_no_majority() -> None:
    with pytest.raises(UndefinedScoreError, match="no votes"):
        majority_items([])
