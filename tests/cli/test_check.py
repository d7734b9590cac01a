"""``bench-audit check``, from the command line to the files that it writes."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from audit.checks.judged import JUDGED_RULES
from audit.checks.registry import RULES
from audit.cli.check import FORMATS
from tests.cli.conftest import Cli
from tests.cli.test_score import copy_sample

SAMPLE = "sample/library"
RULE = "gold-unknown-id"


def test_the_sample_is_checked_without_a_key_and_findings_alone_fail_nothing(cli: Cli) -> None:
    result = cli("check", SAMPLE)
    assert result.code == 0
    assert result.err == ""
    assert f"{RULE} [proved]" in result.out
    assert "Not checked" in result.out


@pytest.mark.parametrize(("severity", "code"), [("error", 1), ("warning", 1), ("note", 1)])
def test_fail_on_a_severity_exits_with_1_and_says_why(cli: Cli, severity: str, code: int) -> None:
    result = cli("check", SAMPLE, "--fail-on", severity)
    assert result.code == code
    assert "Failed:" in result.err
    assert f"--fail-on {severity}" in result.err


def test_fail_on_passes_when_nothing_is_grave_enough(cli: Cli) -> None:
    result = cli("check", SAMPLE, "--rule", "gold-unstated-choice", "--fail-on", "warning")
    assert (result.code, result.err) == (0, "")


def test_only_the_named_rules_are_looked_for(cli: Cli) -> None:
    document = cli("check", SAMPLE, "--rule", f"{RULE},gold-foreign-row", "--format", "json").json
    assert {rule["id"] for rule in document["rules"]} == {RULE, "gold-foreign-row"}
    assert {found["rule"] for found in document["findings"]} == {RULE, "gold-foreign-row"}


def test_skipped_rules_find_nothing_and_are_named(cli: Cli) -> None:
    document = cli("check", SAMPLE, "--skip", RULE, "--format", "json").json
    assert RULE not in {found["rule"] for found in document["findings"]}
    assert [RULE] in [gap["rules"] for gap in document["unchecked"]]


def test_only_the_chosen_tasks_are_checked(cli: Cli) -> None:
    document = cli("check", SAMPLE, "--tasks", "lib_06,lib_01", "--format", "json").json
    assert {found["task_id"] for found in document["findings"]} - {None} == {"lib_06"}
    assert document["benchmark"]["n_tasks"] == 2
    assert any("40 of the 42 tasks" in gap["what"] for gap in document["unchecked"])


def test_without_an_environment_nothing_is_replayed_and_it_says_so(cli: Cli) -> None:
    document = cli("check", SAMPLE, "--environment", "none", "--format", "json").json
    assert document["environment"] is None
    assert any(gap["reason"] == "--environment none" for gap in document["unchecked"])


def test_an_environment_can_be_named(cli: Cli) -> None:
    document = cli("check", SAMPLE, "--environment", "sample-library", "--format", "json").json
    assert document["environment"] == "sample-library"


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_format_can_be_written_to_a_file(cli: Cli, format_name: str, tmp_path: Path) -> None:
    result = cli("check", SAMPLE, "--format", format_name, "--output", "out/findings")
    assert (result.code, result.out) == (0, "")
    assert RULE in (tmp_path / "out" / "findings").read_text()


def test_lines_and_paths_lead_to_the_place_itself(cli: Cli, tmp_path: Path) -> None:
    copy_sample(tmp_path / "mine")
    document = cli("check", "mine", "--rule", RULE, "--format", "json").json
    (found,) = document["findings"]
    assert found["path"] == "mine/tasks.json"
    line = (tmp_path / found["path"]).read_text().splitlines()[found["line"] - 1]
    assert found["evidence"][2]["value"] in line


def test_the_fingerprint_survives_another_order_of_tasks(cli: Cli, tmp_path: Path) -> None:
    folder = copy_sample(tmp_path / "mine")
    arguments = ("check", "mine", "--format", "json", "--rule", ",".join((RULE, "gold-foreign-row")))
    before = {found["fingerprint"] for found in cli(*arguments).json["findings"]}
    tasks = json.loads((folder / "tasks.json").read_text())
    (folder / "tasks.json").write_text(json.dumps(tasks[::-1]))
    assert {found["fingerprint"] for found in cli(*arguments).json["findings"]} == before


def test_the_same_benchmark_gives_the_same_bytes(cli: Cli) -> None:
    assert cli("check", SAMPLE, "--format", "sarif").out == cli("check", SAMPLE, "--format", "sarif").out


def test_junit_fails_on_what_fail_on_says(cli: Cli) -> None:
    arguments = ("check", SAMPLE, "--rule", "gold-unstated-choice", "--format", "junit")
    assert ET.fromstring(cli(*arguments).out).attrib["failures"] == "0"
    assert ET.fromstring(cli(*arguments, "--fail-on", "note").out).attrib["failures"] != "0"


def test_own_policy_rules_take_the_place_of_those_that_ship(cli: Cli, tmp_path: Path) -> None:
    rules = {
        "policy": "mine",
        "rules": [
            {
                "id": "no-holds",
                "item": "L01",
                "on": ["cancel_hold"],
                "require": {"equal": [1, 2]},
                "says": "No hold is cancelled.",
            }
        ],
    }
    (tmp_path / "rules.json").write_text(json.dumps(rules))
    document = cli("check", SAMPLE, "--policy-rules", "rules.json", "--format", "json").json
    broken = [found for found in document["findings"] if found["rule"].startswith("gold-breaks-policy")]
    assert broken
    assert all("No hold is cancelled" in found["what"] for found in broken)


def test_a_rule_is_explained_without_a_benchmark(cli: Cli) -> None:
    result = cli("check", "--explain", RULE)
    assert result.code == 0
    assert RULES[RULE].explanation in result.out


def test_every_rule_is_listed_without_a_benchmark(cli: Cli) -> None:
    named = {line.split()[0] for line in cli("check", "--rules").out.splitlines()}
    assert named == set(RULES) | {rule.id for rule in JUDGED_RULES.values()}
    listed = cli("check", "--rules", "--format", "json").json["rules"]
    assert {rule["id"] for rule in listed} == named


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ("no benchmark",)),
        ((SAMPLE, "--rule", "gold-unknown-i"), ("gold-unknown-id",)),
        ((SAMPLE, "--skip", "nothing-like-it"), ("--rules",)),
        ((SAMPLE, "--rule", RULE, "--skip", RULE), ("no rule is left",)),
        (("--explain", "gold-unknown"), ("--explain", "gold-unknown-id")),
        (("--rules", "--format", "sarif"), ("text or json",)),
        ((SAMPLE, "--environment", "moon"), ("moon",)),
        ((SAMPLE, "--policy-rules", "absent.json"), ("absent.json",)),
        ((SAMPLE, "--fail-on", "fatal"), ("fatal",)),
        ((SAMPLE, "--output", "."), ("folder",)),
        ((SAMPLE, "--tasks", "lib_99"), ("lib_99",)),
        (("nothing/at-all",), ("nothing",)),
    ],
)
def test_a_bad_flag_is_one_clear_line_and_exit_code_2(
    cli: Cli, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    result = cli("check", *arguments)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert all(word in result.err for word in words), result.err


def test_text_of_a_benchmark_cannot_steer_the_terminal(cli: Cli, tmp_path: Path) -> None:
    folder = copy_sample(tmp_path / "mine")
    text = (folder / "tasks.json").read_text().replace("FE9417", "FE9417\\u001b[31m\\u202e")
    (folder / "tasks.json").write_text(text)
    out = cli("check", "mine").out
    assert "FE9417" in out
    assert "\x1b" not in out
    assert "\u202e" not in out


@pytest.mark.parametrize("name", ["airline", "retail", "mock"])
def test_real_benchmarks_are_checked_in_every_format(cli: Cli, real_data: Path, name: str) -> None:
    document = cli("check", f"tau3/{name}", "--data-dir", real_data, "--format", "json").json
    assert document["environment"] == f"tau-{name}"
    assert all(found["line"] for found in document["findings"] if found["file"].endswith(".json"))
    assert len({found["fingerprint"] for found in document["findings"]}) == len(document["findings"])
