"""What changes the form alone changes nothing else, on benchmarks of our own."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from audit.inspection import Places, load
from audit.perturbations.registry import perturb
from audit.perturbations.rename_entities import choose_names, rename
from audit.perturbations.writing import seen_of
from audit.pipeline import check_benchmark
from audit.records.task import Benchmark, Json, PartKind, Task, ToolKind
from tests.loaders import boats, ferries
from tests.perturbations import worlds


@pytest.fixture(scope="module")
def sample() -> Benchmark:
    return load(worlds.SAMPLE, Places())


def squeezed(text: str) -> str:
    return " ".join(text.split())


def in_any_order(value: Any) -> Any:  # noqa: ANN401  # any JSON
    """A value whose fields and lists have lost their order."""
    if isinstance(value, dict):
        return sorted((name.lower(), json.dumps(in_any_order(part))) for name, part in value.items())
    if isinstance(value, list):
        return sorted(json.dumps(in_any_order(part)) for part in value)
    return squeezed(value) if isinstance(value, str) else value


def nested(value: Json) -> Json:
    return json.loads(value) if isinstance(value, str) and value.startswith(("[", "{")) else value


@pytest.mark.parametrize("name", worlds.FORMATS)
def test_another_format_holds_the_same_words_values_and_lists(tmp_path: Path, name: str) -> None:
    original = worlds.make(name, tmp_path)
    for seed in range(4):
        found = perturb(original, "paraphrase-format", seed=seed)
        prose = {change.task_id for change in found.changes if change.how == "calls in prose"}
        for old, new in zip(original.tasks, found.benchmark.tasks, strict=True):
            if old.id not in prose:
                before, after = ({key: nested(part) for key, part in task.raw.items()} for task in (old, new))
                assert in_any_order(before) == in_any_order(after)


def test_every_shape_is_drawn(tmp_path: Path, sample: Benchmark) -> None:
    of_sample = {change.how for change in perturb(sample, "paraphrase-format").changes}
    assert of_sample == {
        "a line a sentence", "two blanks between sentences", "calls in prose", "arguments from last to first",
    }  # fmt: skip
    boat = worlds.make("ferries", tmp_path)
    hows = {change.how for seed in range(6) for change in perturb(boat, "paraphrase-format", seed=seed).changes}
    assert {"columns from last to first", "names of columns in capitals"} <= hows


def test_calls_in_prose_name_every_tool_and_value_and_how_binding_they_are(sample: Benchmark) -> None:
    found = perturb(sample, "paraphrase-format")
    chosen = {change.task_id for change in found.changes if change.how == "calls in prose"}
    by_id = {task.id: task for task in found.benchmark.tasks}
    for old in sample.tasks:
        if old.id in chosen:
            new = by_id[old.id]
            assert new.actions is None
            for action in old.actions or ():
                (line,) = [
                    text for text in new.behavior_text.split("\n") if all_in(action.name, action.arguments, text)
                ]
                assert ("must use" in line) is (action.kind.value != "read")
            wanted = any(part.kind is PartKind.NO_WRITE for part in old.behavior)
            assert ("The agent changes no record." in new.behavior_text) is wanted


def all_in(name: str, arguments: Any, text: str) -> bool:  # noqa: ANN401  # any JSON
    values = [
        str(value) for value in arguments.values() if isinstance(value, str | int) and not isinstance(value, bool)
    ]
    return f"use {name}" in text and all(value in text for value in values)


def test_values_of_every_type_are_spelled_in_prose(tmp_path: Path) -> None:
    call = boats.action(
        arguments={"legs": [{"from_port": "Kiel"}, {"from_port": "Oslo"}], "late": True, "note": None, "x": []}
    )
    user = boats.action("find_member", requestor="user")
    folder = boats.write_domain(tmp_path / "in", [boats.task("1", criteria={"actions": [call, user]})])
    original = load(str(folder), Places())
    shapes = [perturb(original, "paraphrase-format", seed=seed).benchmark.tasks[0].behavior_text for seed in range(20)]
    assert any(
        "use cancel_hire with legs: (from port Kiel) and (from port Oslo); late: yes; note: none; x: none." in shape
        and "The user must use find_member" in shape.replace("can use", "must use")
        for shape in shapes
    )


def test_a_task_with_no_other_shape_is_left_alone(tmp_path: Path) -> None:
    folder = boats.write_domain(tmp_path / "in", [boats.task("1", told="Renew it.", criteria={"actions": []})])
    found = perturb(load(str(folder), Places()), "paraphrase-format")
    assert found.untouched[0].reason.startswith("its texts are one sentence each")


def writes(task: Task) -> list[str]:
    return [action.name for action in task.actions or () if action.kind is ToolKind.WRITE]


@pytest.mark.parametrize("name", worlds.FORMATS)
def test_a_shuffled_task_holds_the_same_things(tmp_path: Path, name: str) -> None:
    original = worlds.make(name, tmp_path)
    found = perturb(original, "reorder-items")
    for old, new in zip(original.tasks, found.benchmark.tasks, strict=True):
        before, after = ({key: nested(part) for key, part in task.raw.items()} for task in (old, new))
        assert in_any_order(before) == in_any_order(after)
        written = [
            [action.name for action in task.actions or () if action.kind.value == "write"] for task in (old, new)
        ]
        assert written[0] == written[1]
    assert found.changed_ids or name == "table"


def test_padding_adds_sentences_and_nothing_else(sample: Benchmark) -> None:
    for old, new in zip(sample.tasks, perturb(sample, "pad").benchmark.tasks, strict=True):
        assert len(new.description_text) > len(old.description_text) + 80
        for before, after in zip((*old.description, *old.behavior), (*new.description, *new.behavior), strict=True):
            assert after.text.startswith(before.text.rstrip())
            assert not re.search(r"\d", after.text.removeprefix(before.text.rstrip()))
        assert old.rows == new.rows


def test_new_names_are_the_same_everywhere(sample: Benchmark) -> None:
    found = perturb(sample, "rename-entities")
    names = choose_names(sample, 0)
    assert len(set(names.values())) == len(names) > 60
    assert not set(names.values()) & {key for rows in sample.database.values() for key in rows}
    for old, new in zip(sample.tasks, found.benchmark.tasks, strict=True):
        seen, was = seen_of(found.benchmark, new), seen_of(sample, old)
        for field in ("description", "expected behavior", "rows"):
            assert json.dumps(seen[field]) == json.dumps(rename(json.loads(json.dumps(was[field])), names))
    back = {new: old for old, new in names.items()}
    assert rename(json.loads(json.dumps(found.benchmark.database)), back) == sample.database
    shared = [change.field.partition(".")[0] for change in found.changes if change.task_id is None]
    assert set(shared) == {table for table, rows in sample.database.items() if rows.keys() & names.keys()}


def test_a_task_that_names_no_row_says_so_and_is_as_it_was(sample: Benchmark) -> None:
    found = perturb(sample, "rename-entities")
    (left,) = found.untouched
    (old,) = [task for task in sample.tasks if task.id == left.task_id]
    (new,) = [task for task in found.benchmark.tasks if task.id == left.task_id]
    assert (old.raw, left.reason) == (new.raw, "it names no row whose key could be renamed")


def test_keys_in_the_policy_keep_their_names(tmp_path: Path) -> None:
    event = ferries.fields()
    folder = ferries.write_json_run(tmp_path / "in", event, prompt=f"{ferries.POLICY}- TK100 is never moved.\n")
    names = choose_names(load(str(folder), Places()), 0)
    assert set(names) == {"ada_1"}
    assert re.fullmatch(r"ada_\d", names["ada_1"])


def test_nodes_of_plans_keep_their_names(tmp_path: Path) -> None:
    assert choose_names(worlds.make("kiosk", tmp_path), 0) == {}


def test_keys_with_a_mark_before_them_are_renamed_without_it_too() -> None:
    names = {"#W12345": "#Q98765", "X1234": "Y9876"}
    text = "Order #W12345, or W12345; #X1234 and X1234, not X12345 or W12345-6."
    assert rename(text, names) == "Order #Q98765, or Q98765; #Y9876 and Y9876, not X12345 or W12345-6."
    assert rename({"#W12345": ["W12345", 5]}, names) == {"#Q98765": ["Q98765", 5]}


def test_a_set_whose_rows_have_plain_keys_is_said_to_be_unchanged(tmp_path: Path) -> None:
    folder = boats.write_domain(tmp_path / "in", [boats.task("1")], db={"boats": {"heron": {"berth": 2}}})
    found = perturb(load(str(folder), Places()), "rename-entities")
    assert found.notes[0].startswith("Nothing was renamed")
    assert found.changes == ()


def test_what_the_free_checks_find_does_not_hang_on_names_or_orders(sample: Benchmark) -> None:
    def rules(benchmark: Benchmark) -> Counter[tuple[str, str | None]]:
        found = check_benchmark(benchmark, root=Path()).findings
        return Counter((finding.rule, finding.task_id) for finding in found)

    before = rules(sample)
    assert before
    assert rules(perturb(sample, "rename-entities").benchmark) == before
    assert rules(perturb(sample, "reorder-items").benchmark) == before
