"""The page of one task: its findings, verdicts and texts side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from audit.records.finding import Certainty, Finding
from audit.records.policy import Policy
from audit.records.replay import ReplayedCall
from audit.records.task import Task
from audit.records.verdict import Verdict
from audit.reports import numbers
from audit.reports.nodes import Child, Node, el
from audit.reports.quotes import find, mark, quotes_in
from audit.reports.task_texts import Source, TaskTexts, result_text, task_texts, verdict_sources
from audit.reports.verdict_card import quote_nodes, verdict_card
from audit.reports.visible import anchor, block, line, task_anchor

_SHORT_RESULT = 160


@dataclass(frozen=True, slots=True)
class TaskEvidence:
    """What a run knows of one task.

    Parameters
    ----------
    titles
        Rule id to its title.
    names
        Judge to the name that is shown.
    was_replayed
        Whether there is an environment at all.
    """

    task: Task
    policy: Policy
    verdicts: Sequence[Verdict]
    findings: Sequence[Finding]
    calls: Sequence[ReplayedCall]
    titles: Mapping[str, str]
    names: Mapping[str, str]
    selected: frozenset[str]
    has_trials: bool
    was_replayed: bool


def task_page(evidence: TaskEvidence) -> Node:
    """Return the page of a task."""
    task = evidence.task
    texts = task_texts(task, evidence.findings, calls=evidence.calls, selected=evidence.selected)
    found = _found_quotes(evidence, texts)
    id = line(task.id, limit=80)
    return el(
        "article",
        el("h3", id, cls="id u"),
        el("p", el("span", line(str(task.origin), limit=200), cls="u"), _tags(task), cls="origin"),
        _findings(evidence, texts),
        el(
            "div",
            el(
                "div",
                _part_section("Description", texts.description, evidence, found=found),
                _part_section("Expected behavior", texts.behavior, evidence, found=found),
                _rows(texts.rows, found),
                cls="sources",
            ),
            _verdicts(evidence, found),
            cls="sides",
        ),
        id=task_anchor(task.id),
        cls="task-page",
        tabindex="-1",
        aria_label=f"Task {id}",
    )


def _found_quotes(evidence: TaskEvidence, texts: TaskTexts) -> frozenset[str]:
    quotes = quotes_in(reason for verdict in evidence.verdicts for reason in verdict.reasons)
    if not quotes:
        return frozenset()
    return find(quotes, verdict_sources(texts, policy_text=evidence.policy.text, calls=evidence.calls).values())


def _tags(task: Task) -> Iterable[Child]:
    for tag in task.tags[:12]:
        yield " "
        yield el("span", line(tag, limit=40), cls="tag u")


def _findings(evidence: TaskEvidence, texts: TaskTexts) -> Node | None:
    if not evidence.findings:
        return None
    placed = [finding for finding in evidence.findings if finding not in texts.unplaced]
    return el(
        "section",
        el("h4", f"Findings ({numbers.count(len(evidence.findings))})"),
        el("ul", [_pointer(finding, evidence) for finding in placed], cls="pointers") if placed else None,
        [_finding(finding, evidence) for finding in texts.unplaced],
        cls="task-findings",
    )


def _pointer(finding: Finding, evidence: TaskEvidence) -> Node:
    return el(
        "li",
        severity_badge(finding),
        " ",
        el("a", _title(finding, evidence), href=f"#{anchor('finding', finding.fingerprint)}"),
    )


def severity_badge(finding: Finding) -> Node:
    """Return the severity as a word in its colour."""
    return el("span", finding.severity.value, cls=f"severity {finding.severity.value}")


def _title(finding: Finding, evidence: TaskEvidence) -> str:
    return line(evidence.titles.get(finding.rule, finding.rule))


def _finding(finding: Finding, evidence: TaskEvidence) -> Node:
    is_judged = finding.certainty is Certainty.JUDGED  # its evidence is the verdicts, which stand beside it
    shown = [
        (label, value) for label, value in finding.evidence if not is_judged and value and value not in finding.what
    ]
    place = "" if finding.line is None else f" (line {finding.line})"
    how = "judged, not repeated by every trial" if _is_shaky(finding) else finding.certainty.value
    return el(
        "div",
        el("p", severity_badge(finding), " ", el("strong", _title(finding, evidence)), " ", el("small", how)),
        el("p", line(finding.what, limit=600), cls="u", dir="auto"),
        el("ul", [_evidence(label, value) for label, value in shown], cls="evidence-list") if shown else None,
        el("p", el("span", "To mend: ", cls="mend-word"), line(finding.mend, limit=600), cls="mend u"),
        el("p", el("span", line(f"{finding.rule} {finding.origin.field}{place}", limit=240), cls="u"), cls="origin"),
        id=anchor("finding", finding.fingerprint),
        cls=f"finding {finding.severity.value}",
    )


def _evidence(label: str, value: str) -> Node:
    return el("li", el("span", line(label, limit=60), ": ", cls="muted"), block(value, limit=600), cls="u", dir="auto")


def _is_shaky(finding: Finding) -> bool:
    return finding.certainty is Certainty.JUDGED and not finding.is_stable


def _part_section(title: str, sources: Sequence[Source], evidence: TaskEvidence, *, found: frozenset[str]) -> Node:
    remark = None
    if title == "Expected behavior" and evidence.task.actions and not evidence.was_replayed:
        remark = el("p", "Gold actions were not replayed: no environment is known.", cls="muted")
    none = None if sources else el("p", "None in the file.", cls="muted")
    parts = [_part(source, evidence, found=found) for source in sources]
    return el("section", el("h4", title), remark, parts, none, aria_label=title)


def _part(source: Source, evidence: TaskEvidence, *, found: frozenset[str]) -> Node:
    unused = None if source.is_used else el("span", "not part of this run", cls="tag")
    return el(
        "div",
        el("p", source.label, " ", unused, cls="label u"),
        el("p", quote_nodes(mark(source.text, found)), cls="text u", dir="auto"),
        None if source.call is None else _call(source.call),
        [_finding(finding, evidence) for finding in source.findings],
        el("p", source.origin, cls="origin u"),
        cls="part" if source.is_used else "part unused",
    )


def _call(call: ReplayedCall) -> Node:
    if call.error:
        why = f": {call.detail}" if call.detail else ""
        text = line(f"{call.error}{why}", limit=400)
        return el("p", el("span", "Replay fails: ", cls="fails"), text, cls="replay u")
    text = result_text(call)
    changed = ", ".join(f"{table} {key}" for table, key in call.changed[:12])
    effect = line(f"Replay changes {changed}" if changed else "Replay changes nothing", limit=400)
    head = el("span", effect, cls="effect u")
    if len(text) > _SHORT_RESULT:
        return el("div", head, el("details", el("summary", "what it returns"), el("pre", text, cls="u")), cls="replay")
    return el("div", head, ", returns ", el("code", text, cls="u"), cls="replay")


def _rows(rows: Sequence[Source], found: frozenset[str]) -> Node | None:
    if not rows:
        return None
    parts = [
        el(
            "div",
            el("p", row.label, cls="label u"),
            el("pre", quote_nodes(mark(row.text, found)), cls="u"),
            el("p", row.origin, cls="origin u"),
            cls="part",
        )
        for row in rows
    ]
    return el("details", el("summary", numbers.plural(len(rows), "database row")), parts, cls="rows")


def _verdicts(evidence: TaskEvidence, found: frozenset[str]) -> Node | None:
    if not evidence.verdicts:
        return None
    criteria = list(dict.fromkeys(verdict.criterion for verdict in evidence.verdicts))
    ordered = sorted(evidence.verdicts, key=lambda verdict: criteria.index(verdict.criterion))
    cards = [
        verdict_card(
            verdict,
            (evidence.names.get(verdict.judge, verdict.judge), verdict.trial if evidence.has_trials else None),
            policy=evidence.policy,
            found=found,
        )
        for verdict in ordered
    ]
    return el("section", el("h4", "Verdicts"), cards, cls="verdicts", aria_label="Verdicts")
