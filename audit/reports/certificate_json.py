"""Certificates as versioned JSON; docs/certificate.md describes it, docs/schema/certificate-1.json is its schema."""

from __future__ import annotations

from collections.abc import Sequence

from audit.records.certificate import Certificate
from audit.reports.plain import Plain, dump, fields_of

FORMAT = "bench-audit/certificate"
FORMAT_VERSION = 1


def to_document(certificate: Certificate) -> dict[str, Plain]:
    """Return one certificate as plain values."""
    return {"format": FORMAT, "format_version": FORMAT_VERSION, "certificate": certificate_fields(certificate)}


def certificate_fields(certificate: Certificate) -> dict[str, Plain]:
    """Return a certificate's own fields as plain values."""
    return {**fields_of(certificate), "is_complete": certificate.is_complete}


def write_certificate(certificate: Certificate) -> bytes:
    """Return one certificate as the store keeps it."""
    return dump(to_document(certificate), indent=None).encode()


def write_certificates(certificates: Sequence[Certificate]) -> bytes:
    """Return a JSON list of certificates, one a judge."""
    documents: list[Plain] = [to_document(each) for each in certificates]
    return f"{dump(documents)}\n".encode()
