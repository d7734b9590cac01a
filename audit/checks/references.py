"""Ids in gold actions: whether they exist, and as what."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from audit.checks.protocol import Check, Subject
from audit.checks.raw import Call, Leaf, inside, leaves, show
from audit.checks.world import World, world_of
from audit.databases.tables import objects_in, words_in
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Json, Task, ToolKind

UNKNOWN_ID = Rule(
    "gold-unknown-id",
    "A gold action names an id that exists nowhere",
    Severity.ERROR,
    Certainty.PROVED,
    "The argument is an id by its name or by the other gold actions, but the value is no row of the database, stands "
    "nowhere in the task, and no earlier call made it. The call fails when it is replayed, so the target state lacks "
    "its effect. Where the user's own script gives the wrong id, the call may be meant to fail, and this is a note. "
    "Where earlier calls may have made the row and could not be replayed, it is only likely.",
    "Write the id of a row that exists.",
)
WRONG_KIND = Rule(
    "gold-id-of-other-table",
    "A gold action names an id of another kind than its argument takes",
    Severity.ERROR,
    Certainty.PROVED,
    "The database holds this id, but in another table than the one that the argument refers to: an item where a "
    "product is asked for, for instance. The call fails when it is replayed. Where the script tells the user to "
    "confuse the two, the call may be meant to fail, and this is a note.",
    "Write an id of the right table, or call the tool that takes this one.",
)
_MAKES = re.compile(
    r"^(?:\w*_)?(?:open|create|order|add|book|issue|reissue|register|apply|place|make|new|replace|enroll?|start)(?:_|$)"
)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the ids of gold actions that are none, or that are of another kind."""
    world = world_of(subject)
    if not world.spaces.by_id:
        return
    for task in subject.benchmark.tasks:
        calls = world.calls[task.id]
        if calls:
            yield from _inspect(world, task, calls)


def _inspect(world: World, task: Task, calls: tuple[Call, ...]) -> Iterator[Finding]:
    told = task.description_text
    given = _given(task)
    for call in calls:
        for leaf in leaves(dict(call.arguments)):
            if not isinstance(leaf.value, str) or not leaf.value.strip():
                continue
            spaces, is_sure = world.spaces_for(leaf.name)
            if not spaces and _is_mail(leaf):
                yield from _mail(world, task, call, leaf)
            if not spaces or world.spaces.spaces_of(leaf.value) & spaces or leaf.value in given:
                continue
            if _is_made(world, task, call, leaf.value) or may_have_made(world, task=task, call=call, name=leaf.name):
                continue
            if leaf.value in world.spaces.by_id:
                if is_sure:
                    yield _wrong_kind(world, call, leaf, told)
            else:
                yield _unknown(world, task, call, leaf)


def _given(task: Task) -> frozenset[str]:
    """Return the texts of the rows that the task itself sets, and of its initial state."""
    own = [row for row in task.rows if row.origin.task_id is not None]
    initial = task.raw.get("initial_state")
    found = {str(leaf.value) for leaf in leaves(initial)} | {key for row in own for key in _words(row.value)}
    return frozenset(found | {row.key for row in own} | _keys(initial))


def _keys(value: Json) -> set[str]:
    if isinstance(value, Mapping):
        return {str(key) for key in value} | {key for part in value.values() for key in _keys(part)}
    return {key for part in value for key in _keys(part)} if isinstance(value, list) else set()


def _words(value: Json) -> Iterator[str]:
    for node in objects_in(value):
        yield from words_in(node)


def _is_made(world: World, task: Task, call: Call, value: str) -> bool:
    """Return whether a replayed earlier call returned the value, or a row with it."""
    run = world.replay(task)
    if run is None:
        return False
    for outcome in run.outcomes[: call.position]:
        rows = [outcome.state[table][key] for table, key in outcome.changed if key in outcome.state[table]]
        if any(key == value for _, key in outcome.changed) or value in json.dumps([outcome.result, rows], default=str):
            return True
    return False


def may_have_made(world: World, *, task: Task, call: Call, name: str) -> bool:
    """Return whether an argument takes the id of what an earlier gold call makes by its name, and none was replayed.

    An ``account_id`` may be that of a call ``open_account``: the verb makes something, the noun is the argument's.
    """
    noun = name.lower().removesuffix("s").removesuffix("_id").split("_")[-1]
    if world.subject.environment is not None or noun == name.lower().removesuffix("s"):
        return False
    return any(
        before.position < call.position
        and before.action.kind in (ToolKind.WRITE, ToolKind.UNKNOWN)
        and noun in before.name.lower().split("_")
        and _MAKES.search(before.name.lower())
        for before in world.calls[task.id]
    )


def _may_be_made(world: World, task: Task, call: Call) -> bool:
    """Return whether earlier calls may have made a row, and nobody knows."""
    before = (task.actions or ())[: call.position]
    return world.subject.environment is None and any(
        action.kind in (ToolKind.WRITE, ToolKind.UNKNOWN) for action in before
    )


def _unknown(world: World, task: Task, call: Call, leaf: Leaf) -> Finding:
    finding = report(
        UNKNOWN_ID,
        f"{call.name}({leaf.name}) names {show(leaf.value)!r}, no id of {_list(world.spaces_for(leaf.name)[0])}.",
        origin=inside(call.origin, leaf.path),
        subject=f"{call.name} {leaf.name} {show(leaf.value)}",
        evidence=(("tool", call.name), ("argument", leaf.path), ("value", show(leaf.value))),
    )
    if says(task.description_text, str(leaf.value)):
        return replace(finding, severity=Severity.NOTE, what=f"{finding.what} The user's script gives it.")
    if _may_be_made(world, task, call):
        return replace(finding, severity=Severity.WARNING, certainty=Certainty.LIKELY)
    return finding


def _wrong_kind(world: World, call: Call, leaf: Leaf, told: str) -> Finding:
    value = str(leaf.value)
    wanted, actual = world.spaces_for(leaf.name)[0], world.spaces.spaces_of(value)
    finding = report(
        WRONG_KIND,
        f"{call.name}({leaf.name}) takes an id of {_list(wanted)}, but {value!r} is one of {_list(actual)}.",
        origin=inside(call.origin, leaf.path),
        subject=f"{call.name} {leaf.name} {value}",
        evidence=(("tool", call.name), ("argument", leaf.path), ("value", value), ("is of", _list(actual))),
    )
    if _calls_it_so(told, value, leaf.name):
        return replace(finding, severity=Severity.NOTE, what=f"{finding.what} The user's script says so.")
    return finding


def _calls_it_so(told: str, value: str, name: str) -> bool:
    """Return whether the text names the value right after the noun of the argument, as in "product 123"."""
    noun = name.lower().removesuffix("s").removesuffix("_id").split("_")[-1]
    before = [told[max(0, found.start() - 40) : found.start()].lower() for found in re.finditer(re.escape(value), told)]
    return any(noun in " ".join(part.split()[-3:]) for part in before)


def _is_mail(leaf: Leaf) -> bool:
    return "mail" in leaf.name.lower() and isinstance(leaf.value, str) and _MAIL.fullmatch(leaf.value) is not None


def _mail(world: World, task: Task, call: Call, leaf: Leaf) -> Iterator[Finding]:
    """Yield a finding for a search by an address that nobody has."""
    mail = str(leaf.value)
    if call.action.kind is not ToolKind.READ or not world.index.by_mail or mail.lower() in world.index.by_mail:
        return
    if not any(row.origin.task_id and mail in json.dumps(row.value, default=str) for row in task.rows):
        finding = report(
            UNKNOWN_ID,
            f"{call.name}({leaf.name}) looks up {show(mail)!r}, which is nobody's address.",
            origin=inside(call.origin, leaf.path),
            subject=f"{call.name} {leaf.name} {show(mail)}",
            evidence=(("tool", call.name), ("argument", leaf.path), ("value", show(mail))),
        )
        is_told = mail.lower() in task.description_text.lower()
        yield replace(finding, severity=Severity.NOTE) if is_told else finding


def says(text: str, value: str) -> bool:
    """Return whether a text holds a value as a word of its own; a leading ``#`` may be missing."""
    bare = value.lstrip("#")
    return bool(bare) and bare in text and re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", text) is not None


def _list(spaces: frozenset[str]) -> str:
    return " or ".join(sorted(spaces))


CHECK = Check("references", (UNKNOWN_ID, WRONG_KIND), inspect)
