"""Kappa, alpha, AC2, item sets, scale use and panels of raters."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from scipy.stats import entropy
from sklearn.metrics import cohen_kappa_score, precision_recall_fscore_support
from sklearn.preprocessing import MultiLabelBinarizer

from audit.errors import UndefinedScoreError
from audit.stats.agreement import mean_jaccard
from audit.stats.item_sets import f1_interval, jaccard_interval, match_sets, precision_interval, recall_interval
from audit.stats.kappa import LINEAR, QUADRATIC, kappa_interval, kappa_of, weighted_kappa
from audit.stats.panel_size import effective_judges
from audit.stats.reliability import Ratings, ac2_interval, alpha_interval, gwet_ac2, krippendorff_alpha
from audit.stats.scale_use import flip_rate, mean_spread, pairwise_flips, use_of_scale
from tests.stats.random_ratings import pair, panel

RECORDED = Path(__file__).parent / "recorded" / "ac2.json"
KRIPPENDORFF_2011 = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)
"""Krippendorff (2011), "Computing Krippendorff's alpha-reliability", example C: four observers, twelve units."""


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("power", "name"), [(LINEAR, "linear"), (QUADRATIC, "quadratic")])
def test_weighted_kappa_agrees_with_scikit_learn(seed: int, power: int, name: str) -> None:
    first, second = pair(seed, 35, noise=2)
    known = cohen_kappa_score(first, second, labels=[1, 2, 3, 4, 5], weights=name)

    assert weighted_kappa(first, second, power=power) == pytest.approx(known)


def test_weighted_kappa_of_a_table_by_hand() -> None:
    # Two raters, three categories: counts 2, 1 and 1 on the diagonal, one pair a step apart. Disagreement seen 1/5;
    # expected from the margins (2, 1, 2) and (2, 2, 1): (2·2·1 + 2·1·2 + 1·2·1 + 1·1·1 + 2·2·2 + 2·2·1) / 25 = 23/25.
    first, second = [1, 1, 2, 3, 3], [1, 1, 2, 2, 3]
    assert weighted_kappa(first, second, power=LINEAR) == pytest.approx(1 - (1 / 5) / (23 / 25))


def test_kappa_is_undefined_where_both_are_constant_and_alike() -> None:
    with pytest.raises(UndefinedScoreError, match="both rate every task 4"):
        weighted_kappa([4, 4, 4], [4, 4, 4])
    with pytest.raises(UndefinedScoreError, match="2 tasks"):
        weighted_kappa([4, 4], [4, 3])
    with pytest.raises(ValueError, match="3 ratings"):
        weighted_kappa([4, 4, 4], [4, 3])


def test_kappa_is_zero_for_one_constant_rater() -> None:
    assert weighted_kappa([4, 4, 4], [3, 4, 5]) <= 0


def test_kappa_of_draws_is_that_of_the_repeated_tasks() -> None:
    first, second = pair(1, 6)
    weights = np.array([[2.0, 0, 1, 1, 0, 2]])
    drawn = np.repeat(np.arange(6), weights[0].astype(int))

    found = kappa_of(first, second, power=QUADRATIC)(weights)[0]
    assert found == pytest.approx(weighted_kappa([first[i] for i in drawn], [second[i] for i in drawn]))


def test_the_interval_of_kappa_surrounds_it() -> None:
    first, second = pair(1, 60)
    found = kappa_interval(first, second, rng=rng())
    assert found is not None
    assert found.low < weighted_kappa(first, second) < found.high


def test_alpha_agrees_with_its_authors_example() -> None:
    # The same paper gives 0.815 for ordinal data.
    assert krippendorff_alpha(list(zip(*KRIPPENDORFF_2011, strict=True))) == pytest.approx(0.815, abs=0.001)


@pytest.mark.parametrize("seed", range(8))
def test_alpha_agrees_with_the_package_krippendorff_on_gaps(seed: int) -> None:
    ratings = panel(seed, 25, gap=0.4)
    table = np.array([[np.nan if cell is None else cell for cell in row] for row in ratings]).T

    known = krippendorff.alpha(table, level_of_measurement="ordinal")
    assert krippendorff_alpha(ratings) == pytest.approx(known)


def test_ac2_agrees_with_recorded_results_of_the_package_irrcac() -> None:
    for each in json.loads(RECORDED.read_text())["sets"]:
        found = gwet_ac2(each["ratings"], categories=range(1, each["q"] + 1))
        assert found == pytest.approx(each["ac2"], abs=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_ac2_agrees_with_its_definition_written_out(seed: int) -> None:
    ratings, q = panel(seed, 20, n_raters=3), 5
    weights = [[1 - math.comb(abs(a - b) + 1, 2) / math.comb(q, 2) for b in range(q)] for a in range(q)]
    given = [[int(cell) - 1 for cell in row if cell is not None] for row in ratings]
    given = [row for row in given if row]
    agreed = [
        sum(weights[a][b] for a, b in combinations(row, 2)) / math.comb(len(row), 2) for row in given if len(row) > 1
    ]
    used = [sum(row.count(c) / len(row) for row in given) / len(given) for c in range(q)]
    chance = sum(map(sum, weights)) / (q * (q - 1)) * sum(share * (1 - share) for share in used)
    seen = sum(agreed) / len(agreed)

    assert gwet_ac2(ratings, categories=[1, 2, 3, 4, 5]) == pytest.approx((seen - chance) / (1 - chance))


@pytest.mark.parametrize("statistic", [krippendorff_alpha, gwet_ac2])
@pytest.mark.parametrize(
    ("ratings", "why"),
    [
        ([[1, None], [2, None], [3, None]], "one rater"),
        ([[None, None]], "no rater"),
        ([[1, 2], [2, 2], [3, None]], "2 tasks rated by two or more"),
        ([[4, 4], [4, 4], [4, 4]], "every rating is the same"),
    ],
)
def test_alpha_and_ac2_are_undefined_without_raters_tasks_or_variety(
    statistic: object, ratings: Ratings, why: str
) -> None:
    assert callable(statistic)
    with pytest.raises(UndefinedScoreError, match=why):
        statistic(ratings)


def test_constant_ratings_on_a_known_scale_are_perfect_for_ac2() -> None:
    assert gwet_ac2([[4, 4], [4, 4], [4, 4]], categories=range(1, 11)) == 1


def test_a_rating_off_the_scale_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match=r"not on the scale: \[11\]"):
        gwet_ac2([[11, 1], [2, 2], [3, 3]], categories=range(1, 11))


def test_intervals_of_alpha_and_ac2_surround_them() -> None:
    ratings = panel(3, 60)
    for value, interval in (
        (krippendorff_alpha(ratings), alpha_interval(ratings, rng=rng())),
        (gwet_ac2(ratings), ac2_interval(ratings, rng=rng())),
    ):
        assert interval is not None
        assert interval.low < value < interval.high


@pytest.mark.parametrize("seed", range(4))
def test_precision_recall_and_f1_agree_with_scikit_learn(seed: int) -> None:
    draw = np.random.default_rng(seed)
    sides = [[{f"P{i}" for i in range(6) if draw.random() < 0.3} for _ in range(20)] for _ in range(2)]
    binarizer = MultiLabelBinarizer(classes=[f"P{i}" for i in range(6)])
    judge, reference = (binarizer.fit_transform(side) for side in sides)
    known = precision_recall_fscore_support(reference, judge, average="micro")
    found = match_sets(sides[0], sides[1])

    assert (found.precision, found.recall, found.f1) == pytest.approx(known[:3])


def test_precision_is_undefined_where_the_judge_names_nothing_and_recall_where_people_do() -> None:
    silent, loud = [set[str]()] * 3, [{"P1"}] * 3
    with pytest.raises(UndefinedScoreError, match="the judge names no item"):
        _ = match_sets(silent, loud).precision
    with pytest.raises(UndefinedScoreError, match="the reference names no item"):
        _ = match_sets(loud, silent).recall
    with pytest.raises(UndefinedScoreError, match="neither side names an item"):
        _ = match_sets(silent, silent).f1
    with pytest.raises(UndefinedScoreError, match="1 tasks"):
        match_sets([set()], [set()])
    assert match_sets(silent, loud).f1 == 0


def test_the_interval_of_f1_surrounds_it_and_is_absent_for_rare_items() -> None:
    judge, reference = [{"a"}, {"b"}, set(), {"a", "b"}] * 5, [{"a"}, {"a"}, set(), {"a", "b"}] * 5
    found = f1_interval(judge, reference, rng=rng())
    assert found is not None
    assert found.low < match_sets(judge, reference).f1 < found.high
    assert f1_interval([{"a"}, *[set[str]()] * 9], [{"a"}, *[set[str]()] * 9], rng=rng()) is None


Sets = list[set[str]]


def precision(judge: Sets, people: Sets) -> float:
    return match_sets(judge, people).precision


def recall(judge: Sets, people: Sets) -> float:
    return match_sets(judge, people).recall


def f1(judge: Sets, people: Sets) -> float:
    return match_sets(judge, people).f1


INTERVALS = {
    "precision": (precision_interval, precision),
    "recall": (recall_interval, recall),
    "f1": (f1_interval, f1),
    "jaccard": (jaccard_interval, mean_jaccard),
}


@pytest.mark.parametrize("name", INTERVALS)
def test_intervals_of_item_sets_are_those_of_tasks_drawn_again_one_by_one(name: str) -> None:
    interval, measure = INTERVALS[name]
    draw = np.random.default_rng(1)
    judge, people = ([{item for item in "abcd" if draw.random() < 0.4} for _ in range(30)] for _ in range(2))
    drawn = []
    for _ in range(2000):
        places = draw.integers(0, 30, size=30)
        drawn.append(measure([judge[n] for n in places], [people[n] for n in places]))
    found = interval(judge, people, rng=rng())

    assert found is not None
    assert (found.low, found.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]).tolist(), abs=0.02)


def test_the_use_of_a_scale_of_evenly_used_points_is_whole() -> None:
    found = use_of_scale([1, 2, 3, 4], n_points=4)

    assert (found.minimum, found.maximum, found.n_distinct) == (1, 4, 4)
    assert (found.entropy, found.share_of_most, found.tied_pairs) == (2, 1, 0)


def test_a_constant_judge_uses_one_point_and_ties_every_pair() -> None:
    found = use_of_scale([7, 7, 7])

    assert (found.n_distinct, found.entropy, found.share_of_most, found.tied_pairs) == (1, 0, None, 1)


def test_entropy_agrees_with_scipy() -> None:
    ratings, _ = pair(0, 50)
    counts = np.unique(ratings, return_counts=True)[1]
    assert use_of_scale(ratings).entropy == pytest.approx(entropy(counts, base=2))


def test_the_use_of_a_scale_needs_three_ratings() -> None:
    with pytest.raises(UndefinedScoreError, match="2 ratings"):
        use_of_scale([1, 2])


def test_flips_of_two_trials_are_the_same_however_counted() -> None:
    trials = [["a", "a"], ["a", "b"], ["b", "b"], ["a"]]
    assert flip_rate(trials) == pairwise_flips(trials) == pytest.approx(1 / 3)


def test_more_trials_raise_the_flip_rate_but_not_the_pairwise_one() -> None:
    draw = np.random.default_rng(0)
    coins = draw.integers(0, 2, size=(4000, 8)).tolist()

    assert flip_rate(coins) > 0.98
    assert pairwise_flips(coins) == pytest.approx(0.5, abs=0.01)


def test_the_spread_within_tasks_agrees_with_numpy() -> None:
    trials = np.random.default_rng(0).normal(size=(30, 4))
    assert mean_spread(trials.tolist()) == pytest.approx(np.sqrt(trials.var(axis=1, ddof=1).mean()))


@pytest.mark.parametrize("statistic", [flip_rate, pairwise_flips, mean_spread])
def test_steadiness_is_undefined_for_one_trial(statistic: object) -> None:
    assert callable(statistic)
    with pytest.raises(UndefinedScoreError, match="no task has two verdicts"):
        statistic([[1], [2]])


def test_the_effective_number_of_judges_predicts_the_error_of_their_mean() -> None:
    draw = np.random.default_rng(0)
    shared, own = draw.normal(size=20_000), draw.normal(size=(5, 20_000))
    errors = shared * math.sqrt(0.4) + own * math.sqrt(0.6)

    found = effective_judges(errors.tolist())
    assert found == pytest.approx(5 / (1 + 4 * 0.4), abs=0.05)
    assert errors.mean(axis=0).var() == pytest.approx(errors.var() / found, rel=0.03)


def test_opposed_judges_count_as_many_as_they_are() -> None:
    assert effective_judges([[1, 2, 3], [3, 2, 1]]) == 2


@pytest.mark.parametrize(
    ("ratings", "why"),
    [([[1, 2, 3]], "one judge"), ([[1, 2], [2, 1]], "2 tasks"), ([[1, 1, 1], [1, 2, 3]], "constant")],
)
def test_the_effective_number_of_judges_is_undefined_without_judges_tasks_or_variety(
    ratings: list[list[float]], why: str
) -> None:
    with pytest.raises(UndefinedScoreError, match=why):
        effective_judges(ratings)
