"""A task's questions put to a decisions endpoint in one call, and what becomes of each."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.errors import ProviderErrorKind as Kind
from audit.errors import UsageError
from audit.judges.asking import Asked
from audit.judges.decisions_reply import answers_of, expected_score
from audit.judges.planning import plan
from audit.judges.progress import recount
from audit.judges.questions import Questions
from audit.judges.registry import JUDGES
from audit.judges.spending import Limits
from audit.providers.decisions import MAX_DECISIONS
from audit.providers.prices import OwnPrice
from audit.records.mode import Mode
from audit.records.prompt import Decision, Finish, Prompt, Reply, Usage
from audit.records.verdict import Verdict, VerdictState, nearest_level
from audit.store import Store
from tests import builders
from tests.judges.panels import QUICK, Answers, FakeModel, always, ask, fault

CRITERIA = ("desc_alignment", "policy_alignment", "policy_violations")
NAME = "fake:m (decisions)"
USAGE = Usage(100, 60, 0, 10, 0)
Say = Callable[[Decision], Any]


def level(number: float) -> list[list[Any]]:
    return [[str(n), 1.0 if n == number else 0.0] for n in range(1, 11)]


def plainly(decision: Decision) -> Any:  # noqa: ANN401  # JSON
    if decision.levels:
        return {"type": "score", "probabilities": level(8)}
    return {"type": "predicate", "probability": 0.9 if decision.text.endswith("P02") else 0.1}


def say(answer: Say, *, usage: Usage = USAGE) -> Answers:
    """Answer every question with such fields; ``None`` for no answer."""

    async def answers(prompt: Prompt, trial: int) -> Reply:
        await asyncio.sleep(0)
        said = [(decision.name, answer(decision)) for decision in prompt.decisions]
        text = json.dumps({"answers": [{"name": name, **fields} for name, fields in said if fields is not None]})
        return Reply(text, Finish.COMPLETE, model="m-1", usage=usage, latency_s=0.5)

    return answers


def instead(of: str, fields: Any) -> Say:  # noqa: ANN401  # JSON
    """Answer plainly but for the question of that name."""
    return lambda decision: fields if decision.name == of else plainly(decision)


def decider(answers: Answers | None = None) -> FakeModel:
    model = FakeModel(answers or say(plainly))
    model.mode = Mode.DECISIONS
    return model


def questions(
    n_tasks: int = 2, *, n_items: int = 3, trials: int = 1, criteria: tuple[str, ...] = CRITERIA
) -> Questions:
    tasks = [builders.task(f"t{number}", description=f"You want {number}.") for number in range(n_tasks)]
    policy = builders.policy("\n".join(f"Rule {n}." for n in range(n_items)), n_items=n_items)
    return Questions(builders.benchmark(*tasks, policy=policy), tuple(JUDGES[name] for name in criteria), trials)


def run(model: FakeModel, path: Path, asked: Questions | None = None, **options: Any) -> Asked:  # noqa: ANN401
    return ask(asked or questions(), {NAME: model}, path, options=replace(QUICK, **options))


def one_task(model: FakeModel, path: Path, **flags: Any) -> dict[str, Verdict]:  # noqa: ANN401
    found = run(model, path, questions(1, **flags)).verdicts
    return {verdict.criterion: verdict for verdict in found}


def test_one_call_brings_a_task_s_three_verdicts(tmp_path: Path) -> None:
    model = decider()
    asked = run(model, tmp_path / "s.db", questions(4))
    assert len(model.asked) == asked.tally.n_calls == 4
    assert [len(prompt.decisions) for prompt, _ in model.asked] == [5] * 4
    assert (asked.tally.planned, asked.tally.asked, asked.tally.scored) == (12, 12, 12)
    assert [verdict.score for verdict in asked.verdicts[:8]] == [8.0] * 8
    assert [verdict.violated for verdict in asked.verdicts[8:]] == [("P02",)] * 4
    assert [verdict.task_id for verdict in asked.verdicts] == ["t0", "t1", "t2", "t3"] * 3
    assert {verdict.reasons for verdict in asked.verdicts} == {()}
    assert {verdict.judge for verdict in asked.verdicts} == {NAME}


def test_the_score_is_the_mean_level_and_its_probabilities_are_kept(tmp_path: Path) -> None:
    spread = [["6", 0.25], ["7", 0.5], ["9", 0.25]]
    model = decider(say(instead("desc_alignment", {"type": "score", "probabilities": spread})))
    verdict = one_task(model, tmp_path / "s.db")["desc_alignment"]
    assert verdict.score == 0.25 * 6 + 0.5 * 7 + 0.25 * 9
    assert json.loads(verdict.raw_reply) == {"probabilities": {"6": 0.25, "7": 0.5, "9": 0.25}}
    with Store(tmp_path / "s.db") as store:
        assert store.find([verdict.key])[verdict.key].score == 7.25, "a real score comes back as it was"


@pytest.mark.parametrize(("probability", "violated"), [(0.5, ("P01",)), (0.4999, ()), (1, ("P01",)), (0, ())])
def test_an_item_is_violated_from_one_half_on(tmp_path: Path, probability: float, violated: tuple[str, ...]) -> None:
    model = decider(say(instead("item_1", {"type": "predicate", "probability": probability})))
    verdict = one_task(model, tmp_path / "s.db", n_items=1)["policy_violations"]
    assert (verdict.state, verdict.violated) == (VerdictState.OK, violated)
    assert json.loads(verdict.raw_reply) == {"probabilities": {"P01": probability}}


BROKEN_SCORES: dict[str, tuple[Any, str]] = {
    "missing": (None, "the question has no answer"),
    "another kind": ({"type": "predicate", "probability": 0.5}, 'answered with "predicate", not with a score'),
    "not a number": (
        {"type": "score", "probabilities": [["7", "high"]]},
        'level 7 is "high", not a number from 0 to 1',
    ),
    "true": ({"type": "score", "probabilities": [["7", True]]}, "level 7 is true"),
    "NaN": ({"type": "score", "probabilities": [["7", float("nan")]]}, "level 7 is NaN"),
    "above 1": ({"type": "score", "probabilities": [["7", 1.2]]}, "level 7 is 1.2"),
    "below 0": ({"type": "score", "probabilities": [["7", -0.1], ["8", 1.0]]}, "level 7 is -0.1"),
    "a sum of 0.9": ({"type": "score", "probabilities": [["7", 0.9]]}, "come to 0.9, not to 1"),
    "no levels": ({"type": "score", "probabilities": []}, "come to 0, not to 1"),
    "levels of no kind": ({"type": "score", "probabilities": 7}, "come to 0, not to 1"),
    "level 11": ({"type": "score", "probabilities": [["11", 1.0]]}, '"11" is no level'),
    "level 0": ({"type": "score", "probabilities": [["0", 1.0]]}, '"0" is no level'),
    "a level twice": ({"type": "score", "probabilities": [["7", 0.5], ["7", 0.5]]}, '"7" is no level, or comes twice'),
    "a level of another type": ({"type": "score", "probabilities": [[7, 1.0]]}, "7 is no level"),
}


@pytest.mark.parametrize("fault_", BROKEN_SCORES)
def test_a_broken_score_is_missing_and_the_others_stand(tmp_path: Path, fault_: str) -> None:
    fields, problem = BROKEN_SCORES[fault_]
    found = one_task(decider(say(instead("desc_alignment", fields))), tmp_path / "s.db")
    broken = found.pop("desc_alignment")
    assert (broken.state, broken.score) == (VerdictState.MALFORMED, None)
    assert problem in broken.problem
    assert all(verdict.is_ok for verdict in found.values())


BROKEN_ITEMS: dict[str, tuple[Any, str]] = {
    "missing": (None, "item P02 has no answer"),
    "another kind": ({"type": "score", "probabilities": level(3)}, 'item P02 was answered with "score"'),
    "no probability": ({"type": "predicate"}, "item P02 is null"),
    "NaN": ({"type": "predicate", "probability": float("nan")}, "item P02 is NaN"),
    "a text": ({"type": "predicate", "probability": "x" * 99}, "…, not a number"),
    "above 1": ({"type": "predicate", "probability": 1.01}, "item P02 is 1.01"),
}


@pytest.mark.parametrize("fault_", BROKEN_ITEMS)
def test_one_broken_item_makes_the_set_unknown_not_smaller(tmp_path: Path, fault_: str) -> None:
    fields, problem = BROKEN_ITEMS[fault_]
    found = one_task(decider(say(instead("item_2", fields))), tmp_path / "s.db")
    broken = found.pop("policy_violations")
    assert (broken.state, broken.violated) == (VerdictState.MALFORMED, None)
    assert problem in broken.problem
    assert all(verdict.is_ok for verdict in found.values())


def test_a_refused_question_is_refused_alone(tmp_path: Path) -> None:
    found = one_task(decider(say(instead("policy_alignment", {"type": "refusal"}))), tmp_path / "s.db")
    refused = found.pop("policy_alignment")
    assert (refused.state, refused.score, refused.problem) == (
        VerdictState.REFUSED,
        None,
        "the model refused to answer",
    )
    assert all(verdict.is_ok for verdict in found.values())


def test_items_refused_make_the_set_unknown_and_are_named(tmp_path: Path) -> None:
    def answer(decision: Decision) -> Any:  # noqa: ANN401  # JSON
        return plainly(decision) if decision.name in ("item_1", "desc_alignment") else {"type": "refusal"}

    found = one_task(decider(say(answer)), tmp_path / "s.db", n_items=7)
    verdict = found["policy_violations"]
    assert (verdict.state, verdict.violated) == (VerdictState.REFUSED, None)
    assert verdict.problem == "the model refused to answer for 6 of 7 items (P02, P03, P04, P05, P06, …)"
    assert json.loads(verdict.raw_reply)["answers"][0]["probability"] == 0.1


@pytest.mark.parametrize("text", ["", "{}", '{"answers": 7}', '{"answers": [7]}', '{"answers": [{"name"'])
def test_a_reply_without_answers_is_unreadable_for_every_question(tmp_path: Path, text: str) -> None:
    found = one_task(decider(always(Reply(text, Finish.COMPLETE, model="m"))), tmp_path / "s.db")
    assert {verdict.state for verdict in found.values()} == {VerdictState.MALFORMED}
    assert {verdict.problem for verdict in found.values()} == {"the reply holds no list of answers"}


def test_a_whole_reply_that_is_refused_is_refused_for_every_question(tmp_path: Path) -> None:
    model = decider(always(Reply("Not this.", Finish.REFUSED, model="m", usage=USAGE)))
    found = one_task(model, tmp_path / "s.db")
    assert {verdict.state for verdict in found.values()} == {VerdictState.REFUSED}
    assert {verdict.raw_reply for verdict in found.values()} == {"Not this."}
    assert len(model.asked) == 1, "there is nothing that could be repaired"


def test_answers_without_names_go_by_their_order() -> None:
    asked = [Decision("a", "?"), Decision("b", "?")]
    text = json.dumps({"answers": [{"name": None, "type": "x"}, {"name": None, "type": "y"}]})
    assert {name: own[0]["type"] for name, own in answers_of(text, asked, where="t").items()} == {"a": "x", "b": "y"}
    short = json.dumps({"answers": [{"name": None, "type": "x"}]})
    assert answers_of(short, asked, where="t") == {"a": [], "b": []}, "one is missing, nobody knows which"
    strange = json.dumps({"answers": [{"name": "c", "type": "x"}, {"name": "a", "type": "y"}]})
    assert [len(own) for own in answers_of(strange, asked, where="t").values()] == [1, 0]


def test_an_answer_that_comes_twice_is_none(tmp_path: Path) -> None:
    async def twice(prompt: Prompt, trial: int) -> Reply:
        answers = [{"name": each.name, **plainly(each)} for each in prompt.decisions]
        return Reply(json.dumps({"answers": [*answers, answers[0]]}), Finish.COMPLETE, model="m")

    verdict = one_task(decider(twice), tmp_path / "s.db")["desc_alignment"]
    assert (verdict.state, verdict.problem) == (VerdictState.MALFORMED, "the question has 2 answers")


def test_rounded_probabilities_make_no_score_beyond_the_scale() -> None:
    assert expected_score({"10": 0.99}) == 10.0
    assert expected_score({"1": 1.0, "10": 0.01}) == pytest.approx(1.0891, abs=1e-4)


def test_tokens_cost_and_requests_of_a_call_are_counted_once(tmp_path: Path) -> None:
    model = decider()
    price = OwnPrice(input=2.0, output=8.0, cached=0.2)
    asked = run(model, tmp_path / "s.db", questions(2), prices={NAME: price})
    cost = 2 * (40 * 2.0 + 60 * 0.2 + 10 * 8.0) / 1e6
    tally = asked.tally
    assert (tally.n_calls, tally.input_tokens, tally.cached_tokens, tally.output_tokens) == (2, 200, 120, 20)
    assert tally.cost_usd == pytest.approx(cost)
    again = recount(asked.verdicts)
    assert (again.asked, again.stored, again.n_calls, again.input_tokens) == (6, 0, 2, 200)
    own = [verdict for verdict in asked.verdicts if verdict.task_id == "t0"]
    assert [verdict.n_calls for verdict in own] == [1, 0, 0]
    assert [verdict.is_shared for verdict in own] == [False, True, True]
    assert [verdict.usage.input_tokens for verdict in own] == [34, 33, 33]
    stored = run(model, tmp_path / "s.db", questions(2), prices={NAME: price})
    assert (stored.tally.stored, stored.tally.n_calls, stored.tally.cost_usd) == (6, 0, 0.0)
    assert stored.tally.stored_cost_usd == pytest.approx(cost)
    assert not any(verdict.is_shared for verdict in stored.verdicts)


def test_a_run_taken_up_again_asks_only_what_is_missing(tmp_path: Path) -> None:
    first = decider(say(instead("item_1", {"type": "refusal"})))
    run(first, tmp_path / "s.db")
    second = decider()
    asked = run(second, tmp_path / "s.db")
    assert [[each.name for each in prompt.decisions] for prompt, _ in second.asked] == [
        ["item_1", "item_2", "item_3"]
    ] * 2
    assert (asked.tally.stored, asked.tally.asked, asked.tally.scored) == (4, 2, 6)
    assert {prompt.suffix for prompt, _ in second.asked} == {prompt.suffix for prompt, _ in first.asked}


def test_a_metric_more_asks_only_its_own_questions(tmp_path: Path) -> None:
    run(decider(), tmp_path / "s.db", questions(criteria=("policy_alignment",)))
    model = decider()
    asked = run(model, tmp_path / "s.db", questions(criteria=("policy_alignment", "desc_alignment")))
    assert [[each.name for each in prompt.decisions] for prompt, _ in model.asked] == [["desc_alignment"]] * 2
    assert asked.tally.stored == 2


def test_prompts_and_decisions_of_one_model_are_two_judges(tmp_path: Path) -> None:
    plain, decided = FakeModel(), decider()
    decided.parameters = '{"mode":"decisions"}'
    asked = ask(questions(2, criteria=("desc_alignment",)), {"fake:m": plain, NAME: decided}, tmp_path / "s.db")
    assert [(verdict.judge, verdict.score) for verdict in asked.verdicts] == [("fake:m", 7.0)] * 2 + [(NAME, 8.0)] * 2
    assert (len(plain.asked), len(decided.asked)) == (2, 2)


def test_trials_are_calls_of_their_own(tmp_path: Path) -> None:
    model = decider()
    asked = run(model, tmp_path / "s.db", questions(2, trials=3))
    assert sorted(trial for _, trial in model.asked) == [0, 0, 1, 1, 2, 2]
    assert [(v.task_id, v.trial) for v in asked.verdicts[:6]] == [(t, n) for t in ("t0", "t1") for n in range(3)]


def test_what_can_t_be_put_is_undefined_and_the_rest_is_asked(tmp_path: Path) -> None:
    model = decider()
    without = replace(questions(1), benchmark=builders.benchmark(policy=builders.policy(n_items=0)))
    asked = run(model, tmp_path / "s.db", without)
    states = {verdict.criterion: verdict.state for verdict in asked.verdicts}
    assert states["policy_violations"] is VerdictState.UNDEFINED
    assert len(model.asked[0][0].decisions) == 2
    assert (asked.tally.planned, asked.tally.undefined, asked.tally.scored) == (2, 1, 2)


def test_nothing_is_sent_where_nothing_can_be_put(tmp_path: Path) -> None:
    asked_of = Questions(builders.benchmark(builders.task("t", description=" ")), (JUDGES["desc_alignment"],))
    model = decider()
    assert run(model, tmp_path / "s.db", asked_of).tally.undefined == 1
    assert model.asked == []


def test_more_benchmarks_share_what_is_the_same(tmp_path: Path) -> None:
    model = decider()
    both = replace(questions(2), more=(questions(3),))
    asked = run(model, tmp_path / "s.db", both)
    assert len(model.asked) == 3
    first, second = both.split(asked.verdicts)
    assert [verdict.task_id for verdict in second] == ["t0", "t1", "t2"] * 3
    assert all(verdict.is_ok for verdict in (*first, *second))
    assert (asked.tally.asked, asked.tally.stored, asked.tally.n_calls) == (9, 6, 3)


def test_more_questions_than_a_call_may_have_are_split(tmp_path: Path) -> None:
    model = decider()
    n_items = 2 * MAX_DECISIONS + 5
    verdict = one_task(model, tmp_path / "s.db", n_items=n_items)["policy_violations"]
    assert [len(prompt.decisions) for prompt, _ in model.asked] == [400, 400, 7]
    assert len({(prompt.prefix, prompt.suffix) for prompt, _ in model.asked}) == 1
    assert verdict.violated == ("P02",)
    assert verdict.n_calls == 2, "the first is counted with the first verdict of the call"
    assert len(json.loads(verdict.raw_reply)["probabilities"]) == n_items


def test_a_part_that_fails_leaves_its_question_missing_and_what_was_paid_is_counted(tmp_path: Path) -> None:
    calls = []

    async def answers(prompt: Prompt, trial: int) -> str | Reply:
        calls.append(prompt)
        if len(calls) > 1:
            raise fault(Kind.BAD_REQUEST)
        return await say(plainly)(prompt, trial)

    model = decider(answers)
    asked = run(model, tmp_path / "s.db", questions(1, n_items=500), prices={NAME: OwnPrice(1.0, 1.0, 1.0)})
    states = {verdict.criterion: verdict.state for verdict in asked.verdicts}
    assert states == {
        "desc_alignment": VerdictState.OK,
        "policy_alignment": VerdictState.OK,
        "policy_violations": VerdictState.BAD_REQUEST,
    }
    assert (asked.tally.scored, asked.tally.unscored, asked.tally.n_calls) == (2, 1, 2)
    assert asked.tally.input_tokens == 100
    assert asked.tally.cost_usd == pytest.approx(110 / 1e6)
    with Store(tmp_path / "s.db") as store:
        (kept,) = store.history(asked.verdicts[2].key)
        assert kept.cost_usd == pytest.approx(110 / 1e6 / 3)


def test_a_call_that_fails_leaves_all_its_questions_missing_with_one_reason(tmp_path: Path) -> None:
    model = decider(always(fault(Kind.SERVER)))
    asked = run(model, tmp_path / "s.db", questions(1))
    assert {(verdict.state, verdict.problem) for verdict in asked.verdicts} == {(VerdictState.SERVER, "it was server")}
    assert (asked.tally.unscored, asked.tally.asked, asked.tally.n_calls) == (3, 3, 2), "two tries, counted once"
    assert recount(asked.verdicts).asked == 3
    assert run(decider(), tmp_path / "s.db", questions(1)).tally.asked == 3


def test_a_server_without_the_endpoint_stops_the_judge_at_once(tmp_path: Path) -> None:
    model = decider(always(fault(Kind.NOT_FOUND)))
    asked = run(model, tmp_path / "s.db", questions(20), concurrency=1)
    assert len(model.asked) == 1
    assert [stop.kind for stop in asked.stops] == ["not_found"]
    assert asked.tally.unscored == 60
    assert [verdict.state for verdict in asked.verdicts].count(VerdictState.NOT_ASKED) == 57


def test_the_limit_of_calls_holds_and_what_came_is_kept(tmp_path: Path) -> None:
    model = decider()
    asked = run(model, tmp_path / "s.db", questions(5), concurrency=1, limits=Limits(max_calls=2))
    assert len(model.asked) == 2
    assert (asked.tally.scored, asked.tally.unscored) == (6, 9)
    assert asked.stops[0].kind == "limit"
    assert run(decider(), tmp_path / "s.db", questions(5)).tally.asked == 9


def test_the_limit_in_the_middle_of_a_split_call_leaves_that_question_unasked(tmp_path: Path) -> None:
    model = decider()
    asked = run(model, tmp_path / "s.db", questions(1, n_items=500), limits=Limits(max_calls=1))
    states = [verdict.state for verdict in asked.verdicts]
    assert states == [VerdictState.OK, VerdictState.OK, VerdictState.NOT_ASKED]
    assert asked.tally.input_tokens == 100, "what the part that came cost is counted"
    assert asked.tally.n_calls == 1
    assert asked.verdicts[2].key


def test_the_budget_is_not_crossed(tmp_path: Path) -> None:
    model = decider(say(plainly, usage=Usage(2000, 0, 0, 5, 0)))
    price = {NAME: OwnPrice(1000.0, 1000.0, 1000.0)}
    asked = run(model, tmp_path / "s.db", questions(9), limits=Limits(budget_usd=9.0), prices=price)
    assert asked.tally.cost_usd is not None
    assert 0 < asked.tally.cost_usd <= 9.0
    assert asked.tally.scored == 3 * len(model.asked) < 27
    assert asked.stops[0].kind == "limit"


def test_an_interrupted_run_keeps_what_came(tmp_path: Path) -> None:
    stop = asyncio.Event()

    async def answers(prompt: Prompt, trial: int) -> str | Reply:
        stop.set()
        return await say(plainly)(prompt, trial)

    asked = run(decider(answers), tmp_path / "s.db", questions(6), concurrency=1, stop=stop)
    assert (asked.tally.scored, asked.tally.unscored) == (3, 15)
    assert [each.kind for each in asked.stops] == ["interrupted"]


def test_the_first_call_with_a_prefix_goes_alone(tmp_path: Path) -> None:
    started: list[int] = []

    async def answers(prompt: Prompt, trial: int) -> str | Reply:
        started.append(model._n_now)  # noqa: SLF001  # how many are in flight
        for _ in range(20):
            await asyncio.sleep(0)
        return await say(plainly)(prompt, trial)

    model = decider(answers)
    run(model, tmp_path / "s.db", questions(8), concurrency=8)
    assert started[0] == 1
    assert max(started) > 1


def test_a_plan_counts_calls_and_the_tokens_of_questions(tmp_path: Path) -> None:
    model = decider()
    with Store(tmp_path / "s.db") as store:
        (planned,) = plan(questions(4), {NAME: model}, store=store)
        (alone,) = plan(questions(4, criteria=("policy_violations",)), {NAME: model}, store=store)
    assert (planned.planned, planned.to_ask, planned.n_calls, planned.stored) == (12, 12, 4, 0)
    assert planned.output_tokens == 4 * 5
    assert planned.batch_cost_usd is None
    assert "output assumed at 1 for each of 20 answers" in planned.basis
    assert planned.input_tokens - alone.input_tokens > 4 * 500, "the questions of the two scores"
    run(model, tmp_path / "s.db", questions(4))
    with Store(tmp_path / "s.db") as store:
        (after,) = plan(questions(5), {NAME: model}, store=store)
        (split,) = plan(questions(1, n_items=900), {NAME: model}, store=store)
    assert (after.to_ask, after.n_calls, after.stored) == (3, 1, 12)
    assert after.input_tokens == pytest.approx(100, abs=3), "as the stored replies say"
    assert after.output_tokens == 10
    assert split.n_calls == 3


def test_one_missing_verdict_of_a_call_is_planned_as_its_own_questions(tmp_path: Path) -> None:
    run(decider(say(instead("desc_alignment", None))), tmp_path / "s.db", questions(3))
    with Store(tmp_path / "s.db") as store:
        (planned,) = plan(questions(3), {NAME: decider()}, store=store)
    assert (planned.to_ask, planned.n_calls, planned.stored) == (3, 3, 6)
    assert planned.output_tokens > 0


def test_a_criterion_that_asks_for_words_is_refused(tmp_path: Path) -> None:
    words = replace(JUDGES["desc_alignment"], criterion="policy_items")  # type: ignore[type-var]  # a record
    asked = Questions(builders.benchmark(), (words,))
    with pytest.raises(UsageError, match="policy_items asks for words"):
        run(decider(), tmp_path / "s.db", asked)


def test_two_real_scores_are_the_same_at_their_nearest_level() -> None:
    decided = builders.verdict(score=6.5, judge=NAME)
    assert decided.level == 7.0
    assert builders.verdict(score=0.42, judge="offline").level == 0.42
    assert builders.verdict(violated=(), judge=NAME).level is None
    assert [nearest_level(score) for score in (1.0, 6.49, 9.5)] == [1.0, 6.0, 10.0]
