"""Measuring the free layer: labels, figures, tables, and the whole way on a domain of our own."""

from __future__ import annotations

import json
import math
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import roc_auc_score

from audit.records.finding import Certainty, Finding, Severity
from audit.records.task import Origin
from scripts.flaw_figures import break_ties, interval, measure_ranking, measure_share, weigh
from scripts.flaw_labels import merged_of, read_labels, sources_of
from scripts.flaw_tables import BEGIN, END
from scripts.measure_flaws import main
from tests.checks import inn

HEAD = "source,domain,task_id,flawed,severity,category,components,reason\n"


def labels(folder: Path, *rows: str) -> Path:
    path = folder / "labels.csv"
    path.write_text(HEAD + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def finding(rule: str, severity: Severity, certainty: Certainty = Certainty.LIKELY) -> Finding:
    return Finding(rule, severity, certainty, "t1", Origin("tasks.json", "", "t1"), "What.", "Mend.")


def test_sources_are_merged_and_cosmetic_corrections_dropped(tmp_path: Path) -> None:
    path = labels(
        tmp_path,
        "one,inn,a,1,substantive,missing_fact,x,why",
        "two,inn,a,1,cosmetic,doc_only,x,why",
        "one,inn,b,1,cosmetic,doc_only,x,why",
        "two,inn,b,0,,,,",
        "one,inn,c,0,,,,",
        "two,inn,d,1,substantive,loophole,x,why",
        "one,inn,e,0,cosmetic,typo,x,why",
        "one,other,f,0,,,,",
    )
    one, two, merged = sources_of(read_labels(path), "inn")

    assert (dict(one.flawed), tuple(one.sound)) == ({"a": ("missing_fact",)}, ("c",))
    assert (dict(two.flawed), tuple(two.sound)) == ({"d": ("loophole",)}, ("b",))
    assert (list(merged.flawed), tuple(merged.sound)) == (["a", "d"], ("c",))
    assert merged == merged_of(read_labels(path), "inn")
    assert [each.source for each in sources_of(read_labels(path), "other")] == ["one"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("source,domain\none,inn\n", "labels.csv:2 has no column 'task_id'"), (f"{HEAD}one,inn,a,yes,,,,\n", "'yes'")],
)
def test_odd_labels_are_one_clear_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(click.ClickException, match=said):
        read_labels(path)


def test_a_task_s_weight_is_a_noisy_or_over_rules() -> None:
    assert weigh([]) == 0
    warning = weigh([finding("a-b", Severity.WARNING)])
    assert weigh([finding("a-b", Severity.WARNING), finding("a-b", Severity.NOTE)]) == pytest.approx(warning)
    both = weigh([finding("a-b", Severity.WARNING), finding("c-d", Severity.WARNING)])
    assert both == pytest.approx(1 - (1 - warning) ** 2)
    assert both < weigh([finding("a-b", Severity.ERROR, Certainty.PROVED)]) < 1


def test_ties_are_broken_and_nothing_else_changes() -> None:
    made = break_ties(np.array([0.5, 0.5, 0.1, 0.5]), np.array([0.2, 0.9, 1.0, 0.9]))
    assert made.tolist() == [1, 2, 0, 2]


def test_a_share_of_one_has_an_exact_interval_that_is_not_a_point() -> None:
    flawed, marked = np.array([True] * 9 + [False] * 9), np.array([True] * 9 + [False] * 9)
    draws = np.random.default_rng(0).integers(0, 18, size=(200, 18))
    share = measure_share(flawed, marked, draws=draws)
    assert (share.value, share.hits, share.n, share.bootstrap) == (1.0, 9, 9, (1.0, 1.0))
    assert share.exact == pytest.approx((0.025 ** (1 / 9), 1.0))  # the closed form for k = n
    nothing = measure_share(flawed, np.zeros(18, dtype=bool), draws=draws)
    assert (nothing.value, nothing.bootstrap, nothing.exact) == (None, None, None)
    none = measure_share(~flawed, marked, draws=draws)
    assert none.exact == pytest.approx((0.0, 1 - 0.025 ** (1 / 9)))


def test_rankings_leave_out_what_has_no_score_and_are_undefined_for_one_kind() -> None:
    score, flawed = np.array([0.9, 0.2, math.nan, 0.4, 0.1, 0.3]), np.array([True, False, True, True, False, True])
    made = measure_ranking(score, flawed, draws=50, rng=np.random.default_rng(0))
    assert made.auroc == pytest.approx(roc_auc_score([1, 0, 1, 0, 1], [0.9, 0.2, 0.4, 0.1, 0.3]))
    assert (made.n_flawed, made.n_sound) == (3, 2)
    assert made.auroc_interval is None  # of five tasks, too many draws lack one kind
    more = measure_ranking(np.tile(score, 5), np.tile(flawed, 5), draws=50, rng=np.random.default_rng(0))
    assert more.auroc_interval is not None
    lone = measure_ranking(score, np.ones(6, dtype=bool), draws=50, rng=np.random.default_rng(0))
    assert (lone.auroc, lone.precision, lone.auroc_interval) == (None, None, None)


def test_an_interval_of_too_few_draws_is_none() -> None:
    assert interval(np.array([0.5] * 8), n_draws=10) is None
    assert interval(np.array([0.5] * 9), n_draws=10) == (0.5, 0.5)


def domain(folder: Path, *tasks: dict[str, object]) -> None:
    folder.mkdir(parents=True)
    (folder / "policy.md").write_text(inn.POLICY, encoding="utf-8")
    for name, content in (("tasks", list(tasks)), ("db", inn.database()), ("tools", inn.TOOLS)):
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")


def test_the_tables_are_written_between_the_markers_and_are_the_same_again(tmp_path: Path) -> None:
    flaws = tmp_path / "flaws-dev"
    wrong = inn.task("a", "You are guest gu_101, cancel it.", inn.action("cancel_stay", stay_id="ST503"))
    domain(flaws / "inn", wrong, *(inn.task(name, inn.task()["user_scenario"]["instructions"]) for name in "bc"))
    (flaws / "lost").mkdir()
    labels(
        flaws, "one,inn,a,1,substantive,wrong_gold,x,y", *(f"one,inn,{name},0,,,," for name in "bc"), "one,lost,z,0,,,,"
    )
    page = tmp_path / "page.md"
    page.write_text(f"Before.\n{BEGIN}\nold\n{END}\nAfter.\n", encoding="utf-8")
    command = ["--data", str(tmp_path), "--write", str(page), "--draws", "20", "--no-speed"]

    first = CliRunner().invoke(main, command)
    text = page.read_text(encoding="utf-8")
    assert first.exit_code == 0, first.output
    assert text.startswith(f"Before.\n{BEGIN}\nMeasured on ")
    assert text.endswith(f"{END}\nAfter.\n")
    assert "| inn, one | 1 / 2 | 1.00 (1/1)" in text
    assert "| gold-foreign-row | error | 1 / 0 |" in text
    assert "| wrong_gold | 1 of 1 |" in text
    assert "Not loaded, and in no figure: lost: " in text
    assert "gold-foreign-row" in first.output
    CliRunner().invoke(main, command)
    assert page.read_text(encoding="utf-8") == text


def test_without_data_or_markers_there_is_one_clear_line(tmp_path: Path) -> None:
    made = CliRunner().invoke(main, [], env={"BENCH_AUDIT_TEST_DATA": None})
    assert (made.exit_code, made.output.count("\n")) == (1, 1)
    assert "--data or BENCH_AUDIT_TEST_DATA" in made.output
    other = CliRunner().invoke(main, ["--data", str(tmp_path)])
    assert "has no flaws-dev/labels.csv" in other.output
