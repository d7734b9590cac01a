"""The measurement of offline extraction, on the sets whose documents are ours."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from scripts.measure_extraction import main, measure, to_markdown
from tests.conftest import REPO


def test_our_own_documents_are_measured_and_shown_in_the_docs_as_they_are() -> None:
    measured = list(measure(None))
    assert {"pararecover", "sample-gym", "sample-library"} <= {name for name, _ in measured}
    shown = (REPO / "docs" / "policies.md").read_text(encoding="utf-8").splitlines()
    for row in to_markdown(measured).splitlines()[2:]:
        assert row in shown, "run scripts.measure_extraction with --write docs/policies.md"


def test_the_table_in_the_docs_is_the_one_that_real_documents_give(real_data: Path) -> None:
    shown = (REPO / "docs" / "policies.md").read_text(encoding="utf-8")
    assert to_markdown(list(measure(real_data))) in shown, (
        "run scripts.measure_extraction with --write docs/policies.md"
    )


def test_the_table_is_written_between_the_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- measured: begin -->\nold\n<!-- measured: end -->\nb\n")
    done = CliRunner().invoke(main, ["--write", str(page)])
    assert done.exit_code == 0, done.output
    assert "| `sample-library` |" in page.read_text()
    assert "old" not in page.read_text()
