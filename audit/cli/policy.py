"""``bench-audit policy``: a policy document and its items."""

from __future__ import annotations

from pathlib import Path

import click

from audit.cli.options import benchmark_options, chosen_items, output_options

EPILOG = """\b
Examples:
  bench-audit policy items sample/library
  bench-audit policy items tau3/airline --data-dir ~/tau2-bench --format csv
"""


@click.group("policy", epilog=EPILOG)
def command() -> None:
    """Work with a policy document and its items."""


@command.command("items", epilog=EPILOG)
@benchmark_options
@output_options("text", "json", "csv")
@click.pass_context
def items(
    ctx: click.Context,
    benchmark: str,
    data_dir: Path | None,
    policy: Path | None,
    database: Path | None,
    tools: Path | None,
    policy_items: str,
    format_name: str,
    output: Path | None,
) -> None:
    """Print BENCHMARK's policy document with its items marked.

    Fails, with exit code 2, if the document is not the one that the items were made for.
    """
    from audit import pipeline
    from audit.cli import policies

    places = pipeline.Places(data_dir, policy, database, tools, **chosen_items(policy_items))
    ctx.exit(policies.print_items(benchmark, places, format_name=format_name, output=output))
