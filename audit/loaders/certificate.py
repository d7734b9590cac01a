"""A certificate's JSON, as the verdict store keeps it → the certificate."""

from __future__ import annotations

import json
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from audit.errors import LoadError, first_fault
from audit.loaders.saved_numbers import find_excess
from audit.records.certificate import Certificate

FORMAT = "bench-audit/certificate"
_MEND = "Run bench-audit certify again, or name another --store"


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
        certificate = _File.model_validate_json(text).certificate
    except ValidationError as error:
        raise LoadError(f"holds no certificate: {first_fault(error)}", where=where, mend=_MEND) from error
    if place := find_excess(json.loads(text)):
        raise LoadError(f"holds no certificate: {place}: the number is too great", where=where, mend=_MEND)
    return certificate
