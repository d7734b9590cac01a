"""The structure of a policy document: headings, bullets, paragraphs and their sentences, as spans of its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

_HEADING = re.compile(r"#{1,6}[ \t]+(?P<title>\S.*)")
_BULLET = re.compile(r"(?P<indent>[ \t]*+)(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]++(?=\S)")
_TAG = re.compile(r"</?[\w-]+>")
_RULER = frozenset(" \t-=*_|:+")
_FENCES = ("```", "~~~")
_END = re.compile(r"""(?<![.!?])[.!?]++["'”’)\]*_]*+(?=\s++["'“‘(\[*_]*+[A-Z0-9`])""")
_ABBREVIATION = re.compile(
    r"(?:e\.g|i\.e|etc|vs|no|nr|mr|mrs|ms|dr|st|approx|incl|max|min|fig|sec|[a-z])\.", re.IGNORECASE
)
_LONGEST_TITLE = 200


class BlockKind(StrEnum):
    """What a block of a document is."""

    HEADING = "heading"
    BULLET = "bullet"
    PARAGRAPH = "paragraph"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a bullet with its further lines, a row of a table, or lines up to a blank one.

    Parameters
    ----------
    start, end
        Span of its text, without a bullet's or heading's mark; ``start < end``.
    depth
        Of a heading its level from 1; of a bullet its indentation in characters.
    headings
        The titles above it, outermost first.
    """

    kind: BlockKind
    start: int
    end: int
    depth: int = 0
    headings: tuple[str, ...] = ()


@dataclass
class _Reader:
    """What has been read of a document so far."""

    open: Block | None = None
    titles: tuple[tuple[int, str], ...] = ()
    in_code: bool = False

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(title for _, title in self.titles)

    def close(self) -> Iterator[Block]:
        if self.open is not None:
            yield self.open
        self.open = None

    def take_heading(self, match: re.Match[str], start: int, *, end: int) -> Block:
        level = len(match[0]) - len(match[0].lstrip("#"))
        title = match["title"].strip(" #*")[:_LONGEST_TITLE]
        self.titles = tuple(each for each in self.titles if each[0] < level)
        block = Block(BlockKind.HEADING, start + match.start("title"), end, level, self.headings)
        self.titles = (*self.titles, (level, title))
        return block


def read_blocks(text: str) -> tuple[Block, ...]:
    r"""Return the blocks of a normalised document in order; code, rulers and tags are none.

    Examples
    --------
    >>> text = "# Fees\n- Pay by card.\n  No cash.\n\nThat is all."
    >>> [text[block.start : block.end] for block in read_blocks(text)]
    ['Fees', 'Pay by card.\n  No cash.', 'That is all.']
    """
    reader = _Reader()
    blocks: list[Block] = []
    position = 0
    for line in text.split("\n"):
        blocks += _take_line(reader, line, position)
        position += len(line) + 1
    return (*blocks, *reader.close())


def _take_line(reader: _Reader, line: str, start: int) -> Iterator[Block]:
    end, bare = start + len(line), line.strip()
    if bare.startswith(_FENCES):
        reader.in_code = not reader.in_code
        yield from reader.close()
    elif reader.in_code or not bare or _RULER.issuperset(bare) or _TAG.fullmatch(bare):
        yield from reader.close()
    elif heading := _HEADING.fullmatch(line):
        yield from reader.close()
        yield reader.take_heading(heading, start, end=end)
    elif bullet := _BULLET.match(line):
        yield from reader.close()
        reader.open = Block(BlockKind.BULLET, start + bullet.end(), end, len(bullet["indent"]), reader.headings)
    elif bare.startswith("|"):
        yield from reader.close()
        yield _row(line, start, reader.headings)
    elif reader.open is not None:
        reader.open = replace(reader.open, end=end)
    else:
        indent = len(line) - len(line.lstrip())
        reader.open = Block(BlockKind.PARAGRAPH, start + indent, end, 0, reader.headings)


def _row(line: str, start: int, headings: tuple[str, ...]) -> Block:
    left = len(line) - len(line.lstrip(" \t|"))
    return Block(BlockKind.ROW, start + left, start + max(left + 1, len(line.rstrip(" \t|"))), 0, headings)


def split_sentences(text: str, start: int, *, end: int) -> tuple[tuple[int, int], ...]:
    """Return the spans of the sentences in ``text[start:end]``, without blanks around them.

    Examples
    --------
    >>> text = "Fees apply, e.g. 5 dollars. No waivers!"
    >>> [text[a:b] for a, b in split_sentences(text, 0, end=len(text))]
    ['Fees apply, e.g. 5 dollars.', 'No waivers!']
    """
    spans, position = [], start
    for match in _END.finditer(text, start, end):
        if text[match.start()] == "." and _is_abbreviation(text, match.start(), lowest=position):
            continue
        spans.append((position, match.end()))
        position = match.end()
    spans.append((position, end))
    return tuple(stripped for span in spans if (stripped := strip_span(text, span[0], end=span[1])) is not None)


def _is_abbreviation(text: str, dot: int, *, lowest: int) -> bool:
    word = max(text.rfind(" ", lowest, dot), text.rfind("\n", lowest, dot), text.rfind("(", lowest, dot)) + 1
    return _ABBREVIATION.fullmatch(text, max(word, lowest, dot - 20), dot + 1) is not None


def strip_span(text: str, start: int, *, end: int) -> tuple[int, int] | None:
    """Return a span without the blanks at its ends; ``None`` where nothing is left."""
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = end - (len(piece) - len(piece.rstrip()))
    return (left, right) if left < right else None
