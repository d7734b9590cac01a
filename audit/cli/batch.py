"""``bench-audit batch``: look at, collect or cancel what was submitted with ``--batch``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from audit.cli.options import Seconds
from audit.cli.store_option import store_option

Command = TypeVar("Command", bound=Callable[..., Any])

EPILOG = """\b
Examples:
  bench-audit score tau3/retail --judge openai:gpt-5.4 --batch
  bench-audit batch status
  bench-audit batch collect --store team.sqlite3
  bench-audit batch cancel 3f9a1c20
"""


def _options(command: Command) -> Command:
    for decorate in (
        click.option("--timeout", "timeout_s", type=Seconds(), default=120.0, show_default=True, metavar="S"),
        click.option(
            "--api-key-env",
            "api_key_env",
            multiple=True,
            metavar="[JUDGE=]NAME",
            help="Environment variable that holds the key, instead of the vendor's usual one.",
        ),
        click.option("--judge", "judges", multiple=True, metavar="VENDOR:MODEL[@URL]", help="Only this judge's."),
        store_option,
        click.argument("ids", nargs=-1, metavar="[ID…]"),
    ):
        command = decorate(command)
    return command


@click.group("batch", epilog=EPILOG)
def command() -> None:
    """Look at, collect or cancel what was submitted with --batch.

    From any machine that has the verdict store and the judges' keys. ID is a batch's, or how it begins.
    """


@command.command("status")
@_options
@click.option("--format", "format_name", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def status(ctx: click.Context, /, format_name: str, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in BatchFlags
    """Ask how far the batches are. What has ended is fetched, too."""
    from audit.cli import batching

    ctx.exit(batching.status(batching.BatchFlags(**flags), format_name=format_name))


@command.command("collect")
@_options
@click.pass_context
def collect(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in BatchFlags
    """Fetch the results of batches that have ended; exit 3 while others have not.

    The command that submitted them makes verdicts of the results, without the network.
    """
    from audit.cli import batching

    ctx.exit(batching.collect(batching.BatchFlags(**flags)))


@command.command("cancel")
@_options
@click.option("--all", "is_all", is_flag=True, help="Every batch that has not ended.")
@click.pass_context
def cancel(ctx: click.Context, /, is_all: bool, **flags: Any) -> None:  # noqa: ANN401, FBT001  # click's own flags
    """Ask the providers to stop batches. What was answered by then is paid for, and collected.

    A batch that its provider does not know is struck off, so that its questions are asked again.
    """
    from audit.cli import batching

    ctx.exit(batching.cancel(batching.BatchFlags(**flags), is_all=is_all))
