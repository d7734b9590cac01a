"""``bench-audit serve``: a folder of runs as one local site."""

from __future__ import annotations

from pathlib import Path

import click

from audit.cli.options import FILE

EPILOG = """\b
Examples:
  bench-audit score tau3/airline --format json -o runs/airline.json
  bench-audit serve runs
  bench-audit serve runs --port 8000 --open
"""


@click.command("serve", epilog=EPILOG)
@click.argument("folder", type=FILE, metavar="RUNS_DIR")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, show_default="any free one", help="Port on this machine."
)
@click.option("--open", "is_opened", is_flag=True, help="Open the list in your browser.")
@click.pass_context
def command(ctx: click.Context, folder: Path, port: int, is_opened: bool) -> None:  # noqa: FBT001  # click's flag
    """List the runs, studies and pages in RUNS_DIR on a local page, each with a link to its report.

    For this machine alone, and read only. Files that come in are there after a reload; links in the folder that lead
    out of it are not followed. Ctrl-C ends it.
    """
    from audit.cli import serving

    ctx.exit(serving.run(folder, port=port, is_opened=is_opened))
