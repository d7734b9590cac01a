"""Certificates of a run's judges: found again in the store, held against the run, and used to correct its counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from audit.loaders.certificate import read_certificate
from audit.metrics.corrected import correct_share
from audit.providers.protocol import Provider
from audit.records.certificate import (
    SUITE_VERSION,
    THRESHOLDS,
    Certificate,
    CorrectedShare,
    HeldCertificate,
    JudgeIdentity,
)
from audit.records.run import RunResult
from audit.scorers.registry import SCORERS
from audit.store import Store

OFFLINE = "offline"


def identity_of(provider: Provider) -> JudgeIdentity:
    """Return what decides what a judge is asked with."""
    return JudgeIdentity(provider.endpoint, provider.model, provider.parameters)


def offline_identity() -> JudgeIdentity:
    """Return the same of the offline scorer, whose version stands for its code."""
    scorer = SCORERS[OFFLINE](frozenset())
    return JudgeIdentity(OFFLINE, scorer.criterion, scorer.version)


def identities(providers: Mapping[str, Provider]) -> dict[str, JudgeIdentity]:
    """Return the identity of each judge; without judges, that of the offline scorer."""
    found = {judge: identity_of(provider) for judge, provider in providers.items()}
    return found or {OFFLINE: offline_identity()}


def find_certificate(identity: JudgeIdentity, store: Store) -> Certificate | None:
    """Return the newest complete certificate of a judge, or else the newest one; ``None`` if there is none."""
    found = [read_certificate(record, where="verdict store") for record in store.find_certificates(identity.key)]
    best = [certificate for certificate in found if certificate.is_complete] or found
    return best[-1] if best else None


def hold_certificates(result: RunResult, judges: Mapping[str, JudgeIdentity], *, store: Store) -> RunResult:
    """Return a run with what the store knows of its judges."""
    held = tuple(_hold(result, judge, find_certificate(identity, store)) for judge, identity in judges.items())
    return replace(result, certificates=held)


def _hold(result: RunResult, judge: str, certificate: Certificate | None) -> HeldCertificate:
    caveats = () if certificate is None else tuple(_caveats(result, judge, certificate))
    return HeldCertificate(judge, certificate, caveats, tuple(_shares(result, judge, certificate)))


def _shares(result: RunResult, judge: str, certificate: Certificate | None) -> Iterator[CorrectedShare]:
    for score in result.scores:
        if score.judge == judge and score.metric in THRESHOLDS and score.by_task:
            values = list(score.by_task.values())
            yield correct_share(score.metric, values, certificate=certificate, seed=result.settings.seed)


def _caveats(result: RunResult, judge: str, certificate: Certificate) -> Iterator[str]:
    if not certificate.is_complete:
        yield (
            f"The certificate is incomplete: {certificate.n_missing} of {certificate.n_planned} verdicts are missing."
        )
    own = [verdict for verdict in result.verdicts if verdict.judge == judge]
    models = sorted({verdict.model for verdict in own if verdict.model})
    if other := [model for model in models if model not in certificate.models]:
        yield (
            f"The name has come to mean another model: {_join(other)} answered here, {_join(certificate.models)} was "
            "certified."
        )
    certified = {digest for _, digest in certificate.prompts}
    asked = {verdict.prompt_hash for verdict in own}
    if changed := [name for name, digest in result.prompts if digest in asked and digest not in certified]:
        yield f"It was certified with other prompts than {_join(changed)} of this run."
    if result.settings.trials > 1:
        yield "Tasks are called flawed by their mean over trials here, by one verdict in the certificate."
    if certificate.suite != SUITE_VERSION:
        yield f"It was certified by version {certificate.suite} of the suite; this program has version {SUITE_VERSION}."


def _join(names: Sequence[str]) -> str:
    return ", ".join(names) or "an unnamed model"
