"""The structure of documents, and the sections that models are shown."""

from __future__ import annotations

from itertools import pairwise

import pytest

from audit.loaders.policy import normalise
from audit.policies.sections import cut_sections
from audit.policies.structure import read_blocks, split_sentences
from audit.policies.words import short_line, short_title, trim
from tests.policies.hostile import DOCUMENTS
from tests.policies.sets import BOATS

every_hostile = pytest.mark.parametrize("name", sorted(DOCUMENTS))


def test_blocks_know_their_kind_and_the_headings_above_them() -> None:
    text = "# A\nintro\n## B\n1. one\n   more\n   - deeper\n| x | y |\n|---|---|\n# C\nlast\n"
    found = [
        (block.kind.value, text[block.start : block.end], block.depth, block.headings) for block in read_blocks(text)
    ]
    assert found == [
        ("heading", "A", 1, ()),
        ("paragraph", "intro", 0, ("A",)),
        ("heading", "B", 2, ("A",)),
        ("bullet", "one\n   more", 0, ("A", "B")),
        ("bullet", "deeper", 3, ("A", "B")),
        ("row", "x | y", 0, ("A", "B")),
        ("heading", "C", 1, ()),
        ("paragraph", "last", 0, ("C",)),
    ]


def test_code_tags_and_rulers_are_no_blocks() -> None:
    text = "<policy>\n---\n```\nYou must not.\n```\nYou must.\n</policy>"
    assert [text[block.start : block.end] for block in read_blocks(text)] == ["You must."]


def test_a_sentence_does_not_end_at_an_abbreviation_or_an_initial() -> None:
    text = "Fees apply (e.g. 5 dollars). Ask J. Doe, etc. before noon! Is it 3.5 hours? **Yes.** No."
    parts = [text[a:b] for a, b in split_sentences(text, 0, end=len(text))]
    assert parts == [
        "Fees apply (e.g. 5 dollars).",
        "Ask J. Doe, etc. before noon!",
        "Is it 3.5 hours?",
        "**Yes.**",
        "No.",
    ]


@pytest.mark.parametrize(
    ("text", "quote", "trimmed"),
    [
        ("- No pets.", "- No pets.", "No pets"),
        ("unallowed things", "allowed th", "unallowed things"),
        ("1. > # Pay now;", "1. > # Pay now;", "Pay now"),
        ("Bring a card, cash, etc.", "Bring a card, cash, etc.", "Bring a card, cash, etc."),
        ("... !! --", "... !! --", None),
    ],
)
def test_spans_are_moved_to_whole_words_without_marks(text: str, quote: str, trimmed: str | None) -> None:
    start = text.index(quote)
    span = trim(text, start, end=start + len(quote))
    assert (None if span is None else text[slice(*span)]) == trimmed


def test_titles_are_short_lines_of_visible_characters() -> None:
    assert short_title("a\x00b\u202ec\n**d** `e`") == "a b c d e"
    assert short_title("\x00") == "untitled"
    assert len(short_title("word " * 500)) <= 60
    assert short_title("x" * 300).endswith("…")
    assert short_line("x" * 500, limit=10) == "xxxxxxxxx…"


@every_hostile
def test_hostile_documents_fall_into_blocks_that_do_not_overlap(name: str) -> None:
    text = normalise(DOCUMENTS[name])
    blocks = read_blocks(text)
    assert all(0 <= block.start < block.end <= len(text) for block in blocks)
    assert all(before.end <= after.start for before, after in pairwise(blocks))
    for block in blocks:
        spans = split_sentences(text, block.start, end=block.end)
        assert all(before[1] <= after[0] for before, after in pairwise(spans))


@every_hostile
@pytest.mark.parametrize("longest", [500, 12_000])
def test_sections_hold_every_character_but_blanks_and_none_is_too_long(name: str, longest: int) -> None:
    text = normalise(DOCUMENTS[name])
    sections = cut_sections(text, longest=longest)
    assert all(0 < each.end - each.start <= longest for each in sections)
    assert all(before.end <= after.start for before, after in pairwise(sections))
    assert "".join(text[each.start : each.end] for each in sections).split() == text.split() or "".join(
        "".join(text[each.start : each.end].split()) for each in sections
    ) == "".join(text.split())


def test_sections_begin_at_headings_and_say_what_stands_above_them() -> None:
    text = normalise(BOATS)
    first, second = cut_sections(text, longest=260)
    assert text[second.start : second.end].startswith("## Returns")
    assert (first.headings, second.headings) == ((), ("Boats",))
    assert [each.headings for each in cut_sections("# A\n\n" + "word " * 40, longest=100)] == [(), ("A",), ("A",)]
