"""The same content in another shape."""

from __future__ import annotations

from collections.abc import Iterator

from audit.perturbations.json_paths import put, spell
from audit.perturbations.language import pieces
from audit.perturbations.sites import TOLD, Planted, Site, Unfit
from audit.records.task import Json, PartKind


def paraphrase_format(site: Site) -> Planted | Unfit:
    """Change blanks and line ends, or one of the shapes that the format has beside: never a word that is said."""
    shapes = [*_blanks(site), *site.form.reshaped(site.task)]
    if not shapes:
        return Unfit("its texts are one sentence each, and its format has no other shape for them")
    how, raw = shapes[int(site.rng.integers(len(shapes)))]
    return Planted(raw, how=how)


def _blanks(site: Site) -> Iterator[tuple[str, Json]]:
    """Yield the entry with its sentences on lines of their own, and with two blanks between them."""
    for how, blank in (("a line a sentence", "\n"), ("two blanks between sentences", "  ")):
        raw: Json = site.raw
        for path, text in site.texts(TOLD | {PartKind.PROSE}):
            raw = put(raw, path, new=_join(text, blank))
        if spell(raw) != spell(site.raw):
            yield how, raw


def _join(text: str, blank: str) -> str:
    first, *rest = pieces(text)
    return first + "".join(f"{blank}{piece.lstrip(' ')}" if piece.startswith(" ") else piece for piece in rest)
