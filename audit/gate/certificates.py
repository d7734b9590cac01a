"""The gate's demand that judges are certified: its line in the settings, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime

from audit.errors import UsageError
from audit.records.certificate import Certificate, HeldCertificate
from audit.records.gate import CertificateDemand, Criterion, Kind, Level
from audit.records.run import RunResult

KEY = "certificate"
_AGE = "max_age_days"
_MEND = f"Write {KEY} = true, or {KEY} = {{ {_AGE} = 90 }}"


def read_demand(value: object, *, where: str) -> CertificateDemand | None:
    """Read ``certificate``: true, false, or a table with the greatest age in days.

    Raises
    ------
    UsageError
        If it is none of these.
    """
    place = f"{where}: [gate] {KEY}"
    if isinstance(value, bool):
        return CertificateDemand() if value else None
    if not isinstance(value, Mapping) or set(value) != {_AGE}:
        raise UsageError("can't be read", where=place, mend=_MEND)
    days = value[_AGE]
    if isinstance(days, bool) or not isinstance(days, int) or days < 0:
        raise UsageError(f"{_AGE} is {days!r}, which is no number of days", where=place, mend=_MEND)
    return CertificateDemand(days)


def hold_certificates(
    demand: CertificateDemand | None, runs: Sequence[RunResult], *, today: date
) -> Iterator[Criterion]:
    """Yield a criterion for each judge, where certificates are demanded; the offline scorer needs none."""
    if demand is None:
        return
    for run in runs:
        held = {each.judge: each for each in run.certificates}
        for judge in run.settings.judges:
            level, why = _hold(demand, run, held.get(judge), today=today)
            yield Criterion(Kind.CERTIFICATE, judge, level, why, judge=judge)


def _hold(demand: CertificateDemand, run: RunResult, held: HeldCertificate | None, *, today: date) -> tuple[Level, str]:
    certificate = None if held is None else held.certificate
    if held is None or certificate is None:
        return Level.FAIL, "not certified: run bench-audit certify"
    age = _age_days(certificate, today)
    if demand.max_age_days is not None and (age is None or age > demand.max_age_days):
        return Level.FAIL, f"certified {age} days ago, more than {demand.max_age_days}"
    answered = {v.model for v in run.verdicts if v.judge == held.judge and v.model}
    if other := sorted(answered - set(certificate.models)):
        return Level.FAIL, f"{', '.join(other)} answered, {', '.join(certificate.models)} was certified"
    if not certificate.is_complete:
        missing = f"{certificate.n_missing} of {certificate.n_planned} verdicts are missing"
        return Level.INCOMPLETE, f"the certificate is incomplete: {missing}"
    return Level.PASS, f"certified on {certificate.created_at[:10]} by suite {certificate.suite}"


def _age_days(certificate: Certificate, today: date) -> int | None:
    try:
        made = datetime.fromisoformat(certificate.created_at).astimezone(UTC).date()
    except ValueError:
        return None
    return max(0, (today - made).days)
