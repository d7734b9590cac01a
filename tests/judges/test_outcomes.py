"""Every way in which a call can end, through the real SDK and a real socket, to the verdict's state."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from audit.judges.asking import Asked, ask_all
from audit.judges.questions import Questions
from audit.providers.registry import ProviderOptions, make_provider
from audit.providers.retry import RetryPolicy
from audit.providers.spec import parse_judge
from audit.store import Store
from tests.judges.panels import QUICK, questions
from tests.servers import outcomes
from tests.servers.outcomes import Outcome
from tests.servers.vendors import VendorServer, well_behaved

GOOD = {"reasons": ["One.", "Two.", "Three."], "score": 7}
VIOLATIONS = {"requests": ["A refund."], "violations": [{"reason": "Not allowed.", "item": "P01"}]}


@dataclass(frozen=True)
class Ending:
    """What the server does, and what the verdict is then."""

    outcomes: tuple[Outcome, ...]
    state: str
    n_requests: int
    problem: str = ""
    criterion: str = "desc_alignment"
    is_repaired: bool = False
    timeout_s: float = 60.0


def once(outcome: Outcome, state: str, problem: str) -> Ending:
    return Ending((outcome,), state, 1, problem)


def tried_twice(outcome: Outcome, state: str) -> Ending:
    return Ending((outcome, outcome), state, 2)


def repaired_in_vain(outcome: Outcome, problem: str, *, state: str = "malformed", criterion: str = "") -> Ending:
    return Ending((outcome, outcome), state, 2, problem, criterion or "desc_alignment", is_repaired=True)


def scored(value: object) -> Outcome:
    return outcomes.say_json(GOOD | {"score": value})


UNKNOWN_ITEM = outcomes.say_json({"requests": [], "violations": [{"reason": "x", "item": "P99"}]})
ENDINGS = {
    "a plain reply": Ending((outcomes.say_json(GOOD),), "ok", 1),
    "fences around JSON": Ending((outcomes.say_fenced(GOOD),), "ok", 1),
    "prose around JSON": Ending((outcomes.say_in_prose(GOOD),), "ok", 1),
    "no usage": Ending((outcomes.say(json.dumps(GOOD), usage=False),), "ok", 1),
    "429 with Retry-After, then a reply": Ending((outcomes.rate_limited("3"), outcomes.say_json(GOOD)), "ok", 2),
    "500, then a reply": Ending((outcomes.server_error(), outcomes.say_json(GOOD)), "ok", 2),
    "a cut connection, then a reply": Ending((outcomes.cut_connection(), outcomes.say_json(GOOD)), "ok", 2),
    "bad JSON, then a reply": Ending((outcomes.say("{"), outcomes.say_json(GOOD)), "ok", 2, is_repaired=True),
    "a score of 11, then a reply": Ending((scored(11), outcomes.say_json(GOOD)), "ok", 2, is_repaired=True),
    "an empty reply, then a reply": Ending((outcomes.empty(), outcomes.say_json(GOOD)), "ok", 2, is_repaired=True),
    "violations": Ending((outcomes.say_json(VIOLATIONS),), "ok", 1, criterion="policy_violations"),
    "429 for good": tried_twice(outcomes.rate_limited("3"), "rate_limited"),
    "429 with a wait too long": once(outcomes.rate_limited("9999"), "rate_limited", "the rate limit is reached"),
    "500 for good": tried_twice(outcomes.server_error(), "server"),
    "503 for good": tried_twice(outcomes.overloaded(), "overloaded"),
    "no answer in time": replace(tried_twice(outcomes.hang(), "timeout"), timeout_s=0.3),
    "a cut connection": tried_twice(outcomes.cut_connection(), "connection"),
    "HTML with status 200": tried_twice(outcomes.html(), "bad_response"),
    "a body cut in the middle": tried_twice(outcomes.cut_json(), "bad_response"),
    "a body of other types": tried_twice(outcomes.wrong_types(), "bad_response"),
    "a used-up quota": once(outcomes.quota(), "quota", "the quota is used up"),
    "a wrong key": once(outcomes.bad_key(), "auth", "the key is not accepted"),
    "an unknown model": once(outcomes.no_model(), "not_found", "there is no such model"),
    "400": once(outcomes.bad_request(), "bad_request", "the request is refused"),
    "a prompt too long": once(outcomes.too_long(), "context_too_long", "too long for the model"),
    "a truncated reply": once(outcomes.truncated(), "truncated", "cut off at the limit"),
    "a whole object marked as truncated": once(outcomes.truncated(json.dumps(GOOD)), "truncated", "cut off"),
    "a refusal": once(outcomes.refuse(), "refused", "refused to answer"),
    "a filtered reply": once(outcomes.filtered(), "filtered", "content filter"),
    "an empty reply": repaired_in_vain(outcomes.empty(), "the reply is empty", state="empty"),
    "bad JSON": repaired_in_vain(outcomes.say('{"reasons": ["x"], "score": seven}'), "the JSON breaks"),
    "cut JSON that says it is complete": repaired_in_vain(outcomes.say('{"reasons": ["x"], "score": 1'), "cut off"),
    "prose": repaired_in_vain(outcomes.say("Looks fine, 8/10."), "holds no JSON object"),
    "two objects": repaired_in_vain(outcomes.say(f"{json.dumps(GOOD)}\n{json.dumps(GOOD)}"), "holds 2 JSON objects"),
    "a score of 11": repaired_in_vain(scored(11), "11, not in 1 to 10"),
    "a score of 0": repaired_in_vain(scored(0), "0, not in 1 to 10"),
    "a score as text": repaired_in_vain(scored("7"), "not a number"),
    "no reasons": repaired_in_vain(outcomes.say_json({"reasons": [], "score": 7}), "is empty"),
    "an unknown item": repaired_in_vain(UNKNOWN_ITEM, '"P99" is no item', criterion="policy_violations"),
}


def ask(server: VendorServer, asked: Questions, path: Path, *, timeout_s: float = 60.0) -> tuple[Asked, list[float]]:
    """Return what a judge at ``server`` says, and the waits between the tries, which are not waited for."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def run() -> Asked:
        spec = parse_judge(server.judge())
        provider = make_provider(spec, ProviderOptions(timeout_s=timeout_s), environ={})
        options = replace(
            QUICK, concurrency=2, retry=RetryPolicy(max_attempts=2), hooks=replace(QUICK.hooks, sleep=sleep)
        )
        try:
            with Store(path) as store:
                return await ask_all(asked, {spec.name: provider}, store=store, options=options)
        finally:
            await provider.aclose()

    return asyncio.run(run()), waits


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS.keys())
def test_every_end_of_a_call_is_a_state(server: VendorServer, tmp_path: Path, ending: Ending) -> None:
    server.script(ending.outcomes)
    asked, _ = ask(server, questions(1, criteria=(ending.criterion,)), tmp_path / "s", timeout_s=ending.timeout_s)
    (verdict,) = asked.verdicts
    assert verdict.state.value == ending.state
    assert ending.problem in verdict.problem
    assert bool(verdict.problem) == (ending.state != "ok")
    assert verdict.is_repaired == ending.is_repaired
    assert len(server.requests) == ending.n_requests
    has_value = verdict.score is not None or verdict.violated is not None
    assert has_value == (ending.state == "ok"), "no verdict is not a verdict"
    assert asked.tally.planned == asked.tally.scored + asked.tally.unscored == 1
    assert asked.tally.scored == has_value


def test_a_wait_that_the_server_asks_for_is_kept(server: VendorServer, tmp_path: Path) -> None:
    server.script([outcomes.rate_limited("3"), outcomes.say_json(GOOD)])
    asked, waits = ask(server, questions(1), tmp_path / "s")
    assert asked.tally.scored == 1
    assert waits
    assert waits[0] >= 3


def test_the_judge_is_sent_the_prompt_and_its_schema(server: VendorServer, tmp_path: Path) -> None:
    asked, _ = ask(server, questions(1, criteria=("policy_violations",)), tmp_path / "s")
    (request,) = server.requests
    assert request.system.startswith("You audit benchmarks")
    assert "⟦P01⟧" in request.system
    assert request.user.startswith("⟦BEGIN description ")
    assert request.schema is not None
    assert request.schema["properties"]["violations"]["items"]["properties"]["item"]["enum"] == ["P01"]
    assert asked.verdicts[0].usage.cached_tokens == 600


def test_a_repair_request_shows_the_bad_reply_and_the_complaint(server: VendorServer, tmp_path: Path) -> None:
    server.script([scored(11), outcomes.say_json(GOOD)])
    ask(server, questions(1), tmp_path / "s")
    roles = [role for role, _ in server.requests[1].turns]
    assert roles == ["user", "assistant", "user"]
    assert '"score": 11' in server.requests[1].turns[1][1]
    assert server.requests[1].turns[2][1].endswith('"score" is 11, not in 1 to 10.')


def test_a_mixed_run_adds_up(server: VendorServer, tmp_path: Path) -> None:
    """Whatever each task's calls end with, what was planned is what is scored and what is not."""
    behaviors: list[Callable[[], Outcome]] = [
        lambda: outcomes.say_json(GOOD),
        outcomes.server_error,
        outcomes.truncated,
        outcomes.refuse,
        outcomes.html,
        outcomes.bad_request,
        outcomes.empty,
        lambda: scored(0),
    ]
    server.behave(lambda request: behaviors[int(request.user.partition("You want ")[2][0])]())
    asked, _ = ask(server, questions(8), tmp_path / "s")
    states = ["ok", "server", "truncated", "refused", "bad_response", "bad_request", "empty", "malformed"]
    assert [verdict.state.value for verdict in asked.verdicts] == states
    assert (asked.tally.planned, asked.tally.scored, asked.tally.unscored) == (8, 1, 7)
    server.always(well_behaved(7))
    again, _ = ask(server, questions(8), tmp_path / "s")
    assert (again.tally.stored, again.tally.asked, again.tally.scored) == (1, 7, 8)


def test_a_server_that_says_that_nothing_is_left_is_left_alone(server: VendorServer, tmp_path: Path) -> None:
    headers = {"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "7s"}
    spent = outcomes.say_json(GOOD)
    server.script([lambda request: replace(spent(request), headers=headers)])
    asked, waits = ask(server, questions(4), tmp_path / "s")
    assert asked.tally.scored == 4
    assert any(6 < wait <= 7 for wait in waits)
