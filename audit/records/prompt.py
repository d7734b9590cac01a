"""What is sent to a provider and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from audit.records.task import Json


@dataclass(frozen=True, slots=True)
class Decision:
    """One question to a decisions endpoint about the prompt's text.

    Parameters
    ----------
    name
        Ours, and the only one in its prompt.
    text
        The question, or the statement whose probability is asked.
    levels
        What each score from 1 up means; empty for a statement.
    """

    name: str
    text: str
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question to a model, split so that providers can cache its beginning.

    Parameters
    ----------
    prefix
        Instructions and policy: byte-identical over the tasks of a benchmark.
    suffix
        The fenced task.
    schema
        JSON Schema of the reply (strict: every property required, no others allowed).
    schema_name
        The schema's name for providers that want one.
    template_hash
        SHA-256 of the prompt text file and schema that it was rendered from.
    repair
        ``(bad reply, our complaint)`` when this is the one repair request; else ``None``.
    decisions
        What a decisions endpoint is asked about prefix and suffix; empty where a text is wanted.
    """

    prefix: str
    suffix: str
    schema: Mapping[str, Json]
    schema_name: str
    template_hash: str
    repair: tuple[str, str] | None = None
    decisions: tuple[Decision, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a call as the provider reported them; ``None`` where it did not.

    ``input_tokens`` counts all input tokens, cached ones included, whatever the vendor's own habit.
    """

    input_tokens: int | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


class Finish(StrEnum):
    """How a reply ended."""

    COMPLETE = "complete"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Parameters
    ----------
    text
        The answer's text; empty when there was none (a refusal puts its words here).
    model
        The model id as returned; empty when the server didn't say.
    raw
        The response body as JSON text, for the store.
    pause_s
        For how long the server wants to be left alone, by what it says of its limits.
    """

    text: str
    finish: Finish
    model: str
    usage: Usage = field(default_factory=Usage)
    latency_s: float = 0.0
    raw: str = ""
    n_attempts: int = 1
    pause_s: float = 0.0
