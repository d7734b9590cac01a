from __future__ import annotations

import pytest

from audit.databases.tables import as_tables, build_index, is_big_map, merge, objects_in, row_places, words_in
from audit.databases.words import tokens
from audit.records.task import Json


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ({"a": {"x": 1}, "b": {}}, {"a": {"x": 1}, "b": {}}),
        ({}, {}),
        ({"data": {"a": {"x": 1}}, "notes": "text"}, {"a": {"x": 1}}),
        ({"data": {"a": {"x": 1}}}, {"a": {"x": 1}}),
        ({"data": {"x": {}}, "other": {"y": 1}}, {"data": {"x": {}}, "other": {"y": 1}}),
        ([{"n": 1, "bill_id": 7}, {"bill_id": 8}], {"7": {"n": 1, "bill_id": 7}, "8": {"bill_id": 8}}),
    ],
)
def test_three_shapes_of_tables_are_read(value: Json, rows: Json) -> None:
    assert as_tables({"t": value}) == {"t": rows}


@pytest.mark.parametrize(
    "value", ["text", 3, None, ["a", "b"], [], [{"id": "1"}, 2], [{"id": "1"}, {"id": "1"}], [{"name": "x"}], {"a": 1}]
)
def test_what_is_no_table_is_left_out(value: Json) -> None:
    assert as_tables({"t": value}) == {}


def test_merging_changes_neither_side() -> None:
    base: Json = {"a": {"x": [1, 2], "y": {"z": 1}}}
    patch: Json = {"a": {"x": [9], "y": {"w": 2}}, "b": None}
    assert merge(base, patch) == {"a": {"x": [9], "y": {"z": 1, "w": 2}}, "b": None}
    assert base == {"a": {"x": [1, 2], "y": {"z": 1}}}
    assert merge({"a": 1}, [2]) == [2]


def test_an_object_of_more_than_five_objects_is_a_big_map() -> None:
    assert not is_big_map({str(n): {} for n in range(5)})
    assert is_big_map({str(n): {} for n in range(6)})
    assert not is_big_map({str(n): n for n in range(6)})


def test_objects_are_walked_in_reading_order_without_big_maps() -> None:
    row: Json = {"n": 0, "days": {str(n): {"n": 99} for n in range(6)}, "list": [{"n": 1}, [{"n": 2}]], "in": {"n": 3}}
    assert [node["n"] for node in objects_in(row)] == [0, 1, 2, 3]


def test_numbers_link_only_where_the_field_is_an_id() -> None:
    node: dict[str, Json] = {
        "owner_id": 7,
        "quantity": 8,
        "n": "9",
        "ids": ["1", 2],
        "flag_id": True,
        "text": "word",
        "x": "123",
    }
    assert list(words_in(node)) == ["7", "1", "2", "word", "123"]


def test_tokens_offer_words_their_parts_and_a_number_sign() -> None:
    said = tokens("Order W7000001 (BT-7, 2 seats) for 'mem_1'. #H501")
    assert {"W7000001", "#W7000001", "BT-7", "BT", "mem_1", "H501", "#H501"} <= set(said)
    assert "2" not in said


def test_amounts_and_parts_of_numbers_are_no_keys() -> None:
    said = tokens("$125, $1,123.65, 125,000 and -125.0 by 10/02/2025; call 555-123-2002. Room 123, ids 1234567,1234568")
    assert [word for word in said if word.isdigit()] == ["123", "1234567", "1234568"]
    assert {"125.0", "10/02/2025", "555-123-2002"} <= set(said)


def test_people_are_indexed_by_mail_and_by_name_with_postal_code() -> None:
    person: Json = {
        "name": {"first_name": "Mary Ann", "last_name": "O'Hara"},
        "email": "M@x.org",
        "address": {"zip": "70001"},
    }
    index = build_index(
        {"users": {"u1": person, "u2": {"first_name": "Al", "last_name": "", "zip": "1"}}, "odd": {"u1": {}}}
    )
    assert index.by_mail == {"m@x.org": ("users", "u1")}
    assert index.by_zip == {"70001": [(frozenset({"mary", "ann", "o", "hara"}), ("users", "u1"))]}
    assert index.people == {"users"}
    assert index.by_key["u1"] == [("users", "u1"), ("odd", "u1")]


def test_rows_that_are_no_objects_have_no_natural_keys() -> None:
    assert build_index({"t": {"a": "x"}}).people == frozenset()


def test_rows_stand_at_their_table_and_key_unless_the_table_is_wrapped_or_a_list() -> None:
    database: dict[str, Json] = {
        "users": {"u1": {}},
        "cards": {"data": {"c1": {}}, "notes": "text"},
        "plans": [{"plan_id": "P1"}, {"plan_id": 2}],
        "version": 3,
    }
    assert row_places(database) == {
        ("cards", "c1"): "cards.data.c1",
        ("plans", "P1"): "plans[0]",
        ("plans", "2"): "plans[1]",
    }


def test_people_are_indexed_by_phone_number_and_by_full_name() -> None:
    rows: dict[str, Json] = {
        "u1": {"name": "Mary  Ann O'Hara", "email": "m@x.org", "phone_number": "+1 (555) 010-77"},
        "u2": {"full_name": "Bo", "email": "b@x.org", "phone": "12-34"},
    }
    index = build_index({"users": rows, "shops": {"s1": {"name": "Corner Shop", "phone": "555 0100 200"}}})
    assert index.by_name == {"mary ann o'hara": [("users", "u1")]}
    assert index.by_phone == {"155501077": [("users", "u1")]}


def test_rows_about_a_person_are_no_persons() -> None:
    users: dict[str, Json] = {"u1": {"email": "m@x.org"}, "u2": {"email": "b@x.org", "friend": "u1"}}
    disputes: dict[str, Json] = {
        "d1": {"user_id": "u1", "email": "m@x.org"},
        "d2": {"user_id": "u2", "email": "b@x.org"},
    }
    index = build_index({"disputes": disputes, "users": users})
    assert index.people == {"users"}
    assert index.by_mail == {"m@x.org": ("users", "u1"), "b@x.org": ("users", "u2")}


def test_tables_of_persons_that_name_one_another_stay_such() -> None:
    tables: dict[str, dict[str, Json]] = {
        "agents": {"a1": {"email": "a@x.org", "client": "u1"}},
        "users": {"u1": {"email": "m@x.org", "agent": "a1"}},
    }
    assert build_index(tables).people == {"agents", "users"}


def test_the_tables_of_persons_can_be_told() -> None:
    rows: dict[str, Json] = {"d1": {"email": "m@x.org"}}
    index = build_index({"disputes": rows}, people=frozenset({"users"}))
    assert index.people == {"users"}
    assert not index.by_mail
