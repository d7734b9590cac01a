"""Kendall and Spearman with their p-values and intervals."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from audit.errors import UndefinedScoreError
from audit.stats.bootstrap import N_RESAMPLES
from audit.stats.rank import (
    EXACT,
    NORMAL,
    kendall_sum,
    kendall_test,
    kendall_variance,
    spearman_interval,
    spearman_test,
    stratified_kendall_test,
    tau_b_interval,
    tau_b_of,
)
from tests.stats.random_ratings import pair

MATHS = [1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10]
MUSIC = [7.0, 5, 1, 2, 3, 9, 6, 10, 4, 8]
"""No textbook's: S is 15, checked by counting below."""


def test_kendall_agrees_with_a_count_by_hand() -> None:
    pairs = list(itertools.combinations(range(10), 2))
    s = sum(np.sign(MATHS[i] - MATHS[j]) * np.sign(MUSIC[i] - MUSIC[j]) for i, j in pairs)

    assert kendall_sum(MATHS, MUSIC) == s
    assert kendall_test(MATHS, MUSIC).value == pytest.approx(s / len(pairs))


def test_kendall_without_ties_has_the_published_critical_values() -> None:
    # Kendall (1970), appendix table 1: for n = 4, P(S >= 6) = 0.042 and P(S >= 4) = 0.167.
    assert kendall_test([1, 2, 3, 4], [1, 2, 3, 4]).p == pytest.approx(2 * 0.042, abs=0.001)
    assert kendall_test([1, 2, 3, 4], [1, 2, 4, 3]).p == pytest.approx(2 * 0.167, abs=0.001)


@pytest.mark.parametrize("seed", range(8))
def test_kendall_agrees_with_scipy_on_many_ties(seed: int) -> None:
    first, second = pair(seed, 40)
    found, known = kendall_test(first, second), stats.kendalltau(first, second, variant="b", method="asymptotic")

    assert found.method == NORMAL
    assert (found.value, found.p) == pytest.approx((known.statistic, known.pvalue))


@pytest.mark.parametrize("seed", range(4))
def test_kendall_without_ties_agrees_with_scipys_exact_p(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=12).tolist(), rng.normal(size=12).tolist()
    found, known = kendall_test(first, second), stats.kendalltau(first, second, method="exact")

    assert found.method == EXACT
    assert (found.value, found.p) == pytest.approx((known.statistic, known.pvalue))


@pytest.mark.parametrize("seed", range(6))
def test_kendalls_p_with_ties_in_small_sets_is_that_of_all_orders(seed: int) -> None:
    first, second = pair(seed, 6, n_points=3)
    if len(set(first)) == 1 or len(set(second)) == 1:
        pytest.skip("constant by chance")
    at_hand = abs(stats.kendalltau(first, second).statistic)
    taus = [abs(stats.kendalltau(first, order).statistic) for order in itertools.permutations(second)]

    found = kendall_test(first, second)
    assert found.method == EXACT
    assert found.p == pytest.approx(np.mean([tau >= at_hand - 1e-9 for tau in taus]))


def test_the_variance_with_ties_is_that_of_all_orders() -> None:
    first, second = [1.0, 1, 2, 3, 3, 3], [2.0, 1, 2, 2, 5, 5]
    sums = [kendall_sum(first, order) for order in itertools.permutations(second)]

    assert np.mean(sums) == pytest.approx(0)
    assert kendall_variance(first, second) == pytest.approx(np.var(sums))


def test_a_variance_needs_two_tasks_and_three_for_its_last_term() -> None:
    assert kendall_variance([1], [1]) == 0
    assert kendall_variance([1, 2], [1, 2]) == 1


def test_kendall_beyond_the_exact_sizes_uses_the_normal_approximation() -> None:
    rng = np.random.default_rng(0)
    assert kendall_test(rng.normal(size=51).tolist(), rng.normal(size=51).tolist()).method == NORMAL


def test_within_strata_levels_of_the_strata_don_t_count() -> None:
    first, second = [1.0, 2, 3, 7, 8, 9], [2.0, 1, 3, 8, 9, 7]
    strata = ["a", "a", "a", "b", "b", "b"]

    assert kendall_test(first, second).value == pytest.approx(0.6)
    assert stratified_kendall_test(first, second, strata=strata).value == pytest.approx(0.0)


def test_one_stratum_is_the_pooled_test() -> None:
    first, second = pair(3, 30)
    found, pooled = stratified_kendall_test(first, second, strata=["x"] * 30), kendall_test(first, second)

    assert (found.value, found.p) == pytest.approx((pooled.value, pooled.p))


def test_the_stratified_p_agrees_with_permutations_within_strata() -> None:
    rng = np.random.default_rng(1)
    first, second = pair(5, 36, noise=2)
    strata = np.repeat([0, 1, 2], 12)
    found = stratified_kendall_test(first, second, strata=strata.tolist())

    def total(values: np.ndarray) -> float:
        return sum(kendall_sum(np.array(first)[strata == s].tolist(), values[strata == s].tolist()) for s in range(3))

    shuffled = np.array(second)
    sums = []
    for _ in range(2000):
        for s in range(3):
            shuffled[strata == s] = rng.permutation(shuffled[strata == s])
        sums.append(abs(total(shuffled)))
    assert found.p == pytest.approx(np.mean(np.array(sums) >= abs(total(np.array(second)))), abs=0.02)


def test_tau_within_strata_is_undefined_where_each_is_constant() -> None:
    with pytest.raises(UndefinedScoreError, match="constant ratings within every stratum"):
        stratified_kendall_test([1, 1, 5, 5], [1, 2, 3, 4], strata=["a", "a", "b", "b"])


@pytest.mark.parametrize("seed", range(6))
def test_spearman_agrees_with_scipy(seed: int) -> None:
    first, second = pair(seed, 30)
    found, known = spearman_test(first, second), stats.spearmanr(first, second)

    assert (found.value, found.p) == pytest.approx((known.statistic, known.pvalue))


def test_spearmans_p_is_exact_in_small_sets() -> None:
    first, second = [1.0, 2, 2, 4, 5, 6], [2.0, 1, 3, 3, 5, 6]
    at_hand = abs(stats.spearmanr(first, second).statistic)
    all_orders = [abs(stats.spearmanr(first, order).statistic) for order in itertools.permutations(second)]

    found = spearman_test(first, second)
    assert found.method == EXACT
    assert found.p == pytest.approx(np.mean(np.array(all_orders) >= at_hand - 1e-9))


def test_a_perfect_order_has_a_p_of_zero_under_students_t() -> None:
    found = spearman_test(list(range(20)), list(range(20)))
    assert (found.value, found.p) == (1.0, 0.0)


@pytest.mark.parametrize("test", [kendall_test, spearman_test])
def test_correlations_are_undefined_for_few_tasks_and_constant_ratings(test: object) -> None:
    assert callable(test)
    with pytest.raises(UndefinedScoreError, match="2 tasks"):
        test([1, 2], [1, 2])
    with pytest.raises(UndefinedScoreError, match="constant ratings"):
        test([4, 4, 4], [1, 2, 3])
    with pytest.raises(ValueError, match="3 ratings"):
        test([1, 2, 3], [1, 2])


def test_tau_of_drawn_tasks_agrees_with_scipy_on_distinct_draws() -> None:
    first, second = pair(2, 25)
    kept = np.zeros((1, 25))
    kept[0, [1, 4, 6, 9, 11, 17, 20, 24]] = 1
    chosen = np.flatnonzero(kept[0])

    found = tau_b_of(first, second)(kept)[0]
    known = stats.kendalltau(np.array(first)[chosen], np.array(second)[chosen]).statistic
    assert found == pytest.approx(known)


def test_tau_of_a_constant_draw_does_not_exist() -> None:
    weights = np.array([[3.0, 0, 0]])
    assert math.isnan(tau_b_of([1, 2, 3], [1, 2, 3])(weights)[0])


def test_intervals_surround_the_value_and_narrow_with_tasks() -> None:
    widths = []
    for n in (30, 300):
        first, second = pair(7, n, noise=2)
        for interval, value in (
            (tau_b_interval(first, second, rng=np.random.default_rng(0)), kendall_test(first, second).value),
            (spearman_interval(first, second, rng=np.random.default_rng(0)), spearman_test(first, second).value),
        ):
            assert interval is not None
            assert interval.low < value < interval.high
            widths.append(interval.high - interval.low)
    assert widths[2] < widths[0] / 2
    assert widths[3] < widths[1] / 2


def test_the_interval_of_spearman_agrees_with_scipys_bootstrap() -> None:
    first, second = (np.array(side) for side in pair(7, 60, noise=2))

    def statistic(a: np.ndarray, b: np.ndarray) -> float:
        return float(stats.spearmanr(a, b).statistic)

    known = stats.bootstrap(
        (first, second), statistic, paired=True, vectorized=False, n_resamples=N_RESAMPLES, method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval  # fmt: skip
    found = spearman_interval(first.tolist(), second.tolist(), rng=np.random.default_rng(0))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=0.04)


def test_there_is_no_interval_where_too_many_draws_are_constant() -> None:
    first = [1.0] * 9 + [2.0]
    assert tau_b_interval(first, list(range(10)), rng=np.random.default_rng(0)) is None
    assert spearman_interval(first, list(range(10)), rng=np.random.default_rng(0)) is None


def test_an_interval_within_strata_is_one_of_the_stratified_tau() -> None:
    first, second = pair(9, 60, noise=2)
    strata = ["a", "b", "c"] * 20
    found = tau_b_interval(first, second, rng=np.random.default_rng(0), strata=strata)

    assert found is not None
    assert found.low < stratified_kendall_test(first, second, strata=strata).value < found.high
