from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from audit.plans.instance import read_instance
from audit.plans.references import References, ValueKind
from audit.plans.schema import FaultKind, find_faults, fits_type
from tests.plans import kiosk

NODES = (
    kiosk.ROOT,
    kiosk.CUT,
    kiosk.node("2.1", "bind_bouquet"),
    kiosk.node("5", "price_bouquet"),
    kiosk.node("10", "do"),
)
REFERENCES = References(kiosk.instance(*NODES).nodes)


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("task1 result", ("1",)),
        ("task1_output", ("1",)),
        ("task1中输出的花", ("1",)),
        ("任务1的返回结果", ("1",)),
        ("1的结果", ("1",)),
        ("2.1的结果", ("2.1",)),
        ("1的值为花的返回值", ("1",)),
        ("output_of_task1", ("1",)),
        ("output_of_5", ("5",)),
        ("Output of Task 10", ("10",)),
        ("@1", ("1",)),
        ("root.output", ("root",)),
        ("output_of_cut_stems", ("1",)),
        ("从cut_stems获得的花", ("1",)),
    ],
)
def test_a_text_in_any_wording_stands_for_its_node(text: str, targets: tuple[str, ...]) -> None:
    found = REFERENCES.read(text)
    assert (found.kind, found.targets, found.missing) == (ValueKind.REFERENCE, targets, ())


def test_a_range_stands_for_every_node_in_it_and_unknown_ones_are_missing() -> None:
    found = REFERENCES.read("outputs from tasks 4-6")
    assert (found.targets, found.missing) == (("5",), ("4", "6"))
    assert REFERENCES.read("output of tasks 9 to 3").targets == ()
    assert REFERENCES.read("task77_output").missing == ("77",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tulip",
        "Finish task 1 by noon",
        "cut_stems",
        "stem 12",
        "#000000",
        "node",
        "2031-05-04",
        "x" * 200,
        "cut_stems!",
    ],
)
def test_contents_are_no_references(text: str) -> None:
    assert REFERENCES.read(text).kind is ValueKind.LITERAL


@pytest.mark.parametrize("text", ["source_id_placeholder", "待填入花名", "<stem id>", "{{stems}}", "previous_output"])
def test_an_open_place_stands_for_no_node(text: str) -> None:
    found = REFERENCES.read(text)
    assert (found.kind, found.targets) == (ValueKind.PLACEHOLDER, ())


def test_a_node_stands_for_what_is_anywhere_in_its_arguments() -> None:
    nodes = kiosk.instance(
        kiosk.CUT,
        kiosk.node("2", para={"a": {"id": "1"}, "b": [{"c": "task3 result"}], "d": 4}),
        kiosk.node("3", para=["1", "ribbon"]),
        kiosk.node("4", para={"a": "blue", "b": {"id": "zzz"}}),
        kiosk.node("5", para={"a": "xx_placeholder"}),
    ).nodes
    references = References(nodes)
    assert references.targets(nodes[1]).targets == ("3", "1")
    assert references.targets(nodes[2]).targets == ("1",)
    assert references.targets(nodes[3]).kind is ValueKind.LITERAL
    assert references.targets(nodes[4]).kind is ValueKind.REFERENCE
    assert references.targets(nodes[4]).targets == ()


def faults(*nodes: dict[str, Any], **fields: Any) -> list[tuple[str, FaultKind, str]]:  # noqa: ANN401
    instance = kiosk.instance(*nodes, **fields)
    return [(one.node.id, one.kind, one.parameter) for one in find_faults(instance, References(instance.nodes))]


def test_a_sound_call_has_no_fault_and_references_are_told_apart() -> None:
    assert faults(*kiosk.SOUND) == [
        ("2", FaultKind.REFERENCE, "stems"),
        ("3", FaultKind.REFERENCE, "bouquet"),
        ("4", FaultKind.REFERENCE, "bouquet"),
    ]


@pytest.mark.parametrize(
    ("para", "expected"),
    [
        ({"flower": "tulip"}, [(FaultKind.MISSING, "count")]),
        ({"flower": "tulip", "number": 9}, [(FaultKind.UNKNOWN_PARAMETER, "number"), (FaultKind.MISSING, "count")]),
        ({"flower": 3, "count": "9"}, [(FaultKind.TYPE, "flower"), (FaultKind.TYPE, "count")]),
        ({"flower": "", "count": 9}, [(FaultKind.INVALID, "flower")]),
        ({"flower": "cut on 2031-02-30", "count": 9}, [(FaultKind.INVALID, "flower")]),
        ({"flower": "cut on 2031/02/28", "count": 9}, []),
        ({"flower": "task1_output", "count": 9}, [(FaultKind.TEXT_REFERENCE, "flower")]),
        (["tulip", "9"], [(FaultKind.POSITIONAL, "")]),
        ([{"flower": "a", "count": 1}, {"count": 2}], [(FaultKind.CLASH, "count")]),
        (["{}"], [(FaultKind.MISSING, "flower"), (FaultKind.MISSING, "count")]),
    ],
)
def test_arguments_are_held_against_the_schema(para: Any, expected: list[tuple[FaultKind, str]]) -> None:  # noqa: ANN401
    found = faults(kiosk.ROOT, kiosk.node("1", "cut_stems", para=para))
    assert [(kind, name) for _, kind, name in found] == expected


def test_unknown_tools_are_faults_and_nodes_without_a_name_are_no_calls() -> None:
    assert faults(kiosk.node("1", "water_stems"), kiosk.node("2")) == [("1", FaultKind.UNKNOWN_TOOL, "")]
    assert faults(kiosk.node("1", "water_stems"), tools=[]) == []


def test_schemas_inside_schemas_and_choices_are_held_as_well() -> None:
    inner = {"type": "object", "properties": {"size": {"type": "number"}, "n": 3}, "required": ["size", "hue", 4]}
    tools = [
        kiosk.tool("wrap", [], box=inner, list={"type": "array", "items": inner}, hue={"type": "enum", "enum": ["red"]})
    ]
    found = faults(
        kiosk.node(
            "1", "wrap", para={"box": {"size": "big", "hue": 1}, "list": [{"size": 1, "hue": 1}, {}], "hue": "blue"}
        ),
        tools=tools,
    )
    assert found == [
        ("1", FaultKind.TYPE, "box.size"),
        ("1", FaultKind.MISSING, "list[1].size"),
        ("1", FaultKind.MISSING, "list[1].hue"),
        ("1", FaultKind.INVALID, "hue"),
    ]


def test_odd_schemas_accept_anything() -> None:
    tools = [{"name": "odd", "description": "", "parameters": {"a": None, "b": {"type": "roman"}, "c": {"type": []}}}]
    assert faults(kiosk.node("1", "odd", para={"a": 1, "b": [2], "c": None}), tools=tools) == [
        ("1", FaultKind.TYPE, "c")
    ]


@pytest.mark.parametrize(
    ("value", "wanted", "fits"),
    [
        (1, "integer", True),
        (1.5, "integer", False),
        ("1", "integer", False),
        (None, "null", True),
        (True, "boolean", True),
        ([], "array", True),
        ("[]", "array", False),
        ("x", ["number", "string"], True),
    ],
)
def test_types_are_those_of_json(value: Any, wanted: Any, fits: bool) -> None:  # noqa: ANN401, FBT001
    assert fits_type(value, wanted) is fits


def test_the_calls_of_the_shared_samples_have_the_faults_that_were_found_by_hand(real_data: Path) -> None:
    words = {
        FaultKind.UNKNOWN_TOOL: "unknown",
        FaultKind.UNKNOWN_PARAMETER: "unknown",
        FaultKind.MISSING: "missing",
        FaultKind.POSITIONAL: "positional",
        FaultKind.TYPE: "type",
        FaultKind.REFERENCE: "type (placeholder)",
        FaultKind.TEXT_REFERENCE: "placeholder",
        FaultKind.INVALID: "empty",
    }
    folder = real_data / "pararecover"
    n_references = 0
    for line in (folder / "static_facts.jsonl").read_text(encoding="utf-8").splitlines():
        fact = json.loads(line)
        lines = (folder / fact["file"]).read_text(encoding="utf-8").splitlines()
        instance = read_instance(next(one for one in map(json.loads, lines) if one["id"] == fact["id"]))
        found = find_faults(instance, References(instance.nodes))
        n_references += any(one.kind is FaultKind.REFERENCE for one in found)
        top = Counter((one.node.id, words[one.kind]) for one in found if "[" not in one.parameter)
        known = Counter((one["node"], _word(one["finding"])) for one in fact["param_findings"])
        assert top == Counter({key: n for key, n in known.items() if key[1] != "same"}), fact["id"]
    assert n_references == 20


def _word(finding: str) -> str:
    first = finding.split(maxsplit=1)[0]
    return "type (placeholder)" if first == "type" and "(placeholder)" in finding else first
