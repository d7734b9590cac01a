"""Certifying a judge from the command line, against a server of our own."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import Cli
from tests.servers.http import Request
from tests.servers.outcomes import Outcome, refuse, say
from tests.servers.vendors import VendorServer, well_behaved

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schema"
STORE = ("--store", "s.sqlite3")
QUIET = (*STORE, "--quiet")


def schema(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads((SCHEMAS / name).read_text()))


def test_a_certificate_is_kept_and_every_later_score_tells_it(cli: Cli, server: VendorServer, tmp_path: Path) -> None:
    judge = server.judge()
    done = cli("certify", "--judge", judge, *QUIET, "--format", "json", "--out", "out")
    assert done.code == 0, done.err
    schema("certificate-1.json").validate(done.json)
    certificate = done.json[0]["certificate"]
    assert certificate["is_complete"]
    assert certificate["models"] == ["any-name-2026-01-01"]
    assert certificate["identity"]["model"] == "any-name"
    assert {"certificate.html", "certificate.json", "records.json"} <= {
        path.name for path in (tmp_path / "out").iterdir()
    }
    n_asked = len(server.requests)

    again = cli("certify", "--judge", judge, *QUIET)
    assert again.code == 0
    assert len(server.requests) == n_asked, "every question of the suite is stored"

    scored = cli("score", "sample/library", "--judge", judge, *QUIET, "--format", "json", "--report", "r.html")
    schema("run-1.json").validate(scored.json)
    assert len(server.requests) == n_asked, "the sample as it is was asked about by the suite"
    (held,) = scored.json["certificates"]
    assert held["caveats"] == []
    assert held["shares"][0]["raw"] == 0
    assert "too alike to correct by" in held["shares"][0]["reason"]
    page = (tmp_path / "r.html").read_text()
    assert "made today" in page
    assert "Not measured" in page
    text = cli("score", "sample/library", "--judge", judge, *QUIET).out
    assert "can be trusted" in text
    assert "0.0% of 42 tasks flawed by description (≤ 6); not corrected" in text
    (tmp_path / "run.json").write_text(scored.out)
    assert cli("report", "run.json", "--out", "again.html").code == 0
    assert "made today" in (tmp_path / "again.html").read_text()


def test_a_judge_without_a_certificate_is_called_so_with_the_command(cli: Cli, server: VendorServer) -> None:
    text = cli("score", "sample/library", "--judge", server.judge(), *QUIET, "--limit", "2").out
    assert f"not certified; bench-audit certify --judge {server.judge()}" in " ".join(text.split())


def test_another_model_behind_the_name_is_told(cli: Cli, server: VendorServer) -> None:
    judge = server.judge()
    cli("certify", "--judge", judge, *QUIET)
    server.always(answer_as("any-name-2027-09-09"))
    document = cli(
        "score", "sample/library", "--judge", judge, *QUIET, "--limit", "3", "--fresh", "--format", "json"
    ).json
    assert document["certificates"][0]["caveats"] == [
        "The name has come to mean another model: any-name-2027-09-09 answered here, any-name-2026-01-01 was certified."
    ]


def answer_as(model: str) -> Outcome:
    usual = well_behaved()

    def answer(request: Request):  # type: ignore[no-untyped-def]  # noqa: ANN202  # what an outcome returns
        body = usual(request).body
        text = body["choices"][0]["message"]["content"]
        return say(text, model=model)(request)

    return answer


def test_a_dry_run_counts_and_sends_nothing(cli: Cli, server: VendorServer) -> None:
    done = cli("certify", "--judge", server.judge(), *STORE, "--dry-run")
    assert done.code == 0
    assert "To ask" in done.out
    assert server.requests == []
    document = cli("certify", "--judge", server.judge(), *STORE, "--dry-run", "--format", "json").json
    (plan,) = document["judges"]
    assert plan["planned"] == plan["repeated"] + plan["to_ask"]
    assert plan["repeated"] > 0
    assert "No judge is named" in cli("certify", *STORE, "--dry-run").out


def test_a_judge_that_refuses_is_incomplete_and_its_refusals_are_counted(cli: Cli, server: VendorServer) -> None:
    n_seen = 0

    def choose(request: Request) -> Outcome:
        nonlocal n_seen
        n_seen += 1
        return refuse() if n_seen % 4 == 0 else well_behaved()

    server.behave(choose)
    done = cli("certify", "--judge", server.judge(), *QUIET, "--format", "json", "--concurrency", "1")
    assert done.code == 3
    assert "Incomplete" in done.err
    certificate = done.json[0]["certificate"]
    assert not certificate["is_complete"]
    assert set(certificate["missing"]) == {"refused"}
    (replies,) = (each for each in certificate["measures"] if each["metric"] == "all replies")
    assert replies["values"]["refused"]["value"] == pytest.approx(0.25, abs=0.03)

    server.behave(lambda request: well_behaved())
    mended = cli("certify", "--judge", server.judge(), *QUIET, "--format", "json")
    assert mended.code == 0
    (replies,) = (each for each in mended.json[0]["certificate"]["measures"] if each["metric"] == "all replies")
    assert replies["values"]["refused"]["value"] == pytest.approx(0.2, abs=0.03), "asking again hides no refusal"


def test_an_incomplete_certificate_is_called_so_wherever_it_is_shown(cli: Cli, server: VendorServer) -> None:
    done = cli("certify", "--judge", server.judge(), *QUIET, "--max-calls", "9")
    assert done.code == 3
    assert "incomplete" in done.out
    assert "no number below stands for them" in " ".join(done.out.split())
    text = cli("score", "sample/library", "--judge", server.judge(), *QUIET, "--limit", "1").out
    assert "The certificate is incomplete" in " ".join(text.split())
    assert cli("certify", "--judge", server.judge(), *QUIET).code == 0
    assert cli("certify", "--judge", server.judge(), *QUIET, "--trials", "3", "--max-calls", "1").code == 3
    text = cli("score", "sample/library", "--judge", server.judge(), *QUIET, "--limit", "1").out
    assert "The certificate is incomplete" not in " ".join(text.split()), "the complete one counts"


def test_people_s_ratings_are_held_against_the_judge(cli: Cli, server: VendorServer, tmp_path: Path) -> None:
    assert cli("new-benchmark", "mine").code == 0
    folder = next(path.parent for path in (tmp_path / "mine").rglob("tasks.json"))
    tasks = [task["id"] for task in json.loads((folder / "tasks.json").read_text())]
    rows = [f"{id},anna,desc_alignment,{9 - number}" for number, id in enumerate(tasks)]
    (tmp_path / "r.csv").write_text("\n".join(["task_id,rater,criterion,value", *rows]))
    done = cli("certify", "--judge", server.judge(), folder, "--ratings", "r.csv", *QUIET, "--format", "json")
    assert done.code == 0, done.err
    measures = done.json[0]["certificate"]["measures"]
    (rated,) = (each for each in measures if each["name"] == "people's ratings")
    assert rated["n"] == len(tasks)
    assert rated["values"]["off"]["value"] is not None
    assert rated["values"]["tau"]["value"] is None, "a constant judge orders nothing"
    (tmp_path / "bad.csv").write_text("task_id,rater,criterion,value\nnobody,anna,desc_alignment,3\n")
    bad = cli("certify", "--judge", server.judge(), folder, "--ratings", "bad.csv", *QUIET)
    assert bad.code == 2
    assert "there is no task nobody" in bad.err
    (tmp_path / "off.csv").write_text("task_id,rater,criterion,value\n1,anna,desc_alignment,99\n")
    off = cli("certify", "--judge", server.judge(), folder, "--ratings", "off.csv", *QUIET)
    assert off.code == 2
    assert "off.csv:2, value" in off.err, "the one cell there is is named, also where nothing is left"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--ratings", "r.csv"), "there is no benchmark that the ratings are of"),
        (("--limit", "3"), "the suite on the sample is fixed"),
        (("no/such",), "no"),
        (("--judge", "nonsense"), "judge"),
    ],
)
def test_bad_input_is_one_clear_line(cli: Cli, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    (tmp_path / "r.csv").write_text("task_id,rater,criterion,value\n1,a,desc_alignment,3\n")
    done = cli("certify", *arguments, *STORE)
    assert done.code == 2
    assert told in done.err
    assert len(done.err.splitlines()) == 1


def test_the_offline_scorer_is_certified_and_its_score_tells_so(cli: Cli) -> None:
    done = cli("certify", *QUIET)
    assert done.code == 0
    assert "offline (heuristic)" in done.out.splitlines()[0]
    text = cli("score", "sample/library", *QUIET).out
    assert "How far offline can be trusted" in text
    assert "corrected for the measured error" in " ".join(text.split())


def test_the_gate_tells_the_certificate_and_may_demand_one(cli: Cli, server: VendorServer, tmp_path: Path) -> None:
    config, judge = tmp_path / "bench-audit.toml", server.judge()
    config.write_text("[gate]\ncertificate = { max_age_days = 30 }\nseverity.error.fail_above = 999\n")
    gate = ("gate", "sample/library", "--judge", judge, *QUIET, "--limit", "2")
    uncertified = cli(*gate)
    assert uncertified.code == 1
    assert "not certified: run bench-audit certify" in " ".join(uncertified.out.split())

    cli("certify", "--judge", judge, *QUIET)
    certified = cli(*gate, "--format", "json")
    assert certified.code == 0
    schema("gate-1.json").validate(certified.json)
    (held,) = (each for each in certified.json["criteria"] if each["kind"] == "certificate")
    assert (held["name"], held["level"]) == (judge, "pass")
    assert f"Certificate of {judge}" in " ".join(cli(*gate).out.split())
    later = cli(*gate, "--today", "2999-01-01")
    assert later.code == 1
    assert "more than 30" in " ".join(later.out.split())

    server.always(answer_as("another-model"))
    changed = cli(*gate, "--fresh")
    assert changed.code == 1
    assert "another-model answered" in " ".join(changed.out.split())


def test_an_incomplete_certificate_makes_the_gate_incomplete(cli: Cli, server: VendorServer, tmp_path: Path) -> None:
    (tmp_path / "bench-audit.toml").write_text("[gate]\ncertificate = true\n")
    cli("certify", "--judge", server.judge(), *QUIET, "--max-calls", "300")
    done = cli("gate", "sample/library", "--judge", server.judge(), *QUIET, "--limit", "2")
    assert done.code == 3
    assert "the certificate is incomplete" in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("certificate = 3", "can't be read"),
        ("certificate = { max_age_days = -1 }", "no number of days"),
        ("certificate = true", "there is no judge to be certified"),
        ("certificate = false", "no thresholds"),
    ],
)
def test_a_demand_that_makes_no_sense_is_refused(cli: Cli, tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "bench-audit.toml").write_text(f"[gate]\n{line}\n")
    done = cli("gate", "sample/library", *QUIET)
    assert done.code == 2
    assert told in done.err
