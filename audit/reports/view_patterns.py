"""What the low scores have in common, as strings for the template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit.records.codebook import CodeOrigin
from audit.records.pattern import FailurePattern, FailurePatterns
from audit.records.run import RunResult
from audit.reports import numbers
from audit.reports.labels import judge_names
from audit.reports.view_links import Link, task_link
from audit.reports.visible import block, line

N_LINKS = 6
STEADY, FAIRLY = 0.8, 0.6
"""Adjusted Rand index from which a grouping is called steady, or fairly so."""
RELIED_ON = 0.5
"""Likeness to its redraws below which a pattern should not be relied on (Hennig 2007)."""
FOUND = "Found: "
"""What the name of a group begins with that nobody has named yet."""
ORIGINS: Mapping[CodeOrigin, str] = {
    CodeOrigin.START: "known kind",
    CodeOrigin.FOUND: "found in this run",
    CodeOrigin.REVIEWED: "reviewed codebook",
}


@dataclass(frozen=True, slots=True)
class PatternRow:
    """A group of reasons.

    Parameters
    ----------
    width
        Of its bar, in percent of the most frequent one's.
    returns
        How alike its redraws are, and whether that is enough to rely on it.
    """

    name: str
    origin: str
    about: str
    n: str
    share: str
    width: str
    n_tasks: str
    links: tuple[Link, ...]
    more: str
    example: str
    example_of: tuple[Link, ...]
    example_judge: str
    returns: str
    is_shaky: bool
    is_fault: bool
    trust: str


@dataclass(frozen=True, slots=True)
class PatternsView:
    """The patterns, the sentence on how far they can be relied on, or why there are none."""

    sentence: str
    steadiness: str
    rows: tuple[PatternRow, ...]
    problem: str
    trust: str
    first: str
    """What most of them say, for the first screen; empty for nothing."""


def patterns_view(result: RunResult) -> PatternsView | None:
    """Return the part of the page on failure patterns; ``None`` where nobody looked for any."""
    found = result.patterns
    if found is None:
        return None
    known = frozenset(task.id for task in result.benchmark.tasks)
    names = judge_names(result)
    most = max((each.n_reasons for each in found.patterns), default=1)
    rows = tuple(_row(each, most, known=known, names=names) for each in found.patterns)
    trust = next((row.trust for row in rows if row.trust), "")
    first = _first(rows[0]) if rows and rows[0].is_fault else ""
    return PatternsView(_sentence(found), _steadiness(found), rows, line(found.problem, limit=300), trust, first)


def _first(row: PatternRow) -> str:
    count = f"({row.n} reasons on {row.n_tasks} tasks)"
    words = row.name.removeprefix(FOUND)
    if words != row.name:
        return f"Low scores most often share the words {words} {count}"
    return f"Low scores most often: {words[:1].lower()}{words[1:]} {count}"


def _sentence(found: FailurePatterns) -> str:
    if not found.n_scores:
        return ""
    scores = numbers.plural(found.n_scores, "score")
    lead = f"{scores} below {numbers.trimmed(found.below)} on {numbers.plural(found.n_tasks, 'task')}"
    text = f"{lead}, with {numbers.plural(found.n_reasons, 'reason')}"
    if 0 < found.n_grouped < found.n_reasons:
        text += f", of which {numbers.count(found.n_grouped)}, drawn evenly, are grouped here"
    return f"{text}."


def _steadiness(found: FailurePatterns) -> str:
    if not found.patterns:
        return ""
    start = (
        "five kinds that are known" if found.codebook == "start" else f"the codebook {line(found.codebook, limit=80)}"
    )
    how = f"Reasons are grouped by their wording, from {start} and what is new in this run"
    if found.rand is None:
        return f"{how}. How steady the grouping is can't be said: {line(found.unsteady, limit=200)}."
    word = "steady" if found.rand >= STEADY else "fairly steady" if found.rand >= FAIRLY else "not steady"
    return (
        f"{how}. The grouping is {word}: {numbers.plural(found.n_draws, 'redraw')} of the reasons agree with it at "
        f"{numbers.fixed(found.rand)} ({numbers.interval(found.interval)}), where 1 is the same and 0 is chance."
    )


def _row(found: FailurePattern, most: int, *, known: frozenset[str], names: Mapping[str, str]) -> PatternRow:
    links = tuple(task_link(id, is_known=id in known) for id in found.task_ids)
    more = len(links) - N_LINKS
    words = ", ".join(line(word, limit=40) for word in found.words)
    is_shaky = found.comes_back is not None and found.comes_back < RELIED_ON
    return PatternRow(
        name=line(found.name, limit=120),
        origin=ORIGINS[found.origin],
        about="" if found.origin is CodeOrigin.FOUND else words,
        n=numbers.count(found.n_reasons),
        share=numbers.percent(found.share, 0),
        width=numbers.trimmed(100 * found.n_reasons / most),
        n_tasks=numbers.count(len(links)),
        links=links[:N_LINKS],
        more=f"and {numbers.count(more)} more" if more > 0 else "",
        example=block(found.example, limit=400),
        example_of=links[:1],
        example_judge=line(names.get(found.example_judge, found.example_judge), limit=60),
        returns=numbers.fixed(found.comes_back),
        is_shaky=is_shaky,
        is_fault=found.is_fault,
        trust=line(found.trust, limit=60),
    )
