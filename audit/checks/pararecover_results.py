"""The last results and the gold counts of an instance, against its plan."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from audit.checks.pararecover_evidence import unused_tools
from audit.checks.pararecover_view import View
from audit.checks.raw import show
from audit.plans.error_types import SERIAL_ERROR, TOOLCALL_MISSING, TOOLCALL_REDUNDANCY
from audit.plans.instance import RESPONSE, Result
from audit.records.finding import Certainty, Finding, Rule, Severity, report

ELSEWHERE = Rule(
    "plan-results-of-other-calls",
    "The last results are not those of the calls that were due",
    Severity.WARNING,
    Certainty.PROVED,
    "The results should be those of the open nodes whose dependencies are done. Here they are of other calls, or there "
    "are none at all, so plan and results do not show one moment, and the evidence that a diagnosis should cite may be "
    "lacking.",
    "Take the results of the round that the plan shows.",
)
OTHER_VALUES = Rule(
    "plan-call-with-other-values",
    "A call was made with other values than planned",
    Severity.WARNING,
    Certainty.LIKELY,
    "The plan holds the node with definite values, and the call of that tool was made with others. The results say "
    "nothing about the plan then.",
    "Take the results of the planned call.",
)
ANSWERED = Rule(
    "plan-unknown-tool-answered",
    "A tool that is not in the list was called, and the answer does not say so",
    Severity.WARNING,
    Certainty.LIKELY,
    "A call of an unknown tool can only be refused. An answer such as a time-out points whoever diagnoses the plan to "
    "another error than the one in it.",
    "Answer that there is no such tool.",
)
COUNT = Rule(
    "plan-gold-count-impossible",
    "A gold count is missing, no whole number, or does not fit the other one",
    Severity.ERROR,
    Certainty.PROVED,
    "Every call takes at most a round of its own, and the response takes one more. So rounds are at least two and at "
    "most the calls and one. A repair is scored against these counts.",
    "Count the calls and the rounds of the reference plan again.",
)
FASTER = Rule(
    "plan-faster-than-gold",
    "The given plan needs fewer rounds than gold",
    Severity.WARNING,
    Certainty.LIKELY,
    "Nothing has run yet, the plan is a valid graph with as many calls as gold, and it ends sooner. So the gold count "
    "is not the best one, and slow repairs get full marks. It is a false alarm if the plan lacks a needed dependency "
    "that is hard to see.",
    "Count the rounds of the best plan again.",
)
CHAINED_GOLD = Rule(
    "plan-serial-tag-against-gold",
    "The plan is tagged as needlessly serial, and gold takes as many rounds",
    Severity.WARNING,
    Certainty.LIKELY,
    "A needless chain costs a round, so gold should take fewer rounds than this plan. The gold count seems to be that "
    "of the chained plan, and then the tag and the count contradict each other.",
    "Correct the tag or the gold count.",
)
FEWER = Rule(
    "plan-fewer-calls-than-gold",
    "The plan has fewer calls than gold and leaves a tool unused, and no tag says so",
    Severity.WARNING,
    Certainty.LIKELY,
    "A call that the request needs seems to be missing beside the tagged error. A repair that mends only the tagged "
    "one can't succeed. It is a false alarm where nodes were dropped after they ran, or the gold count is too high.",
    "Tag the missing call as well, or correct the gold count.",
)
RULES = (ELSEWHERE, OTHER_VALUES, ANSWERED, COUNT, FASTER, CHAINED_GOLD, FEWER)
_REFUSED = re.compile(
    r"not (?:found|available|exist|recogni[sz]ed|supported|defined|in the|a valid)|unknown|unavailable|no such"
    r"|invalid tool|does(?: not|n't) exist|unrecogni[sz]ed"
    r"|不存在|未找到|找不到|不在|未知|无效的?工具|没有(?:名为|该|这个)",
    re.IGNORECASE,
)


def inspect_results(view: View) -> Iterator[Finding]:
    """Yield what is wrong with the last results and the gold counts."""
    unread = {problem.field.partition("[")[0] for problem in view.instance.problems}
    if view.instance.nodes and "fun_call" not in unread:
        yield from _calls(view)
    yield from _counts(view)
    if view.instance.nodes and not any(True for _ in view.graph.faults()):
        yield from _depth(view)
    if view.instance.nodes and view.instance.tools:
        yield from _fewer(view)


def _calls(view: View) -> Iterator[Finding]:
    due = Counter(node.name for node in view.graph.frontier if node.name)
    made = Counter(result.name for result in view.instance.results if result.name != RESPONSE)
    if due != made:
        what = f"Due were {_names(due)}, and there are results of {_names(made)}."
        yield report(ELSEWHERE, what, origin=view.at("fun_call"), subject="results")
    for result in view.instance.results:
        place = f"fun_call[{result.position}]"
        is_unknown = bool(view.instance.tools) and result.name not in view.instance.tools and result.name != RESPONSE
        if is_unknown and not _REFUSED.search(result.text):
            what = f"{show(result.name)} is not in the list, and the answer does not say so."
            answer = (("answer", show(result.text)),)
            yield report(ANSWERED, what, origin=view.at(f"{place}.results"), subject=result.name, evidence=answer)
        if _has_other_values(view, result):
            what = f"No node of {show(result.name)} has the values that it was called with."
            planned = [node.arguments.raw for node in view.instance.calls if node.name == result.name]
            shown = (("called with", show(result.arguments.raw)), ("planned", show(planned)))
            yield report(OTHER_VALUES, what, origin=view.at(f"{place}.arguments"), subject=result.name, evidence=shown)


def _has_other_values(view: View, result: Result) -> bool:
    """Return whether every node of that tool has a plain number or text that the call does not have."""
    nodes = [node for node in view.instance.calls if node.name == result.name]
    own = result.arguments.named
    return bool(nodes and own) and all(
        any(
            name in own and isinstance(value, int | float) and isinstance(own[name], int | float) and value != own[name]
            for name, value in node.arguments.named.items()
        )
        for node in nodes
    )


def _names(counted: Counter[str]) -> str:
    listed = ", ".join(f"{name} ({n}×)" if n > 1 else name for name, n in counted.items())
    return show(listed) or "none"


def _counts(view: View) -> Iterator[Finding]:
    n_calls, n_rounds = view.instance.n_calls, view.instance.n_rounds
    for name, number in (("funcall_times_gt", n_calls), ("round_gt", n_rounds)):
        if number is None:
            shown = (("value", show(view.task.raw.get(name))),)
            what = f"{name} is no whole number of at least 1."
            yield report(COUNT, what, origin=view.at(name), subject=name, evidence=shown)
    if n_calls is not None and n_rounds is not None and not 2 <= n_rounds <= n_calls + 1:
        what = f"{n_calls} calls can't take {n_rounds} rounds."
        yield report(COUNT, what, origin=view.at("round_gt"), subject="counts")


def _depth(view: View) -> Iterator[Finding]:
    depth, n_calls, n_rounds = view.graph.depth, view.instance.n_calls, view.instance.n_rounds
    if depth is None or n_calls is None or n_rounds is None or len(view.instance.calls) < n_calls:
        return
    order = {error for error in view.instance.types if error.startswith(("Depend", "Parallel", "Serial", "Toolcall"))}
    is_fresh = not any(node.is_done for node in view.instance.calls)
    if is_fresh and not order and depth + 1 < n_rounds and not view.graph.loose_ends:
        what = f"The plan needs {depth + 1} rounds and gold has {n_rounds}."
        yield report(FASTER, what, origin=view.at("round_gt"), subject="rounds")
    is_serial = SERIAL_ERROR in view.instance.types and TOOLCALL_REDUNDANCY not in view.instance.types
    if is_serial and depth + 1 <= n_rounds and len(view.instance.calls) == n_calls:
        what = f"The plan needs {depth + 1} rounds with its needless chain, and gold has {n_rounds}."
        yield report(CHAINED_GOLD, what, origin=view.at("round_gt"), subject="rounds")


def _fewer(view: View) -> Iterator[Finding]:
    n_planned = sum(node.is_call or node.name in view.instance.tools for node in view.instance.nodes)
    n_gold, unused = view.instance.n_calls, unused_tools(view)
    if n_gold is not None and n_planned < n_gold and unused and TOOLCALL_MISSING not in view.instance.types:
        what = f"{n_planned} calls are planned, gold has {n_gold}, and {show(', '.join(unused))} is not used."
        yield report(FEWER, what, origin=view.at("funcall_times_gt"), subject="calls")
