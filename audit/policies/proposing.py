"""Items for a document: proposed offline, or by a model section by section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from audit.errors import UnreadableReplyError
from audit.judges.one_model import AskingOptions
from audit.judges.panel import Panel
from audit.judges.planning import plan
from audit.judges.progress import OnEvent, ignore_event
from audit.judges.questions import Questions
from audit.judges.running import PanelStore, ask_panel
from audit.policies.heuristic import propose_offline
from audit.policies.quoted import POLICY_ITEMS, Quoted, read_quoted
from audit.policies.resolve import Haystack
from audit.policies.sections import Section, cut_sections
from audit.policies.words import short_line, short_title
from audit.records.item_set import ItemSet, Review, SetItem, Unread
from audit.records.plan import Plan
from audit.records.policy import Policy
from audit.records.run import JudgeStop, Tally
from audit.records.task import Benchmark, Origin, Part, PartKind, Task
from audit.records.verdict import STATE_WORDS, Verdict

LONGEST_SECTION = 12_000
"""Characters that a model is shown at a time, if the user says nothing else."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A quote that became no item, and why."""

    quote: str
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """Items that nobody reviewed, with what did not become one.

    Parameters
    ----------
    item_set
        Says where the document was not read.
    refused
        Quotes of the model that are no rules of this document.
    """

    item_set: ItemSet
    refused: tuple[Refused, ...] = ()
    n_sections: int = 1
    tally: Tally = field(default_factory=Tally)
    stops: tuple[JudgeStop, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every section was read."""
        return not self.item_set.unread


@dataclass(frozen=True, slots=True)
class ModelReader:
    """Who reads a document and how.

    Parameters
    ----------
    panel
        One judge.
    longest_section
        Characters that it is shown at a time.
    """

    panel: Panel
    store: PanelStore
    options: AskingOptions
    longest_section: int = LONGEST_SECTION


def extract_offline(policy: Policy, blank: ItemSet) -> Proposal:
    """Return items by the structure and the wording of the document; no model, no network.

    Parameters
    ----------
    policy
        The document.
    blank
        The set without items, with what is known about the document.
    """
    return Proposal(replace(blank, items=propose_offline(policy.text)))


def extract_with_model(
    policy: Policy, blank: ItemSet, *, reader: ModelReader, on_event: OnEvent = ignore_event
) -> Proposal:
    """Return the rules that a model quotes, each at the place where its quote stands.

    Parameters
    ----------
    policy, blank
        As for :func:`extract_offline`.
    reader
        The model. What it answered before is taken from the store.
    on_event
        Told of each section's answer.

    Returns
    -------
    Proposal
        A section without a readable answer is unread, never empty of rules.
    """
    sections = cut_sections(policy.text, longest=reader.longest_section)
    asked = ask_panel(
        _questions(policy, sections),
        reader.panel,
        store=reader.store,
        options=reader.options,
        on_event=on_event,
    )
    items: list[SetItem] = []
    refused: list[Refused] = []
    unread = [
        _place(policy.text, section, verdict, items=items, refused=refused)
        for section, verdict in zip(sections, asked.verdicts, strict=True)
    ]
    items.sort(key=lambda item: item.start)
    item_set = replace(blank, items=tuple(_numbered(items)), unread=tuple(run for run in unread if run is not None))
    return Proposal(item_set, tuple(refused), len(sections), asked.tally, asked.stops)


def plan_extraction(policy: Policy, reader: ModelReader) -> tuple[Plan, ...]:
    """Count the calls that :func:`extract_with_model` would send; send none."""
    questions = _questions(policy, cut_sections(policy.text, longest=reader.longest_section))
    panel, is_fresh = reader.panel, reader.options.is_fresh
    return plan(questions, panel.providers, store=reader.store, is_fresh=is_fresh, prices=panel.prices)


def _questions(policy: Policy, sections: Sequence[Section]) -> Questions:
    tasks = tuple(_as_task(policy, section, number) for number, section in enumerate(sections, 1))
    return Questions(Benchmark(policy.name, replace(policy, items=()), tasks), (POLICY_ITEMS,))


def _as_task(policy: Policy, section: Section, number: int) -> Task:
    label = " > ".join(section.headings) or "the beginning"
    origin = Origin(policy.file, f"section {number}")
    part = Part(PartKind.CONTEXT, label, policy.text[section.start : section.end], origin)
    return Task(f"section {number}", (part,), ())


def _place(
    text: str, section: Section, verdict: Verdict, *, items: list[SetItem], refused: list[Refused]
) -> Unread | None:
    """Add what ``verdict`` quotes from ``section``: to the items where it stands, to the refused where it doesn't."""
    if not verdict.is_ok:
        return Unread(section.start, section.end, _why(verdict))
    try:
        rules = read_quoted(verdict.raw_reply, where=verdict.task_id)
    except UnreadableReplyError as error:  # somebody changed the store
        return Unread(section.start, section.end, f"{verdict.judge}: {error.what}")
    haystack = Haystack(text, section.start, end=section.end)
    for quoted in rules:
        found = haystack.find(quoted.quote, taken=[(item.start, item.end) for item in items])
        if found.problem:
            refused.append(Refused(short_title(quoted.quote), quoted.title, found.problem))
        else:
            items.append(_item(quoted, found.start, found.end, proposed_by=verdict.judge))
    return None


def _item(quoted: Quoted, start: int, end: int, *, proposed_by: str) -> SetItem:
    return SetItem(
        id="?",
        title=quoted.title,
        kind=quoted.kind,
        start=start,
        end=end,
        binds=quoted.binds,
        violable=quoted.violable,
        proposed_by=proposed_by,
        review=Review.OPEN,
    )


def _numbered(items: Sequence[SetItem]) -> Iterator[SetItem]:
    width = max(2, len(str(len(items))))
    for number, item in enumerate(items, 1):
        yield replace(item, id=f"P{number:0{width}d}")


def _why(verdict: Verdict) -> str:
    words = STATE_WORDS[verdict.state]
    return short_line(f"{verdict.judge}: {words}{f': {verdict.problem}' if verdict.problem else ''}")
