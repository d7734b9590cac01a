"""``bench-audit list``: what there is to audit, to judge with and to measure."""

from __future__ import annotations

from pathlib import Path

import click

from audit.cli.options import FILE, output_options

EPILOG = """\b
Examples:
  bench-audit list
  bench-audit list --data-dir ~/tau2-bench --format json
"""


@click.command("list", epilog=EPILOG)
@click.option("--data-dir", type=FILE, envvar="BENCH_AUDIT_DATA", show_envvar=True, help="Where to look for files.")
@output_options("text", "json")
@click.pass_context
def command(ctx: click.Context, data_dir: Path | None, format_name: str, output: Path | None) -> None:
    """List benchmarks, judges and metrics, what is installed and which keys are set."""
    from audit.cli import listing

    ctx.exit(listing.run(data_dir, format_name=format_name, output=output))
