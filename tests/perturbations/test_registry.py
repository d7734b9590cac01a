from __future__ import annotations

from dataclasses import replace

import pytest

from audit.errors import UsageError
from audit.inspection import Places, load
from audit.metrics.registry import METRICS
from audit.perturbations.forms.registry import find_form
from audit.perturbations.json_paths import differences, show
from audit.perturbations.registry import KEEPING, LOWERING, PERTURBATIONS, find_perturbation, perturb
from audit.perturbations.writing import seen_of
from audit.records.perturbation import Perturbed
from audit.records.task import Benchmark
from tests import builders
from tests.perturbations import worlds

RATES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
PARTIAL = tuple(name for name, kind in PERTURBATIONS.items() if not kind.is_whole)


@pytest.fixture(scope="module", params=worlds.FORMATS)
def original(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return worlds.make(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return worlds.make("sample", tmp_path_factory.mktemp("sample"))


def apply(benchmark: Benchmark, kind: str, *, rate: float = 1.0, seed: int = 0) -> Perturbed:
    other = load(worlds.SAMPLE, Places()) if kind == "swap-policy" else None
    if other is not None and other.policy.sha256 == benchmark.policy.sha256:
        other = builders.benchmark(name="other/domain")
    return perturb(benchmark, kind, rate=rate, seed=seed, other=other)


def recorded(found: Perturbed, task_id: str) -> set[str]:
    return {change.field for change in found.changes if change.task_id == task_id}


@pytest.mark.parametrize("kind", PERTURBATIONS)
def test_the_planted_change_is_the_only_one(original: Benchmark, kind: str) -> None:
    found = apply(original, kind)
    changed = {change.task_id for change in found.changes if change.task_id is not None}
    shared = any(change.task_id is None for change in found.changes)
    for before, after in zip(original.tasks, found.benchmark.tasks, strict=True):
        touched = {show(path) for path, _, _ in differences(before.raw, after.raw)}
        if kind in ("swap-behavior", "swap-nearest"):
            fields = recorded(found, before.id)
            assert all(any(field.startswith(part) for part in fields) for field in touched)
        else:
            assert touched == recorded(found, before.id)
        if before.id not in changed and not shared:
            assert after == before
        assert after.id == before.id
    if not shared:
        assert found.benchmark.policy == original.policy
        assert found.benchmark.database == original.database


@pytest.mark.parametrize("kind", PERTURBATIONS)
def test_a_changed_task_reads_differently_and_every_other_is_accounted_for(original: Benchmark, kind: str) -> None:
    found = apply(original, kind)
    by_id = {task.id: task for task in original.tasks}
    changed = {change.task_id for change in found.changes if change.task_id is not None}
    for task in found.benchmark.tasks:
        if task.id in changed:
            seen, was = seen_of(found.benchmark, task), seen_of(original, by_id[task.id])
            assert seen != was or list(seen.values()) == list(was.values())
    if not PERTURBATIONS[kind].is_whole:
        assert changed.isdisjoint(each.task_id for each in found.untouched)
        assert len(changed) + len(found.untouched) == len(original.tasks)


@pytest.mark.parametrize("kind", PARTIAL)
def test_the_tasks_of_a_lower_rate_are_among_those_of_a_higher_one_and_changed_alike(
    original: Benchmark, kind: str
) -> None:
    before: dict[str, list[object]] = {}
    for rate in RATES:
        found = apply(original, kind, rate=rate)
        now: dict[str, list[object]] = {}
        for change in found.changes:
            now.setdefault(str(change.task_id), []).append(change)
        assert len(now) <= found.n_wanted
        assert {task_id: now[task_id] for task_id in before} == before
        before = now
    assert apply(original, kind, rate=0.0).benchmark == original


@pytest.mark.parametrize("kind", PERTURBATIONS)
def test_the_same_seed_gives_the_same_benchmark(original: Benchmark, kind: str) -> None:
    first, again = apply(original, kind, seed=5), apply(original, kind, seed=5)
    assert (first.benchmark, first.changes, first.untouched) == (again.benchmark, again.changes, again.untouched)


@pytest.mark.parametrize("kind", [kind for kind in PARTIAL if kind != "drop-goal"])
def test_another_seed_gives_another_benchmark(sample: Benchmark, kind: str) -> None:
    one, other = apply(sample, kind, rate=0.5, seed=1), apply(sample, kind, rate=0.5, seed=2)
    assert one.changes != other.changes


def test_what_a_task_gets_hangs_on_no_other_task(sample: Benchmark) -> None:
    few = replace(sample, tasks=sample.tasks[:10], corpus=())
    of_few, of_all = perturb(few, "pad"), perturb(sample, "pad")
    kept = [change for change in of_all.changes if change.task_id in {task.id for task in few.tasks}]
    assert list(of_few.changes) == kept


def test_the_background_of_the_offline_scorer_is_changed_too(sample: Benchmark) -> None:
    found = perturb(sample, "swap-behavior")
    by_id = {task.id: task for task in found.benchmark.corpus}
    assert all(by_id[task.id] == task for task in found.benchmark.tasks)


@pytest.mark.parametrize("kind", PERTURBATIONS)
def test_the_sample_supports_every_kind(sample: Benchmark, kind: str) -> None:
    assert len(apply(sample, kind).changed_ids) >= 0.5 * len(sample.tasks)


def test_every_kind_says_what_it_must_do_to_metrics_that_exist() -> None:
    variants = {name: kind.variant_of for name, kind in PERTURBATIONS.items() if kind.variant_of}
    assert set(LOWERING) | set(KEEPING) | set(variants) == set(PERTURBATIONS)
    assert variants == {"swap-nearest": "swap-behavior"}
    assert set(variants).isdisjoint(LOWERING)
    assert set(LOWERING).isdisjoint(KEEPING)
    for kind in PERTURBATIONS.values():
        assert kind.metrics
        assert set(kind.metrics) <= set(METRICS)
        assert not kind.summary.endswith(".")


def test_fewer_fitting_tasks_than_wanted_is_said(sample: Benchmark) -> None:
    found = perturb(sample, "wrong-entity")
    n = len(found.changed_ids)
    assert n < found.n_wanted == len(sample.tasks)
    assert found.notes == (f"{n} tasks were changed, not {found.n_wanted}: the others can't be changed in this way",)
    assert perturb(sample, "wrong-entity", rate=0.2).notes == ()


@pytest.mark.parametrize("rate", [-0.1, 1.5, float("nan")])
def test_a_rate_that_is_no_share_is_refused(sample: Benchmark, rate: float) -> None:
    with pytest.raises(UsageError, match="is no share of tasks"):
        perturb(sample, "pad", rate=rate)


def test_what_changes_all_tasks_alike_takes_no_rate(sample: Benchmark) -> None:
    with pytest.raises(UsageError, match="its rate can only be 1"):
        perturb(sample, "rename-entities", rate=0.5)


def test_a_benchmark_that_is_not_needed_is_refused(sample: Benchmark) -> None:
    with pytest.raises(UsageError, match="takes nothing from another benchmark"):
        perturb(sample, "pad", other=sample)


def test_an_unknown_kind_names_those_that_exist() -> None:
    with pytest.raises(UsageError, match=r"no perturbation 'shuffle'.*swap-behavior"):
        find_perturbation("shuffle")


def test_a_format_without_a_form_is_refused() -> None:
    with pytest.raises(UsageError, match=r"test/domain: benchmarks of the format ''.*tau1"):
        find_form(builders.benchmark())
