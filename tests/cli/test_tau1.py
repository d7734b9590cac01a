"""τ1 from the command line: hand-made tasks, and the published ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.loaders.trams import call, task, write_domain


def test_tasks_in_python_are_checked_shown_scored_gated_and_written_back(cli: Cli, tmp_path: Path) -> None:
    folder = write_domain(tmp_path / "in", test=[task(outputs=["1,000"]), task(), task(actions=[call("fly", x=1)])])
    checked = cli("check", folder, "--fail-on", "error")
    assert checked.code == 1
    assert "communicate-with-comma [proved]  in/tasks_test.py:10 task 0 outputs[0]" in checked.out
    shown = cli("show", folder, "0", "--judge-prompt", "desc_alignment")
    assert "(tasks_test.py task 0 instruction)" in shown.out
    scored = cli("score", folder, "--judge", "scripted:seeded", "--store", "s.db", "--report", "r.html", "-q")
    assert (scored.code, "3 of 3 tasks" in scored.out) == (0, True)
    (tmp_path / "gate.toml").write_text("[gate.severity]\nerror = { fail_above = 0 }\n")
    assert cli("gate", folder, "--config", "gate.toml").code == 1
    exported = cli("export", folder, "--keep", "severity<error", "--out", "out")
    assert (exported.code, "kept 1 of 3 tasks" in exported.out) == (0, True)
    again = cli("show", "out", "1", "--judge-prompt", "desc_alignment")
    assert "(tasks_test.py task 1 instruction)" in again.out


@pytest.mark.parametrize(("domain", "n_tasks", "split"), [("airline", 50, None), ("retail", 115, "dev")])
def test_the_published_domains_are_checked_shown_scored_and_exported_by_name(
    cli: Cli, real_data: Path, domain: str, n_tasks: int, split: str | None
) -> None:
    name, place = f"tau1/{domain}", ("--data-dir", real_data)
    checked = cli("check", name, *place, "--format", "json")
    assert (checked.code, checked.json["benchmark"]["n_tasks"]) == (0, n_tasks)
    scored = cli("score", name, *place, "--store", "s.db", "--report", "r.html")
    assert scored.code == 0
    assert f"{n_tasks} of" in scored.out
    shown = cli("show", name, "0", *place)
    assert (shown.code, shown.out.count("what the ")) == (0, 3)
    chosen = () if split is None else ("--split", split)
    exported = cli("export", name, *place, *chosen, "--keep", "severity<error", "--out", "out")
    assert exported.code == 0
    assert cli("check", "out", "--fail-on", "error").code == 0
