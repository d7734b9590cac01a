"""How many of a judge's replies can't be used, from everything that the store has kept of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from audit.certificates.asking import Answer
from audit.certificates.measures import share
from audit.records.certificate import Measure, Section
from audit.records.verdict import Verdict, VerdictState

REPLIED = {
    "malformed": VerdictState.MALFORMED,
    "empty": VerdictState.EMPTY,
    "cut_off": VerdictState.TRUNCATED,
    "refused": VerdictState.REFUSED,
    "filtered": VerdictState.FILTERED,
}
"""Names of the ways in which a reply can be no verdict."""
ALL_REPLIES = "all replies"


class History(Protocol):
    """The store."""

    def history(self, key: str) -> tuple[Verdict, ...]:
        """Return every row of a key, the oldest first."""
        ...


def measure_faults(answers: Sequence[Answer], store: History) -> Iterator[Measure]:
    """Yield the shares of replies that were no verdict, by criterion and over all; failed connections are no replies.

    Replies to the suite's questions in earlier runs count too: asking until an answer can be read hides nothing.
    """
    states: dict[str, Counter[VerdictState]] = {}
    seen: set[str] = set()
    for verdict in (each for answer in answers for each in answer.verdicts):
        if verdict.key and verdict.key not in seen:
            seen.add(verdict.key)
            rows = store.history(verdict.key)
            states.setdefault(verdict.criterion, Counter()).update(row.state for row in rows)
    total: Counter[VerdictState] = Counter()
    for counts in states.values():
        total.update(counts)
    benchmark = answers[0].probe.benchmark.name
    for criterion, counts in {ALL_REPLIES: total, **states}.items():
        yield _measure(criterion, counts, benchmark)


def _measure(criterion: str, counts: Counter[VerdictState], benchmark: str) -> Measure:
    n = counts[VerdictState.OK] + sum(counts[state] for state in REPLIED.values())
    why = "no reply came"
    values = {
        "unusable": share(n - counts[VerdictState.OK], n, reason=why),
        **{name: share(counts[state], n, reason=why) for name, state in REPLIED.items()},
    }
    return Measure(Section.FORMAT, benchmark, "replies", criterion, n, values)
