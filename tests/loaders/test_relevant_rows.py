from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from audit.databases.tables import as_tables, row_places
from audit.loaders import relevant_rows
from audit.loaders.database_view import Found, build_database, build_patch
from audit.loaders.relevant_rows import find_rows
from audit.records.task import Json, Origin
from tests.loaders.boats import database, member


def find(text: str, *, tables: dict[str, Any] | None = None, patch: dict[str, Json] | None = None) -> Found:
    built = build_database(as_tables(tables or database()), file="db.json")
    changes = build_patch(built, patch, origin=Origin("tasks.json", "data", "t1")) if patch else None
    return find_rows(built, text, patch=changes)


def keys(found: Found) -> list[str]:
    return [row.key for row in found.rows]


def row(found: Found, key: str) -> Any:  # noqa: ANN401  # a row's JSON
    return next(row.value for row in found.rows if row.key == key)


def test_a_named_member_brings_its_hires_and_their_boats() -> None:
    found = find("You are mem_1.")
    assert keys(found) == ["mem_1", "#H501", "#H502", "BT7", "BT8"]
    assert [str(r.origin) for r in found.rows[:2]] == ["db.json members.mem_1", "db.json hires.#H501"]


def test_a_text_that_names_nothing_has_no_rows() -> None:
    assert find("You want a boat, now.").rows == ()


def test_an_id_without_its_number_sign_is_found() -> None:
    assert keys(find("It is about H503!"))[:2] == ["#H503", "mem_2"]


def test_a_row_of_another_table_brings_its_owner() -> None:
    assert set(keys(find("Cancel #H501."))) == {"#H501", "mem_1", "#H502", "BT7", "BT8"}


def test_a_member_is_found_by_mail_whatever_its_case() -> None:
    assert keys(find("Write to Greta2@Lake.example."))[0] == "mem_2"


def test_a_member_is_found_by_name_and_postal_code() -> None:
    assert keys(find("I am Greta2 Oarsman and live in 70002."))[0] == "mem_2"


@pytest.mark.parametrize("text", ["I am Greta2 Oarsman.", "I live in 70002.", "I am Greta1 Oarsman in 70002."])
def test_a_name_or_a_postal_code_alone_finds_nobody(text: str) -> None:
    assert find(text).rows == ()


def test_natural_keys_are_not_tried_when_a_member_is_named() -> None:
    assert "mem_2" not in keys(find("I am mem_1; write to greta2@lake.example."))


def test_natural_keys_come_before_other_rows_that_are_named() -> None:
    assert keys(find("greta3@lake.example wants BT9"))[:2] == ["mem_3", "BT9"]


def test_of_a_nested_map_only_the_entries_named_with_their_row_stay() -> None:
    found = find("You are mem_1.")
    assert list(row(found, "BT7")["days"]) == ["2031-06-02"]
    assert list(row(found, "BT8")["days"]) == ["2031-06-05"]
    assert row(found, "BT7")["kind"] == "dinghy"


def test_entries_that_the_text_names_with_their_row_stay_too() -> None:
    found = find("Is BT9 free on 2031-06-04?")
    assert list(row(found, "BT9")["days"]) == ["2031-06-04"]


def test_a_day_named_without_the_boat_keeps_no_entry_of_it() -> None:
    assert list(row(find("You are mem_1. Is anything free on 2031-06-04?"), "BT7")["days"]) == ["2031-06-02"]


def test_a_small_map_that_nothing_points_into_is_kept_whole() -> None:
    cards = {f"card_{n}": {"kind": "visa"} for n in range(7)}
    tables = database() | {"members": {"mem_1": member(1, cards=cards)}}
    assert row(find("mem_1", tables=tables), "mem_1")["cards"] == cards


def test_a_large_map_that_nothing_points_into_is_pruned() -> None:
    log = {f"entry_{n}": {"text": "x" * 300} for n in range(30)}
    tables = database() | {"members": {"mem_1": member(1, log=log)}}
    found = row(find("mem_1, see entry_4", tables=tables), "mem_1")
    assert list(found["log"]) == ["entry_4"]


def test_maps_are_pruned_inside_lists_and_inside_other_maps() -> None:
    boats = {"BT7": {"docks": [{"days": database()["boats"]["BT7"]["days"]}], "more": {"n": [1]}}}
    found = find("mem_1", tables=database() | {"boats": boats})
    assert row(found, "BT7")["docks"] == [{"days": {"2031-06-02": {"status": "free", "price": 20}}}]
    assert row(found, "BT7")["more"] == {"n": [1]}


def test_keys_with_spaces_are_found_as_whole_words_only() -> None:
    tables = {"books": {"Clean Oar": {"pages": 3}, "Oar, old": {}}}
    assert keys(find("Have you 'Clean Oar'?", tables=tables)) == ["Clean Oar"]
    assert keys(find("Unclean Oars", tables={"books": {"clean Oar": {}}})) == []


def test_short_numbers_in_a_text_are_quantities_not_keys() -> None:
    tables = {"users": {"2": {"pal_id": "3"}, "3": {"n": 1}, "2024": {"boss_id": 2, "seats": "3"}}}
    assert keys(find("2 seats", tables=tables)) == []
    assert keys(find("user 2024", tables=tables)) == ["2024", "2", "3"]


def test_a_task_s_own_rows_are_merged_and_relevant_and_the_database_stays() -> None:
    tables = database()
    before = json.dumps(tables)
    new: Json = {"hire_id": "#H900", "member_id": "mem_3", "trips": []}
    patch: dict[str, Json] = {
        "members": {"mem_3": {"hires": ["#H900"], "address": {"zip": "1"}}},
        "hires": {"#H900": new},
    }
    found = find("Nothing named.", tables=tables, patch=patch)
    assert keys(found) == ["mem_3", "#H900"]
    merged = row(found, "mem_3")
    assert merged["hires"] == ["#H900"]
    assert merged["address"] == {"street": "1 Pier", "zip": "1"}
    assert str(found.rows[0].origin) == "tasks.json task t1 data.members.mem_3"
    assert json.dumps(tables) == before


def test_a_task_s_own_rows_are_reached_from_the_text_and_hide_the_old_ones() -> None:
    patch: dict[str, Json] = {"members": {"mem_1": {"hires": ["#H503"]}}}
    found = find("You are mem_1.", patch=patch)
    assert keys(found).count("mem_1") == 1
    assert row(found, "mem_1")["hires"] == ["#H503"]


def test_a_task_s_own_people_are_found_by_mail() -> None:
    patch: dict[str, Json] = {"members": {"mem_3": {"email": "new@lake.example"}}}
    assert keys(find("I am new@lake.example", patch=patch))[0] == "mem_3"


def test_a_list_in_the_patch_replaces_its_whole_table() -> None:
    tables = {"plans": [{"plan_id": "PL1", "next": "PL2"}, {"plan_id": "PL2"}]}
    found = find("PL1 or PL2", tables=tables, patch={"plans": [{"plan_id": "PL1", "next": "PL3"}]})
    assert [(r.key, r.value) for r in found.rows] == [("PL1", {"plan_id": "PL1", "next": "PL3"})]


def test_a_search_that_reaches_too_much_is_cut_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(relevant_rows, "BUDGET", 300)
    with caplog.at_level(logging.WARNING):
        found = find("You are mem_1.")
    assert found.is_cut
    assert keys(found)[0] == "mem_1"
    assert len(found.rows) < 5
    assert "rows cut at 300 characters" in caplog.text


def test_a_patch_that_holds_no_rows_changes_nothing() -> None:
    assert find("x", patch={"members": "text"}).rows == ()


def club() -> dict[str, Any]:
    """A database in which rows point to persons and persons to nothing, one with a full name as one text."""
    people = {
        "p71": {"name": "Ada Stern", "email": "ada@club.example", "phone_number": "555-010-7711"},
        "p72": {"name": "Bo Kern", "email": "bo@club.example", "phone_number": "555-010-7722"},
        "p73": {"name": "Bo Kern", "email": "bo.kern@club.example", "phone_number": "555-010-7733"},
    }
    accounts = {"acc1": {"owner": "p71", "bank": "b1"}, "acc2": {"owner": "p72", "bank": "b1"}}
    payments = {"pay1": {"account": "acc1", "to": "p72"}, "pay2": {"account": "acc2"}}
    return {"people": people, "accounts": accounts, "payments": payments, "banks": {"b1": {"city": "Kiel"}}}


@pytest.mark.parametrize(
    "text", ["I am p71.", "I'm ada  STERN", "Mail ADA@club.example", "Call (555) 010 7711.", "Number +555.010.7711"]
)
def test_a_person_brings_what_names_it_and_what_names_that(text: str) -> None:
    found = keys(find(text, tables=club()))
    assert (found[0], set(found)) == ("p71", {"p71", "acc1", "b1", "pay1", "p72"})


def test_another_person_who_is_come_to_brings_nothing_of_its_own() -> None:
    assert "acc2" not in keys(find("I am p71.", tables=club()))


def test_where_no_person_is_named_those_who_are_come_to_bring_theirs() -> None:
    assert set(keys(find("It is about pay2.", tables=club()))) == {"pay2", "acc2", "p72", "b1", "pay1", "acc1", "p71"}


def test_a_shared_thing_brings_nobody() -> None:
    assert keys(find("About b1", tables=club())) == ["b1"]


def test_a_full_name_that_two_have_finds_neither() -> None:
    assert keys(find("I am Bo Kern.", tables=club())) == []


def test_a_full_name_that_a_task_s_own_person_shares_finds_the_one_with_the_id_alone() -> None:
    patch: dict[str, Json] = {"people": {"p99": {"name": "Ada Stern", "email": "a.stern@club.example"}}}
    assert keys(find("You are Ada Stern.", tables=club(), patch=patch)) == ["p99"]


def test_whoever_is_named_in_full_is_relevant_beside_the_one_with_an_id() -> None:
    assert keys(find("I am p73, and my friend is Ada Stern.", tables=club()))[:2] == ["p73", "p71"]


def test_what_a_task_adds_for_a_person_hides_the_old_row_and_belongs_to_the_person() -> None:
    found = find("I am p71.", tables=club(), patch={"accounts": {"acc1": {"bank": "b2"}}})
    assert row(found, "acc1") == {"owner": "p71", "bank": "b2"}
    assert "b1" not in keys(found)
    assert "pay1" in keys(found)


def test_rows_know_their_place_in_wrapped_tables_and_lists() -> None:
    raw: dict[str, Json] = {"boats": {"data": {"BT7": {"n": 1}}, "notes": ""}, "docks": [{"dock_id": "D11"}]}
    built = build_database(as_tables(raw), file="db.toml", places=row_places(raw))
    assert [str(r.origin) for r in find_rows(built, "BT7 D11").rows] == ["db.toml boats.data.BT7", "db.toml docks[0]"]
    patch = build_patch(built, {"boats": {"data": {"BT7": {"n": 2}}}}, origin=Origin("tasks.json", "data", "t1"))
    (first, *_) = find_rows(built, "BT7", patch=patch).rows
    assert (str(first.origin), first.value) == ("tasks.json task t1 data.boats.data.BT7", {"n": 2})


def test_tasks_that_start_at_the_same_rows_share_them() -> None:
    built = build_database(as_tables(club()), file="db.json")
    assert find_rows(built, "I am p71.").rows is find_rows(built, "Please help, Ada Stern here.").rows
    boats = build_database(as_tables(database()), file="db.json")
    days = [find_rows(boats, f"BT9 on {day}").rows[0].value for day in ("2031-06-01", "2031-06-02")]
    assert days[0] != days[1]


def test_keys_of_several_words_are_found_whole_in_the_order_of_the_table() -> None:
    tables: dict[str, Any] = {
        "plans": {f"Plan no {number} (old)": {"n": number} for number in range(5000)},
        "odd": {"(*)": {"n": 0}, "no plan": {"n": 1}},
    }
    text = "Plan no 4000 (old), then (*), Plan no 17 (old), not Plan no 3 (older) nor no planning."
    assert keys(find(text, tables=tables)) == ["Plan no 17 (old)", "Plan no 4000 (old)", "(*)"]


def test_a_key_that_very_many_tables_have_is_followed_once() -> None:
    tables: dict[str, Any] = {f"t{number}": {"shared_1": {"next": "shared_1"}} for number in range(1500)}
    found = find("It is about shared_1.", tables=tables)
    assert {row.table for row in found.rows} == tables.keys()
