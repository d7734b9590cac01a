"""The HTML report, from the command line to the page."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.conftest import Cli
from tests.reports.parsed import Element, parse

SAMPLE = "sample/library"


def page(path: Path) -> Element:
    return parse(path.read_bytes())


def test_a_scored_report_holds_the_findings_the_scores_and_the_replays(cli: Cli, tmp_path: Path) -> None:
    result = cli("score", SAMPLE, "--report", "all.html", "--format", "json")
    root = page(tmp_path / "all.html")
    assert root.all(cls="headline")[0].text == "Mend before release, by the free checks alone:"
    n_errors = json.loads(result.out)["findings"]["counts"]["by_severity"]["error"]
    assert root.all("li", cls="error")[0].all("strong")[0].text == str(n_errors)
    assert "0.98" in root.one("metrics").text
    assert "Replay fails: unavailable" in root.one("task=lib_03").text
    assert root.one("method").text.count("sha256") == 1


def test_checks_can_be_left_out(cli: Cli, tmp_path: Path) -> None:
    result = cli("score", SAMPLE, "--no-checks", "--report", "bare.html", "--format", "json")
    assert json.loads(result.out)["findings"] is None
    assert "No judge's verdict" in page(tmp_path / "bare.html").one("verdict").text


def test_a_report_of_the_checks_alone_has_no_scores(cli: Cli, tmp_path: Path) -> None:
    result = cli("check", SAMPLE, "--report", "found.html")
    assert result.code == 0
    assert "Report: found.html" in result.err
    root = page(tmp_path / "found.html")
    assert "none: findings only" in root.one("verdict").text
    assert len(root.all("article", cls="task-page")) == 42
    without = cli("check", SAMPLE, "--environment", "none", "--report", "none.html")
    assert without.code == 0
    assert "Gold actions were not replayed" in page(tmp_path / "none.html").one("task=lib_03").text


def test_output_and_report_of_a_check_are_two_files(cli: Cli) -> None:
    result = cli("check", SAMPLE, "--output", "one.html", "--report", "one.html")
    assert result.code == 2
    assert "--output and --report name the same file" in result.err


def test_a_gates_report_says_what_the_gate_says(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "gate.toml").write_text("[gate.severity]\nerror = { fail_above = 0 }\n")
    result = cli("gate", SAMPLE, "--config", "gate.toml", "--report", "gate.html")
    assert result.code == 1, result.err
    root = page(tmp_path / "gate.html")
    assert root.all(cls="gate-title")[0].text.startswith("Gate: FAIL")
    assert root.all(cls="headline")[0].text.startswith("Mend before release")


def test_a_dry_run_says_that_it_writes_no_report(cli: Cli, tmp_path: Path) -> None:
    result = cli("score", SAMPLE, "--dry-run", "--report", "no.html")
    assert result.code == 0
    assert "Not written, for nothing was scored (--dry-run): no.html" in result.err
    assert not (tmp_path / "no.html").exists()


@pytest.mark.parametrize("columns", [60, 200])
def test_text_fits_the_terminal_that_it_is_read_in(tmp_path: Path, columns: int) -> None:
    parent, child = pty.openpty()
    command = [
        sys.executable,
        "-c",
        "from audit.cli.main import run; run()",
        "score",
        SAMPLE,
        "--store",
        f"{tmp_path}/s",
    ]
    environment = {**os.environ, "COLUMNS": str(columns)}
    with subprocess.Popen(command, stdout=child, stderr=subprocess.DEVNULL, env=environment) as process:
        os.close(child)
        content = _read_all(parent)
    assert process.returncode == 0
    widest = max(cell_len(row) for row in content.splitlines())
    assert widest <= min(columns, 120)
    assert widest > min(columns, 120) - 20


def _read_all(descriptor: int) -> str:
    pieces = []
    try:
        while piece := os.read(descriptor, 65536):
            pieces.append(piece)
    except OSError:  # how Linux says that the other side is closed
        pass
    os.close(descriptor)
    return b"".join(pieces).decode().replace("\r\n", "\n")
