"""Plans as they are given: readable, a graph without cycles, with ends, and with statuses that fit."""

from __future__ import annotations

from collections.abc import Iterator

from audit.checks.pararecover_view import View, reports_result
from audit.checks.raw import show
from audit.plans.error_types import DEPENDENCE_ERROR, DEPENDENCE_NULL, PARALLELISM_ERROR, SERIAL_ERROR
from audit.plans.instance import RESPONSE
from audit.records.finding import Certainty, Finding, Rule, Severity, report

UNREADABLE = Rule(
    "plan-unreadable",
    "A field of an instance can't be read as what it should be",
    Severity.ERROR,
    Certainty.PROVED,
    "Tool list, plan and results are JSON, often inside a text. Where that text is no JSON, says a key twice or is "
    "shaped otherwise, agents are shown something that no program can follow. Nothing is repaired.",
    "Write the field anew.",
)
GRAPH = Rule(
    "plan-no-graph",
    "The given plan is no valid graph, and no tag says so",
    Severity.WARNING,
    Certainty.PROVED,
    "Dependencies on nodes that do not exist, cycles and repeated ids make a plan that can't be carried out. Where no "
    "tag is about dependencies, a repair that mends this is not asked for, and one that does not can't be carried "
    "out.",
    "Mend the dependencies, or tag the error.",
)
ENDS = Rule(
    "plan-without-ends",
    "A plan lacks its root or its response, or has more than one",
    Severity.WARNING,
    Certainty.PROVED,
    "A plan begins at one node root and ends at one node response. Programs take a plan without response for finished, "
    "so that nothing would have to be done at all.",
    "Add the missing node, or drop the second one.",
)
ROOT_CALLS = Rule(
    "plan-end-calls-tool",
    "The root or the response of a plan is a call of a tool",
    Severity.NOTE,
    Certainty.PROVED,
    "Root and response stand for beginning and end. A tool that is called there counts as done from the start, without "
    "any result, or never runs.",
    "Give the call a node of its own.",
)
LOOSE = Rule(
    "plan-loose-end",
    "The result of a node goes nowhere",
    Severity.NOTE,
    Certainty.LIKELY,
    "No node waits for it, not even the response. Either it is not needed or a dependency is missing, and no tag says "
    "which. Nodes that failed and were replaced by others are left behind in this way, too.",
    "Let the response depend on it, drop it, or tag the error.",
)
STATUS = Rule(
    "plan-done-before-its-time",
    "A node counts as done while a node that it waits for is open",
    Severity.WARNING,
    Certainty.PROVED,
    "A node runs after all nodes that it depends on. This plan can't have come about by the rules, so a judge of "
    "statuses has no right answer to hold a repair against.",
    "Correct the statuses or the dependency.",
)
UNMARKED = Rule(
    "plan-outcome-on-open-node",
    "A node counts as open, and its description tells what came of it",
    Severity.NOTE,
    Certainty.LIKELY,
    "By the rules a node that ran counts as done, also when it failed, and is repeated as a new node. Here it may run "
    "again, and whether a repair has to mend the status is left open.",
    "Set the status, or take the outcome out of the description.",
)
RULES = (UNREADABLE, GRAPH, ENDS, ROOT_CALLS, LOOSE, STATUS, UNMARKED)

_ABOUT_DEPENDENCIES = {DEPENDENCE_ERROR, DEPENDENCE_NULL}


def inspect_plan(view: View) -> Iterator[Finding]:
    """Yield what is wrong with the plan as such."""
    for problem in view.instance.problems:
        yield report(
            UNREADABLE, f"{problem.field}: {problem.what}.", origin=view.at(problem.field), subject=problem.field
        )
    if not view.instance.nodes:
        return
    yield from _graph(view)
    yield from _ends(view)
    yield from _statuses(view)


def _graph(view: View) -> Iterator[Finding]:
    if not view.instance.types & _ABOUT_DEPENDENCIES:
        for fault in view.graph.faults():
            what = f"{fault.what[0].upper()}{fault.what[1:]}."
            yield report(GRAPH, what, origin=view.at("plan.tasks"), subject=f"{fault.kind} {fault.node}")
    loose = [node.id for node in view.graph.loose_ends]
    is_tagged = view.instance.types & {*_ABOUT_DEPENDENCIES, PARALLELISM_ERROR, SERIAL_ERROR}
    if loose and not is_tagged and RESPONSE in view.graph.by_id:
        what = f"Nothing waits for {', '.join(map(show, loose))}."
        yield report(LOOSE, what, origin=view.at("plan.tasks"), subject=" ".join(sorted(loose)))


def _ends(view: View) -> Iterator[Finding]:
    for missing in view.graph.ends():
        yield report(ENDS, f"The plan has {missing}.", origin=view.at("plan.tasks"), subject=missing)
    for node in view.graph.by_id.values():
        if not node.is_call and node.name in view.instance.tools:
            what = f"{node.id} calls {show(node.name)}."
            yield report(ROOT_CALLS, what, origin=view.at(node.field), subject=f"{node.id} {node.name}")


def _statuses(view: View) -> Iterator[Finding]:
    by_id = view.graph.by_id
    for node in by_id.values():
        waits = [name for name in view.graph.before[node.id] if not by_id[name].is_done]
        if node.is_done and waits:
            what = f"{node.id!r} is done and waits for {', '.join(map(show, waits))}, still open."
            yield report(STATUS, what, origin=view.at(f"{node.field}.status"), subject=node.id)
        elif node.is_call and not node.is_done and reports_result(node.description):
            what = f"{node.id!r} is open, and its description tells an outcome."
            shown = (("description", show(node.description[-160:])),)
            yield report(UNMARKED, what, origin=view.at(f"{node.field}.desc"), subject=node.id, evidence=shown)
