from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from audit.errors import ProviderErrorKind, StoreError
from audit.judges.asking import ask_all
from audit.judges.planning import plan
from audit.judges.progress import Event, EventKind
from audit.judges.questions import Questions
from audit.judges.registry import JUDGES
from audit.judges.together import stop_on_interrupt
from audit.providers.scripted import make_scripted
from audit.providers.tokens import estimate_tokens
from audit.records.prompt import Finish, Prompt, Reply, Usage
from audit.records.verdict import Trust, Verdict, VerdictState
from audit.store import Store
from tests import builders
from tests.judges.panels import QUICK, FakeModel, always, ask, fault, in_turn, questions, reply, score

EVERY = tuple(JUDGES)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "verdicts.sqlite3"


def test_verdicts_come_by_model_criterion_task_and_trial_whatever_the_order_of_replies(path: Path) -> None:
    async def later_first(prompt: Prompt, trial: int) -> str:
        number = int(prompt.suffix.partition("You want ")[2][0])
        await asyncio.sleep(0.002 * (5 - number) if trial else 0.02)
        return score()

    slow, quick = FakeModel(later_first), FakeModel(model="n")
    asked = ask(questions(4, criteria=("desc_alignment", "policy_alignment"), trials=2), {"b": slow, "a": quick}, path)
    places = [(v.judge, v.criterion, v.task_id, v.trial) for v in asked.verdicts]
    assert places == [
        (judge, criterion, f"t{task}", trial)
        for judge in ("b", "a")
        for criterion in ("desc_alignment", "policy_alignment")
        for task in range(4)
        for trial in range(2)
    ]
    assert all(verdict.is_ok for verdict in asked.verdicts)


def test_a_verdict_carries_all_that_is_known_of_it(path: Path) -> None:
    model = FakeModel(endpoint="openai", model="gpt-4o")
    (verdict,) = ask(questions(1), {"openai:gpt-4o": replace_model(model, "gpt-4o-2024-08-06")}, path).verdicts
    assert (verdict.task_id, verdict.criterion, verdict.judge, verdict.trial) == (
        "t0",
        "desc_alignment",
        "openai:gpt-4o",
        0,
    )
    assert (verdict.state, verdict.score, verdict.violated, verdict.reasons) == ("ok", 7, None, ("A reason.",))
    assert verdict.raw_reply == score()
    assert verdict.usage == Usage(100, 60, 0, 10, 0)
    assert verdict.model == "gpt-4o-2024-08-06"
    assert verdict.cost_usd == pytest.approx(0.000275)  # 40 at 2.50, 60 cached at 1.25, 10 at 10 dollars a million
    assert verdict.latency_s == 0.5
    assert len(verdict.key) == len(verdict.prompt_hash) == 64
    assert verdict.asked_at.endswith("+00:00")
    assert (verdict.n_calls, verdict.is_repaired, verdict.problem, verdict.trust) == (1, False, "", Trust.MODEL)


def replace_model(model: FakeModel, returned: str) -> FakeModel:
    return FakeModel(always(replace(reply(score()), model=returned)), endpoint=model.endpoint, model=model.model)


def test_a_second_run_asks_nothing_and_says_the_same(path: Path) -> None:
    model = FakeModel()
    asked = questions(5, criteria=("desc_alignment", "policy_alignment"), trials=2)
    first = ask(asked, model, path)
    second = ask(asked, model, path)
    assert len(model.asked) == first.tally.n_calls == first.tally.asked == 20
    assert (second.tally.asked, second.tally.stored, second.tally.n_calls) == (0, 20, 0)
    assert second.verdicts == tuple(replace(verdict, n_calls=0) for verdict in first.verdicts)


def test_only_what_is_new_is_asked(path: Path) -> None:
    model = FakeModel()
    ask(questions(2), model, path)
    asked = ask(questions(3, trials=2), model, path)
    assert (asked.tally.stored, asked.tally.asked) == (2, 4)
    assert sorted(trial for _, trial in model.asked) == [0, 0, 0, 1, 1, 1]


def test_an_edited_task_asks_its_own_calls_again(path: Path) -> None:
    model = FakeModel()
    before = questions(3)
    ask(before, model, path)
    tasks = (builders.task("t0", description="You want something else."), *before.benchmark.tasks[1:])
    edited = replace(before, benchmark=replace(before.benchmark, tasks=tasks))
    assert ask(edited, model, path).tally.asked == 1


def test_another_endpoint_model_or_parameter_is_another_question(path: Path) -> None:
    ask(questions(1), FakeModel(), path)
    for other in (FakeModel(endpoint="e"), FakeModel(model="n"), FakeModel()):
        other.parameters = '{"t":1}' if (other.endpoint, other.model) == ("fake", "m") else other.parameters
        assert ask(questions(1), other, path).tally.asked == 1


def test_a_stored_verdict_takes_the_name_that_this_run_gives_its_model(path: Path) -> None:
    ask(questions(1), {"old name": FakeModel()}, path)
    (verdict,) = ask(questions(1), {"new name": FakeModel()}, path).verdicts
    assert verdict.judge == "new name"


def test_fresh_asks_again_and_the_new_verdict_counts_from_then_on(path: Path) -> None:
    ask(questions(1), FakeModel(always(score(3))), path)
    again = ask(questions(1), FakeModel(always(score(9))), path, options=replace(QUICK, is_fresh=True))
    later = ask(questions(1), FakeModel(), path)
    assert (again.verdicts[0].score, again.tally.asked) == (9, 1)
    assert (later.verdicts[0].score, later.tally.asked) == (9, 0)
    with Store(path) as store:
        assert [verdict.score for verdict in store.history(later.verdicts[0].key)] == [3, 9]


def test_a_fresh_failure_does_not_undo_the_verdict_that_is_there(path: Path) -> None:
    ask(questions(1), FakeModel(always(score(3))), path)
    failed = ask(questions(1), FakeModel(always("?")), path, options=replace(QUICK, is_fresh=True))
    assert failed.verdicts[0].state is VerdictState.MALFORMED
    assert ask(questions(1), FakeModel(), path).verdicts[0].score == 3


def test_tasks_that_say_the_same_share_one_call(path: Path) -> None:
    tasks = (builders.task("t1"), builders.task("t2"), builders.task("t3", description="Other."))
    asked = Questions(builders.benchmark(*tasks), (JUDGES["desc_alignment"],))
    model = FakeModel()
    events: list[Event] = []
    first = ask(asked, model, path, on_event=events.append)
    assert len(model.asked) == 2
    assert [verdict.task_id for verdict in first.verdicts] == ["t1", "t2", "t3"]
    assert [verdict.n_calls for verdict in first.verdicts] == [1, 0, 1]
    assert (first.tally.planned, first.tally.scored, first.tally.asked, first.tally.stored) == (3, 3, 2, 1)
    assert [event.kind for event in events if event.verdict.task_id == "t2"] == [EventKind.REPEATED]
    assert [v.score for v in ask(asked, model, path).verdicts] == [v.score for v in first.verdicts]


def test_calls_in_flight_are_bounded_for_each_model(path: Path) -> None:
    async def slow(prompt: Prompt, trial: int) -> str:
        await asyncio.sleep(0.005)
        return score()

    models = {"a": FakeModel(slow), "b": FakeModel(slow, model="n")}
    ask(questions(20), dict(models), path, options=replace(QUICK, concurrency=4))
    assert [model.most_at_once for model in models.values()] == [4, 4]


def test_the_first_call_with_a_prefix_goes_alone(path: Path) -> None:
    in_flight: list[str] = []
    together: list[tuple[str, ...]] = []
    seen: set[str] = set()

    async def watch(prompt: Prompt, trial: int) -> str:
        is_first = prompt.prefix not in seen
        seen.add(prompt.prefix)
        in_flight.append(prompt.prefix)
        await asyncio.sleep(0.002)
        if is_first:
            together.append(tuple(prefix for prefix in in_flight if prefix == prompt.prefix))
        in_flight.remove(prompt.prefix)
        return score()

    ask(questions(6, criteria=("desc_alignment", "policy_alignment")), FakeModel(watch), path)
    assert [len(prefixes) for prefixes in together] == [1, 1]


def test_a_stuck_model_holds_up_no_other(path: Path) -> None:
    async def run() -> int:
        release = asyncio.Event()

        async def stuck(prompt: Prompt, trial: int) -> str:
            await release.wait()
            return score()

        quick_is_done: list[Event] = []

        def watch(event: Event) -> None:
            quick_is_done.extend([event] if event.verdict.judge == "quick" else [])
            if len(quick_is_done) == 5:
                release.set()

        panel = {"stuck": FakeModel(stuck), "quick": FakeModel(model="n")}
        with Store(path) as store:
            asked = await ask_all(questions(5), panel, store=store, options=QUICK, on_event=watch)
        return asked.tally.scored

    assert asyncio.run(run()) == 10


def test_undefined_questions_are_neither_asked_nor_missing(path: Path) -> None:
    asked = questions(3, criteria=EVERY[1:])
    without_items = replace(asked, benchmark=replace(asked.benchmark, policy=builders.policy(n_items=0)))
    model = FakeModel()
    done = ask(without_items, model, path)
    assert (done.tally.planned, done.tally.scored, done.tally.unscored, done.tally.undefined) == (3, 3, 0, 3)
    undefined = [verdict for verdict in done.verdicts if verdict.criterion == "policy_violations"]
    assert {(v.state, v.problem, v.n_calls) for v in undefined} == {("undefined", "the policy has no items", 0)}
    assert len(model.asked) == 3


def test_a_run_without_tasks_is_over_at_once(path: Path) -> None:
    asked = questions(1)
    empty = replace(asked, benchmark=replace(asked.benchmark, tasks=()))
    done = ask(empty, FakeModel(), path)
    assert (done.verdicts, done.tally.planned, done.stops) == ((), 0, ())


@pytest.mark.parametrize("kind", [ProviderErrorKind.QUOTA, ProviderErrorKind.AUTH, ProviderErrorKind.NOT_FOUND])
def test_a_hopeless_error_stops_that_model_alone(path: Path, kind: ProviderErrorKind) -> None:
    hopeless, other = FakeModel(always(fault(kind))), FakeModel(model="n")
    done = ask(questions(9), {"hopeless": hopeless, "other": other}, path)
    assert len(hopeless.asked) == 1
    assert [v.state.value for v in done.verdicts] == [kind.value, *["not_asked"] * 8, *["ok"] * 9]
    (stop,) = done.stops
    assert (stop.judge, stop.kind, stop.message) == ("hopeless", kind.value, f"it was {kind.value}. Mend it")
    assert done.verdicts[1].problem == f"the judge was stopped: {stop.message}"
    assert (done.tally.planned, done.tally.scored, done.tally.unscored) == (18, 9, 9)


def test_a_stopped_model_still_gives_what_the_store_has(path: Path) -> None:
    ask(questions(100), FakeModel(), path)
    more = questions(140)
    done = ask(more, FakeModel(always(fault(ProviderErrorKind.QUOTA))), path)
    assert (done.tally.stored, done.tally.scored, done.tally.unscored, done.tally.asked) == (100, 100, 40, 1)


def test_a_quota_that_ends_half_way_is_taken_up_again_by_the_next_run(path: Path) -> None:
    quota = fault(ProviderErrorKind.QUOTA)
    first = ask(questions(6), FakeModel(in_turn(*[score()] * 4, quota)), path, options=replace(QUICK, concurrency=1))
    assert (first.tally.scored, first.tally.unscored) == (4, 2)
    second = ask(questions(6), FakeModel(), path)
    assert (second.tally.stored, second.tally.asked, second.tally.scored, second.stops) == (4, 2, 6, ())


def test_a_model_that_only_fails_is_given_up(path: Path) -> None:
    model = FakeModel(always(fault(ProviderErrorKind.CONNECTION)))
    options = replace(QUICK, max_failures_in_a_row=5, concurrency=1)
    done = ask(questions(30), model, path, options=options)
    assert len(model.asked) == 5 * options.retry.max_attempts
    assert [verdict.state.value for verdict in done.verdicts] == ["connection"] * 5 + ["not_asked"] * 25
    assert done.stops[0].message == "5 calls in a row failed, the last one so: it was connection. Mend it"


def test_a_reply_between_failures_keeps_a_model_going(path: Path) -> None:
    server = fault(ProviderErrorKind.BAD_REQUEST)
    answers = in_turn(server, server, score(), server, server, score(), server, server, score())
    done = ask(questions(9), FakeModel(answers), path, options=replace(QUICK, max_failures_in_a_row=3, concurrency=1))
    assert (done.tally.scored, done.tally.unscored, done.stops) == (3, 6, ())


def test_tasks_that_are_too_long_do_not_stop_a_model(path: Path) -> None:
    model = FakeModel(always(fault(ProviderErrorKind.CONTEXT_TOO_LONG)))
    done = ask(questions(10), model, path, options=replace(QUICK, max_failures_in_a_row=2))
    assert {verdict.state.value for verdict in done.verdicts} == {"context_too_long"}
    assert done.stops == ()


def test_an_unreadable_reply_is_asked_about_once_and_both_calls_are_paid(path: Path) -> None:
    model = FakeModel(in_turn("Seven, I think.", score(8)), endpoint="openai", model="gpt-4o")
    events: list[Event] = []
    (verdict,) = ask(questions(1), model, path, on_event=events.append).verdicts
    assert (verdict.score, verdict.is_repaired, verdict.n_calls, verdict.problem) == (8, True, 2, "")
    assert verdict.usage == Usage(200, 120, 0, 20, 0)
    assert verdict.latency_s == 1.0
    repair = model.asked[1][0].repair
    assert repair is not None
    assert repair[0] == "Seven, I think."
    assert "the reply holds no JSON object" in repair[1]
    assert (events[0].tally.n_calls, events[0].tally.input_tokens, events[0].tally.output_tokens) == (2, 200, 20)
    with Store(path) as store:
        first, second = store.history(verdict.key)
    assert (first.state, first.raw_reply, first.n_calls) == (VerdictState.MALFORMED, "Seven, I think.", 1)
    assert second == verdict


@pytest.mark.parametrize(
    ("second", "state", "problem"),
    [
        ("?!", "malformed", "holds no JSON object, not one; after a repair request: the reply holds no JSON object"),
        ("", "empty", "; after a repair request: the reply is empty"),
        (reply('{"sco', Finish.TRUNCATED), "truncated", "; after a repair request: the reply was cut off"),
        (reply("No.", Finish.REFUSED), "refused", "; after a repair request: the model refused"),
        (fault(ProviderErrorKind.BAD_REQUEST), "malformed", "; the repair request failed: it was bad_request"),
    ],
)
def test_a_repair_that_brings_no_verdict_ends_there(path: Path, second: str | Reply, state: str, problem: str) -> None:
    model = FakeModel(in_turn("?", second))
    done = ask(questions(1), model, path)
    (verdict,) = done.verdicts
    assert (verdict.state.value, verdict.score, verdict.n_calls) == (state, None, 2)
    assert problem in verdict.problem
    assert len(model.asked) == 2
    assert done.tally.unscored == 1
    with Store(path) as store:
        assert len(store.history(verdict.key)) == 2, "both replies were paid for"
        assert store.find([verdict.key]) == {}


def test_a_quota_that_ends_at_the_repair_stops_the_model(path: Path) -> None:
    model = FakeModel(in_turn("?", fault(ProviderErrorKind.QUOTA)))
    done = ask(questions(3), model, path)
    assert [verdict.state.value for verdict in done.verdicts] == ["malformed", "not_asked", "not_asked"]
    assert done.stops[0].kind == "quota"


@pytest.mark.parametrize("finish", [Finish.TRUNCATED, Finish.REFUSED, Finish.FILTERED])
def test_a_reply_that_did_not_end_is_a_state_and_not_asked_about(path: Path, finish: Finish) -> None:
    model = FakeModel(always(reply(score(), finish)))
    (verdict,) = ask(questions(1), model, path).verdicts
    assert (verdict.state.value, verdict.score, verdict.raw_reply) == (finish.value, None, score())
    assert verdict.problem
    assert len(model.asked) == 1
    assert ask(questions(1), FakeModel(), path).tally.scored == 1, "the next run asks again"


def test_half_characters_in_a_reply_do_not_stop_the_run(path: Path) -> None:
    (verdict,) = ask(questions(1), FakeModel(always("\ud800 " + score())), path).verdicts
    assert (verdict.score, verdict.raw_reply) == (7, "\\ud800 " + score())


def test_a_reply_as_long_as_a_book_is_read_whole_and_kept_in_part(path: Path) -> None:
    (verdict,) = ask(questions(1), FakeModel(always("x" * 200_000 + score())), path).verdicts
    assert verdict.score == 7
    assert len(verdict.raw_reply) < 101_000
    assert verdict.raw_reply.endswith(f"[cut here: {200_000 + len(score())} characters]")


@pytest.mark.parametrize("change", ["criterion = 'policy_violations'", "score = NULL, violated = '[\"Z99\"]'"])
def test_what_somebody_wrote_under_a_key_is_asked_again(path: Path, change: str) -> None:
    ask(questions(1), FakeModel(always(score(3))), path)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE verdicts SET {change}")  # noqa: S608  # our own words
    asked = ask(questions(1), FakeModel(always(score(9))), path)
    assert (asked.tally.asked, asked.tally.stored, asked.verdicts[0].score) == (1, 0, 9)


def test_a_bug_in_a_provider_shows_itself_and_what_had_come_is_kept(path: Path) -> None:
    async def breaks(prompt: Prompt, trial: int) -> str:
        if "You want 2." in prompt.suffix:
            raise ZeroDivisionError("a bug")
        return score()

    with pytest.raises(ZeroDivisionError, match="a bug"):
        ask(questions(5), FakeModel(breaks), path, options=replace(QUICK, concurrency=1))
    assert ask(questions(5), FakeModel(), path).tally.stored == 2


def test_a_store_that_can_not_be_written_ends_the_run(path: Path) -> None:
    class Full:
        def find(self, keys: object) -> dict[str, Verdict]:
            return {}

        def append_all(self, entries: object) -> None:
            raise StoreError("the disk is full", where="here")

    model = FakeModel()
    with pytest.raises(StoreError, match="here: the disk is full"):
        asyncio.run(ask_all(questions(50), {"m": model}, store=Full(), options=QUICK))
    assert len(model.asked) < 50


def test_events_tell_of_each_verdict_and_the_account_so_far(path: Path) -> None:
    ask(questions(2), FakeModel(), path)
    events: list[Event] = []
    model = FakeModel(in_turn(reply("", Finish.REFUSED), score()), endpoint="fake")
    done = ask(questions(4), model, path, on_event=events.append, options=replace(QUICK, concurrency=1))
    assert [event.kind.value for event in events] == ["stored", "stored", "failed", "asked"]
    assert [event.tally.scored + event.tally.unscored for event in events] == [1, 2, 3, 4]
    assert {event.tally.planned for event in events} == {4}
    assert replace(events[-1].tally, seconds=0) == replace(done.tally, seconds=0)


def test_spending_is_known_only_if_every_price_is(path: Path) -> None:
    priced = FakeModel(always(replace(reply(score()), model="gpt-4o")), endpoint="openai", model="gpt-4o")
    first = ask(questions(2), {"a": priced}, path)
    assert first.tally.cost_usd == pytest.approx(2 * 0.000275)
    both = ask(questions(3), {"a": priced, "b": FakeModel()}, path)
    assert both.tally.cost_usd is None
    assert both.tally.stored_cost_usd == pytest.approx(2 * 0.000275)
    assert ask(questions(3), {"a": priced}, path).tally.cost_usd == 0


def test_failed_calls_cost_nothing(path: Path) -> None:
    done = ask(questions(1), FakeModel(always(fault(ProviderErrorKind.TIMEOUT))), path)
    assert (done.tally.cost_usd, done.tally.n_calls, done.tally.unscored) == (0, 2, 1)  # a retry is a request


def test_a_run_that_is_cancelled_keeps_what_had_come(path: Path) -> None:
    async def hangs_at_last(prompt: Prompt, trial: int) -> str:
        if "You want 3." in prompt.suffix:
            await asyncio.sleep(3600)
        return score()

    async def run() -> None:
        n_events = 0

        def cancel_after_three(event: Event) -> None:
            nonlocal n_events
            n_events += 1
            if n_events == 3:
                asking.cancel()

        panel = {"fake:m": FakeModel(hangs_at_last)}
        with Store(path) as store:
            asking = asyncio.ensure_future(
                ask_all(questions(4), panel, store=store, options=QUICK, on_event=cancel_after_three)
            )
            await asking

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert ask(questions(4), FakeModel(), path).tally.stored == 3


def test_a_run_that_is_stopped_gives_what_it_has(path: Path) -> None:
    async def run() -> list[str]:
        stop = asyncio.Event()

        async def stops_at_second(prompt: Prompt, trial: int) -> str:
            if "You want 2." in prompt.suffix:
                stop.set()
                await asyncio.sleep(3600)
            return score()

        options = replace(QUICK, concurrency=1, stop=stop, grace_s=0.01)
        with Store(path) as store:
            asked = await ask_all(questions(5), {"m": FakeModel(stops_at_second)}, store=store, options=options)
        assert [(known.judge, known.kind) for known in asked.stops] == [("m", "interrupted")]
        assert asked.tally.planned == asked.tally.scored + asked.tally.unscored == 5
        return [verdict.state.value for verdict in asked.verdicts]

    assert asyncio.run(run()) == ["ok", "ok", "not_asked", "not_asked", "not_asked"]


def test_calls_in_flight_may_end_within_the_grace(path: Path) -> None:
    async def run() -> list[str]:
        stop = asyncio.Event()

        async def ends_soon(prompt: Prompt, trial: int) -> str:
            stop.set()
            await asyncio.sleep(0.01)
            return score()

        options = replace(QUICK, concurrency=1, stop=stop, grace_s=60)
        with Store(path) as store:
            asked = await ask_all(questions(2), {"m": FakeModel(ends_soon)}, store=store, options=options)
        return [verdict.state.value for verdict in asked.verdicts]

    assert asyncio.run(run()) == ["ok", "not_asked"]


def test_a_reply_whose_repair_is_interrupted_is_kept_as_unreadable(path: Path) -> None:
    async def run() -> Verdict:
        stop = asyncio.Event()

        async def hangs_at_repair(prompt: Prompt, trial: int) -> str:
            if prompt.repair:
                stop.set()
                await asyncio.sleep(3600)
            return "?"

        options = replace(QUICK, stop=stop, grace_s=0.01)
        with Store(path) as store:
            asked = await ask_all(questions(1), {"m": FakeModel(hangs_at_repair)}, store=store, options=options)
        return asked.verdicts[0]

    verdict = asyncio.run(run())
    assert verdict.state is VerdictState.MALFORMED
    assert "not repaired: interrupted before the reply came" in verdict.problem


@pytest.fixture
def usual_interrupt() -> Iterator[None]:
    """Ctrl-C as at a terminal: a shell that starts tests in the background has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("usual_interrupt")
def test_the_first_interrupt_stops_a_run_and_the_second_is_as_usual() -> None:
    async def run() -> bool:
        with stop_on_interrupt() as stop:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.wait_for(stop.wait(), timeout=10)
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(10)
        return True

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(run())
    assert signal.getsignal(signal.SIGINT) is before


def test_interrupts_are_as_before_after_a_run_without_any() -> None:
    async def run() -> None:
        during = signal.getsignal(signal.SIGINT)
        with stop_on_interrupt() as stop:
            assert not stop.is_set()
        assert signal.getsignal(signal.SIGINT) is during

    asyncio.run(run())


def test_outside_the_main_thread_there_is_an_event_that_nobody_sets() -> None:
    states: list[bool] = []

    async def run() -> None:
        with stop_on_interrupt() as stop:
            states.append(stop.is_set())

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    thread.join()
    assert states == [False]


def test_a_plan_counts_what_a_run_then_does(path: Path) -> None:
    model = FakeModel()
    ask(questions(2), model, path)
    asked = questions(4, criteria=EVERY, trials=2)
    without_items = replace(asked, benchmark=replace(asked.benchmark, policy=builders.policy(n_items=0)))
    with Store(path) as store:
        (planned,) = plan(without_items, {"fake:m": model}, store=store)
        (fresh,) = plan(without_items, {"fake:m": model}, store=store, is_fresh=True)
    n_before = len(model.asked)
    done = ask(without_items, model, path)
    assert (planned.planned, planned.stored, planned.to_ask, planned.undefined) == (16, 2, 14, 8)
    assert (done.tally.planned, done.tally.stored, done.tally.asked, done.tally.undefined) == (16, 2, 14, 8)
    assert n_before == 2, "a plan sends nothing"
    assert (fresh.to_ask, fresh.stored) == (16, 0)
    sent = model.asked[n_before:]
    assert planned.input_tokens == sum(estimate_tokens(p.prefix) + estimate_tokens(p.suffix) for p, _ in sent)


def test_a_plan_counts_questions_that_repeat_themselves_once(path: Path) -> None:
    asked = Questions(builders.benchmark(builders.task("t1"), builders.task("t2")), (JUDGES["desc_alignment"],))
    with Store(path) as store:
        (planned,) = plan(asked, {"fake:m": FakeModel()}, store=store)
    assert (planned.planned, planned.stored, planned.to_ask) == (2, 1, 1)


@pytest.mark.parametrize("script", ["constant-7", "seeded"])
def test_a_scripted_judge_gives_every_verdict_and_is_labelled(path: Path, script: str) -> None:
    done = ask(questions(5, criteria=EVERY), {f"scripted:{script}": make_scripted(script)}, path)
    assert (done.tally.scored, done.tally.unscored) == (15, 0)
    assert {verdict.trust for verdict in done.verdicts} == {Trust.SCRIPTED}


@pytest.mark.parametrize(
    ("script", "state"), [("refuses", "refused"), ("garbage", "malformed"), ("constant-11", "malformed")]
)
def test_a_scripted_judge_that_gives_no_verdict_leaves_none(path: Path, script: str, state: str) -> None:
    done = ask(questions(2), {f"scripted:{script}": make_scripted(script)}, path)
    assert {(v.state.value, v.score, v.violated) for v in done.verdicts} == {(state, None, None)}
