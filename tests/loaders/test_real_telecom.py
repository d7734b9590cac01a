from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from audit.environments.registry import environment_for
from audit.loaders.registry import load_benchmark
from audit.loaders.splits import choose_tasks
from audit.loaders.tau_task import USER_TABLE
from audit.records.task import Benchmark, PartKind, ToolKind
from audit.sources.resolve import resolve_source


@pytest.fixture(scope="session")
def telecom(real_data: Path) -> Benchmark:
    return load_benchmark(resolve_source("tau3/telecom", data_dir=real_data))


def n_parts(benchmark: Benchmark, kind: PartKind) -> int:
    return sum(part.kind is kind for task in benchmark.tasks for part in (*task.description, *task.behavior))


def test_the_base_split_is_loaded_and_the_whole_file_is_there(telecom: Benchmark) -> None:
    assert (len(telecom.tasks), len(telecom.corpus), len(telecom.tools)) == (114, 2285, 43)
    sizes = {name: len(ids) for name, ids in telecom.splits.items()}
    assert sizes == {"small": 20, "train": 74, "test": 40, "full": 2285, "base": 114}
    assert len(choose_tasks(telecom, split="full").tasks) == 2285
    assert len(telecom.version) == 40


def test_base_has_the_counts_that_were_measured_on_it(telecom: Benchmark) -> None:
    assert n_parts(telecom, PartKind.ACTION) == 516
    assert n_parts(telecom, PartKind.ENV_ASSERTION) == 209
    assert n_parts(telecom, PartKind.PERSONA) == 74
    assert n_parts(telecom, PartKind.ASSERTION) == 0
    requestors = Counter(action.requestor for task in telecom.tasks for action in task.actions or ())
    assert requestors == {"user": 393, "assistant": 123}


def test_the_whole_file_has_the_counts_that_were_measured_on_it(telecom: Benchmark) -> None:
    whole = choose_tasks(telecom, split="full")
    assert n_parts(whole, PartKind.ACTION) == 13215
    assert n_parts(whole, PartKind.ENV_ASSERTION) == 3674
    assert n_parts(whole, PartKind.PERSONA) == 1516
    kinds = {action.kind for task in whole.tasks for action in task.actions or ()}
    assert kinds == {ToolKind.WRITE, ToolKind.GENERIC}
    assert max(len(task.actions or ()) for task in whole.tasks) == 12


def test_five_scripts_are_told_apart_by_context_that_the_user_does_not_say(telecom: Benchmark) -> None:
    scripts = Counter(
        tuple(part.text for part in task.description if part.kind is PartKind.SCENARIO) for task in telecom.tasks
    )
    assert sorted(scripts.values()) == [7, 14, 29, 29, 35]
    assert len({task.description_text for task in telecom.tasks}) == 114
    for task in telecom.tasks:
        ticket, prepared = [part for part in task.description if part.kind is PartKind.CONTEXT]
        assert "the user does not say it" in ticket.label
        assert "the user does not say it" in prepared.label
        assert (ticket.origin.field, prepared.origin.field) == ("ticket", "initial_state.initialization_actions")
        assert "set_user_info" in prepared.text.split("\n")[0]
        assert "a function of the environment, no tool" in prepared.text


def test_ids_are_long_and_full_of_signs_yet_hold_no_comma(telecom: Benchmark) -> None:
    ids = [task.id for task in telecom.corpus]
    assert max(map(len, ids)) == 215
    assert not any("," in id or "\n" in id for id in ids)
    (chosen,) = choose_tasks(telecom, tasks=(max(ids, key=len),)).tasks
    assert "|" in chosen.id


def test_the_policy_is_both_documents_in_their_tags(telecom: Benchmark, real_data: Path) -> None:
    folder = real_data / "tau3" / "domains" / "telecom"
    policy = telecom.policy
    for tag, name in (("main_policy", "main_policy.md"), ("tech_support_policy", "tech_support_manual.md")):
        lines = [line.rstrip() for line in (folder / name).read_text(encoding="utf-8").split("\n")]
        inner = "\n".join(lines)
        assert f"<{tag}>\n{inner}\n</{tag}>" in policy.text
        assert (name, inner) in policy.texts
    assert policy.text.startswith("<main_policy>\n# ")
    assert policy.text.endswith("\n</tech_support_policy>")
    assert "</main_policy>\n<tech_support_policy>" in policy.text
    assert policy.files == ("main_policy.md", "tech_support_manual.md")
    assert all(task.policy is None for task in telecom.tasks)


def test_every_task_has_its_customer_s_rows_and_the_phone(telecom: Benchmark) -> None:
    for task in telecom.corpus:
        tables = Counter(row.table for row in task.rows)
        assert tables == {"customers": 1, "lines": 3, "bills": 3, "plans": 2, "devices": 3, USER_TABLE: 1}
    row = telecom.tasks[0].rows[-1]
    assert (row.key, str(row.origin)) == ("device", "user_db.toml device")


def test_tasks_that_start_alike_share_their_rows(telecom: Benchmark) -> None:
    values = {id(row.value) for task in telecom.corpus for row in task.rows}
    assert len(values) == 13


def test_no_environment_of_ours_replays_it(telecom: Benchmark) -> None:
    assert environment_for(telecom) is None
