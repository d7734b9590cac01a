"""Dialogs that were held on a benchmark before it came to us."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Experiment:
    """One simulation of one agent on a benchmark, as far as its files tell.

    Parameters
    ----------
    name
        Of its folder.
    file
        The file that the numbers were read from, as shown to the user.
    n_dialogs, n_success, n_failure
        Dialogs, and those that the simulated user ended with either verdict; the rest ended without one.
    without_dialog
        Ids of tasks for which there is no dialog; ``None`` where the files don't tell.
    """

    name: str
    file: str
    n_dialogs: int
    n_success: int
    n_failure: int
    without_dialog: tuple[str, ...] | None = None

    @property
    def n_open(self) -> int:
        """Dialogs without a verdict: broken off, crashed or still running when the files were written."""
        return self.n_dialogs - self.n_success - self.n_failure
