"""Plans to repair, from the command line: hand-made ones, and the shared samples of ParaRecover."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.plans import kiosk


def test_plans_are_checked_shown_scored_and_written_back(cli: Cli, tmp_path: Path) -> None:
    wrong = kiosk.record(id=8, tag="必要参数缺失")
    file = kiosk.write(tmp_path / "in" / kiosk.FILE, kiosk.record(), wrong)
    checked = cli("check", file, "--fail-on", "error")
    assert checked.code == 1
    assert "kiosk.jsonl:2 task 8 tag" in checked.out
    shown = cli("show", file, "8", "--judge-prompt", "desc_alignment")
    assert "| 必要参数缺失 (Parameter_Missing)\n" in shown.out
    assert "⟦plan 2⟧\n" in shown.out
    assert "(kiosk.jsonl task 8 plan.tasks[2])" in shown.out
    scored = cli("score", file, "--judge", "scripted:seeded", "--store", "s.db", "--report", "r.html", "-q")
    assert scored.code == 0
    assert "27 policy items" in scored.out
    assert "plan.tasks[2]" in Path("r.html").read_text(encoding="utf-8")
    exported = cli("export", file, "--keep", "severity<error", "--out", "out")
    assert (exported.code, "kept 1 of 2 tasks" in exported.err + exported.out) == (0, True)
    again = cli("check", "out", "--fail-on", "error")
    assert (again.code, "1 task" in again.out) == (0, True)


@pytest.mark.parametrize("domain", ["level-1-real", "level-1-augmented", "level-2-real"])
def test_the_shared_samples_are_checked_shown_and_scored_by_name(cli: Cli, real_data: Path, domain: str) -> None:
    place = ("--data-dir", real_data / "pararecover")
    checked = cli("check", f"pararecover/{domain}", *place, "--format", "json")
    assert checked.code == 0
    found = checked.json["findings"]
    rules = {one["rule"] for one in found if one["severity"] == "error"}
    assert rules <= {"plan-tag-contradicted"}
    scored = cli("score", f"pararecover/{domain}", *place, "--store", "s.db", "--report", "r.html")
    assert scored.code == 0
    assert "a sample of db0e010a30f1" in scored.out
    task_id = next(one["task_id"] for one in found if one["task_id"])
    shown = cli("show", f"pararecover/{domain}", task_id, *place)
    assert shown.code == 0
    assert shown.out.count("what the ") == 3
