"""``bench-audit study``: whole studies of judges and benchmarks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from audit.cli.options import (
    FILE,
    benchmark_options,
    judge_options,
    split_lists,
    task_options,
)

Command = TypeVar("Command", bound=Callable[..., Any])

EPILOG = """\b
Examples:
  bench-audit study sensitivity sample/library --out out/sensitivity
  bench-audit study sensitivity tau3/airline --kind lowering --rates 20,80
  bench-audit study sensitivity tau3/airline --kind swap-policy --with tau3/retail --judge openai:gpt-5.4 --dry-run
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
    for decorate in reversed(_STUDY):
        command = decorate(command)
    return judge_options(command)


@click.group("study", epilog=EPILOG)
def command() -> None:
    """Run a whole study: how far a judge can be trusted, and how benchmarks compare.

    Every study plans its calls first, asks each different question once, and takes from the verdict store what is
    there. Numbers come with intervals; what does not exist is undefined, with its reason.
    """


@command.command("sensitivity", epilog=SENSITIVITY)
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
