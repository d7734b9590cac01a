"""Flags that several commands share."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from audit.cli.store_option import store_option
from audit.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])

FILE = click.Path(path_type=Path)


class Seconds(click.FloatRange):
    """A time that an end can be waited for: from a tenth of a second to a day, and a number."""

    def __init__(self) -> None:
        super().__init__(min=0.1, max=86_400)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401  # click's signature
        """Refuse what is not a number, which is in every range."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds


class Amount(click.FloatRange):
    """A number above nothing, and an end to it.

    Parameters
    ----------
    what
        It is a number of these.
    """

    def __init__(self, what: str) -> None:
        super().__init__(min=0, min_open=True)
        self._what = what

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401  # click's signature
        """Refuse what is in every range, such as a number that is none."""
        amount = super().convert(value, param, ctx)
        if not math.isfinite(amount):
            self.fail(f"{value!r} is not a number of {self._what}.", param, ctx)
        return amount


class ItemChoice(click.types.StringParamType):
    """Which policy items: ``auto``, ``none``, or a file of them that is there."""

    name = "auto|none|FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401  # click's signature
        """Refuse words that are neither, and paths where no file is."""
        if value not in ("auto", "none") and not os.path.isfile(value):  # noqa: PTH113  # takes any text, also one that no path can have
            self.fail(f"{value!r} is neither 'auto' nor 'none' nor a file of policy items.", param, ctx)
        return value


class ColumnChoice(click.types.StringParamType):
    """A field of a task and the column that holds it; several in one variable are parted by semicolons."""

    name = "FIELD=COLUMN"
    envvar_list_splitter = ";"


data_dir_option = click.option(
    "--data-dir",
    type=FILE,
    envvar="BENCH_AUDIT_DATA",
    show_envvar=True,
    help="Folder of a benchmark set, or a folder of such folders.",
)
_PLACES = (
    data_dir_option,
    click.option("--policy", type=FILE, help="Policy document, instead of the one found."),
    click.option("--db", "database", type=FILE, help="Database, instead of the one found."),
    click.option("--tools", type=FILE, help="Tool table, instead of the one found."),
    click.option(
        "--policy-items",
        type=ItemChoice(),
        default="auto",
        show_default=True,
        help="Items of the policy: those made for this very text, none, or those of a file.",
    ),
    click.option(
        "--map",
        "columns",
        multiple=True,
        type=ColumnChoice(),
        help="Of a CSV or JSON table, the column that holds a task's id, description, behavior, state, tags, actions "
        "or policy; repeat. [default: by the usual headings]",
    ),
    click.option(
        "--style",
        type=click.Choice(["tau", "workflow"]),
        help="How judges read the expected behavior: as outcomes (tau) or as whole procedures (workflow). "
        "[default: the format's own; tau for tables]",
    ),
)

_LISTS = {
    "metrics": "--metric",
    "behavior": "--behavior",
    "tasks": "--tasks",
    "api_key_env": "--api-key-env",
    "only": "--rule",
    "skip": "--skip",
    "criteria": "--judge-prompt",
}
"""Argument of a command to its flag, of those that take comma-separated lists."""

_CHOICE = (
    click.option("--tasks", multiple=True, metavar="ID,…", help="Only these tasks, in this order."),
    click.option("--limit", type=click.IntRange(min=1), help="Only the first N tasks."),
    click.option("--split", help="Only this split's tasks. [default: the set's own, mostly 'base']"),
)


def _trials(default: int) -> Callable[[Command], Command]:
    return click.option(
        "--trials",
        type=click.IntRange(1, 100),
        default=default,
        show_default=True,
        help="Verdicts a task and metric.",
    )


_TRIALS = _trials(1)
_PANEL = click.option(
    "--judge", "judges", multiple=True, metavar="VENDOR:MODEL[@URL]", help="An LLM judge; repeat for a panel."
)
_BATCH = (
    click.option(
        "--batch",
        is_flag=True,
        help="Ask through the providers' batch APIs: half the price, within a day. Submits and ends (exit 3); the same "
        "command collects.",
    ),
    click.option("--wait", is_flag=True, help="With --batch, wait until the batches have ended."),
)
_WORKERS = click.option(
    "--workers",
    metavar="ADDRESS",
    help="Ask from the workers of a Dask cluster, whose scheduler is at this address, such as tcp://HOST:8786.",
)
_MODE = click.option(
    "--mode",
    "modes",
    multiple=True,
    type=click.Choice(["prompts", "decisions"]),
    help="How judges are asked: prompts, answered with reasons; or the vendor's decisions endpoint, answered with "
    "probabilities. Repeat for both, as two judges. [default: prompts]",
)
_JUDGES = (
    _PANEL,
    _MODE,
    click.option(
        "--api-key-env",
        "api_key_env",
        multiple=True,
        metavar="[JUDGE=]NAME",
        help="Environment variable that holds the key, instead of the vendor's usual one.",
    ),
    _TRIALS,
    click.option(
        "--concurrency",
        type=click.IntRange(1, 1024),
        default=64,
        show_default=True,
        help="Most calls in flight for a judge; fewer where its provider pushes back.",
    ),
    click.option("--rpm", type=Amount("requests"), help="Most requests a minute to each. [default: what it takes]"),
    click.option("--tpm", type=Amount("tokens"), help="Most prompt tokens a minute to each. [default: what it takes]"),
    click.option("--timeout", "timeout_s", type=Seconds(), default=120.0, show_default=True, metavar="S"),
    click.option(
        "--retries", type=click.IntRange(0, 20), default=5, show_default=True, help="Tries after a call that failed."
    ),
    click.option("--budget", type=Amount("dollars"), metavar="USD", help="Stop before more than this is spent."),
    click.option("--max-calls", type=click.IntRange(min=1), help="Stop before more requests than this are sent."),
    click.option(
        "--price",
        "prices",
        multiple=True,
        metavar="JUDGE=IN/OUT",
        help="Dollars for a million tokens, instead of the list price; or JUDGE=IN/CACHED/OUT.",
    ),
    store_option,
    click.option("--fresh", is_flag=True, help="Ask again even what is stored."),
    *_BATCH,
    _WORKERS,
    click.option("--quiet", "-q", is_flag=True, help="No progress on stderr."),
)


def benchmark_options(command: Command) -> Command:
    """Add the benchmark argument and the flags that say where its files are."""
    return click.argument("benchmark")(place_options(command))


def place_options(command: Command) -> Command:
    """Add the flags that say where a benchmark's files are."""
    for decorate in reversed(_PLACES):
        command = decorate(command)
    return command


def task_options(command: Command) -> Command:
    """Add the flags that choose among a benchmark's tasks."""
    for decorate in reversed(_CHOICE):
        command = decorate(command)
    return command


def judge_options(command: Command) -> Command:
    """Add the flags that name judges and say how they are asked."""
    return repeated_judge_options(1)(command)


def repeated_judge_options(trials: int) -> Callable[[Command], Command]:
    """Return the same with another default of ``--trials``."""

    def decorate(command: Command) -> Command:
        for option in reversed(_JUDGES):
            command = (_trials(trials) if option is _TRIALS else option)(command)
        return command

    return decorate


def asking_options(command: Command) -> Command:
    """Add the flags that say how a judge is asked, where there is one and a question is put only once."""
    for decorate in reversed([each for each in _JUDGES if each not in (_PANEL, _MODE, _TRIALS, *_BATCH, _WORKERS)]):
        command = decorate(command)
    return command


def output_options(*formats: str) -> Callable[[Command], Command]:
    """Add ``--format`` with these choices, the first being the default, and ``--output``."""

    def decorate(command: Command) -> Command:
        command = click.option(
            "--output", "-o", type=FILE, callback=_dash_is_stdout, help="Write the result here instead of to stdout."
        )(command)
        choice = click.Choice(formats)
        return click.option("--format", "format_name", type=choice, default=formats[0], show_default=True)(command)

    return decorate


def _dash_is_stdout(_ctx: click.Context, _flag: click.Parameter, value: Path | None) -> Path | None:
    return None if value == Path("-") else value


def split_lists(flags: dict[str, Any]) -> None:
    """Replace those of a command's ``flags`` that take comma-separated lists by their members.

    Raises
    ------
    UsageError
        If one of them names nothing.
    """
    for name, flag in _LISTS.items():
        if name in flags:
            flags[name] = split_commas(flags[name], flag=flag)


def split_commas(values: tuple[str, ...], *, flag: str) -> tuple[str, ...]:
    """Return the comma-separated members of a repeatable flag.

    Raises
    ------
    UsageError
        If one of the values names nothing: an empty variable in a script must not come to mean everything.

    Examples
    --------
    >>> split_commas(("1,2", "7"), flag="--tasks")
    ('1', '2', '7')
    """
    members = [[member.strip() for member in value.split(",") if member.strip()] for value in values]
    if not all(members):
        raise UsageError("a list names nothing", where=flag, mend="Leave the flag out, or name something")
    return tuple(member for each in members for member in each)
