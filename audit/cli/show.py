"""``bench-audit show``: what each judge sees of a task."""

from __future__ import annotations

from typing import Any

import click

from audit.cli.options import benchmark_options, output_options, split_lists

EPILOG = """\b
Examples:
  bench-audit show sample/library lib_03
  bench-audit show tau3/airline 7 --data-dir ~/tau2-bench --judge-prompt desc_alignment
  bench-audit show tau3/airline 7 --full
"""


@click.command("show", epilog=EPILOG)
@benchmark_options
@click.argument("task")
@click.option("--judge-prompt", "criteria", multiple=True, metavar="NAME,…", help="Only these prompts. [default: all]")
@click.option("--behavior", multiple=True, metavar="PART,…", help="Parts of the expected behavior. [default: as score]")
@click.option("--full", is_flag=True, help="Also the instructions and the policy, which are the same for every task.")
@output_options("text", "json")
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in ShowFlags
    """Print exactly what each judge sees of TASK, part by part, with the file and field it comes from."""
    from audit.cli import showing
    from audit.cli.places import with_places

    split_lists(flags)
    ctx.exit(showing.run(showing.ShowFlags(**with_places(flags))))
