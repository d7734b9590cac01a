"""Paired bootstrap intervals."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.stats

from audit.errors import UndefinedScoreError
from audit.stats import paired
from audit.stats.paired import paired_coverage_interval, paired_coverage_p, paired_mean_interval

RNG = np.random.default_rng


def test_the_interval_of_a_mean_difference_is_that_of_scipy() -> None:
    draw = RNG(3)
    old = draw.normal(7, 1, 60)
    new = old + draw.normal(-0.4, 0.5, 60)
    ours = paired_mean_interval(old.tolist(), new.tolist(), rng=RNG(0))
    theirs = scipy.stats.bootstrap(
        (new - old,), np.mean, n_resamples=20_000, method="percentile", rng=RNG(1)
    ).confidence_interval
    assert ours.low == pytest.approx(theirs.low, abs=0.02)
    assert ours.high == pytest.approx(theirs.high, abs=0.02)


def test_pairs_see_a_small_shift_that_unpaired_means_hide() -> None:
    old = [float(n % 10) for n in range(40)]
    ends = paired_mean_interval(old, [value - 0.1 for value in old], rng=RNG(0))
    assert ends.high < 0
    assert ends.low == pytest.approx(-0.1)


@pytest.mark.parametrize("values", [[], [1.0]])
def test_fewer_than_two_tasks_have_no_interval(values: list[float]) -> None:
    with pytest.raises(UndefinedScoreError, match="two tasks"):
        paired_mean_interval(values, values, rng=RNG(0))


def test_tasks_must_be_paired() -> None:
    with pytest.raises(ValueError, match="zip"):
        paired_mean_interval([1.0, 2.0], [1.0], rng=RNG(0))


def test_the_same_coverage_differs_by_nothing() -> None:
    same = RNG(0).random((30, 8)) < 0.2
    ends = paired_coverage_interval(same, same, k=2, rng=RNG(1))
    assert (ends.low, ends.high) == (0.0, 0.0)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_the_interval_of_a_coverage_difference_lies_around_it_and_inside_the_scale(k: int) -> None:
    old = RNG(0).random((40, 10)) < 0.3
    new = old & (RNG(1).random((40, 10)) < 0.4)
    ends = paired_coverage_interval(old, new, k=k, rng=RNG(2))
    value = float((new.sum(axis=0) >= k).mean() - (old.sum(axis=0) >= k).mean())
    assert -1 <= ends.low <= value <= ends.high <= 1


def test_coverage_that_is_lost_altogether_is_a_real_drop() -> None:
    old = np.ones((20, 6), dtype=np.bool_)
    ends = paired_coverage_interval(old, np.zeros_like(old), k=1, rng=RNG(0))
    assert (ends.low, ends.high) == (-1.0, -1.0)


def test_coverage_may_be_that_of_two_policies() -> None:
    old, new = RNG(0).random((40, 10)) < 0.2, RNG(1).random((40, 4)) < 0.05
    ends = paired_coverage_interval(old, new, k=1, rng=RNG(2))
    value = float((new.sum(axis=0) >= 1).mean() - (old.sum(axis=0) >= 1).mean())
    assert -1 <= ends.low < value < ends.high <= 1


def test_sides_of_different_shape_and_policies_without_items_are_refused() -> None:
    with pytest.raises(ValueError, match="shapes differ"):
        paired_coverage_interval(np.ones((3, 2), dtype=np.bool_), np.ones((2, 2), dtype=np.bool_), k=1, rng=RNG(0))
    nothing = np.ones((3, 0), dtype=np.bool_)
    with pytest.raises(UndefinedScoreError, match="no items"):
        paired_coverage_interval(nothing, nothing, k=1, rng=RNG(0))


def test_the_p_of_a_coverage_difference_is_that_of_every_way_to_change_sides() -> None:
    rng = np.random.default_rng(5)
    old, new = rng.random((9, 4)) < 0.15, rng.random((9, 4)) < 0.4
    observed = abs((new.sum(axis=0) >= 2).mean() - (old.sum(axis=0) >= 2).mean())
    wide = []
    for flips in itertools.product([False, True], repeat=9):
        swap = np.array(flips)[:, None]
        before, after = np.where(swap, new, old), np.where(swap, old, new)
        wide.append(abs((after.sum(axis=0) >= 2).mean() - (before.sum(axis=0) >= 2).mean()) >= observed - 1e-12)
    p = paired_coverage_p(old, new, k=2, rng=np.random.default_rng(0))
    assert 0.05 < np.mean(wide) < 0.95
    assert p == pytest.approx(np.mean(wide), abs=0.02)


def test_no_difference_in_coverage_has_a_p_of_1_and_a_great_one_the_least() -> None:
    same = np.eye(6, 3, dtype=bool)
    assert paired_coverage_p(same, same, k=1, rng=np.random.default_rng(0)) == 1.0
    none, all_ = np.zeros((40, 3), dtype=bool), np.ones((40, 3), dtype=bool)
    assert paired_coverage_p(none, all_, k=10, rng=np.random.default_rng(0)) < 0.01
    with pytest.raises(ValueError, match="shapes differ"):
        paired_coverage_p(none, same, k=1, rng=np.random.default_rng(0))


def test_a_large_benchmarks_draws_are_made_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    old, new = rng.random((50, 5)) < 0.02, rng.random((50, 5)) < 0.04
    whole = paired_coverage_p(old, new, k=1, rng=np.random.default_rng(0))
    monkeypatch.setattr(paired, "_BLOCK", 100)
    assert paired_coverage_p(old, new, k=1, rng=np.random.default_rng(0)) == pytest.approx(whole, abs=0.03)
