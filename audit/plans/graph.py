"""A plan as a graph: its order, its layers, and what makes it none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from audit.plans.instance import RESPONSE, ROOT, Node


@dataclass(frozen=True, slots=True)
class GraphFault:
    """What keeps a plan from being a directed graph without cycles; ``node`` is an id."""

    kind: str
    node: str
    what: str


EMPTY_ID, REPEATED_ID, NO_LIST, NO_TARGET, CYCLE = "empty id", "repeated id", "no list", "no target", "cycle"


class Graph:
    """The dependencies of a plan. Of nodes with the same id, the last one counts; unknown dependencies lead nowhere."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = tuple(nodes)
        self.by_id = {node.id: node for node in nodes}
        self._ancestors: dict[str, frozenset[str]] = {}
        self._descendants: dict[str, frozenset[str]] = {}

    @cached_property
    def before(self) -> dict[str, tuple[str, ...]]:
        """For each id the known ids that it depends on, root left out."""
        return {
            node_id: tuple(
                name for name in dict.fromkeys(node.dependencies or ()) if name in self.by_id and name != ROOT
            )
            for node_id, node in self.by_id.items()
        }

    @cached_property
    def after(self) -> dict[str, list[str]]:
        """For each id the ids of the nodes that depend on it."""
        made: dict[str, list[str]] = {node_id: [] for node_id in self.by_id}
        for node_id, names in self.before.items():
            for name in names:
                made[name].append(node_id)
        return made

    def ancestors(self, node_id: str) -> frozenset[str]:
        """Return everything that a node waits for; itself is among it in a cycle."""
        if node_id not in self._ancestors:
            self._ancestors[node_id] = _reach(node_id, self.before)
        return self._ancestors[node_id]

    def descendants(self, node_id: str) -> frozenset[str]:
        """Return everything that waits for a node."""
        if node_id not in self._descendants:
            self._descendants[node_id] = _reach(node_id, self.after)
        return self._descendants[node_id]

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The ids, each after what it depends on; those in or behind a cycle are left out."""
        waiting = {node_id: len(names) for node_id, names in self.before.items()}
        ready = [node_id for node_id, n in waiting.items() if n == 0]
        for node_id in ready:
            for later in self.after[node_id]:
                waiting[later] -= 1
                if waiting[later] == 0:
                    ready.append(later)
        return tuple(ready)

    @property
    def is_cyclic(self) -> bool:
        """Whether some nodes wait for each other."""
        return len(self.order) < len(self.by_id)

    @cached_property
    def layers(self) -> dict[str, int]:
        """The layer of each node between root and response, from 1; without those in or behind a cycle."""
        made: dict[str, int] = {}
        for node_id in self.order:
            if self.by_id[node_id].is_call:
                made[node_id] = 1 + max((made[name] for name in self.before[node_id] if name in made), default=0)
        return made

    @property
    def depth(self) -> int | None:
        """Layers, which take a round each; ``None`` with a cycle."""
        return None if self.is_cyclic else max(self.layers.values(), default=0)

    @property
    def frontier(self) -> tuple[Node, ...]:
        """The nodes that run next, response left out: open, with all dependencies known and done."""
        return tuple(node for node in self.by_id.values() if node.is_call and not node.is_done and self._is_ready(node))

    def _is_ready(self, node: Node) -> bool:
        needed = [name for name in node.dependencies or () if name != ROOT]
        return all(name in self.by_id and self.by_id[name].is_done for name in needed)

    @property
    def loose_ends(self) -> tuple[Node, ...]:
        """The nodes that no other node depends on, the response included."""
        return tuple(node for node in self.by_id.values() if node.is_call and not self.after[node.id])

    def faults(self) -> Iterator[GraphFault]:
        """Yield what makes the plan invalid: ids, dependencies that lead nowhere, cycles."""
        ids = Counter(node.id for node in self.nodes)
        for node in self.nodes:
            if not node.id:
                yield GraphFault(EMPTY_ID, "", f"node number {node.position + 1} has no id")
            if node.dependencies is None:
                yield GraphFault(NO_LIST, node.id, f"the dependencies of {node.id!r} are no list")
            for name in dict.fromkeys(node.dependencies or ()):
                if name not in ids:
                    yield GraphFault(NO_TARGET, node.id, f"{node.id!r} depends on {name!r}, which is no node")
        for node_id, n in ids.items():
            if n > 1 and node_id:
                yield GraphFault(REPEATED_ID, node_id, f"{n} nodes have the id {node_id!r}")
        if self.is_cyclic:
            ring = [node_id for node_id in self.by_id if node_id in self.ancestors(node_id)]
            yield GraphFault(CYCLE, ring[0], f"the nodes {', '.join(ring)} wait for each other")

    def ends(self) -> Iterator[str]:
        """Yield the ends that a plan lacks or has more than once."""
        ids = Counter(node.id for node in self.nodes)
        for name in (ROOT, RESPONSE):
            if ids[name] != 1:
                yield f"no node {name!r}" if ids[name] == 0 else f"{ids[name]} nodes {name!r}"


def _reach(start: str, edges: dict[str, tuple[str, ...]] | dict[str, list[str]]) -> frozenset[str]:
    found: set[str] = set()
    waiting = list(edges[start])
    while waiting:
        node_id = waiting.pop()
        if node_id not in found:
            found.add(node_id)
            waiting.extend(edges[node_id])
    return frozenset(found)
