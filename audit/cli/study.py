"""``bench-audit study``: whole studies of judges and benchmarks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from audit.cli.options import (
    FILE,
    benchmark_options,
    place_options,
    repeated_judge_options,
    split_lists,
    task_options,
)

Command = TypeVar("Command", bound=Callable[..., Any])

EPILOG = """\b
Examples:
  bench-audit study sensitivity sample/library --out out/sensitivity
  bench-audit study sensitivity tau3/airline --kind lowering --rates 20,80
  bench-audit study ordering --suite airline.toml --judge openai:gpt-5.4 --dry-run
  bench-audit study matrix sample/library tau3/airline --data-dir ~/tau2-bench
  bench-audit study stability sample/library --judge openai:gpt-5.4 --trials 5
  bench-audit study agreement run.json --ratings anna.csv --ratings ben.csv
  bench-audit study patterns run.json --export codes.csv
  bench-audit study paper sample/library --out out/paper
"""
SENSITIVITY = """\b
Kinds: any that perturb knows, or lowering (all that plant a defect), keeping
(all that change the form alone), all. swap-policy needs --with.

\b
Examples:
  bench-audit study sensitivity sample/library --out out/sensitivity
  bench-audit study sensitivity tau3/airline --kind lowering,keeping --rates 20,80
  bench-audit study sensitivity tau3/airline --kind swap-policy \\
      --with tau3/retail --judge openai:gpt-5.4 --dry-run
"""

ORDERING = """\b
Examples:
  bench-audit study ordering --tier top=runs/a --tier medium=runs/b --tier small=runs/c
  bench-audit study ordering --suite airline.toml --judge openai:gpt-5.4 --out out
"""
MATRIX = """\b
Examples:
  bench-audit study matrix sample/library tau3/airline tau3/retail --out out
  bench-audit study matrix --suite airline.toml --judge openai:gpt-5.4 --dry-run
"""

STABILITY = """\b
Examples:
  bench-audit study stability sample/library --judge openai:gpt-5.4 --trials 5
  bench-audit study stability tau3/airline --judge openai:gpt-5.4 --save-anchor airline.anchor.json
  bench-audit study stability tau3/airline --judge openai:gpt-5.4 --fresh --anchor airline.anchor.json
"""

AGREEMENT = """\b
A file of ratings is CSV, long or wide; docs/raters.md describes both.

\b
Examples:
  bench-audit study agreement run.json --ratings anna.csv --ratings ben.csv
  bench-audit study agreement tau3/airline --ratings ratings.csv --judge openai:gpt-5.4
  bench-audit study agreement a.json b.json --ratings ratings.csv --out out
"""
PAPER = """\b
Parts: certificate, ordering-offline, ordering, metrics, behavior-swap-offline,
behavior-swap, policy-swap, agreement, patterns; docs/studies.md.

\b
Examples:
  bench-audit study paper sample/library --judge scripted:seeded --simulate-raters --out out/study
  bench-audit study paper runs/gpt-5.4 --judge openai:gpt-5.4 --dry-run
  bench-audit study paper --tier top=runs/a --tier medium=runs/b --tier small=runs/c \\
      --with tau3/retail --judge openai:gpt-5.4 --judge anthropic:claude-sonnet-4-5 --out out
  bench-audit study paper --suite suite.toml --judge openai:gpt-5.4 --ratings anna.csv --out out
"""
PATTERNS = """\b
A codebook is CSV: its rows 'group' can be renamed (column name) and merged
(column into), its rows 'reason' moved (column group); docs/annotation.md.

\b
Examples:
  bench-audit study patterns run.json --export codes.csv
  bench-audit study patterns run.json --codebook codes.csv --out out
  bench-audit study patterns tau3/airline --judge openai:gpt-5.4 --name-groups --dry-run
"""

_SUITE = (
    click.option(
        "--tier",
        "tiers",
        multiple=True,
        metavar="TIER=BENCHMARK",
        help="A benchmark and its tier; the best tier first.",
    ),
    click.option("--suite", type=FILE, help="Benchmarks, tiers and policies from this TOML file."),
)
_STUDY = (
    click.option("--metric", "metrics", multiple=True, metavar="NAME,…", help="Only these metrics. [default: all]"),
    click.option("--behavior", multiple=True, metavar="PART,…", help="Parts of the expected behavior, as for score."),
    click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seeds all that is random."),
    click.option("--dry-run", is_flag=True, help="Count calls, tokens and cost, and send nothing."),
    click.option("--out", type=FILE, metavar="DIR", help="Folder for text, JSON, HTML page, CSV tables and figures."),
    click.option(
        "--format",
        "format_name",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="What stdout gets.",
    ),
)


def study_options(command: Command) -> Command:
    """Add the flags that all studies share."""
    return repeated_study_options(1)(command)


def repeated_study_options(trials: int) -> Callable[[Command], Command]:
    """Return the same with another default of ``--trials``."""

    def decorate(command: Command) -> Command:
        for option in reversed(_STUDY):
            command = option(command)
        return repeated_judge_options(trials)(command)

    return decorate


def unmeasured_study_options(command: Command) -> Command:
    """Add the same without ``--metric``, for a study that fixes what is measured."""
    for option in reversed(_STUDY[1:]):
        command = option(command)
    return repeated_judge_options(1)(command)


def suite_options(command: Command) -> Command:
    """Add the flags that name several benchmarks."""
    for decorate in reversed(_SUITE):
        command = decorate(command)
    return place_options(command)


@click.group("study", epilog=EPILOG)
def command() -> None:
    """Run a whole study: how far a judge can be trusted, and how benchmarks compare.

    Every study plans its calls first, asks each different question once, and takes from the verdict store what is
    there. Numbers come with intervals; what does not exist is undefined, with its reason.
    """


@command.command("sensitivity", epilog=SENSITIVITY, short_help="Do scores fall where a defect is planted?")
@benchmark_options
@task_options
@click.option(
    "--kind", "kinds", multiple=True, metavar="KIND,…", help="How tasks are changed. [default: swap-behavior]"
)
@click.option("--rates", default="0,20,40,60,80", show_default=True, help="Percentages of the tasks that are changed.")
@click.option("--with", "other", metavar="BENCHMARK", help="Where swap-policy takes the policy from.")
@study_options
@click.pass_context
def sensitivity(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags
    """Do scores fall where a defect is planted in BENCHMARK, and stay where only the form is changed?

    Changed sets are nested and partners stay, so that higher rates ask little that is new.
    """
    from audit.cli import studying

    split_lists(flags)
    ctx.exit(studying.run_sensitivity(flags))


@command.command("ordering", epilog=ORDERING, short_help="Do metrics order benchmarks as their tiers?")
@suite_options
@task_options
@study_options
@click.pass_context
def ordering(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags
    """Do the metrics order benchmarks as their tiers say?

    Pairs from different tiers of one domain are held against each metric of each judge; failing pairs and ties are
    named, and each order has its chance over draws of tasks.
    """
    from audit.cli import studying_suites

    split_lists(flags)
    ctx.exit(studying_suites.run_ordering(flags))


@command.command("matrix", epilog=MATRIX, short_help="Lay benchmarks side by side.")
@click.argument("benchmarks", nargs=-1)
@suite_options
@task_options
@study_options
@click.pass_context
def matrix(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags
    """Lay BENCHMARKS side by side: every metric of every judge, with intervals.

    Coverage is told at a common number of tasks too.
    """
    from audit.cli import studying_suites

    split_lists(flags)
    ctx.exit(studying_suites.run_matrix(flags))


@command.command("stability", epilog=STABILITY, short_help="Does a judge say the same when asked again?")
@benchmark_options
@task_options
@click.option("--anchor", type=FILE, help="Frozen verdicts of an earlier run to hold these against; with --fresh.")
@click.option("--save-anchor", type=FILE, help="Freeze the verdicts of this run here.")
@repeated_study_options(3)
@click.pass_context
def stability(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags
    """Does a judge say the same of BENCHMARK when asked again, and how does it use its scale?

    With --anchor, verdicts are held against those of an earlier day, to see whether the model behind a name has
    changed.
    """
    from audit.cli import studying

    split_lists(flags)
    ctx.exit(studying.run_stability(flags))


@command.command("agreement", epilog=AGREEMENT, short_help="Do judges agree with people?")
@click.argument("targets", nargs=-1, required=True, metavar="RUN.json|BENCHMARK…")
@click.option("--ratings", multiple=True, required=True, type=FILE, help="People's ratings, a CSV file; repeat it.")
@place_options
@task_options
@study_options
@click.pass_context
def agreement(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags
    """Do judges agree with people, and as well as people agree with each other?

    Each target is a run that score saved with --format json, or a benchmark, which is judged by each --judge. Every
    cell of the ratings that can't be used is named.
    """
    from audit.cli import studying_agreement

    split_lists(flags)
    ctx.exit(studying_agreement.run_agreement(flags))


@command.command("paper", epilog=PAPER, short_help="The papers' whole design, on one page.")
@click.argument("benchmark", required=False)
@suite_options
@task_options
@click.option("--with", "other", metavar="BENCHMARK", help="Whose policy to swap in. [default: another domain's]")
@click.option("--ratings", multiple=True, type=FILE, help="People's ratings, a CSV file; repeat it.")
@click.option("--simulate-raters", is_flag=True, help="Make raters up from the first judge's verdicts; labelled so.")
@click.option("--skip", multiple=True, metavar="PART,…", help="Leave these parts out.")
@unmeasured_study_options
@click.pass_context
def paper(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags
    """Run the design by which metrics and judges were validated, whole: one plan, one run, one page that joins it all.

    Benchmarks in tiers are ordered and measured; behaviors and policies are swapped in each of them, or in BENCHMARK
    alone where it is named; judges are certified and held against people; low scores' reasons are grouped. Without
    tiers, five are made of BENCHMARK by swapping behaviors. Without --judge, the offline scorer does what it can.
    """
    from audit.cli import studying_paper

    split_lists(flags)
    ctx.exit(studying_paper.run(flags))


@command.command("patterns", epilog=PATTERNS, short_help="What do low scores have in common?")
@click.argument("target", metavar="RUN.json|BENCHMARK")
@place_options
@task_options
@click.option("--below", type=click.FloatRange(1, 10.5), default=7.0, show_default=True, help="Scores that are low.")
@click.option("--codebook", type=FILE, help="Groups that were gone through, from --export. [default: five faults]")
@click.option("--export", type=FILE, metavar="FILE", help="Write the codebook, for a reviewer: .csv.")
@click.option("--name-groups", is_flag=True, help="Let the first --judge name the groups that are found.")
@click.option("--force", is_flag=True, help="Replace a codebook that is there.")
@study_options
@click.pass_context
def patterns(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags
    """Group the reasons of low scores, of a run that score saved or of a benchmark that --judge judges.

    Reasons join the group of the codebook that they are worded like; the rest is clustered. Every group has its count,
    typical tasks, and how often it comes back when reasons are drawn anew.
    """
    from audit.cli import studying_patterns

    split_lists(flags)
    ctx.exit(studying_patterns.run_patterns(flags))
