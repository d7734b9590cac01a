"""Origins as paths into a task's entry."""

from __future__ import annotations

import re

from audit.perturbations.json_paths import Path
from audit.records.task import Origin

_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def path_of(origin: Origin) -> Path:
    """Return the path that an origin names.

    Examples
    --------
    >>> path_of(Origin("tasks.json", "criteria.actions[2].name"))
    ('criteria', 'actions', 2, 'name')
    """
    return tuple(name or int(number) for name, number in _STEP.findall(origin.field))
