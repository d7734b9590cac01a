"""The page of a comparison."""

from __future__ import annotations

import json

import pytest

from audit.compare.sides import compare
from audit.records.comparison import SavedFinding
from audit.records.verdict import Trust
from audit.reports import comparison_html, comparison_json
from audit.reports.moves import moves
from tests.compare.made import found, score, snapshot
from tests.compare.test_formats import comparison
from tests.reports.parsed import parse


def test_the_page_leads_with_what_got_worse_and_shows_every_score() -> None:
    root = parse(comparison_html.render(comparison()))
    assert root.all(cls="headline")[0].text == "NEW brings errors that OLD does not have:"
    text = root.one("verdict").text
    assert "1 new error" in text
    assert "1 finding fixed" in text
    scores = root.one("scores").text
    assert "not comparable" in scores
    assert "the policy changed" in scores


def test_a_page_without_any_change_says_so_and_nothing_moved() -> None:
    root = parse(comparison_html.render(compare(snapshot(), snapshot())))
    assert root.all(cls="headline")[0].text == "Nothing changed that can be told from chance:"
    assert "Tasks that moved most" not in root.text
    assert "no real change" in root.one("scores").text


def test_tasks_that_moved_most_stand_first_and_are_in_the_json() -> None:
    made = compare(snapshot(), snapshot(scores=(score("desc_alignment", 8.0, 2.0, 9.0, 7.0),)))
    assert [(move.task_id, move.difference) for move in moves(made)] == [("t2", -5.0), ("t4", 1.0)]
    moved = parse(comparison_html.render(made)).one("moved").text
    assert moved.index("t2") < moved.index("t4")
    assert "-5.000" in moved
    document = json.loads(comparison_json.render(made))
    assert [move["difference"] for move in document["moved"]] == [-5.0, 1.0]


def test_long_lists_are_cut_and_say_so() -> None:
    ids = [f"t{n}" for n in range(60)]
    tasks = {task_id: {"description": "a"} for task_id in ids}
    before = score(by_task=dict.fromkeys(ids, 5.0), value=5.0)
    after = score(by_task=dict.fromkeys(ids, 8.0), value=8.0)
    findings = tuple(found(f"f{n}") for n in range(300))
    made = compare(snapshot(tasks=tasks, scores=(before,)), snapshot(tasks=tasks, scores=(after,), findings=findings))
    root = parse(comparison_html.render(made))
    assert "and 40 more, in the JSON" in root.one("moved").text
    assert "and 100 more, in the JSON" in root.one("findings").text
    assert "rose" in root.one("scores").text


def test_what_is_only_better_is_told_as_better_and_unchecked_sides_have_no_findings() -> None:
    better = compare(snapshot(findings=(found("a"),)), snapshot())
    assert parse(comparison_html.render(better)).all(cls="headline")[0].text == "NEW is better, and nowhere worse:"
    unchecked = parse(comparison_html.render(compare(snapshot(findings=None), snapshot())))
    assert "not checked" in unchecked.one("verdict").text
    with pytest.raises(ValueError, match="not enough values"):
        unchecked.one("findings")


def test_labels_of_scripted_and_offline_judges_stand_on_the_page() -> None:
    made = compare(
        snapshot(scores=(score(), score("policy_alignment", judge="s", trust=Trust.SCRIPTED))),
        snapshot(scores=(score(), score("policy_alignment", judge="s", trust=Trust.SCRIPTED))),
    )
    page = parse(comparison_html.render(made))
    assert "partly scripted (not a real judge)" in page.one("verdict").text


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7*7 }}", "\u202eabc\x00", "x" * 100_000]
)
def test_hostile_texts_do_nothing(text: str) -> None:
    finding = SavedFinding("z", text, text, text, text)
    tasks = {text: {"description": "b"}, "t1": {"description": "c", "actions": "b"}}
    scores = (score(judge=text, by_task={text: 1.0, "t1": 9.0}, value=5.0),)
    old = snapshot(label=text, tasks=tasks, scores=scores, findings=(finding,), models={text: (text,)})
    moved = (score(judge=text, by_task={text: 3.0, "t1": 2.0}, value=2.5),)
    content = comparison_html.render(
        compare(old, snapshot(label=text, tasks=tasks, scores=moved, models={text: (text,)}))
    )
    assert b"<script" not in content
    assert b"<img" not in content
    assert b"{{ 7*7 }}" in content or "7*7" not in text
    assert len(content) < 300_000
    assert comparison_html.render(compare(old, old)) == comparison_html.render(compare(old, old))
