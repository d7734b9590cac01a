"""``bench-audit export``: write a benchmark back with only the tasks that an expression keeps."""

from __future__ import annotations

from typing import Any

import click

from audit.cli.options import FILE, benchmark_options, judge_options, split_lists, task_options

EPILOG = """\b
EXPR compares severity (none, note, warning, error: a task's gravest finding), rule, tag, or a
metric with a value; 'and', 'or', 'not' and brackets join comparisons. A task with a missing
verdict for a metric in EXPR is left out, whatever else holds of it.

\b
Examples:
  bench-audit export sample/library --keep 'severity<error' --out sound
  bench-audit export tau3/retail --keep 'severity<warning and tag=test' --out sound
  bench-audit export my/domain --judge openai:gpt-5.4 --trials 3 \\
      --keep 'severity<error and desc_alignment>=7' --out sound
  bench-audit export my/domain --keep 'rule!=task-near-copy and offline_match>0.5' --out sound
"""


@click.command("export", epilog=EPILOG)
@benchmark_options
@task_options
@click.option("--keep", required=True, metavar="EXPR", help="What must hold of a task for it to stay.")
@click.option("--out", required=True, type=FILE, metavar="DIR", help="Folder to write; new, or empty.")
@click.option("--force", is_flag=True, help="Replace the folder, if it holds an earlier export and nothing else.")
@click.option("--environment", default="auto", show_default=True, metavar="auto|none|NAME", help="As for check.")
@click.option("--policy-rules", type=FILE, help="As for check.")
@judge_options
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in ExportFlags
    """Write BENCHMARK back in its own format, with the tasks that --keep keeps.

    Tasks are copied to the byte, splits are reduced, policy, database and tools go along, and left_out.json and
    left_out.csv say which tasks were left out and why.
    """
    from audit.cli import exporting
    from audit.cli.judging import with_judge
    from audit.cli.places import with_places

    split_lists(flags)
    ctx.exit(exporting.run(exporting.ExportFlags(**with_judge(with_places(flags)))))
