"""What the vendors' prompt caches took off the price of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from audit.judges.panel import Panel
from audit.providers.prices import cost_usd
from audit.records.verdict import Verdict


def cache_saved_usd(verdicts: Sequence[Verdict], panel: Panel) -> float | None:
    """Return the price of a run's calls had nothing been cached, less what they cost, in US dollars.

    Negative where filling a cache, which some vendors charge for, cost more than was read from it; 0 where nothing
    was cached; ``None`` where the price of a call that was is not known. Verdicts from the store saved nothing now.
    """
    total = 0.0
    for verdict in verdicts:
        if verdict.was_sent and (verdict.usage.cached_tokens or verdict.usage.cache_write_tokens):
            saved = _saved_usd(verdict, panel)
            if saved is None:
                return None
            total += saved
    return total


def _saved_usd(verdict: Verdict, panel: Panel) -> float | None:
    provider = panel.providers[verdict.judge]
    whole = cost_usd(
        provider.endpoint,
        verdict.model or provider.model,
        usage=replace(verdict.usage, cached_tokens=0, cache_write_tokens=0),
        own=panel.prices.get(verdict.judge),
        is_batch=panel.batch is not None,
    )
    return None if whole is None or verdict.cost_usd is None else whole - verdict.cost_usd
