"""Loaders by name: our own, and those of packages that are installed."""

from __future__ import annotations

from dataclasses import replace

from audit.errors import LoadError
from audit.loaders.intellagent import IntellAgentLoader
from audit.loaders.pararecover import ParaRecoverLoader
from audit.loaders.plain import PlainLoader
from audit.loaders.plugins import find_loader, list_plugins
from audit.loaders.protocol import Loader
from audit.loaders.tau import TauLoader
from audit.loaders.tau1 import Tau1Loader
from audit.records.source import Source
from audit.records.task import Benchmark

LOADERS: dict[str, Loader] = {
    "intellagent": IntellAgentLoader(),
    "pararecover": ParaRecoverLoader(),
    "plain": PlainLoader(),
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
    loader = LOADERS.get(source.loader) or find_loader(source.loader)
    if loader is None:
        known = ", ".join(sorted({*LOADERS, *(plugin.name for plugin in list_plugins())}))
        raise LoadError(
            f"no loader {source.loader!r}",
            where=source.name,
            mend=f"There are: {known}; or install the package that brings it",
        )
    return replace(loader.load(source), format=source.loader)
