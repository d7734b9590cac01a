"""What a task's gold actions do when they are run, as far as a report shows it."""

from __future__ import annotations

from dataclasses import dataclass

from audit.records.task import Json


@dataclass(frozen=True, slots=True)
class ReplayedCall:
    """One gold action, run on the state that the one before left.

    Parameters
    ----------
    result
        What the tool returned, untrusted; ``None`` after an error.
    error, detail
        The kind of failure, and the values that clash in it; empty when the call succeeded.
    changed
        ``(table, key)`` of every row that the call changed.
    """

    result: Json
    error: str = ""
    detail: str = ""
    changed: tuple[tuple[str, str], ...] = ()
