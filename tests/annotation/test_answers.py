"""Filled sheets: what is taken, and how each bad cell is named."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from audit.annotation.answers import find_doubled, read_answers
from audit.annotation.csv_sheet import write_guide, write_sheet
from audit.annotation.key_file import find_keys, read_key, write_key
from audit.annotation.making import copy_for
from audit.errors import LoadError
from audit.records.annotation import Sheet
from tests.annotation import sheets

Fill = Callable[[list[dict[str, str]]], None]


def filled(path: Path, sheet: Sheet, fill: Fill, *, rater: str = "anna") -> Path:
    rows = list(csv.DictReader(io.StringIO(write_sheet(sheet, rater=rater).decode())))
    fill(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(out.getvalue())
    return path


def problems(path: Path, sheet: Sheet, *, rater: str = "") -> list[str]:
    return [str(bad).removeprefix(str(path)) for bad in read_answers(path, {sheet.id: sheet}, rater=rater)[1]]


def test_a_sheet_is_blind_shows_what_a_judge_sees_and_comes_back(tmp_path: Path) -> None:
    sheet = sheets.sheet()

    def fill(rows: list[dict[str, str]]) -> None:
        assert not any("task-" in cell for row in rows for cell in row.values())
        assert all("cancel booking B1" in rows[0][name] for name in ("description", "expected_behavior", "rows"))
        rows[0].update(desc_alignment="8", policy_violations="p02; P01", comment="=odd, isn't it")
        rows[1].update(desc_alignment="10.0", policy_violations="None")

    found, bad = read_answers(filled(tmp_path / "s.csv", sheet, fill), {sheet.id: sheet}, rater="")

    first, second = copy_for(sheet, "anna")[:2]
    assert bad == []
    assert [(each.task_id, each.criterion, each.value) for each in found] == [
        (first.task_id, "desc_alignment", "8"),
        (first.task_id, "policy_violations", "P01; P02"),
        (second.task_id, "desc_alignment", "10"),
        (second.task_id, "policy_violations", "none"),
    ]
    assert found[0].comment == "=odd, isn't it"
    assert {each.rater for each in found} == {"anna"}


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ({"desc_alignment": "11"}, ":2, desc_alignment: '11' is no whole number from 1 to 10"),
        ({"desc_alignment": "0"}, ":2, desc_alignment: '0' is no whole number from 1 to 10"),
        ({"desc_alignment": "7.5"}, ":2, desc_alignment: '7.5' is no whole number from 1 to 10"),
        ({"policy_alignment": "good"}, ":2, policy_alignment: 'good' is no whole number from 1 to 10"),
        (
            {"policy_violations": "P01; P09"},
            ":2, policy_violations: 'P01; P09' names no item of the policy; allowed: none, or any of the 2 items P01 … "
            "P02, parted by semicolons",
        ),
        ({"policy_violations": ";"}, ":2, policy_violations: ';' names no item of the policy; allowed: none, or any"),
        ({"task": "T77"}, ":2, task: there is no task 'T77' in this sheet; allowed: T01 to T04"),
    ],
)
def test_a_bad_cell_is_named_by_file_row_and_column_with_what_is_allowed(
    tmp_path: Path, cells: dict[str, str], problem: str
) -> None:
    sheet = sheets.sheet()
    path = filled(tmp_path / "s.csv", sheet, lambda rows: rows[0].update(cells))

    (found,) = problems(path, sheet)

    assert found.startswith(problem)


def test_a_row_number_is_the_one_that_a_spreadsheet_shows(tmp_path: Path) -> None:
    sheet = sheets.sheet(sheets.made(text="one\ntwo\nthree"))
    path = filled(tmp_path / "s.csv", sheet, lambda rows: rows[2].update(desc_alignment="x"))

    assert problems(path, sheet)[0].startswith(":4, desc_alignment")


def test_nobody_named_is_a_bad_cell_unless_the_user_says_who_it_was(tmp_path: Path) -> None:
    sheet = sheets.sheet()
    path = filled(tmp_path / "s.csv", sheet, lambda rows: rows[0].update(desc_alignment="5"), rater="")

    assert problems(path, sheet)[0].startswith(":2, rater: nobody is named")
    assert problems(path, sheet, rater="ben") == []


def test_one_name_in_the_column_is_enough_and_two_leave_the_rest_open(tmp_path: Path) -> None:
    sheet = sheets.sheet()

    def one(rows: list[dict[str, str]]) -> None:
        rows[3]["rater"] = "carla"
        rows[0]["desc_alignment"] = "5"

    path = filled(tmp_path / "s.csv", sheet, one, rater="")
    assert [each.rater for each in read_answers(path, {sheet.id: sheet}, rater="")[0]] == ["carla"]

    def two(rows: list[dict[str, str]]) -> None:
        one(rows)
        rows[2]["rater"] = "dora"

    assert len(problems(filled(tmp_path / "t.csv", sheet, two, rater=""), sheet)) == 2


def test_the_same_question_answered_twice_is_refused_in_a_file_and_across_files(tmp_path: Path) -> None:
    sheet = sheets.sheet()

    def twice(rows: list[dict[str, str]]) -> None:
        rows[0]["desc_alignment"] = "5"
        rows[1].update(task=rows[0]["task"], desc_alignment="5")

    (problem,) = problems(filled(tmp_path / "s.csv", sheet, twice), sheet)
    assert problem.startswith(":3, desc_alignment: anna answered this before, at ")
    answers = [
        each
        for name in ("a.csv", "b.csv")
        for each in read_answers(
            filled(tmp_path / name, sheet, lambda rows: rows[0].update(desc_alignment="5")), {sheet.id: sheet}, rater=""
        )[0]
    ]
    (doubled,) = find_doubled(answers)
    assert doubled.file.endswith("b.csv")
    assert "a.csv:2" in doubled.what


def test_what_is_not_asked_may_not_be_answered(tmp_path: Path) -> None:
    sheet = sheets.sheet(sheets.made(n_items=0))
    assert [ask.criterion for ask in sheet.asks] == ["desc_alignment", "policy_alignment"]
    odd = sheets.saved(tmp_path / "a.json", sheet.id, {"task": "T01", "desc_alignment": 3, "policy_violations": []})
    assert [each.value for each in read_answers(odd, {sheet.id: sheet}, rater="")[0]] == ["3"]


def test_answers_as_the_page_saves_them_are_read_and_their_faults_named(tmp_path: Path) -> None:
    sheet = sheets.sheet()
    good = {"task": "T01", "desc_alignment": 7, "policy_alignment": None, "policy_violations": [], "comment": "x"}
    path = sheets.saved(tmp_path / "a.json", sheet.id, good, {"task": "T02", "desc_alignment": {"no": 1}})

    found, bad = read_answers(path, {sheet.id: sheet}, rater="")

    assert [(each.criterion, each.value) for each in found] == [("desc_alignment", "7"), ("policy_violations", "none")]
    assert [(each.line, each.column) for each in bad] == [(2, "desc_alignment")]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "has no column 'sheet'"),
        (b"sheet,rater,task,task\n", "two columns are called 'task'"),
        (b"sheet,task\n", "has no column 'rater'"),
        (b"\xff\xfe,", "is not UTF-8"),
        (b'sheet,rater,task\n"a"b,c,d\n', "is no CSV"),
        (b'{"format": "other"}', "holds no answers"),
        (b'{"format": "bench-audit/annotation", "format_version": 9, "answers": []}', "version that is not known"),
        (b'{"format": "bench-audit/annotation", "format_version": 1, "answers": [3]}', "answer 1 is no object"),
        (b"sheet,rater,task\nabc,anna,T01\n", "is of sheet 'abc', of which no key is here"),
    ],
)
def test_what_is_no_sheet_is_refused_in_one_line(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "s.csv"
    path.write_bytes(content)

    with pytest.raises(LoadError, match=problem):
        read_answers(path, {}, rater="")


def test_a_key_comes_back_and_one_that_was_changed_does_not(tmp_path: Path) -> None:
    sheet = sheets.sheet()
    path = tmp_path / "s.key.json"
    path.write_bytes(write_key(sheet, tool_version="1"))

    assert read_key(path) == sheet
    assert find_keys((), [tmp_path / "s.csv"]) == {sheet.id: sheet}
    path.write_text(path.read_text().replace("task-0", "task-9"))
    with pytest.raises(LoadError, match="was changed"):
        read_key(path)
    path.write_text('{"format": "bench-audit/run", "format_version": 1}')
    with pytest.raises(LoadError, match="is no key of a sheet"):
        read_key(path)
    path.write_text('{"format": "bench-audit/annotation-key", "format_version": 1}')
    with pytest.raises(LoadError, match=r"is no key of a sheet: .*Field required"):
        read_key(path)


def test_the_guide_has_the_rubric_of_the_prompt_and_the_marked_policy() -> None:
    guide = write_guide(sheets.sheet()).decode()

    assert "does the expected behavior fit the description?" in guide
    assert "- 10: no fault under any of the four criteria" in guide
    assert "⟦P01⟧Bookings can't be cancelled.⟦/P01⟧" in guide
    assert "Reply with a JSON object" not in guide
