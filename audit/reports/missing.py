"""How many verdicts are missing, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from audit.records.run import Tally
from audit.records.verdict import Verdict, VerdictState
from audit.reports import numbers


def is_missing(verdict: Verdict) -> bool:
    """Whether the verdict was wanted and is not there; an undefined question is not missing."""
    return not verdict.is_ok and verdict.state is not VerdictState.UNDEFINED


def missing_words(tally: Tally) -> str:
    """Return how many of the planned verdicts are missing, as a clause.

    Examples
    --------
    >>> missing_words(Tally(planned=6, scored=5, unscored=1))
    '1 of 6 verdicts is missing'
    """
    verb = "is" if tally.unscored == 1 else "are"
    return f"{numbers.count(tally.unscored)} of {numbers.plural(tally.planned, 'verdict')} {verb} missing"


def missing_by_state(verdicts: Iterable[Verdict]) -> tuple[tuple[str, int], ...]:
    """Return ``(state, how many)``, the most frequent first."""
    states = Counter(verdict.state.value for verdict in verdicts if is_missing(verdict))
    return tuple(sorted(states.items(), key=lambda entry: (-entry[1], entry[0])))
