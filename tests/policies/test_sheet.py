"""Sheets: written, filled in and read back."""

from __future__ import annotations

import pytest

from audit.errors import LoadError
from audit.loaders.policy import normalise
from audit.policies.sheet import COLUMNS, BadCell, apply_sheet, read_sheet, write_csv, write_markdown
from audit.records.item_set import ItemSet, Review
from tests.policies.sets import BOATS, item, item_set, proposed, quotes

TEXT = normalise(BOATS)
Rows = list[dict[str, str]]


def rows_of(found: ItemSet, text: str = TEXT, *, is_markdown: bool = False) -> Rows:
    content = (write_markdown if is_markdown else write_csv)(found, text)
    return read_sheet(content, is_markdown=is_markdown, where="sheet")


def fill(rows: Rows, which: str, /, **cells: str) -> Rows:
    return [row | cells if row["id"] == which else row for row in rows]


def blank(**cells: str) -> dict[str, str]:
    return dict.fromkeys(COLUMNS, "") | cells


def apply(rows: Rows, found: ItemSet | None = None) -> tuple[ItemSet, list[BadCell]]:
    return apply_sheet(found or proposed(TEXT), rows, text=TEXT)


@pytest.mark.parametrize("is_markdown", [False, True])
def test_a_sheet_that_nobody_filled_in_changes_nothing(is_markdown: bool) -> None:
    found = proposed(TEXT)
    assert apply(rows_of(found, is_markdown=is_markdown)) == (found, [])


@pytest.mark.parametrize("is_markdown", [False, True])
def test_marks_of_tables_spreadsheets_and_terminals_come_back_as_they_were(is_markdown: bool) -> None:
    text = "=SUM(1) | 2 \\ must\n- <br> pay \\| it\x1b[31m. And\u202e more."
    found = item_set(text, item(text, text[:-6], title="=1+1 | \\"))
    rows = rows_of(found, text, is_markdown=is_markdown)
    assert apply_sheet(found, rows, text=text) == (found, [])
    assert b"\x1b" not in write_csv(found, text)


def test_reviews_titles_and_kinds_are_taken() -> None:
    rows = fill(rows_of(proposed(TEXT)), "P01", review="Accepted", title="Two boats", kind="permission", violable="no")
    rows = fill(rows, "P03", review="rejected", binds="")
    after, bad = apply(rows)
    assert bad == []
    first, third = after.items[0], after.items[2]
    assert (first.review, first.title, first.kind.value, first.violable) == (
        Review.ACCEPTED,
        "Two boats",
        "permission",
        False,
    )
    assert (third.review, third.binds) == (Review.REJECTED, None)


def test_rows_are_merged_split_and_added() -> None:
    rows = fill(rows_of(proposed(TEXT)), "P05", review="merge")
    rows = fill(rows, "P02", split_before="One life  vest")
    rows.append(blank(text="The kiosk rents boats.", review="open", title="Boats alone"))
    rows.append(blank())
    after, bad = apply(rows[:-1])
    assert bad == []
    assert quotes(after, TEXT)[:4] == [
        "The kiosk rents boats",
        "A client can rent at most two boats",
        "at most three oars, and",
        "one life vest for each person",
    ]
    assert "The client must show a card. Cash is not accepted" in quotes(after, TEXT)
    assert (after.items[0].id, after.items[0].title, after.items[0].review) == ("P08", "Boats alone", Review.OPEN)


def test_three_rows_become_one() -> None:
    text = "You must pay. You must wait. You must go."
    found = proposed(text)
    rows = rows_of(found, text)
    after, bad = apply_sheet(found, [rows[0], *(row | {"review": "merge"} for row in rows[1:])], text=text)
    assert (quotes(after, text), bad) == (["You must pay. You must wait. You must go"], [])


@pytest.mark.parametrize(
    ("cells", "where", "problem"),
    [
        ({"review": "yes"}, "row 3, review", "'yes' is none of open, accepted, rejected, merge"),
        ({"kind": "rule"}, "row 3, kind", "'rule' is none of permission"),
        ({"binds": "me"}, "row 3, binds", "'me' is none of nothing, user, agent"),
        ({"violable": "1"}, "row 3, violable", "'1' is none of yes, no"),
        ({"title": "x" * 61}, "row 3, title", "1 to 60 characters"),
        ({"text": "at most four oars"}, "row 3, text", "not the one that the item marks now"),
        ({"split_before": "four"}, "row 3, split_before", "does not occur"),
        ({"split_before": "at most three"}, "row 3, split_before", "not inside the item"),
        ({"id": "P99"}, "row 3, id", "there is no item 'P99'"),
        ({"id": "P01"}, "row 3, id", "P01 stands in row 2 too"),
        ({"review": "merge", "split_before": "one life"}, "row 3, split_before", "can't be split too"),
    ],
)
def test_each_bad_cell_is_named(cells: dict[str, str], where: str, problem: str) -> None:
    _, bad = apply(fill(rows_of(proposed(TEXT)), "P02", **cells))
    assert [each for each in bad if each.where == where and problem in each.problem], bad


def test_every_bad_cell_is_named_at_once() -> None:
    rows = fill(rows_of(proposed(TEXT)), "P01", review="merge")
    rows = [*rows[:5], *rows[6:], blank(text="not there"), blank(text="Never rent in a storm.")]
    _, bad = apply(rows)
    assert [(each.where, each.problem.partition(";")[0][:40]) for each in bad] == [
        ("id", "P06 has no row"),
        ("row 2, review", "there is no item above it to merge with"),
        ("row 8, text", "no new item can be made of it: it does n"),
        ("row 9, text", "no new item can be made of it: it overla"),
    ]


def test_a_row_is_not_merged_over_a_heading() -> None:
    _, bad = apply(fill(rows_of(proposed(TEXT)), "P06", review="merge"))
    assert [(each.where, each.problem.split(".")[0]) for each in bad] == [
        ("row 7, review", "the item would cross a heading or a blank line")
    ]


@pytest.mark.parametrize(
    ("content", "is_markdown", "problem"),
    [
        (b"\xff\xfe", False, "not UTF-8"),
        (b"", False, "no column id, review"),
        (b"id,review\n", False, "no column kind, binds"),
        (b'id,"review\n', False, "no CSV"),
        (b"no table", True, "no column id"),
    ],
)
def test_what_is_no_sheet_is_said(content: bytes, is_markdown: bool, problem: str) -> None:
    with pytest.raises(LoadError, match=problem):
        read_sheet(content, is_markdown=is_markdown, where="sheet.csv")


def test_semicolons_a_byte_order_mark_and_other_columns_are_taken() -> None:
    header = ";".join([*COLUMNS, "remark"])
    row = "P01;accepted;limit;user;yes;A;;A client can rent at most two boats;hm"
    found = item_set(TEXT, item(TEXT, "A client can rent at most two boats", title="A"))
    sheet = f"\ufeff{header}\r\n{row}\r\n;;\r\n".encode()
    after, bad = apply(read_sheet(sheet, is_markdown=False, where="s"), found)
    assert (bad, after.items[0].review) == ([], Review.ACCEPTED)
