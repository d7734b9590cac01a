"""``bench-audit study stability`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import Cli
from tests.cli.test_study_sensitivity import SCHEMA, row, table
from tests.servers.http import Request
from tests.servers.outcomes import Outcome, say_json
from tests.servers.vendors import VendorServer

MIXED = "desc_alignment,violation_count"
SAMPLE = ("study", "stability", "sample/library", "--limit", "6", "-q", "--store", "v.sqlite3", "--concurrency", "1")


@pytest.fixture
def wavering(server: VendorServer) -> str:
    """A judge whose scores go up and down from one call on the same question to the next."""
    n_asked: dict[str, int] = {}

    def choose(request: Request) -> Outcome:
        if "violations" in json.dumps(request.schema):
            return say_json({"requests": ["A request."], "violations": []})
        n_asked[request.user] = n_asked.get(request.user, 0) + 1
        return say_json({"reasons": ["A reason."], "score": 8 if n_asked[request.user] % 2 else 5})

    server.behave(choose)
    return server.judge()


def test_answers_that_part_are_flips_with_spread_and_retest(cli: Cli, wavering: str, tmp_path: Path) -> None:
    done = cli(*SAMPLE, "--judge", wavering, "--metric", "desc_alignment", "--out", "out", "--format", "json")
    document = done.json
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    found = row(document, "stability", criterion="desc_alignment")

    assert (found["n_tasks"], found["n_trials"]) == (6, 3)
    assert found["flips"]["value"] == 1
    assert found["pairwise"]["value"] == pytest.approx(2 / 3)
    assert found["spread"]["value"] == pytest.approx(3**0.5)
    assert found["retest_move"]["value"] == 3
    assert found["retest_tau"]["reason"].startswith("constant ratings")
    assert {each["apart"] for each in table(document, "tasks")} == {3}
    assert (tmp_path / "out" / "answers-desc_alignment.svg").is_file()
    assert any("100.0% of 6 tasks flip over 3 trials" in sentence for sentence in document["summary"])


def test_the_use_of_the_scale_is_told_with_every_point(cli: Cli, wavering: str) -> None:
    document = cli(*SAMPLE, "--judge", wavering, "--trials", "2", "--metric", MIXED, "--format", "json").json
    found = row(document, "scale", criterion="desc_alignment")

    assert (found["minimum"], found["maximum"], found["n_distinct"], found["entropy"]) == (5, 8, 2, 1)
    counts = {each["answer"]: each["n"] for each in table(document, "answers") if each["criterion"] == "desc_alignment"}
    assert counts == {**dict.fromkeys(map(float, range(1, 11)), 0), 5.0: 6, 8.0: 6}
    assert row(document, "scale", criterion="policy_violations")["evenness"]["reason"] == "the scale has no end"


def test_a_judge_that_says_the_same_is_steady(cli: Cli, server: VendorServer) -> None:
    document = cli(*SAMPLE, "--judge", server.judge(), "--format", "json").json
    found = row(document, "stability", criterion="policy_violations")

    assert found["flips"]["value"] == 0
    assert found["flips"]["interval"]["high"] > 0.2
    assert table(document, "tasks") == []


def test_one_trial_leaves_steadiness_undefined(cli: Cli, server: VendorServer) -> None:
    done = cli(*SAMPLE, "--judge", server.judge(), "--trials", "1")

    assert done.code == 0
    assert "steadiness is undefined (no task has two verdicts; ask with two trials or more)" in " ".join(
        done.out.split()
    )


def test_three_trials_are_asked_where_none_are_named(cli: Cli, server: VendorServer) -> None:
    planned = cli(*SAMPLE, "--judge", server.judge(), "--dry-run", "--format", "json").json["judges"][0]

    assert planned["planned"] == 6 * 3 * 3
    assert server.requests == []


def test_the_offline_scorer_has_a_scale_and_no_trials(cli: Cli) -> None:
    document = cli("study", "stability", "sample/library", "--format", "json").json

    assert row(document, "stability", criterion="offline_match")["flips"]["value"] is None
    assert row(document, "scale", criterion="offline_match")["evenness"]["reason"] == "the scale has no steps"
    assert document["figures"] == []


def test_a_judge_without_verdicts_has_nothing_to_tell(cli: Cli) -> None:
    done = cli(*SAMPLE, "--judge", "scripted:refuses", "--format", "json")

    assert done.code == 3
    found = row(done.json, "scale", criterion="desc_alignment")
    assert found["entropy"]["reason"] == "0 ratings; the use of a scale needs 3"


ANCHORED = (*SAMPLE, "--metric", MIXED, "--trials", "2")


def test_a_drift_is_measured_on_unchanged_tasks_against_frozen_verdicts(cli: Cli, server: VendorServer) -> None:
    judge = server.judge()
    frozen = cli(*ANCHORED, "--judge", judge, "--save-anchor", "a.json")
    assert frozen.code == 0
    assert "Anchor: a.json" in frozen.err
    server.reply_json({"reasons": ["A reason."], "score": 5, "requests": [], "violations": []})
    document = cli(*ANCHORED, "--judge", judge, "--anchor", "a.json", "--fresh", "--format", "json").json
    found = row(document, "drift", criterion="desc_alignment")

    assert found["n_tasks"] == 6
    assert found["shift"] == {"value": -2, "interval": {"low": -2, "high": -2, "level": 0.95}, "reason": ""}
    assert found["p"]["value"] == 2 / 2**6
    assert found["moved"]["value"] == 1
    assert (found["prompt"], found["before"], found["after"]) == ("the same", *["any-name-2026-01-01"] * 2)
    assert row(document, "drift", criterion="policy_violations")["moved"]["value"] == 0
    assert any("has drifted; mean shift -2.00 (-2.00 to -2.00) on 6 tasks" in told for told in document["summary"])


def test_a_judge_that_stays_shows_no_drift(cli: Cli, wavering: str) -> None:
    cli(*ANCHORED, "--judge", wavering, "--save-anchor", "a.json")
    document = cli(*ANCHORED, "--judge", wavering, "--anchor", "a.json", "--fresh", "--format", "json").json

    assert row(document, "drift", criterion="desc_alignment")["p"]["value"] is None


def test_the_anchors_own_verdicts_are_no_drift(cli: Cli, server: VendorServer) -> None:
    cli(*ANCHORED, "--judge", server.judge(), "--save-anchor", "a.json")
    done = cli(*ANCHORED, "--judge", server.judge(), "--anchor", "a.json")

    assert "a drift is undefined (these are the anchor's own verdicts" in " ".join(done.out.split())


def test_other_judges_other_tasks_and_the_offline_scorer_have_no_drift(cli: Cli, server: VendorServer) -> None:
    cli(*ANCHORED, "--judge", server.judge(), "--save-anchor", "a.json")
    other = cli(*ANCHORED, "--judge", "scripted:constant-7", "--anchor", "a.json", "--format", "json").json
    offline = cli("study", "stability", "sample/library", "--anchor", "a.json", "--format", "json").json
    frozen = json.loads(Path("a.json").read_text())
    Path("a.json").write_text(json.dumps(frozen | {"tasks": dict.fromkeys(frozen["tasks"], "changed")}))
    changed = cli(*ANCHORED, "--judge", server.judge(), "--anchor", "a.json", "--format", "json").json

    told = [table(each, "drift")[0]["shift"]["reason"] for each in (other, offline, changed)]
    assert told == [
        "the anchor has no verdict of this judge",
        "the offline scorer says the same of the same files on any day",
        "no task of the anchor is here unchanged",
    ]


@pytest.mark.parametrize(("content", "why"), [(None, "no.json"), ("{}", "is no anchor: format"), ("[", "is no anchor")])
def test_a_file_that_is_no_anchor_is_refused_in_one_line(cli: Cli, content: str | None, why: str) -> None:
    if content is not None:
        Path("no.json").write_text(content)
    done = cli(*SAMPLE, "--anchor", "no.json")

    assert done.code == 2
    assert why in done.err
    assert done.err.count("\n") == 1


def test_an_anchor_that_can_t_be_written_is_told_before_anything_is_asked(cli: Cli, server: VendorServer) -> None:
    done = cli(*SAMPLE, "--judge", server.judge(), "--save-anchor", ".")

    assert done.code == 2
    assert server.requests == []
