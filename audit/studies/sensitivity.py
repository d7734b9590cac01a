"""Do scores fall where a defect was planted, and stay where only the form was changed?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.errors import UsageError
from audit.perturbations.registry import KEEPING, LOWERING, find_perturbation, perturb
from audit.records.perturbation import Direction, Perturbed
from audit.records.plan import Plan
from audit.records.study import Calls, Figure, StudyResult, Table
from audit.records.task import Benchmark
from audit.studies.ground import Ground, ask, close, plan_calls, price_calls, settings_of
from audit.studies.sensitivity_curves import auroc_figure, curve_figures, curve_table, sensitivity_table
from audit.studies.sensitivity_pairs import before_after_table, invariance_table
from audit.studies.sensitivity_sets import Changed, Judged, changes_table, task_table
from audit.studies.sensitivity_words import savings, summarise

GROUPS = {"lowering": LOWERING, "keeping": KEEPING, "all": (*LOWERING, *KEEPING)}
"""Words that stand for several kinds."""


@dataclass(frozen=True, slots=True)
class SensitivityOptions:
    """What is changed, and how much of it.

    Parameters
    ----------
    kinds
        Names of perturbations.
    rates
        Shares of the tasks, for kinds that have a rate; 0 is the benchmark as it is and always there.
    other
        For kinds that take something from another benchmark.
    tells_savings
        Whether to say what nested sets and the store saved; not where everything was asked beforehand.
    """

    kinds: tuple[str, ...]
    rates: tuple[float, ...]
    other: Benchmark | None = None
    tells_savings: bool = True


def choose_kinds(names: Sequence[str], *, has_other: bool) -> tuple[str, ...]:
    """Return the kinds that names stand for, each once.

    In a group, kinds that need another benchmark are there only with one.

    Raises
    ------
    UsageError
        If there is no such kind.
    """
    kinds: dict[str, None] = {}
    for name in names:
        if name in GROUPS:
            able = (kind for kind in GROUPS[name] if has_other or not find_perturbation(kind).needs_other)
            kinds.update(dict.fromkeys(able))
        else:
            kinds[find_perturbation(name).name] = None
    return tuple(kinds)


def parse_rates(text: str) -> tuple[float, ...]:
    """Return shares from percentages, in rising order and with 0.

    Raises
    ------
    UsageError
        If one is no percentage, or there is none but 0.

    Examples
    --------
    >>> parse_rates("20,80")
    (0.0, 0.2, 0.8)
    """
    rates = {0.0}
    for word in text.split(","):
        try:
            rate = float(word.strip().removesuffix("%"))
        except ValueError:
            rate = -1.0
        if not 0 <= rate <= 100:
            mend = "Give percentages, such as 20,40,60,80"
            raise UsageError(f"'{word.strip()}' is no percentage", where="--rates", mend=mend)
        rates.add(rate / 100)
    if len(rates) == 1:
        raise UsageError("no rate above 0", where="--rates", mend="Give percentages, such as 20,40,60,80")
    return tuple(sorted(rates))


def plan_sensitivity(
    benchmark: Benchmark, options: SensitivityOptions, *, ground: Ground
) -> tuple[tuple[Calls, ...], tuple[Plan, ...]]:
    """Return what the study would ask, and what that would cost; sends nothing."""
    sets = [benchmark, *(each.benchmark for each in make_sets(benchmark, options, seed=ground.settings.seed))]
    return plan_calls(sets, ground), price_calls(sets, ground)


def make_sets(benchmark: Benchmark, options: SensitivityOptions, *, seed: int) -> tuple[Perturbed, ...]:
    """Return the changed benchmarks: every rate above 0 of kinds that plant a defect, all tasks for the others.

    Raises
    ------
    UsageError
        If a kind can't be applied to this benchmark, or another benchmark is named that no kind needs.
    """
    kinds = [find_perturbation(name) for name in options.kinds]
    if options.other is not None and not any(kind.needs_other for kind in kinds):
        mend = "Leave it out, or add --kind swap-policy"
        raise UsageError("no kind takes anything from another benchmark", where="--with", mend=mend)
    return tuple(
        perturb(benchmark, kind.name, rate=rate, seed=seed, other=options.other if kind.needs_other else None)
        for kind in kinds
        for rate in (
            (rate for rate in options.rates if rate > 0)
            if kind.direction is Direction.LOWERS and not kind.is_whole
            else (1.0,)
        )
    )


def study_sensitivity(benchmark: Benchmark, options: SensitivityOptions, *, ground: Ground) -> StudyResult:
    """Judge a benchmark as it is and with known changes, and say what the judges made of them.

    Parameters
    ----------
    benchmark
        With the tasks that are to be judged.
    ground
        Judges, or none for the offline scorer; the seed chooses tasks and changes too.

    Returns
    -------
    StudyResult
        Curves and trends for kinds that have a rate, before and after for kinds that change everything, and the share
        of verdicts that moved for kinds that must move none.

    Raises
    ------
    UsageError
        If a kind can't be applied to this benchmark.
    """
    sets = make_sets(benchmark, options, seed=ground.settings.seed)
    alone = plan_calls([benchmark], ground)
    answers = ask([benchmark, *(each.benchmark for each in sets)], ground)
    untouched, *runs = answers.results
    changed = tuple(Changed(each, run) for each, run in zip(sets, runs, strict=True))
    tables = _tables(Judged(untouched, changed, ground.settings.seed))
    study = StudyResult(
        kind="sensitivity",
        title=f"{benchmark.name}: do scores fall where a defect is planted?",
        summary=(*summarise(tables), *(savings(alone, answers.calls) if options.tells_savings else ())),
        settings=settings_of(
            ground,
            benchmark=benchmark.name,
            kinds=options.kinds,
            rates=tuple(f"{rate:.0%}" for rate in options.rates),
            other=None if options.other is None else options.other.name,
        ),
        tables=tables,
        figures=tuple(_figures(tables)),
        notes=tuple(dict.fromkeys(f"{each.kind}: {note}" for each in sets for note in each.notes)),
    )
    return close(study, answers, benchmarks=[benchmark, *([options.other] if options.other else [])])


def _tables(judged: Judged) -> tuple[Table, ...]:
    tables = (
        sensitivity_table(judged),
        curve_table(judged),
        before_after_table(judged),
        invariance_table(judged),
        changes_table(judged),
        task_table(judged),
    )
    return tuple(table for table in tables if table.rows)


def _figures(tables: Sequence[Table]) -> Iterator[Figure]:
    for table in tables:
        if table.name == "curves":
            yield from curve_figures(table)
        elif table.name == "sensitivity" and (figure := auroc_figure(table)) is not None:
            yield figure
