"""Tasks, policy and findings of two sides."""

from __future__ import annotations

from audit.compare.sides import compare
from audit.records.comparison import TaskChange
from tests.compare.made import found, snapshot


def test_two_equal_sides_differ_in_nothing() -> None:
    result = compare(snapshot(), snapshot())
    assert (result.added, result.removed, result.changed, result.n_same) == ((), (), (), 4)
    assert (result.policy_changed, result.items_changed, result.notes) == (False, (), ())
    assert [change.difference for change in result.scores] == [0.0]


def test_tasks_are_added_removed_and_changed_by_component() -> None:
    tasks = {
        "t1": {"description": "a", "actions": "b"},
        "t2": {"description": "x", "actions": "y"},
        "t3": {"description": "a", "actions": "y"},
        "t9": {"description": "a", "actions": "b"},
    }
    result = compare(snapshot(), snapshot(tasks=tasks))
    assert (result.added, result.removed, result.n_same) == (("t9",), ("t4",), 1)
    assert result.changed == (TaskChange("t2", ("description", "actions")), TaskChange("t3", ("actions",)))


def test_a_side_that_does_not_tell_what_its_tasks_held_says_so() -> None:
    result = compare(snapshot(tasks={"t1": {}}), snapshot())
    assert result.changed == ()
    assert any("OLD does not say what its tasks held" in note for note in result.notes)


def test_items_of_the_same_text_that_moved_have_changed_but_of_another_text_only_their_ids_count() -> None:
    moved = {"P1": "0-4", "P3": "6-9"}
    assert compare(snapshot(), snapshot(items=moved)).items_changed == ("P1", "P2", "P3")
    result = compare(snapshot(), snapshot(items=moved, policy_sha256="cd"))
    assert result.policy_changed
    assert result.items_changed == ("P2", "P3")


def test_items_that_a_side_does_not_tell_have_not_changed() -> None:
    assert compare(snapshot(items=None), snapshot()).items_changed == ()


def test_findings_are_new_fixed_unchanged_or_gone_by_fingerprint() -> None:
    old = snapshot(findings=(found("a"), found("b"), found("c", task_id="t4"), found("d", rule="text-doubtful")))
    tasks = {name: snapshot().tasks[name] for name in ("t1", "t2", "t3")}
    changes = compare(old, snapshot(findings=(found("b"), found("e")), tasks=tasks)).findings
    assert changes is not None
    assert (changes.new, changes.fixed, changes.unchanged) == ((found("e"),), (found("a"),), (found("b"),))
    assert changes.gone == (found("c", task_id="t4"), found("d", rule="text-doubtful"))


def test_a_finding_of_the_whole_set_is_fixed_when_it_is_not_found_again() -> None:
    changes = compare(snapshot(findings=(found("a", task_id=None),)), snapshot()).findings
    assert changes is not None
    assert len(changes.fixed) == 1


def test_a_side_that_was_not_checked_has_no_findings_to_compare() -> None:
    result = compare(snapshot(findings=None), snapshot(findings=(found("a"),)))
    assert result.findings is None
    assert any("OLD was not checked" in note for note in result.notes)


def test_rules_that_only_one_side_looked_for_are_told() -> None:
    result = compare(snapshot(rules=frozenset({"a", "b"})), snapshot(rules=frozenset({"b", "c"})))
    assert any("OLD was not checked for c" in note for note in result.notes)
    assert any("NEW was not checked for a" in note for note in result.notes)


def test_two_benchmarks_of_other_names_and_sides_without_scores_are_told() -> None:
    notes = compare(snapshot(scores=()), snapshot(benchmark="other/domain")).notes
    assert any("other/domain" in note for note in notes)
    assert any("OLD has no scores" in note for note in notes)
