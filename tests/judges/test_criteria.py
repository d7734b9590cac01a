from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from audit.judges.protocol import Judge
from audit.judges.registry import JUDGES
from audit.prompts.templates import STYLES
from audit.records.policy import Policy
from audit.records.prompt import Prompt
from audit.records.task import DEFAULT_BEHAVIOR, Origin, PartKind, Row, Task
from tests import builders

ROW = Row("bookings", "B1", {"id": "B1", "fare": "saver"}, Origin("db.json", "bookings.B1"))
EVERY = list(JUDGES.values())


def render(judge: Judge, task: Task, policy: Policy | None = None, *, style: str = "tau") -> Prompt:
    return judge.prompt(task, policy or builders.policy(), style=style, behavior=DEFAULT_BEHAVIOR)


def a_task(id: str = "t1", **fields: str) -> Task:
    return builders.task(id, rows=[ROW], **fields)  # type: ignore[arg-type]  # texts alone


def test_the_three_criteria_are_known_by_name() -> None:
    assert list(JUDGES) == ["desc_alignment", "policy_alignment", "policy_violations"]


@pytest.mark.parametrize(
    ("criterion", "sees"),
    [
        ("desc_alignment", {"description", "behavior"}),
        ("policy_alignment", {"description", "behavior", "policy"}),
        ("policy_violations", {"description", "rows", "marked policy"}),
    ],
)
def test_each_judge_sees_what_its_question_needs_and_no_more(criterion: str, sees: set[str]) -> None:
    task = a_task(description="DESCRIPTION", behavior="BEHAVIOR")
    prompt = render(JUDGES[criterion], task, builders.policy("POLICY TEXT"))
    text = prompt.prefix + prompt.suffix
    shown = {
        "description": "| DESCRIPTION\n" in prompt.suffix,
        "behavior": "| BEHAVIOR\n" in prompt.suffix,
        "rows": '"fare":"saver"' in prompt.suffix,
        "policy": "| POLICY TEXT\n" in prompt.prefix,
        "marked policy": "| ⟦P01⟧POLICY TEXT⟦/P01⟧\n" in prompt.prefix,
    }
    assert {name for name, is_shown in shown.items() if is_shown} == sees
    assert ("POLICY TEXT" in text) == ("policy" in sees or "marked policy" in sees)


@pytest.mark.parametrize("judge", EVERY)
@pytest.mark.parametrize("style", STYLES)
def test_the_prefix_is_the_same_for_every_task_of_a_policy(judge: Judge, style: str) -> None:
    one, other = (render(judge, a_task(id, description=id), style=style) for id in ("t1", "t2"))
    assert one.prefix == other.prefix
    assert one.suffix != other.suffix
    assert one.template_hash == other.template_hash


@pytest.mark.parametrize("judge", EVERY)
def test_the_task_stands_last_but_for_the_reminder(judge: Judge) -> None:
    prompt = render(judge, a_task())
    assert prompt.prefix.startswith("You audit benchmarks")
    assert prompt.suffix.startswith("⟦BEGIN description ")
    assert prompt.suffix.endswith("nothing after it.\n")


@pytest.mark.parametrize("judge", EVERY)
def test_what_is_shown_to_a_user_is_what_the_judge_sees(judge: Judge) -> None:
    task, policy = a_task(), builders.policy()
    segments = judge.segments(task, policy, style="workflow", behavior=DEFAULT_BEHAVIOR)
    prompt = render(judge, task, policy, style="workflow")
    assert "".join(segment.text for segment in segments) == prompt.prefix + prompt.suffix
    assert segments[0].origin == f"audit/prompts/{judge.criterion}.workflow.md version 1"
    assert "tasks.json task t1 field" in {segment.origin for segment in segments}


@pytest.mark.parametrize("judge", EVERY)
def test_the_styles_ask_differently(judge: Judge) -> None:
    hashes = {render(judge, a_task(), style=style).template_hash for style in STYLES}
    assert len(hashes) == len(STYLES)


@pytest.mark.parametrize("judge", EVERY)
def test_a_diagnosis_is_judged_with_the_initial_state_at_hand(judge: Judge) -> None:
    prompt = render(judge, a_task(), style="plan")
    assert '"fare":"saver"' in prompt.suffix
    assert ("⟦BEGIN expected behavior" in prompt.suffix) == (judge.criterion != "policy_violations")


def test_the_violations_schema_names_the_items_of_the_policy_at_hand() -> None:
    judge = JUDGES["policy_violations"]
    two, three = (render(judge, a_task(), builders.policy("a\nb\nc", n_items=n)) for n in (2, 3))
    assert "'enum': ['P01', 'P02']" in str(two.schema)
    assert "'enum': ['P01', 'P02', 'P03']" in str(three.schema)
    assert two.template_hash == three.template_hash


@pytest.mark.parametrize(
    ("criterion", "task", "policy", "reason"),
    [
        ("policy_violations", a_task(), builders.policy(n_items=0), "the policy has no items"),
        (
            "policy_violations",
            a_task(),
            replace(builders.policy(n_items=0), no_items_reason="nobody has made them"),
            "nobody has made them",
        ),
        ("policy_violations", a_task(description=" "), builders.policy(), "the task has no description"),
        ("policy_violations", a_task(behavior=""), builders.policy(), ""),
        ("desc_alignment", a_task(), builders.policy("", n_items=0), ""),
        ("desc_alignment", a_task(description="\n"), builders.policy(), "the task has no description"),
        ("desc_alignment", a_task(behavior=""), builders.policy(), "the task has no expected behavior"),
        ("policy_alignment", a_task(), builders.policy("", n_items=0), "there is no policy document"),
        ("policy_alignment", a_task(), builders.policy(n_items=0), ""),
    ],
)
def test_a_question_that_can_not_be_put_says_why(criterion: str, task: Task, policy: Policy, reason: str) -> None:
    found = JUDGES[criterion].undefined_reason(task, policy, behavior=DEFAULT_BEHAVIOR)
    assert found.startswith(reason)
    assert bool(found) == bool(reason)


def test_a_behavior_without_the_selected_parts_can_not_be_judged() -> None:
    judge = JUDGES["desc_alignment"]
    reason = judge.undefined_reason(a_task(), builders.policy(), behavior=frozenset({PartKind.COMMUNICATE}))
    assert reason == "the task has no expected behavior of the selected kinds"


@pytest.mark.parametrize("domain", ["airline", "retail", "mock"])
def test_every_real_task_is_rendered_within_bounds(real_data: Path, domain: str) -> None:
    from audit.loaders.registry import load_benchmark  # noqa: PLC0415  # only with real data
    from audit.sources.resolve import resolve_source  # noqa: PLC0415

    benchmark = load_benchmark(resolve_source(f"tau3/{domain}", data_dir=real_data))
    for judge in EVERY:
        asked = [task for task in benchmark.tasks if not reason_of(judge, task, benchmark.policy)]
        prompts = [render(judge, task, benchmark.policy) for task in asked]
        assert len({prompt.prefix for prompt in prompts}) == bool(asked)
        assert all(len(prompt.prefix) + len(prompt.suffix) < 60_000 for prompt in prompts)


def reason_of(judge: Judge, task: Task, policy: Policy) -> str:
    return judge.undefined_reason(task, policy, behavior=DEFAULT_BEHAVIOR)
