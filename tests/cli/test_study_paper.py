"""``bench-audit study paper`` from the command line: the whole design, planned and asked as one."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.designs.paper import TITLES
from audit.resources import resource
from tests.cli.conftest import Cli
from tests.reports.parsed import parse
from tests.servers.http import Request
from tests.servers.outcomes import Outcome, bad_key, say_json
from tests.servers.vendors import VendorServer

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schema"
PAPER = ("study", "paper")
QUIET = ("--store", "s.sqlite3", "--quiet")
SCRIPTED = ("--judge", "scripted:seeded")
NO_CERTIFICATE = ("--skip", "certificate")
ONLY_SWAPS = ("--skip", "certificate,ordering,ordering-offline,metrics,behavior-swap-offline,agreement,patterns")


def validate(document: dict[str, Any]) -> None:
    for name, one in (("design-1", document), *(("study-1", part["study"]) for part in document["parts"])):
        if one is not None:
            schema = json.loads((SCHEMAS / f"{name}.json").read_text())
            jsonschema.Draft202012Validator(schema).validate(one)


def parts_of(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {part["name"]: part for part in document["parts"]}


def rows_of(part: dict[str, Any], name: str) -> list[dict[str, Any]]:
    (table,) = (each for each in part["study"]["tables"] if each["name"] == name)
    return [row["cells"] for row in table["rows"]]


def test_the_design_runs_whole_on_the_sample_and_one_page_joins_it(cli: Cli, tmp_path: Path) -> None:
    done = cli(*PAPER, "sample/library", *SCRIPTED, "--simulate-raters", *QUIET, "--out", "out", "--format", "json")
    assert done.code == 0, done.err
    document = done.json
    validate(document)
    assert json.loads((tmp_path / "out/design.json").read_text()) == document
    parts = parts_of(document)
    assert list(parts) == list(TITLES)
    assert all(part["study"] is not None for part in parts.values())
    assert document["labels"] == ["scripted (not a real judge)", "offline (heuristic)", "simulated (not people)"]

    (offline,) = rows_of(parts["ordering-offline"], "ordering")
    assert (offline["n_pairs"], offline["n_ordered"]) == (10, 10), "five tiers of the sample, told apart offline"
    (fall,) = rows_of(parts["behavior-swap-offline"], "sensitivity")
    assert fall["auroc"]["value"] > 0.9
    metrics = {row["metric"] for row in rows_of(parts["policy-swap"], "before-after")}
    assert {"policy_alignment", "violation_count", "violation_coverage@1"} <= metrics
    assert {row["criterion"] for row in rows_of(parts["agreement"], "correlation")} == {
        "desc_alignment",
        "policy_alignment",
        "violation_count",
    }
    (calls,) = document["calls"]
    assert calls["planned"] == calls["repeated"] + calls["to_ask"]
    assert calls["asked"] == calls["to_ask"]
    own = [each for part in parts.values() for each in part["study"]["calls"]]
    assert own
    assert not any(each["asked"] for each in own), "everything was asked in one run beforehand"

    page = parse((tmp_path / "out/index.html").read_bytes())
    links = [each.attributes["href"] for each in page.all("a") if not each.attributes["href"].startswith("#")]
    anchors = {each.attributes["href"][1:] for each in page.all("a")} - {link[1:] for link in links}
    ids = [each.attributes["id"] for each in page.all() if "id" in each.attributes]
    assert len(ids) == len(set(ids)), "parts' anchors are apart"
    assert anchors <= set(ids)
    assert {f"{name}/{parts[name]['study']['kind']}.html" for name in parts} <= set(links)
    assert [link for link in links if not (tmp_path / "out" / link).is_file()] == []
    with (tmp_path / "out/agreement/ratings.csv").open(encoding="utf-8") as file:
        rated = list(csv.DictReader(file))
    assert {row["kind"] for row in rated} == {"simulated"}
    assert {row["tier"] for row in rated} == {"untouched", "good", "medium", "small", "poor"}

    again = cli(*PAPER, "sample/library", *SCRIPTED, *ONLY_SWAPS, *QUIET, "--format", "json").json
    assert again["calls"][0]["asked"] == 0
    for name in ("behavior-swap", "policy-swap"):
        assert parts_of(again)[name]["study"]["tables"] == parts[name]["study"]["tables"]


def test_without_a_judge_the_offline_scorer_does_what_it_can_and_the_rest_says_why_not(cli: Cli) -> None:
    done = cli(*PAPER, "sample/library", *QUIET, "--format", "json")
    assert done.code == 0, done.err
    validate(done.json)
    parts = parts_of(done.json)
    there = [name for name, part in parts.items() if part["study"] is not None]
    assert there == ["certificate", "ordering-offline", "behavior-swap-offline"]
    assert {part["left_out"] for part in parts.values()} == {"", "it takes a judge (--judge)"}
    assert done.json["calls"] == []
    text = cli(*PAPER, "sample/library", *QUIET).out
    assert "Do the judges agree with people?\n  left out: it takes a judge (--judge)\n" in text
    assert "Does the offline score order the tiers? [offline (heuristic)]" in text


@pytest.fixture
def tiers(tmp_path: Path, server: VendorServer) -> tuple[str, ...]:
    """Two benchmarks of one's own, told apart by a word, and a judge that scores them so."""
    for mark, n in (("alpha", 10), ("beta", 8)):
        folder = tmp_path / mark
        shutil.copytree(resource("benchmarks", "sample", "library"), folder)
        (folder / "split_tasks.json").unlink()
        tasks = json.loads((folder / "tasks.json").read_text())[:n]
        for each in tasks:
            each["user_scenario"]["instructions"]["reason_for_call"] += f" ({mark})"
        (folder / "tasks.json").write_text(json.dumps(tasks))

    def choose(request: Request) -> Outcome:
        if "violations" in json.dumps(request.schema):
            return say_json({"requests": ["A request."], "violations": []})
        return say_json({"reasons": ["A step is missing."], "score": 9 if "(alpha)" in request.user else 3})

    server.behave(choose)
    return ("--tier", "top=alpha", "--tier", "small=beta", "--judge", server.judge())


def test_tiers_of_one_s_own_are_ordered_and_swapped_each(cli: Cli, tiers: tuple[str, ...]) -> None:
    done = cli(*PAPER, *tiers, *NO_CERTIFICATE, *QUIET, "--format", "json")
    assert done.code == 0, done.err
    validate(done.json)
    parts = parts_of(done.json)
    by_metric = {row["metric"]: row for row in rows_of(parts["ordering"], "ordering")}
    assert {"desc_alignment", "policy_alignment", "violation_count"} <= set(by_metric)
    assert by_metric["policy_alignment"]["n_ordered"] == 1
    assert by_metric["violation_count"]["n_ties"] == 1
    for name, table in (("behavior-swap", "sensitivity"), ("policy-swap", "before-after")):
        assert {row["of"] for row in rows_of(parts[name], table)} == {"alpha", "beta"}
    settings = parts["policy-swap"]["study"]["settings"]
    assert settings["benchmark"] == ["alpha", "beta"]
    assert settings["other"] == "sample-gym", "both are under the sample's own policy"
    assert parts["policy-swap"]["study"]["notes"][0].startswith("Each benchmark was studied by itself")
    assert done.json["title"].startswith("2 benchmarks: ")
    assert parts["certificate"] == {
        "name": "certificate",
        "title": TITLES["certificate"],
        "left_out": "--skip names it",
        "study": None,
    }
    assert parts["agreement"]["left_out"].startswith("no --ratings were given")
    assert [row["n_tasks"] for row in rows_of(parts["metrics"], "matrix")] == [10, 8]
    assert "made of" not in " ".join(parts["ordering"]["study"]["notes"])
    assert done.json["labels"] == ["offline (heuristic)"]

    one = cli(*PAPER, "alpha", *tiers, *NO_CERTIFICATE, *QUIET, "--format", "json").json
    assert one["calls"][0]["asked"] == 0, "everything is stored"
    (alone,) = rows_of(parts_of(one)["behavior-swap"], "sensitivity")
    assert "of" not in alone


def test_benchmarks_of_two_domains_are_judged_under_each_other_s_policy(
    cli: Cli, tiers: tuple[str, ...], tmp_path: Path
) -> None:
    for name in ("alpha", "beta"):
        shutil.copytree(tmp_path / name, tmp_path / f"gym-{name}")
        shutil.copyfile(resource("policies", "sample-gym", "policy.md"), tmp_path / f"gym-{name}" / "policy.md")
    tables = (
        f'[[benchmark]]\npath = "{path}"\ntier = "{tier}"\ndomain = "{domain}"\n'
        for path, tier, domain in (
            ("alpha", "top", "library"),
            ("beta", "small", "library"),
            ("gym-alpha", "top", "gym"),
            ("gym-beta", "small", "gym"),
        )
    )
    (tmp_path / "suite.toml").write_text("\n".join(tables))
    only = ("--skip", "certificate,metrics,patterns,behavior-swap,behavior-swap-offline,ordering-offline")
    done = cli(*PAPER, "--suite", "suite.toml", *tiers[4:], *only, *QUIET, "--format", "json")
    assert done.code == 0, done.err
    parts = parts_of(done.json)
    assert parts["policy-swap"]["study"]["settings"]["other"] == ["gym-alpha", "gym-alpha", "alpha", "alpha"]
    assert {row["domain"] for row in rows_of(parts["ordering"], "ordering")} == {"library", "gym"}


def test_a_plan_counts_what_is_shared_once_and_sends_nothing(
    cli: Cli, tiers: tuple[str, ...], server: VendorServer
) -> None:
    flags = (*PAPER, *tiers, *ONLY_SWAPS, *QUIET, "--format", "json")
    (plan,) = cli(*flags, "--dry-run").json["judges"]
    assert server.requests == []
    assert plan["repeated"] > 0
    assert plan["planned"] == plan["repeated"] + plan["to_ask"]
    assert plan["plan"]["to_ask"] == plan["to_ask"]
    done = cli(*flags).json
    assert len(server.requests) == plan["to_ask"] == done["calls"][0]["asked"]
    assert cli(*PAPER, "sample/library", *QUIET, "--dry-run").out.startswith("No judge")


def test_people_s_ratings_are_held_against_the_judge(cli: Cli, tiers: tuple[str, ...], tmp_path: Path) -> None:
    ids = [each["id"] for each in json.loads((tmp_path / "alpha/tasks.json").read_text())]
    rows = [f"alpha,{id},anna,desc_alignment,{7 + number % 3}" for number, id in enumerate(ids)]
    (tmp_path / "anna.csv").write_text("\n".join(["benchmark,task_id,rater,criterion,value", *rows]))
    done = cli(*PAPER, *tiers, *NO_CERTIFICATE, *QUIET, "--ratings", "anna.csv", "--format", "json")
    assert done.code == 0, done.err
    agreement = parts_of(done.json)["agreement"]
    (row,) = rows_of(agreement, "distance")
    assert row["n"] == 10
    assert "simulated (not people)" not in done.json["labels"]
    (tmp_path / "bad.csv").write_text("benchmark,task_id,rater,criterion,value\nalpha,nosuch,anna,desc_alignment,7\n")
    refused = cli(*PAPER, *tiers, *QUIET, "--ratings", "bad.csv")
    assert refused.code == 2
    assert "nosuch" in refused.err
    (tmp_path / "off.csv").write_text("benchmark,task_id,rater,criterion,value\nalpha,lib_01,anna,desc_alignment,99\n")
    refused = cli(*PAPER, *tiers, *QUIET, "--ratings", "off.csv")
    assert refused.code == 2
    assert "off.csv:2, value" in refused.err


def test_ratings_of_a_benchmark_whose_tiers_are_made_are_of_it_alone(cli: Cli, tmp_path: Path) -> None:
    rows = [f"lib_{number:02},anna,desc_alignment,{number % 9 + 1}" for number in range(1, 20)]
    (tmp_path / "anna.csv").write_text("\n".join(["task_id,rater,criterion,value", *rows]))
    flags = (*PAPER, "sample/library", *SCRIPTED, *NO_CERTIFICATE, *QUIET, "--format", "json")
    done = cli(*flags, "--ratings", "anna.csv")
    assert done.code == 0, done.err
    (row,) = rows_of(parts_of(done.json)["agreement"], "correlation")
    assert row["n"] == 19


def test_after_a_judge_was_stopped_nothing_more_is_sent_and_the_page_says_so(
    cli: Cli, tiers: tuple[str, ...], server: VendorServer, tmp_path: Path
) -> None:
    server.always(bad_key())
    done = cli(*PAPER, *tiers, *ONLY_SWAPS, *QUIET, "--format", "json", "--out", "out", "--concurrency", "1")
    assert done.code == 3, done.err
    assert "Incomplete" in done.err
    n_sent = len(server.requests)
    assert n_sent < 5
    assert not done.json["is_complete"]
    (stop,) = done.json["stops"]
    assert stop.startswith(server.judge())
    assert all(part["study"]["stops"] in ([], [stop]) for part in done.json["parts"] if part["study"])
    assert "A judge was stopped" in (tmp_path / "out/index.html").read_text()


def test_limits_hold_for_all_parts_together(cli: Cli, tiers: tuple[str, ...], server: VendorServer) -> None:
    done = cli(*PAPER, *tiers, *ONLY_SWAPS, *QUIET, "--max-calls", "7", "--format", "json")
    assert done.code == 3
    assert len(server.requests) == 7


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ((), "study paper: there is nothing to study"),
        (("sample/library", "--skip", "certificates"), "there is no part 'certificates'"),
        (("sample/library", "--simulate-raters"), "raters are held against a judge"),
        (("sample/library", *SCRIPTED, "--simulate-raters", "--ratings", "r.csv"), "there are people's ratings"),
        (("sample/library", *SCRIPTED, "--ratings", "empty.csv"), "no rating is in the files"),
        (("sample/library", *SCRIPTED, "--with", "sample/library"), "has the same policy"),
        (("--tier", "top=sample/library"), "are in different tiers"),
        (("sample/library", "--out", "file"), "file"),
    ],
)
def test_what_can_t_be_studied_is_one_line(cli: Cli, tmp_path: Path, flags: tuple[str, ...], message: str) -> None:
    (tmp_path / "r.csv").write_text("task_id,rater,criterion,value\nlib_01,anna,desc_alignment,7\n")
    (tmp_path / "empty.csv").write_text("task_id,rater,criterion,value\nlib_01,anna,desc_alignment,\n")
    (tmp_path / "file").write_text("")
    done = cli(*PAPER, *flags, *QUIET)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


def test_real_generated_benchmarks_are_tiers(cli: Cli, server: VendorServer, real_data: Path) -> None:
    runs = real_data / "intellagent" / "airline"
    tiers = ("--tier", f"top={runs / 'run_0'}", "--tier", f"small={runs / 'run_1'}")
    flags = (*NO_CERTIFICATE, "--simulate-raters", *QUIET, "--format", "json", "--judge", server.judge())
    done = cli(*PAPER, *tiers, "--with", "sample/library", *flags)
    assert done.code == 0, done.err
    validate(done.json)
    parts = parts_of(done.json)
    assert [row["n_tasks"] for row in rows_of(parts["metrics"], "matrix")] == [30, 8]
    assert len({row["of"] for row in rows_of(parts["policy-swap"], "before-after")}) == 2
    assert {row["n_pairs"] for row in rows_of(parts["ordering"], "ordering")} == {1}
