"""What machine it is: what a figure needs to be read, and nothing that names the machine or a place on it."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path

from scripts.bench.records import Machine

_PACKAGES = ("bench-audit", "openai", "httpx2", "pydantic", "numpy")


def tell_machine() -> Machine:
    """Return the facts of this machine, today."""
    return Machine(
        day=datetime.now(UTC).date().isoformat(),
        processor=_processor(),
        n_cores=os.cpu_count() or 0,
        memory_gb=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30,
        system=f"{platform.system()} {platform.release().partition('-')[0]} {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        versions=tuple((name, importlib.metadata.version(name)) for name in _PACKAGES),
    )


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*:\s*(.+)$", facts.read_text(), re.MULTILINE) if facts.is_file() else None
    return found[1].strip() if found else platform.processor() or "unknown"
