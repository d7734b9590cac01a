"""``study patterns`` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.studies.low_reasons import REASONS

SAMPLE = "sample/library"
JUDGE = ("--judge", "scripted:constant-4", "--quiet")


@pytest.fixture
def saved(cli: Cli, tmp_path: Path) -> Path:
    """A saved run whose low scores have reasons that differ."""
    scored = cli("score", SAMPLE, *JUDGE, "--metric", "desc_alignment", "--format", "json", "-o", "run.json")
    assert scored.code == 0, scored.err
    path = tmp_path / "run.json"
    run: dict[str, Any] = json.loads(path.read_text())
    for verdict, (_, text) in zip(run["verdicts"], REASONS, strict=False):
        verdict["reasons"] = [text]
    path.write_text(json.dumps(run))
    return path


def test_a_saved_run_is_grouped_its_codebook_written_and_used_again(cli: Cli, saved: Path, tmp_path: Path) -> None:
    got = cli("study", "patterns", saved, "--export", "codes.csv", "--out", "out")

    assert got.code == 0, got.err
    assert "Compensation or refunds" in got.out
    assert "[scripted (not a real judge)]" in got.out
    assert (tmp_path / "out" / "patterns.html").exists()
    (tmp_path / "codes.csv").write_text((tmp_path / "codes.csv").read_text().replace("Compensation or", "Money:"))
    again = cli("study", "patterns", saved, "--codebook", "codes.csv", "--export", "codes.csv", "--format", "json")
    assert again.code == 0, again.err
    assert "Money: refunds go wrong" in again.out
    assert again.json["settings"]["codebook"] == "codes.csv"


def test_the_same_command_gives_the_same_study(cli: Cli, saved: Path) -> None:
    once, again = (cli("study", "patterns", saved, "--format", "json", "--seed", 5).json for _ in range(2))
    assert once["tables"] == again["tables"]


def test_a_benchmark_is_judged_first_and_the_groups_named_by_the_judge(cli: Cli) -> None:
    got = cli("study", "patterns", SAMPLE, *JUDGE, "--metric", "desc_alignment", "--name-groups", "--format", "json")

    assert got.code == 0, got.err
    (group,) = got.json["tables"][0]["rows"]
    assert "Scripted text" in json.dumps(group)
    assert [calls["planned"] for calls in got.json["calls"]] == [1, 42]
    plan = cli("study", "patterns", SAMPLE, *JUDGE, "--dry-run", "--name-groups")
    assert "eight at most" in plan.err


def test_a_run_whose_groups_are_to_be_named_is_planned_without_a_call(cli: Cli, saved: Path) -> None:
    got = cli("study", "patterns", saved, *JUDGE, "--name-groups", "--dry-run")

    assert got.code == 0, got.err
    assert "scripted:constant-4" in got.out
    plan = cli("study", "patterns", saved, *JUDGE, "--name-groups", "--dry-run", "--format", "json").json
    (planned,) = plan["judges"]
    assert planned["planned"] == planned["to_ask"] == planned["plan"]["to_ask"] == 4
    nothing = cli("study", "patterns", saved, "--dry-run", "--format", "json").json
    assert (nothing["format"], nothing["judges"]) == ("bench-audit/study-plan", [])


def test_a_judge_that_refuses_leaves_the_found_names_and_says_so(cli: Cli, saved: Path) -> None:
    got = cli("study", "patterns", saved, "--judge", "scripted:refuses", "--quiet", "--name-groups")

    assert got.code == 3
    assert "Found: " in got.out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((SAMPLE,), "reasons come from a judge"),
        ((SAMPLE, "--name-groups"), "reasons come from a judge"),
        (("run.json", *JUDGE), "a saved run is judged already"),
        (("run.json", "--name-groups"), "no judge is named"),
        (("run.json", "--metric", "violation_count"), "'violation_count' has no low scores with reasons"),
        (("run.json", "--export", "run.json"), "is there already"),
        (("run.json", "--codebook", "none.csv"), "none.csv"),
        (("run.json", "--below", "0"), "--below"),
    ],
)
@pytest.mark.usefixtures("saved")
def test_what_cant_be_done_is_one_line(cli: Cli, arguments: tuple[str, ...], problem: str) -> None:
    got = cli("study", "patterns", *arguments)

    assert got.code == 2
    assert problem in got.err
    assert len(got.err.splitlines()) == 1


@pytest.mark.usefixtures("saved")
def test_bad_cells_of_a_codebook_are_named_and_nothing_is_studied(cli: Cli, tmp_path: Path) -> None:
    cli("study", "patterns", "run.json", "--export", "codes.csv")
    path = tmp_path / "codes.csv"
    path.write_text(path.read_text().replace("reason,compensation,", "reason,compensations,"))

    got = cli("study", "patterns", "run.json", "--codebook", "codes.csv")

    assert got.code == 2
    assert "group: there is no group 'compensations'" in got.err


@pytest.mark.usefixtures("saved")
def test_where_no_score_is_low_there_is_nothing_to_group(cli: Cli) -> None:
    got = cli("study", "patterns", "run.json", "--below", "2")

    assert got.code == 0
    assert "Too few to group: 0 reasons; grouping needs 5" in got.out
