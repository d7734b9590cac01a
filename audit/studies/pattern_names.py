"""Names for groups of reasons, by a model that is shown what stands in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from audit.judges.document import DocumentJudge
from audit.judges.questions import Questions
from audit.judges.reply import read_object, read_text
from audit.loaders.policy import make_policy
from audit.prompts.templates import DOCUMENT_STYLE, load_template
from audit.records.plan import Plan
from audit.records.study import Calls
from audit.records.task import Benchmark, Origin, Part, PartKind, Task
from audit.records.verdict import Verdict
from audit.reports.labels import trust_label
from audit.reports.visible import line
from audit.studies.ground import Ground, ask_questions, price_questions

CRITERION = "pattern_name"
MOST_SHOWN = 20
"""Reasons of a group that a model is shown."""
_LONGEST_NAME = 60


def _read_name(text: str, where: str) -> tuple[str, ...]:
    """Return the name, and what belongs in the group."""
    fields = read_object(text, where=where)
    return read_text(fields, "name", where=where), read_text(fields, "about", where=where)


PATTERN_NAME = DocumentJudge(CRITERION, "the group's reasons are empty", _read_name)
"""Asks for the name of a group, whose reasons are the text."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a model called groups, by number; those without an answer are absent."""

    names: Mapping[int, tuple[str, str]]
    judge: str
    calls: Calls
    prompt: tuple[str, str]
    stops: tuple[str, ...] = ()


def name_groups(groups: Mapping[int, Sequence[str]], *, ground: Ground) -> Named:
    """Ask the panel's first judge for a name for each group.

    Parameters
    ----------
    groups
        Number to reasons, the most typical first.
    """
    asked = ask_questions(_questions(groups), _first(ground))
    tally = asked.tally
    judge = next(iter(ground.panel.providers))
    trust = ground.panel.providers[judge].trust
    calls = Calls(
        judge=judge,
        planned=tally.planned,
        repeated=0,
        stored=tally.stored,
        to_ask=tally.planned - tally.stored,
        asked=tally.asked,
        missing=tally.unscored,
        cost_usd=tally.cost_usd,
        models=tuple(sorted({verdict.model for verdict in asked.verdicts if verdict.model})),
        label=trust_label(trust),
    )
    template = load_template(CRITERION, DOCUMENT_STYLE, schema=CRITERION)
    found = dict(zip(groups, asked.verdicts, strict=True))
    names = {number: _words(verdict) for number, verdict in found.items() if verdict.is_ok}
    stops = tuple(f"{stop.judge}: {stop.message}" for stop in asked.stops)
    return Named(names, judge, calls, (template.name, template.sha256), stops)


def plan_names(groups: Mapping[int, Sequence[str]], *, ground: Ground) -> tuple[tuple[Calls, ...], tuple[Plan, ...]]:
    """Count the calls that :func:`name_groups` would send, and what they would cost; send none."""
    return price_questions(_questions(groups), _first(ground))


def _first(ground: Ground) -> Ground:
    """Return the ground with the panel's first judge alone."""
    name, provider = next(iter(ground.panel.providers.items()))
    return replace(ground, panel=replace(ground.panel, providers={name: provider}))


def _words(verdict: Verdict) -> tuple[str, str]:
    name, about = verdict.reasons
    return line(name, limit=_LONGEST_NAME), line(about, limit=400)


def _questions(groups: Mapping[int, Sequence[str]]) -> Questions:
    tasks = tuple(_as_task(number, reasons) for number, reasons in groups.items())
    return Questions(Benchmark("patterns", make_policy("", name="none"), tasks), (PATTERN_NAME,))


def _as_task(number: int, reasons: Sequence[str]) -> Task:
    origin = Origin("", f"group {number}")
    parts = tuple(Part(PartKind.CONTEXT, "a reason", text, origin) for text in reasons[:MOST_SHOWN])
    return Task(f"group {number}", parts, ())
