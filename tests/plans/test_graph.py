from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit.plans.graph import Graph
from audit.plans.instance import read_instance
from tests.plans import kiosk

node, response, ROOT = kiosk.node, kiosk.response, kiosk.ROOT


def graph(*nodes: dict[str, Any]) -> Graph:
    return Graph(kiosk.instance(*nodes).nodes)


def test_a_sound_plan_has_layers_a_frontier_and_no_fault() -> None:
    found = graph(*kiosk.SOUND)
    assert list(found.faults()) == []
    assert list(found.ends()) == []
    assert found.layers == {"1": 1, "2": 2, "3": 3, "4": 3}
    assert found.depth == 3
    assert [one.id for one in found.frontier] == ["1"]
    assert found.loose_ends == ()
    assert found.ancestors("3") == {"1", "2"}
    assert found.descendants("2") == {"3", "4", "response"}


@pytest.mark.parametrize(
    ("nodes", "faults"),
    [
        ((ROOT, node("1"), node("1")), [("repeated id", "1")]),
        ((ROOT, node(""), response()), [("empty id", "")]),
        ((ROOT, node("1", dep=("9", "9"))), [("no target", "1")]),
        ((ROOT, {"id": "1", "dep": "root"}), [("no list", "1")]),
        ((ROOT, node("1", dep=("2",)), node("2", dep=("1",)), node("3", dep=("2",))), [("cycle", "1")]),
        ((ROOT, node("1", dep=("1",))), [("cycle", "1")]),
    ],
)
def test_a_plan_that_is_no_graph_is_told(nodes: tuple[dict[str, Any], ...], faults: list[tuple[str, str]]) -> None:
    assert [(fault.kind, fault.node) for fault in graph(*nodes).faults()] == faults


def test_a_cycle_has_no_depth_and_names_its_nodes_alone() -> None:
    found = graph(ROOT, node("1", dep=("2",)), node("2", dep=("1",)), node("3", dep=("2",)), node("4"))
    assert found.depth is None
    assert next(found.faults()).what == "the nodes 1, 2 wait for each other"
    assert found.layers == {"4": 1}


def test_a_node_behind_an_unknown_one_never_runs_and_one_without_dependencies_does() -> None:
    found = graph(ROOT, node("1", dep=("9",)), node("2", dep=()), node("3", dep=("2",)), node("4", status=True))
    assert [one.id for one in found.frontier] == ["2"]
    assert [one.id for one in found.loose_ends] == ["1", "3", "4"]
    assert list(found.ends()) == ["no node 'response'"]
    assert list(graph(ROOT, ROOT, response()).ends()) == ["2 nodes 'root'"]


def test_the_shared_samples_have_the_graphs_that_were_found_by_hand(real_data: Path) -> None:
    folder = real_data / "pararecover"
    facts = [json.loads(line) for line in (folder / "static_facts.jsonl").read_text(encoding="utf-8").splitlines()]
    records = {
        (name, one["id"]): one
        for name in {fact["file"] for fact in facts}
        for one in map(json.loads, (folder / name).read_text(encoding="utf-8").splitlines())
    }
    invalid = set()
    for fact in facts:
        instance = read_instance(records[fact["file"], fact["id"]])
        found = Graph(instance.nodes)
        assert instance.problems == ()
        assert sorted(one.name for one in found.frontier if one.name) == fact["frontier"]
        assert [one.id for one in found.loose_ends] == fact["sinks_not_in_response_dep"]
        assert (found.depth, len(instance.calls)) == (fact["plan_depth"], fact["tool_nodes"])
        assert (instance.n_calls, instance.n_rounds) == (fact["funcall_times_gt"], fact["round_gt"])
        if list(found.faults()):
            invalid.add(fact["id"])
            assert fact["s5"] == 0
    assert len(facts) == 52
    assert invalid == {608, 794, 1266, 2660, 2662}
