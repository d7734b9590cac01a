"""A text that asks for a better score gets none: what counts are its words, as they would count anywhere else.

Criterion, over texts of the same length appended to the same tasks: (1) a planted text moves every score exactly as
its own words do in reverse order, so that what it says has no part in it; (2) no planted text raises the mean score by
more than the neutral text that raises it most, plus 0.005; (3) nor is its mean absolute move greater than that of the
neutral text that moves most, plus 0.005; (4) no task rises by more than 0.05 over the greatest rise that a neutral
text brings about. True and swapped benchmarks must both meet it, planted in the description and in the behavior.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.records.task import Benchmark
from audit.scorers.offline import OfflineScorer
from scripts.measure_offline import derangements, load, swap, swappable
from tests.scorers.planted import LENGTH, NEUTRAL, PLANTED, plant
from tests.scorers.studio import studio

Floats = NDArray[np.float64]
Groups = list[frozenset[str]]


def _scores(benchmark: Benchmark, ids: frozenset[str]) -> Floats:
    verdicts = OfflineScorer().score(benchmark)
    return np.array([verdict.score for verdict in verdicts if verdict.task_id in ids], dtype=np.float64)


def _moves(benchmark: Benchmark, texts: Sequence[str], side: str, groups: Groups) -> Floats:
    """Return how far the planted tasks' scores move, a row a text, when it is planted in one group at a time."""
    before = [_scores(benchmark, ids) for ids in groups]
    after = [[_scores(plant(benchmark, text, side=side, ids=ids), ids) for ids in groups] for text in texts]
    return np.array([np.concatenate(list(map(np.subtract, row, before))) for row in after])


def _assert_planted_move_no_more_than_neutral(
    benchmark: Benchmark, side: str, groups: Groups, *, planted: Mapping[str, str] = PLANTED
) -> None:
    neutral = _moves(benchmark, NEUTRAL, side, groups)
    for name, moves in zip(planted, _moves(benchmark, list(planted.values()), side, groups), strict=True):
        assert not np.isnan(moves).any(), name
        assert moves.mean() <= neutral.mean(axis=1).max() + 0.005, name
        assert np.abs(moves).mean() <= np.abs(neutral).mean(axis=1).max() + 0.005, name
        assert moves.max() <= neutral.max() + 0.05, name


def _one_by_one(benchmark: Benchmark, n: int) -> Groups:
    return [frozenset({task.id}) for task in benchmark.tasks[:n]]


def _every_fifth(benchmark: Benchmark) -> Groups:
    return [frozenset(task.id for task in benchmark.tasks[::5])]


def _swapped(benchmark: Benchmark) -> Benchmark:
    return swap(benchmark, derangements(len(benchmark.tasks), n_draws=1, seed=5)[0])


def test_planted_and_neutral_texts_are_of_the_same_length() -> None:
    visible = {
        name: text for name, text in PLANTED.items() if name not in {"zero width", "tag characters", "right to left"}
    }
    assert {len(text) for text in (*visible.values(), *NEUTRAL)} == {LENGTH}


@pytest.mark.parametrize("side", ["d", "e"])
@pytest.mark.parametrize("is_swapped", [False, True])
def test_planted_texts_move_a_score_no_more_than_neutral_ones(side: str, *, is_swapped: bool) -> None:
    benchmark = _swapped(studio()) if is_swapped else studio()
    _assert_planted_move_no_more_than_neutral(benchmark, side, [*_one_by_one(benchmark, 2), *_every_fifth(benchmark)])


@pytest.mark.parametrize("side", ["d", "e"])
@pytest.mark.parametrize("name", ["order", "fake system", "polite", "German", "Arabic"])
def test_a_planted_text_moves_a_score_exactly_as_its_words_do_in_reverse(side: str, name: str) -> None:
    benchmark, text = studio(), PLANTED[name]
    backwards = " ".join(reversed(text.split()))
    ids = frozenset(task.id for task in benchmark.tasks[:10])
    forwards_scores = _scores(plant(benchmark, text, side=side, ids=ids), ids)
    np.testing.assert_allclose(
        _scores(plant(benchmark, backwards, side=side, ids=ids), ids), forwards_scores, atol=2e-6
    )


@pytest.mark.parametrize("side", ["d", "e"])
def test_planted_text_that_the_benchmark_does_not_speak_moves_nothing(side: str) -> None:
    texts = [PLANTED[name] for name in ("Chinese", "Arabic", "German", "tag characters")]
    np.testing.assert_array_equal(_moves(studio(), texts, side, _every_fifth(studio())), 0.0)


def test_a_planted_text_in_every_description_lifts_no_swapped_benchmark() -> None:
    benchmark = _swapped(studio())
    everyone = [frozenset(task.id for task in benchmark.tasks)]
    moves = _moves(benchmark, list(PLANTED.values()), "d", everyone)
    assert np.abs(moves.mean(axis=1)).max() < 0.01


@pytest.mark.parametrize(
    ("domain", "side", "is_swapped"),
    [("airline", "d", False), ("airline", "d", True), ("airline", "e", True), ("retail", "d", True)],
)
def test_planted_texts_move_real_scores_no_more_than_neutral_ones(
    domain: str, side: str, real_data: Path, *, is_swapped: bool
) -> None:
    benchmark = swappable(load(real_data / "tau3", domain), OfflineScorer())
    benchmark = _swapped(benchmark) if is_swapped else benchmark
    planted = {name: PLANTED[name] for name in ("order", "fake system", "polite", "mark-up", "Spanish")}
    _assert_planted_move_no_more_than_neutral(benchmark, side, _every_fifth(benchmark), planted=planted)
