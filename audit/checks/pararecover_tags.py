"""Tags of plans: the error that a plan is said to have, against the plan."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from audit.checks.pararecover_evidence import find_evidence
from audit.checks.pararecover_support import Evidence, Support
from audit.checks.pararecover_view import View, call_text, timed_out
from audit.checks.raw import show
from audit.plans.error_types import EXCEPTION_HANDLING, MEANINGS, PARALLELISM_ERROR, SERIAL_ERROR
from audit.plans.instance import Node, Tag
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Origin

CONTRADICTED = Rule(
    "plan-tag-contradicted",
    "A plan does not have the error that it is tagged with",
    Severity.ERROR,
    Certainty.PROVED,
    "Whoever repairs the plan is graded on finding an error that is not in it. The tag is held against what has not "
    "run yet: names and types against the tools' schemas, order against the dependencies, results against what came "
    "back. Where only signs speak against the tag it is a warning.",
    "Correct the tag, or plant the error that it names.",
)
REFERENCES = Rule(
    "plan-tag-rests-on-references",
    "A tag holds only if texts that stand for later results count as errors",
    Severity.NOTE,
    Certainty.LIKELY,
    "The only values that can be meant are texts such as the result of an earlier node. A plan can't be written "
    "without them, and no schema allows for them. Whether they are errors is for the benchmark to say, and the same "
    "texts go untagged elsewhere.",
    "Say whether such texts are errors, and tag all of them alike.",
)
WEAK = Rule(
    "plan-tag-weak",
    "What a tag names is there only in another sense",
    Severity.NOTE,
    Certainty.LIKELY,
    "The error is in a call that has run already, while the types speak of open ones, or values without names are "
    "counted as missing or misnamed parameters. A good repair may pass over it.",
    "Check what the tag means, and move the error to an open call.",
)
RETRY = Rule(
    "plan-tag-on-allowed-retry",
    "A retry is tagged as an error, and the rules allow it",
    Severity.NOTE,
    Certainty.LIKELY,
    "A call that timed out is repeated as it was. The agent's own rules allow up to three retries after a failure that "
    "is not the caller's fault, so a plan that keeps to the rules gets the tag.",
    "Drop the tag, or say in the rules which retries are wrong.",
)
UNKNOWN = Rule(
    "plan-tag-unknown",
    "A tag is none of the fourteen types",
    Severity.NOTE,
    Certainty.PROVED,
    "The tag has no definition among the types that the benchmark is reported by, so such instances are in no row of "
    "its tables, and a judge has to guess what it means. It is kept as it stands.",
    "Define the type, or give the instances one of the fourteen.",
)
SWAPPED = Rule(
    "plan-tags-swapped",
    "The tags for wrong chains and wrong parallel calls seem to be swapped",
    Severity.WARNING,
    Certainty.LIKELY,
    "In most instances of a file with one of the two tags, the plan shows the contrary error. Tags are shown and "
    "counted as they stand; nothing is swapped back. It is a false alarm where the few instances at hand are not "
    "typical.",
    "Swap the two tags in this file, after reading some of its instances.",
)
NO_TAG = Rule(
    "plan-without-tag",
    "An instance has no tag",
    Severity.WARNING,
    Certainty.PROVED,
    "No error is named, so a diagnosis has nothing to be held against. The gold counts are all that is expected.",
    "Tag the instance, or leave it out.",
)
RULES = (CONTRADICTED, REFERENCES, WEAK, RETRY, UNKNOWN, SWAPPED, NO_TAG)
_CONTRARY = {SERIAL_ERROR: PARALLELISM_ERROR, PARALLELISM_ERROR: SERIAL_ERROR}
_AGAINST = (Support.CONTRADICTED, Support.UNLIKELY)
_SAID = {
    Support.CONTRADICTED: (CONTRADICTED, "is not borne out"),
    Support.UNLIKELY: (CONTRADICTED, "is hardly borne out"),
    Support.REFERENCES_ONLY: (REFERENCES, "can only mean this"),
    Support.EXECUTED_ONLY: (WEAK, f"holds {Support.EXECUTED_ONLY}"),
    Support.UNNAMED_ONLY: (WEAK, f"holds {Support.UNNAMED_ONLY}"),
}
LEAST_SWAPPED = 2


@dataclass(frozen=True, slots=True)
class TagFact:
    """What the whole set needs of a tag."""

    file: str
    tag: str
    type: str | None
    is_against: bool


def inspect_tags(view: View, facts: list[TagFact]) -> Iterator[Finding]:
    """Yield what is wrong with an instance's tags, and add what the whole set needs."""
    if not view.instance.tags:
        yield report(NO_TAG, "No error is named.", origin=view.at("tag"), subject="no tag")
    for tag in view.instance.tags:
        evidence = find_evidence(view, tag.type) if tag.type is not None else None
        is_against = evidence is not None and evidence.support in _AGAINST
        facts.append(TagFact(view.task.origin.file, tag.text, tag.type, is_against))
        if evidence is not None:
            yield from _findings(view, tag, evidence)
        elif tag.text == EXCEPTION_HANDLING:
            yield from _retries(view, tag)


def _findings(view: View, tag: Tag, evidence: Evidence) -> Iterator[Finding]:
    if evidence.support not in _SAID:
        return
    rule, says = _SAID[evidence.support]
    made = report(
        rule,
        f"{tag.text} {says}: {evidence.why}.",
        origin=view.at(tag.field),
        subject=tag.text,
        evidence=(("tag", f"{tag.text}: {MEANINGS[tag.type or '']}"), ("at", evidence.field)),
    )
    is_sure = evidence.support is not Support.UNLIKELY
    yield made if is_sure else replace(made, severity=Severity.WARNING, certainty=Certainty.LIKELY)


def _retries(view: View, tag: Tag) -> Iterator[Finding]:
    for node in view.open_calls:
        twin = _timed_out_twin(view, node)
        if twin is not None:
            what = f"{node.id!r} repeats a call of {node.name} that timed out, and the rules allow that."
            evidence = (("tag", tag.text), ("what came before", show(twin)))
            yield report(RETRY, what, origin=view.at(tag.field), subject=tag.text, evidence=evidence)
            return


def _timed_out_twin(view: View, node: Node) -> str | None:
    """Return what tells that the call of a node was made before and timed out."""
    own = call_text(node)
    for other in view.instance.calls:
        if other.name and call_text(other) == own and timed_out(other.description):
            return other.description
    return None


def inspect_tags_of_set(facts: Sequence[TagFact]) -> Iterator[Finding]:
    """Yield what the tags of all instances together show."""
    unknown = Counter((fact.file, fact.tag) for fact in facts if fact.type is None)
    for (file, tag), n in unknown.items():
        what = f"{n} {'instance has' if n == 1 else 'instances have'} the tag {show(tag)}, which is none of the types."
        yield report(UNKNOWN, what, origin=Origin(file, ""), subject=f"{file} {tag}", evidence=(("tag", show(tag)),))
    by_file: dict[str, list[TagFact]] = defaultdict(list)
    for fact in facts:
        if fact.type in _CONTRARY:
            by_file[fact.file].append(fact)
    for file, ordered in by_file.items():
        n = sum(fact.is_against for fact in ordered)
        if n >= LEAST_SWAPPED and 2 * n > len(ordered):
            what = f"{n} of {len(ordered)} tags {SERIAL_ERROR} and {PARALLELISM_ERROR} are on plans without that error."
            yield report(SWAPPED, what, origin=Origin(file, ""), subject=file)
