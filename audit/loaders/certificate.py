"""A certificate's JSON, as the verdict store keeps it → the certificate."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from audit.errors import LoadError, first_fault
from audit.records.certificate import Certificate

FORMAT = "bench-audit/certificate"


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)

    format: Literal["bench-audit/certificate"]
    format_version: Literal[1]
    certificate: Certificate


def read_certificate(text: str | bytes, *, where: str) -> Certificate:
    """Read a certificate.

    Raises
    ------
    LoadError
        If it is none of ours.
    """
    try:
        return _File.model_validate_json(text).certificate
    except ValidationError as error:
        what = f"holds no certificate: {first_fault(error)}"
        raise LoadError(what, where=where, mend="Run bench-audit certify again, or name another --store") from error
