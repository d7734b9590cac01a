"""Wishes of the user that fit more than one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from audit.checks.protocol import Check, Subject
from audit.checks.raw import Call, inside, leaves, show
from audit.checks.sentences import sentences_of
from audit.checks.types import choices_of
from audit.checks.world import World, world_of
from audit.databases.spaces import maps_of
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Part, PartKind, Task, ToolKind

SIMILAR = Rule(
    "wish-for-similar",
    "The user wants something similar, and gold takes one of several",
    Severity.WARNING,
    Certainty.LIKELY,
    "The script asks for a thing like another one, without saying in what, and a gold action writes the id of one of "
    "several of a kind. Whether it may be of another kind, and which of its features must stay, is left to the "
    "simulated user, so the target depends on luck. It is a false alarm where the rest of the script settles it.",
    "Say of which kind the thing must be, and which features must be as before.",
)
TWO_VALUES = Rule(
    "wish-fits-two-values",
    "The user's word for a fixed value is part of the name of another one",
    Severity.WARNING,
    Certainty.LIKELY,
    "The script asks for the cheapest of something by a word that is one of the fixed values of an argument, and that "
    "stands in the name of another value as well, as 'pro' does in 'pro lite'. Gold takes the first; an agent that "
    "takes the word for both finds the other to be cheaper and is marked wrong. It is not reported where the script "
    "names the other value too.",
    "Say that the other value is not meant.",
)
_SIMILAR = re.compile(
    r"\b(?:a|an|any|some|one|something|another)\s+(?:\w+\s+)?(?:similar|comparable|equivalent)\b", re.IGNORECASE
)
_CHEAPEST = re.compile(
    r"\b(?:cheapest|least expensive|most affordable|lowest[- ](?:price|cost|fare|rate)\w*)\b", re.IGNORECASE
)
_MAX_CHOICES = 6
_TOLD = (PartKind.PERSONA, PartKind.SCENARIO)
Choices = Mapping[tuple[str, str], frozenset[str]]
"""Tool and argument to the values that the tool table allows, or that the database holds."""


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the wishes that leave open which of several things is meant."""
    world = world_of(subject)
    choices = _choices(world)
    for task in subject.benchmark.tasks:
        calls = [call for call in world.calls[task.id] if call.action.kind is ToolKind.WRITE]
        if calls:
            yield from _similar(world, task, calls)
            yield from _two_values(task, calls, choices)


def _sentences(task: Task) -> Iterator[tuple[Part, str]]:
    for part in task.description:
        if part.kind in _TOLD:
            yield from ((part, sentence) for sentence in sentences_of(part.text))


def _similar(world: World, task: Task, calls: list[Call]) -> Iterator[Finding]:
    taken = next((value for call in calls for value in _one_of_several(world, call)), None)
    if taken is None:
        return
    for part, sentence in _sentences(task):
        found = _SIMILAR.search(sentence)
        if found:
            yield report(
                SIMILAR,
                f"The script asks for {show(found[0])!r}, and gold takes {show(taken)}, one of several.",
                origin=part.origin,
                subject=show(sentence),
                evidence=(("script", show(sentence)), ("gold takes", show(taken))),
            )
            return


def _one_of_several(world: World, call: Call) -> Iterator[str]:
    """Yield the ids in a call that are entries of a row's map, beside others."""
    values = {leaf.value for leaf in leaves(dict(call.arguments)) if isinstance(leaf.value, str)}
    for value in sorted(values & world.spaces.by_id.keys()):
        shared = [ref for space, ref in world.spaces.by_id[value] if space != ref[0] and ref not in world.owner_of]
        nodes = [node for ref in shared for _, node in maps_of(world.index.rows[ref])]
        if any(value in node and len(node) > 1 for node in nodes):
            yield value


def _choices(world: World) -> Choices:
    """Return the values that arguments take: those that the tool table lists, or the few of a field of that name."""
    listed = {
        (tool.name, parameter.name): frozenset(choices_of(parameter.type))
        for tool in world.tools.values()
        for parameter in tool.parameters
        if choices_of(parameter.type)
    }
    written = [call for calls in world.calls.values() for call in calls if call.action.kind is ToolKind.WRITE]
    named = {(call.name, name) for call in written for name, value in call.arguments.items() if isinstance(value, str)}
    stored = _stored(world, frozenset(name for _, name in named))
    return {key: stored[key[1]] for key in named if key[1] in stored} | listed


def _stored(world: World, names: frozenset[str]) -> dict[str, frozenset[str]]:
    """Return the values of the database's fields of these names, where they are few."""
    found: dict[str, set[str]] = {}
    for row in world.index.rows.values():
        for name, value in row.items() if isinstance(row, Mapping) else ():
            if name in names and isinstance(value, str) and len(found.setdefault(name, set())) <= _MAX_CHOICES:
                found[name].add(value)
    return {name: frozenset(values) for name, values in found.items() if 1 < len(values) <= _MAX_CHOICES}


def _two_values(task: Task, calls: list[Call], choices: Choices) -> Iterator[Finding]:
    told = " ".join(_words(" ".join(sentence for _, sentence in _sentences(task))))
    for call in calls:
        for name, value in call.arguments.items():
            options = choices.get((call.name, name), frozenset())
            if not isinstance(value, str) or value not in options:
                continue
            wider = [other for other in sorted(options) if _is_inside(value, other)]
            if not wider or any(" ".join(_words(other)) in told for other in wider):
                continue
            for part, sentence in _sentences(task):
                if _CHEAPEST.search(sentence) and _is_inside(value, f"{sentence} ."):
                    yield _fits_two(call, (name, value, wider[0]), part, sentence)
                    return


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def _is_inside(value: str, text: str) -> bool:
    """Return whether the words of a value stand together in a text of more words."""
    own, words = _words(value), _words(text)
    places = range(len(words) - len(own) + 1)
    return bool(own) and value != text and any(words[at : at + len(own)] == own for at in places)


def _fits_two(call: Call, taken: tuple[str, str, str], part: Part, sentence: str) -> Finding:
    name, value, other = taken
    return report(
        TWO_VALUES,
        f"The script asks for the cheapest {show(value)!r}; gold takes this {name}, but {show(other)!r} fits too.",
        origin=part.origin,
        subject=f"{call.name} {name} {show(value)}",
        evidence=(("script", show(sentence)), ("gold", inside(call.origin, name).field), ("fits too", show(other))),
    )


CHECK = Check("wishes", (SIMILAR, TWO_VALUES), inspect)
