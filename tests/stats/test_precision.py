"""Expected widths against simulation and against what other books give."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from audit.errors import UndefinedScoreError
from audit.stats.kappa import weighted_kappa
from audit.stats.precision import expected_kappa_interval, expected_mean_half_width, expected_tau_interval

N_DRAWS = 1500


def normals(rho: float, n: int) -> np.ndarray:
    rng = np.random.default_rng(7)
    return rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], size=(N_DRAWS, n))


@pytest.mark.parametrize(("tau", "n"), [(0.3, 20), (0.5, 50), (0.7, 30)])
def test_the_expected_interval_of_tau_is_as_wide_as_taus_spread(tau: float, n: int) -> None:
    drawn = [stats.kendalltau(one[:, 0], one[:, 1]).statistic for one in normals(math.sin(math.pi * tau / 2), n)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    found = expected_tau_interval(tau, n)

    assert found.high - found.low == pytest.approx(high - low, rel=0.12)


@pytest.mark.parametrize(("kappa", "n"), [(0.3, 40), (0.6, 50)])
def test_the_expected_interval_of_kappa_is_as_wide_as_kappas_spread(kappa: float, n: int) -> None:
    ratings = np.clip(np.round(normals(kappa, n) * 2 + 5.5), 1, 10)
    drawn = [weighted_kappa(one[:, 0].tolist(), one[:, 1].tolist()) for one in ratings]
    low, high = np.quantile(drawn, [0.025, 0.975])
    found = expected_kappa_interval(kappa, n)

    assert found.high - found.low == pytest.approx(high - low, rel=0.15)


def test_the_half_width_of_a_mean_is_that_of_scipys_t_interval() -> None:
    low, high = stats.t.interval(0.95, 29, loc=0, scale=2.5 / math.sqrt(30))

    assert expected_mean_half_width(2.5, 30) == pytest.approx((high - low) / 2)


@pytest.mark.parametrize("expected", [expected_tau_interval, expected_kappa_interval])
def test_intervals_narrow_with_tasks_and_hold_their_value(expected: type) -> None:
    few, many = expected(0.5, 20), expected(0.5, 200)

    assert few.low < many.low < 0.5 < many.high < few.high


def test_too_few_tasks_have_no_width_and_a_correlation_of_one_is_refused() -> None:
    for call in (
        lambda: expected_tau_interval(0.5, 4),
        lambda: expected_kappa_interval(0.5, 2),
        lambda: expected_mean_half_width(1.0, 1),
    ):
        with pytest.raises(UndefinedScoreError, match="tasks at least"):
            call()
    with pytest.raises(ValueError, match="no interval"):
        expected_tau_interval(1.0, 50)
