"""A run's failure patterns: counted, seeded, and told with how far they come back."""

from __future__ import annotations

import dataclasses

import pytest

from audit.records.codebook import Code, Codebook, CodeOrigin, Placed
from audit.records.run import RunResult
from audit.records.verdict import Trust
from audit.studies import failure_patterns
from audit.studies.failure_patterns import with_patterns
from audit.studies.pattern_groups import CRITERIA, collect_reasons
from tests.reports import runs
from tests.studies.low_reasons import REASONS


def low_run(n: int = len(REASONS), trust: Trust = Trust.MODEL) -> RunResult:
    """Return a run in which each reason is a low score's own, and one more task is in order."""
    tested = runs.benchmark(*(runs.task(number) for number in range(n + 1)))
    verdicts = [runs.verdict(str(number), score=3.0, reasons=(REASONS[number][1],), trust=trust) for number in range(n)]
    verdicts.append(runs.verdict(str(n), score=9.0, reasons=("All is well.",), trust=trust))
    return runs.result(tested, verdicts=tuple(verdicts))


def test_every_low_reason_is_in_one_pattern_under_the_codebooks_name_where_it_fits() -> None:
    found = with_patterns(low_run()).patterns
    assert found is not None

    assert (found.n_scores, found.n_tasks, found.n_reasons, found.n_grouped) == (36, 36, 36, 36)
    assert sum(each.n_reasons for each in found.patterns) == 36
    assert sum(each.share for each in found.patterns) == pytest.approx(1)
    by_id = {each.id: each for each in found.patterns}
    assert by_id["compensation"].name == "Compensation or refunds go wrong"
    assert by_id["compensation"].n_reasons >= 4
    assert len(by_id["compensation"].task_ids) == by_id["compensation"].n_reasons
    assert any(each.origin is CodeOrigin.FOUND for each in found.patterns), "weekdays and languages are new"
    assert "All is well." not in {each.example for each in found.patterns}


def test_faults_come_first_by_their_number_and_what_is_in_order_last() -> None:
    found = with_patterns(low_run()).patterns
    assert found is not None
    faults = [each.n_reasons for each in found.patterns if each.is_fault]
    assert faults == sorted(faults, reverse=True)
    assert [each.id for each in found.patterns if not each.is_fault] == ["in-order"]
    assert found.patterns[-1].id == "in-order"


def test_the_grouping_is_the_same_each_time_and_says_how_far_it_comes_back() -> None:
    found = with_patterns(low_run()).patterns
    assert found == with_patterns(low_run()).patterns
    assert found is not None
    assert found.rand is not None
    assert found.interval is not None
    assert found.interval.low <= found.rand <= found.interval.high <= 1
    assert found.n_draws == 20


def test_without_a_judges_score_there_are_no_patterns_to_look_for() -> None:
    run = runs.result(runs.benchmark(runs.task(0)))
    assert with_patterns(run) is run


def test_where_nothing_is_low_or_too_little_the_reason_is_told() -> None:
    fine = with_patterns(low_run(0)).patterns
    assert fine is not None
    assert (fine.n_scores, fine.problem) == (0, "no score lies below 7")
    few = with_patterns(low_run(3)).patterns
    assert few is not None
    assert (few.n_scores, few.n_reasons, few.n_grouped, few.patterns) == (3, 3, 0, ())
    assert few.problem == "3 reasons; grouping needs 5"


def test_scripted_reasons_are_labelled_in_every_pattern() -> None:
    found = with_patterns(low_run(trust=Trust.SCRIPTED)).patterns
    assert found is not None
    assert {each.trust for each in found.patterns} == {Trust.SCRIPTED.value}


def test_a_reviewed_codebook_gives_its_own_groups() -> None:
    words = "weekday calendar date Saturday Friday named does not match"
    codebook = Codebook((Code("weekday", "The weekday is wrong", words, CodeOrigin.REVIEWED),))
    found = with_patterns(low_run(), codebook, name="codes.csv").patterns
    assert found is not None
    assert found.codebook == "codes.csv"
    weekday = next(each for each in found.patterns if each.id == "weekday")
    assert (weekday.name, weekday.origin) == ("The weekday is wrong", CodeOrigin.REVIEWED)
    assert set(weekday.task_ids) >= {"28", "29", "30"}


def test_of_very_many_reasons_an_even_draw_is_grouped_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failure_patterns, "MOST", 20)
    found = with_patterns(low_run()).patterns
    assert found is not None
    assert (found.n_reasons, found.n_grouped) == (36, 20)
    assert sum(each.n_reasons for each in found.patterns) == 20
    other = with_patterns(dataclasses.replace(low_run(), settings=runs.settings(seed=1))).patterns
    assert other is not None
    assert other.patterns != found.patterns, "another seed draws others"


def test_reasons_that_a_reviewer_has_all_placed_stay_and_need_no_redraws() -> None:
    reasons = collect_reasons(low_run(), criteria=CRITERIA, below=7)
    placed = tuple(Placed(each, "mine") for each in reasons)
    found = with_patterns(low_run(), Codebook((Code("mine", "Mine", "", CodeOrigin.REVIEWED),), placed)).patterns
    assert found is not None
    assert [(each.id, each.n_reasons, each.comes_back) for each in found.patterns] == [("mine", 36, None)]
    assert (found.rand, found.unsteady) == (None, "every reason stands where the codebook has placed it")
