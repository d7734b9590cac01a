"""Markdown of a run, a study, a comparison and a lineup, where it is longer than a comment may be."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from audit.compare.lineup import line_up
from audit.compare.sides import compare
from audit.records.comparison import Comparison
from audit.reports import comparison_markdown, lineup_markdown, study_markdown, to_markdown
from audit.reports.findings_markdown import LIMIT
from audit.reports.markdown_limit import fit
from tests.compare.made import score, snapshot
from tests.reports import runs, studies

COMMENT, SUMMARY = 65_536, 1_048_576
"""Characters of a comment on GitHub, bytes of a job's summary."""


def long_run() -> bytes:
    notes = tuple(f"note {n} {'漢' * 500}" for n in range(300))
    return to_markdown.render(replace(runs.panel(), notes=notes))


def long_study() -> bytes:
    study = studies.study()
    tables = tuple(replace(table, name=f"t{n}", title="t" * 300) for n in range(400) for table in study.tables)
    return study_markdown.render(replace(study, tables=tables, figures=()))


def many_scores() -> Comparison:
    own = tuple(score("desc_alignment", judge=f"openai:{n}{'x' * 70}") for n in range(400))
    models = {each.judge: ("m",) for each in own}
    return compare(snapshot(scores=own, models=models), snapshot(scores=own, models=models))


def long_comparison() -> bytes:
    return comparison_markdown.render(many_scores())


def long_lineup() -> bytes:
    side = many_scores().new
    return lineup_markdown.render(line_up((side, side, side)))


@pytest.mark.parametrize(
    "make", [long_run, long_study, long_comparison, long_lineup], ids=lambda make: str(make.__name__)
)
def test_long_markdown_is_cut_between_lines_and_says_how_much_is_missing(make: Callable[[], bytes]) -> None:
    content = make()
    text = content.decode()
    assert len(text) <= LIMIT < COMMENT
    assert len(content) < SUMMARY
    assert re.search(r"\n\*\*Cut here\*\*: [\d,]+ lines? more, [^\n]+\.\n$", text)
    assert text.count("<details") == text.count("</details>")


def test_what_fits_is_left_as_it_is() -> None:
    whole = "a line\n" * (LIMIT // 7)
    assert fit(whole, more="x") == whole
    cut = fit(f"{whole}{'b' * 7}\n", more="elsewhere")
    assert len(cut) <= LIMIT
    kept = cut.count("a line\n")
    assert cut.endswith(f"**Cut here**: {whole.count(chr(10)) + 1 - kept:,} lines more, elsewhere.\n")


def test_one_endless_line_is_left_out_whole() -> None:
    assert fit("x" * (LIMIT + 1), more="elsewhere") == "\n**Cut here**: 1 line more, elsewhere.\n"
