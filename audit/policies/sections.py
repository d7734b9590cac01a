"""A document cut into runs that a model reads one at a time: at headings, else at blank lines, else at line ends."""

from __future__ import annotations

from dataclasses import dataclass

from audit.policies.structure import BlockKind, read_blocks, strip_span


@dataclass(frozen=True, slots=True)
class Section:
    """A run of a document; ``headings`` are those above its beginning, outermost first."""

    start: int
    end: int
    headings: tuple[str, ...] = ()


def cut_sections(text: str, *, longest: int) -> tuple[Section, ...]:
    r"""Return runs of at most ``longest`` characters that hold the whole document but for blanks between them.

    Parameters
    ----------
    text
        The normalised document.
    longest
        Characters a run, at least 1.

    Examples
    --------
    >>> text = "# Fees\nPay by card.\n# Loans\nTwo at a time."
    >>> [text[each.start : each.end] for each in cut_sections(text, longest=30)]
    ['# Fees\nPay by card.', '# Loans\nTwo at a time.']
    """
    headings = [block for block in read_blocks(text) if block.kind is BlockKind.HEADING]
    cuts = [text.rfind("\n", 0, block.start) + 1 for block in headings]
    paths = {cut: block.headings for cut, block in zip(cuts, headings, strict=True)}
    sections: list[Section] = []
    start, path = 0, tuple[str, ...]()
    while (rest := strip_span(text, start, end=len(text))) is not None:
        start = rest[0]
        end = _end_of(text, start, cuts, longest)
        here = paths.get(text.rfind("\n", 0, start) + 1, path)
        if (span := strip_span(text, start, end=end)) is not None:
            sections.append(Section(*span, here))
        inside = [block for block, cut in zip(headings, cuts, strict=True) if start <= cut < end]
        path = (*inside[-1].headings, text[inside[-1].start : inside[-1].end]) if inside else here
        start = end
    return tuple(sections)


def _end_of(text: str, start: int, cuts: list[int], longest: int) -> int:
    """Return where the run that begins at ``start`` ends: as late as it may, at the best place to cut."""
    limit = start + longest
    if limit >= len(text):
        return len(text)
    heading = max((cut for cut in cuts if start < cut <= limit), default=0)
    if heading:
        return heading
    for mark in ("\n\n", "\n", ". ", " "):
        found = text.rfind(mark, start + 1, limit)
        if found > start:
            return found + len(mark)
    return limit
