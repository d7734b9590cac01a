"""Whether a plan bears out its tag, a type of error at a time."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from audit.checks.pararecover_evidence import find_evidence
from audit.checks.pararecover_support import Support
from audit.checks.pararecover_view import make_view
from audit.plans.error_types import MEANINGS
from audit.records.task import Task
from tests.plans import kiosk
from tests.plans.kiosk import BIND, CUT, PRICE, RESERVE, ROOT, call, node, response

FOUND, OPEN = Support.FOUND, Support.UNDECIDED
AGAINST, UNLIKELY = Support.CONTRADICTED, Support.UNLIKELY
DONE_CUT = CUT | {"status": True}


def support(error_type: str, *nodes: dict[str, Any], **fields: Any) -> Support:  # noqa: ANN401
    return find_evidence(kiosk.view(*nodes, **fields), error_type).support


def cut(**para: Any) -> dict[str, Any]:  # noqa: ANN401
    return CUT | {"para": para}


CALLS = [
    ("Parameter_Error", cut(flower="tulip", number=9), FOUND),
    ("Parameter_Error", cut(flower="tulip"), AGAINST),
    ("Parameter_Error", cut(flower="tulip", number=9) | {"status": True}, Support.EXECUTED_ONLY),
    ("Parameter_Error", CUT | {"para": ["tulip"]}, Support.UNNAMED_ONLY),
    ("Parameter_Error", CUT | {"name": None}, OPEN),
    ("Parameter_Error", CUT | {"name": "snip"}, OPEN),
    ("Parameter_Error", CUT | {"para": [{"count": 1}, {"count": 2}]}, OPEN),
    ("Parameter_Missing", cut(flower="tulip"), FOUND),
    ("Parameter_Missing", cut(flower="", count=9), AGAINST),
    ("Parameter_Missing", CUT | {"para": ["tulip", "nine"]}, Support.UNNAMED_ONLY),
    ("Parameter_Missing", CUT | {"para": ['{"flower": "tulip", "count": 9}']}, AGAINST),
    ("Type_Error", cut(flower="tulip", count="9"), FOUND),
    ("Type_Error", cut(flower="tulip", count="task1 result"), Support.REFERENCES_ONLY),
    ("Type_Error", cut(flower="tulip", count=9), AGAINST),
    ("Type_Error", cut(flower="tulip", count="9") | {"status": True}, Support.EXECUTED_ONLY),
    ("Type_Error", CUT | {"para": [{"flower": "tulip", "count": 9}]}, OPEN),
    ("Parameter_Invalid", cut(flower="", count=9), FOUND),
    ("Parameter_Invalid", cut(flower="task1 result", count=9), Support.REFERENCES_ONLY),
    ("Parameter_Invalid", cut(flower="", count=9) | {"status": True}, Support.EXECUTED_ONLY),
    ("Parameter_Invalid", cut(flower="tulip", count=-9), OPEN),
    ("Tool_name_Error", CUT | {"name": "snip"}, FOUND),
    ("Tool_name_Error", CUT | {"name": "snip", "status": True}, Support.EXECUTED_ONLY),
    ("Tool_name_Error", CUT, AGAINST),
    ("Tool_name_Error", CUT | {"name": ""}, OPEN),
    ("Tool_select_Error", CUT, OPEN),
]


@pytest.mark.parametrize(("error_type", "one", "expected"), CALLS)
def test_a_call_bears_out_a_tag_or_does_not(error_type: str, one: dict[str, Any], expected: Support) -> None:
    assert support(error_type, ROOT, one, response("1")) is expected


def test_without_a_list_of_required_parameters_nothing_can_be_missing() -> None:
    silent = [{key: part for key, part in one.items() if key != "required"} for one in deepcopy(kiosk.TOOLS)]
    assert support("Parameter_Missing", ROOT, cut(flower="tulip"), response("1"), tools=silent) is OPEN
    inner = {"type": "object", "required": ["hue"]}
    silent[0]["parameters"]["flower"] = inner
    assert support("Parameter_Missing", ROOT, cut(flower={}), response("1"), tools=silent) is FOUND


def test_a_tool_that_was_called_under_a_wrong_name_counts_as_run() -> None:
    plan = (ROOT, CUT, response("1"))
    assert support("Tool_name_Error", *plan, fun_call=[call("snip")]) is Support.EXECUTED_ONLY


def test_with_one_tool_there_is_no_better_one() -> None:
    assert support("Tool_select_Error", ROOT, CUT, response("1"), tools=kiosk.TOOLS[:1]) is AGAINST


@pytest.mark.parametrize(
    ("error_type", "results", "expected"),
    [
        ("Null_Error", "", FOUND),
        ("Null_Error", '{"stems": [], "note": null}', FOUND),
        ("Null_Error", "None", FOUND),
        ("Null_Error", "Error: the request timed out.", AGAINST),
        ("Null_Error", "No stems: nothing is left.", OPEN),
        ("Null_Error", "错误:花筒为空,操作超时", OPEN),
        ("Null_Error", "Nine stems.", UNLIKELY),
        ("Timeout_Error", "操作超时", FOUND),
        ("Timeout_Error", "The shears did not respond.", FOUND),
        ("Timeout_Error", "[]", UNLIKELY),
        ("Timeout_Error", "Nine stems.", UNLIKELY),
    ],
)
def test_results_bear_out_a_tag_or_do_not(error_type: str, results: str, expected: Support) -> None:
    assert support(error_type, fun_call=[call("cut_stems", results)]) is expected


def test_without_results_only_descriptions_can_tell_of_a_time_out() -> None:
    late = CUT | {"desc": "Cut. Result: timeout"}
    assert support("Timeout_Error", ROOT, late, response("1"), fun_call=[]) is FOUND
    assert support("Timeout_Error", fun_call=[]) is OPEN
    assert support("Null_Error", fun_call=[]) is OPEN


ORDER: list[tuple[str, tuple[dict[str, Any], ...], Support]] = [
    ("Dependence_Error", (ROOT, CUT, BIND | {"dep": ["9"]}, response("2")), FOUND),
    ("Dependence_Error", (ROOT, CUT | {"dep": ["2"]}, BIND, response("2")), FOUND),
    ("Dependence_Error", (ROOT, CUT, CUT | {"id": "5"}, BIND | {"dep": ["5"]}, response("2", "1")), FOUND),
    ("Dependence_Error", kiosk.SOUND, OPEN),
    ("Dependence_Error", (ROOT, CUT, BIND | {"dep": ["root"]}, response("2", "1")), OPEN),
    ("Dependence_Null", (ROOT, CUT, BIND | {"dep": []}, response("2", "1")), FOUND),
    ("Dependence_Null", (ROOT, CUT, response()), FOUND),
    ("Dependence_Null", (ROOT, CUT, BIND | {"dep": ["root"]}, response("2", "1")), FOUND),
    ("Dependence_Null", kiosk.SOUND, OPEN),
    ("Parallelism_Error", (ROOT, CUT, CUT | {"id": "5"}, response("1", "5")), FOUND),
    ("Parallelism_Error", (ROOT, CUT, BIND | {"dep": ["root"]}, response("2", "1")), FOUND),
    ("Parallelism_Error", (ROOT, CUT, BIND, PRICE, response("2")), OPEN),
    ("Parallelism_Error", (ROOT, CUT, BIND, PRICE, RESERVE, response("4")), FOUND),
    ("Parallelism_Error", (ROOT, CUT, BIND, response("2")), AGAINST),
    ("Parallelism_Error", (ROOT, CUT, BIND), AGAINST),
    ("Parallelism_Error", kiosk.SOUND, OPEN),
    ("Parallelism_Error", (ROOT, CUT | {"dep": ["2"]}, BIND, response("2")), OPEN),
    ("Serial_Error", (ROOT, CUT, CUT | {"id": "5", "dep": ["1"]}, response("5")), FOUND),
    ("Serial_Error", (ROOT, DONE_CUT, CUT | {"id": "5", "dep": ["1"]}, response("5")), FOUND),
    ("Serial_Error", kiosk.SOUND, AGAINST),
    ("Serial_Error", (ROOT, CUT, BIND | {"dep": []}, PRICE, response("3")), AGAINST),
    ("Serial_Error", (ROOT, DONE_CUT, BIND, PRICE | {"dep": ["1"], "para": {"bouquet": {}}}, response("3")), UNLIKELY),
    ("Serial_Error", (ROOT, CUT | {"dep": ["2"]}, BIND, response("2")), OPEN),
    ("Serial_Error", (ROOT, CUT, BIND | {"para": {"stems": "stems_placeholder"}}, response("2")), OPEN),
]


@pytest.mark.parametrize(("error_type", "nodes", "expected"), ORDER)
def test_the_order_bears_out_a_tag_or_does_not(
    error_type: str, nodes: tuple[dict[str, Any], ...], expected: Support
) -> None:
    assert support(error_type, *nodes) is expected


def test_a_value_from_a_result_or_from_a_later_node_is_a_use() -> None:
    told = DONE_CUT | {"desc": "Cut. Execution result: bundle B-77"}
    copied = BIND | {"para": {"stems": ["B-77"], "ribbon": "blue"}}
    assert support("Serial_Error", ROOT, told, copied, response("2")) is UNLIKELY
    came = call("cut_stems", "bundle B-77", flower="tulip", count=9)
    assert support("Serial_Error", ROOT, DONE_CUT, copied, response("2"), fun_call=[came]) is UNLIKELY
    through = (ROOT, CUT, BIND, PRICE | {"dep": ["1", "2"]}, response("3"))
    assert support("Serial_Error", *through) is UNLIKELY
    own = node("5", "cut_stems", ("1",), para={"flower": "tulip", "count": 9})
    assert support("Serial_Error", ROOT, CUT, own, response("5")) is FOUND


@pytest.mark.parametrize(
    ("error_type", "nodes", "fields", "expected"),
    [
        ("Toolcall_Missing", (ROOT, CUT, BIND, response("2")), {}, FOUND),
        ("Toolcall_Missing", kiosk.SOUND, {}, OPEN),
        ("Toolcall_Missing", (ROOT, CUT, response("1")), {"funcall_times_gt": "x"}, OPEN),
        ("Toolcall_Redundancy", (ROOT, CUT, CUT | {"id": "5"}, response("1", "5")), {}, FOUND),
        ("Toolcall_Redundancy", kiosk.SOUND, {"funcall_times_gt": 3}, FOUND),
        ("Toolcall_Redundancy", (ROOT, CUT, BIND, PRICE, RESERVE, response("4")), {}, FOUND),
        ("Toolcall_Redundancy", (ROOT, CUT, DONE_CUT | {"id": "6", "para": {}}, response("1")), {}, OPEN),
        ("Toolcall_Redundancy", (ROOT, DONE_CUT, DONE_CUT | {"id": "5"}, response("1", "5")), {}, OPEN),
    ],
)
def test_the_number_of_calls_bears_out_a_tag_or_leaves_it_open(
    error_type: str, nodes: tuple[dict[str, Any], ...], fields: dict[str, Any], expected: Support
) -> None:
    assert support(error_type, *nodes, **fields) is expected


@pytest.mark.parametrize("error_type", MEANINGS)
def test_nothing_is_said_of_plans_that_can_t_be_read(error_type: str) -> None:
    for fields in ({"plan": "{"}, {"tool_list": "?"}, {"fun_call": "?"}):
        assert support(error_type, **fields) is OPEN


def test_the_hand_audit_of_the_shared_samples_is_met(real_data: Path) -> None:
    folder = real_data / "pararecover"
    records = {
        (path.relative_to(folder).as_posix(), one["id"]): one
        for path in folder.glob("*/*.jsonl")
        for one in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    }
    by_verdict: dict[str, list[Support]] = defaultdict(list)
    for line in (folder / "hand_audit.jsonl").read_text(encoding="utf-8").splitlines():
        read = json.loads(line)
        view = make_view(Task("x", (), (), raw=records[read["file"], read["id"]]))
        tag = next(one for one in view.instance.tags if one.text == read["tag"])
        found = find_evidence(view, tag.type).support if tag.type else OPEN
        by_verdict[read["verdict"]].append(found)
    assert {name: len(each) for name, each in by_verdict.items()} == {
        "agree": 35,
        "agree_only_if_placeholders_count": 13,
        "partial": 5,
        "needs_judge": 6,
        "contradicted": 5,
    }
    assert Counter(by_verdict["contradicted"]) == {AGAINST: 4, UNLIKELY: 1}
    assert Counter(by_verdict["agree"]) == {FOUND: 34, OPEN: 1}
    assert set(by_verdict["agree_only_if_placeholders_count"]) == {Support.REFERENCES_ONLY}
    assert set(by_verdict["needs_judge"]) == {OPEN}
    assert Counter(by_verdict["partial"]) == {Support.UNNAMED_ONLY: 3, Support.EXECUTED_ONLY: 1, OPEN: 1}
