"""What the offline scorer found, in short sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.scorers.pairs import Pair

_MOST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class TextMatch:
    """How a pair's words compare with all other pairings.

    Parameters
    ----------
    score
        In [0, 1].
    z
        Standard deviations above the unrelated pairs.
    n_better, n_others
        Other descriptions that match the expected behavior better, and all others.
    """

    score: float
    z: float
    n_better: int
    n_others: int


def explain(pair: Pair, match: TextMatch | None) -> tuple[str, ...]:
    """Return two to four sentences: on ids reached, ids missed, and the rank of the words."""
    return (*_on_ids(pair), *_on_misses(pair), _on_words(match))


def _on_ids(pair: Pair) -> tuple[str, ...]:
    if not pair.has_database:
        return ("There is no database: only words were compared.",)
    if not pair.n_ids:
        return ("The expected behavior names no id of the database: only words were compared.",)
    n_reached = pair.n_ids - pair.n_missed
    return (
        f"{n_reached} of {_count(pair.n_ids, 'id')} in the expected behavior can be reached from the description "
        "through the database.",
    )


def _on_misses(pair: Pair) -> tuple[str, ...]:
    unreached = (f"Not reached: {_list(pair.unreached)}.",) if pair.unreached else ()
    unknown = (f"In no table of the database: {_list(pair.unknown)}.",) if pair.unknown else ()
    return unreached + unknown


def _on_words(match: TextMatch | None) -> str:
    if match is None:
        return "No word of the expected behavior has weight here: only ids were compared."
    side = "above" if match.z >= 0 else "below"
    if match.n_better:
        verb = "matches" if match.n_better == 1 else "match"
        rank = f"{match.n_better} of the {match.n_others} other descriptions {verb} its words better"
    else:
        rank = f"None of the {match.n_others} other descriptions matches its words better"
    return f"{rank}; the pair stands {abs(match.z):.1f} standard deviations {side} unrelated pairs."


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _list(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_SHOWN])
    return f"{shown} and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else shown
