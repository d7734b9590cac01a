"""Files of people's ratings."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.loaders.ratings import drop_doubles, read_ratings
from audit.records.rating import BadCell, RatingFile


def read(tmp_path: Path, text: str, *, name: str = "ratings.csv") -> RatingFile:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return read_ratings(path)


def told(file: RatingFile) -> list[tuple[str, str, str, float]]:
    return [(each.task_id, each.rater, each.criterion, each.value) for each in file.ratings]


def test_a_long_file_has_a_line_a_rating(tmp_path: Path) -> None:
    file = read(
        tmp_path,
        "task_id,rater,criterion,value,tier,kind\n7,anna,desc_alignment,8,top,\n7,ben,S1,0.5,,simulated\n8,anna,S1,,,\n",
    )

    assert told(file) == [("7", "anna", "desc_alignment", 8), ("7", "ben", "S1", 0.5)]
    assert file.bad == ()
    assert [(each.tier, each.is_simulated) for each in file.ratings] == [("top", False), ("", True)]


def test_a_wide_file_may_name_raters_in_its_headings(tmp_path: Path) -> None:
    file = read(tmp_path, "\ufefftask_id,desc_alignment:anna,desc_alignment:ben\n7,8,\n8,9,6\n\n")

    assert told(file) == [
        ("7", "anna", "desc_alignment", 8),
        ("8", "anna", "desc_alignment", 9),
        ("8", "ben", "desc_alignment", 6),
    ]


def test_a_wide_file_may_have_a_column_of_raters(tmp_path: Path) -> None:
    file = read(tmp_path, "task_id,rater,policy_alignment,S1\n7,anna,8,1\n7,ben,,0\n")

    assert told(file) == [("7", "anna", "policy_alignment", 8), ("7", "anna", "S1", 1), ("7", "ben", "S1", 0)]


def test_a_wide_file_without_raters_is_by_the_one_it_is_named_for(tmp_path: Path) -> None:
    assert told(read(tmp_path, "task_id,S1\n7,1\n", name="cleo.csv")) == [("7", "cleo", "S1", 1)]


def test_violated_items_are_a_set_and_none_is_not_a_gap(tmp_path: Path) -> None:
    file = read(tmp_path, "task_id,policy_violations:anna\n1,R02; R01;R02\n2,None\n3,\n")

    assert [(each.task_id, each.items, each.value) for each in file.ratings] == [("1", ("R02", "R01"), 2), ("2", (), 0)]


def test_every_bad_cell_is_named_by_line_and_column(tmp_path: Path) -> None:
    text = (
        "task_id,rater,criterion,value,kind\n"
        "1,anna,desc_alignment,11,\n"
        "2,anna,desc_alignment,high,\n"
        "3,anna,violation_count,-1,\n"
        "4,anna,S1,nan,\n"
        ",anna,S1,1,\n"
        "5,,S1,1,\n"
        "6,anna,,1,\n"
        "7,anna,a criterion,1,\n"
        "8,anna,S1,1,robot\n"
        "9,anna,S1,1,\n"
        "9,anna,S1,2,\n"
        "10,anna,S1,-1e308,\n"
    )
    file = read(tmp_path, text)

    assert [(each.line, each.column, each.what) for each in file.bad] == [
        (2, "value", "'11' is not on the scale, 1 to 10"),
        (3, "value", "'high' is no number"),
        (4, "value", "'-1' is not on the scale, 0 or more"),
        (5, "value", "'nan' is no number"),
        (6, "task_id", "is empty"),
        (7, "rater", "is empty"),
        (8, "criterion", "is empty"),
        (9, "criterion", "'a criterion' is no criterion"),
        (10, "kind", "'robot' is neither person nor simulated"),
        (12, "value", "anna rated task 9 on S1 before, at line 11"),
        (13, "value", "'-1e308' is too great"),
    ]
    assert str(file.bad[0]) == f"{tmp_path / 'ratings.csv'}:2, value: '11' is not on the scale, 1 to 10"
    assert told(file) == [("9", "anna", "S1", 1)]


def test_what_a_rater_rated_in_another_file_is_named_by_both_places(tmp_path: Path) -> None:
    first = read(tmp_path, "task_id,S1:anna\n1,4\n2,5\n", name="a.csv")
    second = read(tmp_path, "task_id,S1:anna,S1:ben\n2,9,9\n", name="b.csv")
    kept, bad = drop_doubles([*first.ratings, *second.ratings])

    assert [(each.rater, each.task_id, each.value) for each in kept] == [
        ("anna", "1", 4),
        ("anna", "2", 5),
        ("ben", "2", 9),
    ]
    told = f"{tmp_path / 'b.csv'}:2, S1:anna: anna rated task 2 on S1 before, at {tmp_path / 'a.csv'}:3"
    assert list(map(str, bad)) == [told]


def test_bad_cells_of_wide_files_are_named_by_their_heading(tmp_path: Path) -> None:
    file = read(tmp_path, "task_id,rater,S1,desc_alignment:ben\n,anna,1,\n2,,1,\n3,anna,x,0\n")

    assert [(each.line, each.column) for each in file.bad] == [
        (2, "task_id"), (3, "rater"), (4, "S1"), (4, "desc_alignment:ben"),
    ]  # fmt: skip


def test_a_bad_cell_without_line_or_column_is_told_too() -> None:
    assert str(BadCell("a.csv", 0, "", "is odd")) == "a.csv: is odd"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        ("\n,,\n", "is empty"),
        ("task_id,rater,value\n", "has no column 'criterion'"),
        ("task,rater,criterion,value\n", "has no column 'task_id'"),
        ("task_id,rater,criterion,value,mood\n", "unknown column 'mood'"),
        ("task,S1\n", "has no column 'task_id'"),
        ("task_id,S1,S1\n", "two columns are called 'S1'"),
        ("task_id,how good\n", "column 'how good' is no criterion"),
        ("task_id,S1\n1,2,3\n", "3 cells, and 2 columns"),
        ('task_id,S1\n1,"2\n', "is no CSV"),
        ("task_id,rater\n1,anna\n", "has no column 'criterion'"),
    ],
)
def test_a_file_in_neither_layout_is_refused(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(LoadError, match=why):
        read(tmp_path, text)


def test_a_file_that_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(b"task_id,S1\n\xff,1\n")
    with pytest.raises(LoadError, match="is not UTF-8 text"):
        read_ratings(path)


def test_a_short_line_has_gaps(tmp_path: Path) -> None:
    assert told(read(tmp_path, "task_id,S1,S2\n1,2\n", name="a.csv")) == [("1", "a", "S1", 2)]
