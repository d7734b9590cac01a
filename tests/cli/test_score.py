"""``bench-audit score``, from the command line to the files that it writes."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit.reports.registry import RENDERERS
from tests.cli.conftest import Cli
from tests.servers.outcomes import (
    Outcome,
    bad_key,
    empty,
    filtered,
    html,
    no_model,
    quota,
    rate_limited,
    refuse,
    say,
    say_fenced,
    say_json,
    server_error,
    truncated,
)
from tests.servers.vendors import VendorServer, well_behaved

Judge = Callable[[Outcome], str]
SAMPLE = "sample/library"


def states(document: Any) -> dict[str, int]:  # noqa: ANN401  # any JSON
    found: dict[str, int] = {}
    for verdict in document["verdicts"]:
        found[verdict["state"]] = found.get(verdict["state"], 0) + 1
    return found


def scores(document: Any, metric: str) -> list[Any]:  # noqa: ANN401  # any JSON
    return [score for score in document["scores"] if score["metric"] == metric]


def test_without_a_judge_the_offline_scorer_answers_and_says_that_it_is_a_heuristic(cli: Cli) -> None:
    result = cli("score", SAMPLE)
    assert result.code == 0
    assert "offline (heuristic)" in result.out
    assert "needs a judge" in result.out
    assert "reads no policy" in result.out


def test_a_second_offline_run_finds_every_verdict_stored(cli: Cli) -> None:
    first = cli("score", SAMPLE, "--format", "json").json
    second = cli("score", SAMPLE, "--format", "json").json
    assert first["tally"]["stored"] == 0
    assert second["tally"]["stored"] == second["tally"]["planned"] == first["tally"]["planned"] > 30
    assert scores(first, "offline_match") == scores(second, "offline_match")


def test_an_offline_verdict_that_was_put_under_another_task_is_computed_again(cli: Cli, tmp_path: Path) -> None:
    first = cli("score", SAMPLE, "--format", "json", "--store", "s.db").json
    with contextlib.closing(sqlite3.connect(tmp_path / "s.db")) as connection, connection:
        connection.execute("UPDATE verdicts SET task_id = 'no-such-task', score = 0.123")
    second = cli("score", SAMPLE, "--format", "json", "--store", "s.db").json
    assert second["tally"]["stored"] == 0
    assert scores(first, "offline_match") == scores(second, "offline_match")


def test_the_offline_score_of_a_task_is_the_same_under_a_limit(cli: Cli) -> None:
    whole = cli("score", SAMPLE, "--format", "json").json
    few = cli("score", SAMPLE, "--limit", 3, "--format", "json").json
    by_task = {verdict["task_id"]: verdict["score"] for verdict in whole["verdicts"]}
    assert len(few["verdicts"]) == 3
    assert all(by_task[verdict["task_id"]] == verdict["score"] for verdict in few["verdicts"])


def test_a_judge_is_asked_once_and_never_again(cli: Cli, judge: Judge, server: VendorServer) -> None:
    name = judge(well_behaved())
    first = cli("score", SAMPLE, "--judge", name, "--limit", 4, "--format", "json")
    asked = len(server.requests)
    second = cli("score", SAMPLE, "--judge", name, "--limit", 4, "--format", "json")
    assert (first.code, second.code) == (0, 0)
    assert asked == 12
    assert len(server.requests) == asked
    assert second.json["tally"]["stored"] == 12
    assert first.json["scores"] == second.json["scores"]


def test_fresh_asks_again(cli: Cli, judge: Judge, server: VendorServer) -> None:
    arguments = ("score", SAMPLE, "--judge", judge(well_behaved()), "--limit", 1, "--metric", "desc_alignment")
    cli(*arguments)
    cli(*arguments, "--fresh")
    assert len(server.requests) == 2


def test_more_trials_ask_only_the_further_ones(cli: Cli, judge: Judge, server: VendorServer) -> None:
    arguments = ("score", SAMPLE, "--judge", judge(well_behaved()), "--limit", 2, "--metric", "desc_alignment")
    cli(*arguments)
    cli(*arguments, "--trials", 3)
    assert len(server.requests) == 2 + 4


def test_an_edited_task_asks_only_its_own_calls_again(
    cli: Cli, judge: Judge, server: VendorServer, tmp_path: Path
) -> None:
    benchmark = copy_sample(tmp_path / "mine")
    arguments = ("score", benchmark, "--judge", judge(well_behaved()), "--limit", 5, "--metric", "desc_alignment")
    cli(*arguments)
    before = len(server.requests)
    tasks = json.loads((benchmark / "tasks.json").read_text())
    tasks[1]["user_scenario"]["instructions"]["reason_for_call"] += " Today, please."
    (benchmark / "tasks.json").write_text(json.dumps(tasks))
    cli(*arguments)
    assert (before, len(server.requests)) == (5, 6)


def copy_sample(folder: Path) -> Path:
    from audit.resources import resource  # noqa: PLC0415  # beside its only use

    folder.mkdir()
    for file in resource("benchmarks", "sample", "library").iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def test_a_dry_run_counts_and_sends_nothing(cli: Cli, judge: Judge, server: VendorServer) -> None:
    name = judge(well_behaved())
    result = cli("score", SAMPLE, "--judge", name, "--dry-run", "--trials", 2, "--format", "json")
    (plan,) = result.json["judges"]
    assert result.code == 0
    assert plan["to_ask"] == plan["planned"] == 42 * 3 * 2
    assert not server.requests


@pytest.mark.parametrize("format_name", ["text", "csv"])
def test_a_dry_run_prints_its_plan_in_every_format(cli: Cli, judge: Judge, format_name: str) -> None:
    result = cli("score", SAMPLE, "--judge", judge(well_behaved()), "--dry-run", "--format", format_name)
    assert "126" in result.out


def test_a_dry_run_without_a_judge_says_that_nothing_is_sent(cli: Cli) -> None:
    assert "sends nothing" in cli("score", SAMPLE, "--dry-run").out


@pytest.mark.parametrize(
    ("outcome", "state"),
    [
        (say("I would rather not say."), "malformed"),
        (say_json({"reasons": ["Fits."], "score": 11}), "malformed"),
        (say_json({"reasons": ["Fits."], "score": 0}), "malformed"),
        (say_json({"reasons": ["Fits."], "score": "7"}), "malformed"),
        (empty(), "empty"),
        (truncated(), "truncated"),
        (refuse(), "refused"),
        (filtered(), "filtered"),
        (server_error(), "server"),
        (rate_limited(), "rate_limited"),
        (html(), "bad_response"),
    ],
)
def test_what_is_no_verdict_is_missing_with_its_reason(cli: Cli, judge: Judge, outcome: Outcome, state: str) -> None:
    flags = ("--limit", 3, "--metric", "desc_alignment", "--retries", 0, "--format", "json")
    result = cli("score", SAMPLE, "--judge", judge(outcome), *flags)
    document = result.json
    (score,) = scores(document, "desc_alignment")
    assert result.code == 3
    assert states(document) == {state: 3}
    assert score["value"] is None
    assert score["missing"] == {state: 3}
    assert document["tally"]["planned"] == document["tally"]["scored"] + document["tally"]["unscored"] == 3


def test_ids_that_do_not_exist_are_no_verdict(cli: Cli, judge: Judge) -> None:
    reply = {"requests": ["x"], "violations": [{"reason": "Because.", "item": "Z99"}]}
    flags = ("--limit", 2, "--metric", "violation_count", "--format", "json")
    result = cli("score", SAMPLE, "--judge", judge(say_json(reply)), *flags)
    assert states(result.json) == {"malformed": 2}


def test_fences_around_the_json_are_read(cli: Cli, judge: Judge) -> None:
    reply = {"reasons": ["It fits.", "All of it.", "Really."], "score": 7}
    flags = ("--limit", 2, "--metric", "desc_alignment", "--format", "json")
    assert states(cli("score", SAMPLE, "--judge", judge(say_fenced(reply)), *flags).json) == {"ok": 2}


def test_a_rate_limit_is_waited_for(cli: Cli, judge: Judge, server: VendorServer) -> None:
    name = judge(well_behaved())
    server.script([rate_limited("0.01"), server_error()])
    result = cli("score", SAMPLE, "--judge", name, "--limit", 1, "--metric", "desc_alignment", "--format", "json")
    assert (result.code, states(result.json), len(server.requests)) == (0, {"ok": 1}, 3)


@pytest.mark.parametrize(("outcome", "word"), [(quota(), "quota"), (bad_key(), "key"), (no_model(), "model")])
def test_quota_key_and_model_stop_the_judge_with_one_line(cli: Cli, judge: Judge, outcome: Outcome, word: str) -> None:
    flags = ("--metric", "desc_alignment", "--concurrency", 1, "--format", "json")
    result = cli("score", SAMPLE, "--judge", judge(outcome), *flags)
    (stop,) = result.json["stops"]
    assert result.code == 3
    assert word in stop["message"]
    assert states(result.json)["not_asked"] == 41


def test_a_failing_judge_does_not_hold_up_the_others_and_the_next_run_asks_only_the_rest(
    cli: Cli, server: VendorServer
) -> None:
    failing = {"n": 0}

    def half(request: Any) -> Outcome:  # noqa: ANN401  # the server's own record
        if request.model != "shaky":
            return well_behaved()
        failing["n"] += 1
        return server_error() if failing["n"] % 2 else well_behaved()

    server.behave(half)
    judges = [flag for model in ("one", "two", "shaky") for flag in ("--judge", server.judge(model=model))]
    flags = ("--metric", "desc_alignment", "--retries", 0, "--concurrency", 1, "--format", "json")
    first = cli("score", SAMPLE, *judges, *flags)
    missing = states(first.json)["server"]
    assert first.code == 3
    assert 0 < missing <= 21
    server.always(well_behaved())
    server.requests.clear()
    second = cli("score", SAMPLE, *judges, *flags)
    assert (second.code, len(server.requests)) == (0, missing)


def test_a_panel_is_reported_side_by_side(cli: Cli, server: VendorServer) -> None:
    judges = [flag for model in ("one", "two") for flag in ("--judge", server.judge(model=model))]
    document = cli("score", SAMPLE, *judges, "--limit", 3, "--format", "json").json
    names = {score["judge"] for score in scores(document, "desc_alignment")}
    assert names == {server.judge(model="one"), server.judge(model="two")}
    assert document["panel"]["name"] == "panel (median of 2)"


def test_csv_has_a_row_a_task(cli: Cli) -> None:
    rows = list(csv.DictReader(io.StringIO(cli("score", SAMPLE, "--format", "csv").out)))
    assert len(rows) == 42


def test_a_report_and_an_output_file_are_written(cli: Cli, tmp_path: Path) -> None:
    result = cli("score", SAMPLE, "--report", "out/r.html", "--output", "out/r.json", "--format", "json")
    assert result.out == ""
    assert "out/r.html" in result.err
    assert (tmp_path / "out" / "r.html").read_text().startswith("<!doctype html>")
    assert json.loads((tmp_path / "out" / "r.json").read_text())["format"] == "bench-audit/run"


def test_the_store_is_where_the_user_said_and_is_named(cli: Cli, tmp_path: Path) -> None:
    result = cli("score", SAMPLE, "--store", tmp_path / "mine.db")
    assert (tmp_path / "mine.db").is_file()
    assert str(tmp_path / "mine.db") in result.err


def test_a_scripted_judge_is_labelled(cli: Cli) -> None:
    result = cli("score", SAMPLE, "--judge", "scripted:seeded", "--limit", 3)
    assert result.code == 0
    assert "not a real judge" in result.out


def test_every_format_of_the_command_is_rendered() -> None:
    assert set(RENDERERS) == {"text", "json", "csv", "html", "markdown"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("score", "tau3/airlin"), ("airlin", "airline")),
        (("score", "nothing/at-all"), ("nothing",)),
        (("score", "tau3/airline"), ("--data-dir",)),
        (("score", SAMPLE, "--metric", "desc_alignmen"), ("desc_alignment",)),
        (("score", SAMPLE, "--metric", "offline_match", "--judge", "scripted:seeded"), ("--judge",)),
        (("score", SAMPLE, "--behavior", "action"), ("actions",)),
        (("score", SAMPLE, "--judge", "opnai:x"), ("openai",)),
        (("score", SAMPLE, "--judge", "openai:gpt-5.4"), ("OPENAI_API_KEY",)),
        (("score", SAMPLE, "--judge", "scripted:seeded", "--judge", "scripted:seeded"), ("twice",)),
        (("score", SAMPLE, "--api-key-env", "nobody=X"), ("nobody",)),
        (("score", SAMPLE, "--tasks", "lib_99"), ("lib_99",)),
        (("score", SAMPLE, "--split", "dev"), ("dev",)),
        (("score", SAMPLE, "--trials", "0"), ("trials", "--help")),
        (("score", SAMPLE, "--nonsense"), ("nonsense",)),
        (("score", SAMPLE, "--store", "."), (".",)),
        (("score", SAMPLE, "--output", "."), ("folder",)),
        (("score", SAMPLE, "--report", "/proc/nothing/r.html"), ("/proc/nothing",)),
        (("score", SAMPLE, "--policy", "absent.md"), ("absent.md",)),
        (("scor",), ("scor",)),
    ],
)
def test_a_bad_flag_is_one_clear_line_and_exit_code_2(
    cli: Cli, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    result = cli(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert all(word in result.err for word in words), result.err


def test_a_changed_policy_document_is_an_error_and_can_be_audited_without_items(
    cli: Cli, real_data: Path, tmp_path: Path
) -> None:
    domain = tmp_path / "data" / "tau3" / "domains" / "airline"
    domain.mkdir(parents=True)
    for file in (real_data / "tau3" / "domains" / "airline").iterdir():
        (domain / file.name).symlink_to(file)
    text = (domain / "policy.md").read_text()
    (domain / "policy.md").unlink()
    (domain / "policy.md").write_text(text.replace("at most five passengers", "at most six passengers"))
    arguments = ("score", "tau3/airline", "--data-dir", tmp_path / "data")
    refused = cli(*arguments)
    assert refused.code == 2
    assert refused.err.count("\n") == 1
    assert "--policy-items none" in refused.err
    flags = ("--policy-items", "none", "--judge", "scripted:seeded", "--limit", 2, "--format", "json")
    document = cli(*arguments, *flags).json
    (count,) = scores(document, "violation_count")
    assert count["value"] is None
    assert count["reason"]


def test_real_benchmarks_are_scored_offline(cli: Cli, real_data: Path) -> None:
    for name, n_tasks, n_undefined in (("airline", 50, 0), ("retail", 114, 1)):  # one has no behavior but "no change"
        document = cli("score", f"tau3/{name}", "--data-dir", real_data, "--format", "json").json
        (score,) = scores(document, "offline_match")
        assert (score["n_used"], document["tally"]["undefined"]) == (n_tasks - n_undefined, n_undefined)
        assert score["trust"] == "offline (heuristic)"


def test_a_data_folder_can_come_from_the_environment(
    cli: Cli, real_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCH_AUDIT_DATA", str(real_data / "tau3"))
    result = cli("score", "tau3/mock", "--format", "json")
    assert result.code == 0
    assert "20" in result.json["verdicts"][0]["problem"]
