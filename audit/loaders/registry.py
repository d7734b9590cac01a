"""Loaders by name."""

from __future__ import annotations

from dataclasses import replace

from audit.errors import LoadError
from audit.loaders.intellagent import IntellAgentLoader
from audit.loaders.pararecover import ParaRecoverLoader
from audit.loaders.protocol import Loader
from audit.loaders.tau import TauLoader
from audit.loaders.tau1 import Tau1Loader
from audit.records.source import Source
from audit.records.task import Benchmark

LOADERS: dict[str, Loader] = {
    "intellagent": IntellAgentLoader(),
    "pararecover": ParaRecoverLoader(),
    "tau": TauLoader(),
    "tau1": Tau1Loader(),
}


def load_benchmark(source: Source) -> Benchmark:
    """Read the benchmark whose files ``source`` names.

    Raises
    ------
    LoadError
        Naming file, task and field, if a file can't be read.
    """
    loader = LOADERS.get(source.loader)
    if loader is None:
        known = ", ".join(sorted(LOADERS))
        raise LoadError(f"no loader {source.loader!r}", where=source.name, mend=f"There are: {known}")
    return replace(loader.load(source), format=source.loader)
