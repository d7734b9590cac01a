from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from audit.sources.own import OwnDomain, OwnManifest
from tests.cli.conftest import Cli

WRITTEN = {
    "README.md",
    "benchmark.toml",
    "desk/db.json",
    "desk/policy.items.json",
    "desk/policy.md",
    "desk/tasks.json",
    "desk/tools.json",
}


def test_the_skeleton_checks_clean_and_scores_as_it_stands(cli: Cli, tmp_path: Path) -> None:
    result = cli("new-benchmark", "my set")
    assert result.code == 0
    assert set(result.out.splitlines()) == {f"my set/{name}" for name in WRITTEN}
    assert "By its name: bench-audit score my-set/desk --data-dir ." in result.err

    checked = cli("check", "my set")
    assert checked.code == 0
    assert checked.out.splitlines()[:2] == [
        checked.out.splitlines()[0],
        "no findings in 0 tasks",
    ]
    scored = cli("score", "my-set/desk", "--data-dir", ".", "--format", "json")
    assert scored.code == 0
    assert scored.json["benchmark"]["name"] == "my-set/desk"
    assert "5 policy items" in cli("policy", "items", "my set/desk").out
    shown = cli("show", "my set/desk", "moved_too_often").out
    assert "forgotten how often it was moved" in shown
    assert "my-set/desk" in cli("list", "--data-dir", ".").out


def test_every_field_of_a_manifest_is_explained_in_the_skeleton(cli: Cli, tmp_path: Path) -> None:
    cli("new-benchmark", "mine")
    text = (tmp_path / "mine/benchmark.toml").read_text()
    uncommented = "\n".join(line.removeprefix("# ") if " = " in line else line for line in text.splitlines())
    values = tomllib.loads(uncommented)
    assert set(values) == set(OwnManifest.model_fields)
    assert set(values["domains"]["desk"]) == set(OwnDomain.model_fields)
    assert OwnManifest.model_validate(values).domains["desk"] == OwnDomain(**values["domains"]["desk"])


def test_a_changed_policy_is_noticed(cli: Cli, tmp_path: Path) -> None:
    cli("new-benchmark", "mine")
    with (tmp_path / "mine/desk/policy.md").open("a") as file:
        file.write("- Be kind.\n")
    result = cli("score", "mine/desk")
    assert result.code == 2
    assert "belong to another version of this document" in result.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("there",), "there: is there already, and is no empty folder. Choose another DIR."),
        (("there/file",), "there/file: is there already, and is no empty folder."),
        (("tau3",), "--name: the name 'tau3' belongs to a set that bench-audit knows."),
        (("x", "--name", "a/b"), "--name: 'a/b' is no name for a set"),
        (("x", "--name", ""), "--name: '' is no name for a set"),
        (("there/file/x",), "folder can't be made"),
    ],
)
def test_a_folder_or_name_that_cannot_be_is_one_line(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there/file").write_text("")
    result = cli("new-benchmark", *arguments)
    assert (result.code, result.out) == (2, "")
    assert complaint in result.err


def test_an_empty_folder_and_another_name_will_do(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert cli("new-benchmark", "empty", "--name", "support-2031").code == 0
    assert cli("check", "support-2031/desk", "--data-dir", "empty").code == 0


def test_a_broken_manifest_is_left_out_of_the_list_and_named(cli: Cli, tmp_path: Path) -> None:
    cli("new-benchmark", "mine")
    (tmp_path / "mine/benchmark.toml").write_text("name = ")
    result = cli("list", "--data-dir", ".")
    assert result.code == 0
    assert "Left out: mine/benchmark.toml: is not TOML" in result.err
