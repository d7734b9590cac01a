"""An act in the expected behavior that the policy forbids."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.perturbations.language import pieces, say_yes
from audit.perturbations.sites import Planted, Site, Unfit
from audit.perturbations.world import words_of
from audit.records.policy import ItemKind, Policy

_BEST = 5
"""The prohibitions nearest to the task, among which one is drawn."""
_SIZES = range(25, 320)
"""Characters of a sentence that can stand alone."""
_MARKUP = re.compile(r"^[\s\-*#>\d.]+|\*\*|`")
_ASIDE = re.compile(r"^(?:[A-Z][\w /-]{2,40}:\s+)")


def break_policy(site: Site) -> Planted | Unfit:
    """Have the agent go by the opposite of a prohibition: the one of five near the task's words that the seed draws."""
    if site.is_plan:
        return Unfit("its policy says what is wrong in plans, and its expected behavior is no act")
    policy = site.world.benchmark.policy_of(site.task)
    options = list(dict.fromkeys(prohibitions(policy)))
    if not options:
        return Unfit("its policy has no sentence that forbids something and can be turned around")
    said = words_of(site.task)
    nearest = sorted(options, key=lambda option: -_nearness(option[0], said))[:_BEST]
    rule, opposite, item_id = nearest[int(site.rng.integers(len(nearest)))]
    text = f"The {site.actor} goes by this and acts on it: {opposite}"
    return Planted(site.form.state(site.task.raw, text), item_id or rule)


def prohibitions(policy: Policy) -> Iterator[tuple[str, str, str]]:
    """Yield the sentences of a policy that forbid something, their opposites, and the items that they hold.

    Of a policy with items, the sentences around its prohibitions; of one without, every sentence that forbids.
    """
    at = 0
    for piece in pieces(policy.text):
        start, at = at, at + len(piece)
        items = [item.id for item in policy.items if item.start < at and start < item.end and _forbids(item.kind)]
        sentence = _ASIDE.sub("", _MARKUP.sub("", piece).strip())
        opposite = say_yes(sentence, once=True) if len(sentence) in _SIZES and (items or not policy.items) else None
        if opposite:
            yield sentence, opposite, items[0] if items else ""


def _forbids(kind: ItemKind) -> bool:
    return kind is ItemKind.PROHIBITION


def _nearness(sentence: str, said: set[str]) -> float:
    words = {word for word in re.findall(r"\w+", sentence.lower()) if len(word) > 3}
    return len(words & said) / (len(words) + 4) if words else 0.0
