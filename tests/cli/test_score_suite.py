"""``bench-audit score`` of several benchmarks, from the command line to the pages that it writes."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path

import jsonschema
import pytest

from audit.loaders.policy import normalise
from tests.cli.conftest import Cli
from tests.conftest import REPO
from tests.loaders.ferries import POLICY
from tests.servers.outcomes import bad_key
from tests.servers.vendors import VendorServer, well_behaved
from tests.suites.runs import write_file, write_member

SEEDED = ("--judge", "scripted:seeded", "--no-checks")


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """Two runs, of 4 events and of 2."""
    return write_member(tmp_path / "a", n=4), write_member(tmp_path / "b", first=11, model="llama3.2:1b")


@pytest.fixture
def items(tmp_path: Path) -> Path:
    """Items of the policy that both runs have."""
    text = normalise(POLICY)
    rows = []
    for number, line in enumerate(line for line in text.split("\n") if line.startswith("- ")):
        start = text.index(line) + 2
        rows.append({"id": f"F{number}", "title": f"Rule {number}", "kind": "limit", "start": start, "end": start + 9})
    stated = {"policy": "ferry/line", "document_sha256": hashlib.sha256(text.encode()).hexdigest(), "items": rows}
    path = tmp_path / "items.json"
    path.write_text(json.dumps(stated))
    return path


def test_several_benchmarks_are_one_table(cli: Cli, runs: tuple[Path, Path]) -> None:
    result = cli("score", *runs, *SEEDED)
    assert result.code == 0
    head, table = result.out.split("Scores\n")
    assert head.startswith("2 benchmarks side by side [scripted (not a real judge)]")
    assert "2 benchmarks under one policy with 0 items, 6 tasks in all." in head
    assert "openai" in table
    assert "meta" in table
    assert "Tier" not in table
    assert "Store: " in result.err


def test_tiers_findings_and_coverage_at_a_common_size_are_told(cli: Cli, runs: tuple[Path, Path], items: Path) -> None:
    tiers = [
        argument for tier, run in zip(("top", "small"), runs, strict=True) for argument in ("--tier", f"{tier}={run}")
    ]
    result = cli("score", *tiers, "--judge", "scripted:seeded", "--policy-items", items, "--format", "json")
    assert result.code == 0
    document = result.json
    assert document["tiers"] == ["top", "small"]
    tables = {table["name"]: table for table in document["summary"]["tables"]}
    assert set(tables) == {"scores", "findings", "coverage-1-1"}
    assert tables["coverage-1-1"]["title"] == "Coverage with 2 tasks each, by scripted:seeded"
    assert [row["cells"]["n_judged"] for row in tables["coverage-1-1"]["rows"]] == [4, 2]


def test_the_json_keeps_its_schema_and_holds_every_run_whole(cli: Cli, runs: tuple[Path, Path]) -> None:
    document = cli("score", *runs, *SEEDED, "--format", "json").json
    schemas = {
        name: json.loads((REPO / "docs" / "schema" / f"{name}-1.json").read_text())
        for name in ("suite", "study", "run")
    }
    jsonschema.validate(document, schemas["suite"])
    jsonschema.validate(document["summary"], schemas["study"])
    for member, run in zip(document["members"], runs, strict=True):
        jsonschema.validate(member["run"], schemas["run"])
        assert member["name"] == member["run"]["benchmark"]["name"] == str(run)
    alone = cli("score", runs[0], *SEEDED, "--format", "json").json
    assert alone["scores"] == document["members"][0]["run"]["scores"]


def test_the_csv_has_a_row_for_each_benchmark_and_judge(cli: Cli, runs: tuple[Path, Path]) -> None:
    result = cli("score", *runs, *SEEDED, "--judge", "scripted:constant-7", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert [row["judge"] for row in rows] == [
        name for name in ("panel (median of 2)", "scripted:seeded", "scripted:constant-7") for _ in runs
    ]
    assert {row["desc_alignment"] for row in rows if row["judge"] == "scripted:constant-7"} == {"7.0"}
    assert {row["label"] for row in rows} == {"scripted (not a real judge)"}


def test_the_report_is_a_folder_whose_index_leads_to_a_page_for_each(
    cli: Cli, tmp_path: Path, runs: tuple[Path, Path]
) -> None:
    text = f'[[benchmark]]\npath = "{runs[0]}"\nname = "Top"\n[[benchmark]]\npath = "{runs[1]}"\nname = "top!"'
    result = cli("score", "--suite", write_file(tmp_path, text), *SEEDED, "--report", "pages", "-o", "out.txt")
    assert result.out == ""
    assert (tmp_path / "out.txt").read_text().startswith("2 benchmarks side by side")
    assert {page.name for page in (tmp_path / "pages").iterdir()} == {"index.html", "top.html", "top-2.html"}
    index = (tmp_path / "pages" / "index.html").read_text()
    assert '<a href="top.html">Top</a>' in index
    assert '<a href="top-2.html">top!</a>' in index
    assert "Reports: pages/index.html" in result.err


def test_a_dry_run_counts_the_calls_of_all(cli: Cli, runs: tuple[Path, Path], tmp_path: Path) -> None:
    result = cli("score", *runs, *SEEDED, "--dry-run", "--format", "json", "--report", "pages")
    (plan,) = result.json["judges"]
    each = [cli("score", run, *SEEDED, "--dry-run", "--format", "json").json["judges"][0] for run in runs]
    counted = ("planned", "to_ask", "undefined", "input_tokens", "output_tokens")
    assert {name: plan[name] for name in counted} == {name: sum(one[name] for one in each) for name in counted}
    assert plan["cost_usd"] == 0
    assert not (tmp_path / "pages").exists()
    priced = cli("score", *runs, *SEEDED, "--dry-run", "--format", "json", "--price", "scripted:seeded=1/2").json
    assert priced["judges"][0]["cost_usd"] > 0


def test_limits_hold_for_all_together(cli: Cli, runs: tuple[Path, Path], server: VendorServer) -> None:
    server.always(well_behaved(7))
    result = cli("score", *runs, "--judge", server.judge(), "--no-checks", "--max-calls", "9", "--format", "json")
    assert result.code == 3
    assert len(server.requests) <= 9
    states = [member["run"]["is_complete"] for member in result.json["members"]]
    assert states == [True, False]
    assert result.json["is_complete"] is False


def test_a_judge_of_the_writers_family_is_told_on_the_benchmarks_of_that_family(
    cli: Cli, runs: tuple[Path, Path], server: VendorServer
) -> None:
    server.always(well_behaved(7))
    judge = server.judge(model="llama-3.3-70b")
    result = cli("score", *runs, "--judge", judge, "--no-checks", "--metric", "desc_alignment", "--format", "json")
    notes = [member["run"]["notes"] for member in result.json["members"]]
    assert [any("of the family meta" in note for note in each) for each in notes] == [False, True]
    (told,) = (note for note in result.json["summary"]["notes"] if "of the family meta" in note)
    assert told.startswith(f"{runs[1]}: A model")


def test_a_stopped_judge_is_told_with_its_benchmark(cli: Cli, runs: tuple[Path, Path], server: VendorServer) -> None:
    server.always(bad_key())
    result = cli("score", *runs, "--judge", server.judge(), "--no-checks")
    assert result.code == 3
    assert f"on {runs[1]}: " in result.out.replace("\n", " ")


def test_different_policies_get_a_note_without_tiers_and_an_error_with_them(cli: Cli, tmp_path: Path) -> None:
    first, second = write_member(tmp_path / "a"), write_member(tmp_path / "b", policy=f"{POLICY}\n- More.")
    told = cli("score", first, second, *SEEDED)
    assert told.code == 0
    assert "Violations and coverage compare only between benchmarks with the same policy and items" in told.out
    refused = cli("score", "--tier", f"a={first}", "--tier", f"b={second}", *SEEDED)
    assert refused.code == 2
    assert refused.err.startswith("Error: --tier: the benchmarks in tiers have different policies: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Error: no benchmark is named."),
        (("x", "--suite", "s.toml"), "Error: --suite: benchmarks are named beside the suite file."),
        (("--suite", "s.toml"), "Error: s.toml: there is no such suite file."),
        (("a", "a"), "Error: the command line: two benchmarks are called 'a'."),
        (("a", "b", "--report", "taken.html"), "Error: --report taken.html: is a file. Name a folder"),
    ],
)
def test_what_can_not_be_scored_is_one_line(cli: Cli, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    (tmp_path / "taken.html").write_text("x")
    result = cli("score", *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(message)
    assert result.err.count("\n") == 1
