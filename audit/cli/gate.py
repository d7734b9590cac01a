"""``bench-audit gate``: say whether a benchmark may be released, by the user's own thresholds."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import click

from audit.cli.options import FILE, benchmark_options, judge_options, output_options, split_lists, task_options
from audit.config import DEFAULT_FILE, read_config

EPILOG = """\b
Examples:
  bench-audit gate my/domain --config bench-audit.toml
  bench-audit gate my/domain --baseline released.json --format markdown --output gate.md
  bench-audit gate my/domain --judge openai:gpt-5.4 --trials 3 --format junit --output gate.xml
  bench-audit gate my/domain --print-waiver gold-unknown-id:17 >> bench-audit.toml
"""


def use_config(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:  # noqa: ARG001  # click's signature
    """Let the flags of this very command come from the file that it names; without one, from the root's."""
    root = ctx.find_root()
    if value is None:
        named = root.params.get("config")
        default = DEFAULT_FILE if DEFAULT_FILE.is_file() else None
        return named if isinstance(named, Path) else default
    tables = read_config(value, commands=cast("click.Group", root.command))
    ctx.default_map = tables.get("gate", {})
    return value


@click.command("gate", epilog=EPILOG)
@benchmark_options
@click.option(
    "--config",
    type=FILE,
    callback=use_config,
    is_eager=True,
    help="Settings file with a [gate] table. [default: bench-audit.toml in this folder]",
)
@click.option(
    "--baseline", type=FILE, metavar="RUN", help="JSON of an earlier gate, check or score: only what is new fails."
)
@task_options
@click.option("--metric", "metrics", multiple=True, metavar="NAME,…", help="Judge only these metrics. [default: all]")
@click.option("--behavior", multiple=True, metavar="PART,…", help="Parts of the expected behavior. [default: as score]")
@click.option("--environment", default="auto", show_default=True, metavar="auto|none|NAME", help="As for check.")
@click.option("--policy-rules", type=FILE, help="As for check.")
@judge_options
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seeds intervals and judges.")
@click.option("--dry-run", is_flag=True, help="Count the calls and send none.")
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="Day that waivers are held against.")
@click.option("--print-waiver", metavar="RULE:TASK", help="Print the lines that waive a finding, and stop.")
@output_options("text", "json", "junit", "markdown", "sarif")
@click.option("--report", type=FILE, help="Write an HTML report here.")
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in GateFlags
    """Hold BENCHMARK against the thresholds of a settings file: the checks, the offline scorer, and judges if named.

    Exits with 0 if it passes (warnings are shown), 1 if it fails, 3 if verdicts are missing and nothing fails.
    """
    from audit.cli import gating

    split_lists(flags)
    ctx.exit(gating.run(gating.make_flags(flags)))
