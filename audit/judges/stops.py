"""Why a judge is asked nothing more, where that is no error of its provider."""

from __future__ import annotations

from audit.judges.spending import Limits
from audit.records.run import JudgeStop

INTERRUPTED, LIMIT, LOST = "interrupted", "limit", "workers"
"""Kinds of stops: by the user, at the user's limits, for want of workers."""


def interruption(judge: str) -> JudgeStop:
    """Return the stop after a Ctrl-C."""
    return JudgeStop(judge, INTERRUPTED, "the run was interrupted; run again to ask the rest")


def limit_stop(judge: str, limits: Limits) -> JudgeStop:
    """Return the stop at the user's limits."""
    return JudgeStop(judge, LIMIT, f"the limit is reached: {limits.words}; what was answered is kept")


def why_stopped(stop: JudgeStop) -> str:
    """Return why a question was not put, as a clause."""
    return f"the judge was stopped: {stop.message}"
