"""A team's spreadsheet, audited from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.loaders.sheets import HEADINGS, rows, write

SHEET = rows(
    ("A1", "You want a refund for a ticket that you used.", "The agent refuses.", "refund"),
    ("A2", "You want to give your booking to a friend.", "", "name"),
    headings=("Case", "User story", "Expected result", "Tags"),
)


def test_one_command_audits_a_spreadsheet(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, SHEET, policy=None)
    (tmp_path / "rules.md").write_text("Used tickets are not refunded.")
    mapped = ("--policy", "rules.md", "--map", "description=User story", "--map", "behavior=expected result")
    scored = cli(
        "score", "cases.csv", *mapped, "--judge", "scripted:seeded", "--store", "s.db", "--report", "r.html", "-q"
    )
    assert scored.code == 0
    assert "2 of 2 tasks" in scored.out
    page = Path("r.html").read_text(encoding="utf-8")
    assert "description: User story, behavior: Expected result, id: Case, tags: Tags" in page
    assert "Prompt variant" in page
    shown = cli("show", "cases.csv", "A1", *mapped, "--judge-prompt", "desc_alignment")
    assert "(cases.csv task A1 User story)" in shown.out
    assert "audit/prompts/desc_alignment.tau.md" in shown.out
    other = cli("show", "cases.csv", "A1", *mapped, "--judge-prompt", "desc_alignment", "--style", "workflow")
    assert "audit/prompts/desc_alignment.workflow.md" in other.out


def test_guessed_columns_are_said_and_findings_have_rows(
    cli: Cli, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path, SHEET)
    checked = cli("check", "cases.csv")
    assert checked.code == 0
    assert "no-criteria [proved]  cases.csv:3 task A2" in checked.out
    (said,) = caplog.messages
    assert "description from 'User story', expected behavior from 'Expected result'" in said
    assert "judged as outcomes" in said


def test_a_table_is_gated_compared_and_exported(cli: Cli, tmp_path: Path) -> None:
    write(tmp_path, SHEET)
    (tmp_path / "gate.toml").write_text("[gate.severity]\nwarning = { fail_above = 0 }\n")
    assert cli("gate", "cases.csv", "--config", "gate.toml").code == 1
    exported = cli("export", "cases.csv", "--keep", "severity<warning", "--out", "kept")
    assert (exported.code, "kept 1 of 2 tasks" in exported.out) == (0, True)
    assert cli("check", "kept", "--fail-on", "warning").code == 0
    compared = cli("compare", "cases.csv", "kept")
    assert compared.code == 0
    assert "A2" in compared.out
    again = cli("export", "cases.csv", "--keep", "severity<warning", "--out", "kept", "--force")
    assert again.code == 0


def test_columns_can_be_set_in_the_settings_file_and_in_a_variable(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, rows(("1", "Go.", "Gone."), headings=("n", "what is said", "then")))
    refused = cli("check", "cases.csv")
    assert refused.code == 2
    assert refused.err == (
        "Error: cases.csv: no column holds the description (columns: 'n', 'what is said', 'then'). "
        "Name it with --map description=COLUMN.\n"
    )
    (tmp_path / "bench-audit.toml").write_text('[check]\nmap = ["description=what is said", "behavior=then"]\n')
    assert cli("check", "cases.csv").code == 0
    (tmp_path / "bench-audit.toml").unlink()
    monkeypatch.setenv("BENCH_AUDIT_CHECK_MAP", "description=what is said;behavior=then")
    assert cli("check", "cases.csv").code == 0


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--map", "x=y"), "--map: a task has no 'x'."),
        (("--map", "description"), "is no FIELD=COLUMN"),
        (("--map", "behavior=Resultat"), "there is no column 'Resultat' for the expected behavior"),
        (("--style", "plan"), "'plan' is not one of 'tau', 'workflow'"),
    ],
)
def test_a_flag_that_can_t_be_meant_is_one_line(cli: Cli, tmp_path: Path, flags: tuple[str, str], words: str) -> None:
    write(tmp_path, rows(("1", "Go.", "Gone."), headings=HEADINGS))
    refused = cli("check", "cases.csv", *flags)
    assert (refused.code, refused.out, len(refused.err.splitlines())) == (2, "", 1)
    assert words in refused.err


def test_columns_of_a_known_format_are_not_mapped(cli: Cli) -> None:
    refused = cli("check", "sample/library", "--map", "id=x")
    assert (refused.code, "columns can't be mapped in the format 'tau'" in refused.err) == (2, True)
