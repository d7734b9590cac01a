"""The models that a run asks: made from the names that the user gave them, with what earlier runs found out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from audit.errors import UsageError
from audit.judges.planning import unpriced
from audit.judges.spending import Limits
from audit.providers.capabilities import Capabilities, alias_note
from audit.providers.endpoint import assign_key_envs
from audit.providers.local import local_note
from audit.providers.pace import Rates
from audit.providers.prices import OwnPrice, read_own_prices
from audit.providers.protocol import Provider
from audit.providers.registry import ProviderOptions, make_provider
from audit.providers.retry import RetryPolicy
from audit.providers.spec import JudgeSpec, parse_judge
from audit.records.mode import Mode, name_in_mode, without_mode
from audit.records.verdict import Verdict


class ModelMemory(Protocol):
    """Where it is kept what was found out about models; the store."""

    def recall_model(self, endpoint: str, *, model: str) -> str | None:
        """Return the record of a model, if there is one that can still be trusted."""
        ...

    def remember_model(self, endpoint: str, *, model: str, record: str) -> None:
        """Keep the record of a model."""
        ...


def tell_no_one(line: str) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class BatchChoice:
    """That the judges are asked through their batch APIs.

    Parameters
    ----------
    is_waiting
        Whether the run waits until the batches have ended, up to a day, instead of raising ``BatchPendingError``.
    tell
        Told of what happens meanwhile, a line at a time.
    """

    is_waiting: bool = False
    tell: Callable[[str], None] = tell_no_one


@dataclass(frozen=True, slots=True)
class WorkersChoice:
    """That the judges are asked by the workers of a Dask cluster.

    Parameters
    ----------
    address
        Of its scheduler.
    tell
        Told of what happens meanwhile, a line at a time.
    patience_s
        How long a cluster may have no worker.
    judges
        How each provider is made there; ``make_panel`` adds it.
    """

    address: str
    tell: Callable[[str], None] = tell_no_one
    patience_s: float = 60.0
    judges: Mapping[str, ProviderOptions] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Panel:
    """The judges of a run by the names that the user gave them; empty for the offline scorer.

    Parameters
    ----------
    retry
        How failed calls are tried again.
    limits
        What all of them together may send and spend.
    prices
        The user's own prices, by judge.
    rates
        How much each judge may be sent in a minute.
    batch
        How batches are used; ``None`` for live calls.
    workers
        Who asks; ``None`` for this process.
    """

    providers: Mapping[str, Provider] = field(default_factory=dict)
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    limits: Limits = field(default_factory=Limits)
    prices: Mapping[str, OwnPrice] = field(default_factory=dict)
    rates: Rates = field(default_factory=Rates)
    batch: BatchChoice | None = None
    workers: WorkersChoice | None = None


@dataclass(frozen=True, slots=True)
class PanelOptions:
    """How a panel is asked, as the user said it.

    Parameters
    ----------
    key_envs
        Which variables hold keys: ``NAME``, ``VENDOR=NAME`` or ``JUDGE=NAME``.
    n_retries
        How often a call is sent again that failed in a way that may pass.
    prices
        ``JUDGE=INPUT/OUTPUT`` or ``JUDGE=INPUT/CACHED/OUTPUT``, in dollars for a million tokens.
    limits
        What all judges together may send and spend.
    rates
        How much each judge may be sent in a minute.
    batch
        How batches are used; ``None`` for live calls.
    workers
        Who asks; ``None`` for this process.
    modes
        How each judge is asked: one seat for each mode; empty for what its name tells, which is mostly prompts.
    is_planned
        Whether calls are only planned: no key is needed.
    """

    key_envs: tuple[str, ...] = ()
    timeout_s: float = 120.0
    n_retries: int = 5
    prices: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    rates: Rates = field(default_factory=Rates)
    batch: BatchChoice | None = None
    workers: WorkersChoice | None = None
    modes: tuple[Mode, ...] = ()
    is_planned: bool = False


def make_panel(judges: Sequence[str], options: PanelOptions) -> Panel:
    """Return the judges' providers; nothing is sent.

    Parameters
    ----------
    judges
        As the user named them, ``vendor:model`` or ``vendor:model@url``.

    Raises
    ------
    UsageError
        If a judge, a variable or a price can't be used, there is a budget and a price is not known, or something is
        asked of workers that each of them would count for itself.
    """
    _check_workers(options)
    modes = tuple(dict.fromkeys(options.modes))
    named = [parse_judge(text) for text in judges]
    specs = [spec.asked_in(mode) for spec in named for mode in modes] if modes else named
    _check_modes(specs, options)
    for name, n in Counter(spec.name for spec in specs).items():
        if n > 1:
            raise UsageError(f"the judge {name} is named twice", where="--judge", mend="Use --trials to ask it again")
    variables = assign_key_envs(specs, options.key_envs)
    secret_envs = tuple(variables.values())
    prices = _read_prices(specs, options)
    chosen = {
        spec.name: ProviderOptions(variables.get(spec.name), timeout_s=options.timeout_s, secret_envs=secret_envs)
        for spec in specs
    }
    is_asked_here = options.workers is None
    providers = {
        spec.name: make_provider(
            spec, replace(chosen[spec.name], is_asked_here=is_asked_here, is_planned=options.is_planned)
        )
        for spec in specs
    }
    _check_prices(providers, prices, options)
    retry = RetryPolicy(max_attempts=options.n_retries + 1)
    workers = None if options.workers is None else replace(options.workers, judges=chosen)
    return Panel(providers, retry, options.limits, prices, options.rates, options.batch, workers)


def _check_modes(specs: Sequence[JudgeSpec], options: PanelOptions) -> None:
    decided = [spec for spec in specs if spec.mode is Mode.DECISIONS]
    if decided and options.batch is not None:
        what = "the batch APIs don't take questions for decisions endpoints"
        raise UsageError(what, where="--batch", mend="Leave out --batch or --mode decisions")


def _read_prices(specs: Sequence[JudgeSpec], options: PanelOptions) -> dict[str, OwnPrice]:
    """Return the user's prices; what is said of a judge without its mode is meant for all its modes."""
    names = [name for spec in specs for name in (without_mode(spec.name), spec.name)]
    own = read_own_prices(options.prices, judges=tuple(dict.fromkeys(names)))
    bare = {spec.name: own[without_mode(spec.name)] for spec in specs if without_mode(spec.name) in own}
    return bare | {spec.name: own[spec.name] for spec in specs if spec.name in own}


def _check_workers(options: PanelOptions) -> None:
    if options.workers is None:
        return
    if options.batch is not None:
        what = "a provider's batch API needs no workers"
        raise UsageError(what, where="--workers", mend="Leave out --workers or --batch")
    limits, rates = options.limits, options.rates
    values = {
        "--budget": limits.budget_usd,
        "--max-calls": limits.max_calls,
        "--rpm": rates.requests,
        "--tpm": rates.tokens,
    }
    for flag, value in values.items():
        if value is not None:
            what = "can't be kept with --workers, for no worker knows what the others send"
            raise UsageError(what, where=flag, mend="Leave one of them out; --dry-run says beforehand what a run costs")


def _check_prices(providers: Mapping[str, Provider], prices: Mapping[str, OwnPrice], options: PanelOptions) -> None:
    if options.limits.budget_usd is None:
        return
    if unknown := unpriced(providers, prices):
        mend = (
            f"Give its price: --price '{unknown[0]}=INPUT/OUTPUT' in dollars for a million tokens; or use --max-calls"
        )
        raise UsageError(f"the price of {unknown[0]} is not known", where="--budget", mend=mend)
    if options.batch is not None and (unknown := unpriced(providers, prices, is_batch=True)):
        what = f"the batch price of {unknown[0]} is not known"
        raise UsageError(what, where="--budget", mend="Use --max-calls")


def recall_models(panel: Panel, memory: ModelMemory) -> None:
    """Tell the providers what earlier runs found their models to refuse."""
    for provider in panel.providers.values():
        record = memory.recall_model(provider.endpoint, model=_remembered_as(provider))
        if record is not None:
            provider.capabilities = _read_capabilities(record) or provider.capabilities


def _read_capabilities(record: str) -> Capabilities | None:
    """Return what was kept; nothing if it can't be read, for it is only a hint and will be found out again."""
    try:
        return Capabilities.from_json(json.loads(record))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def remember_models(panel: Panel, memory: ModelMemory) -> None:
    """Keep what this run found out."""
    for provider in panel.providers.values():
        record = json.dumps(provider.capabilities.to_json())
        endpoint, model = provider.endpoint, _remembered_as(provider)
        if provider.capabilities.is_settled and record != memory.recall_model(endpoint, model=model):
            memory.remember_model(endpoint, model=model, record=record)


def _remembered_as(provider: Provider) -> str:
    """A model refuses other things in other modes."""
    return name_in_mode(provider.model, provider.mode)


def alias_notes(verdicts: Sequence[Verdict], panel: Panel) -> tuple[str, ...]:
    """Return a sentence for each judge whose name may come to mean another model, or is a file on this machine."""
    answered = {(verdict.judge, verdict.model) for verdict in verdicts if verdict.model}
    notes = (f"{judge}: {alias_note(panel.providers[judge].model, model)}" for judge, model in sorted(answered))
    files = (local_note(judge, provider) for judge, provider in panel.providers.items())
    return (*(note for note in notes if not note.endswith(": ")), *filter(None, files))
