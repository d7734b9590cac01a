from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.loaders.entry import Entry, name_type
from audit.records.task import Json, Origin


def entry(**values: Json) -> Entry:
    return Entry(values, Origin("tasks.json", "", "7"), Path("/data/tasks.json"))


def test_absent_and_null_read_alike_but_an_empty_list_stays_one() -> None:
    read = entry(a=None, b=[])
    assert (read.text("a"), read.texts("a"), read.entry("a"), read.entries("x")) == (None, None, None, None)
    assert read.texts("b") == ()
    assert read.entries("b") == ()
    assert read.flag("a", default=True) is True
    assert entry(a=False).flag("a", default=True) is False


@pytest.mark.parametrize(
    ("method", "value", "complaint"),
    [
        ("text", 3, "field: must be a text, not a number"),
        ("texts", "x", "field: must be a list, not a text"),
        ("texts", ["x", None], r"field\[1\]: must be a text, not null"),
        ("entry", [], "field: must be an object, not a list"),
        ("entries", [{}, True], r"field\[1\]: must be an object, not true or false"),
        ("entries", {}, "field: must be a list, not an object"),
        ("mapping", 1.5, "field: must be an object, not a number"),
    ],
)
def test_a_wrong_type_names_file_task_and_field(method: str, value: Json, complaint: str) -> None:
    with pytest.raises(LoadError, match=rf"/data/tasks\.json task 7 {complaint}"):
        getattr(entry(field=value), method)("field")


def test_a_flag_of_the_wrong_type_is_refused() -> None:
    with pytest.raises(LoadError, match="task 7 field: must be true or false, not a text"):
        entry(field="yes").flag("field", default=True)


@pytest.mark.parametrize("value", [None, "", " \n"])
def test_a_needed_text_may_not_be_blank(value: str | None) -> None:
    with pytest.raises(LoadError, match="the field 'name' is missing or blank"):
        entry(name=value).need_text("name")


def test_nested_objects_know_where_they_stand() -> None:
    inner = entry(criteria={"actions": [{}, {"name": "x"}]}).entry("criteria")
    assert inner is not None
    actions = inner.entries("actions")
    assert actions is not None
    assert str(actions[1].origin_of("name")) == "tasks.json task 7 criteria.actions[1].name"


def test_an_object_without_a_task_is_placed_by_its_path() -> None:
    row = Entry({}, Origin("tools.json", "tools[2]"), Path("tools.json"))
    assert str(row.error("wrong")) == "tools.json tools[2]: wrong."


def test_every_kind_of_value_has_a_name() -> None:
    values: tuple[Json, ...] = ({}, [], "", True, None, 1)
    assert [name_type(value) for value in values] == [
        "an object",
        "a list",
        "a text",
        "true or false",
        "null",
        "a number",
    ]
