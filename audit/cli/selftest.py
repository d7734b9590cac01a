"""``bench-audit selftest``: what the checks, the offline score and judges find of flaws that are known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit.cli.options import judge_options, output_options, split_lists

EPILOG = """\b
Examples:
  bench-audit selftest
  bench-audit selftest --judge openai:gpt-5.4 --trials 3
  bench-audit selftest --format json
"""


@click.command("selftest", epilog=EPILOG)
@judge_options
@output_options("text", "json")
@click.pass_context
def command(ctx: click.Context, /, format_name: str, output: Path | None, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in JudgeFlags
    """Measure the checks on the built-in sample, whose flaws are known.

    Says of every planted flaw whether it was found and by what, which sound tasks were marked, and which kinds of
    flaws nothing but a judge can see. With --judge, also what that judge finds.
    """
    from audit.cli import selftesting
    from audit.cli.judging import JudgeFlags

    split_lists(flags)
    ctx.exit(selftesting.run(JudgeFlags(**flags), format_name=format_name, output=output))
