from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit.plans.error_types import CHINESE, MEANINGS, type_of
from audit.plans.files import find_record_files, is_record_file
from audit.plans.instance import MOST_NODES, Problem, read_instance
from audit.plans.nested import read_nested
from tests.plans import kiosk


def test_a_record_is_read_whatever_is_text_and_what_is_json() -> None:
    as_text = kiosk.record()
    as_json = as_text | {name: json.loads(as_text[name]) for name in ("tool_list", "plan")}
    augmented = as_text | {
        "plan": json.dumps(json.loads(as_text["plan"]), indent=2),
        "fun_call": json.dumps(as_text["fun_call"]),
        "funcall_times_gt": "4",
        "round_gt": "4",
    }
    first = read_instance(as_text)
    assert first == read_instance(as_json) == read_instance(augmented)
    assert not first.problems
    assert [node.id for node in first.calls] == ["1", "2", "3", "4"]
    assert (first.n_calls, first.n_rounds) == (4, 4)
    assert first.results[0].arguments.named == {"flower": "tulip", "count": 9}


def test_every_type_has_a_meaning_and_the_chinese_tags_map_to_twelve_of_them() -> None:
    assert len(MEANINGS) == 14
    assert set(MEANINGS) - set(CHINESE.values()) == {"Null_Error", "Timeout_Error"}
    assert len(set(CHINESE.values())) == len(CHINESE) == 12
    assert type_of(" 参数值非法 ") == "Parameter_Invalid"
    assert type_of("乱七八糟") is None


def test_tags_come_in_order_without_nulls_and_unknown_ones_stay() -> None:
    fields = {"tag": None, "tag_1": "错误串行", "tag_2": None, "tag_3": "异常应对错误"}
    found = kiosk.instance(**fields)
    assert [(tag.field, tag.text, tag.type) for tag in found.tags] == [
        ("tag_1", "错误串行", "Serial_Error"),
        ("tag_3", "异常应对错误", None),
    ]
    assert found.types == {"Serial_Error"}


def test_labels_that_seem_swapped_are_not_swapped_back() -> None:
    assert type_of("Serial_Error") == type_of("错误串行") == "Serial_Error"
    assert type_of("Parallelism_Error") == type_of("错误并行") == "Parallelism_Error"


def test_irregular_nodes_are_read_as_they_are() -> None:
    found = kiosk.instance(
        kiosk.node("root", None, (), status="true", para=None),
        {"id": 5, "name": None, "dep": None, "desc": None},
        kiosk.node("2a", " bind_bouquet ", dep=("5",), status=1),
        {"id": "x", "dep": "1", "name": 3},
    )
    root, five, bind, odd = found.nodes
    assert root.is_done
    assert not root.is_call
    assert (five.id, five.name, five.dependencies, five.is_done, five.description) == ("5", "", (), False, "")
    assert bind.name == "bind_bouquet"
    assert odd.dependencies is None
    assert odd.field == "plan.tasks[3]"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"plan": "{"}, Problem("plan", "not JSON: Expecting property name enclosed in double quotes")),
        ({"plan": "[]"}, Problem("plan", 'no object with a list "tasks" that holds a node')),
        ({"plan": {"tasks": []}}, Problem("plan", 'no object with a list "tasks" that holds a node')),
        ({"plan": {"tasks": [[]]}}, Problem("plan.tasks[0]", "no object")),
        ({"plan": '{"tasks": [{"id": "1", "id": "2"}]}'}, Problem("plan", "the key 'id' stands twice in one object")),
        ({"plan": '{"tasks": [{"id": NaN}]}'}, Problem("plan", "not JSON that can be read")),
        ({"plan": '{"tasks": [{"id": 1e999}]}'}, Problem("plan", "not JSON that can be read")),
        ({"plan": "[" * 100_000}, Problem("plan", "not JSON that can be read")),
        (
            {"plan": '{"tasks": [{"id": "\\ud800"}]}'},
            Problem("plan", "nested too deep, or with text that can't be written"),
        ),
        ({"plan": "[" * 70 + "]" * 70}, Problem("plan", "nested too deep, or with text that can't be written")),
        ({"tool_list": {}}, Problem("tool_list", "no list")),
        ({"tool_list": [{"name": ""}]}, Problem("tool_list[0]", "no object with a name")),
        ({"tool_list": [{"name": "a"}]}, Problem("tool_list[0].parameters", "no object of parameters")),
        ({"fun_call": None}, Problem("fun_call", "missing")),
        ({"fun_call": ["x"]}, Problem("fun_call[0]", "no object")),
        ({"fun_call": [{"name": "a", "arguments": {}}]}, Problem("fun_call[0].results", "no text")),
        ({"tag": 3}, Problem("tag", "no text")),
    ],
)
def test_what_can_t_be_read_is_named_and_never_raises(fields: dict[str, Any], problem: Problem) -> None:
    assert problem in kiosk.instance(**fields).problems


def test_a_plan_of_thousands_of_nodes_is_not_looked_at() -> None:
    found = kiosk.instance(*(kiosk.node(str(number)) for number in range(MOST_NODES + 1)))
    assert found.nodes == ()
    assert found.problems == (Problem("plan", "501 nodes with 501 dependencies are too many to look at"),)


def test_an_escaped_text_that_is_whole_is_read() -> None:
    assert read_nested('{"a": ["\\u00e9", {"b": "\\ud83c\\udf37"}]}').value == {"a": ["é", {"b": "🌷"}]}
    assert read_nested(3).value == 3


def test_files_of_instances_are_told_by_their_first_record(tmp_path: Path) -> None:
    kiosk.write(tmp_path / "a" / "b" / "deep.jsonl", kiosk.record())
    kiosk.write(tmp_path / "other.jsonl", {"id": 1, "query": "x"})
    (tmp_path / "list.jsonl").write_text("[1]\n")
    (tmp_path / "broken.jsonl").write_text('{"id"\n')
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe\n")
    (tmp_path / "empty.jsonl").write_text("\n\n")
    late = tmp_path / "late.jsonl"
    late.write_bytes(b"\xef\xbb\xbf\n\n" + json.dumps(kiosk.record()).encode() + b"\n")
    assert find_record_files(tmp_path) == [tmp_path / "a" / "b" / "deep.jsonl", late]
    assert not is_record_file(tmp_path)
    assert not is_record_file(tmp_path / "none.jsonl")
