"""Bootstrap intervals over tasks."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.stats import bootstrap
from audit.stats.bootstrap import N_RESAMPLES, coverage_intervals, mean_interval, resample

MOUSE_TREATMENT = np.array([94.0, 197, 16, 38, 99, 141, 23])
"""Efron and Tibshirani (1993), "An introduction to the bootstrap", table 2.1."""


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_resampling_gives_the_standard_error_of_a_textbook_example() -> None:
    # The same book gives 23.36 for the mean as the limit of many resamples; 2,000 of them scatter around it by 0.4.
    means = resample(lambda index: MOUSE_TREATMENT[index].mean(axis=1), 7, rng=rng())

    assert means.shape == (N_RESAMPLES,)
    assert means.std() == pytest.approx(23.36, abs=1.2)


def test_the_interval_of_a_mean_agrees_with_scipy() -> None:
    values = rng(3).integers(1, 11, size=60).astype(float)
    found = mean_interval(values.tolist(), rng=rng())
    known = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=rng(1)).confidence_interval

    assert found.low == pytest.approx(known.low, abs=0.08)
    assert found.high == pytest.approx(known.high, abs=0.08)
    assert found.level == 0.95


def test_the_interval_of_a_mean_agrees_with_the_enumeration_of_all_resamples() -> None:
    values = [1.0, 4.0, 9.0, 10.0, 16.0]
    exact = [float(np.mean(draw)) for draw in product(values, repeat=5)]
    found = mean_interval(values, rng=rng())

    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(exact, [0.025, 0.975])), abs=0.5)


@given(st.lists(st.floats(0, 10), min_size=2, max_size=12), st.integers(0, 9))
@settings(max_examples=30)
def test_the_interval_of_a_mean_stays_in_range_and_ignores_order(values: list[float], seed: int) -> None:
    found = mean_interval(values, rng=rng(seed))

    assert min(values) <= found.low <= found.high <= max(values)
    assert mean_interval(values[::-1], rng=rng(seed)) == found


def test_the_interval_of_equal_values_is_that_value_without_rounding() -> None:
    assert mean_interval([0.1] * 3, rng=rng()) == Interval(0.1, 0.1, 0.95)


def test_a_wider_level_gives_a_wider_interval() -> None:
    narrow, wide = (mean_interval(MOUSE_TREATMENT.tolist(), rng=rng(), level=level) for level in (0.5, 0.99))

    assert wide.low < narrow.low < narrow.high < wide.high


def test_one_task_has_no_interval() -> None:
    with pytest.raises(UndefinedScoreError, match="two tasks at least, not 1"):
        mean_interval([3.0], rng=rng())


def test_resampling_in_small_blocks_keeps_the_number_of_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "_BLOCK", 4_200)
    sizes: list[int] = []

    def size_of(index: NDArray[np.intp]) -> NDArray[np.float64]:
        sizes.append(len(index))
        return np.asarray(index.mean(axis=1), dtype=np.float64)

    assert resample(size_of, 7, rng=rng()).shape == (N_RESAMPLES,)
    assert sizes == [600, 600, 600, 200]


def enumerate_coverage(violated: NDArray[np.bool_], k: int) -> list[float]:
    """Coverage at k of every one of the n^n resamples, counted item by item."""
    n_tasks, n_items = violated.shape
    return [
        sum(sum(bool(violated[task, item]) for task in draw) >= k for item in range(n_items)) / n_items
        for draw in product(range(n_tasks), repeat=n_tasks)
    ]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_interval_of_coverage_agrees_with_the_enumeration_of_all_resamples(k: int) -> None:
    violated = rng(5).random((5, 12)) < 0.35
    exact = np.array(enumerate_coverage(violated, k))
    value = float((violated.sum(axis=0) >= k).mean())
    low, high = np.quantile(exact, [0.025, 0.975]) + value - exact.mean()
    (found,) = coverage_intervals(violated, [k], rng=rng())

    assert (found.low, found.high) == pytest.approx((max(low, 0), min(high, 1)), abs=0.09)


def test_the_interval_of_coverage_surrounds_its_value_where_plain_percentiles_do_not() -> None:
    violated = np.eye(30, 40, dtype=np.bool_)  # thirty items, each violated by one task alone
    exact_share_kept = 1 - (1 - 1 / 30) ** 30
    (found,) = coverage_intervals(violated, [1], rng=rng())

    assert found.low < 0.75 < found.high
    assert 0.75 * exact_share_kept + (found.high - found.low) / 2 < 0.75, "plain percentiles would leave 0.75 out"


@given(st.integers(2, 8), st.integers(1, 6), st.integers(0, 99))
@settings(max_examples=30)
def test_the_interval_of_coverage_stays_in_range_and_is_the_same_for_the_same_seed(
    n_tasks: int, n_items: int, seed: int
) -> None:
    violated = rng(seed).random((n_tasks, n_items)) < 0.4
    found = coverage_intervals(violated, [1, 2], rng=rng(seed))

    values = [float((violated.sum(axis=0) >= k).mean()) for k in (1, 2)]
    assert all(0 <= interval.low <= value <= interval.high <= 1 for interval, value in zip(found, values, strict=True))
    assert coverage_intervals(violated, [1, 2], rng=rng(seed)) == found


def test_coverage_without_items_has_no_interval() -> None:
    with pytest.raises(UndefinedScoreError, match="no items"):
        coverage_intervals(np.zeros((4, 0), dtype=np.bool_), [1], rng=rng())
