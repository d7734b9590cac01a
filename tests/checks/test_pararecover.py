"""The rules for plans, each on a plan that breaks it and on the sound one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.checks.pararecover import CHECK
from audit.checks.protocol import Subject
from audit.loaders.registry import load_benchmark
from audit.records.finding import Certainty, Finding, Severity
from audit.records.task import Task
from audit.sources.resolve import resolve_source
from tests.builders import benchmark as plain_benchmark
from tests.checks import inn
from tests.checks.test_registry import HOSTILE, altered, places
from tests.plans import kiosk
from tests.plans.kiosk import BIND, CUT, PRICE, RESERVE, ROOT, call, response

CLEAN = {"plan-reference-in-typed-parameter"}
"""What the sound plan has: references are no errors, and are listed apart."""
DONE = {"status": True}


def inspect(*tasks: Task) -> list[Finding]:
    return list(CHECK.inspect(Subject(kiosk.benchmark(*tasks))))


def broken(*nodes: dict[str, Any], **fields: Any) -> dict[str, Finding]:  # noqa: ANN401
    """Findings of one instance by rule, without those that the sound plan has."""
    return {one.rule: one for one in inspect(kiosk.task(*nodes, **fields)) if one.rule not in CLEAN}


def test_a_sound_plan_with_a_true_tag_has_no_finding() -> None:
    timed_out = [call("cut_stems", "Error: timed out", flower="tulip", count=9)]
    assert broken(fun_call=timed_out) == {}


TIMED_OUT = {"fun_call": [call("cut_stems", "Error: timed out", flower="tulip", count=9)]}
PLANS: list[tuple[str, tuple[dict[str, Any], ...], dict[str, Any], str]] = [
    ("plan-unreadable", (), {"plan": "{"}, "plan: not JSON: Expecting property name enclosed in double quotes."),
    ("plan-unreadable", (), {"fun_call": "{}"}, "fun_call: no list."),
    ("plan-no-graph", (ROOT, CUT, BIND, response("2", "9")), {}, "'response' depends on '9', which is no node."),
    ("plan-without-ends", (ROOT, CUT, BIND), {}, "The plan has no node 'response'."),
    ("plan-end-calls-tool", (ROOT | {"name": "cut_stems"}, BIND, response("2")), {}, "root calls cut_stems."),
    ("plan-loose-end", (ROOT, CUT, BIND, PRICE, RESERVE, response("4")), {}, "Nothing waits for 3."),
    (
        "plan-done-before-its-time",
        (ROOT, CUT, BIND | DONE, response("2")),
        {},
        "'2' is done and waits for 1, still open.",
    ),
    (
        "plan-outcome-on-open-node",
        (ROOT, CUT | {"desc": "Cut. Execution result: nine stems"}, BIND, response("2")),
        {},
        "'1' is open, and its description tells an outcome.",
    ),
    ("plan-without-tag", (), {"tag": None}, "No error is named."),
    (
        "plan-tag-contradicted",
        (),
        {"tag": "必要参数缺失"},
        "必要参数缺失 is not borne out: every open call gives all that its tool requires.",
    ),
    (
        "plan-tag-rests-on-references",
        (),
        {"tag": "Type_Error"},
        "Type_Error can only mean this: 2 gives a text for a later result as 'stems', and 2 more.",
    ),
    (
        "plan-tag-weak",
        (ROOT, CUT | DONE | {"para": {"flower": "tulip"}}, BIND, response("2")),
        {"tag": "Parameter_Missing"},
        "Parameter_Missing holds only in calls that have run: 1 leaves out 'count', which is required.",
    ),
    (
        "plan-tag-on-allowed-retry",
        (ROOT, CUT | DONE | {"desc": "Cut. Timed out."}, CUT | {"id": "1b", "dep": ["1"]}, response("1b")),
        {"tag": "异常应对错误"},
        "'1b' repeats a call of cut_stems that timed out, and the rules allow that.",
    ),
    (
        "plan-error-untagged",
        (ROOT, CUT | {"name": "snip_stems"}, BIND, response("2")),
        {},
        "Node 1 calls 'snip_stems', which is not in the list.",
    ),
    (
        "plan-arguments-clash",
        (ROOT, CUT | {"para": [{"count": 1}, {"count": 2}]}, BIND, response("2")),
        {},
        "Node 1 gives several values for count.",
    ),
    (
        "plan-values-without-names",
        (ROOT, CUT | {"para": ["tulip", 9]}, BIND, response("2")),
        {},
        "Node 1 gives values without names.",
    ),
    (
        "plan-reference-astray",
        (ROOT, CUT, BIND | {"para": {"stems": "task2_output", "ribbon": "blue"}}, response("2")),
        {},
        "'2' refers to its own result.",
    ),
    (
        "plan-reference-astray",
        (ROOT, CUT, BIND | {"para": {"stems": "task8_output", "ribbon": "blue"}}, response("2")),
        {},
        "'2' refers to '8', which is no node.",
    ),
    (
        "plan-reference-astray",
        (ROOT, CUT, BIND | {"dep": ["root"]}, response("1", "2")),
        {},
        "'2' refers to '1' and does not wait for it.",
    ),
    (
        "plan-description-tells-error",
        (ROOT, CUT, CUT | {"id": "5", "desc": "Cut again; redundant"}, response("1", "5")),
        {"tag": "Toolcall_Redundancy"},
        "The description of '5' says redundan, and the tag is Toolcall_Redundancy.",
    ),
    (
        "plan-results-of-other-calls",
        (),
        {"fun_call": []},
        "Due were cut_stems, and there are results of none.",
    ),
    (
        "plan-call-with-other-values",
        (),
        {"fun_call": [call("cut_stems", "Timed out", flower="tulip", count=0)]},
        "No node of cut_stems has the values that it was called with.",
    ),
    (
        "plan-unknown-tool-answered",
        (ROOT, CUT | {"name": "snip"}, BIND, response("2")),
        {"tag": "Tool_name_Error", "fun_call": [call("snip", "Timed out")]},
        "snip is not in the list, and the answer does not say so.",
    ),
    ("plan-gold-count-impossible", (), {"round_gt": 6}, "4 calls can't take 6 rounds."),
    ("plan-gold-count-impossible", (), {"round_gt": "1"}, "4 calls can't take 1 rounds."),
    ("plan-gold-count-impossible", (), {"funcall_times_gt": 2.5}, "funcall_times_gt is no whole number of at least 1."),
    ("plan-faster-than-gold", (), {"round_gt": 5}, "The plan needs 4 rounds and gold has 5."),
    (
        "plan-serial-tag-against-gold",
        (ROOT, CUT, BIND, PRICE, RESERVE | {"dep": ["3"]}, response("4")),
        {"tag": "Serial_Error", "round_gt": 5},
        "The plan needs 5 rounds with its needless chain, and gold has 5.",
    ),
    (
        "plan-fewer-calls-than-gold",
        (ROOT, CUT, BIND, RESERVE, response("4")),
        {},
        "3 calls are planned, gold has 4, and price_bouquet is not used.",
    ),
]


@pytest.mark.parametrize(("rule", "nodes", "fields", "what"), PLANS)
def test_a_rule_finds_a_plan_that_breaks_it(
    rule: str, nodes: tuple[dict[str, Any], ...], fields: dict[str, Any], what: str
) -> None:
    found = broken(*nodes, **(TIMED_OUT | fields))
    assert rule in found, found.keys()
    assert found[rule].what == what
    assert found[rule].origin.file == kiosk.FILE
    assert found[rule].task_id == "7"


QUIET: list[tuple[str, tuple[dict[str, Any], ...], dict[str, Any]]] = [
    ("plan-no-graph", (ROOT, CUT, response("1", "9")), {"tag": "Dependence_Error"}),
    ("plan-loose-end", (ROOT, CUT, BIND, response("1")), {"tag": "错误并行"}),
    (
        "plan-error-untagged",
        (ROOT, CUT | {"para": {"flower": "tulip", "number": 9}}, response("1")),
        {"tag": "参数名称错误"},
    ),
    ("plan-error-untagged", (ROOT, CUT | DONE | {"para": {}}, response("1")), {}),
    ("plan-values-without-names", (ROOT, CUT | {"para": ["tulip", 9]}, response("1")), {"tag": "Type_Error"}),
    ("plan-reference-astray", (ROOT, CUT, BIND | {"dep": ["root"]}, response("1", "2")), {"tag": "依赖关系缺失"}),
    (
        "plan-tag-on-allowed-retry",
        (ROOT, CUT | DONE, CUT | {"id": "1b", "dep": ["1"]}, response("1b")),
        {"tag": "异常应对错误"},
    ),
    ("plan-unknown-tool-answered", (ROOT, CUT, response("1")), {"fun_call": [call("snip", "There is no such tool.")]}),
    ("plan-faster-than-gold", (ROOT, CUT | DONE, BIND, PRICE, RESERVE, response("3", "4")), {"round_gt": 5}),
    ("plan-fewer-calls-than-gold", (ROOT, CUT, response("1")), {"tag": "必要工具缺失"}),
    ("plan-description-tells-error", (ROOT, CUT | {"desc": "Bind nine"}, response("1")), {"tag": "Type_Error"}),
    ("plan-results-of-other-calls", kiosk.SOUND, {"fun_call": [*TIMED_OUT["fun_call"], call("response", "Bye")]}),
    (
        "plan-call-with-other-values",
        kiosk.SOUND,
        {"fun_call": [call("cut_stems", "Timed out", flower="tulip", count=9.0)]},
    ),
]


@pytest.mark.parametrize(("rule", "nodes", "fields"), QUIET)
def test_a_rule_says_nothing_where_a_tag_or_the_plan_explains_it(
    rule: str, nodes: tuple[dict[str, Any], ...], fields: dict[str, Any]
) -> None:
    assert rule not in broken(*nodes, **(TIMED_OUT | fields))


def test_references_are_listed_apart_once_an_instance() -> None:
    found = [one for one in inspect(kiosk.task(**TIMED_OUT)) if one.rule == "plan-reference-in-typed-parameter"]
    assert [one.what for one in found] == ["3 values stand for a result in place of another type, at 2, 3, 4."]
    assert found[0].severity is Severity.NOTE


def test_what_signs_alone_speak_against_is_a_warning() -> None:
    signs = broken(
        ROOT, CUT | DONE, BIND, PRICE | {"dep": ["1"], "para": {"bouquet": {}}}, response("3"), tag="错误串行"
    )["plan-tag-contradicted"]
    assert (signs.severity, signs.certainty) == (Severity.WARNING, Certainty.LIKELY)
    proved = broken(tag="Serial_Error")["plan-tag-contradicted"]
    assert (proved.severity, proved.certainty) == (Severity.ERROR, Certainty.PROVED)


def test_tags_that_seem_swapped_are_told_of_the_file_and_shown_as_they_stand() -> None:
    serial = [kiosk.task(id=number, tag="Serial_Error") for number in (1, 2)]
    found = {one.rule: one for one in inspect(*serial)}
    assert found["plan-tags-swapped"].task_id is None
    assert found["plan-tags-swapped"].what == (
        "2 of 2 tags Serial_Error and Parallelism_Error are on plans without that error."
    )
    assert {one.subject for one in inspect(*serial) if one.rule == "plan-tag-contradicted"} == {"Serial_Error"}
    chained = (ROOT, CUT, CUT | {"id": "5", "dep": ["1"]}, response("5"))
    right = [kiosk.task(*chained, id=number, tag="Serial_Error") for number in (3, 4)]
    assert "plan-tags-swapped" not in {one.rule for one in inspect(*serial, *right)}
    assert "plan-tags-swapped" not in {one.rule for one in inspect(serial[0])}


def test_tags_without_a_type_are_counted_once_a_file() -> None:
    tasks = [kiosk.task(id=number, tag="乱") for number in (1, 2)] + [kiosk.task(id=3, tag="异常应对错误")]
    found = [one.what for one in inspect(*tasks) if one.rule == "plan-tag-unknown"]
    assert found == [
        "2 instances have the tag 乱, which is none of the types.",
        "1 instance has the tag 异常应对错误, which is none of the types.",
    ]


def test_the_same_fault_under_other_tags_is_told() -> None:
    plan = (ROOT, CUT | {"para": ["tulip"]}, response("1"))
    named = kiosk.task(*plan, id=1, tag="Parameter_Error")
    again = kiosk.task(*plan, id=2, tag="Parameter_Error")
    missing = kiosk.task(*plan, id=3, tag="Parameter_Missing")
    other = kiosk.task(*plan, id=4, tag="Parameter_Missing", query="Another request")
    found = [(one.task_id, one.what) for one in inspect(named, again, missing, other) if "same-defect" in one.rule]
    assert found == [("3", "A call is faulty in the same way as in 1, and the tags differ.")]


def test_instances_without_any_failure_are_counted_once_a_file() -> None:
    quiet = kiosk.task(id=1, fun_call=[call("cut_stems", "Nine stems.")])
    found = [one.what for one in inspect(quiet, kiosk.task(id=2)) if one.rule == "plan-results-show-no-failure"]
    assert found == ["In 1 of 2 instances no result of the last round fails."]


def test_benchmarks_of_other_formats_are_passed_over() -> None:
    assert list(CHECK.inspect(Subject(plain_benchmark()))) == []


RECORD = kiosk.record(
    *(one | {"para": json.loads(json.dumps(one.get("para")))} for one in kiosk.SOUND),
    fun_call=[kiosk.CUT_RESULT, call("zzz", arguments=["x"])],
    tag_1="错误串行",
)
OPENED = RECORD | {name: json.loads(RECORD[name]) for name in ("plan", "tool_list")}


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_change_to_an_instance_raises(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(list(places(OPENED))))
    change = data.draw(st.sampled_from([*HOSTILE, ...]))
    tag = data.draw(st.sampled_from(["Serial_Error", "Type_Error", "Null_Error", "Dependence_Null", "异常应对错误"]))
    raw = altered(OPENED | {"tag": tag}, path, change)
    task = Task("7", (), (), raw=raw, origin=kiosk.task().origin)
    for one in CHECK.inspect(Subject(kiosk.benchmark(task, kiosk.task(id=8)))):
        assert all(len(value) <= 200 for _, value in one.evidence)


def test_the_five_contradicted_tags_of_the_shared_samples_are_found_and_no_other(real_data: Path) -> None:
    folder = real_data / "pararecover"
    found = inn.inspect_all(Subject(load_benchmark(resolve_source(str(folder)))))
    audit = [json.loads(line) for line in (folder / "hand_audit.jsonl").read_text(encoding="utf-8").splitlines()]

    def hand(verdict: str) -> set[tuple[str, str]]:
        return {(f"{Path(one['file']).stem}:{one['id']}", one["tag"]) for one in audit if one["verdict"] == verdict}

    def told(rule: str) -> set[tuple[str, str]]:
        return {(one.task_id or "", one.subject) for one in found if one.rule == rule}

    assert len(hand("contradicted")) == 5
    assert told("plan-tag-contradicted") == hand("contradicted")
    assert told("plan-tag-rests-on-references") == hand("agree_only_if_placeholders_count")
    assert len(hand("agree_only_if_placeholders_count")) == 13
    assert told("plan-tag-weak") < hand("partial")
    assert {one.rule for one in found if one.severity is Severity.ERROR} == {"plan-tag-contradicted"}


def test_further_defects_that_the_hand_audit_saw_in_the_shared_samples_are_found(real_data: Path) -> None:
    found = inn.inspect_all(Subject(load_benchmark(resolve_source(str(real_data / "pararecover")))))

    def ids(rule: str) -> set[int]:
        return {int((one.task_id or "x:0").rpartition(":")[2]) for one in found if one.rule == rule}

    assert ids("plan-no-graph") == {608, 794}
    assert ids("plan-results-of-other-calls") == {4, 2253, 449, 900, 1143, 1406, 1537, 1906, 2076, 2612}
    assert ids("plan-done-before-its-time") == {2332, 2662}
    assert ids("plan-outcome-on-open-node") >= {1143, 1195, 2127, 2589}
    assert ids("plan-end-calls-tool") == {4, 909, 1424}
    assert ids("plan-call-with-other-values") == {2076}
    assert ids("plan-serial-tag-against-gold") == {2464}
    assert ids("plan-same-defect-other-tags") == {2810, 2811}
    assert ids("plan-tag-on-allowed-retry") == {794, 2127}
    assert ids("plan-fewer-calls-than-gold") >= {2, 282, 794, 1266, 2662}
    assert len({one.task_id for one in found if one.rule == "plan-reference-in-typed-parameter"}) == 20
    assert ids("plan-tags-swapped") == {0}
    quiet = {one.what for one in found if one.rule == "plan-results-show-no-failure"}
    assert {what.partition(" instances")[0] for what in quiet} == {"In 14 of 18", "In 7 of 16", "In 11 of 18"}
