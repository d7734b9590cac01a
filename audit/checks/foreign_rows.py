"""Gold actions on rows of other persons than those whom the task is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from audit.checks.protocol import Check, Subject
from audit.checks.raw import Call, inside, leaves, objects, show
from audit.checks.world import World, world_of
from audit.databases.tables import Ref, name_words
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Json, ToolKind

WRITES = Rule(
    "gold-foreign-row",
    "A gold action changes a row that belongs to another person",
    Severity.ERROR,
    Certainty.PROVED,
    "The text names one person by id, e-mail address, or name and postal code; the row that the gold action changes "
    "belongs to somebody else, and nothing that this person owns leads to it. The target state then asks for a "
    "change of a stranger's records. It is a false alarm only if the text names the row in words that hold no id.",
    "Name the row of the person who calls, or let the script name the other one.",
)
READS = Rule(
    "gold-foreign-read",
    "A gold action reads a row that belongs to another person",
    Severity.WARNING,
    Certainty.LIKELY,
    "A reading gold action asks for a person, or a row of a person, whom the text does not lead to. Reads do not "
    "change the target state, but they often show that the gold actions were made for another task, or that the "
    "agent would have to look into a stranger's records.",
    "Read the rows of the person who calls.",
)


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the gold actions that touch rows of persons whom the task's text does not lead to."""
    world = world_of(subject)
    for task in subject.benchmark.tasks:
        people = world.people_of(task)
        for call in world.calls[task.id] if people else ():
            yield from _inspect(world, call, people)


def _inspect(world: World, call: Call, people: frozenset[Ref]) -> Iterator[Finding]:
    seen: set[Ref] = set()
    for path, value, refs in _named(world, call):
        owned = [(ref, world.owner_of[ref]) for ref in refs if ref in world.owner_of]
        whose = [(ref, frozenset({ref})) for ref in refs if ref[0] in world.index.people] + owned
        if whose and len(whose) == len(refs) and all(people.isdisjoint(owners) for _, owners in whose):
            ref, owners = whose[0]
            if ref not in seen:
                seen.add(ref)
                yield _finding(call, path, value, (ref, sorted(owners), sorted(people)))


def _named(world: World, call: Call) -> Iterator[tuple[str, str, tuple[Ref, ...]]]:
    """Yield what a call's arguments name: path, value, and the rows that have or hold this id."""
    for leaf in leaves(dict(call.arguments)):
        if isinstance(leaf.value, str) and leaf.value:
            rows = world.spaces.rows_of(leaf.value)
            mail = world.index.by_mail.get(leaf.value.lower())
            if rows or mail:
                yield leaf.path, leaf.value, rows or ((mail,) if mail else ())
    for path, node in objects(dict(call.arguments)):
        found = _by_name(world, node)
        if found:
            yield path, " ".join(str(node[name]) for name in ("first_name", "last_name")), found


def _by_name(world: World, node: Mapping[str, Json]) -> tuple[Ref, ...]:
    names = [node.get(name) for name in ("first_name", "last_name")]
    code = next((value for name, value in node.items() if "zip" in name.lower() or "post" in name.lower()), None)
    if not all(isinstance(name, str) and name for name in names) or not isinstance(code, str):
        return ()
    words = name_words(" ".join(map(str, names)))
    return tuple(ref for name, ref in world.index.by_zip.get(code, ()) if name == words)


def _finding(call: Call, path: str, value: str, found: tuple[Ref, list[Ref], list[Ref]]) -> Finding:
    ref, owners, people = found
    is_write = call.action.kind is ToolKind.WRITE
    owner, person = owners[0][1], people[0][1]
    what = "is another person" if ref == owners[0] else f"belongs to {owner}"
    return report(
        WRITES if is_write else READS,
        f"{call.name} names {show(value)!r}, which {what}, while the task is about {person}.",
        origin=inside(call.origin, path) if path else call.origin,
        subject=f"{call.name} {show(value)}",
        evidence=(("row", f"{ref[0]} {ref[1]}"), ("owner", owner), ("the task's person", person)),
    )


CHECK = Check("foreign_rows", (WRITES, READS), inspect)
