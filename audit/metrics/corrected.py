"""The share of flawed tasks, as a judge says and corrected for the error that its certificate has measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from audit.errors import UndefinedScoreError
from audit.metrics.measure import spawn_rng
from audit.records.certificate import THRESHOLDS, Certificate, CorrectedShare, Screen
from audit.stats.prevalence import Counted, correct_prevalence

OFFLINE_MATCH = "offline_match"


def is_flawed(metric: str, value: float) -> bool:
    """Whether a value calls a task flawed: at the threshold or below it, for the offline match only below.

    Examples
    --------
    >>> is_flawed("desc_alignment", 6.0), is_flawed("offline_match", 0.5)
    (True, False)
    """
    threshold = THRESHOLDS[metric]
    return value < threshold if metric == OFFLINE_MATCH else value <= threshold


def correct_share(
    metric: str, values: Sequence[float], *, certificate: Certificate | None, seed: int
) -> CorrectedShare:
    """Return the share of ``values`` that call their task flawed, corrected where a certificate allows it.

    Parameters
    ----------
    values
        One a task, at least one.
    certificate
        Of the judge that gave them; ``None`` for none.
    """
    n_flawed = sum(is_flawed(metric, value) for value in values)
    raw = CorrectedShare(metric, THRESHOLDS[metric], n_flawed, len(values))
    screens = () if certificate is None else [each for each in certificate.screens if each.metric == metric]
    if not screens:
        return replace(raw, reason="the judge is not certified" if certificate is None else "not certified on this")
    return _correct(raw, screens[0], seed=seed)


def _correct(raw: CorrectedShare, screen: Screen, *, seed: int) -> CorrectedShare:
    hits = sum(is_flawed(raw.metric, value) for value in screen.flawed)
    passes = sum(not is_flawed(raw.metric, value) for value in screen.sound)
    counted = replace(raw, hits=hits, n_known_flawed=len(screen.flawed), passes=passes, n_known_sound=len(screen.sound))
    try:
        found = correct_prevalence(
            Counted(raw.n_flawed, raw.n),
            sensitivity=Counted(hits, len(screen.flawed)),
            specificity=Counted(passes, len(screen.sound)),
            rng=spawn_rng(seed, metric=f"{raw.metric}\0corrected", judge=""),
        )
    except UndefinedScoreError as error:
        return replace(counted, reason=error.what)
    return replace(counted, value=found.value, interval=found.interval)
