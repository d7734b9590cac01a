"""What IntellAgent generated, from the command line: shown, checked and scored."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Cli
from tests.loaders.ferries import DATASET, TODAY, fields, put, write_run


def test_show_prints_what_a_judge_sees_with_its_origin(cli: Cli, tmp_path: Path) -> None:
    run = write_run(tmp_path, fields(7))
    result = cli("show", run, "7", "--full")
    assert (result.code, result.err) == (0, "")
    assert f"datasets/{DATASET}.pickle task 7 scenario" in result.out
    assert f"datasets/{DATASET}.pickle task 7 description.expected_behaviour" in result.out
    assert "policies_graph/descriptions_generator.pickle" in result.out


def test_show_prints_rows_where_the_policy_has_items(cli: Cli, real_data: Path) -> None:
    result = cli("show", "intellagent/airline", "1", "--data-dir", real_data, "--judge-prompt", "policy_violations")
    assert result.code == 0
    assert "database.reservations.rows[0]" in result.out
    assert '"created_at":"2024-05-02T03:10:19"' in result.out


def test_check_reports_the_event_and_the_policy(cli: Cli, tmp_path: Path) -> None:
    broken = fields(2)
    broken["database"].pop("tickets")
    run = write_run(tmp_path, fields(1), broken, today=TODAY)
    result = cli("check", run, "--format", "json")
    assert result.code == 0
    found = {(one["rule"], one["task_id"]) for one in json.loads(result.out)["findings"]}
    assert {("event-table-missing", "2"), ("policy-differs-from-generation", None)} <= found
    assert not [gap for gap in json.loads(result.out)["unchecked"] if "--db" in gap["reason"]]


def test_score_runs_offline_and_writes_a_report(cli: Cli, tmp_path: Path) -> None:
    run = write_run(tmp_path, *(fields(number) for number in range(1, 25)))
    result = cli("score", run, "--report", tmp_path / "report.html")
    assert result.code == 0
    assert "24 of 24 tasks" in " ".join(result.out.split())
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "workflow" in page


def test_a_hostile_pickle_is_one_line_and_code_2(cli: Cli, tmp_path: Path) -> None:
    run = write_run(tmp_path)
    put(run / "datasets" / f"{DATASET}.pickle", b"cposix\nsystem\n(S'touch touched'\ntR.")
    for command in (("show", run, "1"), ("check", run), ("score", run)):
        result = cli(*command)
        assert (result.code, result.out) == (2, "")
        assert result.err.count("\n") == 1
        assert "posix.system" in result.err
    assert not (tmp_path / "touched").exists()
