from __future__ import annotations

import json
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from audit.errors import LoadError
from audit.loaders.lines import locate
from audit.loaders.pararecover_lines import MAX_LINE, open_lines, read_lines
from audit.loaders.registry import load_benchmark
from audit.loaders.splits import choose_tasks
from audit.records.finding import Certainty, Finding, Severity
from audit.records.source import Source
from audit.records.task import Benchmark, Origin, PartKind
from audit.sources.resolve import resolve_source
from tests.plans import kiosk

SAMPLES = {"level-1-real": 18, "level-1-augmented": 16, "level-2-real": 18}


def load(path: Path, **flags: Any) -> Benchmark:  # noqa: ANN401
    return load_benchmark(resolve_source(str(path), **flags))


def test_an_instance_becomes_request_tools_plan_results_and_tags(tmp_path: Path) -> None:
    file = kiosk.write(tmp_path / kiosk.FILE, kiosk.record(tag="错误串行"))
    found = load(file)
    task = found.tasks[0]
    assert (found.style, found.policy.name, len(found.policy.items)) == ("plan", "pararecover/rules", 27)
    assert found.files[0].path == kiosk.FILE
    assert (task.id, task.tags, task.actions) == ("7", ("Serial_Error",), None)
    assert [(part.kind, part.origin.field) for part in task.description] == [
        (PartKind.SCENARIO, "query"),
        (PartKind.CONTEXT, "tool_list"),
    ]
    assert task.description[0].text == kiosk.REQUEST
    assert [json.loads(line) for line in task.description[1].text.splitlines()] == kiosk.TOOLS
    assert [(part.kind, part.text, part.origin.field) for part in task.behavior] == [
        (PartKind.ASSERTION, "错误串行 (Serial_Error)", "tag"),
        (PartKind.PROSE, "任务1失败", "error_reason"),
        (PartKind.ASSERTION, "4", "funcall_times_gt"),
        (PartKind.ASSERTION, "4", "round_gt"),
    ]
    assert [(row.table, row.key, row.value) for row in task.rows] == [
        *(("plan", one["id"], one) for one in kiosk.SOUND),
        ("results", "1 cut_stems", kiosk.CUT_RESULT),
    ]
    assert str(task.rows[1].origin) == "kiosk.jsonl task 7 plan.tasks[1]"
    assert str(task.rows[-1].origin) == "kiosk.jsonl task 7 fun_call[0]"
    assert task.raw == kiosk.record(tag="错误串行")


def test_augmented_records_have_no_reason_and_texts_for_numbers_and_results(tmp_path: Path) -> None:
    record = kiosk.record(query_id="70", funcall_times_gt="4", round_gt="4", fun_call=json.dumps([kiosk.CUT_RESULT]))
    del record["error_reason"]
    task = load(kiosk.write(tmp_path / kiosk.FILE, record)).tasks[0]
    assert [part.text for part in task.behavior] == ["Timeout_Error", "4", "4"]
    assert task.rows[-1].value == kiosk.CUT_RESULT


def test_several_tags_are_numbered_and_unknown_ones_stay(tmp_path: Path) -> None:
    record = kiosk.record(tag=None, tag_1="参数类型错误", tag_2="异常应对错误", tag_3=None)
    task = load(kiosk.write(tmp_path / kiosk.FILE, record)).tasks[0]
    assert task.tags == ("Type_Error", "异常应对错误")
    assert [(part.label, part.text) for part in task.behavior[:2]] == [
        ("Tagged error 1 of 2", "参数类型错误 (Type_Error)"),
        ("Tagged error 2 of 2", "异常应对错误"),
    ]


def test_what_can_t_be_read_is_shown_as_it_is_written(tmp_path: Path) -> None:
    odd = kiosk.record(
        tool_list="no tools", plan="{broken", fun_call=None, funcall_times_gt="four", round_gt=None, tag=None
    )
    twice = kiosk.record(
        kiosk.node("1"), kiosk.node("1"), {"name": "x"}, ["?"], id="b", tool_list={"a": 1}, fun_call=["x", {}]
    )
    first, second = load(kiosk.write(tmp_path / kiosk.FILE, odd, twice)).tasks
    assert first.description[1].text == "no tools"
    assert [(row.table, row.key, row.value) for row in first.rows] == [("plan", "as it is written", "{broken")]
    assert [part.text for part in first.behavior] == ["任务1失败"]
    assert second.description[1].text == '{"a": 1}'
    assert [(row.table, row.key) for row in second.rows] == [
        ("plan", "1"),
        ("plan", "1 (2)"),
        ("plan", "node 3"),
        ("plan", "node 4"),
        ("results", "1"),
        ("results", "2"),
    ]


def test_ids_of_several_files_are_kept_apart_by_file_and_each_file_is_a_split(tmp_path: Path) -> None:
    kiosk.write(tmp_path / "one" / "real.jsonl", kiosk.record(), kiosk.record(id=8))
    kiosk.write(tmp_path / "planted.jsonl", kiosk.record(id="7"))
    found = load(tmp_path)
    assert [task.id for task in found.tasks] == ["real:7", "real:8", "planted:7"]
    assert found.splits == {"real": ("real:7", "real:8"), "planted": ("planted:7",)}
    assert [task.id for task in choose_tasks(found, split="planted").tasks] == ["planted:7"]
    assert found.tasks[0].origin.file == "one/real.jsonl"


def test_files_of_one_name_would_have_ids_that_clash(tmp_path: Path) -> None:
    for folder in "ab":
        kiosk.write(tmp_path / folder / "real.jsonl", kiosk.record())
    with pytest.raises(LoadError, match=r"b/real\.jsonl: has the name of .*a/real\.jsonl, so that ids would clash"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("records", "complaint"),
    [
        ([kiosk.record(), kiosk.record()], r"kiosk\.jsonl:2: the id '7' is that of line 1 too\."),
        ([kiosk.record(), kiosk.record(id="7")], r"kiosk\.jsonl:2: the id '7' is that of line 1 too\."),
        ([kiosk.record(id=None)], r"kiosk\.jsonl:1: the instance has no id that is a number or a text\."),
        ([kiosk.record(id=True)], r"kiosk\.jsonl:1: the instance has no id"),
        ([kiosk.record(), {"id": 8, "query": "x"}], r"kiosk\.jsonl:2: the instance has no 'tool_list'\."),
        ([kiosk.record(query=" ")], r"kiosk\.jsonl task 7 query: the field 'query' is missing or blank\."),
    ],
)
def test_records_that_are_no_tasks_are_refused_by_line(
    tmp_path: Path, records: list[dict[str, Any]], complaint: str
) -> None:
    with pytest.raises(LoadError, match=complaint):
        load(kiosk.write(tmp_path / kiosk.FILE, *records))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"[1]", r":2: the line must be an object, not a list\."),
        (b'{"id": 1', r":2: not JSON: Expecting"),
        (b'{"id": NaN}', r":2: a number is not finite\."),
        (b'{"id": 1, "id": 2}', r":2: the key 'id' stands twice in one object\."),
        (b'{"id": "\xff"}', r":2: not UTF-8"),
        (b"[" * 5000, r":2: nested"),
        (b'"' + b"x" * MAX_LINE + b'"', r":2: the line is longer than 10 MB\."),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: bytes, complaint: str) -> None:
    file = kiosk.write(tmp_path / kiosk.FILE, kiosk.record())
    file.write_bytes(file.read_bytes() + line)
    with pytest.raises(LoadError, match=complaint):
        load(file)


def source(tasks: Path) -> Source:
    return Source("kiosk", tasks.parent, "pararecover", tasks, style="plan")


def test_files_that_can_t_be_read_or_hold_nothing_are_refused(tmp_path: Path) -> None:
    blank = tmp_path / "blank.jsonl"
    blank.write_text("\n \n")
    os.mkfifo(tmp_path / "pipe.jsonl")
    huge = tmp_path / "huge.jsonl"
    with huge.open("wb") as stream:
        stream.truncate(100_000_001)
    for path, complaint in (
        (blank, "holds no instance"),
        (tmp_path / "none.jsonl", "can't be read"),
        (tmp_path / "pipe.jsonl", "is no file"),
        (huge, "the file is longer than 100 MB"),
        (tmp_path, "there is no file of instances below this folder"),
    ):
        with pytest.raises(LoadError, match=complaint):
            load_benchmark(source(path))


def test_a_file_that_goes_while_it_is_read_is_one_line(tmp_path: Path) -> None:
    path = kiosk.write(tmp_path / kiosk.FILE, kiosk.record())
    file = open_lines(path, root=tmp_path)
    path.unlink()
    with pytest.raises(LoadError, match=r"can't be read \(No such file"):
        list(read_lines(file))


def test_other_rules_can_be_given_and_tables_can_t(tmp_path: Path) -> None:
    file = kiosk.write(tmp_path / kiosk.FILE, kiosk.record())
    rules = tmp_path / "rules.md"
    rules.write_text("Never retry.")
    found = load(file, policy=rules)
    assert (found.policy.text, found.policy.items) == ("Never retry.", ())
    assert load(file, use_items=False).policy.items == ()
    for flag in ("database", "tools"):
        with pytest.raises(LoadError, match="has no meaning for plans"):
            load(file, **{flag: rules})
    rules.write_text("  \n")
    with pytest.raises(LoadError, match="the policy is empty"):
        load(file, policy=rules)


def test_a_byte_order_mark_and_blank_lines_are_passed_over(tmp_path: Path) -> None:
    file = kiosk.write(tmp_path / kiosk.FILE, kiosk.record(), kiosk.record(id=8))
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n\r\n"))
    assert [task.id for task in load(file).tasks] == ["7", "8"]


def test_a_folder_with_tau_tasks_is_no_folder_of_plans(tmp_path: Path) -> None:
    kiosk.write(tmp_path / kiosk.FILE, kiosk.record())
    (tmp_path / "tasks.json").write_text("[]")
    (tmp_path / "policy.md").write_text("x")
    assert resolve_source(str(tmp_path)).loader == "tau"


def test_findings_get_the_line_of_their_instance(tmp_path: Path) -> None:
    found = load(kiosk.write(tmp_path / "a" / kiosk.FILE, kiosk.record(), kiosk.record(id=8)))
    finding = Finding("r", Severity.NOTE, Certainty.LIKELY, "8", Origin("kiosk.jsonl", "plan", "8"), "w", "m")
    of_set = Finding("r", Severity.NOTE, Certainty.LIKELY, None, Origin("kiosk.jsonl", ""), "w", "m")
    prefixed = Finding("r", Severity.NOTE, Certainty.LIKELY, "x:8", Origin("kiosk.jsonl", "", "kiosk:8"), "w", "m")
    located = locate([finding, of_set, prefixed], found.files, root=tmp_path / "a")
    assert [one.line for one in located] == [2, 1, 2]


def test_a_long_file_is_read_without_being_held(tmp_path: Path) -> None:
    line = json.dumps(kiosk.record()) + "\n"
    path = tmp_path / "long.jsonl"
    path.write_text(line * 6000, encoding="utf-8")
    file = open_lines(path, root=tmp_path)
    tracemalloc.start()
    n_read = sum(1 for _ in read_lines(file))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert n_read == 6000
    assert peak < 40 * len(line) < path.stat().st_size / 100


def test_a_sample_stands_in_where_the_whole_file_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "pararecover" / "data" / "LEVEL-1"
    kiosk.write(folder / "LEVEL-1_augmented.sample.jsonl", kiosk.record())
    with pytest.raises(
        LoadError, match=r"level-1-real is not here: no \S+ in data/LEVEL-1, LEVEL-1, or the same below pararecover,"
    ):
        resolve_source("pararecover/level-1-real", data_dir=tmp_path)
    part = resolve_source("pararecover/level-1-augmented", data_dir=tmp_path)
    assert (part.tasks.name, part.version[:12], part.style) == (
        "LEVEL-1_augmented.sample.jsonl",
        "a sample of ",
        "plan",
    )
    kiosk.write(folder / "LEVEL-1_augmented.jsonl", kiosk.record(), kiosk.record(id=8))
    whole = resolve_source("pararecover/level-1-augmented", data_dir=tmp_path)
    assert whole.tasks.name == "LEVEL-1_augmented.jsonl"
    assert whole.version.endswith("(not compared)")
    assert len(load_benchmark(whole).tasks) == 2


def test_the_shared_samples_load_by_name_and_as_one_folder(real_data: Path) -> None:
    for domain, n_tasks in SAMPLES.items():
        found = load_benchmark(resolve_source(f"pararecover/{domain}", data_dir=real_data / "pararecover"))
        assert len(found.tasks) == n_tasks
        assert all(task.behavior and task.rows and task.tags for task in found.tasks)
        for task in found.tasks:
            assert all(str(part.origin) for part in (*task.description, *task.behavior))
    together = load(real_data / "pararecover")
    assert {name.partition(".")[0]: len(ids) for name, ids in together.splits.items()} == {
        "LEVEL-1_real_rollout": 18,
        "LEVEL-1_augmented": 16,
        "LEVEL-2_real_rollout": 18,
    }
    assert sum(len(task.tags) for task in together.tasks) == 64
    assert {tag for task in together.tasks for tag in task.tags} >= {"异常应对错误", "Serial_Error", "Null_Error"}
    assert len({tag for task in together.tasks for tag in task.tags}) == 15
