from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.json_text import Span, elements, follow, top

Value = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
TEXT = '{ "a" : [ {"b.c": 1, "b": {"c": 2}} ,\n "x"], "é\\"[0]": {"": null}, "empty": {} , "none": [ ] }'


def cut(text: str, span: Span) -> object:
    return json.loads(text[span.start : span.end])


@settings(max_examples=200, deadline=None)
@given(Value, st.sampled_from([None, 2, "\t"]), st.booleans())
def test_the_spans_of_any_document_hold_its_values(value: object, indent: int | str | None, is_ascii: bool) -> None:
    text = f" \n{json.dumps(value, indent=indent, ensure_ascii=is_ascii)}\n"
    span = top(text)
    assert cut(text, span) == value
    children = list(elements(text, span))
    if isinstance(value, dict):
        assert {child.key: cut(text, child) for child in children} == value
        assert all(text[child.first] == '"' for child in children)
    elif isinstance(value, list):
        assert [cut(text, child) for child in children] == value
        assert all(child.first == child.start for child in children)
    else:
        assert children == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("", json.loads(TEXT)),
        ("a", json.loads(TEXT)["a"]),
        ("a[1]", "x"),
        ("a[0].b.c", 1),
        ("a[0].b", {"c": 2}),
        ('é"[0]', {"": None}),
    ],
)
def test_a_path_leads_to_its_value_and_the_longest_key_wins(path: str, value: object) -> None:
    assert cut(TEXT, follow(TEXT, path, start=top(TEXT))) == value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("a[0].b.d", {"c": 2}),
        ("a[9]", json.loads(TEXT)["a"]),
        ("a.b", json.loads(TEXT)["a"]),
        ("zzz.b", json.loads(TEXT)),
        ("a[1].deep", "x"),
        ("empty.more", {}),
        ("none[0]", []),
    ],
)
def test_a_path_that_leads_nowhere_ends_at_the_last_value_that_exists(path: str, value: object) -> None:
    assert cut(TEXT, follow(TEXT, path, start=top(TEXT))) == value
