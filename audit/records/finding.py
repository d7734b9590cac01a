"""Findings: defects of a benchmark, from checks and from judges' low scores alike."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from audit.records.task import Origin


class Severity(StrEnum):
    """How much a finding matters to whoever releases the benchmark."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


MAX_EVIDENCE = 200
"""Characters of a value that a finding quotes; the rest is cut, and the cut shown."""
SEVERITY_ORDER = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


class Certainty(StrEnum):
    """How a finding is known."""

    PROVED = "proved"
    """Follows from the files alone; wrong only if the rule itself is."""
    LIKELY = "likely"
    """Read from text or by a heuristic; a person should look."""
    JUDGED = "judged"
    """A judge's low score."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What a check looks for.

    Parameters
    ----------
    id
        Stable, in kebab case, such as ``gold-write-fails``. Never reused for another meaning.
    title
        One clause without a period.
    severity, certainty
        What its findings carry unless one says otherwise.
    explanation
        Two to five sentences: what is wrong, why it matters for a benchmark, when it is a false alarm.
    mend
        How to mend it, in one sentence.
    """

    id: str
    title: str
    severity: Severity
    certainty: Certainty
    explanation: str
    mend: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect, at one place.

    Parameters
    ----------
    task_id
        ``None`` for a defect of the policy, the database or the set as a whole.
    origin
        File and JSON path.
    what
        One sentence that names the values that clash.
    evidence
        ``(label, value)`` pairs; untrusted text.
    subject
        What the finding is about, free of positions, so that its fingerprint survives reordering: an id,
        a tool name with its arguments, a sentence.
    line
        1-based line in ``origin.file`` where it is known.
    policy_item
        The policy item that the rule applies, for policy rules.
    is_stable
        False for a judged finding that does not stand on two verdicts or more which all say so.
    """

    rule: str
    severity: Severity
    certainty: Certainty
    task_id: str | None
    origin: Origin
    what: str
    mend: str
    evidence: tuple[tuple[str, str], ...] = ()
    subject: str = ""
    line: int | None = None
    policy_item: str = ""
    is_stable: bool = True

    @property
    def fingerprint(self) -> str:
        """Sixteen hex digits over rule, task and subject; the same after reordering and in every run."""
        text = "\x1f".join((self.rule, self.task_id or "", self.subject or self.what))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def report(
    rule: Rule, what: str, *, origin: Origin, subject: str, evidence: tuple[tuple[str, str], ...] = ()
) -> Finding:
    """Return a finding of ``rule`` with the rule's own severity, certainty and mend.

    Use ``dataclasses.replace`` where one case of a rule is milder or surer than the rule.
    """
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        certainty=rule.certainty,
        task_id=origin.task_id,
        origin=origin,
        what=what,
        mend=rule.mend,
        evidence=tuple((label, _cut(value)) for label, value in evidence),
        subject=subject,
    )


def _cut(value: str) -> str:
    return value if len(value) <= MAX_EVIDENCE else f"{value[: MAX_EVIDENCE - 1]}…"
