"""Environments by name, and which one fits a benchmark."""

from __future__ import annotations

from typing import Final

from audit.environments.airline import AIRLINE
from audit.environments.library import LIBRARY
from audit.environments.mock import MOCK
from audit.environments.protocol import Environment
from audit.environments.retail import RETAIL
from audit.environments.tau1 import TAU1_AIRLINE, TAU1_RETAIL
from audit.environments.tau2 import open_tau2
from audit.environments.toolset import Domain
from audit.errors import UsageError
from audit.records.task import Benchmark, ToolKind

_ALL: Final = (AIRLINE, RETAIL, MOCK, LIBRARY, TAU1_AIRLINE, TAU1_RETAIL)
DOMAINS: Final[dict[str, Domain]] = {domain.name: domain for domain in _ALL}
TAU2: Final = "tau2:"
"""Put before a domain's name, it asks for the tools of an installed tau2 package."""


def environment_for(benchmark: Benchmark, *, name: str | None = None) -> Environment | None:
    """Return an environment over the benchmark's database and tasks.

    Parameters
    ----------
    name
        One of :data:`DOMAINS`, or ``tau2:DOMAIN`` for a domain that an installed tau2 package knows. Without a
        name, the domain whose tables and tools the benchmark has: all its tables, no tool that the domain lacks, and
        every tool of the domain that writes.

    Returns
    -------
    Environment | None
        ``None`` if no name was given and no domain fits.

    Raises
    ------
    UsageError
        If there is no environment of that name, or tau2 can't be used.
    """
    if name is None:
        return next((domain.bind(benchmark) for domain in DOMAINS.values() if _fits(domain, benchmark)), None)
    if name.startswith(TAU2):
        return open_tau2(benchmark, name.removeprefix(TAU2))
    if name not in DOMAINS:
        known = ", ".join((*DOMAINS, f"{TAU2}DOMAIN"))
        raise UsageError("no such environment", where=name, mend=f"There are: {known}")
    return DOMAINS[name].bind(benchmark)


def _fits(domain: Domain, benchmark: Benchmark) -> bool:
    if not set(domain.tables) <= benchmark.database.keys():
        return False
    listed = {(tool.caller, tool.name) for tool in benchmark.tools}
    if listed:
        writing = {key for key, body in domain.tools.items() if body.kind is ToolKind.WRITE}
        return writing <= listed <= domain.tools.keys()
    called = {(call.requestor, call.name) for task in benchmark.tasks for call in task.actions or ()}
    return bool(called) and called <= domain.tools.keys()
