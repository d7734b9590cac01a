"""``bench-audit study sensitivity`` from the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.resources import resource
from tests.cli.conftest import Cli
from tests.servers.http import Request
from tests.servers.outcomes import Outcome, refuse, say_json
from tests.servers.vendors import VendorServer

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schema" / "study-1.json"
SAMPLE = ("study", "sensitivity", "sample/library")


def table(document: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = next(each for each in document["tables"] if each["name"] == name)
    return [row["cells"] | {"label": row["label"]} for row in found["rows"]]


def row(document: dict[str, Any], name: str, **cells: object) -> dict[str, Any]:
    (found,) = (each for each in table(document, name) if cells.items() <= each.items())
    return found


def test_the_offline_scorer_sees_swapped_behaviors_and_is_labelled_everywhere(cli: Cli, tmp_path: Path) -> None:
    done = cli(*SAMPLE, "--out", "out", "--format", "json")
    document = done.json

    assert done.code == 0
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    swap = row(document, "sensitivity", kind="swap-behavior", metric="offline_match")
    assert swap["must"] == "fall"
    assert swap["slope"]["interval"]["high"] < -0.5
    assert swap["p_falling"]["value"] < 0.001
    assert swap["auroc"]["interval"]["low"] > 0.8
    assert document["labels"] == ["offline (heuristic)"]
    assert all(each["label"] == "offline (heuristic)" for each in table(document, "curves"))
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"sensitivity.html", "curves.csv", "curve-offline_match.svg", "auroc.png", "tasks.csv"} <= names
    assert "offline (heuristic)" in (tmp_path / "out" / "curve-offline_match.svg").read_text()


def test_the_curve_starts_at_the_score_of_the_benchmark_as_it_is(cli: Cli) -> None:
    scored = cli("score", "sample/library", "--format", "json").json
    document = cli(*SAMPLE, "--rates", "50", "--format", "json").json
    own = next(score for score in scored["scores"] if score["metric"] == "offline_match")

    first, second = table(document, "curves")
    assert first["mean"]["value"] == own["value"]
    assert second["rate"] == 0.5
    assert second["difference"]["value"] == pytest.approx(second["mean"]["value"] - first["mean"]["value"])


def test_two_rates_have_no_trend_and_say_why(cli: Cli) -> None:
    done = cli(*SAMPLE, "--rates", "50")

    assert done.code == 0
    assert "a trend is undefined (2 conditions; a trend needs 3)" in done.out.replace("\n", " ")


def test_the_four_rate_suite_asks_a_quarter_of_the_naive_calls_beyond_the_stored_baseline(
    cli: Cli, server: VendorServer
) -> None:
    flags = ("--judge", server.judge(), "--limit", "20", "--store", "v.sqlite3", "-q")
    cli("score", "sample/library", *flags)
    server.requests.clear()
    document = cli(*SAMPLE, *flags, "--format", "json").json
    (calls,) = document["calls"]

    n_metrics, n_tasks, n_rates = 3, 20, 4
    naive = n_metrics * n_tasks * n_rates
    assert calls["planned"] == naive + n_metrics * n_tasks
    assert calls["stored"] == n_metrics * n_tasks
    assert len(server.requests) == calls["asked"] == calls["to_ask"] == 2 * 16
    assert len(server.requests) <= naive / 4
    assert calls["planned"] - calls["repeated"] - calls["stored"] == calls["to_ask"]
    told = "240 verdicts beyond the untouched one's, and took 32 new questions (13.3%)"
    assert any(told in sentence for sentence in document["summary"])


def test_equal_questions_are_asked_once_even_where_they_bring_no_verdict(cli: Cli, server: VendorServer) -> None:
    server.always(refuse())
    flags = ("--judge", server.judge(), "--limit", "20", "--store", "v.sqlite3", "-q", "--metric", "desc_alignment")
    done = cli(*SAMPLE, *flags, "--format", "json")
    (calls,) = done.json["calls"]

    assert done.code == 3
    assert len(server.requests) == calls["asked"] == 20 + 16
    assert calls["missing"] == calls["planned"] == 100
    assert not done.json["is_complete"]
    assert "Incomplete" in done.err


def test_a_dry_run_counts_the_same_and_sends_nothing(cli: Cli, server: VendorServer) -> None:
    flags = ("--judge", server.judge(), "--limit", "20", "--store", "v.sqlite3", "-q")
    planned = cli(*SAMPLE, *flags, "--dry-run", "--format", "json").json["judges"][0]
    text = cli(*SAMPLE, *flags, "--dry-run").out
    assert server.requests == []
    (calls,) = cli(*SAMPLE, *flags, "--format", "json").json["calls"]

    assert {name: planned[name] for name in ("planned", "repeated", "stored", "to_ask", "undefined")} == {
        name: calls[name] for name in ("planned", "repeated", "stored", "to_ask", "undefined")
    }
    assert planned["plan"]["to_ask"] == calls["to_ask"]
    assert "cost_usd" not in planned, "what a plan costs is an estimate, and stands with the plan"
    assert "Repeated" in text
    assert text.count("Planned  ") == text.count("Stored  ") == 1, "one table counts, the other prices"
    assert f"{planned['planned']}" in text
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("judges", [(), ("--judge", "scripted:seeded", "--judge", "scripted:constant-7")])
def test_the_plan_as_json_keeps_the_published_schema(cli: Cli, judges: tuple[str, ...]) -> None:
    schema = json.loads((SCHEMA.parent / "study-plan-1.json").read_text())
    document = cli(*SAMPLE, *judges, "--store", "v.sqlite3", "--dry-run", "--format", "json").json

    jsonschema.Draft202012Validator(schema).validate(document)
    assert [each["label"] for each in document["judges"]] == ["scripted (not a real judge)"] * (len(judges) // 2)
    assert all(each["plan"]["cost_usd"] == 0 for each in document["judges"])
    assert not jsonschema.Draft202012Validator(schema).is_valid({**document, "format_version": 2})


def test_a_dry_run_without_a_judge_says_that_nothing_is_sent(cli: Cli) -> None:
    done = cli(*SAMPLE, "--dry-run")

    assert done.code == 0
    assert "sends nothing" in done.out


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The sample under another policy, whose items are not known."""
    folder = tmp_path / "other"
    shutil.copytree(resource("benchmarks", "sample", "library"), folder)
    (folder / "policy.md").write_text("# Rules of another desk\n\nNever lend anything to anybody.\n")
    return folder


def test_a_policy_swap_stands_before_and_after_with_a_paired_interval(
    cli: Cli, server: VendorServer, other: Path
) -> None:
    def judge(request: Request) -> Outcome:
        return say_json({"reasons": ["A reason."], "score": 3 if "another desk" in request.system else 8})

    server.behave(judge)
    flags = ("--judge", server.judge(), "--store", "v.sqlite3", "-q", "--limit", "12", "--metric", "policy_alignment")
    document = cli(*SAMPLE, "--kind", "swap-policy", "--with", other, *flags, "--format", "json").json
    found = row(document, "before-after", metric="policy_alignment")

    assert (found["must"], found["before"]["value"], found["after"]["value"]) == ("fall", 8, 3)
    assert found["difference"] == {"value": -5, "interval": {"low": -5, "high": -5, "level": 0.95}, "reason": ""}
    assert found["p"]["value"] == 2 / 2**12
    assert any("falls, as it must, by -5.00 (-5.00 to -5.00)" in sentence for sentence in document["summary"])
    assert [subject["name"] for subject in document["subjects"]] == ["sample/library", str(other)]


def test_a_judge_that_reads_no_policy_is_told_of(cli: Cli, server: VendorServer, other: Path) -> None:
    flags = ("--judge", server.judge(), "-q", "--limit", "12")
    document = cli(*SAMPLE, "--kind", "swap-policy", "--with", other, *flags, "--format", "json").json

    found = row(document, "before-after", metric="policy_alignment")
    assert found["p"]["reason"] == "every difference is 0"
    assert any("does not fall, though it must" in sentence for sentence in document["summary"])
    assert row(document, "before-after", metric="violation_coverage@1")["difference"]["value"] is None


def test_what_only_changes_the_form_is_compared_verdict_by_verdict(cli: Cli, server: VendorServer) -> None:
    flags = ("--judge", server.judge(), "--store", "v.sqlite3", "-q", "--limit", "10", "--trials", "2")
    done = cli(*SAMPLE, "--kind", "pad", *flags, "--format", "json")
    found = row(done.json, "invariance", metric="desc_alignment")

    assert found["n_verdicts"] == 20
    assert found["moved"]["value"] == 0
    assert found["moved"]["interval"]["high"] > 0
    assert found["moved_alone"]["value"] == 0
    assert not [each for each in table(done.json, "invariance") if each["metric"].startswith("violation_coverage")]


def test_scripted_judges_are_labelled(cli: Cli) -> None:
    done = cli(*SAMPLE, "--judge", "scripted:seeded", "--limit", "10", "-q", "--kind", "lowering", "--rates", "50,100")

    assert done.code == 0
    assert "scripted:seeded [scripted (not a real judge)]" in done.out


def test_a_kind_that_changes_no_task_is_told_and_has_no_numbers(cli: Cli) -> None:
    done = cli(*SAMPLE, "--limit", "1", "--format", "json")

    assert done.code == 0
    found = row(done.json, "sensitivity", kind="swap-behavior")
    assert found["n_changed"] == 0
    assert found["fell"]["value"] is None
    assert any("Nothing was swapped" in note for note in done.json["notes"])


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (("--kind", "swap-everything"), "no perturbation 'swap-everything'"),
        (("--rates", "20,x"), "'x' is no percentage"),
        (("--rates", "0"), "no rate above 0"),
        (("--rates", "120"), "'120' is no percentage"),
        (("--kind", "swap-policy"), "swap-policy needs another benchmark"),
        (("--with", "sample/library"), "no kind takes anything from another benchmark"),
        (("--kind", ""), "a list names nothing"),
        (("--metric", "desc_alignment"), "needs a judge"),
    ],
)
def test_what_can_t_be_studied_is_refused_in_one_line(cli: Cli, flags: tuple[str, ...], why: str) -> None:
    done = cli(*SAMPLE, *flags)

    assert done.code == 2
    assert why in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""


def test_a_folder_that_can_t_be_written_is_told_before_anything_is_asked(
    cli: Cli, server: VendorServer, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x")
    done = cli(*SAMPLE, "--judge", server.judge(), "--out", "file")

    assert done.code == 2
    assert server.requests == []


def test_several_demanded_falls_are_one_family_of_tests(cli: Cli) -> None:
    flags = ("--kind", "lowering", "--rates", "50,100", "--judge", "scripted:seeded", "-q", "--format", "json")
    document = cli(*SAMPLE, *flags, "--metric", "desc_alignment").json
    demanded = [each for each in table(document, "sensitivity") if each["must"] == "fall"]
    others = [each for each in table(document, "sensitivity") if each["must"] != "fall"]

    p_values = [each["p_falling"]["value"] for each in demanded]
    smallest = min(range(len(p_values)), key=p_values.__getitem__)
    assert len(demanded) > 3
    assert demanded[smallest]["p_holm"]["value"] == pytest.approx(min(1, p_values[smallest] * len(demanded)))
    assert {each["p_holm"]["reason"] for each in others} == {"no fall is demanded"}
