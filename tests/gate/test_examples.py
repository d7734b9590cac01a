"""The examples in docs/examples: their commands are run as they stand, on a copy of the sample."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import yaml

from audit import release
from audit.config import OWN_KEYS
from audit.gate.settings import read_settings
from tests.cli.test_score import copy_sample
from tests.conftest import REPO

EXAMPLES = REPO / "docs" / "examples"
STRICT = "[gate.severity.error]\nfail_above = 0\n"
LAX = "[gate.severity.error]\nfail_above = 1000\n"


def load(name: str) -> Any:  # noqa: ANN401  # any YAML
    return yaml.safe_load((EXAMPLES / name).read_text(encoding="utf-8"))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a benchmark at the place that the examples name."""
    root = tmp_path / "repository"
    (root / "my").mkdir(parents=True)
    copy_sample(root / "my" / "domain")
    shutil.copy(EXAMPLES / "bench-audit.toml", root)
    return root


def shell(command: str, repository: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a runner does: bash, stopping at the first error, with this environment's bench-audit."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": str(repository / "summary.md"), **env}
    return subprocess.run(
        ["bash", "-e", "-c", command], cwd=repository, env=own, capture_output=True, text=True, check=False
    )


def steps() -> dict[str, str]:
    action = load("github-action.yml")
    return {step["name"]: step["run"] for step in action["jobs"]["gate"]["steps"] if "run" in step}


def env() -> dict[str, str]:
    found: dict[str, str] = load("github-action.yml")["env"]
    return found


def test_every_line_of_the_settings_is_one_that_the_gate_reads_even_those_that_are_commented_out() -> None:
    text = (EXAMPLES / "bench-audit.toml").read_text(encoding="utf-8")
    lines = [line.removeprefix("# ") if _is_setting(line) else line for line in text.splitlines()]
    for version in (text, "\n".join(lines)):
        table = tomllib.loads(version)["gate"]
        own = {key: value for key, value in table.items() if key in OWN_KEYS["gate"]}
        assert read_settings(own, release.known_names(), where="x").demands
    assert {"judges", "trials", "waiver"} <= set(table)
    assert len(read_settings(own, release.known_names(), where="x").waivers) == 1


def _is_setting(line: str) -> bool:
    body = line.removeprefix("# ")
    return line.startswith("# ") and (body.startswith("[") or " = " in body.split("#")[0]) and "`" not in body


def test_the_action_fails_a_pull_request_with_errors_and_leaves_every_file_behind(repository: Path) -> None:
    done = shell(steps()["Gate"], repository, **env())
    assert done.returncode == 1, done.stderr
    assert json.loads((repository / "gate.sarif").read_text())["runs"][0]["properties"]["gate"] == "fail"
    assert json.loads((repository / "gate.json").read_text())["level"] == "fail"
    assert ET.parse(repository / "gate.xml").getroot().get("failures") != "0"
    assert (repository / "summary.md").read_text(encoding="utf-8").startswith("## ❌ FAIL")
    uploads = load("github-action.yml")["jobs"]["gate"]["steps"]
    named = [path for step in uploads if "path" in step.get("with", {}) for path in step["with"]["path"].split()]
    assert sorted(named) == ["gate.json", "gate.md", "gate.sarif", "gate.xml"]
    assert all((repository / name).is_file() for name in named)


def test_the_action_passes_with_the_baseline_that_it_left_and_says_what_changed(repository: Path) -> None:
    assert shell(steps()["Gate"], repository, **env()).returncode == 1
    (repository / "gate.json").rename(repository / env()["BASELINE"])
    (repository / "summary.md").unlink()
    done = shell(steps()["Gate"], repository, **env())
    assert done.returncode == 0, done.stderr
    changed = shell(steps()["What changed since the last release"], repository, **env())
    assert changed.returncode == 0, changed.stderr
    summary = (repository / "summary.md").read_text(encoding="utf-8")
    assert "PASS" in summary.splitlines()[0] or "WARN" in summary.splitlines()[0]
    assert "bench-audit compare" in summary


def test_without_a_baseline_the_action_compares_nothing(repository: Path) -> None:
    assert shell(steps()["What changed since the last release"], repository, **env()).returncode == 0
    assert not (repository / "summary.md").exists()


@pytest.mark.parametrize(("settings", "code"), [(LAX, 0), (STRICT, 1), ("[gate]\n", 2)])
def test_the_hook_stops_a_commit_that_the_gate_fails(repository: Path, settings: str, code: int) -> None:
    (hook,) = load("pre-commit-hook.yaml")["repos"][0]["hooks"]
    (repository / "bench-audit.toml").write_text(settings)
    done = shell(hook["entry"], repository)
    assert done.returncode == code, done.stderr
    assert hook["pass_filenames"] is False


def test_the_actions_installation_is_of_this_very_package() -> None:
    name = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]["name"]
    assert steps()["Install"].split()[-1] == name
    assert load("pre-commit-hook.yaml")["repos"][0]["hooks"][0]["additional_dependencies"] == [name]
