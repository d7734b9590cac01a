"""Agreement of two judges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, jaccard_score, mean_absolute_error

from audit.errors import UndefinedScoreError
from audit.stats.agreement import exact_match_share, kendall_tau_b, mean_absolute_difference, mean_jaccard

RATINGS = st.lists(st.tuples(st.integers(1, 10), st.integers(1, 10)), min_size=3, max_size=25)
ITEMS = ["p1", "p2", "p3", "p4"]
SETS = st.lists(st.tuples(st.sets(st.sampled_from(ITEMS)), st.sets(st.sampled_from(ITEMS))), min_size=3, max_size=12)


def tau_b_by_pairs(first: Sequence[int], second: Sequence[int]) -> float:
    """Kendall's tau-b from its definition: every pair of tasks, one by one."""
    concordance = first_untied = second_untied = 0
    for (a, b), (c, d) in combinations(zip(first, second, strict=True), 2):
        concordance += ((a > c) - (a < c)) * ((b > d) - (b < d))
        first_untied += a != c
        second_untied += b != d
    return concordance / sqrt(first_untied * second_untied)


def test_tau_b_agrees_with_a_published_example() -> None:
    # The example of scipy's own manual page on kendalltau.
    assert kendall_tau_b([12, 2, 1, 12, 2], [1, 4, 7, 1, 0]) == pytest.approx(-0.47140452)


@given(RATINGS.filter(lambda pairs: all(len(set(column)) > 1 for column in zip(*pairs, strict=True))))
def test_tau_b_agrees_with_counting_every_pair(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)

    assert kendall_tau_b(first, second) == pytest.approx(tau_b_by_pairs(first, second))
    assert -1 <= kendall_tau_b(first, second) <= 1


@pytest.mark.parametrize(("first", "second"), [([5, 5, 5], [1, 2, 3]), ([1, 2, 3], [5, 5, 5])])
def test_tau_b_is_undefined_for_constant_ratings(first: list[int], second: list[int]) -> None:
    with pytest.raises(UndefinedScoreError, match="one judge rates every task 5"):
        kendall_tau_b(first, second)


@given(RATINGS)
def test_matches_and_differences_agree_with_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)

    assert exact_match_share(first, second) == pytest.approx(accuracy_score(first, second))
    assert mean_absolute_difference(first, second) == pytest.approx(mean_absolute_error(first, second))


def test_matches_and_differences_agree_with_a_worked_example() -> None:
    # Differences of 0, 2, 0 and 5 points: two of four alike, 7 / 4 apart.
    assert exact_match_share([9, 8, 4, 10], [9, 6, 4, 5]) == 0.5
    assert mean_absolute_difference([9, 8, 4, 10], [9, 6, 4, 5]) == 1.75


def test_jaccard_agrees_with_a_worked_example() -> None:
    # One of three items shared, none of one, and a task where neither judge names any, which is left out.
    first, second = [{"p1", "p2"}, {"p3"}, set[str]()], [{"p2", "p4"}, set[str](), set[str]()]

    assert mean_jaccard(first, second) == pytest.approx((1 / 3 + 0) / 2)


@given(SETS.filter(lambda pairs: any(a or b for a, b in pairs)))
def test_jaccard_agrees_with_scikit_learn(pairs: list[tuple[set[str], set[str]]]) -> None:
    named = [(a, b) for a, b in pairs if a or b]
    known = [jaccard_score([i in a for i in ITEMS], [i in b for i in ITEMS], zero_division=0) for a, b in named]
    first, second = zip(*pairs, strict=True)

    assert mean_jaccard(first, second) == pytest.approx(sum(known) / len(known))


def test_jaccard_is_undefined_where_no_judge_names_an_item() -> None:
    with pytest.raises(UndefinedScoreError, match="neither judge"):
        mean_jaccard([set()] * 3, [set()] * 3)


SCORED: list[Callable[[Sequence[float], Sequence[float]], float]] = [
    kendall_tau_b,
    exact_match_share,
    mean_absolute_difference,
]


@pytest.mark.parametrize("statistic", SCORED)
def test_two_tasks_are_too_few_for_any_agreement(
    statistic: Callable[[Sequence[float], Sequence[float]], float],
) -> None:
    with pytest.raises(UndefinedScoreError, match="2 tasks rated by both; agreement needs 3"):
        statistic([1, 2], [1, 2])


def test_two_tasks_are_too_few_for_jaccard() -> None:
    with pytest.raises(UndefinedScoreError, match="agreement needs 3"):
        mean_jaccard([{"p1"}] * 2, [{"p1"}] * 2)


@pytest.mark.parametrize("statistic", SCORED)
def test_ratings_of_different_tasks_are_a_mistake(
    statistic: Callable[[Sequence[float], Sequence[float]], float],
) -> None:
    with pytest.raises(ValueError, match="3 ratings on one side, 4 on the other"):
        statistic([1, 2, 3], [1, 2, 3, 4])
