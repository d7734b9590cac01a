"""Calls of plans against the tools, and what they refer to; only what no tag names already."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from audit.checks.pararecover_view import View
from audit.checks.raw import show
from audit.plans import error_types as types
from audit.plans.references import ValueKind
from audit.plans.schema import Fault, FaultKind
from audit.records.finding import Certainty, Finding, Rule, Severity, report

UNTAGGED = Rule(
    "plan-error-untagged",
    "An open call has an error of a type that the instance is not tagged with",
    Severity.WARNING,
    Certainty.PROVED,
    "The tool, a parameter, or a value's type is wrong by the schemas of the instance, and no tag says so. A repair "
    "that mends it goes beyond the expected one, and one that does not will fail at the call. Texts that stand for "
    "later results are not counted here.",
    "Mend the call, or tag the error as well.",
)
CLASH = Rule(
    "plan-arguments-clash",
    "The arguments of a call are several objects that disagree",
    Severity.WARNING,
    Certainty.PROVED,
    "The arguments are a list of objects which together are one set, and a parameter has several values in it. They "
    "are kept as they stand; which of the values is meant can't be told.",
    "Keep one of the values.",
)
UNNAMED = Rule(
    "plan-values-without-names",
    "A call gives values without names, and no tag says so",
    Severity.NOTE,
    Certainty.PROVED,
    "The values stand in a list, so that a reader has to guess which parameter each of them is for. The simulated "
    "tools take such calls at times and reject them at others.",
    "Name the parameters, or tag the error.",
)
REFERENCE = Rule(
    "plan-reference-in-typed-parameter",
    "A text stands for a later result where the tool wants another type",
    Severity.NOTE,
    Certainty.LIKELY,
    "The text names the result of another node, and the schema asks for a list, an object or a number. A plan has no "
    "other way to say so, and in some instances exactly this is tagged as a wrong type. It is listed apart from values "
    "that are wrong whatever they mean.",
    "Say whether such texts are errors, and tag all of them alike.",
)
TARGET = Rule(
    "plan-reference-astray",
    "A text stands for the result of a node that can't give it",
    Severity.WARNING,
    Certainty.LIKELY,
    "It names no node of the plan, the node itself, or a node that it does not wait for, so there is no result yet "
    "when the call is made. No tag is about the order of the plan. It is a false alarm where the wording means "
    "something else.",
    "Mend the reference or the dependency, or tag the error.",
)
LEAK = Rule(
    "plan-description-tells-error",
    "The description of an open node gives the tagged error away",
    Severity.WARNING,
    Certainty.LIKELY,
    "The node has not run, and its description says what is wrong with it. Whoever repairs the plan can read the "
    "answer off. It is a false alarm where the words are part of the request.",
    "Take the remark out of the description.",
)
RULES = (UNTAGGED, CLASH, UNNAMED, REFERENCE, TARGET, LEAK)

_TYPES: Mapping[FaultKind, tuple[str, ...]] = {
    FaultKind.UNKNOWN_TOOL: (types.TOOL_NAME_ERROR,),
    FaultKind.UNKNOWN_PARAMETER: (types.PARAMETER_ERROR,),
    FaultKind.MISSING: (types.PARAMETER_MISSING, types.PARAMETER_ERROR),
    FaultKind.TYPE: (types.TYPE_ERROR,),
    FaultKind.INVALID: (types.PARAMETER_INVALID, types.PARAMETER_MISSING, types.TYPE_ERROR),
}
"""The tags that speak for a fault; a renamed parameter is missing as well."""
_ABOUT_NAMES = {types.PARAMETER_ERROR, types.PARAMETER_MISSING, types.TYPE_ERROR}
_ABOUT_ORDER = {types.DEPENDENCE_ERROR, types.DEPENDENCE_NULL, types.PARALLELISM_ERROR, types.SERIAL_ERROR}
_GIVEAWAYS: Mapping[str, re.Pattern[str]] = {
    types.PARAMETER_ERROR: re.compile(r"(?:wrong|incorrect|invalid|unknown) parameter name|参数名称?错误", re.I),
    types.PARAMETER_MISSING: re.compile(
        r"\b(?:is|are|field|parameter) missing\b|missing (?:the )?\w+ parameter|缺少参数|参数缺失", re.I
    ),
    types.TYPE_ERROR: re.compile(
        r"(?:wrong|incorrect|invalid|mismatched) (?:data )?type|type (?:error|mismatch)|类型错误", re.I
    ),
    types.PARAMETER_INVALID: re.compile(r"(?:invalid|illegal|impossible) (?:\w+ )?(?:value|date|parameter)|非法", re.I),
    types.TOOL_NAME_ERROR: re.compile(r"(?:wrong|incorrect|invalid|unknown|non-?existent) tool|工具名称?错误", re.I),
    types.TOOL_SELECT_ERROR: re.compile(r"(?:wrong|unsuitable|inappropriate) tool|工具选择错误", re.I),
    types.TOOLCALL_REDUNDANCY: re.compile(r"redundan|unnecessar|冗余|多余", re.I),
    types.SERIAL_ERROR: re.compile(r"(?:serial|parallel)(?: execution)? error|错误[串并]行", re.I),
    types.PARALLELISM_ERROR: re.compile(r"(?:serial|parallel)(?: execution)? error|错误[串并]行", re.I),
    types.DEPENDENCE_ERROR: re.compile(r"(?:wrong|incorrect) dependenc|dependency error|依赖(?:关系)?错误", re.I),
    types.DEPENDENCE_NULL: re.compile(r"missing dependenc|dependenc\w+ (?:is|are) missing|依赖(?:关系)?缺失", re.I),
}


def inspect_calls(view: View) -> Iterator[Finding]:
    """Yield what is wrong with the calls beyond what is tagged."""
    tagged = view.instance.types
    for fault in view.faults:
        if not fault.node.is_done:
            yield from _of_fault(view, fault)
    yield from _references(view)
    if not tagged & _ABOUT_ORDER:
        yield from _astray(view)
    yield from _giveaways(view)


def _of_fault(view: View, fault: Fault) -> Iterator[Finding]:
    rule = _rule_of(fault, view.instance.types)
    if rule is not None:
        yield report(
            rule,
            f"Node {fault.what}.",
            origin=view.at(fault.field),
            subject=f"{fault.kind} {fault.node.id} {fault.parameter}",
            evidence=(("call", show(fault.node.name)), ("value", show(fault.value))),
        )


def _rule_of(fault: Fault, tagged: frozenset[str]) -> Rule | None:
    """Return the rule that a fault of an open call breaks, if no tag speaks for it."""
    if fault.kind is FaultKind.CLASH:
        return CLASH
    if fault.kind is FaultKind.POSITIONAL:
        return None if tagged & _ABOUT_NAMES else UNNAMED
    return UNTAGGED if fault.kind in _TYPES and not tagged & set(_TYPES[fault.kind]) else None


def _references(view: View) -> Iterator[Finding]:
    faults = [fault for fault in view.faults if fault.kind is FaultKind.REFERENCE]
    if faults:
        nodes = ", ".join(dict.fromkeys(fault.node.id for fault in faults))
        n = len(faults)
        stand = "value stands" if n == 1 else "values stand"
        what = f"{n} {stand} for a result in place of another type, at {show(nodes)}."
        shown = tuple((show(f"{fault.node.id} {fault.parameter}"), show(fault.value)) for fault in faults[:4])
        yield report(REFERENCE, what, origin=view.at(faults[0].field), subject=nodes, evidence=shown)


def _astray(view: View) -> Iterator[Finding]:
    for node in view.open_calls:
        reading = view.references.targets(node)
        reason = ""
        if node.id in reading.targets:
            reason = f"{node.id!r} refers to its own result"
        elif reading.missing and reading.kind is not ValueKind.LITERAL:
            reason = f"{node.id!r} refers to {', '.join(map(repr, reading.missing))}, which is no node"
        else:
            ahead = view.graph.ancestors(node.id) | {"root"}
            late = [name for name in reading.targets if name not in ahead]
            if late:
                reason = f"{node.id!r} refers to {', '.join(map(repr, late))} and does not wait for it"
        if reason:
            shown = (("arguments", show(node.arguments.raw)),)
            yield report(TARGET, f"{reason}.", origin=view.at(f"{node.field}.para"), subject=node.id, evidence=shown)


def _giveaways(view: View) -> Iterator[Finding]:
    for node in view.open_calls:
        for error_type in sorted(view.instance.types & _GIVEAWAYS.keys()):
            match = _GIVEAWAYS[error_type].search(node.description)
            if match and match[0].lower() not in view.instance.query.lower():
                what = f"The description of {node.id!r} says {show(match[0])}, and the tag is {error_type}."
                shown = (("description", show(node.description)),)
                yield report(
                    LEAK, what, origin=view.at(f"{node.field}.desc"), subject=f"{node.id} {error_type}", evidence=shown
                )
                break
