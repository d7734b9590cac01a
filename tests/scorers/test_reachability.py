from __future__ import annotations

from audit.records.task import Json
from audit.scorers.reachability import DatabaseIndex, find_ids, gloss, index_database, reach, read_phrases, spell
from tests.scorers.studio import booking, member, studio

STUDIO = index_database(studio().database)


def _reach(text: str, index: DatabaseIndex = STUDIO) -> frozenset[str]:
    return reach(index, read_phrases(index, text))


def _find(text: str, index: DatabaseIndex = STUDIO) -> frozenset[str]:
    return find_ids(index, read_phrases(index, text))


def _table(**rows: Json) -> dict[str, Json]:
    return rows


def test_an_id_leads_to_the_rows_that_it_links_to_and_their_entries() -> None:
    first, _, id = member(4)
    found = _reach(f"You are {first} and your id is {id}.")
    assert {id, "b5008", "b5009", "card_8804", "r100"} <= found


def test_an_id_does_not_lead_to_other_members() -> None:
    found = _reach(f"Your id is {member(4)[2]}.")
    assert not {member(number)[2] for number in range(40) if number != 4} & found


def test_an_entry_of_one_row_alone_leads_to_its_row() -> None:
    assert booking(7, 0).strip("#").lower() in _reach("Please charge card_8807.")


def test_ids_are_found_without_the_sign_in_front_and_in_any_case() -> None:
    assert _find("bookings b5001, #B5002 and CARD_8803") == {"b5001", "b5002", "card_8803"}


def test_ids_are_spelled_as_in_the_database() -> None:
    assert [spell(STUDIO, found) for found in ("b5001", "card_8803")] == ["#B5001", "card_8803"]


def test_an_email_address_identifies_its_row() -> None:
    assert member(4)[2] in _reach("write to player4@mail.example")


def test_a_name_with_a_zip_code_identifies_its_row() -> None:
    first, last, id = member(8)
    assert id in _reach(f"You are {first} {last} in zip 40008.")


def test_a_name_alone_identifies_nobody() -> None:
    first, last, _ = member(8)
    assert _reach(f"You are {first} {last}.") == frozenset()


def test_values_that_fit_two_rows_equally_well_identify_neither() -> None:
    rows: dict[str, Json] = {f"user_{n}": {"street": f"Oak Road {n // 2}", "pet": f"pet{n // 2}x"} for n in range(40)}
    index = index_database({"users": rows})
    assert _reach("the one on Oak Road 3 with pet3x", index) == frozenset()


def test_values_that_much_of_the_table_shares_identify_nobody() -> None:
    rows: dict[str, Json] = {f"user_{n}": {"a": f"alpha{n % 2}", "b": f"beta{n // 2 % 2}"} for n in range(4)}
    assert _reach("alpha1 and beta1", index_database({"users": rows})) == frozenset()


def test_few_rows_that_point_to_a_named_row_belong_to_it() -> None:
    accounts = {f"acc_{n}": {"owner": "user_1" if n < 3 else "user_2"} for n in range(30)}
    index = index_database({"users": _table(user_1={}, user_2={}), "accounts": accounts})
    assert _reach("I am user_1", index) == {"user_1", "acc_0", "acc_1", "acc_2"}
    assert _reach("I am user_2", index) == {"user_2"}


def test_maps_of_many_entries_are_not_walked_for_links() -> None:
    assert not any(member(hour)[2] in _reach("the slots of R101") for hour in range(9, 17))
    assert "slot_110" in _reach("the slots of R101")


def test_entries_that_several_rows_have_are_no_ids() -> None:
    days = {"2030-01-01": {"free": True}, "2030-01-02": {"free": False}}
    index = index_database({"rooms": _table(R100={"days": days}, R101={"days": days})})
    assert _find("R100 on 2030-01-01", index) == {"r100"}


def test_short_numbers_are_no_ids() -> None:
    index = index_database({"items": {"2": {}, "2024": {}, "12345": {}}})
    assert _find("2 items of 2024, number 12345", index) == {"12345"}


def test_integers_link_to_rows_and_truth_values_do_not() -> None:
    rows = _table(**{"10001": {"next": 10002, "done": True}, "10002": {}, "True": {}})
    assert _reach("start at 10001", index_database({"steps": rows})) == {"10001", "10002"}


def test_links_that_form_a_circle_end() -> None:
    rows = _table(row_a={"next": ["row_b"]}, row_b={"next": ["row_c"]}, row_c={"next": ["row_a"]})
    assert _reach("row_b", index_database({"rows": rows})) == {"row_a", "row_b", "row_c"}


def test_the_gloss_of_an_id_says_what_its_row_or_entry_is() -> None:
    said = gloss(STUDIO, {"b5000", "slot_110"})
    assert "piano" in said.split("\n")
    assert "Room 1" in said.split("\n")
    assert gloss(STUDIO, {member(1)[2]}).split("\n")[1:3] == ["Bela", "Ruiz"]


def test_rows_that_are_no_objects_have_no_gloss() -> None:
    assert gloss(index_database({"notes": {"note_1": "just a text"}}), {"note_1"}) == ""


def test_an_empty_database_knows_nothing() -> None:
    index = index_database({})
    assert _find("any text", index) == _reach("any text", index) == frozenset()
    assert index.longest_phrase == 0


def test_a_key_that_very_many_tables_have_leads_to_all_of_them() -> None:
    index = index_database({f"t{number}": _table(shared_1={"next": "shared_1"}) for number in range(2000)})
    assert _reach("It is about shared_1.", index) == {"shared_1"}
    assert len(index.links) == 2000


def test_a_chain_through_a_big_table_is_followed_to_its_end() -> None:
    rows = {f"row_{number}": {"next": f"row_{number + 1}"} for number in range(20_000)}
    assert len(_reach("It is about row_1.", index_database({"rows": rows}))) == 20_000
