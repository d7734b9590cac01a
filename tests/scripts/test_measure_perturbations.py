"""Measuring the offline scorer on perturbed benchmarks: the figures, and the whole way on the sample."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import roc_auc_score

from audit.inspection import Places, load
from scripts.measure_perturbations import (
    BEGIN,
    END,
    by_kind,
    by_nearest,
    contest,
    main,
    measure_domain,
    measure_mixed,
    measure_whole,
    put_between,
    render,
)
from tests.perturbations import worlds

IDS = [str(number) for number in range(20)]


def test_a_contest_of_one_draw_is_the_usual_auroc() -> None:
    rng = np.random.default_rng(0)
    high, low = rng.integers(0, 6, 20) / 5, rng.integers(0, 4, 20) / 5
    found = contest(IDS, [(dict(zip(IDS, high, strict=True)), dict(zip(IDS, low, strict=True)))])
    expected = roc_auc_score([1] * 20 + [0] * 20, [*high, *low])
    assert found.auroc == pytest.approx(expected)
    interval = found.interval(np.random.default_rng(1))
    assert interval is not None
    assert interval.low < found.auroc < interval.high


def test_tasks_without_a_score_meet_nobody() -> None:
    found = contest(["a", "b", "c"], [({"a": 0.9}, {"b": 0.1, "c": 0.9})])
    assert (found.meetings.sum(), found.wins.sum()) == (2, 1.5)
    assert np.isnan(contest(["a", "b"], []).auroc)


def test_a_swap_is_told_and_a_new_name_is_not() -> None:
    sample = load("sample/library", Places())
    swapped = measure_whole("swap", sample, by_kind(sample, "swap-behavior", 1.0), n_draws=2, seed=0)
    assert swapped.auroc > 0.9
    assert swapped.n_fell > 0.8
    assert measure_whole("near", sample, by_nearest(sample), n_draws=1, seed=0).auroc < swapped.auroc
    mixed = measure_mixed("swap", sample, by_kind(sample, "swap-behavior", 0.4), n_draws=2, seed=0)
    assert (mixed.n_changed, mixed.auroc > 0.8) == (16, True)
    renamed = measure_whole("names", sample, by_kind(sample, "rename-entities", 1.0), n_draws=1, seed=0)
    assert (renamed.auroc, renamed.n_moved) == (0.5, 0.0)


def test_a_kind_that_fits_no_task_has_no_figure(tmp_path: Path) -> None:
    kiosk = worlds.make("kiosk", tmp_path)
    lines = [
        measure_whole("break-policy", kiosk, by_kind(kiosk, "break-policy", 1.0), n_draws=1, seed=0),
        measure_mixed("break-policy", kiosk, by_kind(kiosk, "break-policy", 1.0), n_draws=1, seed=0),
    ]
    text = render({"whole": lines[:1], "mixed": lines[1:], "kept": lines[:1]}, [kiosk.name, "other"])
    assert text.count("| break-policy | – (n = 0) | – |") == 3


def test_every_table_has_its_kinds() -> None:
    lines = list(measure_domain(load("sample/library", Places()), n_draws=1, seed=0))
    names = {table: [line.name for kind, line in lines if kind == table] for table in ("whole", "mixed", "kept")}
    assert names["whole"][:3] == ["swap-behavior, random", "swap-behavior, nearest", "swap-nearest"]
    assert names["kept"] == ["paraphrase-format", "reorder-items", "rename-entities", "pad"]
    assert len(names["mixed"]) == 9


def test_the_tables_stand_between_their_marks() -> None:
    assert put_between(f"a {BEGIN} old {END} b", "new") == f"a {BEGIN}\n\nnew\n\n{END} b"
    with pytest.raises(click.ClickException, match="no marks"):
        put_between("a", "new")


def test_data_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--data", str(tmp_path)])
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")


def test_the_real_tables_are_written(real_data: Path, tmp_path: Path) -> None:
    document = tmp_path / "offline.md"
    document.write_text(f"# Scorer\n\n{BEGIN}\n{END}\n")
    arguments = ["--data", str(real_data), "--domain", "mock", "--draws", "1", "--write", str(document)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert "| kind | tau3/mock |" in document.read_text()
