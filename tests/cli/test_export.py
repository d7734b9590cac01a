"""``bench-audit export``, from the command line to the folder that it writes."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli
from tests.servers.outcomes import Outcome, refuse
from tests.servers.vendors import VendorServer, well_behaved

Judge = Callable[[Outcome], str]
SAMPLE = "sample/library"
FILES = ["db.json", "left_out.csv", "left_out.json", "policy.md", "split_tasks.json", "tasks.json", "tools.json"]


def left_out(folder: Path) -> Any:  # noqa: ANN401  # any JSON
    return json.loads((folder / "left_out.json").read_text())


def test_what_is_kept_loads_again_and_has_no_errors(cli: Cli, tmp_path: Path) -> None:
    result = cli("export", SAMPLE, "--keep", "severity<error", "--out", "sound")
    assert result.code == 0
    assert sorted(path.name for path in (tmp_path / "sound").iterdir()) == FILES
    checked = cli("check", "sound", "--fail-on", "error", "--format", "json")
    assert checked.code == 0
    kept = left_out(tmp_path / "sound")["kept"]
    assert checked.json["benchmark"]["n_tasks"] == len(kept) > 20
    assert f"kept {len(kept)} of 42 tasks" in result.out


def test_what_is_left_out_is_listed_with_why(cli: Cli, tmp_path: Path) -> None:
    cli("export", SAMPLE, "--keep", "rule!=gold-unknown-id and tag=train", "--out", "sound")
    document = left_out(tmp_path / "sound")
    by_task = {left["task_id"]: left for left in document["left_out"]}
    assert by_task["lib_06"]["reasons"][0].startswith("rule!=gold-unknown-id: it is ")
    assert by_task["lib_06"]["findings"][0]["rule"] == "gold-unknown-id"
    assert by_task["lib_01"]["reasons"] == ["tag=train: it is base, test"]
    rows = list(csv.DictReader((tmp_path / "sound" / "left_out.csv").read_text().splitlines()))
    assert {row["task_id"] for row in rows} == set(by_task)
    assert len(document["kept"]) + len(by_task) == 42


def test_a_chosen_split_alone_is_exported(cli: Cli, tmp_path: Path) -> None:
    cli("export", SAMPLE, "--split", "test", "--keep", "severity<error", "--out", "sound")
    reasons = {left["task_id"]: left["reasons"][0] for left in left_out(tmp_path / "sound")["left_out"]}
    assert "--split" in reasons["lib_02"]
    assert set(json.loads((tmp_path / "sound" / "split_tasks.json").read_text())) == {"test", "base"}


def test_tasks_chosen_by_name_load_in_the_order_of_the_file(cli: Cli, tmp_path: Path) -> None:
    assert cli("export", SAMPLE, "--tasks", "lib_08,lib_01", "--keep", "severity<=error", "--out", "sound").code == 0
    assert [task["id"] for task in json.loads((tmp_path / "sound" / "tasks.json").read_text())] == ["lib_01", "lib_08"]


def test_the_offline_score_can_be_asked_for(cli: Cli, tmp_path: Path) -> None:
    result = cli("export", SAMPLE, "--keep", "offline_match>=0.5", "--out", "sound")
    assert result.code == 0
    left = left_out(tmp_path / "sound")["left_out"]
    assert left
    assert all(each["scores"]["offline_match"] < 0.5 for each in left)


def test_judges_are_asked_for_what_the_expression_names_and_for_nothing_else(
    cli: Cli, judge: Judge, server: VendorServer, tmp_path: Path
) -> None:
    arguments = ("export", SAMPLE, "--judge", judge(well_behaved()), "--keep", "desc_alignment>=1", "--limit", 3)
    assert cli(*arguments, "--out", "one").code == 0
    assert len(server.requests) == 3
    assert cli(*arguments, "--out", "two").code == 0
    assert len(server.requests) == 3
    assert left_out(tmp_path / "one")["judges"] == [server.judge()]
    assert (tmp_path / "one" / "tasks.json").read_bytes() == (tmp_path / "two" / "tasks.json").read_bytes()


def test_a_judge_and_the_offline_score_can_be_asked_together(cli: Cli, judge: Judge, tmp_path: Path) -> None:
    keep = "desc_alignment>=1 and offline_match>=0"
    result = cli("export", SAMPLE, "--judge", judge(well_behaved()), "--keep", keep, "--limit", 2, "--out", "sound")
    assert result.code == 0
    assert len(left_out(tmp_path / "sound")["kept"]) == 2


def test_a_task_without_its_verdict_is_left_out_and_the_exit_code_says_incomplete(
    cli: Cli, server: VendorServer, tmp_path: Path
) -> None:
    asked = {"n": 0}

    def first_refused(request: object) -> Outcome:
        asked["n"] += 1
        return refuse() if asked["n"] == 1 else well_behaved()

    server.behave(first_refused)
    arguments = ("--judge", server.judge(), "--limit", 3, "--concurrency", 1, "--out", "sound")
    result = cli("export", SAMPLE, "--keep", "severity<=error or desc_alignment>=1", *arguments)
    document = left_out(tmp_path / "sound")
    assert result.code == 3
    assert "Incomplete" in result.err
    assert document["is_complete"] is False
    assert len(document["kept"]) == 2
    assert "desc_alignment is missing: 1 of 1" in document["left_out"][0]["reasons"][0]


def test_a_folder_that_is_not_empty_is_replaced_only_by_force_and_only_an_export(cli: Cli, tmp_path: Path) -> None:
    first = ("export", SAMPLE, "--keep", "tag=train", "--out", "sound")
    assert cli(*first).code == 0
    refused = cli(*first)
    assert (refused.code, "--force" in refused.err) == (2, True)
    second = cli("export", SAMPLE, "--keep", "tag=test", "--out", "sound", "--force")
    assert second.code == 0
    assert left_out(tmp_path / "sound")["keep"] == "tag=test"
    (tmp_path / "sound" / "mine.txt").write_text("keep me")
    assert cli("export", SAMPLE, "--keep", "tag=test", "--out", "sound", "--force").code == 2
    assert (tmp_path / "sound" / "mine.txt").read_text() == "keep me"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--keep", "severity<fatal"), ("fatal", "warning")),
        (("--keep", "rule!=gold-unknown"), ("gold-unknown-id",)),
        (("--keep", "rule!=judged-desc-alignment"), ("judged-desc-alignment",)),
        (("--keep", "desc_alignment>=7"), ("--judge",)),
        (("--keep", "severity<error", "--judge", "scripted:seeded"), ("--judge", "no judge is needed")),
        (("--keep", "tag=nowhere"), ("no task is left",)),
        (("--keep", "severity<error", "--tasks", "lib_99"), ("lib_99",)),
        ((), ("--keep",)),
    ],
)
def test_a_bad_flag_is_one_clear_line_exit_code_2_and_no_folder(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    result = cli("export", SAMPLE, "--out", "sound", *arguments)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert all(word in result.err for word in words), result.err
    assert not (tmp_path / "sound").exists()


def test_findings_of_the_set_are_mentioned(cli: Cli) -> None:
    assert "concern the set as a whole" in cli("export", SAMPLE, "--keep", "severity<error", "--out", "sound").err


def test_a_real_benchmark_is_exported_and_checked_again(cli: Cli, real_data: Path) -> None:
    arguments = ("export", "tau3/retail", "--data-dir", real_data, "--keep", "severity<error", "--out", "sound")
    assert cli(*arguments).code == 0
    again = cli("check", "sound", "--fail-on", "error", "--format", "json")
    assert (again.code, again.json["environment"]) == (0, "tau-retail")
