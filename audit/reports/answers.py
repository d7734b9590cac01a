"""What each judge answered and took for each criterion, counted once for every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.records.verdict import Trust, Verdict, VerdictState
from audit.reports.missing import is_missing, missing_by_state


@dataclass(frozen=True, slots=True)
class Answers:
    """One judge and criterion.

    Parameters
    ----------
    models
        The models that answered, by name, to the number of verdicts.
    missing
        Verdict state to how many verdicts are missing for that reason.
    input_tokens, output_tokens
        ``None`` where no verdict tells.
    cost_usd, n_priced
        Of the verdicts whose price is known, and how many these are; ``None`` where there is none.
    """

    judge: str
    trust: Trust
    criterion: str
    models: Mapping[str, int]
    n_verdicts: int
    n_answered: int
    n_missing: int
    missing: Mapping[str, int]
    n_undefined: int
    n_calls: int
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    n_priced: int


def count_answers(verdicts: Sequence[Verdict]) -> tuple[Answers, ...]:
    """Return every judge and criterion in the order in which they first answered."""
    groups: dict[tuple[str, Trust, str], list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault((verdict.judge, verdict.trust, verdict.criterion), []).append(verdict)
    return tuple(_count(*key, group=group) for key, group in groups.items())


def _count(judge: str, trust: Trust, criterion: str, *, group: Sequence[Verdict]) -> Answers:
    told = [verdict.usage for verdict in group if verdict.usage.input_tokens is not None]
    priced = [verdict.cost_usd for verdict in group if verdict.cost_usd is not None]
    models = Counter(verdict.model for verdict in group if verdict.model)
    return Answers(
        judge=judge,
        trust=trust,
        criterion=criterion,
        models=dict(sorted(models.items())),
        n_verdicts=len(group),
        n_answered=sum(verdict.is_ok for verdict in group),
        n_missing=sum(is_missing(verdict) for verdict in group),
        missing={str(state): n for state, n in missing_by_state(group)},
        n_undefined=sum(verdict.state is VerdictState.UNDEFINED for verdict in group),
        n_calls=sum(verdict.n_calls for verdict in group),
        input_tokens=sum(usage.input_tokens or 0 for usage in told) if told else None,
        output_tokens=sum(usage.output_tokens or 0 for usage in told) if told else None,
        cost_usd=sum(priced) if priced else None,
        n_priced=len(priced),
    )


def cached_share(input_tokens: int, cached_tokens: int) -> float | None:
    """Return which share of the tokens that were read came from a cache; ``None`` where none were read.

    Examples
    --------
    >>> cached_share(400, 100), cached_share(0, 0)
    (0.25, None)
    """
    return cached_tokens / input_tokens if input_tokens else None
