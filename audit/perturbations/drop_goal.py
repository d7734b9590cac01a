"""A goal of the user that the description no longer names."""

from __future__ import annotations

import math
import re

from audit.perturbations.drop_step import required_calls
from audit.perturbations.json_paths import Path, put
from audit.perturbations.language import pieces
from audit.perturbations.sites import STATED, Planted, Site, Unfit
from audit.perturbations.world import leaves, stems_of
from audit.records.task import Action, Json, PartKind

_WISH = re.compile(
    r"\b(?:want|wish|would like|['’]d like|need|ask|request|look(?:ing)? for|hope|hoping|decide|prefer|plan to|try"
    r"|trying|insist|demand|help|please|could you|can you|have to|has to|must|should be|instead|goal|interested)\w*",
    re.I,
)
_IDENTITY = re.compile(r"^\W*(?:you are|you're|i am|your (?:name|user|e-?mail|phone|zip|date of birth))\b", re.I)
_SHARE = 0.5
"""Of the best sentence's weight, what makes another one part of the same goal."""


def drop_goal(site: Site) -> Planted | Unfit:
    """Take out of the description what asks for one outcome of the expected behavior.

    The outcome is a gold call that changes a record, or else a statement; what asks for it are the sentences with a
    wish that share the weightiest words with it.
    """
    sentences = _sentences(site)
    for terms in _outcomes(site):
        weights = [_weight(site, piece, terms) for _, piece in sentences]
        best = max(weights, default=0.0)
        if best > 0:
            gone = {number for number, weight in enumerate(weights) if weight >= _SHARE * best}
            raw = _without(site, gone)
            return Unfit("its description would say nothing any more") if raw is None else Planted(raw)
    return Unfit("no sentence of its description asks for anything that the expected behavior names")


def _sentences(site: Site) -> list[tuple[Path, str]]:
    return [(path, piece) for path, text in site.texts({PartKind.SCENARIO}) for piece in pieces(text)]


def _outcomes(site: Site) -> list[set[str]]:
    """Return the words of each outcome, in a seeded order, the calls first."""
    calls = [stems_of(_say(call)) for call in required_calls(site)]
    stated = [stems_of(text) for _, text in site.texts(STATED | {PartKind.COMMUNICATE})]
    return [group[int(place)] for group in (calls, stated) for place in site.rng.permutation(len(group))]


def _say(call: Action) -> str:
    values = (str(value) for _, value in leaves(dict(call.arguments)) if isinstance(value, str | int | float))
    return " ".join((call.name.replace("_", " "), *values))


def _weight(site: Site, sentence: str, terms: set[str]) -> float:
    if not _WISH.search(sentence) or _IDENTITY.search(sentence):
        return 0.0
    n = len(site.world.benchmark.tasks) + 1
    return sum(math.log(n / (1 + site.world.stems[term])) for term in stems_of(sentence) & terms)


def _without(site: Site, gone: set[int]) -> Json | None:
    """Return the entry without these sentences; ``None`` if no wish or fact would be left at all."""
    kept: dict[Path, str] = {}
    for number, (path, piece) in enumerate(_sentences(site)):
        kept[path] = kept.get(path, "") + ("" if number in gone else piece)
    if not any(text.strip() for text in kept.values()):
        return None
    raw: Json = site.raw
    for path, text in site.texts({PartKind.SCENARIO}):
        if kept[path] != text:
            raw = put(raw, path, kept[path].strip())
    return raw
