"""Statistics against worked examples that others have published, each with its source."""

from __future__ import annotations

import numpy as np
import pytest

from audit.stats.discrimination import auroc, share_interval
from audit.stats.kappa import LINEAR, QUADRATIC, weighted_kappa
from audit.stats.multiple import holm, sign_flip_p
from audit.stats.rank import spearman_test
from audit.stats.trend import page_trend


def test_spearman_is_that_of_the_textbook_pairs_of_iq_and_hours_of_television() -> None:
    # Ten pairs without ties: the sum of squared rank differences is 194, so rho = 1 - 6 · 194 / (10 · 99) = -29/165.
    # In the article "Spearman's rank correlation coefficient" of Wikipedia, with p = 0.6272 by Student's t; the exact
    # p of ten pairs lies near it.
    iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
    hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
    found = spearman_test(iq, hours)

    assert found.value == pytest.approx(-29 / 165)
    assert found.p == pytest.approx(0.6272, abs=0.01)


def test_weighted_kappa_is_that_of_the_published_table_of_couples() -> None:
    # 91 couples on one question, by four answers: Agresti (1990), "Categorical data analysis", after Hout, Duncan and
    # Sobel (1987). The package vcd publishes 0.2374 for weights of equal spacing.
    table = np.array([[7, 7, 2, 3], [2, 8, 3, 7], [1, 5, 4, 9], [2, 8, 9, 14]])
    pairs = [(row, column) for (row, column), n in np.ndenumerate(table) for _ in range(n)]
    husbands, wives = [float(row) for row, _ in pairs], [float(column) for _, column in pairs]

    assert len(pairs) == 91
    assert weighted_kappa(husbands, wives, power=LINEAR) == pytest.approx(0.2374, abs=5e-5)
    # Quadratic weights by the same table: what is seen over what the margins 19, 20, 19, 33 and 12, 28, 18, 33 expect.
    apart = np.subtract.outer(np.arange(4), np.arange(4)) ** 2
    expected = (np.outer(table.sum(axis=1), table.sum(axis=0)) / 91 * apart).sum()
    assert weighted_kappa(husbands, wives, power=QUADRATIC) == pytest.approx(1 - (table * apart).sum() / expected)


def test_auroc_is_that_of_the_published_readings_of_tomograms() -> None:
    # 58 normal and 51 abnormal images on a scale of five: Hanley and McNeil (1982), "The meaning and use of the area
    # under a receiver operating characteristic curve", table I; the area by Wilcoxon's statistic is 0.893.
    normal = [value for value, n in zip(range(1, 6), (33, 6, 6, 11, 2), strict=True) for _ in range(n)]
    abnormal = [value for value, n in zip(range(1, 6), (3, 2, 2, 11, 33), strict=True) for _ in range(n)]

    assert auroc(normal, abnormal) == pytest.approx(0.893, abs=5e-4)


def test_pages_l_is_that_of_the_published_ratings_of_tutorials() -> None:
    # Ten students rate three ways of teaching, with ties: the example on the page of scipy.stats.page_trend_test, which
    # gives L = 133.5, and p = 0.0018 without a correction for ties. Ours has one, so that its p is smaller.
    ratings = [
        [3, 4, 3],
        [2, 2, 4],
        [3, 3, 5],
        [1, 3, 2],
        [2, 3, 2],
        [2, 4, 5],
        [1, 2, 4],
        [3, 4, 4],
        [2, 4, 5],
        [1, 3, 4],
    ]
    rising = page_trend(ratings)
    falling = page_trend([[-value for value in row] for row in ratings])

    assert rising.statistic == 133.5
    assert 0.0005 < falling.p_falling < 0.00182


def test_sign_flips_give_fishers_p_for_darwins_plants() -> None:
    # Fisher (1935), "The design of experiments", chapter III: of the 2^15 ways to sign Darwin's differences in height,
    # 863 have a sum of 314 or more, so that both tails are 1726 of 32768.
    differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]

    assert sum(differences) == 314
    assert sign_flip_p(differences) == pytest.approx(1726 / 32768)


def test_holm_is_that_of_the_published_example_of_four_tests() -> None:
    # 0.01, 0.04, 0.03 and 0.005: in the article "Holm–Bonferroni method" of Wikipedia the first and the last alone are
    # rejected at 0.05; adjusted, by Holm (1979): 3 · 0.01, then 2 · 0.03 twice, and 4 · 0.005.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@pytest.mark.parametrize(
    ("n_marked", "n", "low", "high"), [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]
)
def test_the_interval_of_a_share_is_that_of_newcombes_table(n_marked: int, n: int, low: float, high: float) -> None:
    # Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I, method 3 (Wilson).
    found = share_interval(n_marked, n)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
