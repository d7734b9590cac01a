"""Writers by the name of the loader that reads what they write."""

from __future__ import annotations

from audit.errors import UsageError
from audit.writers.intellagent import IntellAgentWriter
from audit.writers.pararecover import ParaRecoverWriter
from audit.writers.plain import PlainWriter
from audit.writers.protocol import Writer
from audit.writers.tau import TauWriter
from audit.writers.tau1 import Tau1Writer

WRITERS: dict[str, Writer] = {
    "intellagent": IntellAgentWriter(),
    "pararecover": ParaRecoverWriter(),
    "plain": PlainWriter(),
    "tau": TauWriter(),
    "tau1": Tau1Writer(),
}


def find_writer(loader: str) -> Writer:
    """Return the writer of a format.

    Raises
    ------
    UsageError
        If there is none.
    """
    if loader not in WRITERS:
        known = ", ".join(sorted(WRITERS))
        raise UsageError(f"benchmarks of the format {loader!r} are read only", mend=f"Formats with a writer: {known}")
    return WRITERS[loader]
