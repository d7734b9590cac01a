"""A format for bench-audit: cards in a text file, a blank line between them.

# water-1
User: My tomatoes look thirsty, and it is noon.
Agent: Says to wait for the evening.
"""

from __future__ import annotations

from audit.errors import LoadError
from audit.loaders.json_file import decode, read_input
from audit.loaders.policy import fit_items, make_policy
from audit.records.source import Source
from audit.records.task import Benchmark, Origin, Part, PartKind, Task


class CardsLoader:
    """Reads a file of cards, and the policy beside it."""

    def load(self, source: Source) -> Benchmark:
        """Read every card of ``source``; what is wrong with the files is a ``LoadError`` with the place in it."""
        if source.policy is None:
            raise LoadError("there is no policy", where=str(source.root), mend="Put policy.md beside the cards")
        cards = read_input(source.tasks, root=source.root, role="tasks")
        rules = read_input(source.policy, root=source.root, role="policy")
        policy = make_policy(decode(rules), name=source.policy.name, file=rules.shown)
        blocks = [block for block in decode(cards).replace("\r\n", "\n").split("\n\n") if block.strip()]
        return Benchmark(
            name=source.name,
            policy=fit_items(policy, items=source.items, use_items=source.use_items),
            tasks=tuple(_read_card(block, cards.shown) for block in blocks),
            style=source.style,
            title=source.title,
            version=source.version,
            files=(cards.record, rules.record),
        )


def _read_card(block: str, file: str) -> Task:
    head, *lines = block.strip().splitlines()
    if not head.startswith("# "):
        raise LoadError(f"a card begins with {head[:40]!r}", where=file, mend="Begin it with '# ' and its id")
    task_id = head.removeprefix("# ").strip()
    fields = {name: text.strip() for name, _, text in (line.partition(":") for line in lines)}
    for name in ("User", "Agent"):
        if not fields.get(name):
            raise LoadError(f"card {task_id} has no line '{name}:'", where=file, mend="Add it")

    def origin(name: str) -> Origin:
        return Origin(file, name, task_id)

    return Task(
        id=task_id,
        description=(Part(PartKind.SCENARIO, "User", fields["User"], origin("User")),),
        behavior=(Part(PartKind.PROSE, "Agent", fields["Agent"], origin("Agent")),),
        origin=origin("card"),
        raw=fields,
    )
