"""What ``bench-audit export`` does with its flags."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from audit import pipeline
from audit.checks.registry import RULES
from audit.checks.running import find_rule
from audit.cli.judging import JudgeFlags, score
from audit.cli.main import INCOMPLETE
from audit.cli.output import say, write_lines
from audit.errors import UsageError
from audit.exports.expression import Expression, comparisons, parse
from audit.exports.selection import TASK_METRICS, metrics_of, read_scores, select
from audit.exports.writing import check_folder, write_export
from audit.loaders.splits import choose_tasks
from audit.metrics.registry import JUDGED_METRICS
from audit.records.export import Selection


@dataclass(frozen=True, slots=True)
class ExportFlags:
    """The command's flags as click parsed them."""

    benchmark: str
    places: pipeline.Places
    tasks: tuple[str, ...]
    limit: int | None
    split: str | None
    keep: str
    out: Path
    force: bool
    environment: str
    policy_rules: Path | None
    judge: JudgeFlags


def run(flags: ExportFlags) -> int:
    """Export as the flags say and return the exit code."""
    expression = _read_expression(flags)
    source = pipeline.find_source(flags.benchmark, flags.places)
    check_folder(source, flags.out, may_replace=flags.force)
    panel = flags.judge.panel()
    benchmark = pipeline.load(flags.benchmark, flags.places)
    benchmark = choose_tasks(benchmark, tasks=flags.tasks, limit=flags.limit, split=flags.split)
    options = pipeline.CheckOptions(environment=flags.environment, policy_rules=flags.policy_rules)
    checked = pipeline.check_benchmark(benchmark, options, root=source.root)
    runs = score(benchmark, metrics_of(expression), flags=flags.judge, panel=panel)
    scores = {name: read_scores(result, name) for result in runs for name in result.settings.metrics}
    selection = select(expression, checked, scores=scores, runs=runs)
    write_export(selection, source, target=flags.out)
    _tell(selection, flags)
    return 0 if selection.is_complete else INCOMPLETE


def _read_expression(flags: ExportFlags) -> Expression:
    """Return the expression, whose rules exist and whose metrics can be measured."""
    expression = parse(flags.keep, metrics=TASK_METRICS)
    for comparison in comparisons(expression):
        if comparison.name == "rule":
            find_rule(comparison.value, list(RULES.values()), where="--keep")
    judged = [name for name in metrics_of(expression) if name in JUDGED_METRICS]
    if judged and not flags.judge.judges:
        raise UsageError(f"{judged[0]} needs a judge", where="--keep", mend="Name one with --judge")
    if flags.judge.judges and not judged:
        mend = f"Leave it out, or name a metric in --keep: {', '.join(TASK_METRICS)}"
        raise UsageError("no judge is needed for this expression", where="--judge", mend=mend)
    return expression


def _tell(selection: Selection, flags: ExportFlags) -> None:
    n_kept, n_left = len(selection.kept), len(selection.left_out)
    write_lines(f"kept {n_kept} of {n_kept + n_left} tasks in {flags.out}; left_out.csv says why not the others")
    if selection.whole_set:
        n = len(selection.whole_set)
        say(f"Note: {n} findings concern the set as a whole; check the new folder again")
    if not selection.is_complete:
        say("Incomplete: verdicts are missing, and their tasks are left out; the same command asks only for these")
