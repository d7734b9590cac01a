"""A comparison in every format."""

from __future__ import annotations

import json

import jsonschema
import pytest

from audit.compare.sides import compare
from audit.records.comparison import Comparison, SavedFinding
from audit.records.verdict import Trust
from audit.reports.comparison_words import N_LISTED
from audit.reports.gate_formats import COMPARISON_FORMATS
from tests.compare.made import found, score, snapshot
from tests.conftest import REPO

HOSTILE = "\x1b[2J`<b>\u202e\x00\n## x"
SCHEMA = json.loads((REPO / "docs" / "schema" / "comparison-1.json").read_text(encoding="utf-8"))


def comparison() -> Comparison:
    tasks = {"t1": {"description": "x", "actions": "b"}, "t2": {"description": "a", "actions": "b"}, "t9": {}}
    old = snapshot(
        findings=(found("a"), found("b"), found("c", task_id="t4")),
        scores=(score(), score("policy_alignment"), score("offline_match", judge="offline", trust=Trust.OFFLINE)),
    )
    new = snapshot(
        findings=(found("b"), SavedFinding("d", "gold-unknown-id", "error", None, HOSTILE)),
        tasks=tasks,
        policy_sha256="cd",
        scores=(
            score("desc_alignment", 6.0, 5.0),
            score("policy_alignment"),
            score("offline_match", 9.0, 8.0, judge="offline", trust=Trust.OFFLINE),
        ),
        items={"P1": "0-5"},
        label=HOSTILE,
    )
    return compare(old, new)


def test_text_says_what_changed_and_where_no_number_can_be_given() -> None:
    shown = COMPARISON_FORMATS["text"](comparison()).decode()
    assert "1 task unchanged" in shown
    assert "1 task added: t9" in shown
    assert "2 tasks removed: t3, t4" in shown
    assert "1 task changed: t1 (description)" in shown
    assert "the policy is another text" in shown
    assert "policy items changed: P2" in shown
    assert "1 finding new" in shown
    assert "1 finding fixed" in shown
    assert "1 finding gone with their task" in shown
    assert "7.500 → 5.500, -2.000 (-2.000 to -2.000) over 2 shared tasks: fell" in shown
    assert "offline [offline (heuristic)]: 7.500 → 8.500, +1.000 (+1.000 to +1.000) over 2 shared tasks: rose" in shown
    assert "policy_alignment by openai:gpt-5.4: 7.500 → 7.500, not comparable: the policy changed" in shown


@pytest.mark.parametrize("format_name", list(COMPARISON_FORMATS))
def test_hostile_text_steers_nothing(format_name: str) -> None:
    shown = COMPARISON_FORMATS[format_name](comparison()).decode()
    assert not set(shown) & {"\x1b", "\x00", "\u202e"}
    assert "\n## x" not in shown


def test_json_follows_its_schema() -> None:
    document = json.loads(COMPARISON_FORMATS["json"](comparison()))
    jsonschema.validate(document, SCHEMA)
    assert [each["is_comparable"] for each in document["scores"]] == [True, False, True]
    assert document["tasks"]["changed"] == [{"task_id": "t1", "components": ["description"]}]


def test_sides_without_findings_or_scores_have_no_section_of_them() -> None:
    bare = compare(snapshot(findings=None, scores=()), snapshot(findings=None, scores=()))
    jsonschema.validate(json.loads(COMPARISON_FORMATS["json"](bare)), SCHEMA)
    for format_name in ("text", "markdown"):
        shown = COMPARISON_FORMATS[format_name](bare).decode()
        assert "Findings" not in shown
        assert "Scores" not in shown
        assert "was not checked" in shown


@pytest.mark.parametrize("format_name", ["text", "markdown"])
def test_long_lists_are_cut_with_their_number(format_name: str) -> None:
    n = N_LISTED + 5
    tasks = {f"n{number}": {"description": "a"} for number in range(n)}
    many = compare(snapshot(), snapshot(tasks=tasks, findings=tuple(found(str(number)) for number in range(n))))
    shown = COMPARISON_FORMATS[format_name](many).decode()
    assert shown.count("5 more") == 2
