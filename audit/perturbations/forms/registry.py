"""Forms by the name of the loader that reads the format."""

from __future__ import annotations

from collections.abc import Callable

from audit.errors import UsageError
from audit.perturbations.forms.intellagent import IntellAgentForm
from audit.perturbations.forms.pararecover import ParaRecoverForm
from audit.perturbations.forms.plain import plain_form
from audit.perturbations.forms.protocol import Form
from audit.perturbations.forms.tau import TauForm
from audit.perturbations.forms.tau1 import Tau1Form
from audit.records.task import Benchmark

FORMS: dict[str, Callable[[Benchmark], Form]] = {
    "intellagent": lambda _: IntellAgentForm(),
    "pararecover": lambda _: ParaRecoverForm(),
    "plain": plain_form,
    "tau": lambda _: TauForm(),
    "tau1": lambda _: Tau1Form(),
}
"""From what a benchmark holds: a table's columns are the user's choice."""


def find_form(benchmark: Benchmark) -> Form:
    """Return the form of a benchmark's entries.

    Raises
    ------
    UsageError
        If its format has none.
    """
    if benchmark.format not in FORMS:
        what = f"benchmarks of the format {benchmark.format!r} can't be perturbed"
        raise UsageError(what, where=benchmark.name, mend=f"Formats that can: {', '.join(sorted(FORMS))}")
    return FORMS[benchmark.format](benchmark)
