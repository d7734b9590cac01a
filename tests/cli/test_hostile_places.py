"""Paths, names and outputs that nobody should give: one line each, and no traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

SAMPLE = "sample/library"
TOO_LONG = "x" * 300


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", TOO_LONG),
        ("score", SAMPLE, "--policy", TOO_LONG),
        ("score", SAMPLE, "--report", TOO_LONG),
        ("score", SAMPLE, "--output", TOO_LONG),
        ("score", SAMPLE, "--store", TOO_LONG),
        ("score", "tau3/airline", "--data-dir", TOO_LONG),
        ("list", "--data-dir", TOO_LONG),
        ("policy", "items", SAMPLE, "--db", TOO_LONG),
        ("show", SAMPLE, TOO_LONG),
        ("show", "~no-such-user/x", "1"),
    ],
)
def test_a_name_that_no_disk_takes_is_one_line(cli: Cli, arguments: tuple[str, ...]) -> None:
    result = cli(*arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1


def test_a_report_may_have_a_name_as_long_as_the_disk_takes(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / ("r" * 250)
    assert cli("score", SAMPLE, "--report", path).code == 0
    assert path.read_bytes().startswith(b"<!doctype html>")


def test_a_message_about_a_task_whose_id_is_a_book_is_still_a_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text(json.dumps([{"id": "x" * 1_000_000, "ticket": 7}]))
    (tmp_path / "policy.md").write_text("Be kind.")
    result = cli("score", tmp_path)
    assert result.code == 2
    assert len(result.err) < 4000
    assert result.err.startswith(f"Error: {tmp_path}/tasks.json task xxx")
    assert "ticket: must be a text, not a number" in result.err or "user_scenario" in result.err


def test_a_task_id_with_line_breaks_forges_no_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text(json.dumps([{"id": "7\nReport: fine\n\n--- closing", "ticket": 7}]))
    (tmp_path / "policy.md").write_text("Be kind.")
    assert cli("score", tmp_path).err.count("\n") == 1
    task = {"id": "7\n--- closing", "user_scenario": {"instructions": "Say hello."}, "evaluation_criteria": {}}
    task["evaluation_criteria"] = {"nl_assertions": ["The agent greets."]}
    (tmp_path / "tasks.json").write_text(json.dumps([task]))
    shown = cli("show", tmp_path, "7\n--- closing", "--judge-prompt", "desc_alignment").out
    assert shown.startswith("=== task 7\\n--- closing: what the desc_alignment judge sees ===\n")
    assert shown.count("\n--- closing") == 1


def test_json_on_a_terminal_steers_nothing(cli: Cli, tmp_path: Path) -> None:
    task = {"id": "\x9b31m", "user_scenario": {"instructions": "Say \x9b2J hello."}}
    task["evaluation_criteria"] = {"nl_assertions": ["\u202eThe agent greets."]}
    (tmp_path / "tasks.json").write_text(json.dumps([task]))
    (tmp_path / "policy.md").write_text("Be kind.")
    result = cli("show", tmp_path, "\x9b31m", "--format", "json")
    assert result.json["task_id"] == "\x9b31m"
    assert not {"\x9b", "\u202e"} & set(result.out)


@pytest.mark.parametrize(("redirect", "code"), [("> /dev/full", 2), (">&-", 2), ("| true", 0), ("2>&- >&-", 2)])
def test_an_output_that_takes_nothing_is_one_line(redirect: str, code: int) -> None:
    run = f"{sys.executable} -c 'from audit.cli.main import run; run()' list --format json {redirect}"
    shell = ["bash", "-c", f"{run}; exit ${{PIPESTATUS[0]}}"]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)  # noqa: S603  # our own words
    assert done.returncode == code
    assert done.stderr.count("\n") == (1 if code and "2>&-" not in redirect else 0)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("seconds", ["nan", "inf", "1e308", "-1", "0"])
def test_a_time_that_has_no_end_or_is_none_is_refused(cli: Cli, seconds: str) -> None:
    result = cli("score", SAMPLE, "--timeout", seconds, "--format", "json")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("Error: Invalid value for '--timeout'")


@pytest.mark.parametrize(
    "settings",
    [
        "a = " + "[" * 100_000,
        "[score]\nlimit = {a = 1}",
        "[score]\ntasks = [[1]]",
        '[score]\nreport = "a\\u0000b"',
        "[score]\nlimit = 2024-01-01",
        "[[score]]",
        "score = 7",
    ],
)
def test_settings_of_the_wrong_kind_are_one_line(cli: Cli, tmp_path: Path, settings: str) -> None:
    (tmp_path / "bench-audit.toml").write_text(settings)
    result = cli("score", SAMPLE)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("Error: bench-audit.toml: ")
    assert result.err.count("\n") == 1
