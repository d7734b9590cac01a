"""The seam between what all SDK providers do and what each vendor's protocol needs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from audit.providers.capabilities import Capabilities, Feature, ModelFacts
from audit.records.prompt import Finish, Prompt, Usage


@dataclass(frozen=True, slots=True)
class Call:
    """One request, before it takes a vendor's form."""

    prompt: Prompt
    model: str
    trial: int
    facts: ModelFacts
    capabilities: Capabilities
    is_own: bool
    """Whether it goes to the vendor's own address."""

    @property
    def temperature(self) -> float | None:
        """Zero, unless the model refuses it."""
        return 0.0 if self.capabilities.takes(Feature.TEMPERATURE) else None

    @property
    def seed(self) -> int | None:
        """The trial, so that trials may differ; unless the model refuses it."""
        return self.trial if self.capabilities.takes(Feature.SEED) else None

    @property
    def format(self) -> Feature | None:
        """How the reply's form is asked for by the vendor's own means."""
        formats = (Feature.JSON_SCHEMA, Feature.JSON_OBJECT)
        return next((format for format in formats if self.capabilities.takes(format)), None)

    @property
    def is_long(self) -> bool:
        """Whether the prefix fills a prompt cache; four characters count as a token."""
        return len(self.prompt.prefix) // 4 >= self.facts.cache_min_tokens

    @property
    def turns(self) -> tuple[tuple[str, str], ...]:
        """Role and text of each turn: ``user``, or ``user``, ``assistant``, ``user`` for a repair."""
        if self.prompt.repair is None:
            return (("user", self.prompt.suffix),)
        bad_reply, complaint = self.prompt.repair
        if not bad_reply.strip():
            return (("user", f"{self.prompt.suffix}\n\n{complaint}"),)
        return (("user", self.prompt.suffix), ("assistant", bad_reply), ("user", complaint))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a response's body says, whatever its vendor."""

    text: str
    finish: Finish
    model: str
    usage: Usage


class BodyError(Exception):
    """A body that is not what the protocol promises; never leaves the providers."""


class Wire(Protocol):
    """One vendor's protocol, spoken through its SDK."""

    errors: tuple[type[Exception], ...]
    """The roots of the SDK's exceptions."""

    def sent(self, call: Call) -> frozenset[Feature]:
        """Return which features the request of ``call`` holds."""
        ...

    async def send(self, call: Call) -> str:
        """Send the request and return the response's body as text."""
        ...

    def read(self, body: Mapping[str, JsonValue]) -> Answer:
        """Read a response's body; raise :class:`BodyError` or a validation error for a wrong shape."""
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...


class Body(BaseModel):
    """Part of a response; unknown fields are ignored, known ones must have their type."""

    model_config = ConfigDict(extra="ignore", protected_namespaces=())


def parse_body(text: str) -> dict[str, JsonValue]:
    """Return a response's body as a JSON object.

    Parameters
    ----------
    text
        As it came, which may be an HTML page or cut in the middle.

    Raises
    ------
    BodyError
        Saying what it is instead.
    """
    try:
        body = json.loads(text, object_pairs_hook=_refuse_doubles)
    except (ValueError, RecursionError) as error:
        start = " ".join(text[:200].split())
        what = "an HTML page" if start.lower().startswith(("<!doctype", "<html")) else "not JSON"
        raise BodyError(f"the body is {what if start else 'empty'}: {start[:80]!r}") from error
    if not isinstance(body, dict):
        raise BodyError(f"the body is a JSON {type(body).__name__}, not an object")
    return body


def _refuse_doubles(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise BodyError("the body has a key twice in one object")
    return fields


def explain(error: ValidationError) -> str:
    """Return one line that says where a body has the wrong shape."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(step) for step in first["loc"]) or "the body"
    return f"the body has the wrong shape at {place}: {first['msg']}"


_MOST_TOKENS = 10**9
"""More in one call is no count; beyond 2**63 a database does not even hold it."""


def count(value: object) -> int | None:
    """Return a token count, or ``None`` for what is none.

    Examples
    --------
    >>> count(12), count(True), count("12"), count(-1), count(10**30)
    (12, None, None, None, None)
    """
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS
    return value if is_count else None  # type: ignore[return-value]  # an int by then


def child(record: Mapping[str, JsonValue] | None, name: str) -> Mapping[str, JsonValue]:
    """Return the object under ``name``, or an empty one."""
    value = None if record is None else record.get(name)
    return value if isinstance(value, dict) else {}


def total(*counts: int | None) -> int | None:
    """Return the sum of the counts that were reported; ``None`` if none was."""
    known = [value for value in counts if value is not None]
    return sum(known) if known else None


def finish_of(reason: str | None, finishes: Mapping[str, Finish], *, has_text: bool) -> Finish:
    """Return how a reply ended.

    Parameters
    ----------
    reason
        The server's word; ``None`` where it said nothing.
    finishes
        The words of the protocol that don't mean a complete reply.
    has_text
        Whether there is a text that the judge's own check can decide on.

    Raises
    ------
    BodyError
        For an unknown word without a text.
    """
    if reason is None or reason.lower() in _COMPLETE:
        return Finish.COMPLETE
    if reason in finishes:
        return finishes[reason]
    if has_text:
        return Finish.COMPLETE
    raise BodyError(f"the reply is empty and ended with {reason[:80]!r}")


_COMPLETE = frozenset({"stop", "end_turn", "stop_sequence", "finish_reason_unspecified"})
