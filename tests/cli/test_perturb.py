"""``bench-audit perturb``, from the command line to the folder that it writes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from audit.cli.perturb import EPILOG
from audit.perturbations.registry import PERTURBATIONS
from tests.cli.conftest import Cli
from tests.loaders import boats, trams
from tests.perturbations import worlds

SAMPLE = "sample/library"


def test_the_folder_loads_and_its_record_says_what_was_changed(cli: Cli, tmp_path: Path) -> None:
    result = cli("perturb", SAMPLE, "swap-behavior", "--rate", "0.4", "--out", "swapped", "--show", "0")
    assert result.code == 0
    assert result.out.splitlines() == [
        "swap-behavior of sample/library, rate 0.4, seed 0",
        "16 of 42 tasks changed; this must lower desc_alignment, offline_match",
        "16 tasks were swapped, not 17: tasks are swapped in pairs that stay together",
    ]
    assert "written to swapped; perturbation.json there says what was changed" in result.err
    stated = json.loads((tmp_path / "swapped" / "perturbation.json").read_text())
    assert len(stated["tasks"]) == 16
    scored = cli("score", "swapped", "--format", "json")
    assert scored.code == 0
    assert scored.json["benchmark"]["n_tasks"] == 42


def test_a_swapped_benchmark_scores_lower_offline(cli: Cli) -> None:
    cli("perturb", SAMPLE, "swap-behavior", "--rate", "1", "--out", "swapped")
    before, after = (
        cli("score", name, "--metric", "offline_match", "--format", "json").json["scores"][0]["value"]
        for name in (SAMPLE, "swapped")
    )
    assert after < before - 0.2


def test_without_a_folder_the_changes_are_only_shown(cli: Cli, tmp_path: Path) -> None:
    result = cli("perturb", SAMPLE, "contradict-row", "--rate", "1", "--seed", "3", "--show", "2")
    assert result.code == 0
    shown = [line for line in result.out.splitlines() if line.startswith("task ")]
    assert [line.split()[1] for line in shown] == ["lib_01", "lib_02"]
    assert list(tmp_path.iterdir()) == []


def test_the_usual_rate_is_a_fifth(cli: Cli) -> None:
    assert "8 of 42 tasks changed" in cli("perturb", SAMPLE, "pad").out
    assert "rate 1," in cli("perturb", SAMPLE, "rename-entities").out


def test_the_record_as_json_goes_to_a_file_or_to_stdout(cli: Cli, tmp_path: Path) -> None:
    result = cli("perturb", SAMPLE, "pad", "--tasks", "lib_03,lib_01", "--rate", "1", "--format", "json")
    assert [task["task_id"] for task in result.json["tasks"]] == ["lib_03", "lib_01"]
    assert result.json["files"] == []
    written = cli("perturb", SAMPLE, "pad", "--limit", "2", "--rate", "1", "--format", "json", "-o", "pad.json")
    assert (written.code, written.out) == (0, "")
    assert json.loads((tmp_path / "pad.json").read_text())["n_changed"] == 2


def test_another_policy_needs_a_name_and_is_said(cli: Cli, tmp_path: Path) -> None:
    result = cli("perturb", SAMPLE, "swap-policy")
    assert (result.code, result.out) == (2, "")
    assert "--with: swap-policy takes the policy of another benchmark" in result.err
    folder = trams.write_domain(tmp_path / "trams", is_python=False)
    done = cli("perturb", SAMPLE, "swap-policy", "--with", folder, "--out", "other", "--show", "0")
    assert done.code == 0
    assert "The policy of" in done.out
    assert (tmp_path / "other" / "policy.md").read_text() == trams.WIKI.rstrip("\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("shuffle",), "no perturbation 'shuffle'"),
        (("pad", "--rate", "2"), "--rate: 2.0 is no share of tasks"),
        (("pad", "--rate", "nan"), "--rate: nan is no share of tasks"),
        (("rename-entities", "--rate", "0.5"), "its rate can only be 1"),
        (("pad", "--with", SAMPLE), "takes nothing from another benchmark"),
        (("pad", "--tasks", "nobody"), "nobody"),
        (("pad", "--out", "full"), "not empty"),
        (("pad", "--output", "full"), "is a folder"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(cli: Cli, tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("")
    result = cli("perturb", SAMPLE, *arguments)
    assert (result.code, result.out) == (2, "")
    assert words in result.err
    assert len(result.err.strip().splitlines()) == 1


def test_items_that_a_folder_can_not_hold_are_said(cli: Cli, tmp_path: Path) -> None:
    worlds.make("ferries", tmp_path / "ferries")
    boats.write_domain(tmp_path / "boats")
    items = {
        "policy": "own/rules",
        "document_sha256": hashlib.sha256(boats.POLICY.rstrip().encode()).hexdigest(),
        "items": [{"id": "X1", "title": "Moving", "kind": "prohibition", "start": 15, "end": 35}],
    }
    (tmp_path / "boats" / "policy.items.json").write_text(json.dumps(items))
    result = cli("perturb", tmp_path / "ferries", "swap-policy", "--with", tmp_path / "boats", "--out", "out")
    assert result.code == 0, result.err
    assert "Note: The policy in the folder has 0 items, not 1" in result.err


def test_the_help_names_every_kind_in_order() -> None:
    lines = [line for line in EPILOG.splitlines() if line.startswith("  ")]
    named = [line.split()[0] for line in lines if "bench-audit" not in line]
    assert named == list(PERTURBATIONS)
