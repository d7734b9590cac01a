"""``bench-audit annotate``: what people say of tasks, asked blind."""

from __future__ import annotations

from typing import Any

import click

from audit.cli.options import FILE, benchmark_options, output_options, split_lists, task_options

EPILOG = """\b
Examples:
  bench-audit annotate export tau3/airline --n 50 --raters anna,ben --out sheet.html
  bench-audit annotate import answers.anna.json answers.ben.json --key sheet.key.json --out ratings.csv
  bench-audit annotate adjudicate ratings.csv --key sheet.key.json --out settle.html
  bench-audit study agreement run.json --ratings ratings.csv
"""
EXPORT = """\b
Beside the sheet stands its key (SHEET.key.json), which tells the task behind
each code: keep it for import, and give it to no rater. A CSV sheet comes with a
guide (SHEET.guide.md): the rubric and the policy.

\b
Examples:
  bench-audit annotate export sample/library --n 12 --dry-run
  bench-audit annotate export tau3/airline --n 50 --raters anna,ben --out sheet.html
  bench-audit annotate export my/domain --n 30 --metric desc_alignment --run run.json --out sheet.csv
"""
IMPORT = """\b
Examples:
  bench-audit annotate import answers.anna.json answers.ben.json --key sheet.key.json --out ratings.csv
  bench-audit annotate import sheet.csv --rater anna --out ratings.csv
"""
ADJUDICATE = """\b
Examples:
  bench-audit annotate adjudicate ratings.csv
  bench-audit annotate adjudicate anna.csv ben.csv --format csv --output parted.csv
  bench-audit annotate adjudicate ratings.csv --least 0.3 --key sheet.key.json --out settle.html
  bench-audit annotate import answers.adjudicated.json --key settle.key.json --out settled.csv
"""
_KEY = click.option(
    "--key", "keys", multiple=True, type=FILE, help="A sheet's key; repeat. [default: every one beside the files]"
)


@click.group("annotate", epilog=EPILOG)
def command() -> None:
    """Let people rate tasks without seeing what judges say, and bring their answers together."""


@command.command("export", epilog=EXPORT, short_help="Draw tasks, and write a blind sheet.")
@benchmark_options
@task_options
@click.option("--n", type=click.IntRange(min=1), default=50, show_default=True, help="Tasks to draw.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Draws and shuffles.")
@click.option("--metric", "metrics", multiple=True, metavar="NAME,…", help="Only these questions. [default: all]")
@click.option("--behavior", multiple=True, metavar="PART,…", help="Parts of the expected behavior, as for score.")
@click.option("--raters", multiple=True, metavar="NAME,…", help="A copy for each, in an order of its own.")
@click.option("--run", "run_path", type=FILE, help="Saved run: draw evenly from thirds of its scores, shown nowhere.")
@click.option("--out", type=FILE, metavar="FILE", help="The sheet: .html or .csv.")
@click.option("--dry-run", is_flag=True, help="Only say how precise the answers will be.")
@click.option("--force", is_flag=True, help="Replace sheets that are there.")
@click.pass_context
def export(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags
    """Draw tasks of BENCHMARK, stratified by tags, splits and score thirds, and write a blind sheet.

    The sheet asks what judges are asked, in the same words, and shows what they are shown: no score, no task id, in a
    shuffled order. How wide intervals are to be expected is told beforehand.
    """
    from audit.cli import annotating

    split_lists(flags)
    ctx.exit(annotating.run_export(flags))


@command.command("import", epilog=IMPORT, short_help="Read filled sheets into a file of ratings.")
@click.argument("sheets", nargs=-1, required=True, type=FILE, metavar="SHEET…")
@_KEY
@click.option("--rater", default="", metavar="NAME", help="Whose sheets these are, where they don't say.")
@click.option("--out", type=FILE, metavar="FILE", required=True, help="The ratings, a CSV file for study agreement.")
@click.option("--force", is_flag=True, help="Replace ratings that are there.")
@click.pass_context
def import_(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags
    """Read filled sheets, CSV or JSON, of one rater or several.

    Every cell that can't be used is named by file, row and column, with what is allowed there; then nothing is
    written. The same question answered twice by one rater is such a cell.
    """
    from audit.cli import annotating

    ctx.exit(annotating.run_import(flags))


@command.command("adjudicate", epilog=ADJUDICATE, short_help="List where raters part, and settle it.")
@click.argument("ratings", nargs=-1, required=True, type=FILE, metavar="RATINGS…")
@_KEY
@click.option("--least", type=click.FloatRange(0, 1), default=0.0, metavar="GAP", help="Only gaps of this or more.")
@click.option("--out", type=FILE, metavar="FILE", help="Write a sheet to settle them: .html or .csv.")
@click.option("--force", is_flag=True, help="Replace sheets that are there.")
@output_options("text", "csv", "json")
@click.pass_context
def adjudicate(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags
    """List the questions that raters answered differently, the widest gap first.

    A gap is the range of the scores as a share of the scale, or one minus the mean Jaccard similarity of the sets of
    items. With --out, a sheet asks the disputed questions again, with the answers given but no names; it is imported
    as the rater 'adjudicated'.
    """
    from audit.cli import annotating

    ctx.exit(annotating.run_adjudicate(flags))
