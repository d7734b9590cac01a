from __future__ import annotations

import pytest

from audit.environments.typed import convert_numbers, number, one_of, record, records, text, whole
from audit.environments.view import ToolError
from audit.records.task import Json


@pytest.mark.parametrize(("value", "made"), [(3, 3), (25.0, 25), (True, 1), ("7", 7), ("7.0", 7), (-2, -2)])
def test_whole_numbers_are_made_of_what_has_no_fraction(value: Json, made: int) -> None:
    assert whole(value) == made
    assert type(whole(value)) is int


@pytest.mark.parametrize("value", [25.5, "x", "2.5", "", None, [], {}])
def test_nothing_else_becomes_a_whole_number(value: Json) -> None:
    with pytest.raises(ToolError, match="invalid record"):
        whole(value)


@pytest.mark.parametrize(("value", "made"), [(3, 3.0), (2.5, 2.5), (True, 1.0), ("7.5", 7.5)])
def test_floats_are_made_of_any_number(value: Json, made: float) -> None:
    assert number(value) == made
    assert type(number(value)) is float


@pytest.mark.parametrize("value", ["x", None, [1], 10**400])
def test_nothing_else_becomes_a_float(value: Json) -> None:
    with pytest.raises(ToolError, match="invalid record"):
        number(value)


def test_texts_and_choices_are_not_converted() -> None:
    assert text("a") == "a"
    assert one_of("a", "b")("b") == "b"
    for read, value in ((text, 3), (one_of("a", "b"), "c"), (one_of("a"), ["a"])):
        with pytest.raises(ToolError, match="invalid record"):
            read(value)


def test_records_drop_unknown_keys_and_need_the_known_ones() -> None:
    fields = {"id": text, "amount": whole}
    assert record({"id": "a", "amount": 2.0, "more": 1}, fields) == {"id": "a", "amount": 2}
    assert records([{"id": "a", "amount": 1}], fields) == [{"id": "a", "amount": 1}]
    empties: list[Json] = [[], "", {}]
    assert [records(empty, fields) for empty in empties] == [[], [], []]
    no_records: list[Json] = [{"id": "a"}, ["id"], None, "id"]
    for broken in no_records:
        with pytest.raises(ToolError, match="invalid record"):
            record(broken, fields)
    no_lists: list[Json] = [{"id": "a", "amount": 1}, "ab", None, [1]]
    for broken in no_lists:
        with pytest.raises(ToolError, match="invalid record"):
            records(broken, fields)


def test_numbers_are_typed_along_a_path_and_all_else_is_shared() -> None:
    row = {"cards": {"a": {"amount": 5}, "b": {"amount": 2.5}, "c": {}}, "days": [{"price": 3.0}, {"price": 3.5}]}
    made = convert_numbers(row, ("cards", "*", "amount"), read=number)
    assert made["cards"]["a"] == {"amount": 5.0}
    assert type(made["cards"]["a"]["amount"]) is float
    assert made["cards"]["b"] is row["cards"]["b"]  # type: ignore[index]
    assert made["days"] is row["days"]
    days = convert_numbers(row, ("days", "*", "price"), read=whole)["days"]
    assert [type(day["price"]) for day in days] == [int, float]


@pytest.mark.parametrize(
    "row",
    [{"cards": {"a": {"amount": True}}}, {"cards": {"a": {"amount": "5"}}}, {"cards": None}, {}, None, {"cards": [3]}],
)
def test_what_is_no_number_stays(row: Json) -> None:
    assert convert_numbers(row, ("cards", "*", "amount"), read=number) is row
    assert convert_numbers([[1]], ("*", "*"), read=whole) == [[1]]
