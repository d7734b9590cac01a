"""``bench-audit compare``: what changed between versions of a benchmark, or between runs."""

from __future__ import annotations

from typing import Any

import click

from audit.cli.options import FILE, judge_options, output_options, place_options, split_lists, task_options

EPILOG = """\b
Examples:
  bench-audit compare released.json my/domain
  bench-audit compare tau3/airline tau3/airline --old-data-dir ~/tau2-old --data-dir ~/tau2-new
  bench-audit compare old/domain new/domain --judge openai:gpt-5.4 --format markdown
  bench-audit compare monday.json tuesday.json --format json
  bench-audit compare before.json after.json --report changes.html
  bench-audit compare v1.json v2.json v3.json --baseline v2.json --report versions.html
  bench-audit compare gpt.json claude.json --table
"""


@click.command("compare", epilog=EPILOG)
@click.argument("sides", nargs=-1, required=True, metavar="OLD NEW [MORE]...")
@click.option("--baseline", metavar="SIDE", help="Which side the others are held against. [default: the first]")
@click.option("--table", "is_table", is_flag=True, help="Two sides as more are shown: in a table, tests adjusted.")
@place_options
@click.option("--old-data-dir", type=FILE, help="The baseline's data folder. [default: as the others']")
@click.option("--old-policy", type=FILE, help="The baseline's policy. [default: as the others']")
@click.option("--old-db", "old_database", type=FILE, help="The baseline's database. [default: as the others']")
@click.option("--old-tools", type=FILE, help="The baseline's tool table. [default: as the others']")
@task_options
@click.option("--metric", "metrics", multiple=True, metavar="NAME,…", help="Judge only these metrics. [default: all]")
@click.option("--behavior", multiple=True, metavar="PART,…", help="Parts of the expected behavior. [default: as score]")
@click.option("--environment", default="auto", show_default=True, metavar="auto|none|NAME", help="As for check.")
@click.option("--policy-rules", type=FILE, help="As for check.")
@judge_options
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seeds intervals and judges.")
@click.option("--dry-run", is_flag=True, help="Count the calls and send none.")
@output_options("text", "json", "markdown", "csv")
@click.option("--report", type=FILE, help="Write an HTML page of the comparison here.")
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in CompareFlags
    """Say what changed from OLD to NEW: tasks, findings, and scores over the tasks that both have.

    With more sides, each is held against the first, in a table of metrics by sides; p-values are adjusted for all
    differences together. Where each side has one judge of its own, the judges are compared.

    A side is a benchmark, or the JSON that score, check or gate wrote. Benchmarks are checked and scored offline, and
    judged by each --judge; verdicts come from the store where the task and its policy are the same.
    """
    from audit.cli import comparing

    split_lists(flags)
    ctx.exit(comparing.run(comparing.make_flags(flags)))
