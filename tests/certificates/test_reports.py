"""What every report prints of a run's certificates."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from audit.certified import hold_certificates, identities
from audit.pipeline import score_benchmark
from audit.records.run import RunResult
from audit.records.verdict import Trust
from audit.reports import badge, to_csv, to_html, to_markdown
from audit.reports.certificate_words import head_notes
from audit.store import Store
from tests.certificates.conftest import ground_of, sample
from tests.reports.parsed import Element, parse


@pytest.fixture(scope="module")
def run(store_path: Path, issued: object) -> RunResult:
    """A run of two certified judges on the sample."""
    with Store(store_path) as store:
        ground = ground_of(store, "perfect", "obeying", trials=1)
        result = score_benchmark(sample(), ground.settings, panel=ground.panel, store=store)
        return hold_certificates(result, identities(ground.panel.providers), store=store)


def page(result: RunResult) -> Element:
    return parse(to_html.render(result))


def test_the_card_is_short_and_the_table_below_has_a_row_a_judge_and_metric(run: RunResult) -> None:
    shown = page(run)
    names = [term.text for term in shown.all(cls="trust-card")[0].all("dt")]
    assert names.count("Flawed tasks") == 4
    assert "Changes of form" not in names
    assert "Planted defects" not in names, "of two judges, the table alone has them"
    box = shown.one("certificates")
    heads = [cell.text for cell in box.all("th")]
    rows = [dict(zip(heads, [cell.text for cell in row.children], strict=True)) for row in box.all("tr")[1:]]
    assert len(rows) == 6
    assert all("scripted (not a real judge)" in row["Judge"] for row in rows)
    perfect, obeying = rows[0], rows[3]
    assert (perfect["About"], perfect["AUROC"].split()[0], perfect["Caught"].split()[0]) == (
        "description",
        "1.00",
        "100.0%",
    )
    assert perfect["Form moves"].startswith("0 of ")
    assert perfect["Orders move"].startswith("0.0%")
    assert obeying["Orders move"].startswith("100.0%")
    assert rows[2]["AUROC"] == "–", "violated items have none"
    told = [term.text for term in box.all("dt")]
    assert {"Labels", "Not measured", "Asked as", "Answered", "Prompts", "Suite"} <= set(told)


def test_one_judge_alone_has_its_planted_defects_in_the_card(run: RunResult) -> None:
    alone = replace(run, certificates=run.certificates[:1])
    names = [term.text for term in page(alone).all(cls="trust-card")[0].all("dt")]
    assert names.count("Planted defects") == 1


def test_a_run_without_certificates_has_no_table(run: RunResult) -> None:
    none = replace(run, certificates=tuple(replace(each, certificate=None) for each in run.certificates))
    assert "id=certificates" not in to_html.render(none).decode().replace('"', "")


def test_markdown_tells_the_head_and_folds_the_rest(run: RunResult) -> None:
    text = to_markdown.render(run).decode()
    assert "**How far `test:perfect` can be trusted**" in text
    assert text.count("- Flawed tasks: ") == 4
    assert text.index("- Flawed tasks: ") < text.index("<details>") < text.index("- Planted defects: ")
    assert text.count("<summary>What was measured of it</summary>") == 2
    assert text.count("<details>") == text.count("</details>")


def test_the_table_of_tasks_tells_each_judge_s_certificate_in_every_row(run: RunResult) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv.render(run).decode())))
    assert len(rows) == 42
    cells = {row["certificate test:perfect"] for row in rows}
    assert len(cells) == 1
    assert "of 42 tasks flawed by description (≤ 6); corrected for the measured error" in cells.pop()


def test_a_badge_says_whether_a_real_judge_is_certified(run: RunResult) -> None:
    assert "certified" not in badge.message_of(run), "a scripted judge is none"
    real = replace(run, scores=tuple(replace(score, trust=Trust.MODEL) for score in run.scores))
    assert badge.message_of(real).endswith(", certified judge")
    first, second = run.certificates
    assert badge.message_of(replace(real, certificates=(first, replace(second, certificate=None)))).endswith(
        ", judge not certified"
    )
    assert "certified" not in badge.message_of(replace(real, certificates=()))


def test_studies_tell_in_a_sentence_how_their_judges_are_certified(run: RunResult) -> None:
    first, second = head_notes([run, run])
    assert first.startswith("Certificate of test:perfect: suite 2, ")
    assert second.startswith("Certificate of test:obeying: ")
