"""Quotes found again in documents, or refused with a reason."""

from __future__ import annotations

import pytest

from audit.loaders.policy import normalise
from audit.policies.resolve import Haystack, fold
from tests.policies.hostile import DOCUMENTS

TEXT = """# Fees

- Members pay **two dollars** a “day”.
- No waiver – not even in part.

Members pay again. Members pay again."""


def found(quote: str, *, taken: tuple[tuple[int, int], ...] = ()) -> str:
    place = Haystack(TEXT, 0, end=len(TEXT)).find(quote, taken=taken)
    return place.problem or TEXT[place.start : place.end]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("Members pay **two dollars**", "Members pay **two dollars**"),
        ('members pay two   dollars a "day".', "Members pay **two dollars** a “day”"),
        ("| - no waiver - not even\n| in part", "No waiver – not even in part"),
        ("ers pay again. Mem", "Members pay again. Members"),
        ("Members pay … again", "it does not occur in the document"),
        ("Members owe nothing", "it does not occur in the document"),
        ("part.\n\nMembers", "it crosses a heading or a blank line"),
        ("day", "it is too short to state a rule"),
        ("  \n", "it is empty"),
        ("***", "it does not occur in the document"),
    ],
)
def test_quotes_are_found_to_the_letter_or_but_for_signs(quote: str, text: str) -> None:
    assert found(quote) == text


def test_the_next_free_occurrence_is_taken() -> None:
    haystack = Haystack(TEXT, 0, end=len(TEXT))
    first = haystack.find("Members pay again")
    second = haystack.find("Members pay again", taken=[(first.start, first.end)])
    third = haystack.find("Members pay again", taken=[(first.start, first.end), (second.start, second.end)])
    assert first.end <= second.start
    assert third.problem == "it overlaps another item"


def test_a_quote_outside_the_section_is_not_found() -> None:
    assert Haystack(TEXT, 0, end=60).find("Members pay again").problem


def test_a_quote_of_hidden_characters_resolves_as_models_see_them() -> None:
    text = normalise(DOCUMENTS["controls"])
    place = Haystack(text, 0, end=len(text)).find("You must[U+0000] not[U+001B][31m pay[U+202E] in cash")
    assert text[place.start : place.end] == "You must\x00 not\x1b[31m pay\u202e in cash"


def test_folding_grows_and_shrinks_text_without_losing_places() -> None:
    text = "Größe ß … und İstanbul must stay."
    place = Haystack(text, 0, end=len(text)).find("GRÖSSE ss ... und i̇stanbul")
    assert text[place.start : place.end] == "Größe ß … und İstanbul"
    assert fold("A  b\n\n- c") == "a b c"
