"""The seam to models: one verb, ``complete``."""

from __future__ import annotations

from typing import Protocol

from audit.providers.capabilities import Capabilities
from audit.records.mode import Mode
from audit.records.prompt import Prompt, Reply
from audit.records.verdict import Trust


class Provider(Protocol):
    """One model at one endpoint.

    Attributes
    ----------
    endpoint
        What the store's key knows of the endpoint: the vendor's name for its own, else scheme, host, port and path.
    model
        The model id that is asked for.
    capabilities
        What the model was found to refuse; grows while it is asked, and can be set to what an earlier run found.
    parameters
        Sampling parameters that are sent, as canonical text; part of the store's key.
    mode
        Whether it answers prompts, or the decisions of a prompt.
    """

    endpoint: str
    model: str
    parameters: str
    trust: Trust
    mode: Mode
    capabilities: Capabilities

    async def complete(self, prompt: Prompt, *, trial: int) -> Reply:
        """Ask once, without retries; raise :class:`audit.errors.ProviderError` when no reply came."""
        ...

    def prepare(self) -> None:
        """Do what takes long before the first call, such as importing an SDK; no call is in flight then."""
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...
