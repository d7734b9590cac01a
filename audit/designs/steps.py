"""The steps of a design: planned as one, asked in one run, then each read from the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from audit import __version__
from audit.designs.desk import Desk
from audit.judges.asking import Asked
from audit.judges.progress import ignore_event
from audit.judges.questions import Questions
from audit.judges.spending import Limits
from audit.records.design import Design, Part
from audit.records.plan import Plan
from audit.records.study import Calls, Setting, StudyResult
from audit.studies.ground import account, ask_questions, plan_questions, price_questions


@dataclass(frozen=True, slots=True)
class Made:
    """What a step made: its study, and more files for its folder."""

    study: StudyResult
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Step:
    """One study that is to be made.

    Parameters
    ----------
    questions
        What it needs judges to be asked; ``None`` where it needs nothing of them.
    make
        Makes it; judges have answered by then.
    left_out
        Why it can't be made: a clause.
    """

    name: str
    title: str
    questions: Questions | None = None
    make: Callable[[Desk], Made] | None = None
    left_out: str = ""


def plan_steps(steps: Sequence[Step], desk: Desk) -> tuple[tuple[Calls, ...], tuple[Plan, ...]]:
    """Return what the judges would be asked for all steps together, and what that would cost; sends nothing."""
    questions = join_questions(steps)
    if questions is None or not desk.has_judges:
        return (), ()
    return price_questions(questions, desk.judged())


def run_steps(steps: Sequence[Step], desk: Desk, *, title: str, settings: Mapping[str, Setting]) -> Design:
    """Ask for all steps in one run, each different question once, and make every study from the answers.

    After a judge was stopped nothing more is sent: studies are made of what there is.
    """
    calls, asked = _ask(steps, desk)
    stops = () if asked is None else tuple(dict.fromkeys(f"{stop.judge}: {stop.message}" for stop in asked.stops))
    after = replace(
        desk,
        settings=replace(desk.settings, is_fresh=False),
        on_event=ignore_event,
        limits=None if asked is None else _left(desk, asked),
    )
    return Design(
        title=title,
        settings=settings,
        parts=tuple(_parts(steps, after, stops)),
        calls=calls,
        stops=stops,
        tool_version=__version__,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def join_questions(steps: Sequence[Step]) -> Questions | None:
    """Return the questions of all steps as those of one run; ``None`` if there are none."""
    flat = [
        each
        for step in steps
        if step.questions is not None
        for each in (replace(step.questions, more=()), *step.questions.more)
    ]
    return replace(flat[0], more=tuple(flat[1:])) if flat else None


def _ask(steps: Sequence[Step], desk: Desk) -> tuple[tuple[Calls, ...], Asked | None]:
    questions = join_questions(steps)
    if questions is None or not desk.has_judges:
        return (), None
    ground = desk.judged()
    planned = plan_questions(questions, ground)
    asked = ask_questions(questions, ground)
    return tuple(account(each, asked.verdicts) for each in planned), asked


def _left(desk: Desk, asked: Asked) -> Limits:
    """Return what studies may still send, for answers that could not be read.

    Nothing after a judge was stopped, and nothing beside batches, which the same command hands over again.
    """
    panel, spent = desk.judged().panel, asked.tally.cost_usd
    limits = panel.limits
    if asked.stops or panel.batch is not None:
        return Limits(max_calls=0)
    return Limits(
        None if limits.max_calls is None else max(0, limits.max_calls - asked.tally.n_calls),
        None if limits.budget_usd is None else 0.0 if spent is None else max(0.0, limits.budget_usd - spent),
    )


def _parts(steps: Sequence[Step], desk: Desk, stops: tuple[str, ...]) -> Iterator[Part]:
    for step in steps:
        if step.make is None:
            yield Part(step.name, step.title, left_out=step.left_out)
        else:
            made = step.make(desk)
            study = replace(made.study, stops=stops if made.study.stops else ())
            yield Part(step.name, step.title, study, files=made.files)
