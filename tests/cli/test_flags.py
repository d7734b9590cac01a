from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.servers.outcomes import Outcome, refuse
from tests.servers.vendors import well_behaved

SAMPLE = "sample/library"
Judge = Callable[[Outcome], str]
QUICK = ("--limit", 2, "--metric", "desc_alignment")


@pytest.mark.parametrize("command", [(), ("policy",)])
def test_without_a_command_the_help_is_shown_and_is_no_error_line(cli: Cli, command: tuple[str, ...]) -> None:
    result = cli(*command)
    assert result.code == 2
    assert result.err.startswith("Usage: bench-audit")
    assert "Error" not in result.err


@pytest.mark.parametrize(
    ("command", "flag"),
    [
        *(("score", flag) for flag in ("--metric", "--tasks", "--behavior", "--api-key-env")),
        *(("check", flag) for flag in ("--tasks", "--rule", "--skip")),
        *(("gate", flag) for flag in ("--metric", "--tasks", "--behavior", "--api-key-env")),
        *(("compare", flag) for flag in ("--metric", "--tasks", "--behavior", "--api-key-env")),
        *(("export", flag) for flag in ("--tasks", "--api-key-env")),
        *(("show", flag) for flag in ("--judge-prompt", "--behavior")),
        ("selftest", "--api-key-env"),
    ],
)
def test_a_list_that_names_nothing_does_not_come_to_mean_everything(
    cli: Cli, tmp_path: Path, command: str, flag: str
) -> None:
    places = {
        "selftest": (),
        "compare": (SAMPLE, SAMPLE),
        "show": (SAMPLE, "lib_01"),
        "export": (SAMPLE, "--keep", "severity<error", "--out", tmp_path / "out"),
    }
    result = cli(command, *places.get(command, (SAMPLE,)), flag, " , ")
    assert result.code == 2
    assert result.err == f"Error: {flag}: a list names nothing. Leave the flag out, or name something.\n"


def test_a_question_ends_in_no_full_stop(cli: Cli, tmp_path: Path) -> None:
    assert "Did you mean '--dry-run'? See" in cli("score", SAMPLE, "--dry-rum").err
    (tmp_path / "bench-audit.toml").write_text("[score]\ntrails = 2\n")
    assert cli("score", SAMPLE).err.endswith("Did you mean 'trials'?\n")


def test_a_dash_as_the_output_is_stdout(cli: Cli, tmp_path: Path) -> None:
    assert cli("score", SAMPLE, "--output", "-", "--format", "csv").out.startswith("task_id,")
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize(
    ("flags", "both"),
    [
        (("--output", "x", "--report", "./x"), "--output and --report"),
        (("--store", "x", "--report", "x"), "--report and --store"),
    ],
)
def test_two_results_in_one_file_are_refused_before_anything_is_asked(
    cli: Cli, tmp_path: Path, flags: tuple[str, ...], both: str
) -> None:
    result = cli("score", SAMPLE, *flags)
    assert result.code == 2
    assert f"{both} name the same file" in result.err
    assert not (tmp_path / "x").exists()


def test_a_device_may_take_several_results(cli: Cli) -> None:
    assert cli("score", SAMPLE, "--output", "/dev/null", "--report", "/dev/null").code == 0


def test_a_judges_metric_without_a_judge_is_a_forgotten_flag(cli: Cli) -> None:
    result = cli("score", SAMPLE, "--metric", "policy_alignment")
    assert (result.code, result.err) == (
        2,
        "Error: --metric: policy_alignment needs a judge. Add --judge VENDOR:MODEL.\n",
    )
    assert cli("score", SAMPLE, "--metric", "policy_alignment,offline_match").code == 0


def test_a_data_folder_that_is_not_there_is_told_by_list_too(cli: Cli) -> None:
    result = cli("list", "--data-dir", "absent")
    assert result.code == 2
    assert "absent: the data folder does not exist. Check --data-dir, or BENCH_AUDIT_DATA." in result.err


def test_the_examples_of_show_name_a_task_that_exists(cli: Cli) -> None:
    (example,) = re.findall(rf"bench-audit show {SAMPLE} (\S+)", cli("show", "--help").out)
    assert cli("show", SAMPLE, example).code == 0


def test_each_call_is_logged_when_asked_for(cli: Cli, judge: Judge, caplog: pytest.LogCaptureFixture) -> None:
    name = judge(well_behaved())
    with caplog.at_level("DEBUG", logger="audit"):
        cli("-vv", "score", SAMPLE, "--judge", name, *QUICK)
    lines = [record.getMessage() for record in caplog.records if "tokens in" in record.getMessage()]
    assert len(lines) == 2
    assert lines[0].startswith(f"{name} desc_alignment task lib_01 trial 0: ok, prompt ")


def test_a_dry_run_writes_thousands_apart(cli: Cli, judge: Judge) -> None:
    table = cli("score", SAMPLE, "--judge", judge(well_behaved()), "--dry-run").out.splitlines()
    assert re.search(r" \d{3},\d{3} ", table[1])
    assert max(map(len, table)) <= 120


def test_scripted_replies_are_said_to_cost_nothing(cli: Cli) -> None:
    assert "Cost nothing: the replies were scripted;" in cli("score", SAMPLE, "--judge", "scripted:seeded", *QUICK).out


def test_a_scripted_judge_without_a_script_is_shown_one(cli: Cli) -> None:
    assert "Write scripted:MODEL, for example scripted:constant-7." in cli("score", SAMPLE, "--judge", "scripted:").err
    assert "Write google:MODEL." in cli("score", SAMPLE, "--judge", "google:").err


def test_why_verdicts_are_missing_is_told_once_for_each_cause(cli: Cli, judge: Judge) -> None:
    lines = cli("score", SAMPLE, "--judge", judge(refuse()), *QUICK).out.splitlines()
    assert [line for line in lines if line.startswith("  2 refused: ")]


@pytest.mark.parametrize(
    "settings",
    [
        'judge = "scripted:constant-7"\nformat = "csv"\nmetric = ["desc_alignment"]\ntimeout = 5',
        'judge = ["scripted:constant-7"]\nformat = "csv"\nmetric = "desc_alignment"\nretries = 0',
        'judges = ["scripted:constant-7"]\nformat = "csv"\nmetric = "desc_alignment"\napi-key-env = []',
    ],
)
def test_settings_are_named_as_the_flags_are(cli: Cli, tmp_path: Path, settings: str) -> None:
    (tmp_path / "bench-audit.toml").write_text(f"[score]\nlimit = 1\n{settings}\n")
    result = cli("score", SAMPLE)
    assert result.code == 0, result.err
    header, row = result.out.splitlines()
    assert header.startswith("task_id,desc_alignment scripted:constant-7")
    assert row.startswith("lib_01,7.0,ok")


def test_a_family_of_commands_has_a_table_for_each(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bench-audit.toml").write_text('[policy.items]\nformat = "csv"\n')
    assert cli("policy", "items", SAMPLE).out.startswith("id,kind,title")
    (tmp_path / "bench-audit.toml").write_text("[policy.item]\n")
    assert "unknown table [policy.item]. Did you mean 'items'?" in cli("policy", "items", SAMPLE).err


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bench-audit.toml").write_text('[score]\nlimit = 1\nformat = "csv"\n')
    assert len(cli("score", SAMPLE).out.splitlines()) == 1 + 1
    monkeypatch.setenv("BENCH_AUDIT_SCORE_LIMIT", "2")
    assert len(cli("score", SAMPLE).out.splitlines()) == 1 + 2
    assert len(cli("score", SAMPLE, "--limit", 3).out.splitlines()) == 1 + 3


def test_variables_are_named_as_the_flags_are(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {
        "BENCH_AUDIT_SCORE_JUDGE": "scripted:constant-7 scripted:constant-8",
        "BENCH_AUDIT_SCORE_FORMAT": "csv",
        "BENCH_AUDIT_SCORE_LIMIT": "1",
        "BENCH_AUDIT_POLICY_ITEMS_FORMAT": "csv",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert ",7.0,ok,8.0,ok," in cli("score", SAMPLE).out
    assert cli("policy", "items", SAMPLE).out.startswith("id,kind,title")
