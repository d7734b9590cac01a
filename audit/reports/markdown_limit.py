"""Markdown that fits where it is posted: a comment on GitHub takes 65,536 characters, a job's summary a megabyte."""

from __future__ import annotations

from audit.reports import numbers
from audit.reports.findings_markdown import LIMIT

_ROOM = 200


def fit(text: str, *, more: str) -> str:
    r"""Return ``text``, cut between lines where it is too long, with what was cut and where all of it stands.

    Parameters
    ----------
    more
        Where a reader finds the rest, as the end of a sentence.

    Examples
    --------
    >>> fit("short\n", more="in the JSON")
    'short\n'
    """
    if len(text) <= LIMIT:
        return text
    lines = text.splitlines(keepends=True)
    kept: list[str] = []
    size = 0
    for line in lines:
        size += len(line)
        if size > LIMIT - _ROOM:
            break
        kept.append(line)
    n_open = sum(line.startswith("<details") for line in kept) - sum(line.startswith("</details>") for line in kept)
    closing = "\n</details>\n" * n_open
    left = numbers.plural(len(lines) - len(kept), "line")
    return f"{''.join(kept)}{closing}\n**Cut here**: {left} more, {more}.\n"
