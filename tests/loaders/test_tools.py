from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.loaders.json_file import read_input
from audit.loaders.tools import by_caller, kind_of, kind_of_call, read_tools
from audit.records.task import Json, Parameter, Tool, ToolKind
from audit.resources import resource
from tests.loaders.boats import TOOLS, write_json


def read(tmp_path: Path, value: object) -> tuple[Tool, ...]:
    path = write_json(tmp_path / "tools.json", value)
    return read_tools(read_input(path, root=tmp_path, role="tools"))


def test_our_own_format_and_its_bare_list_read_alike(tmp_path: Path) -> None:
    tools = read(tmp_path, TOOLS)
    assert tools == read(tmp_path, TOOLS["tools"])
    assert tools[0] == Tool("find_member", ToolKind.READ, (Parameter("email", "str", True),), "assistant")
    assert (tools[-1].kind, tools[-1].caller) == (ToolKind.WRITE, "user")


def test_function_schemas_give_types_and_required_flags_but_no_kinds(tmp_path: Path) -> None:
    properties = {
        "hire_id": {"type": "string"},
        "cabin": {"type": "string", "enum": ["low", "high"]},
        "guests": {"type": "array", "items": {"type": "object"}},
        "price": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "n": {"type": ["integer", "null"]},
        "free": {},
        "odd": True,
    }
    parameters = {"type": "object", "properties": properties, "required": ["hire_id", "cabin"]}
    (tool,) = read(tmp_path, [{"type": "function", "function": {"name": "book", "parameters": parameters}}])
    assert tool.kind is ToolKind.UNKNOWN
    assert [(p.name, p.type, p.is_required) for p in tool.parameters] == [
        ("hire_id", "str", True),
        ("cabin", "enum[low|high]", True),
        ("guests", "list[object]", False),
        ("price", "float|null", False),
        ("n", "int|null", False),
        ("free", "any", False),
        ("odd", "any", False),
    ]


def test_flat_function_schemas_and_those_without_parameters_are_read(tmp_path: Path) -> None:
    tools = read(tmp_path, [{"type": "function", "name": "a", "parameters": {}}, {"type": "function", "name": "b"}])
    assert [(tool.name, tool.parameters) for tool in tools] == [("a", ()), ("b", ())]


def test_a_schema_may_carry_a_kind(tmp_path: Path) -> None:
    (tool,) = read(tmp_path, [{"type": "function", "kind": "write", "function": {"name": "a"}}])
    assert tool.kind is ToolKind.WRITE


def test_tables_by_side_and_name_are_read(tmp_path: Path) -> None:
    parameters = [{"name": "ids", "type": "List[str]", "required": False}, {"name": "when", "type": "Optional[str]"}]
    tools = read(
        tmp_path,
        {
            "agent": {"tools": {"a": {"tool_type": "think", "parameters": parameters}}, "functions": {"set_x": {}}},
            "user": {"tools": {"a": {"tool_type": "write"}, "b": None}},
        },
    )
    assert [(tool.caller, tool.name, tool.kind) for tool in tools] == [
        ("assistant", "a", ToolKind.GENERIC),
        ("user", "a", ToolKind.WRITE),
        ("user", "b", ToolKind.UNKNOWN),
    ]
    assert tools[0].parameters == (Parameter("ids", "list[str]", False), Parameter("when", "str|null", True))


def test_a_side_that_is_null_has_no_tools(tmp_path: Path) -> None:
    assert read(tmp_path, {"agent": {"tools": {}}, "user": None}) == ()


def test_lists_with_kinds_in_capitals_and_classes_are_read(tmp_path: Path) -> None:
    rows = [
        {"name": "a", "type": "READ", "class": "BoatTools"},
        {"name": "b", "type": "WRITE", "class": "BoatUserTools"},
    ]
    assert [(tool.kind, tool.caller) for tool in read(tmp_path, rows)] == [
        (ToolKind.READ, "assistant"),
        (ToolKind.WRITE, "user"),
    ]


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (3, "not a tool table"),
        ({"functions": []}, "not a tool table"),
        (["book"], r"\[0\]: a tool must be an object"),
        ([{"kind": "read"}], r"\[0\] name: the field 'name' is missing"),
        ([{"name": "a"}, {"name": "a"}], "the tool 'a' is listed twice"),
        ([{"name": "a", "caller": "robot"}], "the caller is 'robot'"),
        ([{"name": "a", "parameters": "x"}], "must be a list, not a text"),
        ({"agent": {"tools": {"a": 3}}}, r"agent\.tools\.a: must be an object, not a number"),
    ],
)
def test_what_is_no_tool_table_is_refused(tmp_path: Path, value: object, complaint: str) -> None:
    with pytest.raises(LoadError, match=complaint.replace("] name", r"]\.name")):
        read(tmp_path, value)


def test_a_tool_that_the_table_lacks_has_no_known_kind(tmp_path: Path) -> None:
    tools = by_caller(read(tmp_path, TOOLS))
    assert kind_of(tools, "ring_bell", caller="user") is ToolKind.WRITE
    assert kind_of(tools, "ring_bell", caller="assistant") is ToolKind.UNKNOWN


@pytest.mark.parametrize(
    ("name", "n_tools", "n_writes"),
    [("tau-airline", 14, 6), ("tau-retail", 16, 7), ("tau2-retail", 15, 7), ("tau-mock", 6, 3)],
)
def test_shipped_tables_know_every_kind_and_type(name: str, n_tools: int, n_writes: int) -> None:
    path = resource("benchmarks", "tools", f"{name}.json")
    tools = read_tools(read_input(path, root=path.parent, role="tools"))
    assert len(tools) == n_tools
    assert sum(tool.kind is ToolKind.WRITE for tool in tools) == n_writes
    assert ToolKind.UNKNOWN not in {tool.kind for tool in tools}
    types = {parameter.type for tool in tools for parameter in tool.parameters}
    assert all(kind in {"str", "int", "list[str]", "list[object]"} or kind.startswith("enum[") for kind in types)


@pytest.mark.parametrize("domain", ["airline", "retail", "mock"])
def test_shipped_tables_agree_with_the_published_tools(real_data: Path, domain: str) -> None:
    ours = resource("benchmarks", "tools", f"tau-{domain}.json")
    theirs = real_data / "tau3" / "tools" / f"{domain}.json"
    tables = [
        {
            (tool.caller, tool.name): (tool.kind, [(p.name, p.is_required) for p in tool.parameters])
            for tool in read_tools(read_input(path, root=path.parent, role="tools"))
        }
        for path in (ours, theirs)
    ]
    assert tables[0] == tables[1]


@pytest.mark.parametrize("domain", ["airline", "retail", "banking_knowledge"])
def test_tool_tables_of_the_flaw_sets_are_read(real_data: Path, domain: str) -> None:
    path = real_data / "flaws-dev" / domain / "tools.json"
    tools = read_tools(read_input(path, root=path.parent, role="tools"))
    assert ToolKind.UNKNOWN not in {tool.kind for tool in tools}


def test_function_schemas_of_the_first_generation_are_read(real_data: Path) -> None:
    path = real_data / "tau1" / "airline" / "tools.json"
    by_name = {tool.name: tool for tool in read_tools(read_input(path, root=path.parent, role="tools"))}
    assert Parameter("cabin", "enum[basic_economy|economy|business]") in by_name["book_reservation"].parameters


DISPATCH = {
    (tool.caller, tool.name): tool
    for tool in (
        Tool("dispatch", ToolKind.WRITE, (Parameter("tool", "str"), Parameter("arguments", "str", False))),
        Tool("unlock", ToolKind.GENERIC, (Parameter("tool", "str"),)),
        Tool("look", ToolKind.READ, ()),
        Tool("odd", ToolKind.UNKNOWN, ()),
        Tool("ring", ToolKind.READ, (), "user"),
    )
}


@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [
        ("dispatch", {"tool": "look", "arguments": '{"id": 1}'}, ToolKind.READ),
        ("dispatch", {"tool": "look"}, ToolKind.READ),
        ("dispatch", {"tool": "odd", "arguments": "{}"}, ToolKind.WRITE),
        ("dispatch", {"tool": "ring", "arguments": "{}"}, ToolKind.WRITE),
        ("dispatch", {"tool": "dispatch", "arguments": "{}"}, ToolKind.WRITE),
        ("dispatch", {"tool": 3}, ToolKind.WRITE),
        ("unlock", {"tool": "look"}, ToolKind.GENERIC),
        ("unlisted", {"tool": "look", "arguments": {"id": 1}}, ToolKind.READ),
        ("unlisted", {"tool": "look", "note": "all of it"}, ToolKind.UNKNOWN),
    ],
)
def test_a_call_that_carries_another_does_what_that_one_does(
    name: str, arguments: dict[str, Json], kind: ToolKind
) -> None:
    assert kind_of_call(DISPATCH, name, arguments=arguments, caller="assistant") is kind


@pytest.mark.parametrize(("table", "n_agent", "n_user"), [("tau-telecom", 13, 30), ("tau-banking", 58, 10)])
def test_the_tables_of_domains_in_which_users_act_list_both_sides(table: str, n_agent: int, n_user: int) -> None:
    path = resource("benchmarks", "tools", f"{table}.json")
    tools = read_tools(read_input(path, root=path.parent, role="tools"))
    assert [sum(tool.caller == caller for tool in tools) for caller in ("assistant", "user")] == [n_agent, n_user]
    assert all(tool.kind is not ToolKind.UNKNOWN for tool in tools)


def test_a_type_that_nobody_wrote_is_left_as_it_is(tmp_path: Path) -> None:
    written = "Optional[" * 20_000
    (tool,) = read(tmp_path, [{"name": "f", "parameters": [{"name": "a", "type": written}]}])
    assert tool.parameters[0].type == written
