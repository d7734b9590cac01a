"""``bench-audit study ordering`` and ``study matrix`` from the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.resources import resource
from tests.cli.conftest import Cli
from tests.cli.test_study_sensitivity import SCHEMA, row, table
from tests.servers.http import Request
from tests.servers.outcomes import Outcome, say_json
from tests.servers.vendors import VendorServer

MARKS = {"alpha": 9, "beta": 7, "gamma": 7, "delta": 8}
"""A word in a benchmark's expected behaviors, and the score that a judge gives for it."""


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    """Copies of the sample whose descriptions hold a word of ``MARKS``; ``alpha`` has more tasks than the others."""
    for mark in MARKS:
        folder = tmp_path / mark
        shutil.copytree(resource("benchmarks", "sample", "library"), folder)
        (folder / "split_tasks.json").unlink()
        tasks = json.loads((folder / "tasks.json").read_text())[: 12 if mark == "alpha" else 8]
        for each in tasks:
            each["user_scenario"]["instructions"]["reason_for_call"] += f" ({mark})"
        (folder / "tasks.json").write_text(json.dumps(tasks))
    return tmp_path


@pytest.fixture
def judge(server: VendorServer) -> str:
    def choose(request: Request) -> Outcome:
        if "violations" in json.dumps(request.schema):
            found = [{"reason": "It is asked for.", "item": "L01"}] if "(alpha)" in request.user else []
            return say_json({"requests": ["A request."], "violations": found})
        score = next((score for mark, score in MARKS.items() if f"({mark})" in request.user), 1)
        return say_json({"reasons": ["A reason."], "score": score})

    server.behave(choose)
    return server.judge(model="gpt-5.4")


TIERS = ("--tier", "top=alpha", "--tier", "top=beta", "--tier", "small=gamma", "--tier", "small=delta")


def ordered(cli: Cli, judge: str, *flags: object) -> dict[str, Any]:
    done = cli("study", "ordering", *flags, "--judge", judge, "-q", "--metric", "desc_alignment", "--format", "json")
    assert done.code == 0, done.err
    document: dict[str, Any] = done.json
    return document


def test_pairs_of_different_tiers_are_held_against_each_metric(cli: Cli, judge: str, sets: Path) -> None:
    document = ordered(cli, judge, *TIERS)
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    found = row(document, "ordering", metric="desc_alignment")

    assert (found["n_pairs"], found["n_ordered"], found["n_ties"], found["n_failing"]) == (4, 2, 1, 1)
    assert found["score"] == {"value": 0.5, "interval": {"low": 0.5, "high": 0.5, "level": 0.95}, "reason": ""}
    assert [(each["outcome"], each["better"], each["worse"]) for each in table(document, "failing")] == [
        ("tie", "beta", "gamma"),
        ("fails", "beta", "delta"),
    ]
    tie = row(document, "failing", outcome="tie")
    assert (tie["probability"]["value"], tie["tie_probability"]["value"]) == (0, 1)
    said = "2 of 4 pairs in order (50.0%), 1 level; failing: beta below delta."
    assert any(said in each for each in document["summary"])


def test_the_text_names_failing_pairs(cli: Cli, judge: str, sets: Path) -> None:
    done = cli("study", "ordering", *TIERS, "--judge", judge, "-q", "--metric", "desc_alignment", "--out", "out")

    assert done.code == 0
    assert "fails" in done.out
    assert "level; failing: beta below delta" in " ".join(done.out.split())
    assert (sets / "out" / "ordering.svg").is_file()
    assert (sets / "out" / "values-desc_alignment.png").is_file()


def write_suite(sets: Path, *generators: str) -> Path:
    tiers = {"alpha": "top", "beta": "top", "gamma": "small", "delta": "small"}
    lines = ['tiers = ["top", "small"]']
    for (name, tier), generator in zip(tiers.items(), generators, strict=True):
        lines += ["[[benchmark]]", f'path = "{name}"', f'name = "{name}"', f'tier = "{tier}"', 'domain = "desk"']
        lines.append(f'generator = "{generator}"')
    path = sets / "suite.toml"
    path.write_text("\n".join(lines))
    return path


def test_benchmarks_of_the_judges_own_family_are_left_out_beside_the_whole(cli: Cli, judge: str, sets: Path) -> None:
    suite = write_suite(sets, "claude-opus-4", "gpt-5.4", "claude-haiku", "llama-3.1-8b")
    found = row(ordered(cli, judge, "--suite", suite), "ordering", metric="desc_alignment")

    assert found["domain"] == "desk"
    assert found["score"]["value"] == 0.5
    assert found["without_own"]["value"] == 1  # beta, which failed, is by the judge's family


def test_where_no_benchmark_is_of_the_judges_family_that_is_said(cli: Cli, judge: str, sets: Path) -> None:
    suite = write_suite(sets, *["claude-opus-4"] * 4)
    found = row(ordered(cli, judge, "--suite", suite), "ordering", metric="desc_alignment")

    assert found["without_own"]["reason"] == "none of the benchmarks is known to be by the judge's family"


def test_an_order_without_the_own_family_may_be_undefined(cli: Cli, judge: str, sets: Path) -> None:
    suite = write_suite(sets, *["gpt-5.4"] * 4)
    found = row(ordered(cli, judge, "--suite", suite), "ordering", metric="desc_alignment")

    assert found["without_own"]["reason"] == "no two benchmarks of different tiers have a value"


def test_coverage_is_ordered_too_and_the_mean_over_metrics_told(cli: Cli, judge: str, sets: Path) -> None:
    done = cli("study", "ordering", *TIERS, "--judge", judge, "-q", "--format", "json")
    coverage = row(done.json, "ordering", metric="violation_coverage@1")
    (mean,) = table(done.json, "means")

    assert (coverage["n_ordered"], coverage["n_ties"]) == (2, 2)  # only alpha violates anything
    assert row(done.json, "pairs", metric="violation_coverage@1", better="alpha", worse="delta")["probability"] == {
        "value": 1.0,
        "interval": None,
        "reason": "",
    }
    assert mean["n_scores"] == 8
    assert mean["mean"] == 0.5


def test_single_tasks_have_no_chances_in_coverage_either(cli: Cli, judge: str, sets: Path) -> None:
    done = cli("study", "ordering", *TIERS, "--judge", judge, "-q", "--limit", "1", "--format", "json")

    assert row(done.json, "ordering", metric="violation_coverage@1")["score"]["interval"] is None


def test_an_ordering_over_single_tasks_has_no_chances(cli: Cli, judge: str, sets: Path) -> None:
    document = ordered(cli, judge, *TIERS, "--limit", "1")

    assert row(document, "ordering", metric="desc_alignment")["score"]["interval"] is None
    assert {each["probability"]["reason"] for each in table(document, "pairs")} == {
        "a benchmark has fewer than two judged tasks"
    }


def test_metrics_without_any_value_have_no_order(cli: Cli, sets: Path) -> None:
    done = cli("study", "ordering", *TIERS, "--format", "json")

    found = row(done.json, "ordering", metric="offline_match")
    assert found["score"]["reason"] == "no two benchmarks of different tiers have a value"
    assert "means" not in [each["name"] for each in done.json["tables"]]


def test_benchmarks_that_are_level_are_neither_in_order_nor_failing(cli: Cli, sets: Path) -> None:
    flags = (*TIERS, "--metric", "desc_alignment", "--judge", "scripted:constant-7", "--store", "v.sqlite3", "-q")
    document = cli("study", "ordering", *flags, "--format", "json").json
    found = row(document, "ordering", metric="desc_alignment")

    assert found["n_ties"] == found["n_pairs"] > 0
    assert (found["n_failing"], found["score"]["value"]) == (0, 0)
    n = found["n_pairs"]
    assert f": 0 of {n} pairs in order (0.0%), {n} level." in document["summary"][0]


def test_five_tiers_made_by_perturbation_are_ordered_by_the_offline_scorer(cli: Cli) -> None:
    tiers = ["--tier", "100=sample/library"]
    for rate in (20, 40, 60, 80):
        cli("perturb", "sample/library", "swap-behavior", "--rate", rate / 100, "--out", f"swapped-{rate}")
        tiers += ["--tier", f"{100 - rate}=swapped-{rate}"]
    document = cli("study", "ordering", *tiers, "--format", "json").json
    found = row(document, "ordering", metric="offline_match")

    assert (found["n_pairs"], found["score"]["value"]) == (10, 1)
    assert found["label"] == "offline (heuristic)"


def test_a_dry_run_of_an_ordering_counts_the_calls(cli: Cli, judge: str, sets: Path, server: VendorServer) -> None:
    done = cli("study", "ordering", *TIERS, "--judge", judge, "--dry-run", "--format", "json")

    assert done.code == 0
    assert done.json["judges"][0]["planned"] == 3 * (12 + 8 + 8 + 8)
    assert server.requests == []


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        ((), "no benchmark is named"),
        (("--tier", "top=alpha", "--tier", "top=beta"), "no two benchmarks of one domain are in different tiers"),
        (("--tier", "alpha"), "names no tier and benchmark"),
        (("--suite", "nowhere.toml"), "nowhere.toml"),
    ],
)
def test_an_ordering_needs_tiers(cli: Cli, sets: Path, flags: tuple[str, ...], why: str) -> None:
    done = cli("study", "ordering", *flags)

    assert done.code == 2
    assert why in done.err


def test_a_matrix_has_a_row_for_each_benchmark_and_judge(
    cli: Cli, judge: str, sets: Path, server: VendorServer
) -> None:
    second = server.judge(model="other")
    flags = ("--judge", judge, "--judge", second, "-q", "--out", "out", "--format", "json")
    done = cli("study", "matrix", "alpha", "beta", *flags)
    document = done.json

    assert done.code == 0
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    assert len(table(document, "matrix")) == 4
    found = row(document, "matrix", benchmark="alpha", judge=judge)
    assert found["desc_alignment"]["value"] == 9
    assert found["n_tasks"] == 12
    assert (sets / "out" / "values-violation_coverage-1.svg").is_file()
    assert (sets / "out" / "coverage-common.png").is_file()
    assert any("from 7.00 (beta) to 9.00 (alpha)" in sentence for sentence in document["summary"])


def test_coverage_is_told_at_the_number_of_tasks_that_all_have(cli: Cli, judge: str, sets: Path) -> None:
    document = cli("study", "matrix", "alpha", "beta", "--judge", judge, "-q", "--format", "json").json
    long, short = table(document, "coverage-common")

    assert (long["n_tasks"], short["n_tasks"], long["n_common"], short["n_common"]) == (12, 8, 8, 8)
    assert long["coverage_1"]["value"] == row(document, "matrix", benchmark="alpha")["violation_coverage_1"]["value"]
    assert long["coverage_1"]["interval"]["low"] <= long["coverage_1"]["value"]
    assert short["coverage_1"]["value"] == 0


def test_a_matrix_of_judges_that_refuse_is_incomplete_and_undefined(cli: Cli, sets: Path) -> None:
    done = cli("study", "matrix", "alpha", "beta", "--judge", "scripted:refuses", "-q", "--format", "json")

    assert done.code == 3
    assert row(done.json, "matrix", benchmark="alpha")["desc_alignment"]["value"] is None
    assert {each["coverage_1"]["reason"] for each in table(done.json, "coverage-common")} == {"no verdict on any task"}
    assert done.json["summary"] == []


def test_benchmarks_under_different_policies_are_noted(cli: Cli, sets: Path) -> None:
    (sets / "beta" / "policy.md").write_text("# Rules of another desk\n\nNever lend anything.\n")
    done = cli("study", "matrix", "alpha", "beta", "--judge", "scripted:seeded", "-q", "--format", "json")

    assert any("within: alpha | beta." in note for note in done.json["notes"])


def test_an_offline_matrix_has_no_coverage(cli: Cli, sets: Path) -> None:
    document = cli("study", "matrix", "alpha", "sample/library", "--format", "json").json

    assert [each["name"] for each in document["tables"]] == ["matrix", "values"]
    assert row(document, "matrix", benchmark="sample/library")["offline_match"]["value"] > 0.9
