"""``bench-audit report``, from a saved file to pages, figures and texts."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from audit.reports import study_json, to_json
from audit.stats.grouping import QUICK
from audit.studies.codebook import START, write_codebook
from audit.studies.failure_patterns import with_patterns
from audit.studies.pattern_groups import CRITERIA, collect_reasons, group_reasons
from audit.studies.patterns import revise
from tests.cli.conftest import Cli
from tests.reports import hostile, runs, studies
from tests.studies.low_reasons import REASONS
from tests.studies.test_failure_patterns import low_run

SAMPLE = "sample/library"


@pytest.fixture
def run(cli: Cli, tmp_path: Path) -> Path:
    result = cli("score", SAMPLE, "--format", "json", "-o", "run.json", "--report", "first.html", "-q")
    assert result.code == 0
    return tmp_path / "run.json"


def test_a_saved_run_gives_the_very_page_that_score_wrote(cli: Cli, run: Path) -> None:
    result = cli("report", run)
    assert (result.code, result.out) == (0, "")
    assert f"Report: {run.with_suffix('.html')}" in result.err
    assert run.with_suffix(".html").read_bytes() == run.with_name("first.html").read_bytes()
    assert cli("report", run, "--format", "json").out == run.read_text()


def test_figures_are_written_with_their_numbers(cli: Cli, run: Path, tmp_path: Path) -> None:
    result = cli("report", run, "--figures", "figures")
    assert result.code == 0
    assert "Figures: 1 as SVG and PNG" in result.err
    assert not run.with_suffix(".html").exists()
    folder = tmp_path / "figures"
    assert sorted(path.name for path in folder.iterdir()) == [
        "distribution-offline-match.csv",
        "distribution-offline-match.png",
        "distribution-offline-match.svg",
        "scores.csv",
    ]
    rows = list(csv.DictReader((folder / "distribution-offline-match.csv").read_text().splitlines()))
    assert sum(int(row["n_tasks"]) for row in rows) == 42
    assert {row["label"] for row in rows} == {"offline (heuristic)"}
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    cli("report", run, "--figures", "figures")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == first


def test_a_panels_figures_hold_coverage_and_agreement(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "panel.json").write_bytes(to_json.render(runs.panel()))
    assert cli("report", "panel.json", "--figures", "figures").code == 0
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {"agreement.svg", "agreement.csv", "coverage.png", "coverage.csv", "score-pairs.csv"} <= names
    ET.parse(tmp_path / "figures" / "agreement.svg")  # noqa: S314  # our own file


def test_a_badge_says_the_verdict_and_what_it_rests_on(cli: Cli, run: Path) -> None:
    root = ET.fromstring(cli("report", run, "--format", "badge").out)  # noqa: S314  # our own file
    assert root.attrib["aria-label"] == "bench-audit: mend before release, offline"


def test_markdown_holds_verdict_scores_and_findings_and_is_what_score_writes(cli: Cli, run: Path) -> None:
    text = cli("report", run, "--format", "markdown").out
    assert "**Mend before release, by the free checks alone**" in text
    assert "| Offline match | `offline` (offline (heuristic)) | 0.98 | 0.93 to 1.00 (95%) | 42 | 0 |" in text
    scored = cli("score", SAMPLE, "--format", "markdown", "-q").out
    assert scored.splitlines()[:12] == text.splitlines()[:12]


def test_a_bibliography_entry_has_version_hash_date_and_numbers(cli: Cli, run: Path) -> None:
    text = cli("report", run, "--format", "bibtex").out
    entry, _, table = text.partition("\n}\n")
    assert entry.startswith("@misc{bench-audit-sample-library-")
    assert entry.count("{") == entry.count("}") + 1
    assert "Offline match by offline [offline (heuristic)]: 0.98, 0.93 to 1.00 (95\\%)" in entry
    assert "\\begin{tabular}" in table
    assert "@" not in table


@pytest.mark.parametrize(
    "text", ['"><script>alert(1)</script>', "a|b`c\n# d", "\\input{/etc/passwd}%$&#_{", "@misc{x,"]
)
def test_hostile_names_do_nothing_in_any_format(cli: Cli, tmp_path: Path, text: str) -> None:
    (tmp_path / "h.json").write_bytes(to_json.render(hostile.everywhere(text)))
    for name in ("markdown", "badge", "bibtex", "csv", "html"):
        result = cli("report", "h.json", "--format", name, "-o", f"out.{name}")
        assert result.code == 0, result.err
    ET.parse(tmp_path / "out.badge")  # noqa: S314  # our own file
    bibtex = (tmp_path / "out.bibtex").read_text()
    assert bibtex.count("@") == 1
    assert bibtex.count("{") == bibtex.count("}")
    assert "\\input" not in bibtex
    markdown = (tmp_path / "out.markdown").read_text()
    assert not any(line.startswith("# ") for line in markdown.splitlines())


def test_a_saved_study_gives_its_page_its_figures_and_markdown(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "study.json").write_bytes(study_json.render(studies.study()))
    assert cli("report", "study.json", "--figures", "figures", "-o", "study.html").code == 0
    assert (tmp_path / "study.html").read_bytes().lstrip().startswith(b"<!doctype html>")
    assert (tmp_path / "figures" / "curve.svg").exists()
    text = cli("report", "study.json", "--format", "markdown").out
    assert "Agreement of each judge" in text
    refused = cli("report", "study.json", "--format", "badge")
    assert refused.code == 2
    assert "a study is not written as badge" in refused.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{}", "is no saved run and no saved study"),
        ("[1]", "is no saved run and no saved study"),
        ('{"format": ["x"]}', "is no saved run and no saved study"),
        ('{"format": "bench-audit/gate"}', "its page is written by gate --report"),
        ('{"format": "bench-audit/run"}', "is no saved run"),
        ("{", "not JSON"),
    ],
)
def test_other_files_are_refused_in_one_line(cli: Cli, tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "x.json").write_text(content)
    result = cli("report", "x.json")
    assert (result.code, result.out) == (2, "")
    assert said in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("format_name", ["html", "markdown", "json", "csv", "badge", "bibtex"])
def test_a_damaged_run_leaves_nothing_behind_in_any_format(
    cli: Cli, run: Path, tmp_path: Path, format_name: str
) -> None:
    whole = run.read_bytes()
    for name, content in (
        ("cut", whole[:5000]),
        ("empty", b""),
        ("nul", b"\0"),
        ("other", b"\xff\xfe"),
        ("ends", whole[:-9]),
    ):
        (tmp_path / f"{name}.json").write_bytes(content)
        result = cli("report", f"{name}.json", "--format", format_name, "-o", "new/out", "--figures", "figures")
        assert (result.code, result.out) == (2, "")
        assert result.err.count("\n") == 1
        assert f"{name}.json" in result.err
    assert not (tmp_path / "new").exists()
    assert not (tmp_path / "figures").exists()


@pytest.mark.parametrize("format_name", ["html", "markdown", "json", "csv", "badge", "bibtex"])
def test_the_same_run_gives_the_same_bytes_in_every_format(cli: Cli, tmp_path: Path, format_name: str) -> None:
    (tmp_path / "run.json").write_bytes(to_json.render(runs.panel()))
    pages = []
    for name in ("one", "two"):
        assert cli("report", "run.json", "--format", format_name, "-o", name).code == 0
        pages.append((tmp_path / name).read_bytes())
    assert pages[0] == pages[1]
    assert pages[0]


def test_what_would_harm_is_refused(cli: Cli, run: Path, tmp_path: Path) -> None:
    assert "would overwrite the run itself" in cli("report", run, "-o", run).err
    assert "only a page in a file can be opened" in cli("report", run, "--open", "--format", "csv").err
    assert "Name a folder" in cli("report", run, "--figures", run).err
    assert cli("report", "missing.json").code == 2


def test_the_page_is_opened_in_the_browser_that_the_user_has(run: Path, tmp_path: Path) -> None:
    browser, seen = tmp_path / "browser.sh", tmp_path / "seen"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{seen}.part" && mv "{seen}.part" "{seen}"\n')
    browser.chmod(0o755)
    command = [str(Path(sys.executable).with_name("bench-audit")), "report", str(run), "--open"]
    environment = {**os.environ, "BROWSER": str(browser)}
    assert subprocess.run(command, env=environment, check=False).returncode == 0  # noqa: S603  # our own command
    for _ in range(200):
        if seen.exists():
            break
        time.sleep(0.05)
    assert seen.read_text().strip() == run.with_suffix(".html").as_uri()


def test_figures_of_other_studies_do_not_hide_a_broken_name(cli: Cli, tmp_path: Path) -> None:
    document = json.loads(study_json.render(studies.study()))
    document["figures"][0]["name"] = "../../outside"
    (tmp_path / "study.json").write_text(json.dumps(document))
    result = cli("report", "study.json", "--figures", "figures")
    assert result.code == 2
    assert "figures.0.name" in result.err


def low_scored(tmp_path: Path) -> Path:
    path = tmp_path / "low.json"
    path.write_bytes(to_json.render(with_patterns(low_run())))
    return path


def test_patterns_are_shown_drawn_and_written_as_csv(cli: Cli, tmp_path: Path) -> None:
    assert cli("report", low_scored(tmp_path), "--figures", "figures").code == 0
    rows = list(csv.DictReader((tmp_path / "figures" / "patterns.csv").read_text().splitlines()))
    assert sum(int(row["n_reasons"]) for row in rows) == len(REASONS)
    assert {"patterns.svg", "patterns.png"} <= {path.name for path in (tmp_path / "figures").iterdir()}
    page = cli("report", "low.json", "-o", "-").out
    assert "Compensation or refunds go wrong" in page


def test_a_reviewed_codebook_groups_a_runs_reasons_and_its_json_tells_so(cli: Cli, tmp_path: Path) -> None:
    run = low_scored(tmp_path)
    codes = tmp_path / "codes.csv"
    reasons = collect_reasons(low_run(), criteria=CRITERIA, below=7)
    codes.write_bytes(write_codebook(revise(group_reasons(reasons, START, seed=0, redraws=QUICK), START)))
    codes.write_text(codes.read_text().replace("Compensation or refunds go wrong", "Money goes wrong"))
    result = cli("report", run, "--patterns", "codes.csv", "--format", "json")
    assert result.code == 0
    found = json.loads(result.out)["patterns"]
    assert found["codebook"] == "codes.csv"
    assert "Money goes wrong" in {each["name"] for each in found["patterns"]}
    assert {each["origin"] for each in found["patterns"]} == {"codebook"}
    assert "reviewed codebook" in cli("report", run, "--patterns", "codes.csv", "-o", "-").out


def test_a_codebook_that_is_none_or_has_nothing_to_group_is_refused(cli: Cli, run: Path, tmp_path: Path) -> None:
    codes = tmp_path / "codes.csv"
    codes.write_bytes(write_codebook(START))
    offline = cli("report", run, "--patterns", codes)
    assert offline.code == 2
    assert "no judge gave a score in this run" in offline.err
    codes.write_text(codes.read_text().replace("group,compensation,", "group,NO ID,"))
    bad = cli("report", low_scored(tmp_path), "--patterns", codes)
    assert bad.code == 2
    assert "has 1 bad cell" in bad.err
    assert "Traceback" not in bad.err
    (tmp_path / "study.json").write_bytes(study_json.render(studies.study()))
    of_study = cli("report", "study.json", "--patterns", codes)
    assert of_study.code == 2
    assert "a study has no failure patterns" in of_study.err
