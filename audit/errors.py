"""Every error that bench-audit raises on purpose.

AuditError                  a user can mend it: one line, exit code 2
├── UsageError              a flag, name or setting that can't be used
├── LoadError               a benchmark, policy or table file that can't be read
│   └── FetchError          a download, archive or package index that brought no files
├── PolicyChangedError      policy items that were made for another text
├── StoreError              the verdict store can't be opened or written
├── WorkersError            a cluster that can't be reached, or workers that can't ask
├── OutputError             a result file can't be written
├── UndefinedScoreError     a statistic that does not exist for these inputs
├── UnreadableReplyError    a judge's reply that holds no verdict
├── BatchPendingError       questions wait in batches; not a failure (exit code 3)
└── ProviderError           a call that brought no reply (exit code 3)
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError

_LONGEST = 1200
"""Characters of each piece of a message."""


class AuditError(Exception):
    """An error that the user can mend.

    Parameters
    ----------
    what
        What is wrong, in one clause.
    where
        File, line, task id or field; empty when there is no place.
    mend
        What to do about it, in one sentence.
    """

    def __init__(self, what: str, *, where: str = "", mend: str = "") -> None:
        super().__init__(what, where, mend)
        self.what = what
        self.where = where
        self.mend = mend

    def __str__(self) -> str:
        place = f"{_shorten(self.where)}: " if self.where else ""
        advice = f" {_end(_shorten(self.mend))}" if self.mend else ""
        return f"{place}{_end(_shorten(self.what))}{advice}"


def _end(sentence: str) -> str:
    return sentence if sentence.endswith("?") else f"{sentence.rstrip('.')}."


def _shorten(text: str) -> str:
    """Leave out the middle of what would not be one line any more: a task's id may be a book."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 201]}…{text[-200:]}"


class UsageError(AuditError):
    """A flag, a name or a setting that can't be used."""


class LoadError(AuditError):
    """A benchmark, policy or table file that can't be read."""


class FetchError(LoadError):
    """A download, an archive or a package index that brought no files."""


class PolicyChangedError(LoadError):
    """Policy items that were made for another text than the one at hand."""


class StoreError(AuditError):
    """The verdict store can't be opened, read or written."""


class WorkersError(AuditError):
    """A cluster that can't be reached, or workers that can't ask."""


class OutputError(AuditError):
    """A result file can't be written."""


class UndefinedScoreError(AuditError):
    """A statistic that does not exist for these inputs."""


class UnreadableReplyError(AuditError):
    """A judge's reply that holds no verdict."""


class BatchPendingError(AuditError):
    """Questions wait in batches that have not ended; the same command collects them later."""


class ProviderErrorKind(StrEnum):
    """Why a call brought no usable reply; the names are verdict states too."""

    RATE_LIMITED = "rate_limited"
    QUOTA = "quota"
    AUTH = "auth"
    NOT_FOUND = "not_found"
    """No such model, or no such path at this URL."""
    BAD_REQUEST = "bad_request"
    CONTEXT_TOO_LONG = "context_too_long"
    OVERLOADED = "overloaded"
    SERVER = "server"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    BAD_RESPONSE = "bad_response"
    """HTTP 200 whose body is not what the protocol promises: HTML, cut JSON."""


RETRYABLE_KINDS = frozenset(
    {
        ProviderErrorKind.RATE_LIMITED,
        ProviderErrorKind.OVERLOADED,
        ProviderErrorKind.SERVER,
        ProviderErrorKind.TIMEOUT,
        ProviderErrorKind.CONNECTION,
        ProviderErrorKind.BAD_RESPONSE,
    }
)
STOPPING_KINDS = frozenset({ProviderErrorKind.QUOTA, ProviderErrorKind.AUTH, ProviderErrorKind.NOT_FOUND})


class ProviderError(AuditError):
    """A call that brought no reply, mapped from an SDK's own exception.

    Parameters
    ----------
    what, where, mend
        As in :class:`AuditError`; never holds a key.
    kind
        The shared taxonomy of failures.
    retry_after_s
        Seconds that the provider asked us to wait, if it did.

    Attributes
    ----------
    n_attempts
        Requests sent before giving up.
    """

    n_attempts: int = 1

    def __init__(
        self,
        what: str,
        *,
        kind: ProviderErrorKind,
        where: str = "",
        mend: str = "",
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(what, where=where, mend=mend)
        self.kind = kind
        self.retry_after_s = retry_after_s

    @property
    def is_retryable(self) -> bool:
        """Whether the same call may succeed later."""
        return self.kind in RETRYABLE_KINDS

    @property
    def stops_judge(self) -> bool:
        """Whether every further call to this judge would fail in the same way."""
        return self.kind in STOPPING_KINDS


def first_fault(error: ValidationError, *, below: int = 0) -> str:
    """Return the first thing that a record has wrong: where in it, and what; nothing of its values.

    Parameters
    ----------
    below
        Steps of the place to leave out, such as the name of a variant.
    """
    fault = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, fault["loc"][below:]))
    return f"{place}: {fault['msg']}" if place else fault["msg"]
