"""A goal of the user that the description no longer names."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from audit.perturbations.drop_step import required_calls, verb_of
from audit.perturbations.json_paths import Path, put
from audit.perturbations.language import pieces
from audit.perturbations.sites import Planted, Site, Unfit
from audit.perturbations.world import leaves, stems_of
from audit.records.task import Action, Json, PartKind

_WISH = re.compile(
    r"\b(?:want|wish|would like|['’]d like|need|ask|request|look(?:ing)? for|hope|hoping|decide|prefer|plan to|try"
    r"|trying|wonder|insist|demand|help|please|could you|can you|have to|has to|must|should be|instead|goal|interested"
    r"|contact|inquir|enquir|claim|complain|if (?:that|this|it|not|so))\w*",
    re.I,
)
_ASIDE = re.compile(
    r"^\W*(?:you are|you're|i am|your (?:name|user|e-?mail|phone|zip|date of birth)"
    r"|the (?:agent|chatbot|assistant|system))\b",
    re.I,
)
"""How sentences begin that say who the user is, or what the other side does."""
_LEAST = 0.1
"""Weight of a word that stands everywhere."""
_SHARE = 0.5
"""Of the best sentence's weight, what makes another one part of the same goal."""


def drop_goal(site: Site) -> Planted | Unfit:
    """Take out of the description what asks for one outcome of the expected behavior.

    Where gold has several calls that change a record, it is one of them, and what asks for it are the sentences with
    a wish that share the weightiest words with it, and those that name its act. Else it is all that is asked for.
    """
    sentences = [piece for _, piece in _sentences(site)]
    calls = required_calls(site)
    every = {number for number, piece in enumerate(sentences) if _is_wish(piece)}
    options = [every | _naming(sentences, calls)] if len(calls) < 2 else []
    for place in site.rng.permutation(len(calls)):
        call = calls[int(place)]
        shared = _sharing(site, sentences, call)
        options.append(shared | _naming(sentences, [call]) if shared else set())
    for gone in options:
        raw = _without(site, gone) if gone else None
        if raw is not None:
            return Planted(raw)
    return Unfit("no sentence of its description could be left out that asks for what is expected")


def _sentences(site: Site) -> list[tuple[Path, str]]:
    return [(path, piece) for path, text in site.texts({PartKind.SCENARIO}) for piece in pieces(text)]


def _is_wish(sentence: str) -> bool:
    return _WISH.search(sentence) is not None and not _ASIDE.search(sentence)


def _naming(sentences: Sequence[str], calls: Sequence[Action]) -> set[int]:
    """Return the sentences that name what one of the calls does, and not only who the user is."""
    acts = {verb_of(call) for call in calls}
    return {n for n, piece in enumerate(sentences) if acts & stems_of(piece) and not _ASIDE.search(piece)}


def _sharing(site: Site, sentences: Sequence[str], call: Action) -> set[int]:
    """Return the wishes that share the weightiest words with a call."""
    terms = stems_of(_say(call))
    weights = [_weight(site, terms & stems_of(piece)) if _is_wish(piece) else 0.0 for piece in sentences]
    best = max(weights, default=0.0)
    return {number for number, weight in enumerate(weights) if weight > _SHARE * best}


def _weight(site: Site, terms: Iterable[str]) -> float:
    n = len(site.world.benchmark.tasks) + 1
    return sum(max(math.log(n / (1 + site.world.stems[term])), _LEAST) for term in terms)


def _say(call: Action) -> str:
    values = (str(value) for _, value in leaves(dict(call.arguments)) if isinstance(value, str | int | float))
    return " ".join((call.name.replace("_", " "), *values))


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
            raw = put(raw, path, new=kept[path].strip())
    return raw
