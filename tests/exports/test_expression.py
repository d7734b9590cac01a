from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.errors import UsageError
from audit.exports.expression import Comparison, Facts, Group, Not, comparisons, holds, parse, reasons_against

METRICS = ("desc_alignment", "violation_count")
FACTS = Facts("warning", frozenset({"text-is-vague"}), frozenset({"base", "test"}), {"desc_alignment": 7.5})


def test_a_full_expression_is_read_as_it_is_written() -> None:
    assert parse('severity<error and (rule!=text-is-vague or not tag="two words")', metrics=METRICS) == Group(
        "and",
        (
            Comparison("severity", "<", "error"),
            Group("or", (Comparison("rule", "!=", "text-is-vague"), Not(Comparison("tag", "=", "two words")))),
        ),
    )


def test_and_binds_closer_than_or_and_not_closest() -> None:
    read = parse("tag=a or tag=b and not tag=c or tag=d", metrics=METRICS)
    assert str(read) == "(tag=a or (tag=b and not tag=c) or tag=d)"


def test_spaces_do_not_matter() -> None:
    assert parse("desc_alignment>=7", metrics=METRICS) == parse("  desc_alignment  >= 7 ", metrics=METRICS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("severity<error", True),
        ("severity<=warning", True),
        ("severity<warning", False),
        ("severity>none", True),
        ("severity=warning", True),
        ("severity==note", False),
        ("severity!=error", True),
        ("rule=text-is-vague", True),
        ("rule!=text-is-vague", False),
        ("rule!=another-rule", True),
        ("tag=test", True),
        ("tag==train", False),
        ("tag!=train", True),
        ("desc_alignment>=7.5", True),
        ("desc_alignment>7.5", False),
        ("desc_alignment=7.5", True),
        ("desc_alignment!=7.5", False),
        ("desc_alignment<-1", False),
        ("not severity=error", True),
        ("not not severity=error", False),
        ("tag=train or tag=test", True),
        ("tag=train and tag=test", False),
        ("not (tag=train or tag=test)", False),
    ],
)
def test_an_expression_holds_or_not(text: str, expected: bool) -> None:
    read = parse(text, metrics=METRICS)
    assert holds(read, FACTS) is expected
    assert (reasons_against(read, FACTS) == ()) is expected


def test_every_condition_that_fails_is_a_reason() -> None:
    read = parse("severity<warning and tag=test and desc_alignment>8 and rule!=text-is-vague", metrics=METRICS)
    assert reasons_against(read, FACTS) == (
        "severity<warning: it is warning",
        "desc_alignment>8: it is 7.5",
        "rule!=text-is-vague: it is text-is-vague",
    )


def test_a_choice_that_fails_is_one_reason() -> None:
    read = parse("tag=a or tag=b", metrics=METRICS)
    assert reasons_against(read, FACTS) == ("(tag=a or tag=b) does not hold",)
    assert reasons_against(parse("tag=a", metrics=METRICS), Facts("none", frozenset(), frozenset(), {})) == (
        "tag=a: it is none",
    )


def test_all_comparisons_are_found() -> None:
    read = parse("severity<error and not (tag=a or desc_alignment>1)", metrics=METRICS)
    assert [found.name for found in comparisons(read)] == ["severity", "tag", "desc_alignment"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "at character 1: expected a name, not the end"),
        ("tag=a and ", "at character 11: expected a name"),
        ("   ", "expected a name"),
        ("severity", "expected an operator"),
        ("severity<", "expected a value, not the end"),
        ("severity<fatal", "no severity 'fatal'.*none, note, warning, error"),
        ("desc_alignment>high", "compared with a number"),
        ("desc_alignment>1e9", "compared with a number"),
        ("desc_alignment>nan", "compared with a number"),
        ("rule<x", "only be compared with = and !="),
        ("offline>1", "no name 'offline'.*violation_count"),
        ("(tag=a", "a bracket is not closed"),
        ("tag=a)", "at character 6: expected 'and', 'or' or the end"),
        ("tag=a tag=b", "at character 7: expected 'and'"),
        ("tag=a and", "expected a name"),
        ("tag=(a)", "expected a value, not '\\('"),
        ('tag="a', "can't be read"),
        ("! tag=a", "can't be read"),
        ("not " * 30 + "tag=a", "nested more than 20"),
        ("(" * 30 + "tag=a", "nested more than 20"),
        ("tag=a or " * 300 + "tag=a", "longer than 2000"),
        ("__import__('os')", "no name"),
    ],
)
def test_what_can_not_be_read_is_one_clear_error(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        parse(text, metrics=METRICS)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet='ab ()<>=!"\\notridesvy-_.17', max_size=40))
def test_any_text_is_an_expression_or_a_clear_error(text: str) -> None:
    with contextlib.suppress(UsageError):
        read = parse(text, metrics=METRICS)
        assert parse(str(read), metrics=METRICS) == read
