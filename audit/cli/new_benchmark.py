"""``bench-audit new-benchmark``: write the skeleton of a benchmark of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from audit.cli.options import FILE

EPILOG = """\b
Examples:
  bench-audit new-benchmark my-set
  bench-audit check my-set/desk
  bench-audit new-benchmark benchmarks/support --name support-2031
"""


@click.command("new-benchmark", epilog=EPILOG)
@click.argument("folder", type=FILE, metavar="DIR")
@click.option("--name", help="Name of the set. [default: the folder's]")
@click.pass_context
def command(ctx: click.Context, folder: Path, name: str | None) -> None:
    """Write a small set into DIR, with a manifest that explains every field.

    It has tasks, a policy with its items, a database and tools, and can be checked and scored as it stands.
    """
    from audit.cli import skeleton

    ctx.exit(skeleton.run(folder, name=name))
