"""Tags that speak of the order of a plan: dependencies, chains, and calls that run at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from audit.checks.pararecover_support import UNDECIDED, Evidence, against, found
from audit.checks.pararecover_view import View, plain_values
from audit.plans.instance import RESPONSE, Node


def dependence_error(view: View) -> Evidence:
    """Look for a cycle, a dependency on no node, or a node waited for in the place of the one that is used."""
    for fault in view.graph.faults():
        return found(fault.what)
    for node, target in strays(view):
        if any(name not in view.targets[node.id] for name in view.graph.before[node.id]):
            return found(f"{node.id!r} uses the result of {target!r} and waits for another node", node.field)
    return UNDECIDED


def dependence_null(view: View) -> Evidence:
    """Look for an open node that waits for nothing at all, or does not list a node whose result it uses."""
    for node in view.graph.by_id.values():
        is_open = not node.is_done and (node.is_call or node.id == RESPONSE)
        if is_open and not node.dependencies:
            return found(f"{node.id!r} has no dependency at all", node.field)
    for node in view.open_calls:
        for target in view.targets[node.id]:
            if target not in (node.dependencies or ()) and target != node.id:
                return found(f"{node.id!r} uses the result of {target!r} without listing it", node.field)
    return UNDECIDED


def parallelism_error(view: View) -> Evidence:
    """Look for open calls that run at the same time and repeat each other, or use each other's results."""
    sign = parallel_sign(view)
    if sign is not None:
        return sign
    if view.graph.is_cyclic or any(True for _ in view.graph.faults()):
        return UNDECIDED
    ends = [view.graph.by_id[RESPONSE]] if RESPONSE in view.graph.by_id else []
    open_nodes = [*(view.graph.by_id[node.id] for node in view.open_calls), *(end for end in ends if not end.is_done)]
    if any(view.is_apart(one, other) for one, other in combinations(open_nodes, 2)):
        return UNDECIDED
    return against("no two open nodes run at the same time: each waits for the one before it")


def serial_error(view: View) -> Evidence:
    """Look for an open call that waits for another one and uses nothing of it."""
    if view.graph.is_cyclic or any(True for _ in view.graph.faults()):
        return UNDECIDED
    needless = list(needless_edges(view))
    lively = [(one, other) for one, other in needless if not one.is_done]
    if lively:
        one, other = lively[0]
        return found(f"{other.id!r} waits for {one.id!r} and uses nothing of it", other.field)
    sign = parallel_sign(view)
    if needless and sign is None:
        one, other = needless[0]
        return found(f"{other.id!r} waits for {one.id!r}, which is done, and uses nothing of it", other.field)
    if needless and sign is not None:
        return against(f"what stands out is the contrary: {sign.why}", sign.field, is_proved=False)
    if any(view.has_open_placeholder(node) for node in view.open_calls):
        return UNDECIDED
    is_proved = all(
        name in view.targets[node.id]
        for node in view.open_calls
        for name in view.graph.before[node.id]
        if view.graph.by_id[name].is_call
    )
    rest = f"; {sign.why}" if sign is not None else ""
    return against(f"every open call uses the result of each call that it waits for{rest}", is_proved=is_proved)


def parallel_sign(view: View) -> Evidence | None:
    """Return what shows that calls run at the same time which should not, or ``None``."""
    layers = view.graph.layers
    for group in view.repeated:
        for one, other in combinations(group, 2):
            is_level = one.id in layers and other.id in layers and layers[one.id] == layers[other.id]
            if is_level and view.is_apart(one, other):
                return found(f"{one.id!r} and {other.id!r} are the same call in the same layer", other.field)
    for node, target in strays(view):
        if target in layers:
            return found(f"{node.id!r} uses the result of {target!r} and does not wait for it", node.field)
    for end in view.graph.loose_ends:
        others = [node for node in view.open_calls if view.is_apart(end, node)]
        if not end.is_done and others:
            return found(f"{end.id!r} is open, nothing waits for it, and {others[0].id!r} may run meanwhile", end.field)
    return None


def strays(view: View) -> Iterator[tuple[Node, str]]:
    """Yield open calls with a node whose result they use and that they don't wait for."""
    for node in view.open_calls:
        for target in view.targets[node.id]:
            if target != node.id and view.graph.by_id[target].is_call and target not in view.graph.ancestors(node.id):
                yield node, target


def needless_edges(view: View) -> Iterator[tuple[Node, Node]]:
    """Yield calls with open calls that wait for them, use nothing of them, and would run sooner otherwise."""
    layers = view.graph.layers
    for node in view.open_calls:
        names = [name for name in view.graph.before[node.id] if view.graph.by_id[name].is_call]
        unused = [name for name in names if not _uses(view, node, name)]
        kept = max((layers[name] for name in names if name not in unused and name in layers), default=0)
        if unused and not view.has_open_placeholder(node) and node.id in layers and kept + 1 < layers[node.id]:
            yield from ((view.graph.by_id[name], node) for name in unused)


def _uses(view: View, node: Node, name: str) -> bool:
    """Return whether a node uses the result of another, or of what comes after that one."""
    targets = view.targets[node.id]
    if name in targets or view.graph.descendants(name) & set(targets):
        return True
    before = view.graph.by_id[name]
    told = before.description + " ".join(result.text for result in view.instance.results if result.name == before.name)
    own = set(plain_values([before.arguments.named, *before.arguments.positional]))
    values = plain_values([node.arguments.named, *node.arguments.positional])
    return any(
        len(value) > 2 and value in told and value not in own and value not in view.instance.query for value in values
    )
