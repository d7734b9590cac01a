"""More than two sides: which scores meet, what is tested, and what is said where nothing can be paired."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from audit.compare.lineup import line_up
from audit.compare.scores import OTHER_TASKS
from audit.compare.sides import compare
from audit.records.comparison import SavedFinding, Snapshot
from audit.records.lineup import Lineup, SideChange
from audit.records.verdict import Trust
from audit.reports.lineup_words import lineup_moves, state_of
from audit.stats.multiple import holm, sign_flip_p
from tests.compare.made import JUDGE, found, score, snapshot

OTHER = "anthropic:claude"
N = 20
TASKS = {f"t{n}": {"description": f"d{n}", "behavior": f"b{n}"} for n in range(1, N + 1)}


def side(*values: float, judge: str = JUDGE, **fields: Any) -> Snapshot:  # noqa: ANN401  # any field of the record
    listed = values if len(values) == N else values * N
    fields.setdefault("scores", (score("desc_alignment", *listed[:N], judge=judge),))
    fields.setdefault("models", {judge: (f"{judge}-1",)})
    return snapshot(tasks=TASKS, **fields)


def change_of(lineup: Lineup, place: int, *, row: int = 0) -> SideChange:
    change = lineup.rows[row].cells[place].change
    assert change is not None
    return change


def test_each_side_is_held_against_the_first_and_tests_are_adjusted_for_all_of_them() -> None:
    sides = (side(*range(1, N + 1)), side(*range(2, N + 2)), side(*range(1, N), 3.0))
    lineup = line_up(sides)

    assert lineup.names == ("A", "B", "C")
    assert lineup.rows[0].cells[0].change is None
    assert lineup.n_tests == 2
    values = [list(each.scores[0].by_task.values()) for each in sides]
    alone = [
        sign_flip_p([after - before for before, after in zip(values[0], other, strict=True)]) for other in values[1:]
    ]
    assert [change_of(lineup, place).p for place in (1, 2)] == pytest.approx(alone)
    assert [change_of(lineup, place).p_holm for place in (1, 2)] == pytest.approx(list(holm(alone)))
    assert state_of(change_of(lineup, 1)) == "rose"
    assert state_of(change_of(lineup, 2)) == "same"


def test_another_baseline_turns_the_differences_round() -> None:
    low, high = side(3.0), side(5.0)
    first, second = line_up((low, high)), line_up((low, high), baseline=1)

    assert change_of(first, 1).change.difference == 2.0
    assert second.rows[0].cells[1].change is None
    assert change_of(second, 0).change.difference == -2.0
    assert second.comparisons[1] is None


def test_the_differences_are_those_of_two_sides_alone() -> None:
    one, other = side(*range(1, N + 1)), side(*reversed(range(1, N + 1)))
    (alone,) = compare(one, other, seed=7).scores
    among = change_of(line_up((one, side(1.0), other), seed=7), 2).change
    assert (among.difference, among.interval, among.n_paired) == (alone.difference, alone.interval, alone.n_paired)


def test_what_would_hold_alone_may_not_hold_among_many() -> None:
    base = [5.0] * N
    slight = [*([6.0] * 5), *base[5:]]
    alone = change_of(line_up((side(*base), side(*slight))), 1)
    assert (alone.p, state_of(alone)) == (0.0625, "alone")
    among = line_up((side(*base), *(side(*([6.0] * 6), *base[6:]) for _ in range(4))))
    assert [change_of(among, place).p for place in range(1, 5)] == [0.03125] * 4
    assert {state_of(change_of(among, place)) for place in range(1, 5)} == {"alone"}
    assert {change_of(among, place).p_holm for place in range(1, 5)} == {0.125}


def test_two_shared_tasks_have_a_difference_and_no_test() -> None:
    one, other = snapshot(), snapshot(scores=(score(by_task={"t1": 1.0, "t2": 1.0}, value=1.0),))
    change = change_of(line_up((one, other)), 1)
    assert (change.p, change.p_holm, state_of(change)) == (None, None, "untested")
    assert change.change.difference is not None
    assert not change.has_fallen


def test_sides_with_one_judge_each_are_compared_across_their_judges() -> None:
    lineup = line_up((side(5.0), side(7.0, judge=OTHER), side(5.0)))
    (row,) = lineup.rows
    assert row.is_across_judges
    assert change_of(lineup, 1).change.difference == 2.0
    assert change_of(lineup, 2).change.difference == 0.0
    assert any("these differences are between judges: desc_alignment" in note for note in lineup.notes)


def test_judges_with_different_prompts_are_not_compared() -> None:
    lineup = line_up((side(5.0), side(7.0, judge=OTHER, prompts={"desc_alignment": "p9"})))
    assert change_of(lineup, 1).change.reasons == ("the prompt changed",)


def test_a_scripted_judge_and_a_real_one_are_not_compared() -> None:
    scripted = side(scores=(score("desc_alignment", *([5.0] * N), judge="scripted:x", trust=Trust.SCRIPTED),))
    lineup = line_up((side(5.0), scripted))
    assert "stands behind it" in change_of(lineup, 1).change.reasons[0]
    assert lineup.rows[0].trust is Trust.SCRIPTED
    assert lineup.n_tests == 0


def test_a_side_with_several_judges_is_matched_judge_by_judge() -> None:
    both = (score("desc_alignment", *([5.0] * N)), score("desc_alignment", *([7.0] * N), judge=OTHER))
    lineup = line_up((side(5.0), side(scores=both)))
    assert [row.judge for row in lineup.rows] == [JUDGE, OTHER]
    assert change_of(lineup, 1).change.difference == 0.0
    assert lineup.rows[1].cells[0].score is None
    assert lineup.rows[1].cells[1].change is None


def test_the_same_judge_with_another_model_behind_it_is_not_compared() -> None:
    lineup = line_up((side(5.0), side(5.0, models={JUDGE: ("other",)})))
    assert "was answered by the model" in change_of(lineup, 1).change.reasons[0]


def covered(*violated: str, judge: str = JUDGE) -> Snapshot:
    sets = {f"t{n}": frozenset(items.split()) for n, items in enumerate(violated, 1)}
    own = (score("violation_coverage@1", judge=judge, by_task={}, value=0.5),)
    return snapshot(scores=own, violated={judge: sets}, models={judge: ("m",)})


def test_coverage_is_tested_by_tasks_that_change_sides() -> None:
    many = line_up((covered(*["P1"] * 30), covered(*["P1 P2"] * 30)))
    change = change_of(many, 1)
    assert change.change.difference == 0.5
    assert change.p == pytest.approx(1 / 10_000)
    few = change_of(line_up((covered("P1", "P1", "P1"), covered("P1 P2", "P1", "P1", judge=OTHER))), 1)
    assert few.p == pytest.approx(1.0), "one task makes the difference, and it may as well be the other way round"
    assert change_of(line_up((covered("P1", "P1"), covered("P2", "P1"))), 1).p is None
    panel = "panel (median of 2)"
    both = [replace(covered(*["P1"] * 5), scores=(score("violation_coverage@1", judge=panel, value=0.5),))] * 2
    assert change_of(line_up(both), 1).p is None


def test_benchmarks_that_share_no_task_stand_beside_each_other_unpaired() -> None:
    apart = side(5.0, benchmark="other/domain")
    apart = replace(apart, tasks={f"x{id}": parts for id, parts in TASKS.items()}, findings=(found("q"),))
    apart = replace(apart, scores=(replace(apart.scores[0], by_task={"xt1": 5.0, "xt2": 5.0}),))
    lineup = line_up((side(5.0, findings=(found("a", task_id=None),)), apart))
    assert change_of(lineup, 1).change.reasons == ("a difference needs two tasks that both judged, and there are 0",)
    assert any(note.startswith("B shares no task with A: nothing is paired") for note in lineup.notes)
    changes = lineup.comparisons[1]
    assert changes is not None
    assert changes.findings is not None
    assert (changes.findings.fixed, len(changes.findings.gone)) == ((), 1)


def test_ids_that_name_other_tasks_elsewhere_are_not_paired() -> None:
    strangers = {id: {"description": f"{id} else", "behavior": f"{id} else"} for id in TASKS}
    other = replace(side(5.0, benchmark="other/domain", findings=()), tasks=strangers)
    one = side(5.0, findings=(found("a"),))
    lineup = line_up((one, other))
    assert change_of(lineup, 1).change.reasons == (OTHER_TASKS,)
    assert any("the ids that both have name other tasks" in note for note in lineup.notes)
    alone = compare(one, other)
    assert (alone.n_same, alone.changed, len(alone.added), len(alone.removed)) == (0, (), N, N)
    assert alone.findings is not None
    assert alone.findings.gone == one.findings
    assert "these name other tasks" in alone.notes[0]


def test_versions_of_one_name_are_paired_however_much_was_edited() -> None:
    edited = replace(side(4.0), tasks={id: {"description": f"{id} else"} for id in TASKS})
    assert change_of(line_up((side(5.0), edited)), 1).change.difference == -1.0
    few = {id: (parts if id == "t1" else {"description": "new"}) for id, parts in list(TASKS.items())[:10]}
    renamed = replace(side(4.0, benchmark="renamed"), tasks=few)
    assert change_of(line_up((side(5.0), renamed)), 1).change.difference == -1.0
    empty = {id: {"description": "4f53cda18c2baa0c"} for id in TASKS}
    nothing = replace(side(4.0, benchmark="renamed"), tasks=empty)
    assert change_of(line_up((replace(side(5.0), tasks=empty), nothing)), 1).change.reasons == (OTHER_TASKS,)


def test_low_scores_of_other_judges_are_neither_fixed_nor_the_same() -> None:
    low = SavedFinding("j", "judged-desc-alignment", "warning", "t1", "The judge gives 2 of 10.")
    rules = frozenset({"judged-desc-alignment"})
    one, other = side(5.0, findings=(low,), rules=rules), side(7.0, judge=OTHER, findings=(), rules=rules)
    across = compare(one, other)
    assert across.findings is not None
    assert (across.findings.fixed, across.findings.gone) == ((), (low,))
    assert any("not judged by the same judges" in note for note in across.notes)
    again = compare(one, side(7.0, findings=(), rules=rules))
    assert again.findings is not None
    assert again.findings.fixed == (low,)


def test_tasks_that_moved_most_on_any_side_come_first() -> None:
    base = [5.0] * N
    lineup = line_up((side(*base), side(4.0, *base[1:]), side(5.0, 9.0, *base[2:])))
    moves = lineup_moves(lineup, lineup.rows[0])
    assert [(move.task_id, move.values, move.widest, move.side) for move in moves] == [
        ("t2", (5.0, 5.0, 9.0), 4.0, 2),
        ("t1", (5.0, 4.0, 5.0), -1.0, 1),
    ]


def test_what_can_not_be_compared_has_not_moved() -> None:
    lineup = line_up((side(5.0), side(9.0, trials=3)))
    assert lineup_moves(lineup, lineup.rows[0]) == ()
    lacking = line_up((side(scores=()), side(9.0)))
    assert lineup_moves(lacking, lacking.rows[0]) == ()


def test_every_note_stands_once() -> None:
    lineup = line_up((side(5.0, findings=None), side(5.0), side(5.0, findings=None, scores=())))
    assert len(lineup.notes) == len(set(lineup.notes))
    assert [note for note in lineup.notes if "not checked" in note] == [
        "A was not checked, so that findings can't be compared.",
        "C was not checked, so that findings can't be compared.",
    ]
    assert "C has no scores." in lineup.notes
