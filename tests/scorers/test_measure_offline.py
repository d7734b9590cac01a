"""The command that measures the scorer, run on data of our own."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import roc_auc_score

from audit.scorers.offline import OfflineScorer
from scripts.measure_offline import auroc, derangements, main, measure_swaps, nearest
from tests.scorers.studio import studio


def test_auroc_agrees_with_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    high, low = rng.integers(0, 6, 40) + 1, rng.integers(0, 6, 30)
    expected = roc_auc_score([1] * 40 + [0] * 30, [*high, *low])
    assert auroc(high.tolist(), low.tolist()) == pytest.approx(expected)


def test_derangements_leave_nothing_in_its_place_and_repeat_with_their_seed() -> None:
    first, second = (derangements(9, n_draws=5, seed=1) for _ in range(2))
    assert all((order != np.arange(9)).all() and sorted(order) == list(range(9)) for order in first)
    assert all((a == b).all() for a, b in zip(first, second, strict=True))


def test_the_nearest_description_is_another_task_of_the_same_kind() -> None:
    benchmark = studio()
    assert all(partner != number for number, partner in enumerate(nearest(benchmark)))


@pytest.mark.parametrize(("n_tasks", "n_figures"), [(30, 4), (40, 5)])
def test_every_kind_of_swap_is_measured(n_tasks: int, n_figures: int) -> None:
    figures = measure_swaps(studio(n_tasks), OfflineScorer(), n_draws=2, seed=0)
    assert len(figures) == n_figures
    assert all(0.8 < figure.low <= figure.mean <= figure.high <= 1 for figure in figures)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    benchmark = studio()
    rows = [
        {
            "id": task.id,
            "user_scenario": {"instructions": task.description_text},
            "evaluation_criteria": {
                "actions": [{"name": action.name, "arguments": action.arguments} for action in task.actions or ()],
                "nl_assertions": [part.text for part in task.behavior],
            },
        }
        for task in benchmark.tasks
    ]
    for folder in (tmp_path / "set" / "domains" / "studio", tmp_path / "flaws" / "studio"):
        folder.mkdir(parents=True)
        (folder / "tasks.json").write_text(json.dumps(rows))
        (folder / "policy.md").write_text("Lessons last an hour.")
    (tmp_path / "set" / "domains" / "studio" / "db.json").write_text(json.dumps(benchmark.database))
    lines = ["source,domain,task_id,flawed,severity,category,components,reason"]
    lines += [f"readers,studio,t{n},{int(n < 5)},substantive,,," for n in range(10)]
    lines += ["readers,studio,t11,1,cosmetic,,,", "readers,elsewhere,t1,1,substantive,,,"]
    (tmp_path / "flaws" / "labels.csv").write_text("\n".join(lines))
    return tmp_path


def test_the_command_prints_swaps_and_flaws(data: Path) -> None:
    arguments = [
        "--data-dir",
        str(data / "set"),
        "--flaws-dir",
        str(data / "flaws"),
        "--domain",
        "studio",
        "--draws",
        "2",
    ]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    assert "studio: 30 tasks, 30 scored" in done.output
    assert done.output.count("whole benchmark swapped") == 2
    assert "5 flawed, 5 not" in done.output


def test_an_unreadable_benchmark_is_one_line(data: Path) -> None:
    (data / "set" / "domains" / "studio" / "tasks.json").write_text("[")
    done = CliRunner().invoke(main, ["--data-dir", str(data / "set"), "--domain", "studio"])
    assert done.exit_code != 0
    assert done.output.startswith("Error: ")
    assert "tasks.json" in done.output
