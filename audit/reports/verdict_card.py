"""What one verdict says, as a card of a task's page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from audit.records.policy import Policy
from audit.records.verdict import STATE_WORDS, Trust, Verdict
from audit.reports import numbers
from audit.reports.decided import decided_words
from audit.reports.labels import criterion_title, trust_label
from audit.reports.missing import is_missing
from audit.reports.nodes import Child, Node, el
from audit.reports.quotes import Piece, split_quotes
from audit.reports.ranking import band_of, is_ten_point
from audit.reports.visible import anchor, block, line


def verdict_card(verdict: Verdict, who: tuple[str, int | None], *, policy: Policy, found: frozenset[str]) -> Node:
    """Return what one verdict says.

    Parameters
    ----------
    who
        The judge by the name that is shown, and the trial where there are several.
    found
        Quotes that stand in the task's texts.
    """
    is_score = verdict.is_ok and verdict.score is not None and is_ten_point(verdict.criterion)
    band = band_of(verdict.score) if is_score and verdict.score is not None else "none"
    missing = " gap" if is_missing(verdict) else ""
    return el(
        "div",
        _head(_answer(verdict), verdict.criterion, cls=f"answer band-{band}{missing}"),
        _who(*who, trust=verdict.trust),
        None if verdict.is_ok else el("p", block(verdict.problem, limit=600), cls="problem u", dir="auto"),
        _violated(verdict, policy),
        _reasons(verdict, found),
        el("p", "read after one repair request", cls="muted") if verdict.is_repaired else None,
        _reply(verdict),
        cls="verdict-card",
    )


@lru_cache(maxsize=512)
def _head(answer: str, criterion: str, *, cls: str) -> Node:
    """Return the first line of a card; there are few different ones."""
    title = el("span", criterion_title(criterion), cls="criterion u")
    return el("p", el("strong", answer, cls=cls), " ", title, cls="verdict-head")


@lru_cache(maxsize=512)
def _who(judge: str, trial: int | None, *, trust: Trust) -> Node:
    """Return who gave a verdict."""
    label = trust_label(trust)
    return el(
        "p",
        el("span", line(judge, limit=60), cls="judge u"),
        "" if trial is None else f" trial {numbers.count(trial + 1)}",
        " ",
        el("span", label, cls="trust") if label else None,
        cls="who",
    )


def _answer(verdict: Verdict) -> str:
    if not verdict.is_ok:
        return STATE_WORDS[verdict.state]
    if verdict.violated is not None:
        return numbers.plural(len(verdict.violated), "item")
    return numbers.trimmed(verdict.score)


def _violated(verdict: Verdict, policy: Policy) -> Node | None:
    if not verdict.violated:
        return None
    known = _item_links(policy)
    items = [known[id] if id in known else el("li", line(id), cls="u") for id in verdict.violated]
    return el("ul", items, cls="violated")


@lru_cache(maxsize=16)
def _item_links(policy: Policy) -> Mapping[str, Node]:
    return {
        item.id: el("li", el("a", line(f"{item.id} {item.title}"), cls="u", href=f"#{anchor('item', item.id)}"))
        for item in policy.items
    }


def _reasons(verdict: Verdict, found: frozenset[str]) -> Node | None:
    if words := decided_words(verdict):
        return el("p", line(words, limit=600), cls="muted u")
    if not verdict.reasons:
        return None
    reasons = [block(reason, limit=4000) for reason in verdict.reasons]
    return el(
        "ul", [el("li", quote_nodes(split_quotes(text, found)), cls="u", dir="auto") for text in reasons], cls="reasons"
    )


def _reply(verdict: Verdict) -> Node | None:
    if not verdict.raw_reply or not is_missing(verdict):
        return None
    return el("details", el("summary", "Reply"), el("pre", block(verdict.raw_reply, limit=4000), cls="u", dir="auto"))


def quote_nodes(pieces: Iterable[Piece]) -> Iterable[Child]:
    """Yield a text with what is quoted marked: whether it stands in the source, or, in the source, that it is."""
    for piece in pieces:
        if piece.kind == "marked":
            yield el("mark", piece.text)
        elif piece.kind == "found":
            yield el("span", piece.text, cls="quote found", title="stands in the task, its policy or a replay")
        elif piece.kind == "unfound":
            yield el("span", piece.text, el("small", "not in the source"), cls="quote unfound")
        else:
            yield piece.text
