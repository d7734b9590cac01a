"""Batches: many questions handed over to a provider at once, to be answered within a day at half the price."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class BatchState(StrEnum):
    """How far a batch is."""

    SUBMITTING = "submitting"
    """It was about to be handed over; whether the provider has it is not known yet."""
    RUNNING = "running"
    COMPLETED = "completed"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    FAILED = "failed"
    LOST = "lost"
    """The provider does not know it, so its questions are free to be asked again."""

    @property
    def is_open(self) -> bool:
        """Whether its questions must not be asked elsewhere."""
        return self in (BatchState.SUBMITTING, BatchState.RUNNING)


class LineKind(StrEnum):
    """What a provider says of one question of a batch."""

    REPLY = "reply"
    ERROR = "error"
    GONE = "gone"
    """Expired or cancelled before it was answered; costs nothing."""


@dataclass(frozen=True, slots=True)
class BatchLine:
    """One result.

    Parameters
    ----------
    key
        The store's key of the question.
    body
        The vendor's response, or an error, as JSON text; untrusted.
    status
        HTTP status of an error.
    """

    key: str
    kind: LineKind
    body: str = ""
    status: int = 0


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """What the store knows of a batch; never a key of a provider's.

    Parameters
    ----------
    id
        Ours, made before anything is sent; the provider is told it where it can keep one.
    remote_id
        The provider's; empty until it has said one.
    owner
        The machine and process that hands it over.
    n_answered
        Questions with a reply or an error.
    note
        What the provider said last of the batch as a whole; untrusted.
    """

    id: str
    judge: str
    endpoint: str
    model: str
    n_requests: int
    n_bytes: int
    created_at: str
    owner: str = ""
    state: BatchState = BatchState.SUBMITTING
    remote_id: str = ""
    submitted_at: str = ""
    ended_at: str = ""
    n_answered: int = 0
    note: str = ""
