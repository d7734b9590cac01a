"""``bench-audit check``: look for defects that a program can find, without a key."""

from __future__ import annotations

from typing import Any

import click

from audit.cli.options import FILE, benchmark_options, output_options, split_lists, task_options

EPILOG = """\b
Examples:
  bench-audit check sample/library
  bench-audit check tau3/retail --data-dir ~/tau2-bench --fail-on error
  bench-audit check my/domain --report findings.html
  bench-audit check my/domain --format sarif --output findings.sarif
  bench-audit check my/domain --skip gold-unstated-choice --environment none
  bench-audit check --explain gold-unknown-id
  bench-audit check --rules
"""
FORMATS = ("text", "json", "csv", "csv-tasks", "junit", "sarif", "markdown")


def optional_benchmark(command: Any) -> Any:  # noqa: ANN401  # click's own decorated callables
    """Add the benchmark argument and its flags, the argument being optional."""
    command = benchmark_options(command)
    for parameter in command.__click_params__:
        if isinstance(parameter, click.Argument):
            parameter.required = False
    return command


@click.command("check", epilog=EPILOG)
@optional_benchmark
@task_options
@click.option("--rule", "only", multiple=True, metavar="RULE,…", help="Look for these rules only. [default: all]")
@click.option("--skip", multiple=True, metavar="RULE,…", help="Leave these rules out.")
@click.option(
    "--environment",
    default="auto",
    show_default=True,
    metavar="auto|none|NAME",
    help="Where gold actions are replayed: what fits, nowhere, or what is named (tau2:DOMAIN asks an installed tau2).",
)
@click.option("--policy-rules", type=FILE, help="Rules of the policy, instead of those made for this very text.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "note"]),
    help="Exit with 1 if there is a finding of this severity or a graver one.",
)
@output_options(*FORMATS)
@click.option("--report", type=FILE, help="Write an HTML report here.")
@click.option("--explain", metavar="RULE", help="Say what a rule means, and stop.")
@click.option("--rules", "list_rules", is_flag=True, help="List every rule, and stop.")
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in CheckFlags
    """Check BENCHMARK for defects that need no judge: no key, no network, seconds.

    Finds gold actions that fail, ids that do not exist, criteria that are never scored, texts that contradict the
    database, and more. Exits with 0 whatever it finds, unless --fail-on says otherwise.
    """
    from audit.cli import checking
    from audit.cli.places import with_places

    split_lists(flags)
    ctx.exit(checking.run(checking.CheckFlags(**with_places(flags))))
