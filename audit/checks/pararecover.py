"""Benchmarks whose tasks are plans to repair: what can be told from the files alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from audit.checks import pararecover_calls, pararecover_plan, pararecover_results, pararecover_tags
from audit.checks.pararecover_calls import inspect_calls
from audit.checks.pararecover_plan import inspect_plan
from audit.checks.pararecover_results import inspect_results
from audit.checks.pararecover_tags import TagFact, inspect_tags, inspect_tags_of_set
from audit.checks.pararecover_view import View, call_text, failed, make_view
from audit.checks.protocol import Check, Subject
from audit.checks.raw import show
from audit.plans import error_types as types
from audit.plans.instance import is_instance
from audit.plans.schema import FaultKind
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Origin

OTHER_TAG = Rule(
    "plan-same-defect-other-tags",
    "The same faulty call is tagged in two ways",
    Severity.WARNING,
    Certainty.LIKELY,
    "Two instances of one request hold the same open call with the same fault, and their tags about parameters "
    "differ. At least one of the tags is wrong or incomplete. It is a false alarm where other calls account for the "
    "difference.",
    "Tag the same fault alike.",
)
NO_FAILURE = Rule(
    "plan-results-show-no-failure",
    "In many instances no result of the last round fails",
    Severity.NOTE,
    Certainty.LIKELY,
    "Diagnoses are graded on citing what the tools returned. Where every result is a success, or there is none, there "
    "is nothing of that kind to cite, and the grade says little.",
    "Say that evidence from results is graded only where there is some.",
)
_PARAMETER_TYPES = {types.PARAMETER_ERROR, types.PARAMETER_INVALID, types.PARAMETER_MISSING, types.TYPE_ERROR}
_KINDS = (FaultKind.POSITIONAL, FaultKind.UNKNOWN_PARAMETER, FaultKind.MISSING, FaultKind.TYPE)


@dataclass(frozen=True, slots=True)
class _Faulty:
    """A faulty open call, with the tags about parameters of its instance."""

    task_id: str
    origin: Origin
    tags: frozenset[str]


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the findings of every instance, one instance at a time, then those of the whole set."""
    facts: list[TagFact] = []
    faulty: dict[str, list[_Faulty]] = defaultdict(list)
    quiet: dict[str, list[bool]] = defaultdict(list)
    for task in subject.benchmark.tasks:
        if is_instance(task.raw):
            view = make_view(task)
            yield from inspect_plan(view)
            yield from inspect_tags(view, facts)
            yield from inspect_calls(view)
            yield from inspect_results(view)
            _note_faulty(view, faulty)
            quiet[task.origin.file].append(not any(failed(result.text) for result in view.instance.results))
    yield from inspect_tags_of_set(facts)
    yield from _tagged_otherwise(faulty)
    yield from _without_failure(quiet)


def _note_faulty(view: View, faulty: dict[str, list[_Faulty]]) -> None:
    tags = frozenset(view.instance.types & _PARAMETER_TYPES)
    seen: set[str] = set()
    for fault in view.open_faults(*_KINDS):
        key = f"{view.instance.query} {call_text(fault.node)}"
        if tags and key not in seen:
            seen.add(key)
            faulty[key].append(_Faulty(view.task.id, view.at(fault.field), tags))


def _tagged_otherwise(faulty: Mapping[str, list[_Faulty]]) -> Iterator[Finding]:
    reported: set[tuple[str, str]] = set()
    for group in faulty.values():
        for one in group[1:]:
            first = next(other for other in group if other.tags == one.tags or other is group[0])
            pair = (group[0].task_id, one.task_id)
            if first.tags != one.tags and pair not in reported:
                reported.add(pair)
                what = f"A call is faulty in the same way as in {show(first.task_id)}, and the tags differ."
                shown = (
                    ("tags", show(", ".join(sorted(one.tags)))),
                    (f"tags of {show(first.task_id)}", show(", ".join(sorted(first.tags)))),
                )
                yield report(OTHER_TAG, what, origin=one.origin, subject=f"as {first.task_id}", evidence=shown)


def _without_failure(quiet: Mapping[str, list[bool]]) -> Iterator[Finding]:
    for file, told in quiet.items():
        if any(told):
            what = f"In {sum(told)} of {len(told)} instances no result of the last round fails."
            yield report(NO_FAILURE, what, origin=Origin(file, ""), subject=file)


CHECK = Check(
    "pararecover",
    (
        *pararecover_plan.RULES,
        *pararecover_tags.RULES,
        *pararecover_calls.RULES,
        *pararecover_results.RULES,
        OTHER_TAG,
        NO_FAILURE,
    ),
    inspect,
)
