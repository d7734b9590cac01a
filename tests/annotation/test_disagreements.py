"""Where raters part, and the sheet that settles it."""

from __future__ import annotations

import json

import pytest

from audit.annotation.disagreements import find_disagreements, settle, to_csv, to_json, to_text
from audit.annotation.merging import remark, write_ratings
from audit.records.annotation import Answer
from audit.records.rating import Rating
from tests.annotation import sheets


def rating(rater: str, value: float, task_id: str = "t", criterion: str = "desc_alignment") -> Rating:
    return Rating(task_id, rater, criterion, value)


def chosen(rater: str, *items: str, task_id: str = "t") -> Rating:
    return Rating(task_id, rater, "policy_violations", float(len(items)), items=items)


def test_the_widest_gap_comes_first_and_agreement_is_left_out() -> None:
    found, n = find_disagreements(
        [
            *(rating("a", 8, "near"), rating("b", 7, "near")),
            *(rating("a", 10, "far"), rating("b", 1, "far"), rating("c", 5, "far")),
            *(rating("a", 4, "same"), rating("b", 4, "same")),
            rating("a", 4, "alone"),
            *(chosen("a", "P1", "P2"), chosen("b", "P2")),
            *(chosen("a", task_id="empty"), chosen("b", task_id="empty")),
            *(rating("a", 2, "other", "S1"), rating("b", 1, "other", "S1")),
        ]
    )

    assert n == 6
    assert [(each.task_id, round(each.gap, 3)) for each in found] == [
        ("far", 1.0),
        ("t", 0.5),
        ("other", 0.5),
        ("near", 0.111),
    ]
    assert found[1].answers == (("a", "P1, P2"), ("b", "P2"))


def test_what_is_settled_is_no_disagreement_any_more() -> None:
    found, n = find_disagreements([rating("a", 8), rating("b", 2), rating("adjudicated", 3)])

    assert (found, n) == ((), 1)
    assert "raters part.\n" in to_text(found, n)


def test_texts_tables_and_json_tell_the_same() -> None:
    found, n = find_disagreements([rating("a", 8), rating("=b", 2)])

    assert " 0.67  t  desc_alignment  a: 8; =b: 2" in to_text(found, n)
    assert to_csv(found).decode().splitlines()[1] == ",t,desc_alignment,0.6667,a: 8 | =b: 2"
    assert json.loads(to_json(found, n))["disagreements"][0]["gap"] == pytest.approx(6 / 9)


def test_the_settling_sheet_asks_the_disputed_questions_alone_with_answers_and_without_names() -> None:
    sheet = sheets.sheet()
    found, _ = find_disagreements(
        [
            *(rating("anna", 8, "task-1"), rating("ben", 7, "task-1")),
            *(rating("anna", 9, "task-2"), rating("ben", 1, "task-2")),
            *(rating("anna", 9, "elsewhere"), rating("ben", 1, "elsewhere")),
        ]
    )

    settled = settle(sheet, found)

    assert [task.task_id for task in settled.tasks] == ["task-2", "task-1"]
    assert settled.tasks[0].given == (("desc_alignment", ("1", "9")),)
    assert {task.criteria for task in settled.tasks} == {("desc_alignment",)}
    assert settled.raters == ("adjudicated",)
    assert settled.id != sheet.id


def test_ratings_name_benchmarks_where_there_are_several_and_copies_are_remarked() -> None:
    def answer(rater: str, number: int, benchmark: str = "x") -> Answer:
        return Answer(f"t{number}", rater, "desc_alignment", "7", "", benchmark, f"s.csv:{number}, desc_alignment")

    one = [answer(rater, number) for rater in ("a", "b") for number in range(10)]
    assert write_ratings(one).decode().startswith("task_id,rater,criterion,value,comment\nt0,a,desc_alignment,7,\n")
    assert "value,benchmark,comment" in write_ratings([*one, answer("a", 1, "y")]).decode()
    assert list(remark(one, {}))[-1] == "Note: a and b answer all 10 common questions alike; is one a copy?"
    assert len(list(remark(one[1:], {}))) == 2
