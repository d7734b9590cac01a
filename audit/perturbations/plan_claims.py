"""False claims about a plan, where the expected behavior is a diagnosis of one."""

from __future__ import annotations

from audit.perturbations.edits import exchange_in
from audit.perturbations.sites import Planted, Site, Unfit
from audit.perturbations.world import holds
from audit.plans.instance import Node, read_instance
from audit.records.task import PartKind


def contradict_node(site: Site) -> Planted | Unfit:
    """Say of a node of the plan that it calls another tool than it does."""
    nodes = [node for node in read_instance(site.task.raw).calls if node.name]
    for place in site.rng.permutation(len(nodes)):
        node = nodes[int(place)]
        other = _other_tool(site, node)
        if other:
            text = f"Node {node.id} of the plan calls {other}."
            return Planted(site.form.state(site.task.raw, text), f"tool {other}")
    return Unfit("its plan has no node with a tool in whose place another could be named")


def name_other_tool(site: Site) -> Planted | Unfit:
    """Put another tool of the request in the place of one that the reason names."""
    reasons = [(path, text) for path, text in site.texts({PartKind.PROSE})]
    nodes = [node for node in read_instance(site.task.raw).calls if any(holds(text, node.name) for _, text in reasons)]
    for place in site.rng.permutation(len(nodes)):
        node = nodes[int(place)]
        other = _other_tool(site, node)
        if node.name and other:
            raw = exchange_in(site.raw, [path for path, _ in reasons], old=node.name, new=other)
            return Planted(raw, f"tool {other}")
    return Unfit("its expected behavior names no tool in whose place another could stand")


def _other_tool(site: Site, node: Node) -> str:
    """Return a tool that is offered and that the reason does not name; empty if there is none."""
    text = site.task.behavior_text
    names = sorted(name for name in read_instance(site.task.raw).tools if name != node.name and not holds(text, name))
    return names[int(site.rng.integers(len(names)))] if names else ""
