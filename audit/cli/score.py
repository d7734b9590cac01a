"""``bench-audit score``: judge a benchmark and write the metrics and a report."""

from __future__ import annotations

from typing import Any

import click

from audit.cli.options import FILE, Seconds, benchmark_options, output_options, split_lists, task_options

EPILOG = """\b
Examples:
  bench-audit score sample/library --report sample.html
  bench-audit score tau3/airline --data-dir ~/tau2-bench
  bench-audit score tau3/retail --judge openai:gpt-5.4 --trials 2 --dry-run
  bench-audit score tau3/airline --judge openai:any-name@http://127.0.0.1:8080/v1
  bench-audit score my/domain --policy policy.md --db db.json --tools tools.json
"""


@click.command("score", epilog=EPILOG)
@benchmark_options
@click.option(
    "--judge",
    "judges",
    multiple=True,
    metavar="VENDOR:MODEL[@URL]",
    help="An LLM judge; repeat for a panel. Without any, the offline scorer runs: no key, no network.",
)
@click.option(
    "--api-key-env",
    "api_key_env",
    multiple=True,
    metavar="[JUDGE=]NAME",
    help="Environment variable that holds the key, instead of the vendor's usual one.",
)
@click.option("--metric", "metrics", multiple=True, metavar="NAME,…", help="Only these metrics. [default: all]")
@click.option(
    "--behavior",
    multiple=True,
    metavar="PART,…",
    help="Parts of the expected behavior to judge: nl, actions, communicate, env, prose, purpose. "
    "[default: all but purpose]",
)
@task_options
@click.option("--trials", type=click.IntRange(1, 100), default=1, show_default=True, help="Verdicts a task and metric.")
@click.option("--concurrency", type=click.IntRange(1, 1024), default=16, show_default=True, help="Calls in flight.")
@click.option("--timeout", "timeout_s", type=Seconds(), default=120.0, show_default=True, metavar="S")
@click.option(
    "--retries", type=click.IntRange(0, 20), default=5, show_default=True, help="Tries after a call that failed."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seeds intervals and judges.")
@click.option("--dry-run", is_flag=True, help="Count the calls and send none.")
@output_options("text", "json", "csv")
@click.option("--report", type=FILE, help="Write an HTML report here.")
@click.option("--store", type=FILE, help="Verdict store. [default: in your data folder]")
@click.option("--fresh", is_flag=True, help="Ask again even what is stored.")
@click.option("--quiet", "-q", is_flag=True, help="No progress on stderr.")
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in ScoreFlags
    """Score BENCHMARK: how well its tasks, expected behavior and policy fit together.

    BENCHMARK is set/domain, such as tau3/airline or sample/library, or the folder of a private benchmark.
    """
    from audit.cli import scoring

    split_lists(flags)
    ctx.exit(scoring.run(scoring.ScoreFlags(**flags)))
