"""A gate's result as Markdown for a pull request; what comes from files stands in code spans, where it is only text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.records.finding import Finding
from audit.records.gate import GRAVITY, GateResult, Level
from audit.reports import numbers
from audit.reports.findings_markdown import LIMIT, code
from audit.reports.gate_words import TITLES, describe, name_of, summary_of, why_of

_ICONS = {Level.PASS: "✅", Level.WARN: "⚠️", Level.INCOMPLETE: "❓", Level.FAIL: "❌"}


def render(result: GateResult) -> bytes:
    """Return the text, UTF-8; the same result gives the same bytes."""
    return f"{to_markdown(result)}\n".encode("utf-8", errors="backslashreplace")


def to_markdown(result: GateResult) -> str:
    """Return the text, cut between findings where it would grow too long."""
    head = "\n".join((*_heading(result), *_criteria(result)))
    notes = "\n".join(_notes(result))
    found = "\n".join(_findings(result, room=LIMIT - len(head) - len(notes)))
    return "\n".join(part for part in (head, found, notes) if part)


def _heading(result: GateResult) -> Iterator[str]:
    yield f"## {_ICONS[result.level]} {TITLES[result.level]}: bench-audit gate on {code(result.checked.benchmark.name)}"
    yield ""
    yield f"{summary_of(result).capitalize()}."
    yield ""


def _criteria(result: GateResult) -> Iterator[str]:
    for criterion in sorted(result.criteria, key=lambda each: GRAVITY.index(each.level)):
        level = f"{_ICONS[criterion.level]} **{TITLES[criterion.level]}**"
        yield f"- {level} {code(name_of(criterion))}: {code(why_of(criterion), limit=600)}"
    yield ""


def _findings(result: GateResult, *, room: int) -> Iterator[str]:
    found = _to_show(result)
    if not found:
        return
    yield f"<details open><summary>Findings that count ({numbers.count(len(found))})</summary>"
    yield ""
    for n, finding in enumerate(found):
        entry = f"- {code(describe(finding, result), limit=700)}"
        room -= len(entry) + 1
        if room < 200:
            yield f"- … and {numbers.count(len(found) - n)} more"
            break
        yield entry
    yield ""
    yield "</details>"
    yield ""


def _to_show(result: GateResult) -> Sequence[Finding]:
    """The findings of every criterion that did not pass, each once."""
    bad = (criterion for criterion in result.criteria if criterion.level is not Level.PASS)
    return list({finding.fingerprint: finding for criterion in bad for finding in criterion.findings}.values())


def _notes(result: GateResult) -> Iterator[str]:
    if not result.notes:
        return
    yield "<details><summary>Notes</summary>"
    yield ""
    for note in result.notes:
        yield f"- {code(note, limit=600)}"
    yield ""
    yield "</details>"
