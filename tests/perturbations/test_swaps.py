from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.errors import UsageError
from audit.inspection import Places, load
from audit.perturbations.forms.registry import find_form
from audit.perturbations.registry import perturb
from audit.perturbations.swap_behavior import choose_partners, cut_rings, give
from audit.perturbations.swap_nearest import pair_nearest
from audit.records.task import Benchmark
from audit.scorers.words import terms
from tests import builders
from tests.loaders import boats, clubs
from tests.perturbations import worlds

SAID = st.dictionaries(st.text("abcdefgh", min_size=1, max_size=3), st.sampled_from("uvwxyz"), max_size=14)


@pytest.fixture(scope="module")
def sample() -> Benchmark:
    return load(worlds.SAMPLE, Places())


@given(SAID, st.integers(0, 20))
def test_nobody_keeps_a_behavior_or_gets_the_same_words(said: dict[str, str], n: int) -> None:
    rings, alone = cut_rings(sorted(said), said)
    partners = choose_partners(rings, n)
    assert sorted(partners) == sorted(partners.values())
    assert len(partners) <= n
    for task_id, partner in partners.items():
        assert said[task_id] != said[partner]
    together = [task_id for ring in rings for task_id in ring]
    assert sorted([*together, *alone]) == sorted(said)
    assert all(len(ring) in (2, 3) for ring in rings)


@given(SAID)
def test_tasks_are_only_left_alone_when_one_text_is_too_common(said: dict[str, str]) -> None:
    _, alone = cut_rings(sorted(said), said)
    assert len({said[task_id] for task_id in alone}) <= 1
    if alone:
        common = [task_id for task_id in said if said[task_id] == said[alone[0]]]
        assert 2 * len(common) > len(said)


@given(SAID, st.integers(0, 20), st.integers(0, 2**32 - 1))
def test_nearest_partners_differ_in_what_is_expected_and_each_gives_to_one(
    said: dict[str, str], n: int, seed: int
) -> None:
    drawn = np.random.default_rng(seed).integers(0, 4, size=(len(said), len(said))) / 4
    rings, alone = pair_nearest(sorted(said), said, likeness=(drawn + drawn.T) / 2)
    partners = choose_partners(rings, n)
    assert sorted(partners) == sorted(partners.values())
    assert all(said[task_id] != said[partner] for task_id, partner in partners.items())
    assert sorted([*(task_id for ring in rings for task_id in ring), *alone]) == sorted(said)


def test_the_most_alike_of_all_are_partners_and_who_is_over_joins_those_most_like_it() -> None:
    likeness = np.array(
        [
            [1.0, 0.2, 0.9, 0.1, 0.3],
            [0.2, 1.0, 0.3, 0.8, 0.7],
            [0.9, 0.3, 1.0, 0.0, 0.1],
            [0.1, 0.8, 0.0, 1.0, 0.6],
            [0.3, 0.7, 0.1, 0.6, 1.0],
        ]
    )
    said = dict(zip("abcde", "vwxyz", strict=True))
    assert pair_nearest("abcde", said, likeness=likeness) == ([("a", "c"), ("b", "d", "e")], [])
    alike = {**said, "c": "v"}
    assert pair_nearest("abcde", alike, likeness=likeness) == ([("b", "d", "c"), ("a", "e")], [])
    assert pair_nearest("abc", dict.fromkeys("abc", "v"), likeness=likeness[:3, :3]) == ([], ["a", "b", "c"])


def test_nearest_swaps_keep_their_partners_at_four_rates_and_under_any_seed(sample: Benchmark) -> None:
    by_rate = [perturb(sample, "swap-nearest", rate=rate, seed=3).partner_by_task for rate in (0.2, 0.4, 0.6, 0.8)]
    for lower, higher in itertools.pairwise(by_rate):
        assert len(lower) < len(higher)
        assert lower.items() <= higher.items()
    whole = perturb(sample, "swap-nearest").partner_by_task
    assert whole == perturb(sample, "swap-nearest", seed=9).partner_by_task
    assert by_rate[0].keys() != perturb(sample, "swap-nearest", rate=0.2, seed=9).partner_by_task.keys()


def test_nearest_partners_are_more_alike_than_random_ones(sample: Benchmark) -> None:
    texts = {task.id: set(terms(task.description_text)) for task in sample.tasks}

    def alike(kind: str) -> float:
        pairs = perturb(sample, kind).partner_by_task.items()
        return fmean(len(texts[one] & texts[other]) / len(texts[one] | texts[other]) for one, other in pairs)

    assert alike("swap-nearest") > 1.3 * alike("swap-behavior")


def test_a_swapped_task_has_the_whole_behavior_of_its_partner(sample: Benchmark) -> None:
    found = perturb(sample, "swap-behavior", rate=0.4)
    by_id = {task.id: task for task in sample.tasks}
    for task in found.benchmark.tasks:
        donor = by_id[found.partner_by_task.get(task.id, task.id)]
        texts = [(part.kind, part.label, part.text) for part in donor.behavior]
        assert [(part.kind, part.label, part.text) for part in task.behavior] == texts
        assert (task.description, task.rows, task.tags) == (
            by_id[task.id].description,
            by_id[task.id].rows,
            by_id[task.id].tags,
        )
        assert [action.name for action in task.actions or ()] == [action.name for action in donor.actions or ()]


def test_a_set_of_one_is_left_alone_and_said_so(sample: Benchmark) -> None:
    found = perturb(sample, "swap-behavior", rate=0.02)
    assert (found.n_wanted, found.changed_ids) == (1, ())
    assert found.notes == ("Nothing was swapped: 1 of the tasks were to be, and a task has to have a partner",)
    assert found.benchmark == sample


def test_tasks_without_a_behavior_are_left_alone(tmp_path: Path) -> None:
    tasks = [boats.task(str(n), criteria={"actions": [], "nl_assertions": [f"Say {n}."]}) for n in range(4)]
    folder = boats.write_domain(tmp_path / "in", [*tasks, boats.task("empty", criteria={"actions": []})])
    found = perturb(load(str(folder), Places()), "swap-behavior")
    assert [(each.task_id, each.reason) for each in found.untouched] == [("empty", "it has no expected behavior")]
    assert found.notes == ("4 tasks were swapped, not 5: only 4 can be",)


def test_behaviors_that_all_say_the_same_can_not_be_swapped(tmp_path: Path) -> None:
    tasks = [boats.task(str(n), criteria={"actions": [], "nl_assertions": ["Refuse."]}) for n in range(3)]
    found = perturb(load(str(boats.write_domain(tmp_path / "in", tasks)), Places()), "swap-behavior")
    assert {each.reason for each in found.untouched} == {"no other task is left whose expected behavior differs"}
    assert found.changed_ids == ()


def test_a_field_that_only_one_side_has_goes_along(tmp_path: Path) -> None:
    sample = worlds.make("kiosk", tmp_path)
    form = find_form(sample)
    assert give(form, {"tag": "a", "query": "q"}, donor={"error_reason": "r"}) == {"error_reason": "r", "query": "q"}


def test_every_task_is_judged_by_the_other_policy_and_its_items(tmp_path: Path, sample: Benchmark) -> None:
    original = worlds.make("boats", tmp_path)
    found = perturb(original, "swap-policy", other=sample)
    assert {found.benchmark.policy_of(task).text for task in found.benchmark.tasks} == {sample.policy.text}
    assert found.benchmark.policy.items == sample.policy.items
    assert found.changed_ids == tuple(task.id for task in original.tasks)
    assert (found.changes[0].before, found.changes[0].after) == (original.policy.text, sample.policy.text)
    assert found.benchmark.tasks == original.tasks


def test_documents_that_tasks_add_to_their_policy_go_with_it(tmp_path: Path, sample: Benchmark) -> None:
    folder = clubs.write_club(tmp_path / "club", clubs.needing("fees"), clubs.needing(id="2"))
    original = load(str(folder), Places())
    found = perturb(original, "swap-policy", other=sample)
    assert original.tasks[0].policy is not None
    assert [task.policy for task in found.benchmark.tasks] == [None, None]
    assert [(change.task_id, change.field, change.after) for change in found.changes[1:]] == [
        ("1", "required_documents", None),
        ("2", "required_documents", None),
    ]


def test_a_policy_without_items_is_said(sample: Benchmark) -> None:
    other = builders.benchmark(policy=builders.policy(n_items=0), name="bare")
    found = perturb(sample, "swap-policy", other=other)
    assert found.notes == ("The policy of bare has no items: violations can't be judged",)


def test_the_same_policy_is_no_other_one(sample: Benchmark) -> None:
    with pytest.raises(UsageError, match="has the same policy"):
        perturb(sample, "swap-policy", other=replace(sample, name="copy"))
    with pytest.raises(UsageError, match=r"--with: swap-policy needs another benchmark"):
        perturb(sample, "swap-policy")
