"""The sample's database: ids, foreign keys, and the counts that rows keep of one another."""

import re
from collections import Counter

import pytest

from audit.resources import resource
from tests.benchmarks.sample import DOMAIN, Record, strings, tables

KEY_FIELDS = {
    "members": "member_id",
    "items": "item_id",
    "loans": "loan_id",
    "holds": "hold_id",
    "fees": "fee_id",
    "rooms": "room_id",
    "bookings": "booking_id",
    "requests": "request_id",
}
OWNED = ("loans", "holds", "fees", "bookings", "requests")
ROW_ID = re.compile(r"(MB|IT|HD|FE|BK|RQ)\d{4}|LN\d{5}|RM\d{3}")
every_owned_table = pytest.mark.parametrize("table", OWNED)


def copies() -> dict[str, Record]:
    return {key: copy for item in tables()["items"].values() for key, copy in item["copies"].items()}


def test_the_database_is_readable_and_small() -> None:
    content = (DOMAIN / "db.json").read_text(encoding="utf-8")
    assert len(content) < 400_000
    assert max(map(len, content.splitlines())) < 200


def test_the_database_has_the_promised_tables_and_sizes() -> None:
    assert set(tables()) == set(KEY_FIELDS)
    assert len(tables()["members"]) >= 40
    assert len(tables()["items"]) >= 60
    assert len(tables()["loans"]) >= 100


def test_every_row_carries_its_own_key() -> None:
    for table, field in KEY_FIELDS.items():
        for key, row in tables()[table].items():
            assert row[field] == key
            assert ROW_ID.fullmatch(key)


def test_no_id_is_used_twice() -> None:
    used = Counter([key for rows in tables().values() for key in rows] + list(copies()))
    assert [key for key, n in used.items() if n > 1] == []
    assert sum(len(item["copies"]) for item in tables()["items"].values()) == len(copies())


def test_every_id_in_a_row_is_a_row() -> None:
    known = {key for rows in tables().values() for key in rows}
    named = {word for word in strings(tables()) if ROW_ID.fullmatch(word)}
    assert named <= known


@every_owned_table
def test_a_member_lists_exactly_the_rows_that_name_the_member(table: str) -> None:
    for key, member in tables()["members"].items():
        owned = [row_key for row_key, row in tables()[table].items() if row["member_id"] == key]
        assert sorted(member[table]) == sorted(owned)


def test_juniors_and_guardians_name_each_other() -> None:
    members = tables()["members"]
    pairs = {(row["guardian_id"], key) for key, row in members.items() if row["guardian_id"] is not None}
    assert pairs == {(key, minor) for key, row in members.items() for minor in row["minors"]}
    assert {minor for _, minor in pairs} == {key for key, row in members.items() if row["kind"] == "junior"}


def test_members_are_told_apart_by_mail_and_by_name_with_zip() -> None:
    members = tables()["members"].values()
    assert len({row["email"] for row in members}) == len(members)
    named = {(row["name"]["first_name"], row["name"]["last_name"], row["address"]["zip"]) for row in members}
    assert len(named) == len(members)


def test_titles_point_to_no_other_row() -> None:
    for table in ("items", "rooms"):
        for key, row in tables()[table].items():
            assert [word for word in strings(row) if ROW_ID.fullmatch(word) and word != key] == []


def test_some_nested_maps_are_big_enough_to_be_pruned() -> None:
    assert sum(len(item["copies"]) > 5 for item in tables()["items"].values()) >= 10
    assert all(len(room["days"]) > 5 for room in tables()["rooms"].values())


def test_a_loan_names_a_copy_of_its_title() -> None:
    for loan in tables()["loans"].values():
        assert loan["copy_id"] in tables()["items"][loan["item_id"]]["copies"]


def test_copies_are_on_loan_lost_or_put_aside_exactly_as_the_rows_say() -> None:
    by_status = {
        "on_loan": [row["copy_id"] for row in tables()["loans"].values() if row["status"] == "open"],
        "lost": [row["copy_id"] for row in tables()["loans"].values() if row["status"] == "lost"],
        "on_hold_shelf": [row["copy_id"] for row in tables()["holds"].values() if row["status"] == "ready"],
    }
    for status, named in by_status.items():
        assert sorted(key for key, copy in copies().items() if copy["status"] == status) == sorted(named)


def test_waiting_holds_are_counted_on_the_title() -> None:
    waiting = Counter(row["item_id"] for row in tables()["holds"].values() if row["status"] == "waiting")
    assert {key: item["waiting_holds"] for key, item in tables()["items"].items()} == {
        key: waiting[key] for key in tables()["items"]
    }


def test_nobody_waits_for_a_copy_that_stands_on_the_shelf() -> None:
    for item in tables()["items"].values():
        if item["waiting_holds"]:
            assert "on_shelf" not in {copy["status"] for copy in item["copies"].values()}


def test_a_rooms_day_lists_exactly_its_bookings() -> None:
    booked = [row for row in tables()["bookings"].values() if row["status"] == "booked"]
    for key, room in tables()["rooms"].items():
        for date, day in room["days"].items():
            times = [(row["start"], row["end"]) for row in booked if (row["room_id"], row["date"]) == (key, date)]
            assert [(slot["start"], slot["end"]) for slot in day["taken"]] == sorted(times)
    assert all(row["date"] in tables()["rooms"][row["room_id"]]["days"] for row in booked)


def test_the_answer_key_lies_outside_the_domains_folder() -> None:
    assert not list(DOMAIN.glob("*answer*"))
    assert resource("benchmarks", "sample", "answer_key.json").is_file()
