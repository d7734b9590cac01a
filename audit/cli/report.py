"""``bench-audit report``: a saved run or study as a page, figures and texts, without asking anybody."""

from __future__ import annotations

from typing import Any

import click

from audit.cli.options import FILE

EPILOG = """\b
Examples:
  bench-audit score tau3/airline --format json -o airline.json
  bench-audit report airline.json --open
  bench-audit report airline.json --out airline.html --figures figures
  bench-audit report airline.json --format markdown >> "$GITHUB_STEP_SUMMARY"
  bench-audit report airline.json --format badge --out badge.svg
  bench-audit report airline.json --format bibtex >> paper.bib
  bench-audit report airline.json --patterns codes.csv --open
  bench-audit report studies/sensitivity.json --figures figures
"""
FORMATS = ("html", "markdown", "json", "csv", "badge", "bibtex")


@click.command("report", epilog=EPILOG)
@click.argument("run", type=FILE)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(FORMATS),
    help="What to write. [default: html, unless only --figures is given]",
)
@click.option(
    "--out",
    "-o",
    "out",
    type=FILE,
    help="Write it here; - for stdout. [default: a page beside RUN, everything else to stdout]",
)
@click.option("--open", "is_opened", is_flag=True, help="Open the page in your browser.")
@click.option("--figures", type=FILE, metavar="DIR", help="Write the figures as SVG and PNG, their data as CSV.")
@click.option(
    "--patterns",
    type=FILE,
    metavar="CODES.csv",
    help="Group the reasons of low scores anew, from a codebook that study patterns --export wrote.",
)
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in ReportFlags
    """Render RUN again: the JSON of a run (score --format json) or of a study.

    Nothing is asked and nothing is read but this file; the same file gives the same bytes.
    """
    from audit.cli import reporting

    ctx.exit(reporting.run_report(reporting.ReportFlags(**flags)))
