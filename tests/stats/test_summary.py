"""Spread of a list of numbers."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.errors import UndefinedScoreError
from audit.stats.summary import Summary, summarise

NUMBERS = st.lists(st.integers(-10_000, 10_000).map(lambda number: number / 7), min_size=1, max_size=40)


def test_the_summary_agrees_with_a_textbook_example() -> None:
    # Wikipedia, "Standard deviation": mean 5 and population deviation 2, which is 32 / 7 as a sample variance.
    assert summarise([2, 4, 4, 4, 5, 5, 7, 9]) == Summary(8, 5.0, 4.5, math.sqrt(32 / 7), 2.0, 9.0)


@given(NUMBERS.filter(lambda values: len(values) > 1))
def test_the_summary_agrees_with_numpy(values: list[float]) -> None:
    found = summarise(values)

    assert found.mean == pytest.approx(np.mean(values), abs=1e-9)
    assert found.sd == pytest.approx(np.std(values, ddof=1), abs=1e-9)
    assert (found.minimum, found.maximum) == (np.min(values), np.max(values))
    assert found.median == pytest.approx(np.median(values))


@given(NUMBERS)
def test_the_summary_is_the_same_to_the_last_bit_in_any_order(values: list[float]) -> None:
    reordered = sorted(values)

    assert summarise(reordered) == summarise(values)
    assert summarise(values).mean == pytest.approx(statistics.fmean(values), abs=1e-9)


@given(NUMBERS)
def test_the_mean_lies_between_the_least_and_the_greatest_value(values: list[float]) -> None:
    found = summarise(values)

    assert found.minimum <= found.mean <= found.maximum
    assert found.minimum <= found.median <= found.maximum


def test_one_value_has_no_deviation() -> None:
    assert summarise([7]) == Summary(1, 7.0, 7.0, None, 7.0, 7.0)


def test_nothing_has_no_summary() -> None:
    with pytest.raises(UndefinedScoreError, match="no values"):
        summarise([])
