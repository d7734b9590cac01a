"""``bench-audit compare``, from the command line to what it prints."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.cli.test_score import copy_sample
from tests.servers.outcomes import Outcome, server_error
from tests.servers.vendors import VendorServer, well_behaved

Judge = Callable[[Outcome], str]
SAMPLE = "sample/library"
LINE = " Today, please."


def edit(benchmark: Path, *task_ids: str) -> None:
    tasks = json.loads((benchmark / "tasks.json").read_text())
    for task in tasks:
        if task["id"] in task_ids:
            task["user_scenario"]["instructions"]["reason_for_call"] += LINE
    (benchmark / "tasks.json").write_text(json.dumps(tasks))


def drop(benchmark: Path, task_id: str) -> None:
    tasks = [task for task in json.loads((benchmark / "tasks.json").read_text()) if task["id"] != task_id]
    (benchmark / "tasks.json").write_text(json.dumps(tasks))
    splits = json.loads((benchmark / "split_tasks.json").read_text())
    kept = {name: [each for each in ids if each != task_id] for name, ids in splits.items()}
    (benchmark / "split_tasks.json").write_text(json.dumps(kept))


@pytest.fixture
def pair(cli: Cli, tmp_path: Path) -> tuple[Path, Path]:
    """Two copies of the sample, the second of which the test edits."""
    return copy_sample(tmp_path / "old"), copy_sample(tmp_path / "new")


def test_the_same_benchmark_twice_differs_in_nothing(cli: Cli) -> None:
    result = cli("compare", SAMPLE, SAMPLE)
    assert result.code == 0
    assert "42 tasks unchanged" in result.out
    assert "findings unchanged" in result.out
    assert "no real change" in result.out
    assert "new" not in result.out.replace("NEW", "")


def test_edited_added_and_removed_tasks_are_told_with_their_components(cli: Cli, pair: tuple[Path, Path]) -> None:
    old, new = pair
    edit(new, "lib_03")
    drop(new, "lib_06")
    document = cli("compare", old, new, "--format", "json").json
    assert document["tasks"] == {
        "added": [],
        "removed": ["lib_06"],
        "changed": [{"task_id": "lib_03", "components": ["description"]}],
        "n_same": 40,
    }
    assert {each["task_id"] for each in document["findings"]["gone"]} == {"lib_06"}
    back = cli("compare", new, old, "--format", "json").json
    assert back["tasks"]["added"] == ["lib_06"]
    assert "lib_06" in {each["task_id"] for each in back["findings"]["new"]}


def test_an_edited_criterion_and_an_edited_row_are_told_apart(cli: Cli, pair: tuple[Path, Path]) -> None:
    old, new = pair
    tasks = json.loads((new / "tasks.json").read_text())
    tasks[0]["evaluation_criteria"]["reward_basis"] = ["DB"]
    tasks[1]["evaluation_criteria"]["actions"][0]["arguments"]["email"] = "x@mail.example"
    tasks[3]["evaluation_criteria"]["nl_assertions"][0] += " Really."
    (new / "tasks.json").write_text(json.dumps(tasks))
    changed = cli("compare", old, new, "--format", "json").json["tasks"]["changed"]
    components = {each["task_id"]: each["components"] for each in changed}
    assert components["lib_01"] == ["other"]
    assert "actions" in components["lib_02"]
    assert components["lib_04"] == ["behavior"]


def test_a_mended_task_has_its_finding_fixed(cli: Cli, pair: tuple[Path, Path]) -> None:
    old, new = pair
    cli("check", old, "--format", "json", "--output", "old.json")
    tasks = json.loads((new / "tasks.json").read_text())
    call = next(task for task in tasks if task["id"] == "lib_38")["evaluation_criteria"]["actions"]
    for action in call:
        if action["name"] == "place_hold":
            action["arguments"]["pickup_branch"] = "main"
    (new / "tasks.json").write_text(json.dumps(tasks))
    findings = cli("compare", "old.json", new, "--format", "json").json["findings"]
    assert ("gold-argument-missing", "lib_38") in {(each["rule"], each["task_id"]) for each in findings["fixed"]}


def test_saved_scores_bring_their_findings_along(cli: Cli, pair: tuple[Path, Path]) -> None:
    old, new = pair
    drop(new, "lib_06")
    for side in (old, new):
        cli("score", side, "--format", "json", "--output", f"{side.name}.json", "-q")
    saved = cli("compare", "old.json", "new.json", "--format", "json").json
    fresh = cli("compare", old, new, "--format", "json").json
    assert saved["findings"] == fresh["findings"]
    assert {each["task_id"] for each in saved["findings"]["gone"]} == {"lib_06"}
    assert saved["notes"] == fresh["notes"]


def test_only_changed_tasks_are_judged_again(
    cli: Cli, judge: Judge, server: VendorServer, pair: tuple[Path, Path]
) -> None:
    old, new = pair
    edit(new, "lib_02", "lib_04")
    flags = ("--judge", judge(well_behaved()), "--limit", 5, "--metric", "desc_alignment")
    result = cli("compare", old, new, *flags, "--format", "json")
    assert result.code == 0
    assert len(server.requests) == 5 + 2
    assert sum(LINE.strip() in str(request.body) for request in server.requests) == 2
    change = next(each for each in result.json["scores"] if each["metric"] == "desc_alignment")
    assert (change["difference"], change["n_paired"]) == (0.0, 5)
    cli("compare", old, new, *flags)
    assert len(server.requests) == 7


def test_a_real_drop_is_told_with_its_interval(cli: Cli, server: VendorServer) -> None:
    flags = ("--judge", server.judge(), "--limit", 5, "--metric", "desc_alignment", "--fresh", "--format", "json")
    server.always(well_behaved(8))
    cli("score", SAMPLE, *flags, "--output", "old.json")
    server.always(well_behaved(6))
    cli("score", SAMPLE, *flags, "--output", "new.json")
    result = cli("compare", "old.json", "new.json")
    assert "8.000 → 6.000, -2.000 (-2.000 to -2.000) over 5 shared tasks: fell" in result.out
    assert "3 findings unchanged" in result.out
    assert "not checked" not in result.out
    cli("score", SAMPLE, *flags, "--no-checks", "--output", "old.json")
    assert "OLD was not checked" in cli("compare", "old.json", "new.json").out


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--trials", 2), "trials changed from 1 to 2"),
        (("--behavior", "nl"), "parts of the expected behavior changed"),
        (("--policy-items", "none"), "NEW has no value"),
    ],
)
def test_runs_that_asked_something_else_have_no_difference(
    cli: Cli, judge: Judge, flags: tuple[str, ...], words: str
) -> None:
    own = ("--judge", judge(well_behaved()), "--limit", 3, "--metric", "violation_count", "--format", "json")
    cli("score", SAMPLE, *own, "--output", "old.json")
    cli("score", SAMPLE, *own, *flags, "--output", "new.json")
    document = cli("compare", "old.json", "new.json", "--format", "json").json
    (change,) = document["scores"]
    assert (change["difference"], change["interval"]) == (None, None)
    assert words in "; ".join(change["reasons"])


def test_another_model_behind_the_same_name_is_told(cli: Cli, server: VendorServer) -> None:
    own = ("--judge", server.judge(), "--limit", 3, "--metric", "desc_alignment", "--format", "json")
    cli("score", SAMPLE, *own, "--output", "old.json")
    document = json.loads(Path("old.json").read_text())
    for verdict in document["verdicts"]:
        verdict["model"] = "any-name-2025-01-01"
    Path("old.json").write_text(json.dumps(document))
    assert "any-name-2025-01-01 and is now by any-name-2026-01-01" in cli("compare", "old.json", SAMPLE, *own[:-2]).out


def test_another_policy_is_told_and_leaves_no_difference_to_judges_that_see_it(
    cli: Cli, judge: Judge, pair: tuple[Path, Path]
) -> None:
    old, new = pair
    (new / "policy.md").write_text((new / "policy.md").read_text() + "\nBe kind.\n")
    flags = ("--judge", judge(well_behaved()), "--limit", 3, "--metric", "policy_alignment,desc_alignment")
    document = cli("compare", old, new, *flags, "--format", "json").json
    by_metric = {each["metric"]: each for each in document["scores"]}
    assert document["policy_changed"]
    assert by_metric["policy_alignment"]["reasons"] == ["the policy changed"]
    assert by_metric["desc_alignment"]["difference"] == 0.0


def test_each_side_can_have_files_of_its_own(cli: Cli, pair: tuple[Path, Path]) -> None:
    old, new = pair
    other = new / "other.md"
    other.write_text((new / "policy.md").read_text() + "\nBe kind.\n")
    document = cli("compare", old, new, "--old-policy", other, "--format", "json").json
    assert document["policy_changed"]
    assert not cli("compare", old, new, "--policy", other, "--format", "json").json["policy_changed"]


def test_missing_verdicts_exit_with_3(cli: Cli, judge: Judge) -> None:
    flags = ("--judge", judge(server_error()), "--limit", 2, "--retries", 0, "--metric", "desc_alignment")
    result = cli("compare", SAMPLE, SAMPLE, *flags)
    assert result.code == 3
    assert "Incomplete" in result.err


def test_a_dry_run_counts_both_sides_and_sends_nothing(cli: Cli, judge: Judge, server: VendorServer) -> None:
    cli("check", SAMPLE, "--format", "json", "--output", "old.json")
    flags = ("--judge", judge(well_behaved()), "--limit", 2, "--dry-run")
    (planned,) = cli("compare", SAMPLE, SAMPLE, *flags, "--format", "json").json["judges"]
    assert (planned["planned"], planned["to_ask"]) == (12, 6), "a question of both sides is asked once"
    assert len(cli("compare", "old.json", SAMPLE, *flags, "--format", "json").json["judges"]) == 1
    assert "6" in cli("compare", "old.json", SAMPLE, *flags).out
    assert not server.requests


@pytest.mark.parametrize("format_name", ["text", "json", "markdown"])
def test_every_format_is_written_to_a_file(cli: Cli, format_name: str) -> None:
    result = cli("compare", SAMPLE, SAMPLE, "--limit", 3, "--format", format_name, "--output", "out/c")
    assert (result.code, result.out) == (0, "")
    assert "3" in Path("out/c").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "flags", "words"),
    [
        ("nothing.json", (), ("nothing.json",)),
        ("tau3/airlin", (), ("tau3/airline",)),
        ("x" * 5000, (), ("no benchmark",)),
        ("broken.json", (), ("broken.json", "no saved run")),
        (SAMPLE, ("--old-policy", "absent.md"), ("absent.md",)),
        (SAMPLE, ("--output", "."), ("folder",)),
        (SAMPLE, ("--metric", "desc_alignmen"), ("desc_alignment",)),
    ],
)
def test_a_bad_side_or_flag_is_one_clear_line_and_exit_code_2(
    cli: Cli, old: str, flags: tuple[str, ...], words: tuple[str, ...]
) -> None:
    Path("broken.json").write_text('{"format": "bench-audit/run", "format_version": 7}')
    result = cli("compare", old, SAMPLE, *flags)
    assert result.code == 2
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert all(word in result.err for word in words), result.err


def test_real_benchmarks_are_compared(cli: Cli, real_data: Path) -> None:
    document = cli("compare", "tau3/airline", "tau3/airline", "--data-dir", real_data, "--format", "json").json
    assert document["tasks"]["n_same"] == 50
    assert document["findings"]["new"] == document["findings"]["fixed"] == []


def test_a_page_of_the_comparison_is_written_beside_the_result(cli: Cli, pair: tuple[Path, Path]) -> None:
    old, new = pair
    edit(new, "lib_03")
    result = cli("compare", old, new, "--report", "pages/changes.html", "--format", "json")
    assert result.code == 0
    assert "Report: pages/changes.html" in result.err
    page = Path("pages/changes.html").read_text()
    assert "1 task changed: lib_03 (description)" in page
    assert result.json["moved"] is not None


def test_a_page_overwrites_neither_the_result_nor_a_side(cli: Cli, tmp_path: Path) -> None:
    cli("score", SAMPLE, "--format", "json", "-o", "a.json", "-q")
    assert "NEW and --report name the same file" in cli("compare", SAMPLE, "a.json", "--report", "a.json").err
    assert "--output and --report" in cli("compare", SAMPLE, "a.json", "-o", "x", "--report", "x").err


@pytest.fixture
def versions(cli: Cli, tmp_path: Path) -> tuple[Path, ...]:
    """Three versions of the sample: as it is, with an edit, and without a task."""
    made = tuple(copy_sample(tmp_path / name) for name in ("one", "two", "three"))
    edit(made[1], "lib_03")
    drop(made[2], "lib_06")
    return made


def test_more_than_two_sides_are_each_held_against_the_first(cli: Cli, versions: tuple[Path, ...]) -> None:
    result = cli("compare", *versions, "--report", "page.html")
    assert result.code == 0
    assert f"A: {versions[0]}" in result.out
    assert "1 task changed: lib_03 (description)" in result.out
    assert "1 task removed: lib_06" in result.out
    assert "by Holm" in result.out
    assert "Report: page.html" in result.err
    assert b"3 sides, each held against A" in Path("page.html").read_bytes()


def test_another_side_can_be_the_baseline(cli: Cli, versions: tuple[Path, ...]) -> None:
    document = cli("compare", *versions, "--baseline", versions[2], "--format", "json").json
    assert document["baseline"] == "C"
    assert [each["side"] for each in document["changes"]] == ["A", "B"]
    assert document["changes"][0]["tasks"]["added"] == ["lib_06"]
    pair = cli("compare", *versions[::2], "--baseline", versions[2], "--format", "json").json
    assert pair["tasks"]["added"] == ["lib_06"]
    assert pair["old"]["label"] == str(versions[2])


def test_the_judges_of_two_runs_are_compared_in_a_table(cli: Cli) -> None:
    for n in (5, 7):
        flags = ("--judge", f"scripted:constant-{n}", "--limit", 6, "--metric", "desc_alignment", "--format", "json")
        cli("score", SAMPLE, *flags, "-o", f"{n}.json", "-q")
    assert "only NEW has this metric of this judge" in cli("compare", "5.json", "7.json").out
    result = cli("compare", "5.json", "7.json", "--table", "--format", "json")
    (row,) = result.json["rows"]
    assert row["judge"] is None
    assert row["cells"][1]["change"]["difference"] == 2.0
    assert [cell["trust"] for cell in row["cells"]] == ["scripted (not a real judge)"] * 2


def test_files_of_its_own_are_the_baselines(cli: Cli, versions: tuple[Path, ...]) -> None:
    other = versions[0] / "other.md"
    other.write_text((versions[0] / "policy.md").read_text() + "\nBe kind.\n")
    flags = ("--old-policy", other, "--format", "json", "--baseline", versions[1])
    document = cli("compare", *versions, *flags).json
    hashes = [each["policy_sha256"] for each in document["sides"]]
    assert hashes[0] == hashes[2] != hashes[1]


@pytest.mark.parametrize("format_name", ["text", "json", "markdown", "csv"])
@pytest.mark.parametrize("n", [2, 3])
def test_the_same_sides_give_the_same_bytes_in_every_format(cli: Cli, n: int, format_name: str) -> None:
    cli("score", SAMPLE, "--limit", 4, "--format", "json", "-o", "a.json", "-q")
    first = cli("compare", *["a.json"] * n, "--format", format_name, "--report", "a.html")
    assert first.code == 0, first.err
    page = Path("a.html").read_bytes()
    assert cli("compare", *["a.json"] * n, "--format", format_name, "--report", "a.html").out == first.out
    assert Path("a.html").read_bytes() == page


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.json",), "there is nothing to compare it with"),
        ((), "Missing argument"),
        (("a.json",) * 13, "13 sides are more than the 12 of a table"),
        (("a.json", "a.json", "--baseline", "b.json"), "--baseline b.json: is none of the sides"),
        (("a.json", "a.json", "a.json", "-o", "a.json"), "side 1 and --output name the same file"),
        (("a.json", "cut.json", "a.json"), "cut.json: is damaged: no whole JSON. Save one"),
        (("a.json", "gone.json", "a.json"), "gone.json"),
        (("a.json", "empty.json", "a.json"), "there is no policy.md beside the tasks"),
        (("a.json", "nul.json", "a.json"), "there is no policy.md beside the tasks"),
        (("a.json", "study.json", "a.json"), "study.json"),
        (("a.json", "deep.json", "a.json"), "deep.json: is damaged"),
        (("a.json", "pipe.json", "a.json"), "pipe.json: is a pipe or a device"),
    ],
)
def test_what_can_not_be_lined_up_is_one_line_and_writes_nothing(
    cli: Cli, arguments: tuple[str, ...], said: str
) -> None:
    cli("score", SAMPLE, "--limit", 3, "--format", "json", "-o", "a.json", "-q")
    whole = Path("a.json").read_bytes()
    Path("cut.json").write_bytes(whole[: len(whole) // 2])
    Path("empty.json").write_bytes(b"")
    Path("nul.json").write_bytes(b"\0" * 100)
    Path("study.json").write_text('{"format": "bench-audit/study", "format_version": 1}')
    Path("deep.json").write_text('{"format": "bench-audit/run", "x": ' + "[" * 100_000)
    os.mkfifo("pipe.json")
    result = cli("compare", *arguments, "--report", "new/page.html")
    assert (result.code, result.out) == (2, "")
    assert result.err.count("\n") == 1
    assert said in result.err
    assert "Traceback" not in result.err
    assert not Path("new").exists()
    assert Path("a.json").read_bytes() == whole


def test_a_dry_run_counts_the_calls_of_every_side(cli: Cli) -> None:
    flags = ("--judge", "scripted:constant-5", "--limit", 2, "--metric", "desc_alignment", "--dry-run")
    document = cli("compare", SAMPLE, SAMPLE, SAMPLE, *flags, "--format", "json").json
    assert [(each["planned"], each["to_ask"]) for each in document["judges"]] == [(6, 2)]
