"""What is shown of verdicts that came as probabilities, without reasons."""

from __future__ import annotations

import heapq
import json
import math

from audit.records.mode import Mode, mode_of
from audit.records.verdict import Verdict
from audit.reports import numbers

NO_REASONS = "no reasons in this mode"
_MOST_TOLD = 3
_LEAST_TOLD = 0.05


def is_decided(verdict: Verdict) -> bool:
    """Whether a verdict was read from probabilities."""
    return verdict.is_ok and mode_of(verdict.judge) is Mode.DECISIONS


def probabilities_of(verdict: Verdict) -> dict[str, float] | None:
    """Return the probability of each level or item that a verdict was read from; ``None`` where there is none.

    What is kept of them stands in the store, where anybody may have changed it: what can't be read is left out.
    """
    if not is_decided(verdict):
        return None
    try:
        found = {str(name): float(value) for name, value in json.loads(verdict.raw_reply)["probabilities"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return found if all(map(math.isfinite, found.values())) else None


def decided_words(verdict: Verdict) -> str:
    """Return what stands in the place of a decided verdict's reasons; nothing for other verdicts."""
    if not is_decided(verdict):
        return ""
    found = probabilities_of(verdict) or {}
    likely = heapq.nlargest(_MOST_TOLD, found.items(), key=lambda entry: entry[1])
    told = ", ".join(f"{name} ({numbers.percent(value, 0)})" for name, value in likely if value >= _LEAST_TOLD)
    what = "likeliest" if verdict.violated is None else "most likely violated"
    return f"{NO_REASONS}; {what}: {told}" if told else NO_REASONS
