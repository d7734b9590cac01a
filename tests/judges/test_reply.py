from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.errors import UnreadableReplyError
from audit.judges.desc_alignment import DESC_ALIGNMENT
from audit.judges.policy_violations import POLICY_VIOLATIONS
from audit.judges.protocol import Judgement
from audit.judges.reply import MAX_REASON_CHARACTERS, MAX_REASONS
from tests import builders

WHERE = "task t1, desc_alignment, trial 1"
GOOD = {"reasons": ["The goal is met.", "No fact is invented."], "score": 7}
POLICY = builders.policy("No pets.\nNo smoking.\nNo refunds.", n_items=3)


def read_score(text: str) -> Judgement:
    return DESC_ALIGNMENT.read(text, POLICY, where=WHERE)


def read_violations(value: object) -> Judgement:
    return POLICY_VIOLATIONS.read(json.dumps(value), POLICY, where=WHERE)


def score_reply(score: object) -> str:
    return json.dumps({"reasons": ["A reason."], "score": score})


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(GOOD),
        json.dumps(GOOD, indent=2),
        f"\n\n  {json.dumps(GOOD)}  \n",
        f"```json\n{json.dumps(GOOD)}\n```",
        f"```\n{json.dumps(GOOD)}\n```\n",
        f"Here is my verdict.\n\n{json.dumps(GOOD)}\n\nTell me if you need more.",
        f"The set {{a, b}} is fine: {json.dumps(GOOD)} (see {{that}})",
        f'<think>Maybe {{"score": 3}}? No.</think>\n{json.dumps(GOOD)}',
        json.dumps(GOOD | {"confidence": 0.9}),
        json.dumps({"score": 7, "reasons": GOOD["reasons"]}),
        json.dumps(GOOD | {"score": 7.0}),
    ],
)
def test_one_json_object_is_read_whatever_surrounds_it(text: str) -> None:
    judgement = read_score(text)
    assert judgement.score == 7
    assert judgement.reasons == ("The goal is met.", "No fact is invented.")
    assert judgement.violated is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the reply is empty"),
        (" \n", "the reply is empty"),
        ("I would rather not say.", "holds no JSON object"),
        ("7", "holds no JSON object"),
        ("{reasons: ['x'], score: 7}", "holds no JSON object"),
        ('{"reasons": ["x"], "score": 1', "breaks at character 30.*cut off"),
        ('{"reasons": ["x"], "score": seven}', "breaks at character 29"),
        ('{"reasons": ["a", "b', "breaks at character"),
        (f"{json.dumps(GOOD)} or rather {json.dumps(GOOD | {'score': 3})}", "holds 2 JSON objects"),
        (f"{json.dumps(GOOD)} {json.dumps(GOOD)}", "holds 2 JSON objects"),
        ('{"reasons": ["x"], "score": 3, "score": 9}', 'key "score" stands twice'),
        ('{"reasons": ["x"], "score": NaN}', "NaN is not a number"),
        ('{"reasons": ["x"], "score": Infinity}', "Infinity is not a number"),
        ('{"reasons": ["x"], "score": 1e999}', "not a whole number"),
        (f'{{"reasons": ["x"], "score": {"9" * 5000}}}', "a number or the nesting is too large"),
        (f'{{"reasons": ["x"], "score": {"9" * 400}}}', "not in 1 to 10"),
        (f'{{"reasons": ["x"], "score": -{"9" * 400}}}', "not in 1 to 10"),
        (f'{{{", ".join(f""" "k{n}": 1 """ for n in range(20_000))}, "k19": 2}}', 'key "k19" stands twice'),
        (f'{{"reasons": {"[" * 100_000}', "a number or the nesting is too large"),
        (json.dumps({"reasons": ["x"]}), 'key "score" is missing'),
        (json.dumps({"score": 7}), 'key "reasons" is missing'),
        (json.dumps({"reasons": [], "score": 7}), '"reasons" is empty'),
        (json.dumps({"reasons": "good", "score": 7}), '"reasons" is "good", not a list'),
        (json.dumps({"reasons": ["x", " "], "score": 7}), "not a sentence"),
        (json.dumps({"reasons": [3], "score": 7}), "holds 3, not a sentence"),
        (json.dumps({"reasons": None, "score": 7}), "is null, not a list"),
    ],
)
def test_what_is_not_plainly_a_verdict_is_unreadable_and_says_why(text: str, problem: str) -> None:
    with pytest.raises(UnreadableReplyError, match=f"^{WHERE}: .*{problem}"):
        read_score(text)


@pytest.mark.parametrize(
    ("score", "problem"),
    [
        (0, "not in 1 to 10"),
        (11, "not in 1 to 10"),
        (-3, "not in 1 to 10"),
        (7.5, "not a whole number"),
        ("7", 'is "7", not a number'),
        ("7/10", "not a number"),
        (True, "is true, not a number"),
        (None, "is null, not a number"),
        ([7], "not a number"),
    ],
)
def test_a_score_that_is_not_on_the_scale_is_refused(score: object, problem: str) -> None:
    with pytest.raises(UnreadableReplyError, match=problem):
        read_score(score_reply(score))


@pytest.mark.parametrize("score", range(1, 11))
def test_every_score_on_the_scale_is_read(score: int) -> None:
    assert read_score(score_reply(score)).score == score


@given(st.integers(1, 9))
def test_no_reply_that_was_cut_is_read(n_characters: int) -> None:
    text = json.dumps({"reasons": ["a {reason}"], "score": 10})
    with pytest.raises(UnreadableReplyError):
        read_score(text[:-n_characters])


def test_reasons_without_end_are_cut() -> None:
    judgement = read_score(json.dumps({"reasons": ["x" * 5000] * 50, "score": 7}))
    assert len(judgement.reasons) == MAX_REASONS
    assert {len(reason) for reason in judgement.reasons} == {MAX_REASON_CHARACTERS}
    assert judgement.reasons[0].endswith("…")


def test_half_characters_in_a_reason_can_be_stored() -> None:
    (reason,) = read_score('{"reasons": ["a\\ud800b"], "score": 7}').reasons
    assert reason.encode() == b"a\\ud800b"


def test_violated_items_come_in_the_order_of_the_policy_with_their_reasons() -> None:
    judgement = read_violations(
        {
            "requests": ["A refund.", "A cigarette."],
            "violations": [
                {"reason": "Wants money back.", "item": "P03"},
                {"reason": "Wants to smoke.", "item": "P02"},
            ],
        }
    )
    assert judgement.violated == ("P02", "P03")
    assert judgement.score is None
    assert judgement.reasons == (
        "P03: Wants money back.",
        "P02: Wants to smoke.",
        "Considered: A refund.",
        "Considered: A cigarette.",
    )


def test_no_violation_is_a_verdict_too() -> None:
    assert read_violations({"requests": [], "violations": []}) == Judgement(None, (), ())


def test_an_item_that_is_named_twice_counts_once_and_keeps_both_reasons() -> None:
    twice = [{"reason": "Once.", "item": "P01"}, {"reason": "Again.", "item": "P01"}]
    judgement = read_violations({"requests": [], "violations": twice})
    assert judgement.violated == ("P01",)
    assert judgement.reasons == ("P01: Once.", "P01: Again.")


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"requests": [], "violations": [{"reason": "x", "item": "P77"}]}, '"P77" is no item of the policy'),
        ({"requests": [], "violations": [{"reason": "x", "item": "p01"}]}, '"p01" is no item of the policy'),
        ({"requests": [], "violations": [{"reason": "x", "item": 1}]}, "1 is no item of the policy"),
        ({"requests": [], "violations": [{"reason": "", "item": "P01"}]}, "not a sentence"),
        ({"requests": [], "violations": [{"item": "P01"}]}, 'key "reason" is missing'),
        ({"requests": [], "violations": [{"reason": "x"}]}, 'key "item" is missing'),
        ({"requests": [], "violations": ["P01"]}, 'holds "P01", not an object'),
        ({"requests": [], "violations": {}}, "not a list"),
        ({"requests": []}, 'key "violations" is missing'),
        ({"violations": []}, 'key "requests" is missing'),
        ({"reasons": ["x"], "score": 3}, 'key "requests" is missing'),
    ],
)
def test_violations_that_are_not_exactly_items_are_refused(value: object, problem: str) -> None:
    with pytest.raises(UnreadableReplyError, match=problem):
        read_violations(value)


def test_a_long_wrong_value_is_quoted_in_short() -> None:
    with pytest.raises(UnreadableReplyError, match="…") as caught:
        read_violations({"requests": [], "violations": [{"reason": "x", "item": "P" * 5000}]})
    assert len(caught.value.what) < 120
