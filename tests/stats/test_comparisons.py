"""Families of tests, trends, AUROC, ordering, corrected shares and rarefied coverage."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from audit.errors import UndefinedScoreError
from audit.stats.bootstrap import times_drawn, weighted_interval
from audit.stats.discrimination import auroc, auroc_interval, share_interval
from audit.stats.multiple import holm, sign_flip_p
from audit.stats.ordering import order_tiers
from audit.stats.prevalence import Counted, correct_prevalence
from audit.stats.rarefaction import coverage_of_draws, coverage_of_draws_interval
from audit.stats.trend import mean_slope, page_trend


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("seed", range(4))
def test_holm_agrees_with_statsmodels(seed: int) -> None:
    p_values = np.round(rng(seed).uniform(size=9) ** 3, 2).tolist()
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


def test_holm_of_none_is_none_and_p_values_are_shares() -> None:
    assert holm([]) == ()
    with pytest.raises(ValueError, match="p-values lie in"):
        holm([1.2])


def test_sign_flips_of_few_differences_are_all_gone_through() -> None:
    differences = [0.5, -1.0, 2.0, 0.0, 1.5, 3.0, -0.5]
    flips = np.array(list(itertools.product((-1, 1), repeat=7))) @ np.array(differences)
    known = np.mean(np.abs(flips) >= abs(sum(differences)) - 1e-9)
    assert sign_flip_p(differences) == pytest.approx(known)


def test_sign_flips_of_many_differences_agree_with_random_flips() -> None:
    differences = rng(1).normal(0.3, 1, size=40)
    flips = rng(2).choice([-1, 1], size=(20_000, 40)) @ differences

    assert sign_flip_p(differences.tolist()) == pytest.approx(
        np.mean(np.abs(flips) >= abs(differences.sum())), abs=0.01
    )


def test_sign_flips_need_three_differences_and_one_that_is_not_zero() -> None:
    with pytest.raises(UndefinedScoreError, match="2 differences"):
        sign_flip_p([1, 2])
    with pytest.raises(UndefinedScoreError, match="every difference is 0"):
        sign_flip_p([0, 0, 0])


@pytest.mark.parametrize("seed", range(4))
def test_pages_trend_agrees_with_scipy_without_ties(seed: int) -> None:
    values = rng(seed).normal(size=(20, 5)) - np.arange(5) * 0.3
    known = stats.page_trend_test(-values, method="asymptotic")
    found = page_trend(values.tolist())

    assert found.p_falling == pytest.approx(known.pvalue)
    assert found.n == 20


def test_pages_l_of_rows_in_perfect_reverse_order_is_the_least_that_there_is() -> None:
    # 12 rows over 3 conditions: 12 · (3 · 1 + 2 · 2 + 1 · 3), with mean 144 and variance 12 · 2 · 2 / 2 by hand.
    found = page_trend([[3, 2, 1]] * 12)
    assert found.statistic == 120
    assert found.z == pytest.approx((120 - 144) / np.sqrt(24))


def test_pages_trend_with_ties_agrees_with_permutations_within_tasks() -> None:
    draw = rng(3)
    values = draw.integers(1, 4, size=(12, 4)).astype(float)
    values[:, 3] -= draw.integers(0, 2, size=12)
    found = page_trend(values.tolist())
    shuffled = [page_trend(draw.permuted(values, axis=1).tolist()).statistic for _ in range(3000)]

    assert found.p_falling == pytest.approx(np.mean(np.array(shuffled) <= found.statistic), abs=0.025)
    assert (found.statistic - np.mean(shuffled)) / np.std(shuffled) == pytest.approx(found.z, abs=0.15)


def test_a_trend_needs_tasks_conditions_and_a_difference() -> None:
    for values, why in (
        ([[1, 2, 3]] * 2, "2 tasks"),
        ([[1, 2]] * 3, "2 conditions"),
        ([[1, 1, 1]] * 3, "no task's values differ"),
    ):
        with pytest.raises(UndefinedScoreError, match=why):
            page_trend(values)


def test_the_slope_of_the_mean_agrees_with_scipy() -> None:
    values, rates = rng(4).normal(size=(15, 5)), [0, 0.2, 0.4, 0.6, 0.8]
    found = mean_slope(values.tolist(), rates, rng=rng())

    assert found.value == pytest.approx(stats.linregress(rates, values.mean(axis=0)).slope)
    assert found.interval is not None
    assert found.interval.low < found.value < found.interval.high


def test_a_slope_needs_different_conditions_one_a_column() -> None:
    for conditions in ([1, 1, 1], [1, 2]):
        with pytest.raises(ValueError, match="3 columns"):
            mean_slope([[1, 2, 3]] * 3, conditions, rng=rng())


@pytest.mark.parametrize("seed", range(4))
def test_auroc_agrees_with_scikit_learn_on_ties(seed: int) -> None:
    low, high = rng(seed).integers(1, 8, size=30).tolist(), rng(seed + 9).integers(3, 10, size=20).tolist()
    known = roc_auc_score([0] * 30 + [1] * 20, low + high)

    assert auroc(low, high) == pytest.approx(known)


def test_auroc_needs_both_groups() -> None:
    with pytest.raises(UndefinedScoreError, match="0 changed and 1 untouched"):
        auroc([], [1])
    with pytest.raises(UndefinedScoreError, match="groups of 0 and 3"):
        auroc_interval(0.5, 0, n_high=3)


@pytest.mark.parametrize(("n_low", "n_high", "distance"), [(10, 10, 1.0), (20, 30, 2.0), (10, 40, 3.0)])
def test_the_interval_of_auroc_holds_the_true_one_as_often_as_it_says(n_low: int, n_high: int, distance: float) -> None:
    draw, true = rng(), float(stats.norm.cdf(distance / np.sqrt(2)))
    n_held = 0
    for _ in range(400):
        low, high = draw.normal(size=n_low), draw.normal(distance, size=n_high)
        interval = auroc_interval(auroc(low.tolist(), high.tolist()), n_low, n_high=n_high)
        n_held += interval.low <= true <= interval.high
    assert 0.92 <= n_held / 400 <= 0.99


def test_the_interval_of_auroc_is_wide_even_at_its_ends() -> None:
    top, bottom = auroc_interval(1.0, 20, n_high=20), auroc_interval(0.0, 20, n_high=20)
    assert top.low == pytest.approx(1 - bottom.high)
    assert 0.8 < top.low < top.high == 1.0


@pytest.mark.parametrize(("n_marked", "n"), [(0, 10), (3, 17), (20, 20), (50, 200)])
def test_the_interval_of_a_share_agrees_with_statsmodels(n_marked: int, n: int) -> None:
    known = proportion_confint(n_marked, n, method="wilson")
    found = share_interval(n_marked, n)

    assert (found.low, found.high) == pytest.approx(known)


def test_a_share_of_no_tasks_is_undefined() -> None:
    with pytest.raises(UndefinedScoreError, match="no tasks"):
        share_interval(0, 0)


def test_tiers_of_two_two_and_one_give_eight_pairs() -> None:
    values = {"a": 9.0, "b": 8.0, "c": 8.0, "d": 8.5, "e": 7.0}
    found = order_tiers(values, [["a", "b"], ["c", "d"], ["e"]])

    assert len(found.pairs) == 8
    assert [(pair.better, pair.worse) for pair in found.ties] == [("b", "c")]
    assert [(pair.better, pair.worse) for pair in found.failing] == [("b", "d")]
    assert found.score == 6 / 8
    assert found.interval is None
    assert found.pairs[0].probability is None


def test_benchmarks_without_a_value_take_their_pairs_with_them() -> None:
    assert len(order_tiers({"a": 2.0, "c": 1.0}, [["a", "b"], ["c"]]).pairs) == 1
    with pytest.raises(UndefinedScoreError, match="no two benchmarks of different tiers"):
        order_tiers({"a": 1.0, "b": 2.0}, [["a", "b"], ["c"]])


def test_draws_give_the_probability_of_each_order_and_the_interval_of_the_score() -> None:
    draws = {"a": np.array([3.0, 3, 1, 3]), "b": np.array([2.0, 2, 2, 3])}
    found = order_tiers({"a": 2.5, "b": 2.25}, [["a"], ["b"]], draws=draws)

    assert (found.pairs[0].probability, found.pairs[0].tie_probability) == (0.5, 0.25)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (0, 1)


def test_the_probability_of_an_order_agrees_with_the_normal_distribution() -> None:
    draw = rng()
    draws = {"a": draw.normal(1, 1, 50_000), "b": draw.normal(0, 1, 50_000)}
    found = order_tiers({"a": 1.0, "b": 0.0}, [["a"], ["b"]], draws=draws).pairs[0]

    assert found.probability == pytest.approx(stats.norm.cdf(1 / np.sqrt(2)), abs=0.01)


def test_a_share_is_corrected_as_rogan_and_gladen_say() -> None:
    marked, hits, passes = Counted(45, 200), Counted(80, 100), Counted(90, 100)
    found = correct_prevalence(marked, sensitivity=hits, specificity=passes, rng=rng())

    assert found.raw == 0.225
    assert found.value == pytest.approx((0.225 + 0.9 - 1) / (0.8 + 0.9 - 1))
    assert found.interval.low < found.value < found.interval.high


def test_the_interval_of_a_corrected_share_agrees_with_the_delta_method_for_large_counts() -> None:
    n = 20_000
    marked, hits, passes = Counted(6000, n), Counted(17_000, n), Counted(18_000, n)
    found = correct_prevalence(marked, sensitivity=hits, specificity=passes, rng=rng())
    p, se, sp = 0.3, 0.85, 0.9
    skill, value = se + sp - 1, (p + sp - 1) / (se + sp - 1)
    variance = (p * (1 - p) + value**2 * se * (1 - se) + (1 - value) ** 2 * sp * (1 - sp)) / n / skill**2

    half = 1.96 * np.sqrt(variance)
    assert (found.interval.low, found.interval.high) == pytest.approx((value - half, value + half), abs=0.001)


def test_a_corrected_share_stays_within_zero_and_one() -> None:
    found = correct_prevalence(Counted(1, 50), sensitivity=Counted(9, 10), specificity=Counted(8, 10), rng=rng())
    assert (found.value, found.interval.low) == (0, 0)


def test_a_share_can_t_be_corrected_by_a_judge_that_marks_all_alike_nor_from_nothing() -> None:
    ten = Counted(5, 10)
    with pytest.raises(UndefinedScoreError, match="marks 50% of flawed and 50% of sound tasks"):
        correct_prevalence(ten, sensitivity=ten, specificity=ten, rng=rng())
    with pytest.raises(UndefinedScoreError, match="no known sound tasks"):
        correct_prevalence(ten, sensitivity=ten, specificity=Counted(0, 0), rng=rng())


def test_rarefied_coverage_is_the_mean_over_every_draw() -> None:
    violated = rng(5).random((7, 4)) < 0.35
    for k, n in itertools.product((1, 2), (1, 3, 5, 7)):
        draws = [violated[list(chosen)].sum(axis=0) >= k for chosen in itertools.combinations(range(7), n)]
        assert coverage_of_draws(violated, k=k, n_tasks=n) == pytest.approx(np.mean(draws))


def test_the_interval_of_rarefied_coverage_surrounds_it() -> None:
    violated = rng(5).random((60, 20)) < 0.05
    value = coverage_of_draws(violated, k=1, n_tasks=30)
    found = coverage_of_draws_interval(violated, k=1, n_tasks=30, rng=rng())

    assert 0 < found.low < value < found.high < 1


def test_coverage_can_be_rarefied_to_no_more_tasks_than_there_are() -> None:
    violated = np.zeros((3, 2), dtype=np.bool_)
    for n in (0, 4):
        with pytest.raises(UndefinedScoreError, match=f"of which {n} can't be drawn"):
            coverage_of_draws(violated, k=1, n_tasks=n)
    with pytest.raises(UndefinedScoreError, match="no items"):
        coverage_of_draws(np.zeros((3, 0), dtype=np.bool_), k=1, n_tasks=2)


def test_draws_are_counted_by_task() -> None:
    assert times_drawn(np.array([[0, 0, 2], [1, 1, 1]])).tolist() == [[2, 0, 1], [0, 3, 0]]


def test_an_interval_of_weighted_tasks_is_that_of_their_means() -> None:
    values = rng(6).normal(size=40)
    found = weighted_interval(lambda weights: weights @ values / weights.sum(axis=1), 40, rng=rng())

    assert found is not None
    assert (found.low + found.high) / 2 == pytest.approx(values.mean(), abs=0.05)
    assert weighted_interval(lambda weights: np.full(len(weights), np.nan), 40, rng=rng()) is None
