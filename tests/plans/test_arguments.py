from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from audit.plans.arguments import Shape, read_arguments
from audit.plans.instance import read_instance

NAMED = [
    ({"count": 9}, Shape.OBJECT, {"count": 9}),
    ('{"count": 9}', Shape.OBJECT_TEXT, {"count": 9}),
    (['{"count": 9}'], Shape.JSON_TEXT, {"count": 9}),
    (["{}"], Shape.JSON_TEXT, {}),
    ([{"count": 9}], Shape.ONE_PAIR, {"count": 9}),
    ([{"count": 9, "flower": "tulip"}], Shape.ONE_OBJECT, {"count": 9, "flower": "tulip"}),
    ([{}], Shape.ONE_OBJECT, {}),
    ([{"count": 9}, {"flower": "tulip"}], Shape.PAIRS, {"count": 9, "flower": "tulip"}),
    ([{"count": 9}, '{"flower": "tulip"}'], Shape.PAIRS, {"count": 9, "flower": "tulip"}),
    ([{"count": 9}, {"count": 9}], Shape.PAIRS, {"count": 9}),
]
UNNAMED = [
    (["tulip", "nine"], Shape.POSITIONAL, ("tulip", "nine")),
    (["3", '["a"]'], Shape.JSON_VALUES, ("3", '["a"]')),
    (["tulip", {"x": 1}], Shape.MIXED, ("tulip", {"x": 1})),
    (["[1]", 300], Shape.MIXED, ("[1]", 300)),
    (['{"id":"{"a"}"}'], Shape.BROKEN, ('{"id":"{"a"}"}',)),
    ("the sum of both", Shape.TEXT, ("the sum of both",)),
    ("{broken", Shape.TEXT, ("{broken",)),
    (5, Shape.OTHER, (5,)),
]
NOTHING: list[tuple[Any, Shape]] = [
    (None, Shape.NULL),
    ("", Shape.EMPTY_TEXT),
    ([], Shape.EMPTY_LIST),
    ({}, Shape.EMPTY_OBJECT),
    ([""], Shape.EMPTY_TEXT_LIST),
]


@pytest.mark.parametrize(("value", "shape", "named"), NAMED)
def test_arguments_with_names_are_read_from_every_shape(value: Any, shape: Shape, named: object) -> None:  # noqa: ANN401
    found = read_arguments(value)
    assert (found.shape, found.named, found.positional, found.raw) == (shape, named, (), value)


@pytest.mark.parametrize(("value", "shape", "positional"), UNNAMED)
def test_values_without_names_are_kept_as_they_stand(value: Any, shape: Shape, positional: object) -> None:  # noqa: ANN401
    found = read_arguments(value)
    assert (found.shape, found.named, found.positional) == (shape, {}, positional)


@pytest.mark.parametrize(("value", "shape"), NOTHING)
def test_there_are_five_ways_to_give_nothing(value: Any, shape: Shape) -> None:  # noqa: ANN401
    found = read_arguments(value)
    assert found.shape is shape
    assert found.is_empty
    assert read_arguments(None, is_present=False).shape is Shape.ABSENT


def test_objects_that_disagree_are_not_merged() -> None:
    value: Any = [{"count": 9, "flower": "tulip"}, {"count": 7}]
    found = read_arguments(value)
    assert found.shape is Shape.CLASH
    assert found.clashes == ("count",)
    assert found.named == {}
    assert found.positional == tuple(value)
    assert not found.is_empty


def test_the_shapes_of_the_shared_samples_are_those_counted_by_hand(real_data: Path) -> None:
    counted: Counter[Shape] = Counter()
    for path in (real_data / "pararecover").glob("*/*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            counted.update(node.arguments.shape for node in read_instance(json.loads(line)).nodes)
    assert counted == {
        Shape.OBJECT: 142,
        Shape.ABSENT: 57,
        Shape.JSON_TEXT: 39,
        Shape.EMPTY_OBJECT: 34,
        Shape.ONE_PAIR: 26,
        Shape.EMPTY_LIST: 19,
        Shape.ONE_OBJECT: 16,
        Shape.POSITIONAL: 8,
        Shape.PAIRS: 4,
        Shape.MIXED: 2,
        Shape.JSON_VALUES: 1,
        Shape.EMPTY_TEXT_LIST: 1,
        Shape.EMPTY_TEXT: 2,
        Shape.TEXT: 1,
        Shape.NULL: 2,
    }
    assert counted.total() == 354
