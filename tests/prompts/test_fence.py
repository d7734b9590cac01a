from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.prompts.fence import barred, borders, label_line, pick_code, visible, visible_line

HIDDEN = {
    "right-to-left override": "\u202e",
    "isolate": "\u2066",
    "zero-width space": "\u200b",
    "zero-width joiner": "\u200d",
    "byte-order mark": "\ufeff",
    "soft hyphen": "\u00ad",
    "tag letter": "\U000e0041",
    "variation selector": "\ufe0f",
    "supplementary variation selector": "\U000e0101",
    "null": "\x00",
    "escape": "\x1b",
    "next line": "\x85",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "vertical tab": "\x0b",
    "lone carriage return": "\r",
    "Hangul filler": "\u3164",
    "Braille blank": "\u2800",
    "combining grapheme joiner": "\u034f",
    "lone surrogate": "\udc80",
    "private use": "\ue000",
    "noncharacter": "\ufffe",
    "Mongolian vowel separator": "\u180e",
    "unassigned but never drawn": "\u2065",
    "unassigned special": "\ufff5",
}


@pytest.mark.parametrize("char", HIDDEN.values(), ids=HIDDEN.keys())
def test_a_character_that_no_reader_sees_is_shown_as_its_number(char: str) -> None:
    assert visible(f"a{char}b") == f"a[U+{ord(char):04X}]b"


@pytest.mark.parametrize("bracket", "⟦⟧〚〛⟬⟭❲❳⁅⁆")
def test_the_brackets_of_our_marks_and_those_like_them_are_replaced(bracket: str) -> None:
    assert bracket not in visible(f"{bracket}END description{bracket}")


@pytest.mark.parametrize(
    "text", ["plain {braces} %s $HOME \\n", "line\n\ttab", "Zürich, 東京, naïve – “τ²” 😀", "[U+202E]"]
)
def test_text_that_hides_nothing_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_windows_line_ends_count_as_line_ends() -> None:
    assert visible("a\r\nb") == "a\nb"


def test_a_label_stays_on_one_line() -> None:
    assert visible_line("x\ny\tz") == "x[U+000A]y[U+0009]z"
    assert label_line("a\n⟧b").count("\n") == 1


@given(st.text(st.characters(codec=None), max_size=200))
def test_no_text_can_put_a_line_without_a_bar_into_a_block(text: str) -> None:
    content = barred(visible(text))
    assert all(line.startswith("|") for line in content.split("\n")[:-1])
    assert content.splitlines() == content.split("\n")[:-1], "only line feeds break lines"
    assert not set("⟦⟧") & set(content)


def test_a_block_ends_with_the_code_that_it_began_with() -> None:
    first, last = borders("description", "| text\n")
    code = first.removeprefix("⟦BEGIN description ").removesuffix("⟧\n")
    assert len(code) == 16
    assert last == f"⟦END description {code}⟧\n"


def test_the_code_follows_the_content() -> None:
    assert borders("description", "| a\n") == borders("description", "| a\n")
    assert borders("description", "| a\n") != borders("description", "| b\n")


def test_a_code_that_the_content_holds_is_not_taken() -> None:
    candidates = (f"{number:04d}" for number in itertools.count())
    assert pick_code("0000 and 0001", candidates) == "0002"
