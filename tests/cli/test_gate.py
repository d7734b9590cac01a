"""``bench-audit gate``, from the command line to its exit code."""

from __future__ import annotations

import json
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, Result
from tests.cli.test_score import copy_sample
from tests.servers.outcomes import Outcome, quota, server_error
from tests.servers.vendors import VendorServer, well_behaved

Judge = Callable[[Outcome], str]
SAMPLE = "sample/library"
STRICT = "[gate.severity.error]\nfail_above = 0\n"
LAX = "[gate.severity.error]\nfail_above = 1000\n"
ALIGNED = "[gate.metric.desc_alignment]\nfail_below = 6\n"
TODAY = ("--today", "2027-03-01")


def write(text: str, *, name: str = "bench-audit.toml") -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def first_line(result: Result) -> str:
    return result.out.splitlines()[0]


def test_without_a_judge_the_checks_and_the_offline_scorer_decide(cli: Cli) -> None:
    write(STRICT + "[gate.metric.offline_match]\nfail_below = 0.5\n")
    result = cli("gate", SAMPLE)
    assert result.code == 1
    assert first_line(result).startswith("FAIL: sample/library")
    assert "PASS        metric offline_match" in result.out
    assert "[offline (heuristic)]" in result.out
    assert result.err == "Gate: fail\n"


def test_a_gate_that_passes_exits_with_0_and_shows_its_warnings(cli: Cli) -> None:
    write("[gate.severity.error]\nwarn_above = 0\n")
    result = cli("gate", SAMPLE)
    assert result.code == 0
    assert first_line(result).startswith("WARN")


def test_the_settings_file_can_be_named_before_and_after_the_command(cli: Cli) -> None:
    write(STRICT)
    other = write(LAX, name="other.toml")
    assert cli("gate", SAMPLE).code == 1
    assert cli("gate", SAMPLE, "--config", other).code == 0
    assert cli("--config", other, "gate", SAMPLE).code == 0


def test_flags_of_the_command_can_stand_in_its_table_and_the_command_line_wins(cli: Cli) -> None:
    write(f'[gate]\ntasks = ["lib_01,lib_02"]\nformat_name = "json"\n{LAX}')
    assert len(cli("gate", SAMPLE).json["check"]["tasks"]) == 2
    assert len(cli("gate", SAMPLE, "--tasks", "lib_01").json["check"]["tasks"]) == 1
    other = write(f"[gate]\nlimit = 5\n{LAX}", name="other.toml")
    assert "5 tasks" in cli("gate", SAMPLE, "--config", other).out


@pytest.mark.parametrize("format_name", ["text", "json", "junit", "markdown", "sarif"])
def test_every_format_is_written_whole_to_a_file(cli: Cli, format_name: str) -> None:
    write(STRICT)
    result = cli("gate", SAMPLE, "--format", format_name, "--output", "out/gate")
    assert (result.code, result.out) == (1, "")
    text = Path("out/gate").read_text(encoding="utf-8")
    if format_name in ("json", "sarif"):
        assert json.loads(text)
    elif format_name == "junit":
        assert ET.fromstring(text).get("failures") == "1"
    else:
        assert "FAIL" in text.splitlines()[0]


def test_a_judged_metric_is_held_by_its_interval(cli: Cli, judge: Judge) -> None:
    write(LAX + ALIGNED)
    result = cli("gate", SAMPLE, "--judge", judge(well_behaved(6)), "--limit", 4, "--quiet")
    assert result.code == 0
    assert "lower end of its interval 6; fails below 6" in result.out
    write(LAX + ALIGNED.replace("6", "6.01"))
    result = cli("gate", SAMPLE, "--judge", judge(well_behaved(6)), "--limit", 4, "--quiet")
    assert result.code == 1


def test_low_scores_are_findings_that_count(cli: Cli, judge: Judge) -> None:
    write("[gate.rule.judged-desc-alignment]\nfail_above = 3\n")
    name = judge(well_behaved(2))
    assert cli("gate", SAMPLE, "--judge", name, "--limit", 3).code == 0
    assert cli("gate", SAMPLE, "--judge", name, "--limit", 4).code == 1


def test_missing_verdicts_are_no_pass(cli: Cli, judge: Judge) -> None:
    write(LAX)
    flags = ("--limit", 2, "--retries", 0, "--metric", "desc_alignment")
    result = cli("gate", SAMPLE, "--judge", judge(server_error()), *flags)
    assert result.code == 3
    assert first_line(result).startswith("INCOMPLETE")
    assert "2 of 2 verdicts are missing" in result.out


def test_a_judge_that_is_stopped_is_no_pass_unless_the_gate_fails_anyway(cli: Cli, judge: Judge) -> None:
    flags = ("--judge", judge(quota()), "--retries", 0, "--metric", "desc_alignment")
    write(ALIGNED)
    assert cli("gate", SAMPLE, *flags).code == 3
    write(ALIGNED + STRICT)
    result = cli("gate", SAMPLE, *flags)
    assert result.code == 1
    assert "INCOMPLETE  metric desc_alignment" in result.out


def test_a_second_gate_asks_nothing_again(cli: Cli, judge: Judge, server: VendorServer) -> None:
    write(LAX + ALIGNED)
    arguments = ("gate", SAMPLE, "--judge", judge(well_behaved()), "--limit", 3)
    cli(*arguments)
    asked = len(server.requests)
    assert cli(*arguments).code == 0
    assert len(server.requests) == asked == 9


def test_a_dry_run_counts_and_sends_nothing(cli: Cli, judge: Judge, server: VendorServer) -> None:
    write(ALIGNED)
    arguments = ("gate", SAMPLE, "--judge", judge(well_behaved()), "--limit", 3, "--dry-run")
    assert "9" in cli(*arguments).out
    assert cli(*arguments, "--format", "json").json["judges"][0]["to_ask"] == 9
    assert not server.requests


def test_an_undefined_metric_fails_with_its_reason(cli: Cli, judge: Judge) -> None:
    write("[gate.metric.violation_count]\nfail_below = 0\n")
    flags = ("--judge", judge(well_behaved()), "--policy-items", "none", "--limit", 2)
    result = cli("gate", SAMPLE, *flags)
    assert result.code == 1
    assert "it is undefined" in result.out


def test_a_subset_has_thresholds_of_its_own(cli: Cli) -> None:
    errors = [each["task_id"] for each in check(cli) if each["severity"] == "error"]
    train = "[[gate.subset]]\nsplit = 'train'\nseverity.error.fail_above = 0\nmetric.offline_match.fail_below = 0.1\n"
    write(LAX + train)
    result = cli("gate", SAMPLE, "--format", "json")
    held = [each for each in result.json["criteria"] if each["subset"] == {"kind": "split", "name": "train"}]
    splits = json.loads((copy_sample(Path("copy")) / "split_tasks.json").read_text())
    assert held[0]["number"] == sum(task_id in splits["train"] for task_id in errors)
    assert held[1]["number"] != next(
        each["number"] for each in cli("gate", SAMPLE, "--format", "json", "--config", overall()).json["criteria"]
    )


def overall() -> str:
    return write("[gate.metric.offline_match]\nfail_below = 0.1\n", name="overall.toml")


def check(cli: Cli) -> list[dict[str, str]]:
    found: list[dict[str, str]] = cli("check", SAMPLE, "--format", "json").json["findings"]
    return found


def filled(text: str, **changes: str) -> str:
    for key, value in {"reason": "Planted.", "owner": "ada", **changes}.items():
        text = "\n".join(f'{key} = "{value}"' if line.startswith(f"{key} =") else line for line in text.splitlines())
    return f"{text}\n"


def printed(cli: Cli, benchmark: object, name: str) -> str:
    result = cli("gate", benchmark, "--print-waiver", name, *TODAY)
    assert result.code == 0
    return result.out


def test_a_printed_waiver_waives_until_it_expires_or_the_task_is_edited(cli: Cli, tmp_path: Path) -> None:
    mine = copy_sample(tmp_path / "mine")
    write("[gate.rule.gold-unknown-id]\nfail_above = 0\n")
    assert cli("gate", mine).code == 1
    lines = filled(printed(cli, mine, "gold-unknown-id:lib_06"))
    write(f"[gate.rule.gold-unknown-id]\nfail_above = 0\n{lines}")

    waived = cli("gate", mine, *TODAY)
    assert waived.code == 0
    assert "(ada: Planted.)" in waived.out
    expires = tomllib.loads(lines)["gate"]["waiver"][0]["expires"]
    assert cli("gate", mine, "--today", expires).code == 0
    expired = cli("gate", mine, "--today", expires.replace(year=expires.year + 1))
    assert expired.code == 1
    assert "expired" in expired.out

    tasks = json.loads((mine / "tasks.json").read_text())
    edited = next(task for task in tasks if task["id"] == "lib_06")
    edited["user_scenario"]["instructions"]["reason_for_call"] += " Please."
    (mine / "tasks.json").write_text(json.dumps(tasks))
    reopened = cli("gate", mine, *TODAY)
    assert reopened.code == 1
    assert "re-opened" in reopened.out
    assert "content = " in reopened.out


def test_a_printed_waiver_is_refused_until_reason_and_owner_are_filled_in(cli: Cli) -> None:
    lines = printed(cli, SAMPLE, "gold-unknown-id:lib_06")
    write(LAX + lines)
    refused = cli("gate", SAMPLE)
    assert refused.code == 2
    assert "empty reason" in refused.err


def test_a_finding_of_the_whole_set_can_be_waived(cli: Cli) -> None:
    whole = next(each["rule"] for each in check(cli) if each["task_id"] is None)
    write(f"[gate.rule.{whole}]\nfail_above = 0\n")
    assert cli("gate", SAMPLE).code == 1
    write(f"[gate.rule.{whole}]\nfail_above = 0\n{filled(printed(cli, SAMPLE, whole))}")
    assert "task =" not in printed(cli, SAMPLE, whole)
    assert cli("gate", SAMPLE, *TODAY).code == 0


def test_an_unused_waiver_warns(cli: Cli) -> None:
    lines = filled(printed(cli, SAMPLE, "gold-unknown-id:lib_06"), task="lib_07")
    write(LAX + lines)
    result = cli("gate", SAMPLE, *TODAY)
    assert result.code == 0
    assert first_line(result).startswith("WARN")
    assert "nothing to waive" in result.out


@pytest.mark.parametrize("command", ["gate", "check"])
def test_with_a_baseline_only_new_findings_fail(cli: Cli, tmp_path: Path, command: str) -> None:
    mine = copy_sample(tmp_path / "mine")
    write(STRICT)
    cli(command, mine, "--format", "json", "--output", "old.json")
    failing = cli("gate", mine, "--format", "json")
    n_old = failing.json["criteria"][0]["number"]
    assert (failing.code, n_old > 3) == (1, True)
    known = cli("gate", mine, "--baseline", "old.json")
    assert known.code == 0
    assert f"0 found, {n_old} known" in known.out

    tasks = json.loads((mine / "tasks.json").read_text())
    arguments = next(task for task in tasks if task["id"] == "lib_01")["evaluation_criteria"]["actions"][1]["arguments"]
    arguments["record_id"] = "FE0000"
    (mine / "tasks.json").write_text(json.dumps(tasks))
    new = cli("gate", mine, "--baseline", "old.json")
    assert new.code == 1
    assert "FE0000" in new.out
    assert f"1 found, {n_old} known" in new.out


def test_with_a_baseline_only_a_real_drop_fails(cli: Cli, server: VendorServer) -> None:
    write(LAX + "[gate.metric.desc_alignment]\nfail_below = 7\n")
    judge = ("--judge", server.judge(), "--limit", 6, "--metric", "desc_alignment", "--fresh")
    server.always(well_behaved(6))
    cli("gate", SAMPLE, *judge, "--format", "json", "--output", "old.json")
    same = cli("gate", SAMPLE, *judge, "--baseline", "old.json")
    assert same.code == 0
    assert "no real drop" in same.out
    server.always(well_behaved(5))
    dropped = cli("gate", SAMPLE, *judge, "--baseline", "old.json")
    assert dropped.code == 1
    assert "-1 since the baseline" in dropped.out


def test_a_baseline_of_another_judge_leaves_the_thresholds(cli: Cli, server: VendorServer) -> None:
    write(LAX + ALIGNED)
    flags = ("--limit", 3, "--metric", "desc_alignment")
    cli("score", SAMPLE, "--judge", server.judge(model="old"), *flags, "--format", "json", "--output", "old.json")
    result = cli("gate", SAMPLE, "--judge", server.judge(model="new"), *flags, "--baseline", "old.json")
    assert result.code == 0
    assert "the baseline can't be used (only NEW has this metric of this judge)" in result.out


def test_a_report_is_written_beside_the_result(cli: Cli) -> None:
    write(LAX)
    result = cli("gate", SAMPLE, "--report", "gate.html")
    assert "Report: gate.html" in result.err
    assert Path("gate.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        (None, (), ("no settings file", "--config")),
        (STRICT, ("--config", "absent.toml"), ("absent.toml", "can't be read")),
        ("[gate]\n", (), ("no thresholds",)),
        ("[score]\nlimit = 3\n", (), ("no thresholds",)),
        ("[gate.severity.errors]\nfail_above = 0\n", (), ("[gate.severity.errors]", "error")),
        ("[gate.severty.error]\nfail_above = 0\n", (), ("severty", "severity")),
        ("[gate]\nlimt = 3\n", (), ("limt", "limit")),
        ("gate = 3\n", (), ("'gate' is not a table",)),
        ("[gate.severity.error\n", (), ("is not TOML",)),
        (ALIGNED, (), ("desc_alignment needs a judge", "--judge")),
        (ALIGNED, ("--judge", "scripted:seeded", "--metric", "policy_alignment"), ("desc_alignment", "--metric")),
        (STRICT, ("--baseline", "absent.json"), ("absent.json", "no such saved run")),
        (STRICT, ("--baseline", "bench-audit.toml"), ("bench-audit.toml", "no saved run")),
        (STRICT, ("--today", "soon"), ("--today",)),
        (STRICT, ("--output", "."), ("folder",)),
        (STRICT, ("--print-waiver", "gold-unknown:1"), ("gold-unknown-id",)),
        (STRICT, ("--print-waiver", "gold-unknown-id:lib_66"), ("lib_66",)),
        (STRICT, ("--print-waiver", "gold-unknown-id:lib_01"), ("finds nothing in task 'lib_01'",)),
        (STRICT, ("--print-waiver", "gold-unknown-id"), ("finds nothing", "RULE:TASK")),
        ("[[gate.subset]]\nsplit = 'dev'\nseverity.error.fail_above = 0\n", (), ("no split dev",)),
        ("[[gate.subset]]\ntag = 'dev'\nseverity.error.fail_above = 0\n", (), ("no tag dev",)),
    ],
)
def test_a_broken_setting_or_flag_is_one_clear_line_and_exit_code_2(
    cli: Cli, text: str | None, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    if text is not None:
        write(text)
    result = cli("gate", SAMPLE, *arguments)
    assert result.code == 2
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert all(word in result.err for word in words), result.err


def test_a_waiver_of_a_judged_rule_can_be_printed_without_a_judge(cli: Cli) -> None:
    assert 'rule = "judged-desc-alignment"' in printed(cli, SAMPLE, "judged-desc-alignment:lib_01")


def test_hostile_text_in_a_waiver_is_shown_as_text(cli: Cli) -> None:
    lines = filled(printed(cli, SAMPLE, "gold-unknown-id:lib_06"), reason="\\u001b[2J \\u202e | <b>")
    write(LAX + lines)
    for format_name in ("text", "json", "junit", "markdown", "sarif"):
        result = cli("gate", SAMPLE, "--format", format_name, *TODAY)
        assert result.code == 0
        assert not set(result.out) & {"\x1b", "\u202e"}


def test_real_benchmarks_pass_through_the_gate(cli: Cli, real_data: Path) -> None:
    test = "[[gate.subset]]\nsplit = 'test'\nseverity.error.fail_above = 0\n"
    write(f"{STRICT}[gate.metric.offline_match]\nfail_below = 0.5\n{test}")
    result = cli("gate", "tau3/airline", "--data-dir", real_data, "--format", "json")
    document = result.json
    assert document["level"] in ("pass", "fail")
    assert result.code == (0 if document["level"] == "pass" else 1)
    assert cli("gate", "tau3/airline", "--data-dir", real_data, "--baseline", "x.json").code == 2
