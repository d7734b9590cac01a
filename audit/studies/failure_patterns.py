"""The failure patterns of a run: what its low scores' reasons have in common, as its report shows it."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np

from audit.kept import keep
from audit.records.codebook import Codebook, LowReason
from audit.records.pattern import FailurePattern, FailurePatterns
from audit.records.run import RunResult
from audit.reports import numbers
from audit.reports.visible import line
from audit.stats.grouping import QUICK
from audit.studies.codebook import IN_ORDER, START
from audit.studies.pattern_groups import CRITERIA, Patterns, collect_reasons, group_reasons

BELOW = 7.0
MOST = 1_000
"""Reasons that are grouped; of more, these are drawn."""
_DIGITS = 4
"""Decimals that are kept, so that a run gives the same bytes on every machine."""


def with_patterns(run: RunResult, codebook: Codebook = START, *, name: str = "start") -> RunResult:
    """Return a run with the patterns of its low scores; unchanged where no judge gave a score.

    Parameters
    ----------
    codebook
        The groups to start from.
    name
        What the codebook is called.
    """
    scored = [each for each in run.verdicts if each.criterion in CRITERIA and each.is_ok and each.score is not None]
    if not scored:
        return run
    low = [each for each in scored if each.score is not None and each.score < BELOW]
    reasons = collect_reasons(run, criteria=CRITERIA, below=BELOW)
    seed = run.settings.seed
    grouped = _draw(reasons, seed)
    found = FailurePatterns(
        codebook=name,
        below=BELOW,
        seed=seed,
        n_scores=len(low),
        n_tasks=len({each.task_id for each in low}),
        n_reasons=len(reasons),
        n_grouped=0,
        patterns=(),
    )
    if not low:
        where = f"no score lies below {numbers.trimmed(BELOW)}"
        return replace(run, patterns=replace(found, problem=where, unsteady=where))
    given = [asdict(found), [asdict(each) for each in grouped], asdict(codebook)]
    kept = keep("patterns", of=given, as_type=FailurePatterns, make=lambda: _group(found, grouped, codebook))
    return replace(run, patterns=kept)


def _draw(reasons: tuple[LowReason, ...], seed: int) -> tuple[LowReason, ...]:
    if len(reasons) <= MOST:
        return reasons
    places = np.random.default_rng(seed).choice(len(reasons), size=MOST, replace=False)
    return tuple(reasons[place] for place in sorted(places.tolist()))


def _group(found: FailurePatterns, reasons: tuple[LowReason, ...], codebook: Codebook) -> FailurePatterns:
    grouped = group_reasons(reasons, codebook, seed=found.seed, redraws=QUICK)
    if grouped.grouping is None:
        return replace(found, problem=grouped.problem, unsteady=grouped.unsteady)
    patterns = [_pattern(grouped, number) for number in range(len(grouped.codes)) if grouped.members(number)]
    patterns.sort(key=lambda each: (not each.is_fault, -each.n_reasons, each.id))
    placed = {each.reason.text.strip() for each in codebook.placed}
    is_settled = all(each.text.strip() in placed for each in reasons)
    unsteady = "every reason stands where the codebook has placed it" if is_settled else grouped.unsteady
    found = replace(found, n_grouped=len(reasons), patterns=tuple(patterns), unsteady=unsteady)
    steady = grouped.stability
    if steady is None:
        return found
    low, high = (round(end, _DIGITS) for end in (steady.interval.low, steady.interval.high))
    return replace(
        found,
        rand=round(steady.draws, _DIGITS),
        interval=replace(steady.interval, low=low, high=high),
        n_draws=QUICK.n_draws,
    )


def _pattern(grouped: Patterns, number: int) -> FailurePattern:
    assert grouped.grouping is not None
    code, members = grouped.codes[number], grouped.members(number)
    reasons = [grouped.reasons[place] for place in members]
    comes_back = grouped.comes_back(number)
    return FailurePattern(
        id=code.id,
        name=line(code.name),
        origin=code.origin,
        is_fault=code.id != IN_ORDER,
        n_reasons=len(reasons),
        share=len(reasons) / len(grouped.reasons),
        task_ids=tuple(dict.fromkeys(each.task_id for each in reasons)),
        example=reasons[0].text,
        example_judge=reasons[0].judge,
        comes_back=None if comes_back is None else round(comes_back, _DIGITS),
        words=grouped.grouping.keywords[number],
        trust=", ".join(dict.fromkeys(each.label for each in reasons if each.label)),
    )
