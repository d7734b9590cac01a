"""``bench-audit study agreement`` from the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema
import pytest
from scipy import stats

from audit.resources import resource
from tests.cli.conftest import Cli
from tests.cli.test_study_sensitivity import SCHEMA, row, table
from tests.servers.http import Request
from tests.servers.outcomes import Outcome, say_json
from tests.servers.vendors import VendorServer

TASKS = [f"lib_{number:02d}" for number in range(1, 13)]
ANNA = [9, 8, 8, 7, 6, 5, 5, 4, 3, 3, 2, 1]
BEN = [9, 9, 7, 7, 5, 6, 5, 3, 4, 2, 2, 1]
SAID = [8, 9, 8, 6, 6, 5, 4, 5, 3, 2, 3, 2]
TIERS = ["top"] * 6 + ["small"] * 6
NAMED = (*["L01"] * 6, *["none"] * 6)


@pytest.fixture
def judge(server: VendorServer) -> str:
    """A judge that scores the sample's first tasks by ``SAID``, and names two items in the first eight."""
    tasks = json.loads((resource("benchmarks", "sample", "library") / "tasks.json").read_text())
    words = {
        each["user_scenario"]["instructions"]["reason_for_call"]: number
        for number, each in enumerate(tasks[: len(TASKS)])
    }

    def choose(request: Request) -> Outcome:
        number = next(number for text, number in words.items() if text in request.user)
        if "violations" in json.dumps(request.schema):
            items = ["L01", "L02"] if number < 8 else []
            found = [{"reason": "It is asked for.", "item": item} for item in items]
            return say_json({"requests": ["A request."], "violations": found})
        return say_json({"reasons": ["A reason."], "score": SAID[number]})

    server.behave(choose)
    return server.judge()


def write_ratings(name: str = "ratings.csv", *, kind: str = "", tiers: bool = True) -> Path:
    lines = ["task_id,rater,criterion,value,tier,kind"]
    for task, anna, ben, tier, items in zip(TASKS, ANNA, BEN, TIERS, NAMED, strict=True):
        where = f"{tier if tiers else ''},{kind}"
        lines += [f"{task},anna,desc_alignment,{anna},{where}", f"{task},ben,desc_alignment,{ben},{where}"]
        lines += [f"{task},anna,policy_violations,{items},{where}"]
    path = Path(name)
    path.write_text("\n".join(lines) + "\n")
    return path


FLAGS = ("--limit", "12", "-q", "--store", "v.sqlite3")


def test_judges_are_held_against_the_mean_of_the_raters(cli: Cli, judge: str, tmp_path: Path) -> None:
    ratings = write_ratings()
    flags = ("--ratings", ratings, "--judge", judge, *FLAGS, "--out", "out", "--format", "json")
    done = cli("study", "agreement", "sample/library", *flags)
    document = done.json

    assert done.code == 0
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    found = row(document, "correlation", criterion="desc_alignment")
    mean = [(a + b) / 2 for a, b in zip(ANNA, BEN, strict=True)]
    known = stats.kendalltau(SAID, mean, method="asymptotic")
    assert found["tau"]["value"] == pytest.approx(known.statistic)
    assert found["tau"]["interval"]["low"] < found["tau"]["value"] <= found["tau"]["interval"]["high"]
    assert found["p"]["value"] == pytest.approx(known.pvalue)
    assert found["p_holm"]["value"] == pytest.approx(min(1, 2 * known.pvalue))  # two criteria, this one the smaller p
    assert found["spearman"]["value"] == pytest.approx(stats.spearmanr(SAID, mean).statistic)
    assert found["within"]["value"] < found["tau"]["value"]
    assert document["labels"] == []
    assert (tmp_path / "out" / "agreement.svg").is_file()
    plots = [figure for figure in document["figures"] if figure["kind"] == "scatter"]
    points = [(each["place"], each["value"]) for each in plots[0]["series"][0]["points"]]
    assert points == sorted(set(zip(mean, SAID, strict=True)))
    assert sum(each.get("n_tied", 1) for each in plots[0]["series"][0]["points"]) == 12
    assert sum(
        each["cells"]["n"] for each in next(t for t in document["tables"] if t["name"] == "scatter")["rows"]
    ) == (sum(each.get("n_tied", 1) for plot in plots for each in plot["series"][0]["points"]))
    assert (tmp_path / "out" / "scatter-desc_alignment.png").is_file()
    assert [subject["name"] for subject in document["subjects"]] == ["ratings.csv", "sample/library"]


def test_distances_are_averaged_over_the_raters(cli: Cli, judge: str) -> None:
    flags = ("--ratings", write_ratings(), "--judge", judge, *FLAGS, "--format", "json")
    found = row(cli("study", "agreement", "sample/library", *flags).json, "distance", criterion="desc_alignment")

    hits = sum((said == a) + (said == b) for said, a, b in zip(SAID, ANNA, BEN, strict=True)) / 24
    apart = sum(abs(said - a) + abs(said - b) for said, a, b in zip(SAID, ANNA, BEN, strict=True)) / 24
    assert found["exact"]["value"] == pytest.approx(hits)
    assert found["mae"]["value"] == pytest.approx(apart)
    assert found["bias"]["value"] == pytest.approx((sum(SAID) - (sum(ANNA) + sum(BEN)) / 2) / 12)
    assert found["kappa_quadratic"]["value"] > found["kappa_linear"]["value"] > 0.6


def test_items_are_matched_as_sets(cli: Cli, judge: str) -> None:
    flags = ("--ratings", write_ratings(), "--judge", judge, *FLAGS, "--format", "json")
    (found,) = table(cli("study", "agreement", "sample/library", *flags).json, "items")

    assert found["precision"]["value"] == 6 / 16  # L01 and L02 in eight tasks; people name L01 in six of them
    assert found["recall"]["value"] == 1
    assert found["f1"]["value"] == pytest.approx(12 / 22)
    assert found["jaccard"]["value"] == pytest.approx((6 / 2 + 0 + 0) / 8)
    assert found["exact"]["value"] == 4 / 12


def test_everything_that_is_measured_on_items_has_an_interval(cli: Cli, judge: str) -> None:
    flags = ("--ratings", write_ratings(), "--judge", judge, *FLAGS, "--format", "json")
    found = row(cli("study", "agreement", "sample/library", *flags).json, "items", judge=judge)

    for name in ("precision", "recall", "f1", "jaccard", "exact"):
        cell = found[name]
        assert cell["interval"]["low"] <= cell["value"] <= cell["interval"]["high"], name


def test_people_are_the_ceiling(cli: Cli, judge: str) -> None:
    flags = ("--ratings", write_ratings(), "--judge", judge, "--judge", "scripted:seeded", *FLAGS, "--format", "json")
    document = cli("study", "agreement", "sample/library", *flags).json
    (pair,) = table(document, "raters")
    people = row(document, "groups", criterion="desc_alignment", group="people")
    judges = row(document, "groups", criterion="desc_alignment", group="judges")

    assert (pair["first"], pair["second"], pair["n"]) == ("anna", "ben", 12)
    assert pair["tau"]["value"] == people["tau"]["value"] == pytest.approx(stats.kendalltau(ANNA, BEN).statistic)
    assert people["alpha"]["value"] > 0.8
    assert people["effective"]["reason"] == "people are the reference"
    assert judges["n_raters"] == 2  # the panel is no judge of its own
    assert 1 <= judges["effective"]["value"] <= 2
    assert judges["label"] == "scripted (not a real judge)"
    one = row(document, "groups", criterion="policy_violations", group="people")
    assert one["alpha"]["reason"] == "one rater; agreement needs two"
    told = next(each for each in document["summary"] if each.startswith(f"desc_alignment, {judge}"))
    assert "people among themselves 0.8" in told


def test_simulated_raters_are_labelled_everywhere(cli: Cli, judge: str) -> None:
    flags = ("--ratings", write_ratings(kind="simulated"), "--judge", judge, *FLAGS)
    document = cli("study", "agreement", "sample/library", *flags, "--format", "json").json

    assert document["labels"] == ["simulated (not people)"]
    for name in ("correlation", "distance", "items", "raters"):
        assert {each["label"] for each in table(document, name)} == {"simulated (not people)"}
    assert "[simulated (not people)]" in cli("study", "agreement", "sample/library", *flags).out


def test_a_saved_run_needs_no_judge(cli: Cli, judge: str, server: VendorServer) -> None:
    cli("score", "sample/library", "--judge", judge, *FLAGS, "--format", "json", "--output", "run.json")
    server.requests.clear()
    document = cli("study", "agreement", "run.json", "--ratings", write_ratings(), "--format", "json").json

    assert row(document, "correlation", criterion="desc_alignment")["judge"] == judge
    assert server.requests == []
    assert document["calls"] == []
    assert document["created_at"]


def test_saved_runs_of_one_benchmark_are_its_judges(cli: Cli, judge: str) -> None:
    cli("score", "sample/library", "--judge", judge, *FLAGS, "--format", "json", "--output", "a.json")
    cli("score", "sample/library", "--judge", "scripted:seeded", *FLAGS, "--format", "json", "--output", "b.json")
    done = cli("study", "agreement", "a.json", "b.json", "--ratings", write_ratings(), "--format", "json")

    assert done.code == 0
    assert {each["judge"] for each in table(done.json, "correlation")} == {judge, "scripted:seeded"}


def test_the_offline_match_is_held_against_the_order_alone(cli: Cli) -> None:
    document = cli("study", "agreement", "sample/library", "--ratings", write_ratings(), "--format", "json").json
    found = row(document, "correlation", criterion="desc_alignment")

    assert (found["metric"], found["label"]) == ("offline_match", "offline (heuristic)")
    assert "distance" not in [each["name"] for each in document["tables"]]
    assert (
        document["notes"][0] == "No judge here rates policy_violations: only the raters are compared with each other."
    )


def test_tiers_are_the_benchmarks_where_none_are_named(cli: Cli, judge: str) -> None:
    flags = ("--ratings", write_ratings(tiers=False), "--judge", judge, *FLAGS, "--format", "json")
    found = row(cli("study", "agreement", "sample/library", *flags).json, "correlation", criterion="desc_alignment")

    assert found["within"]["reason"] == "there are no two tiers with two rated tasks each"


def test_two_rated_tasks_leave_every_statistic_undefined(cli: Cli, judge: str) -> None:
    Path("r.csv").write_text("task_id,desc_alignment:anna\nlib_01,7\nlib_02,8\n")
    flags = ("--ratings", "r.csv", "--judge", judge, *FLAGS, "--format", "json")
    document = cli("study", "agreement", "sample/library", *flags).json

    found = row(document, "correlation", criterion="desc_alignment")
    assert [found[name]["value"] for name in ("tau", "p", "p_holm", "spearman")] == [None] * 4
    assert (
        row(document, "distance", criterion="desc_alignment")["mae"]["reason"]
        == "2 tasks rated by both; agreement needs 3"
    )
    assert any("agreement is undefined (2 tasks" in sentence for sentence in document["summary"])


def test_a_dry_run_counts_the_calls_and_takes_no_bad_ratings(cli: Cli, judge: str, server: VendorServer) -> None:
    flags = ("--ratings", write_ratings(), "--judge", judge, *FLAGS, "--dry-run", "--format", "json")
    done = cli("study", "agreement", "sample/library", *flags)

    assert done.json["judges"][0]["planned"] == 36
    assert server.requests == []


def test_every_bad_cell_is_a_line_of_its_own(cli: Cli, judge: str, server: VendorServer) -> None:
    Path("r.csv").write_text("task_id,desc_alignment:anna\nlib_01,70\nlib_02,x\n")
    done = cli("study", "agreement", "sample/library", "--ratings", "r.csv", "--judge", judge)

    assert done.code == 2
    assert done.err.splitlines() == [
        "Error: r.csv:2, desc_alignment:anna: '70' is not on the scale, 1 to 10",
        "Error: r.csv:3, desc_alignment:anna: 'x' is no number",
        "2 bad cells; mend them, or empty them to leave a gap",
    ]
    assert server.requests == []


def test_what_a_rater_says_twice_in_two_files_is_refused(cli: Cli, judge: str, server: VendorServer) -> None:
    Path("a.csv").write_text("task_id,desc_alignment:anna\nlib_01,7\nlib_02,3\n")
    Path("b.csv").write_text("task_id,desc_alignment:anna,benchmark\nlib_02,9,sample/library\n")
    done = cli("study", "agreement", "sample/library", "--ratings", "a.csv", "--ratings", "b.csv", "--judge", judge)

    assert done.code == 2
    told = "b.csv:2, desc_alignment:anna: anna rated task lib_02 on desc_alignment before, at a.csv:3"
    assert done.err.splitlines()[0] == f"Error: {told}"
    assert server.requests == []


def test_a_judge_that_has_nothing_to_judge_is_refused(cli: Cli) -> None:
    run = cli("score", "sample/library", "--format", "json", "--output", "run.json")
    assert run.code == 0
    done = cli("study", "agreement", "run.json", "--ratings", write_ratings(), "--judge", "scripted:seeded")

    assert done.code == 2
    assert done.err == (
        "Error: --judge: a saved run is judged already. Leave it out, or name a benchmark that it can judge.\n"
    )
    again = cli("study", "agreement", "run.json", "run.json", "--ratings", "ratings.csv")
    assert again.code == 2
    assert "run.json is named twice" in again.err


def test_ratings_of_no_task_here_and_of_unknown_items_are_named(cli: Cli, judge: str, server: VendorServer) -> None:
    text = "task_id,policy_violations:anna,benchmark\nlib_99,none,\nlib_01,X1,\nlib_02,none,other/set\n"
    Path("r.csv").write_text(text)
    done = cli("study", "agreement", "sample/library", "--ratings", "r.csv", "--judge", judge)

    assert done.code == 2
    assert "r.csv:2, policy_violations:anna: there is no task lib_99 in any benchmark here" in done.err
    assert "r.csv:3, policy_violations:anna: the policy has no item X1" in done.err
    assert "r.csv:4, policy_violations:anna: there is no task lib_02 in benchmark other/set" in done.err
    assert server.requests == []


def test_a_task_that_two_benchmarks_have_needs_its_benchmark_named(cli: Cli, tmp_path: Path) -> None:
    shutil.copytree(resource("benchmarks", "sample", "library"), tmp_path / "copy")
    ratings = write_ratings()
    done = cli("study", "agreement", "sample/library", "copy", "--ratings", ratings)
    assert done.code == 2
    assert "2 benchmarks have a task lib_01; add a column 'benchmark'" in done.err

    head, *lines = ratings.read_text().splitlines()
    named = [f"{head},benchmark", *(f"{line},{name}" for name in ("sample/library", "copy") for line in lines)]
    ratings.write_text("\n".join(named))
    document = cli("study", "agreement", "sample/library", "copy", "--ratings", ratings, "--format", "json").json
    assert row(document, "correlation", criterion="desc_alignment")["n"] == 24


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("sample/library",), "Missing option '--ratings'"),
        (("--ratings", "ratings.csv"), "Missing argument"),
        (("sample/library", "sample/library", "--ratings", "ratings.csv"), "sample/library is named twice"),
        (("sample/library", "--ratings", "nowhere.csv"), "nowhere.csv"),
        (("sample/library", "--ratings", "empty.csv"), "no rating is in the files"),
        (("nowhere/at-all", "--ratings", "ratings.csv"), "nowhere/at-all"),
        (("a" * 300, "--ratings", "ratings.csv"), "aaa"),
    ],
)
def test_what_can_t_be_compared_is_refused(cli: Cli, arguments: tuple[str, ...], why: str) -> None:
    write_ratings()
    Path("empty.csv").write_text("task_id,S1\n1,\n")
    done = cli("study", "agreement", *arguments)

    assert done.code == 2
    assert why in done.err
    assert "Traceback" not in done.err
