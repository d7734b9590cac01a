"""Low scores' reasons in groups, and a codebook that a reviewer changes."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.judges.reply import MAX_REASON_CHARACTERS
from audit.records.codebook import Codebook, LowReason
from audit.records.study import Estimate
from audit.records.verdict import VerdictState
from audit.stats.grouping import QUICK
from audit.studies.codebook import COLUMNS, START, read_codebook, write_codebook
from audit.studies.pattern_groups import Patterns, collect_reasons, group_reasons
from audit.studies.pattern_names import PATTERN_NAME
from audit.studies.patterns import revise, study_patterns
from tests import builders
from tests.reports import runs
from tests.studies.low_reasons import REASONS
from tests.studies.model_reasons import MODEL_REASONS


def reasons(n: int = len(REASONS)) -> list[LowReason]:
    return [LowReason(text, f"t{number}", "j", "desc_alignment", 4.0) for number, (_, text) in enumerate(REASONS[:n])]


def where(patterns: Patterns, text: str) -> str:
    assert patterns.grouping is not None
    place = next(n for n, each in enumerate(patterns.reasons) if text in each.text)
    return patterns.codes[patterns.grouping.labels[place]].id


def revised(path: Path, codebook: Codebook, change: Callable[[list[dict[str, str]]], None]) -> Path:
    rows = list(csv.DictReader(io.StringIO(write_codebook(codebook).decode())))
    change(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(out.getvalue())
    return path


def test_most_reasons_join_the_group_that_a_reader_would_put_them_in_and_the_rest_is_found() -> None:
    found = group_reasons(reasons(), START, seed=0)

    assert found.grouping is not None
    ids = [found.codes[label].id for label in found.grouping.labels]
    known = {code.id for code in START.codes}
    right = [
        id == kind if kind in known else id.startswith("found-") for id, (kind, _) in zip(ids, REASONS, strict=True)
    ]
    assert sum(right) / len(right) >= 0.8
    assert where(found, "French speaking") != where(found, "Saturday")


def as_reasons(pairs: Sequence[tuple[str, str]]) -> list[LowReason]:
    return [LowReason(text, f"m{number}", "j", "desc_alignment", 4.0) for number, (_, text) in enumerate(pairs)]


def ids_of(patterns: Patterns) -> list[str]:
    assert patterns.grouping is not None
    return [patterns.codes[label].id for label in patterns.grouping.labels]


def test_reasons_at_a_models_length_are_grouped_fairly_steadily_and_faults_of_no_code_are_found_together() -> None:
    found = group_reasons(as_reasons(MODEL_REASONS), START, seed=0, redraws=QUICK)

    known = {code.id for code in START.codes}
    ids = ids_of(found)
    right = [id == kind for id, (kind, _) in zip(ids, MODEL_REASONS, strict=True) if kind in known]
    assert sum(right) / len(right) > 0.6
    assert found.stability is not None
    assert found.stability.draws > 0.6
    assert found.stability.seeds > 0.6
    sums = [id for id, (kind, _) in zip(ids, MODEL_REASONS, strict=True) if kind == "arithmetic"]
    assert all(id.startswith("found-") for id in sums)
    assert max(map(sums.count, sums)) >= 4


def test_what_a_reviewer_placed_puts_later_reasons_right(tmp_path: Path) -> None:
    everything = [*MODEL_REASONS, *REASONS]
    seen, later = everything[::2], everything[1::2]
    kind_of = {text: kind for kind, text in seen}
    first = group_reasons(as_reasons(seen), START, seed=0, redraws=QUICK)
    known = {code.id for code in START.codes}

    def review(rows: list[dict[str, str]]) -> None:
        blank = dict.fromkeys(COLUMNS, "")
        new = dict.fromkeys(kind for kind in kind_of.values() if kind not in known)
        rows[:] = [row for row in rows if row["row"] == "reason" or row["group"] in known]
        rows += [{**blank, "row": "group", "group": kind, "name": kind} for kind in new]
        for row in rows:
            if row["row"] == "reason":
                row["group"] = kind_of[row["reason"]]

    book, bad = read_codebook(revised(tmp_path / "codes.csv", revise(first, START), review))
    again = group_reasons(as_reasons(later), book, seed=0, redraws=QUICK)

    assert bad == []
    right = [id == kind for id, (kind, _) in zip(ids_of(again), later, strict=True)]
    assert sum(right) / len(right) > 0.75
    before = ids_of(group_reasons(as_reasons(later), START, seed=0, redraws=QUICK))
    assert sum(right) > sum(id == kind for id, (kind, _) in zip(before, later, strict=True))


def test_a_study_tells_counts_typical_tasks_and_how_steady_its_groups_are() -> None:
    patterns = group_reasons(reasons(), START, seed=0)
    study = study_patterns(runs.small(), patterns, below=7, settings={"seed": 0})

    groups = study.tables[0]
    assert sum(int(str(row.cells[2])) for row in groups.rows) == len(REASONS)
    assert all(isinstance(row.cells[7], Estimate) for row in groups.rows)
    assert "36 reasons of 36 scores below 7 on 36 tasks" in study.summary[0]
    assert "adjusted Rand index 0." in study.summary[2]
    assert len(study.tables[2].rows) == len(REASONS)


def test_fewer_than_five_reasons_are_listed_and_not_grouped() -> None:
    patterns = group_reasons(reasons(4), START, seed=0)
    study = study_patterns(runs.small(), patterns, below=7, settings={})

    assert study.summary == ("Too few to group: 4 reasons; grouping needs 5. They are listed one by one.",)
    assert study.tables[0].rows == ()
    assert [row.cells[0] for row in study.tables[2].rows] == ["not grouped"] * 4
    assert study.figures == ()
    assert revise(patterns, START) == START
    assert patterns.found() == {}


def test_only_low_scores_of_the_chosen_criteria_give_reasons_and_each_once() -> None:
    verdicts = (
        builders.verdict("a", score=6.0, reasons=("low", "low", " ")),
        builders.verdict("a", score=6.0, reasons=("low",), trial=1),
        builders.verdict("b", score=7.0, reasons=("not low",)),
        builders.verdict("c", score=2.0, reasons=("other",), criterion="policy_alignment"),
        builders.verdict("d", state=VerdictState.MALFORMED),
        builders.verdict("e", violated=["P01"], reasons=("no score",)),
    )
    run = runs.result(runs.benchmark(runs.task(0)), verdicts=verdicts)

    found = collect_reasons(run, criteria=["desc_alignment"], below=7)

    assert [(each.text, each.task_id) for each in found] == [("low", "a")]


def test_a_reviewer_renames_merges_and_moves_and_later_runs_keep_to_it(tmp_path: Path) -> None:
    patterns = group_reasons(reasons(), START, seed=0)
    book = revise(patterns, START)
    weekday = where(patterns, "Saturday is named")

    def change(rows: list[dict[str, str]]) -> None:
        for row in rows:
            if row["group"] == weekday and row["row"] == "group":
                row.update(name="Wrong weekday")
            if row["group"] == "compensation" and row["row"] == "group":
                row["into"] = "forbidden-act"
            if row["reason"].startswith("Nobody asks"):
                row["group"] = "not-gathered"

    found, bad = read_codebook(revised(tmp_path / "codes.csv", book, change))
    assert bad == []
    again = group_reasons(
        [*reasons(), LowReason("The weekday is not that of the calendar.", "new", "j", "desc_alignment", 2.0)],
        found,
        seed=1,
    )

    assert {code.id: code.name for code in again.codes}[weekday] == "Wrong weekday"
    assert "compensation" not in {code.id for code in again.codes}
    assert where(again, "A refund in the wrong amount") == "forbidden-act"
    assert where(again, "Nobody asks") == "not-gathered"
    assert where(again, "not that of the calendar") == weekday
    assert again.stability is None
    assert "1 reasons are not placed" in again.unsteady
    assert len(revise(again, found).placed) == len(REASONS) + 1


def test_reasons_that_a_later_run_lacks_stay_in_the_codebook_and_draw_what_is_like_them(tmp_path: Path) -> None:
    book = revise(group_reasons(reasons(), START, seed=0), START)
    found, _ = read_codebook(revised(tmp_path / "codes.csv", book, lambda rows: None))
    fresh = [LowReason(f"A calendar weekday is off by {word}.", "x", "j", "desc_alignment") for word in "abcdef"]

    again = group_reasons(fresh, found, seed=0)

    assert again.grouping is not None
    assert len(again.grouping.labels) == 6
    assert where(again, "off by a") == where(group_reasons(reasons(), START, seed=0), "Saturday")
    assert len(revise(again, found).placed) == len(REASONS) + 6


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"row": "x"}, ":2, row: is neither 'group' nor 'reason'"),
        ({"name": ""}, ":2, name: is empty"),
        ({"into": "nowhere"}, ":2, into: there is no group 'nowhere'; allowed: "),
        ({"into": "made-up-step"}, ":2, into: made-up-step would be merged into itself"),
        ({"group": "Not An Id"}, ":2, group: 'Not An Id' is no id; allowed: lower case letters, digits, hyphens"),
        ({"group": "compensation"}, ":5, group: 'compensation' stands in two rows"),
    ],
)
def test_a_bad_cell_of_a_codebook_is_named(tmp_path: Path, change: dict[str, str], problem: str) -> None:
    path = revised(tmp_path / "codes.csv", START, lambda rows: rows[0].update(change))

    _, bad = read_codebook(path)

    assert str(bad[0]).removeprefix(str(path)).startswith(problem)


def test_merges_in_a_circle_and_reasons_of_no_group_are_named(tmp_path: Path) -> None:
    def change(rows: list[dict[str, str]]) -> None:
        rows[0]["into"], rows[1]["into"] = rows[1]["group"], rows[0]["group"]
        rows.append({**dict.fromkeys(COLUMNS, ""), "row": "reason", "group": "gone", "reason": "x"})

    _, bad = read_codebook(revised(tmp_path / "codes.csv", START, change))
    assert [each.column for each in bad] == ["into", "into", "group"]


@pytest.mark.parametrize("content", [b"", b"a,b\n", b"\xff", b'"a"b'])
def test_what_is_no_codebook_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "codes.csv"
    path.write_bytes(content)
    with pytest.raises(LoadError, match=r"codes\.csv: (has no column|is no CSV)"):
        read_codebook(path)
    path.write_text(",".join(COLUMNS) + "\n")
    with pytest.raises(LoadError, match="has no groups"):
        read_codebook(path)


def test_more_groups_than_anybody_reads_are_refused(tmp_path: Path) -> None:
    def change(rows: list[dict[str, str]]) -> None:
        rows += [{**dict.fromkeys(COLUMNS, ""), "row": "group", "group": f"g{n}", "name": "x"} for n in range(200)]

    with pytest.raises(LoadError, match="has more than 200 groups"):
        read_codebook(revised(tmp_path / "codes.csv", START, change))


def test_a_name_is_read_strictly_and_cut() -> None:
    read = PATTERN_NAME.read('{"about": "What it holds.", "name": "' + "n" * 5000 + '"}', builders.policy(), where="x")
    assert len(read.reasons[0]) == MAX_REASON_CHARACTERS
    assert PATTERN_NAME.undefined_reason(builders.task(description=" "), builders.policy(), behavior=frozenset())
