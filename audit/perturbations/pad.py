"""Words that say nothing."""

from __future__ import annotations

from audit.perturbations.json_paths import Path, put
from audit.perturbations.sites import STATED, Planted, Site, Unfit
from audit.records.task import Json, PartKind

_TALK = (
    "The conversation is calm and friendly from beginning to end.",
    "There is no hurry, and nobody minds a short wait.",
    "Whole sentences are used, and small talk is kept short.",
    "Spelling does not matter here.",
    "It is an ordinary day, and nothing unusual happens on the way to the talk.",
)
_REQUEST = (
    "Thank you very much in advance.",
    "I hope that you are having a good day.",
    "There is no hurry, take the time that it needs.",
    "Please excuse any mistake in my spelling.",
)
_BEHAVIOR = (
    "The tone stays polite and clear throughout.",
    "Answers are neither rushed nor longer than they have to be.",
    "All of this happens in an orderly manner.",
)
_LEAST_WORDS = 4
"""Of a text that is a statement, and no label or value."""
_N_TOLD, _N_STATED = 3, 2


def pad(site: Site) -> Planted | Unfit:
    """Add sentences without a fact, a wish or an act to the description, and to prose of the expected behavior."""
    told = [path for path, _ in site.texts({PartKind.SCENARIO})]
    if not told:
        return Unfit("it has no description")
    raw = _extend(site, site.raw, told[-1], texts=_draw(site, _REQUEST if site.is_plan else _TALK, _N_TOLD))
    stated = [path for path, text in site.texts(STATED) if len(text.split()) >= _LEAST_WORDS]
    if stated:
        raw = _extend(site, raw, stated[-1], texts=_draw(site, _BEHAVIOR, _N_STATED))
    return Planted(raw)


def _draw(site: Site, texts: tuple[str, ...], n: int) -> str:
    return " ".join(texts[int(place)] for place in site.rng.permutation(len(texts))[:n])


def _extend(site: Site, raw: Json, path: Path, *, texts: str) -> Json:
    found = next(text for place, text in site.texts(frozenset(PartKind)) if place == path).rstrip()
    end = "" if found.endswith((".", "!", "?", "。", '"', "”")) else "."
    return put(raw, path, new=f"{found}{end} {texts}")
