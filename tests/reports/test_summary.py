from __future__ import annotations

import dataclasses

from audit.records.finding import Severity
from audit.records.run import Tally
from audit.records.score import Score
from audit.records.verdict import Trust
from audit.reports.summary import Level, summarise
from tests.reports import checked, runs


def judged(*scores: Score, **fields: object) -> str:
    fields.setdefault("tally", Tally(3, 0, 3, 3, 0))
    return summarise(runs.result(runs.benchmark(), scores=scores, **fields)).sentence


def test_a_low_score_asks_to_mend() -> None:
    assert judged(runs.score("desc_alignment", {"0": 3.0, "1": 5.0, "2": 9.0})) == (
        "Mend before release: 1 of 3 tasks scores 3 or lower and 1 more below 7 on description–behavior alignment."
    )


def test_a_middling_score_asks_to_look() -> None:
    assert judged(runs.score("policy_alignment", {"0": 6.9, "1": 5.0, "2": 9.0})) == (
        "Look closer before release: 2 of 3 tasks score below 7 on policy–behavior alignment."
    )


def test_high_scores_and_full_coverage_clear_and_say_on_what_they_rest() -> None:
    covered = runs.coverage(runs.OPENAI, [tuple(f"P{n:02d}" for n in range(1, 7))])
    assert judged(runs.score("desc_alignment", {"0": 7.0, "1": 10.0}), *covered) == (
        "Nothing found to mend: both judged tasks score 7 or higher on description–behavior alignment; every one of "
        "the 6 policy items is challenged."
    )
    assert "the one judged task scores 7 or higher" in judged(runs.score("desc_alignment", {"0": 7.0}))


def test_items_that_one_judge_alone_sees_challenged_are_said_to_be_so() -> None:
    every = runs.coverage(runs.OPENAI, [tuple(f"P{n:02d}" for n in range(1, 7))])
    text = judged(*every, *runs.coverage(runs.CLAUDE, [("P01",)]))
    assert "every one of the 6 policy items is challenged according to at least one of 2 judges." in text


def test_items_never_challenged_ask_to_look() -> None:
    one_left = runs.coverage(runs.OPENAI, [tuple(f"P{n:02d}" for n in range(1, 6))])
    assert judged(*one_left) == "Look closer before release: 1 of 6 policy items is never challenged."


def test_what_a_part_of_the_tasks_shows_is_said_of_that_part_alone() -> None:
    part = runs.benchmark(runs.task(0), corpus=tuple(runs.task(n) for n in range(50)))
    clear = summarise(runs.result(part, scores=(runs.score("desc_alignment", {"0": 9.0}),)))
    assert clear.headline == "Nothing found to mend in the 1 of 50 tasks that were chosen"
    unseen = summarise(runs.result(part, scores=runs.coverage(runs.OPENAI, [("P01",)])))
    assert unseen.reasons[0].text == ("5 of 6 policy items are never challenged by the 1 of 50 tasks that were chosen")


def test_a_run_that_measures_nothing_says_why() -> None:
    why = "the benchmark has 9 distinct descriptions, and a contrast needs 20"
    score = Score("offline_match", "offline", None, (0, 1), reason=why, trust=Trust.OFFLINE)
    assert judged(score, tally=Tally()) == f"No verdict, nothing could be measured: {why}."


def test_missing_verdicts_never_clear() -> None:
    summary = summarise(
        runs.result(runs.benchmark(), scores=(runs.score("desc_alignment", {"0": 9.0}),), tally=Tally(2, 0, 2, 1, 1))
    )
    assert summary.level is Level.LOOK
    assert summary.reasons[0].text == "1 of 2 verdicts is missing"


def test_several_judges_count_by_the_lowest_and_items_must_be_unseen_by_all() -> None:
    text = judged(
        runs.score("desc_alignment", {"0": 2.0, "1": 9.0}, runs.OPENAI),
        runs.score("desc_alignment", {"0": 9.0, "1": 3.0}, runs.CLAUDE),
        *runs.coverage(runs.OPENAI, [("P01", "P02")]),
        *runs.coverage(runs.CLAUDE, [("P03",)]),
    )
    assert "both judged tasks score 3 or lower on description–behavior alignment, by the lowest of 2 judges" in text
    assert "3 of 6 policy items are never challenged according to any of 2 judges" in text


def test_an_offline_run_is_no_verdict_and_says_what_it_cannot_see() -> None:
    summary = summarise(runs.offline())
    assert (summary.level, summary.trust) == (Level.NONE, Trust.OFFLINE)
    assert summary.sentence.startswith("No judge's verdict, only the offline heuristic ran: ")
    assert "0.64 on average over 20 tasks (0 to 1) [offline (heuristic)]" in summary.sentence
    assert "it can't see the policy" in summary.sentence
    assert summary.reasons[0].task_ids == ("6", "13", "5")


def test_a_scripted_run_is_no_verdict_and_labels_each_clause() -> None:
    summary = summarise(runs.scripted())
    assert (summary.level, summary.trust) == (Level.NONE, Trust.SCRIPTED)
    assert all("[scripted (not a real judge)]" in reason.text for reason in summary.reasons)


def test_offline_numbers_never_enter_a_real_judges_verdict() -> None:
    offline = runs.score("offline_match", {"0": 0.01}, "offline", trust=Trust.OFFLINE)
    text = judged(runs.score("desc_alignment", {"0": 9.0}), offline)
    assert text.startswith("Nothing found to mend: the one judged task scores")


def test_nothing_measured_is_said() -> None:
    empty = dataclasses.replace(runs.small(), scores=())
    assert summarise(empty).sentence == (
        "No verdict, nothing could be measured: 1 of 6 verdicts is missing (1 timed out)."
    )


def test_a_count_alone_gives_no_verdict() -> None:
    assert judged(runs.score("violation_count", {"0": 1.0})) == (
        "Measured, without anything that a verdict could rest on."
    )


def test_proved_findings_ask_to_mend_whoever_judged() -> None:
    judged_well = runs.score("desc_alignment", {"0": 9.0})
    tested = runs.result(runs.benchmark(), scores=(judged_well,), tally=Tally(1, 0, 1, 1), checked=checked.small())
    summary = summarise(tested)
    assert (summary.level, summary.headline) == (Level.MEND, "Mend before release")
    assert summary.reasons[0].text == "2 errors in 2 of 3 tasks by the free checks: a loan can't be renewed"
    assert summary.reasons[0].task_ids == ("0", "2")
    assert summary.reasons[1].text == "1 warning in 1 of 3 tasks by the free checks: the text leaves the loan open"
    assert "judge finds no fit" not in summary.sentence, "low scores have clauses of their own"
    offline = summarise(dataclasses.replace(runs.offline(), checked=checked.small()))
    assert offline.headline == "Mend before release, by the free checks alone"


def test_findings_of_the_whole_set_are_said_to_be_so() -> None:
    alike = [
        checked.finding(checked.VAGUE, None, subject="a"),
        checked.finding(checked.FAILS, None, severity=Severity.WARNING),
    ]
    whole = summarise(dataclasses.replace(runs.offline(), checked=checked.result(*alike)))
    assert whole.level is Level.LOOK
    assert whole.reasons[0].text.startswith("2 warnings in the set as a whole by the free checks, most often: ")
    both = checked.result(*alike, checked.finding(checked.VAGUE, "0"))
    text = summarise(dataclasses.replace(runs.offline(), checked=both)).reasons[0].text
    assert text.startswith("3 warnings in 1 of 3 tasks and in the set as a whole")


def test_checks_that_find_nothing_clear_nothing_without_a_judge() -> None:
    clean = dataclasses.replace(runs.offline(), checked=checked.clean())
    assert summarise(clean).level is Level.NONE
    assert "the free checks find no error and no warning by 4 rules" in summarise(clean).sentence
    alone = dataclasses.replace(
        runs.result(runs.benchmark(), tally=Tally(), checked=checked.clean()),
        settings=dataclasses.replace(runs.settings(()), metrics=()),
    )
    assert summarise(alone).headline == "Nothing found to mend, and no judge was asked"
