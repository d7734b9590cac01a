"""A suite's members, planned or scored one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from audit import pipeline
from audit.diagnosis import diagnose
from audit.errors import BatchPendingError
from audit.judges.panel import Panel
from audit.judges.progress import OnEvent, ignore_event
from audit.judges.spending import Limits
from audit.judges.stops import INTERRUPTED
from audit.records.plan import Plan
from audit.records.run import RunResult, Settings
from audit.store import Store
from audit.suites.loading import Loaded, places_of
from audit.suites.summary import Scored


def plan_suite(loaded: Sequence[Loaded], settings: Settings, *, panel: Panel, store: Store) -> tuple[Plan, ...]:
    """Count the calls that scoring all members would send, judge by judge; send none."""
    plans = [
        plan
        for one in loaded
        for plan in pipeline.plan_run(one.benchmark, _of(one, settings), panel=panel, store=store)
    ]
    return tuple(_total([plan for plan in plans if plan.judge == judge]) for judge in panel.providers)


def score_suite(
    loaded: Sequence[Loaded],
    settings: Settings,
    *,
    make_panel: Callable[[], Panel],
    store: Store,
    on_event: OnEvent = ignore_event,
) -> Iterator[Scored]:
    """Yield every member with its run, until the user interrupts.

    What all of them together send and spend keeps to the panel's limits.

    Parameters
    ----------
    make_panel
        Called for each member: a run closes its panel's connections.

    Raises
    ------
    BatchPendingError
        If questions about a member wait in batches: after the last member, or at once where there are limits.
    """
    left: Limits | None = None
    pending: BatchPendingError | None = None
    for one in loaded:
        panel = make_panel()
        left = left or panel.limits
        mine = replace(panel, limits=left)
        try:
            result = pipeline.score_benchmark(
                one.benchmark, _of(one, settings), panel=mine, store=store, on_event=on_event
            )
        except BatchPendingError as error:
            if left != Limits():  # what the batches will cost is not known yet
                raise
            pending = pending or error
            continue
        left = _left(left, result)
        yield Scored(one, result)
        if any(stop.kind == INTERRUPTED for stop in result.stops):
            return
    if pending is not None:
        raise pending


def with_findings(scored: Scored, places: pipeline.Places) -> Scored:
    """Return a member whose result also holds what the free checks find."""
    member = scored.member
    root = pipeline.find_source(member.benchmark, places_of(member, places)).root
    return replace(scored, result=diagnose(scored.result, root=root))


def _of(one: Loaded, settings: Settings) -> Settings:
    return replace(settings, benchmark=one.member.name)


def _left(limits: Limits, result: RunResult) -> Limits:
    """Return what the members still to come may send and spend; a price that is not known counts as all of it."""
    calls, budget, spent = limits.max_calls, limits.budget_usd, result.tally.cost_usd
    return Limits(
        max_calls=None if calls is None else max(0, calls - result.tally.n_calls),
        budget_usd=None if budget is None else 0.0 if spent is None else max(0.0, budget - spent),
    )


def _total(plans: Sequence[Plan]) -> Plan:
    """Return the plans of one judge as one."""
    return replace(
        plans[0],
        planned=sum(plan.planned for plan in plans),
        stored=sum(plan.stored for plan in plans),
        to_ask=sum(plan.to_ask for plan in plans),
        undefined=sum(plan.undefined for plan in plans),
        n_calls=sum(plan.n_calls for plan in plans),
        input_tokens=sum(plan.input_tokens for plan in plans),
        cached_tokens=sum(plan.cached_tokens for plan in plans),
        output_tokens=sum(plan.output_tokens for plan in plans),
        cost_usd=_sum([plan.cost_usd for plan in plans]),
        cached_cost_usd=_sum([plan.cached_cost_usd for plan in plans]),
        batch_cost_usd=_sum([plan.batch_cost_usd for plan in plans]),
    )


def _sum(costs: Sequence[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None
