"""Draws: seeded, stratified, and of the size that was asked for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from audit.annotation.sampling import draw_tasks, name_strata, score_bands
from audit.records.task import Benchmark
from tests import builders
from tests.reports import runs


def tagged(**counts: int) -> Benchmark:
    tasks = [
        replace(builders.task(f"{tag}-{number}"), tags=("all", tag))
        for tag, count in counts.items()
        for number in range(count)
    ]
    return builders.benchmark(*tasks)


@pytest.mark.parametrize("seed", range(20))
def test_every_stratum_gives_its_share_to_within_one_task(seed: int) -> None:
    tested = tagged(easy=50, hard=30, rare=20)

    tasks, strata = draw_tasks(tested, 10, bands={}, seed=seed)

    assert len({task.id for task in tasks}) == 10
    drawn = Counter(task.id.partition("-")[0] for task in tasks)
    assert {each.name: each.n_drawn for each in strata} == drawn
    assert all(abs(drawn[name] - share) <= 1 for name, share in (("easy", 5), ("hard", 3), ("rare", 2)))


def test_every_task_has_the_same_chance() -> None:
    tested = tagged(a=3, b=4)
    times = Counter(task.id for seed in range(1400) for task in draw_tasks(tested, 3, bands={}, seed=seed)[0])

    assert len(times) == 7
    assert all(500 < n < 700 for n in times.values()), times


def test_a_seed_draws_the_same_tasks_in_the_same_order_and_another_one_others() -> None:
    tested = tagged(a=40)

    def ids(seed: int) -> list[str]:
        return [task.id for task in draw_tasks(tested, 12, bands={}, seed=seed)[0]]

    assert ids(3) == ids(3)
    assert ids(3) != ids(4)
    assert ids(3) != sorted(ids(3), key=[task.id for task in tested.tasks].index)


def test_more_than_there_are_is_all_of_them() -> None:
    tasks, (stratum,) = draw_tasks(tagged(a=5), 50, bands={}, seed=0)

    assert len({task.id for task in tasks}) == 5
    assert (stratum.n_available, stratum.n_drawn) == (5, 5)


def test_splits_and_score_thirds_name_strata_and_what_all_tasks_share_does_not() -> None:
    tested = replace(tagged(a=1, b=1), splits={"test": ("a-0",), "base": ("a-0", "b-0")})

    assert name_strata(tested, {"a-0": "low score"}) == ["low score, a, test", "no score, b"]
    assert name_strata(builders.benchmark(), {}) == ["no tag"]


def test_thirds_hold_equal_parts_and_ties_stay_together() -> None:
    values = {str(n): float(n) for n in range(9)}
    tested = runs.benchmark(*(runs.task(n) for n in range(9)))
    run = runs.result(tested, scores=(runs.score("desc_alignment", values),))
    bands, metric = score_bands(run, ("policy_violations", "desc_alignment"))

    assert metric == "desc_alignment"
    assert Counter(bands.values()) == {"low score": 3, "middle score": 3, "high score": 3}
    same = runs.result(tested, scores=(runs.score("desc_alignment", dict.fromkeys(values, 7.0)),))
    assert set(score_bands(same, ("desc_alignment",))[0].values()) == {"middle score"}
    assert score_bands(runs.result(tested, scores=()), ("desc_alignment",)) == ({}, "")
