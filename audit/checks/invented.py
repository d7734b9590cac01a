"""Values in writing gold actions that neither the user nor the database can give."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, lru_cache
from itertools import takewhile

from audit.checks.choices import Choices, learn_choices
from audit.checks.numbers import dates_in, number_of, numbers_in
from audit.checks.protocol import Check, Subject
from audit.checks.raw import Call, Leaf, as_object, inside, leaves, row_leaves, show
from audit.checks.references import may_have_made
from audit.checks.world import World, world_of
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Json, Task, ToolKind

INVENTED = Rule(
    "gold-invented-value",
    "A gold action writes a value that nobody gives",
    Severity.WARNING,
    Certainty.LIKELY,
    "The value of a writing call stands neither in the user's script nor in the rows that the task reaches, and does "
    "not follow from them in a way that we know. An agent can only guess it. It is a false alarm where the value "
    "follows by reasoning from what the script says. Where many tasks have such values, they come from tools or "
    "documents that this rule can't see, and nothing is reported. What a tool is there to look up is let pass, and so "
    "is the id of what an earlier gold call has made. Where another earlier gold call of the task may have returned "
    "the value, and could not be replayed, it is a note.",
    "Let the script or a row give the value, or drop it from the gold action.",
)
UNSTATED = Rule(
    "gold-unstated-choice",
    "A gold action takes one of several fixed values, and the script says nothing of it",
    Severity.NOTE,
    Certainty.LIKELY,
    "The argument takes one of a few values, such as a reason, and no word of the chosen one stands in the user's "
    "script or rows. A simulated user who is asked makes one up, and the target state then depends on luck. A value "
    "that the policy or one of its documents explains is let pass, for script and value then mostly use different "
    "words. It is a false alarm where the script says the same in other words.",
    "Say in the script which of the values holds.",
)
_FREE = re.compile(r"summar|comment|note|message|descri|title|expression|query|words|text")
_AMOUNT = re.compile(r"amount|price|cost|fee|payment|balance|total$")
_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?\b.*")
_CLOCK = re.compile(r"(^|_)(time|clock|now)(_|$)")
_SMALL = 20
"""Greater whole numbers are amounts, which are sums more often than facts."""
_NEAR_DAYS = 14
_FEW, _RARE = 5, 0.2
"""Where more tasks than these have such values, tools or documents give them that we can't see."""


@dataclass(frozen=True)
class _Known:
    """What a task gives: its script, its rows, and the limits that its policy sets."""

    task: Task
    document: str
    """The policy's text."""
    results: Sequence[Json]
    """What the gold calls return before the first that changes anything; later results repeat what gold wrote."""

    @cached_property
    def policy(self) -> str:
        return self.document.lower()

    @cached_property
    def limits(self) -> frozenset[float]:
        return _limits(self.document)

    @cached_property
    def year(self) -> int | None:
        return next((day.year for _, day in dates_in(self.document) if day is not None), None)

    @cached_property
    def script(self) -> str:
        return self.task.description_text.lower()

    @cached_property
    def rows(self) -> str:
        values = [*(row.value for row in self.task.rows), *self.results]
        return json.dumps(values, ensure_ascii=False, default=str).lower()

    @cached_property
    def numbers(self) -> set[float]:
        return numbers_in(self.script)

    @cached_property
    def fields(self) -> Mapping[str, set[float]]:
        found: dict[str, set[float]] = {}
        for leaf in (leaf for row in self.task.rows for leaf in row_leaves(row)):
            number = number_of(leaf.value)
            if number is not None:
                found.setdefault(leaf.name, set()).add(number)
        return found

    @cached_property
    def days(self) -> set[date]:
        text = f"{self.task.description_text}\n{self.rows}"
        return {day for _, day in dates_in(text, year=self.year) if day is not None}

    @cached_property
    def spans(self) -> set[float]:
        """Hours between two times of day, and days between two dates, that the script names."""
        times = [int(hour) + int(minute) / 60 for hour, minute in _TIME.findall(self.script)]
        days = [day.toordinal() for _, day in dates_in(self.task.description_text, year=self.year) if day is not None]
        return {abs(a - b) for found in (times, days) for a in found for b in found}


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the values that the writing gold calls of a task have from nowhere."""
    world = world_of(subject)
    choices = learn_choices(world)
    found: list[Finding] = []
    n_tasks = 0
    for task in subject.benchmark.tasks if subject.benchmark.database else ():
        known = _known(world, task)
        calls = [call for call in world.calls[task.id] if call.action.kind is ToolKind.WRITE and task.rows]
        found += [finding for call in calls for finding in _inspect(world, call, known, choices)]
        n_tasks += bool(calls)
    for rule in (INVENTED, UNSTATED):
        of_rule = [finding for finding in found if finding.rule == rule.id]
        if len({finding.task_id for finding in of_rule}) <= max(_FEW, _RARE * n_tasks):
            yield from of_rule


def _known(world: World, task: Task) -> _Known:
    run = world.replay(task)
    results = [outcome.result for outcome in takewhile(lambda made: not made.changed, run.outcomes)] if run else []
    return _Known(task, world.benchmark.policy_of(task).text, results)


@lru_cache(maxsize=128)
def _limits(policy: str) -> frozenset[float]:
    return frozenset(numbers_in(policy))


def _inspect(world: World, call: Call, known: _Known, choices: Choices) -> Iterator[Finding]:
    for leaf in leaves(dict(call.arguments)):
        if _is_elsewhere(world, call, known, leaf):
            continue
        options = choices.of(call.name, leaf.name)
        if options:
            is_untold = isinstance(leaf.value, str) and len(options) > 1 and not _is_hinted(leaf.value, known)
            if is_untold and not choices.explains(str(leaf.value)):
                yield _finding(UNSTATED, call, leaf, f"is {show(leaf.value)!r}, and the script has no word of it")
        elif isinstance(leaf.value, str):
            if leaf.value.strip() and not _is_given(leaf.value, known):
                yield _weigh(
                    world, _finding(INVENTED, call, leaf, f"is {show(leaf.value)!r}, which nobody gives"), call
                )
        elif not _is_counted(leaf, call, known):
            yield _weigh(world, _finding(INVENTED, call, leaf, f"is {show(leaf.value)}, which nobody gives"), call)


def _is_elsewhere(world: World, call: Call, known: _Known, leaf: Leaf) -> bool:
    """Return whether a value is no fact for the script to give: an id, free text, what tools make or tell, the time."""
    if world.spaces_for(leaf.name)[0] or _FREE.search(leaf.name.lower()):
        return True
    if _is_returned(world, leaf) or may_have_made(world, task=known.task, call=call, name=leaf.name):
        return True
    if not isinstance(leaf.value, str):
        return False
    is_named = leaf.value in world.spaces.by_id or _is_carried(world, call, leaf.value)
    return is_named or (_MOMENT.fullmatch(leaf.value) is not None and _has_clock(world))


def _is_returned(world: World, leaf: Leaf) -> bool:
    """Return whether a reading tool is there to tell this value: it is named for it, and does not take it itself."""
    words = set(leaf.name.lower().split("_"))
    return len(words) > 1 and any(
        words <= told
        and tool.kind in (ToolKind.READ, ToolKind.GENERIC)
        and leaf.name not in (parameter.name for parameter in tool.parameters)
        for tool, told in ((tool, _told_by(tool.name)) for tool in world.tools.values())
    )


@lru_cache(maxsize=1024)
def _told_by(tool: str) -> frozenset[str]:
    """Return the words of a tool's name, without those of what it looks for."""
    return frozenset(tool.lower().partition("_by_")[0].split("_"))


def _has_clock(world: World) -> bool:
    """Return whether a tool without arguments tells the time, which then is no fact that anybody must give."""
    return any(not tool.parameters and _CLOCK.search(tool.name) for tool in world.tools.values())


def _weigh(world: World, finding: Finding, call: Call) -> Finding:
    """Return the finding as a note where earlier calls returned what we can't see."""
    if world.subject.environment is None and call.position:
        return replace(finding, severity=Severity.NOTE, what=f"{finding.what} An earlier call may have returned it.")
    return finding


def _is_carried(world: World, call: Call, value: str) -> bool:
    """Return whether a value names another tool, or holds that tool's arguments: these are looked at on their own."""
    return (call.caller, value) in world.tools or as_object(value) is not None


def _is_hinted(value: str, known: _Known) -> bool:
    """Return whether a telling word of the value stands, in some form, in the script or as a value of a row."""
    if f'"{value.lower()}"' in known.rows:  # a row says so already
        return True
    words = [word[: max(4, len(word) - 3)] for word in re.findall(r"[^\W\d_]+", value.lower()) if len(word) > 3]
    return not words or any(word in known.script for word in words)


def _is_given(value: str, known: _Known) -> bool:
    low = value.lower().strip()
    if low in known.script or low in known.rows or low in known.policy:
        return True
    if _DATE.fullmatch(low):
        return any(_is_near(day, known) for _, day in dates_in(low) if day is not None)
    time = _TIME.fullmatch(low)
    if time:
        return bool(_hours(int(time[1])) & {int(number) for number in known.numbers if number.is_integer()})
    words = [word for word in re.findall(r"\w+", low) if len(word) > 3 or word.isdigit()]
    missing = [word for word in words if word not in known.script and word not in known.rows]
    return 2 * len(missing) <= len(words)


def _is_near(day: date, known: _Known) -> bool:
    return not known.days or any(abs((day - other).days) <= _NEAR_DAYS for other in known.days)


def _hours(hour: int) -> set[int]:
    return {hour, hour % 12 or 12}


def _is_counted(leaf: Leaf, call: Call, known: _Known) -> bool:
    """Return whether a small whole number is told, is that of a row, counts a list of the call, or is part of one."""
    value: Json = leaf.value
    number = number_of(value)
    if _AMOUNT.search(leaf.name.lower()) or number is None or not 0 < number <= _SMALL or not number.is_integer():
        return True
    siblings = {part.name: number_of(part.value) for part in leaves(dict(call.arguments)) if part.name != leaf.name}
    counts = {float(len(part)) for part in call.arguments.values() if isinstance(part, list)}
    parts = {other for name, other in siblings.items() if other and set(name.split("_")) & set(leaf.name.split("_"))}
    return (
        number in known.numbers | counts | known.spans
        or (leaf.name in known.fields and number in known.fields[leaf.name])
        or any(number <= other for other in parts)
        or number in known.limits
    )


def _finding(rule: Rule, call: Call, leaf: Leaf, what: str) -> Finding:
    return report(
        rule,
        f"{call.name}({leaf.name}) {what}.",
        origin=inside(call.origin, leaf.path),
        subject=f"{call.name} {leaf.name} {show(leaf.value)}",
        evidence=(("tool", call.name), ("argument", leaf.path), ("value", show(leaf.value))),
    )


CHECK = Check("invented", (INVENTED, UNSTATED), inspect)
