"""The root command: loads the named command only, turns errors into one line and an exit code."""

from __future__ import annotations

import gc
import importlib
import logging
import os
import sys
from pathlib import Path

import click

from audit import __version__
from audit.cli.output import say
from audit.config import name_variables, read_config
from audit.errors import AuditError, BatchPendingError, ProviderError

COMMANDS = {
    "score": "Score a benchmark with LLM judges, or offline without a key.",
    "check": "Look for defects that a program can find: no key, no network.",
    "gate": "Say whether a benchmark may be released, by your own thresholds.",
    "compare": "Say what changed between versions of a benchmark, or between runs.",
    "report": "Write the page, figures and texts of a saved run or study again.",
    "serve": "List a folder of runs, studies and pages on a local page.",
    "export": "Write a benchmark back with only the tasks that are sound.",
    "study": "Run a whole study: how far judges can be trusted, how benchmarks compare.",
    "annotate": "Let people rate tasks blind, and bring their answers together.",
    "certify": "Measure a judge on questions whose answers are known, and keep the result.",
    "perturb": "Plant known defects in a benchmark, or change its form alone.",
    "selftest": "Measure the checks on the sample, whose flaws are known.",
    "batch": "Look at, collect or cancel what was submitted with --batch.",
    "show": "Print exactly what each judge sees of a task, part by part.",
    "list": "List benchmarks, judges and metrics, and which keys are set.",
    "fetch": "Download a known benchmark, or import a download, and check it.",
    "new-benchmark": "Write the skeleton of a benchmark of your own.",
    "policy": "Work with a policy document and its items.",
}
"""Command name to its one-line help, so that the root's help needs no import."""

OBJECTS_AT_ONCE = 100_000
"""New objects before a search for cycles among them; a big benchmark is a million records, and none in a cycle."""
INCOMPLETE = 3
INPUT_ERROR = 2
INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group that imports a command's module when that command is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Return the commands in the order in which a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click's signature
        """Import and return one command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"audit.cli.{cmd_name.replace('-', '_')}")
        command = module.command
        if not isinstance(command, click.Command):
            raise TypeError(f"audit.cli.{cmd_name}.command is no click command")
        name_variables(command, prefix=f"BENCH_AUDIT_{cmd_name}")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's signature
        """Write the command list without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: bench-audit score tau3/airline --data-dir ~/tau2-bench --report airline.html",
)
@click.version_option(__version__, prog_name="bench-audit")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="Settings file. [default: bench-audit.toml in this folder, if there is one]",
)
@click.option("-v", "--verbose", count=True, help="Log stages (-v) or every call (-vv) to stderr.")
@click.pass_context
def main(ctx: click.Context, config: Path | None, verbose: int) -> None:
    """Tell whether an agent benchmark can be trusted."""
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)]
    logging.basicConfig(stream=sys.stderr, level=level, format="%(levelname)s %(name)s: %(message)s")
    for noisy in ("openai", "anthropic", "google_genai", "httpx", "httpx2", "httpcore2", "matplotlib", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    ctx.default_map = read_config(config, commands=main)


def run() -> None:
    """Run the command line and exit: 0 done, 1 a gate failed, 2 usage or input, 3 incomplete."""
    gc.set_threshold(OBJECTS_AT_ONCE)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # looking for some takes longer than our own models
    try:
        code = main.main(prog_name="bench-audit", standalone_mode=False, auto_envvar_prefix="BENCH_AUDIT")
    except click.exceptions.Abort:
        say("Interrupted. What was paid for is kept; the same command goes on where this one stopped.")
        code = INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        for line in error.format_message().splitlines():
            say(line)
        code = INPUT_ERROR
    except click.UsageError as error:
        help_path = error.ctx.command_path if error.ctx else "bench-audit"
        what = error.format_message().rstrip(".")
        say(f"Error: {what}{'' if what.endswith('?') else '.'} See '{help_path} --help'.")
        code = INPUT_ERROR
    except click.ClickException as error:
        say(f"Error: {error.format_message()}")
        code = INPUT_ERROR
    except BatchPendingError as error:
        say(str(error))
        code = INCOMPLETE
    except ProviderError as error:
        say(f"Error: {error}")
        code = INCOMPLETE
    except AuditError as error:
        say(f"Error: {error}")
        code = INPUT_ERROR
    except OSError as error:  # what no place above has words for, such as a name that is too long for the disk
        place = f"{error.filename}: " if error.filename is not None else ""
        say(f"Error: {place}{error.strerror or error}. Check the path, and the room and rights there.")
        code = INPUT_ERROR
    sys.exit(code if isinstance(code, int) else 0)
