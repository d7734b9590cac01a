"""What each kind plants is there, on benchmarks of our own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.inspection import Places, load
from audit.perturbations.language import say_yes
from audit.perturbations.registry import perturb
from audit.records.perturbation import Perturbed
from audit.records.task import Benchmark, Part, PartKind, Task, ToolKind
from tests import builders
from tests.loaders import boats, ferries
from tests.perturbations import worlds
from tests.plans import kiosk


@pytest.fixture(scope="module")
def sample() -> Benchmark:
    return load(worlds.SAMPLE, Places())


def pairs(original: Benchmark, found: Perturbed) -> list[tuple[Task, Task]]:
    chosen = set(found.changed_ids)
    return [(old, new) for old, new in zip(original.tasks, found.benchmark.tasks, strict=True) if old.id in chosen]


def texts(parts: tuple[Part, ...], *kinds: PartKind) -> list[str]:
    return [part.text for part in parts if not kinds or part.kind in kinds]


def added(old: Task, new: Task) -> str:
    """The one statement that the new task has and the old one has not."""
    before = texts(old.behavior)
    (text,) = [text for text in texts(new.behavior) if text not in before]
    return text


def writes(task: Task) -> list[str]:
    return [action.name for action in task.actions or () if action.kind is ToolKind.WRITE]


def one(folder: Path, **fields: Any) -> Benchmark:  # noqa: ANN401  # any JSON
    return load(str(boats.write_domain(folder, [boats.task("1", **fields)])), Places())


def test_a_dropped_step_is_gone_with_what_was_said_of_it(sample: Benchmark) -> None:
    for old, new in pairs(sample, perturb(sample, "drop-step")):
        assert new.description == old.description
        assert len(new.behavior) < len(old.behavior) or len(new.actions or ()) < len(old.actions or ())
        if writes(old):
            assert len(writes(new)) == len(writes(old)) - 1
    ids = {old.id: new for old, new in pairs(sample, perturb(sample, "drop-step"))}
    assert texts(ids["lib_26"].behavior, PartKind.ASSERTION) == []


def test_the_unlocking_of_a_tool_is_no_step(tmp_path: Path) -> None:
    criteria = {
        "actions": [
            boats.action("cancel_hire", arguments={"hire": "H77"}),
            boats.action("cancel_hire", arguments={"hire": "H77", "reason": "storm"}),
        ]
    }
    found = perturb(one(tmp_path / "in", criteria=criteria), "drop-step")
    assert [action.arguments for action in found.benchmark.tasks[0].actions or ()] == [{"hire": "H77"}]


def test_of_statements_one_that_only_looks_is_dropped_last(tmp_path: Path) -> None:
    criteria = {"actions": [], "nl_assertions": ["The agent checks the tide.", "The agent offers a boat."]}
    found = perturb(one(tmp_path / "in", criteria=criteria), "drop-step")
    assert texts(found.benchmark.tasks[0].behavior, PartKind.ASSERTION) == ["The agent checks the tide."]


def test_a_step_of_prose_is_dropped_but_not_a_case_that_need_not_come_up(tmp_path: Path) -> None:
    event = ferries.fields()
    event["description"]["expected_behaviour"] = (
        "The agent asks for the ticket number. If the passenger insists, the agent hands over."
    )
    original = load(str(ferries.write_json_run(tmp_path / "in", event)), Places())
    (task,) = perturb(original, "drop-step").benchmark.tasks
    assert task.behavior_text == "If the passenger insists, the agent hands over."


def test_a_behavior_of_one_step_is_left_alone(tmp_path: Path) -> None:
    original = one(tmp_path / "in", criteria={"actions": [], "nl_assertions": ["The agent refuses."]})
    found = perturb(original, "drop-step")
    assert found.untouched[0].reason.startswith("its expected behavior has no step")


def test_an_invented_fact_is_in_no_text_row_or_table(sample: Benchmark) -> None:
    found = perturb(sample, "invent-fact")
    seen = set()
    for old, new in pairs(sample, found):
        text = added(old, new)
        seen.add(" ".join(text.split()[:4]))
        for word in text.rstrip(".").replace(",", "").split():
            if any(sign.isdigit() for sign in word) and "dollars" not in text:
                assert word not in old.description_text
                assert word not in str([row.value for row in old.rows])
    assert len(seen) >= 5


def test_facts_about_plans_are_invented_for_plans(tmp_path: Path) -> None:
    original = worlds.make("kiosk", tmp_path)
    for old, new in pairs(original, perturb(original, "invent-fact")):
        assert "The plan" in new.behavior_text.removeprefix(old.behavior_text[:5])


def test_a_wrong_entity_is_another_row_of_the_same_table(sample: Benchmark) -> None:
    found = perturb(sample, "wrong-entity")
    for change in found.changes:
        assert change.partner is not None
        table, key = change.partner.split()
        assert key in sample.database[table]
        assert key in str(change.after)
        assert key not in str(change.before)
    for old, new in pairs(sample, found):
        (partner,) = {change.partner for change in found.changes if change.task_id == old.id}
        key = str(partner).split()[1]
        assert key not in {row.key for row in old.rows}
        lost = [k for k in sample.database[str(partner).split()[0]] if k in old.behavior_text]
        assert any(k not in new.behavior_text for k in lost)
        assert new.description == old.description


def test_a_key_made_of_a_person_s_name_can_be_told_to_be_wrong(tmp_path: Path) -> None:
    members = {key: {"email": f"{key}@x", "name": key} for key in ("ann_lee_07", "bob_ray_11", "c_d_12")}
    criteria = {"actions": [boats.action("cancel_hire", arguments={"member": "ann_lee_07"})]}
    told = boats.script(known_info="You are Ann Lee.")
    folder = boats.write_domain(
        tmp_path / "in", [boats.task("1", told=told, criteria=criteria)], db={"members": members}
    )
    found = perturb(load(str(folder), Places()), "wrong-entity")
    (action,) = found.benchmark.tasks[0].actions or ()
    assert action.arguments["member"] in {"bob_ray_11", "c_d_12"}


def test_what_was_performed_is_refused_and_the_other_way_round(sample: Benchmark) -> None:
    found = perturb(sample, "flip-outcome")
    kinds = set()
    for old, new in pairs(sample, found):
        if writes(old):
            assert writes(new) == []
            assert any("declines the request and changes nothing" in text for text in texts(new.behavior))
            kinds.add("refused")
        else:
            flipped = [text for text in texts(old.behavior, PartKind.ASSERTION) if say_yes(text)]
            assert flipped
            assert not set(flipped) & set(texts(new.behavior))
            kinds.add("performed" if writes(new) else "allowed")
    assert kinds == {"refused", "performed", "allowed"}


def test_a_borrowed_call_names_rows_of_the_task_alone(sample: Benchmark) -> None:
    for old, new in pairs(sample, perturb(sample, "flip-outcome")):
        if not writes(old):
            for action in (new.actions or ())[len(old.actions or ()) :]:
                named = {str(value) for value in action.arguments.values()}
                keys = {row.key for row in old.rows}
                assert named & keys
                assert all(value in keys for value in named if any(value in rows for rows in sample.database.values()))


def test_prose_without_a_refusal_has_its_last_act_denied(tmp_path: Path) -> None:
    event = ferries.fields()
    event["description"]["expected_behaviour"] = (
        "The agent asks for the number. The agent moves the ticket. If it can't, the agent hands over."
    )
    original = load(str(ferries.write_json_run(tmp_path / "in", event)), Places())
    (task,) = perturb(original, "flip-outcome").benchmark.tasks
    assert task.behavior_text == (
        "The agent asks for the number. The agent does not move the ticket. If it can't, the agent hands over."
    )


def test_what_neither_refuses_nor_performs_is_left_alone(tmp_path: Path) -> None:
    original = one(tmp_path / "in", criteria={"actions": [], "communicate_info": ["10"]})
    assert "neither refuses nor performs" in perturb(original, "flip-outcome").untouched[0].reason


def test_a_dropped_goal_is_no_longer_asked_for(sample: Benchmark) -> None:
    for old, new in pairs(sample, perturb(sample, "drop-goal")):
        assert len(new.description_text) < len(old.description_text)
        assert texts(new.behavior) == texts(old.behavior)
        words = set(old.description_text.split())
        assert set(new.description_text.split()) <= words
    found = {old.id: new for old, new in pairs(sample, perturb(sample, "drop-goal"))}
    assert "hold" not in found["lib_02"].description_text


def test_of_several_goals_one_stays(tmp_path: Path) -> None:
    told = boats.script(
        reason_for_call="You want hire H77 cancelled. You also want to pay hire H88. Thank the agent.",
        known_info="You are Ann.",
    )
    criteria = {
        "actions": [
            boats.action("cancel_hire", arguments={"hire": "H77"}),
            boats.action("pay_hire", arguments={"hire": "H88"}),
        ]
    }
    tools = {"tools": [{"name": name, "kind": "write"} for name in ("cancel_hire", "pay_hire")]}
    folder = boats.write_domain(tmp_path / "in", [boats.task("1", told=told, criteria=criteria)], tools=tools)
    (task,) = perturb(load(str(folder), Places()), "drop-goal").benchmark.tasks
    assert ("cancelled" in task.description_text) is not ("pay" in task.description_text)
    assert "Thank the agent." in task.description_text


def test_a_description_that_asks_for_nothing_is_left_alone(tmp_path: Path) -> None:
    original = one(tmp_path / "in", told="You are Ann.")
    assert perturb(original, "drop-goal").untouched[0].reason.startswith("no sentence of its description")


def test_a_forbidden_act_is_the_opposite_of_a_prohibition(sample: Benchmark) -> None:
    items = {item.id: sample.policy.quote(item) for item in sample.policy.items}
    found = perturb(sample, "break-policy")
    for old, new in pairs(sample, found):
        (change,) = [change for change in found.changes if change.task_id == old.id]
        assert change.partner in items
        assert added(old, new).startswith("The agent goes by this and acts on it: ")
    assert len({change.partner for change in found.changes}) > 3


def test_a_policy_without_items_has_its_prohibitions_found_by_their_words(tmp_path: Path) -> None:
    original = worlds.make("boats", tmp_path)
    assert original.policy.items == ()
    for old, new in pairs(original, perturb(original, "break-policy")):
        assert (
            added(old, new) == "The agent goes by this and acts on it: Hires can be moved."[:39] + "Hires can be moved."
        )


def test_a_policy_that_forbids_nothing_can_not_be_broken(sample: Benchmark) -> None:
    mild = replace(sample, policy=builders.policy("Ask for the number of the member first.", n_items=0))
    assert {each.reason for each in perturb(mild, "break-policy").untouched} == {
        "its policy has no sentence that forbids something and can be turned around"
    }


def test_a_diagnosis_has_no_act_to_forbid(tmp_path: Path) -> None:
    original = worlds.make("kiosk", tmp_path)
    assert len(perturb(original, "break-policy").untouched) == len(original.tasks)


def test_a_contradicting_value_is_another_row_s(sample: Benchmark) -> None:
    found = perturb(sample, "contradict-row")
    for old, new in pairs(sample, found):
        (change,) = [change for change in found.changes if change.task_id == old.id]
        table, key = str(change.partner).split()
        wrong = added(old, new).rpartition(" is ")[2].rstrip(".")
        assert wrong in str(sample.database[table][key])
        assert wrong.lower() not in old.description_text.lower()


def test_a_plan_is_said_to_call_another_tool_than_it_does(tmp_path: Path) -> None:
    original = worlds.make("kiosk", tmp_path)
    for _, new in pairs(original, perturb(original, "contradict-row")):
        sentence = next(text for text in texts(new.behavior) if "of the plan calls" in text).rpartition("Node ")[2]
        node, _, tool = sentence.rstrip(".").partition(" of the plan calls ")
        row = next(row for row in new.rows if row.key == node)
        assert isinstance(row.value, dict)
        assert row.value["name"] != tool


def test_a_reason_names_another_tool(tmp_path: Path) -> None:
    original = worlds.make("kiosk", tmp_path)
    for _, new in pairs(original, perturb(original, "wrong-entity")):
        assert "cut_stems" not in new.behavior_text


def test_a_plan_without_tools_to_confuse_is_left_alone(tmp_path: Path) -> None:
    path = kiosk.write(
        tmp_path / "k.jsonl", kiosk.record(id=1, tools=[kiosk.TOOLS[0]], error_reason="It is late."),
        kiosk.record(kiosk.ROOT, id=2, error_reason="It is late."),
    )  # fmt: skip
    original = load(str(path), Places())
    assert len(perturb(original, "wrong-entity").untouched) == 2
    assert perturb(original, "contradict-row").untouched[0].task_id == "2"
