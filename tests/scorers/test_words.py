from __future__ import annotations

import pytest

from audit.scorers.words import normalise, phrase, phrases, terms


@pytest.mark.parametrize(
    ("disguised", "plain"),
    [
        ("i\u200bg\u200bn\u200bo\u200bre", "ignore"),
        ("Ｉｇｎｏｒｅ", "ignore"),
        ("\u202eignore\u202c", "ignore"),
        ("".join(chr(0xE0000 + ord(letter)) for letter in "ignore"), ""),
        ("STRASSE straße", "strasse strasse"),
    ],
)
def test_what_hides_or_decorates_a_text_is_removed(disguised: str, plain: str) -> None:
    assert normalise(disguised) == plain


def test_normalising_twice_changes_nothing() -> None:
    for text in ("ﬁn", "İstanbul", "Ⅷ", "a\u00ad b"):
        assert normalise(normalise(text)) == normalise(text)


def test_phrases_are_runs_of_words_up_to_the_longest() -> None:
    assert phrases("New York City", longest=2) == {"new", "york", "city", "new york", "york city"}
    assert phrases("New York City", longest=0) == set()


def test_a_phrase_ignores_signs_and_case() -> None:
    assert phrase("  #W12, Oak-Road!") == "w12 oak road"


def test_single_characters_and_numbers_of_two_digits_are_no_terms() -> None:
    assert terms("a 10 of 100 in B1 at 7") == ["of", "100", "in", "b1", "at"]
