"""Failure patterns of runs, for the commands that save or show them."""

from __future__ import annotations

from pathlib import Path

from audit.cli.output import say
from audit.errors import LoadError
from audit.records.run import RunResult
from audit.reports import numbers
from audit.studies.codebook import read_codebook
from audit.studies.failure_patterns import with_patterns


def patterns_by(run: RunResult, codebook: Path) -> RunResult:
    """Return a run with what its low scores have in common, in the groups of a file of ``study patterns --export``.

    Raises
    ------
    LoadError
        If the file is none, or a cell of it can't be used; each of these is named on a line of its own.
    """
    read, bad = read_codebook(codebook)
    for each in bad:
        say(f"Error: {each}")
    if bad:
        what = f"has {numbers.plural(len(bad), 'bad cell')}"
        raise LoadError(what, where=str(codebook), mend="Mend what stands above")
    return with_patterns(run, read, name=codebook.name)
