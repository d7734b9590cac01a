"""How a judge is asked."""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """One model asked in two modes is two judges."""

    PROMPTS = "prompts"
    """A prompt for each criterion, answered by a text."""
    DECISIONS = "decisions"
    """Questions for a decisions endpoint, answered by probabilities."""


_MARK = f" ({Mode.DECISIONS})"
"""The names that users give hold no blank."""


def name_in_mode(judge: str, mode: Mode) -> str:
    """Return the name of a judge that is asked in ``mode``.

    Examples
    --------
    >>> name_in_mode("openai:gpt-6-luna", Mode.DECISIONS)
    'openai:gpt-6-luna (decisions)'
    """
    return f"{judge}{_MARK}" if mode is Mode.DECISIONS else judge


def mode_of(judge: str) -> Mode:
    """Return the mode that a judge's name tells."""
    return Mode.DECISIONS if judge.endswith(_MARK) else Mode.PROMPTS


def without_mode(judge: str) -> str:
    """Return a judge's name as it is in every mode.

    Examples
    --------
    >>> without_mode("openai:gpt-6-luna (decisions)"), without_mode("openai:gpt-6-luna")
    ('openai:gpt-6-luna', 'openai:gpt-6-luna')
    """
    return judge.removesuffix(_MARK)
