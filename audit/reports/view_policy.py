"""The policy document with its items marked: how often each is challenged, and what the checks found about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.records.policy import Policy, PolicyItem
from audit.records.run import RunResult
from audit.reports import numbers
from audit.reports.challenges import Challenges, all_challenges, policy_rules
from audit.reports.visible import anchor, line, reveal

_LIMIT = 200_000
"""Characters of a document that a report shows."""
_HEAT = (1, 2, 4, 8)
"""How many tasks each deeper colour stands for at least."""


@dataclass(frozen=True, slots=True)
class ItemMark:
    """An item in the document.

    Parameters
    ----------
    heat
        0 to 4, how often it is challenged according to the first picture; ``none`` where nobody was asked.
    heats
        The same for every picture, apart by spaces.
    n_tasks
        How often, in words.
    findings
        What the checks found about it, in words; empty for nothing.
    """

    anchor: str
    row: str
    id: str
    title: str
    heat: str
    heats: str
    n_tasks: str
    findings: str


@dataclass(frozen=True, slots=True)
class DocumentPiece:
    """A run of the document's text, and the item that it is, if it is one."""

    text: str
    item: ItemMark | None


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A policy document."""

    name: str
    sha256: str
    size: str
    pieces: tuple[DocumentPiece, ...]
    n_items: int
    is_cut: bool
    note: str
    item_ids: frozenset[str]
    """The items that are marked, by their own ids."""


def document_view(result: RunResult) -> DocumentView | None:
    """Return the benchmark's policy document; ``None`` if it is empty."""
    benchmark = result.benchmark
    policies = {policy.sha256: policy for policy in map(benchmark.policy_of, benchmark.tasks)}
    policy = benchmark.policy if benchmark.policy.text or not policies else next(iter(policies.values()))
    if not policy.text.strip():
        return None
    others = len(policies.keys() - {policy.sha256})
    marks = _marks(result, policy)
    pieces = tuple(_pieces(policy, marks))
    shown = {piece.item.anchor for piece in pieces if piece.item is not None}
    return DocumentView(
        name=line(policy.name),
        sha256=line(policy.sha256),
        size=numbers.plural(len(policy.text), "character"),
        pieces=pieces,
        n_items=sum(piece.item is not None for piece in pieces),
        is_cut=len(policy.text) > _LIMIT,
        item_ids=frozenset(id for id, mark in marks.items() if mark.anchor in shown),
        note=f"{numbers.plural(others, 'task policy', 'task policies')} beside it: see the tasks." if others else "",
    )


def _pieces(policy: Policy, marks: dict[str, ItemMark]) -> Iterator[DocumentPiece]:
    end = 0
    for item in sorted(policy.items, key=lambda item: item.start):
        if item.start < end or item.id not in marks or item.start >= _LIMIT:
            continue
        if item.start > end:
            yield DocumentPiece(reveal(policy.text[end : item.start]), None)
        yield DocumentPiece(reveal(policy.quote(item)), marks[item.id])
        end = item.end
    if rest := policy.text[end:_LIMIT]:
        yield DocumentPiece(reveal(rest), None)


def _marks(result: RunResult, policy: Policy) -> dict[str, ItemMark]:
    rules = [rule for rule in policy_rules(result.benchmark) if rule.policy.sha256 == policy.sha256]
    items = [rule.item for rule in rules] or list(policy.items)
    found = [one for one in all_challenges(result) if one.has_answers]
    checked = () if result.checked is None else result.checked.findings
    n_findings = Counter(finding.policy_item for finding in checked if finding.policy_item)
    return {item.id: _mark(item, found, n_findings=n_findings[item.id]) for item in items}


def _mark(item: PolicyItem, found: Sequence[Challenges], *, n_findings: int) -> ItemMark:
    counts = [len(one.tasks_of(item.id)) for one in found]
    heats = [str(sum(count >= least for least in _HEAT)) for count in counts]
    return ItemMark(
        anchor=anchor("rule", item.id),
        row=anchor("item", item.id) if found else "",
        id=line(item.id, limit=24),
        title=line(item.title),
        heat=heats[0] if heats else "none",
        heats=" ".join(heats),
        n_tasks=(numbers.plural(counts[0], "task") if counts[0] else "never") if counts else "",
        findings=numbers.plural(n_findings, "finding") if n_findings else "",
    )
