from __future__ import annotations

import json

import pytest

from audit.reports.nodes import ATTRIBUTES, TAGS, el, to_html
from audit.reports.quotes import mark, quotes_in, split_quotes
from audit.resources import resource


@pytest.mark.parametrize(
    ("tag", "attributes"),
    [
        ("script", {}),
        ("img", {}),
        ("p", {"onclick": "x"}),
        ("a", {"href": "javascript:x"}),
        ("a", {"href": "http://x"}),
    ],
)
def test_a_tree_holds_no_element_or_attribute_that_could_act(tag: str, attributes: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="can't hold"):
        el(tag, **attributes)


def test_the_script_builds_the_same_elements_and_attributes() -> None:
    script = resource("reports", "js", "build.js").read_text(encoding="utf-8")
    for name in (*TAGS, *ATTRIBUTES):
        assert f"{name} " in script or f'{name}"' in script, name


def test_html_and_tree_say_the_same_and_escape_what_they_hold() -> None:
    node = el("p", ["<b>", None, el("q", '"', title='"<')], cls="u")
    assert to_html(node) == '<p class="u">&lt;b&gt;<q title="&#34;&lt;">"</q></p>'
    assert json.loads(json.dumps(node)) == ["p", {"class": "u"}, "<b>", ["q", {"title": '"<'}, '"']]


def test_marks_that_hold_nothing_quote_nothing() -> None:
    assert quotes_in(['"..." and “ . ” and "\u00a0\u00a0\u00a0"', "don't, can't, it's"]) == ()
    assert [piece.kind for piece in split_quotes('says "..." here', frozenset())] == [""]
    assert mark("", frozenset()) == ()


def test_a_quote_is_found_whatever_its_case_and_line_breaks_are() -> None:
    pieces = mark("Please\nRenew\n it, renew it.", frozenset({"renew it"}))
    assert [piece.text for piece in pieces if piece.kind] == ["Renew\n it", "renew it"]
