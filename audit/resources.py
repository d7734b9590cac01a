"""Where the files that ship beside the code are found: policies, benchmarks and report templates."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(kind: str, *parts: str) -> Path:
    """Return the path of a shipped file or folder.

    Parameters
    ----------
    kind
        ``policies``, ``benchmarks`` or ``reports``.
    parts
        Path below it.

    Examples
    --------
    >>> resource("policies").name
    'policies'
    """
    shipped = _PACKAGE / "_resources"
    base = shipped if shipped.is_dir() else _PACKAGE.parent
    return base.joinpath(kind, *parts)
