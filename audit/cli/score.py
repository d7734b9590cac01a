"""``bench-audit score``: judge a benchmark and write the metrics and a report."""

from __future__ import annotations

from typing import Any

import click

from audit.cli.options import FILE, judge_options, output_options, place_options, split_lists, task_options

EPILOG = """\b
Examples:
  bench-audit score sample/library --report sample.html
  bench-audit score tau3/airline --data-dir ~/tau2-bench
  bench-audit score tau3/retail --judge openai:gpt-5.4 --trials 2 --dry-run
  bench-audit score tau3/retail --judge openai:gpt-5.4 --budget 5
  bench-audit score tau3/airline --judge openai:any-name@http://127.0.0.1:8080/v1
  bench-audit score tau3/airline --judge openai:gpt-6-luna --mode prompts --mode decisions
  bench-audit score sample/library --judge local:models/some-chat-model.gguf --timeout 900
  bench-audit score tau3/retail --judge openai:gpt-5.4 --batch
  bench-audit score my/domain --policy policy.md --db db.json --tools tools.json
  bench-audit score --tier top=runs/gpt-5.4 --tier small=runs/llama-3.2-1b --report pages
  bench-audit score --suite airline.toml --judge openai:gpt-5.4 --format json -o airline.json
  bench-audit score my/domain --format markdown >> "$GITHUB_STEP_SUMMARY"
"""


@click.command("score", epilog=EPILOG)
@click.argument("benchmarks", nargs=-1, metavar="BENCHMARK…")
@click.option(
    "--tier",
    "tiers",
    multiple=True,
    metavar="TIER=BENCHMARK",
    help="A benchmark and the tier that it is expected in, the best tier first; repeat.",
)
@click.option("--suite", type=FILE, help="Benchmarks, tiers and policies from this TOML file.")
@place_options
@click.option("--metric", "metrics", multiple=True, metavar="NAME,…", help="Only these metrics. [default: all]")
@click.option(
    "--behavior",
    multiple=True,
    metavar="PART,…",
    help="Parts of the expected behavior to judge: nl, actions, communicate, env, prose, purpose. "
    "[default: all but purpose]",
)
@task_options
@judge_options
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seeds intervals and judges.")
@click.option("--dry-run", is_flag=True, help="Count calls, tokens and cost, and send nothing.")
@output_options("text", "json", "csv", "markdown")
@click.option(
    "--report", type=FILE, help="Write an HTML report here; of several benchmarks, a folder with one for each."
)
@click.option(
    "--checks/--no-checks",
    default=True,
    show_default=True,
    help="Look for defects that need no judge, too, as check does.",
)
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in ScoreFlags
    """Score BENCHMARK: how well its tasks, expected behavior and policy fit together.

    BENCHMARK is set/domain, such as tau3/airline or sample/library, or the folder of a private benchmark. Several of
    them are scored side by side, and so are those of --tier and --suite: those in tiers, or of one domain in the file,
    must have one policy and one set of items, given with --policy where their own differ.
    """
    from audit.cli import scoring, suite_scoring
    from audit.cli.judging import with_judge
    from audit.cli.places import with_places

    split_lists(flags)
    flags = with_judge(with_places(flags))
    benchmarks, tiers, file = flags.pop("benchmarks"), flags.pop("tiers"), flags.pop("suite")
    if len(benchmarks) == 1 and not tiers and file is None:
        ctx.exit(scoring.run(scoring.ScoreFlags(benchmark=benchmarks[0], **flags)))
    suite = suite_scoring.choose_suite(benchmarks, tiers, file)
    ctx.exit(suite_scoring.run(scoring.ScoreFlags(benchmark="", **flags), suite))
