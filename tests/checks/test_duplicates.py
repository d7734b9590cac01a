"""Tasks that repeat one another, splits that share, and outcomes that are one-sided."""

from __future__ import annotations

from typing import Any

import pytest

from audit.checks import balance, duplicates, leakage
from audit.checks.shingles import grouped, jaccard, near_groups, shingles
from tests.checks import inn

LONG = "You are Mara Quill and have the guest number gu_101. You want to cancel your stay in room one, because {}."
CANCEL = inn.action("cancel_stay", stay_id="ST501")
READ = inn.action("get_stay", stay_id="ST501")


def told(id: str, reason: str, *actions: dict[str, Any], **fields: Any) -> dict[str, Any]:  # noqa: ANN401  # any JSON
    return inn.task(id, LONG.format(reason), *actions, **fields)


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (told("t2", "you are ill", CANCEL), [("task-repeated", "t2", "error")]),
        (told("t2", "YOU  are ill", CANCEL), [("task-repeated", "t2", "error")]),
        (told("t2", "you are ill", READ), [("same-script-other-gold", "t2", "error")]),
        (
            told("t2", "you are very ill", CANCEL),
            [("task-near-copy", "t2", "warning")],
        ),
        (told("t2", "you are very ill", READ), [("scripts-alike", None, "note")]),
        (told("t2", "you are ill", CANCEL, ticket="Other."), [("scripts-alike", None, "note")]),
        (
            told("t2", "you are ill", CANCEL, criteria={"nl_assertions": ["Be kind."]}),
            [("scripts-alike", None, "note")],
        ),
        (inn.task("t2", "Something else altogether.", CANCEL), [("same-gold-actions", None, "note")]),
        (inn.task("t2", "Something else altogether.", READ), []),
    ],
)
def test_what_a_second_task_repeats(second: dict[str, Any], expected: list[tuple[str, str | None, str]]) -> None:
    found = inn.inspect(duplicates.CHECK, told("t1", "you are ill", CANCEL), second)
    assert inn.brief(found) == expected


def test_groups_are_reported_once_and_not_pair_by_pair() -> None:
    state = [{"ticket": f"Number {n}."} for n in range(12)]
    found = inn.inspect(duplicates.CHECK, *(told(f"t{n}", "you are ill", CANCEL, **state[n]) for n in range(12)))
    assert inn.brief(found) == [("scripts-alike", None, "note")]
    assert "12 tasks have nearly the same script: t0, t1, t2, t3, t4, t5, t6, t7 and 4 more" in found[0].what


def test_tasks_without_gold_are_no_copies_by_gold() -> None:
    found = inn.inspect(duplicates.CHECK, told("t1", "you are ill"), told("t2", "you are very ill"))
    assert inn.brief(found) == [("scripts-alike", None, "note")]


def test_near_groups_are_those_that_a_comparison_of_all_pairs_finds() -> None:
    texts = [LONG.format(reason) for reason in ("a b c", "a b d", "x y", "the weather is too bad for any boat")]
    texts += ["Something else altogether, with other words.", "", "one two"]
    sets = [shingles(text) for text in texts]
    for least in (0.3, 0.5, 0.7, 0.9):
        expected = {
            (a, b)
            for b in range(len(texts))
            for a in range(b)
            if sets[a] and sets[b] and jaccard(sets[a], sets[b]) >= least
        }
        assert near_groups(texts, least=least) == grouped(len(texts), sorted(expected))
    assert jaccard(frozenset(), frozenset()) == 0.0
    assert shingles("Two words") == frozenset({"two words"})
    assert grouped(4, [(2, 1), (1, 0)]) == [[0, 1, 2]]


def split(**splits: list[str]) -> dict[str, Any]:
    return {"split_tasks": splits}


def test_splits_that_share_tasks_people_and_scripts() -> None:
    tasks = [
        told("a", "you are ill", CANCEL),
        told("b", "you are very ill", CANCEL),
        inn.task("c", "You are guest gu_102 and want a room."),
        inn.task("d", "Nobody is named in here at all."),
    ]
    found = inn.inspect(leakage.CHECK, *tasks, **split(train=["a", "c"], test=["b", "c", "d"]))
    assert [(one.rule, one.severity.value, one.origin.file) for one in found] == [
        ("split-overlap", "error", "split_tasks.json"),
        ("split-shares-people", "note", "split_tasks.json"),
        ("split-scripts-alike", "warning", "split_tasks.json"),
    ]
    assert "1 of 3 tasks of test have nearly a script of train: b" in found[2].what


def test_faults_of_the_splits_themselves() -> None:
    tasks = [inn.task("a", "You want a room."), inn.task("b", "You want a boat.")]
    found = inn.inspect(leakage.CHECK, *tasks, **split(small=["a", "a"], none=[]))
    assert [one.rule for one in found] == ["split-repeats-task", "split-empty", "task-in-no-split"]


def test_clean_splits_and_none_are_no_findings() -> None:
    tasks = [inn.task("a", "You are guest gu_101."), inn.task("b", "You are guest gu_102.")]
    assert inn.inspect(leakage.CHECK, *tasks, **split(train=["a"], test=["b"])) == []
    assert inn.inspect(leakage.CHECK, *tasks) == []


def outcomes(**counts: int) -> list[dict[str, Any]]:
    calls = {
        "change": [CANCEL],
        "hand": [inn.action("transfer_to_innkeeper", summary="x")],
        "read": [READ],
        "none": [],
    }
    return [inn.task(f"{name}{n}", "x", *calls[name]) for name, total in counts.items() for n in range(total)]


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({"change": 10, "hand": 5, "read": 5}, None),
        ({"change": 19, "hand": 1}, "no task expects 'no change'; nearly all expect 'change'"),
        ({"change": 15, "none": 5}, "no task expects 'hand-over'"),
        ({"read": 15, "hand": 5}, "no task expects 'change'"),
        ({"change": 19}, None),
    ],
)
def test_outcomes_that_are_one_sided(counts: dict[str, int], words: str | None) -> None:
    found = inn.inspect(balance.CHECK, *outcomes(**counts))
    assert [words in one.what for one in found if words] == ([True] if words else [])
    assert len(found) == (words is not None)


def test_tasks_without_a_list_of_actions_and_sets_without_tools_have_no_balance() -> None:
    assert inn.inspect(balance.CHECK, *outcomes(change=20), tools=None) == []
    nothing = [inn.task(f"t{n}", "x", criteria={"actions": None}) for n in range(20)]
    assert inn.inspect(balance.CHECK, *nothing) == []
