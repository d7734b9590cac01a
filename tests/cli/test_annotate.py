"""``annotate`` as a user runs it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli

SAMPLE = "sample/library"


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text())))


def fill(path: Path, target: Path, **cells: str) -> Path:
    rows = rows_of(path)
    for row in rows:
        row.update(cells)
    with target.open("w", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return target


def test_precision_is_told_before_anything_is_written(cli: Cli, tmp_path: Path) -> None:
    got = cli("annotate", "export", SAMPLE, "--n", 12, "--dry-run")

    assert got.code == 0
    assert "12 of 42 tasks drawn with seed 0" in got.out
    assert "agreement 0.5: Kendall tau_b 0.09 to 0.76" in got.out
    assert not list(tmp_path.glob("sheet*"))
    assert "undefined (needs 5 tasks" in cli("annotate", "export", SAMPLE, "--n", 1, "--dry-run").out
    assert "that is all that can be rated" in cli("annotate", "export", SAMPLE, "--n", 99, "--dry-run").out


def test_from_sheets_to_ratings_to_a_settled_dispute_to_agreement(cli: Cli, tmp_path: Path) -> None:
    exported = cli("annotate", "export", SAMPLE, "--n", 6, "--raters", "anna,ben", "--out", "sheet.csv")
    assert exported.code == 0, exported.err
    assert "no item" not in (tmp_path / "sheet.anna.csv").read_text().lower().splitlines()[0]
    fill(tmp_path / "sheet.anna.csv", tmp_path / "anna.csv", desc_alignment="9", policy_violations="none")
    fill(tmp_path / "sheet.ben.csv", tmp_path / "ben.csv", desc_alignment="2", policy_violations="none")

    imported = cli("annotate", "import", "anna.csv", "ben.csv", "--out", "ratings.csv")
    assert imported.code == 0, imported.err
    assert "anna: 12 of 18 questions answered" in imported.err
    assert len(rows_of(tmp_path / "ratings.csv")) == 24

    listed = cli("annotate", "adjudicate", "ratings.csv", "--key", "sheet.key.json", "--out", "settle.csv")
    assert listed.code == 0, listed.err
    assert "6 of 12 questions with several answers: raters part; the widest first." in listed.out
    settle = rows_of(tmp_path / "settle.csv")
    assert settle[0]["given"] == "desc_alignment: 2 | 9"
    fill(tmp_path / "settle.csv", tmp_path / "settled.csv", desc_alignment="8")
    got = cli("annotate", "import", "settled.csv", "--key", "settle.key.json", "--out", "final.csv")
    assert got.code == 0, got.err
    assert {row["rater"] for row in rows_of(tmp_path / "final.csv")} == {"adjudicated"}

    again = cli("annotate", "adjudicate", "ratings.csv", "--out", "settle.csv", "--force")
    assert again.code == 0, "the key of the settling sheet, which lies beside, is not taken for the rated one's"

    judged = cli("study", "agreement", SAMPLE, "--ratings", "ratings.csv", "--ratings", "final.csv", "--limit", 42)
    assert judged.code == 0, judged.err
    assert "adjudicated" in judged.out


def test_bad_cells_are_named_each_on_its_line_and_nothing_is_written(cli: Cli, tmp_path: Path) -> None:
    cli("annotate", "export", SAMPLE, "--n", 2, "--raters", "anna", "--out", "sheet.csv")
    fill(tmp_path / "sheet.anna.csv", tmp_path / "bad.csv", desc_alignment="12")

    got = cli("annotate", "import", "bad.csv", "--out", "ratings.csv")

    assert got.code == 2
    assert got.err.splitlines() == [
        "Error: bad.csv:2, desc_alignment: '12' is no whole number from 1 to 10",
        "Error: bad.csv:3, desc_alignment: '12' is no whole number from 1 to 10",
        "2 bad cells; nothing was written. Mend them, or empty them to leave a gap",
    ]
    assert not (tmp_path / "ratings.csv").exists()
    unfilled = cli("annotate", "import", "sheet.anna.csv", "--out", "ratings.csv")
    assert (unfilled.code, "no question is answered" in unfilled.err) == (2, True)


def test_a_run_stratifies_the_draw_and_shows_no_score(cli: Cli, tmp_path: Path) -> None:
    judge = ("--judge", "scripted:seeded", "--quiet")
    cli("score", SAMPLE, *judge, "--metric", "desc_alignment", "--format", "json", "-o", "run.json")
    run: dict[str, Any] = json.loads((tmp_path / "run.json").read_text())

    got = cli("annotate", "export", SAMPLE, "--n", 9, "--run", "run.json", "--out", "sheet.html")

    assert got.code == 0, got.err
    assert "thirds of desc_alignment" in got.out
    assert "low score, test" in got.out
    page = (tmp_path / "sheet.html").read_text()
    assert "low score" not in page
    assert not any(verdict["reasons"][0] in page for verdict in run["verdicts"])
    assert not any(f'"{task["id"]}"' in page or f">{task['id']}<" in page for task in run["tasks"])


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("export", SAMPLE), "--out: no sheet is named"),
        (("export", SAMPLE, "--out", "sheet.pdf"), "a sheet's name ends in .html or .csv"),
        (("export", SAMPLE, "--out", "s.csv", "--raters", "a,a"), "a is named twice"),
        (("export", SAMPLE, "--out", "s.csv", "--raters", "../a"), "'../a' can't be part of a file's name"),
        (("export", SAMPLE, "--out", "s.csv", "--metric", "offline_match"), "people can't be asked about"),
        (("export", SAMPLE, "--out", "s.csv", "--policy-items", "none", "--metric", "violation_count"), "nothing can"),
        (("export", SAMPLE, "--out", "s.csv", "--run", "none.json"), "none.json"),
        (("import", "none.csv", "--out", "r.csv"), "none.csv"),
        (("import", "none.csv", "none.csv", "--out", "r.csv"), "none.csv: is given twice"),
        (("adjudicate", "none.csv"), "none.csv"),
    ],
)
def test_what_cant_be_done_is_one_line(cli: Cli, arguments: tuple[str, ...], problem: str) -> None:
    got = cli("annotate", *arguments)

    assert got.code == 2
    assert problem in got.err
    assert len(got.err.splitlines()) == 1


def test_files_that_are_there_are_replaced_only_on_demand(cli: Cli) -> None:
    export = ("annotate", "export", SAMPLE, "--n", 2, "--out", "sheet.html")
    assert cli(*export).code == 0
    again = cli(*export)
    assert (again.code, "is there already" in again.err) == (2, True)
    assert cli(*export, "--force").code == 0


def test_a_run_of_something_else_or_without_scores_is_refused(cli: Cli, tmp_path: Path) -> None:
    cli("score", SAMPLE, "--limit", 1, "--format", "json", "-o", "run.json")
    run = json.loads((tmp_path / "run.json").read_text())
    run["scores"] = []
    (tmp_path / "empty.json").write_text(json.dumps(run))
    export = ("annotate", "export", SAMPLE, "--dry-run", "--run")
    assert "has no scores to draw by" in cli(*export, "empty.json").err
    (one,) = (task["id"] for task in run["tasks"])
    others = [task["id"] for task in cli("check", SAMPLE, "--format", "json").json["tasks"] if task["id"] != one]
    assert "has none of these tasks" in cli(*export, "run.json", "--tasks", ",".join(others[:3])).err


def test_disputes_are_told_as_csv_and_json_and_what_is_no_dispute_is_said(cli: Cli, tmp_path: Path) -> None:
    head = "task_id,rater,criterion,value\n"
    (tmp_path / "r.csv").write_text(f"{head}1,a,desc_alignment,9\n1,b,desc_alignment,8\n2,a,desc_alignment,1\n")
    (tmp_path / "one.csv").write_text(f"{head}1,a,desc_alignment,9\n")
    (tmp_path / "bad.csv").write_text(f"{head}1,a,desc_alignment,99\n")

    assert cli("annotate", "adjudicate", "r.csv", "--format", "json").json["disagreements"][0]["task_id"] == "1"
    assert cli("annotate", "adjudicate", "r.csv", "--format", "csv", "-o", "d.csv").code == 0
    assert rows_of(tmp_path / "d.csv")[0]["answers"] == "a: 9 | b: 8"
    nothing = cli("annotate", "adjudicate", "r.csv", "--least", "0.5", "--out", "s.html")
    assert (nothing.code, "Nothing is to be settled" in nothing.err) == (0, True)
    assert "no question has two answers" in cli("annotate", "adjudicate", "one.csv").err
    assert "bad.csv:2, value" in cli("annotate", "adjudicate", "bad.csv").err
    assert "no key here has these tasks" in cli("annotate", "adjudicate", "r.csv", "--out", "s.html").err


def test_a_rater_who_stands_in_two_files_with_the_same_task_is_no_dispute_but_a_fault(cli: Cli) -> None:
    Path("a.csv").write_text("task_id,desc_alignment:anna\nlib_01,7\n")
    Path("b.csv").write_text("task_id,desc_alignment:anna,desc_alignment:ben\nlib_01,2,7\n")
    done = cli("annotate", "adjudicate", "a.csv", "b.csv")

    assert done.code == 2
    assert "b.csv:2, desc_alignment:anna: anna rated task lib_01 on desc_alignment before, at a.csv:2" in done.err
