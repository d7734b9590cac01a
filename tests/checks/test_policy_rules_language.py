"""The language of policy rules, worked out on a small kiosk of our own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit.checks.policy_rules_evaluate import MAX_STEPS, Scene, decide, work_out
from audit.checks.policy_rules_values import UNKNOWN
from audit.loaders.rule_expressions import Place, read_condition, read_value
from audit.records.task import Json

ROWS: Any = {
    "clients": {"c1": {"level": "gold", "debt": 4.5, "boats": ["b1", "b2"], "note": None}},
    "boats": {
        "b1": {"seats": 2, "since": "2030-01-31", "tags": ["red"], "parts": {"oar": {"n": 2}, "sail": {"n": 1}}},
        "b2": {"seats": 4, "since": "2030-02-10T08:30", "tags": ["blue", "old"], "parts": {}},
    },
}
NAMES: Any = {
    "argument": {"client": "c1", "seats": [2, 4], "words": ["b", "a"], "huge": 10**400},
    "now": "2030-02-11T10:30",
    "client": ROWS["clients"]["c1"],
}
PLACE = Place("", "", frozenset(NAMES))


def holds(condition: Json, *, text: str | None = None) -> bool | None:
    return decide(read_condition(condition, PLACE), Scene(ROWS, NAMES, text))


def value(expression: Json) -> object:
    return work_out(read_value(expression, PLACE), Scene(ROWS, NAMES))


UNTOLD: Json = {"equal": ["$client.nothing", 1]}
YES: Json = {"equal": [1, 1]}
NO: Json = {"equal": [1, 2]}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"all": [YES, UNTOLD]}, None),
        ({"all": [NO, UNTOLD]}, False),
        ({"all": [UNTOLD, NO]}, False),
        ({"all": [YES, YES]}, True),
        ({"any": [NO, UNTOLD]}, None),
        ({"any": [UNTOLD, YES]}, True),
        ({"any": [NO, NO]}, False),
        ({"not": UNTOLD}, None),
        ({"not": [NO]}, True),
        ({"equal": [{"add": [0.1, 0.2]}, 0.3]}, True),
        ({"equal": ["$argument.huge", 1.5]}, False),
        ({"equal": [True, 1]}, False),
        ({"equal": ["$argument.seats", [2, 4]]}, True),
        ({"equal": ["$argument.seats", [2]]}, False),
        ({"equal": [{"row": ["boats", "b2"]}, {"row": ["boats", "b2"]}]}, True),
        ({"equal": [{"row": ["boats", "b1"]}, {"row": ["boats", "b2"]}]}, False),
        ({"less": [1, 2]}, True),
        ({"less": [{"add": [0.1, 0.2]}, 0.3]}, False),
        ({"less": ["2030-01-01", "2030-02-01"]}, True),
        ({"less": [1, "2"]}, None),
        ({"at_most": [2, 2]}, True),
        ({"at_most": [1, "2"]}, None),
        ({"more": [2, 1]}, True),
        ({"at_least": [1, 2]}, False),
        ({"in": ["a", "$argument.words"]}, True),
        ({"in": ["c", "$argument.words"]}, False),
        ({"in": ["$client.nothing", "$argument.words"]}, None),
        ({"in": ["a", "word"]}, None),
        ({"within": [["a"], "$argument.words"]}, True),
        ({"within": [["a", "c"], "$argument.words"]}, False),
        ({"within": ["a", "$argument.words"]}, None),
        ({"same_entries": [["a", "b"], "$argument.words"]}, True),
        ({"same_entries": [["a", "b", "b"], "$argument.words"]}, False),
        ({"same_entries": ["a", "$argument.words"]}, None),
        ({"present": "$client.level"}, True),
        ({"present": "$client.note"}, False),
        ({"present": {"row": ["boats", "b9"]}}, False),
        ({"some": {"in": "$argument.seats", "as": "n", "is": {"more": ["$n", 3]}}}, True),
        ({"some": {"in": [], "as": "n", "is": YES}}, False),
        ({"some": {"in": "$client.level", "as": "n", "is": YES}}, None),
        ({"some": {"in": [1, 2], "as": "n", "where": {"less": ["$n", 2]}, "is": {"equal": ["$n", 2]}}}, False),
        ({"some": {"in": [1, 2], "as": "n", "where": UNTOLD, "is": {"equal": ["$n", 2]}}}, None),
        ({"some": {"in": [1, 2], "as": "n", "where": UNTOLD, "is": NO}}, False),
        ({"every": {"in": "$argument.seats", "as": "n", "is": {"more": ["$n", 3]}}}, False),
        (
            {"every": {"in": "$argument.seats", "as": "n", "where": {"more": ["$n", 3]}, "is": {"equal": ["$n", 4]}}},
            True,
        ),
        ({"every": {"in": [1, 2], "as": "n", "where": UNTOLD, "is": NO}}, None),
        ({"every": {"in": [1, 2], "as": "n", "where": UNTOLD, "is": YES}}, True),
        ({"every": {"in": "$client.boats", "as": "id", "is": {"present": {"row": ["boats", "$id"]}}}}, True),
    ],
    ids=lambda part: json.dumps(part)[:90],
)
def test_a_condition_holds_fails_or_is_left_open(condition: Json, expected: bool | None) -> None:
    assert holds(condition) is expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("$$5", "$5"),
        (None, None),
        ("$client.boats", ["b1", "b2"]),
        ("$client.level.deeper", UNKNOWN),
        ("$client.level[]", UNKNOWN),
        ({"get": [{"row": ["boats", "b2"]}, "seats"]}, 4),
        ({"get": [{"row": ["boats", "b2"]}, "parts", "oar"]}, UNKNOWN),
        ({"row": ["boats", 3]}, UNKNOWN),
        ({"row": ["ships", "b1"]}, UNKNOWN),
        ({"rows": ["ships"]}, UNKNOWN),
        ({"rows": [["ships"]]}, UNKNOWN),
        ({"count": {"in": {"rows": "boats"}, "as": "boat"}}, 2),
        ({"list": {"in": {"rows": "boats"}, "as": "boat", "of": "$boat.tags[]"}}, [["red"], ["blue", "old"]]),
        ({"default": ["$client.note", "none"]}, "none"),
        ({"default": ["$client.level", "none"]}, "gold"),
        ({"add": [1, 2.5]}, 3.5),
        ({"add": [1, "2"]}, UNKNOWN),
        ({"add": ["$argument.huge", 0.5]}, UNKNOWN),
        ({"subtract": [3, 1]}, 2),
        ({"multiply": [3, 2, 2]}, 12),
        ({"multiply": [1e300, 1e300]}, UNKNOWN),
        ({"max": [1, 3, 2]}, 3),
        ({"min": [1, 3, 2]}, 1),
        ({"size": "$client.boats"}, 2),
        ({"size": "$client.level"}, UNKNOWN),
        ({"first": "$client.boats"}, "b1"),
        ({"first": [[]]}, UNKNOWN),
        ({"join": ["a", 1]}, "a1"),
        ({"join": ["a", 1.5]}, UNKNOWN),
        ({"hours": ["2030-02-11", "$now"]}, 10.5),
        ({"hours": ["2030-02-11T00:00+00:00", "$now"]}, UNKNOWN),
        ({"days": ["2030-02-10T23:00", "$now"]}, 1),
        ({"days": ["yesterday", "$now"]}, UNKNOWN),
        ({"days": [7, "$now"]}, UNKNOWN),
        ({"months": ["2030-01-11", "$now"]}, 1),
        ({"months": ["2029-02-12", "$now"]}, 11),
        ({"months": ["soon", "$now"]}, UNKNOWN),
        ({"hours": ["soon", "$now"]}, UNKNOWN),
        ({"choose": {"by": "$client.level", "from": {"gold": 5, "silver": 3}}}, 5),
        ({"choose": {"by": "$client.debt", "from": {"gold": 5}}}, UNKNOWN),
        ({"choose": {"by": "bronze", "from": {"gold": 5}}}, UNKNOWN),
        ({"zip": {"a": [1, 2], "b": "$argument.words"}}, [{"a": 1, "b": "b"}, {"a": 2, "b": "a"}]),
        ({"zip": {"a": [1], "b": "$argument.words"}}, UNKNOWN),
        ({"zip": {"a": 1, "b": "$argument.words"}}, UNKNOWN),
        ({"sum": {"in": "$argument.seats", "as": "n", "of": {"multiply": ["$n", 2]}}}, 12),
        ({"sum": {"in": [], "as": "n", "of": "$n"}}, 0),
        ({"sum": {"in": "$argument.seats", "as": "n", "of": "$n.deeper"}}, UNKNOWN),
        ({"count": {"in": "$argument.seats", "as": "n", "where": {"less": ["$n", 3]}}}, 1),
        ({"count": {"in": "$argument.seats", "as": "n", "where": UNTOLD}}, UNKNOWN),
        ({"count": {"in": "$client.debt", "as": "n"}}, UNKNOWN),
        ({"list": {"in": {"get": [{"row": ["boats", "b1"]}, "parts"]}, "as": "part", "of": "$part.n"}}, [2, 1]),
        (["$client.level", "$client.nothing"], UNKNOWN),
    ],
    ids=lambda part: json.dumps(part, default=str)[:90],
)
def test_a_value_is_worked_out_or_unknown(expression: Json, expected: object) -> None:
    found = value(expression)
    assert found == expected
    assert type(found) is type(expected)


def test_a_path_with_two_list_steps_gives_one_list() -> None:
    names: Any = {"trips": [{"legs": [{"to": "a"}, {"to": "b"}]}, {"legs": [{"to": "c"}]}], "odd": [{"legs": 1}]}
    place = Place("", "", frozenset(names))
    scene = Scene({}, names)
    assert work_out(read_value("$trips[].legs[].to", place), scene) == ["a", "b", "c"]
    assert work_out(read_value("$odd[].legs[].to", place), scene) is UNKNOWN


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        (["storm*"], "Because of STORMY seas", True),
        (["storm"], "Because of stormy seas", False),
        (["bad weather"], "The bad\n weather stays", True),
        (["ill"], "You still want it", False),
        (["a.b"], "axb", False),
    ],
)
def test_words_are_found_whole_without_case_and_with_any_ending_after_a_star(
    words: list[Json], text: str, expected: bool
) -> None:
    assert holds({"mentions": words}, text=text) is expected


def test_what_a_text_mentions_is_left_open_where_the_text_is_left_out() -> None:
    assert holds({"mentions": ["storm"]}) is None


def test_a_rule_that_takes_too_many_steps_is_left_open() -> None:
    numbers: list[Json] = list(range(100))
    names: Any = {"numbers": numbers}
    place = Place("", "", frozenset(names))
    inner: Json = {"every": {"in": "$numbers", "as": "c", "is": {"equal": ["$a", "$a"]}}}
    inner = {"every": {"in": "$numbers", "as": "b", "is": inner}}
    condition: Json = {"every": {"in": "$numbers", "as": "a", "is": inner}}
    assert len(numbers) ** 3 > MAX_STEPS
    assert decide(read_condition(condition, place), Scene({}, names)) is None
    total: Json = {"sum": {"in": "$numbers", "as": "b", "of": {"sum": {"in": "$numbers", "as": "c", "of": "$c"}}}}
    total = {"sum": {"in": "$numbers", "as": "a", "of": total}}
    assert work_out(read_value(total, place), Scene({}, names)) is UNKNOWN
