"""Whether a plan bears out the error that it is tagged with: one test a type of error."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from audit.checks.pararecover_order import dependence_error, dependence_null, parallelism_error, serial_error
from audit.checks.pararecover_support import UNDECIDED, Evidence, Support, against, found
from audit.checks.pararecover_view import View, is_empty_result, timed_out
from audit.plans import error_types as types
from audit.plans.arguments import Shape
from audit.plans.schema import Fault, FaultKind

_PLAIN = (Shape.ABSENT, Shape.NULL, Shape.EMPTY_LIST, Shape.EMPTY_OBJECT, Shape.OBJECT)
_SAYS_EMPTY = re.compile(
    r"\bempty\b|\bnull\b|\bnone\b|\bno (?:results?|data|match\w*|items?|records?|entries)\b|not found|nothing"
    r"|空|未找到|没有找到|无结果|没有结果|无数据",
    re.IGNORECASE,
)


def find_evidence(view: View, error_type: str) -> Evidence:
    """Return how far a plan bears out a type of error; undecided where the plan could not be read."""
    unread = {problem.field.partition("[")[0] for problem in view.instance.problems}
    if unread & {"plan", "tool_list", "fun_call"} or not view.instance.nodes:
        return UNDECIDED
    return _TESTS[error_type](view)


def _parameter_error(view: View) -> Evidence:
    return _argument_error(view, FaultKind.UNKNOWN_PARAMETER, "every open call gives parameters that its tool defines")


def _parameter_missing(view: View) -> Evidence:
    if any(_requires_nothing_known(view, node.name) for node in view.open_calls):
        return _first(view, FaultKind.MISSING) or UNDECIDED
    return _argument_error(view, FaultKind.MISSING, "every open call gives all that its tool requires")


def _requires_nothing_known(view: View, name: str) -> bool:
    return name in view.instance.tools and view.instance.tools[name].required is None


def _type_error(view: View) -> Evidence:
    sign = _first(view, FaultKind.TYPE)
    if sign is None and (references := view.open_faults(FaultKind.REFERENCE)):
        return Evidence(Support.REFERENCES_ONLY, _all(references), references[0].field)
    if sign is None and any(node.arguments.shape not in _PLAIN for node in view.open_calls):
        return _executed(view, FaultKind.TYPE) or UNDECIDED
    return sign or _argument_error(view, FaultKind.TYPE, "every open call gives values of the right types")


def _parameter_invalid(view: View) -> Evidence:
    sign = _first(view, FaultKind.INVALID)
    references = view.open_faults(FaultKind.REFERENCE, FaultKind.TEXT_REFERENCE)
    if sign is None and references:
        return Evidence(Support.REFERENCES_ONLY, _all(references), references[0].field)
    return sign or _executed(view, FaultKind.INVALID) or UNDECIDED


def _tool_name_error(view: View) -> Evidence:
    unknown = [result for result in view.instance.results if result.name not in view.instance.tools]
    if unknown and _first(view, FaultKind.UNKNOWN_TOOL) is None:
        return Evidence(Support.EXECUTED_ONLY, f"{unknown[0].name!r} was called", f"fun_call[{unknown[0].position}]")
    return _argument_error(view, FaultKind.UNKNOWN_TOOL, "every call names a tool of the list")


def _argument_error(view: View, kind: FaultKind, otherwise: str) -> Evidence:
    """Return evidence for a fault of open calls, else why it is not there; undecided where a call can't be compared."""
    sign = _first(view, kind) or _executed(view, kind)
    if sign is not None:
        return sign
    if kind is not FaultKind.UNKNOWN_TOOL and (unnamed := view.open_faults(FaultKind.POSITIONAL)):
        return Evidence(Support.UNNAMED_ONLY, _all(unnamed), unnamed[0].field)
    is_unclear = view.open_faults(FaultKind.UNKNOWN_TOOL, FaultKind.CLASH) or any(
        not node.name for node in view.open_calls
    )
    return UNDECIDED if is_unclear else against(otherwise)


def _first(view: View, kind: FaultKind) -> Evidence | None:
    faults = view.open_faults(kind)
    return found(_all(faults), faults[0].field) if faults else None


def _executed(view: View, kind: FaultKind) -> Evidence | None:
    faults = view.done_faults(kind)
    return Evidence(Support.EXECUTED_ONLY, _all(faults), faults[0].field) if faults else None


def _all(faults: Sequence[Fault]) -> str:
    more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
    return f"{faults[0].what}{more}"


def _null_error(view: View) -> Evidence:
    results = view.instance.results
    for result in results:
        if is_empty_result(result.text):
            return found(f"the result of {result.name} is empty", f"fun_call[{result.position}].results")
    told = [*(result.text for result in results), *(node.description for node in view.instance.calls)]
    if not results or any(_SAYS_EMPTY.search(text) for text in told):
        return UNDECIDED
    late = [result for result in results if timed_out(result.text)]
    if late:
        why = f"no result is empty, and that of {late[0].name} tells of a time-out"
        return against(why, f"fun_call[{late[0].position}].results")
    return against("no result is empty", "fun_call", is_proved=False)


def _timeout_error(view: View) -> Evidence:
    for result in view.instance.results:
        if timed_out(result.text):
            return found(f"the result of {result.name} tells of it", f"fun_call[{result.position}].results")
    for node in view.instance.calls:
        if timed_out(node.description):
            return found(f"the description of {node.id!r} tells of it", f"{node.field}.desc")
    if not view.instance.results:
        return UNDECIDED
    return against("no result and no description tells of a time-out", "fun_call", is_proved=False)


def _tool_select_error(view: View) -> Evidence:
    if len(view.instance.tools) < 2:
        return against("there is no other tool in the list", "tool_list")
    return UNDECIDED


def _toolcall_missing(view: View) -> Evidence:
    unused = unused_tools(view)
    n_planned, n_gold = len(view.instance.calls), view.instance.n_calls
    if n_gold is not None and n_planned < n_gold and unused:
        return found(f"{n_planned} calls are planned, gold needs {n_gold}, and {unused[0]} is not used")
    return UNDECIDED


def unused_tools(view: View) -> list[str]:
    """Return the tools of the list that no node calls."""
    used = {node.name for node in view.instance.nodes}
    return [name for name in view.instance.tools if name not in used]


def _toolcall_redundancy(view: View) -> Evidence:
    for group in view.repeated:
        return found(f"{group[0].id!r} and {group[1].id!r} are the same call", group[1].field)
    n_planned, n_gold = len(view.instance.calls), view.instance.n_calls
    if n_gold is not None and n_planned > n_gold:
        return found(f"{n_planned} calls are planned and gold needs {n_gold}")
    for end in view.graph.loose_ends:
        if not end.is_done:
            return found(f"nothing uses the result of {end.id!r}", end.field)
    return UNDECIDED


_TESTS: Mapping[str, Callable[[View], Evidence]] = {
    types.DEPENDENCE_ERROR: dependence_error,
    types.DEPENDENCE_NULL: dependence_null,
    types.PARALLELISM_ERROR: parallelism_error,
    types.SERIAL_ERROR: serial_error,
    types.PARAMETER_ERROR: _parameter_error,
    types.PARAMETER_INVALID: _parameter_invalid,
    types.PARAMETER_MISSING: _parameter_missing,
    types.TYPE_ERROR: _type_error,
    types.NULL_ERROR: _null_error,
    types.TIMEOUT_ERROR: _timeout_error,
    types.TOOL_NAME_ERROR: _tool_name_error,
    types.TOOL_SELECT_ERROR: _tool_select_error,
    types.TOOLCALL_MISSING: _toolcall_missing,
    types.TOOLCALL_REDUNDANCY: _toolcall_redundancy,
}
