"""Settings from ``bench-audit.toml``: defaults for flags, below the environment and the command line."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from audit.errors import UsageError

DEFAULT_FILE = Path("bench-audit.toml")
OWN_KEYS: Mapping[str, frozenset[str]] = {
    "gate": frozenset({"severity", "rule", "metric", "subset", "waiver", "certificate"})
}
"""Command to the keys of its table that are no flags: it reads them itself."""


def read_config(path: Path | None, *, commands: click.Group) -> dict[str, Any]:
    """Return click's default map from a settings file.

    Parameters
    ----------
    path
        The file; ``None`` for :data:`DEFAULT_FILE`, which may be absent.
    commands
        The root group: a table names one of its commands, a key one of that command's flags.

    Raises
    ------
    UsageError
        If the file is missing, is no TOML, or names an unknown command or flag.
    """
    if path is None and not DEFAULT_FILE.is_file():
        return {}
    path = path or DEFAULT_FILE
    tables = _read_toml(path)
    return {name: _read_table(path, name, table, commands=commands) for name, table in tables.items()}


def read_own_keys(path: Path, command: str) -> dict[str, object]:
    """Return what a command reads itself of its table in a settings file; nothing where there is no such table.

    Raises
    ------
    UsageError
        If the file is missing or is no TOML.
    """
    table = _read_toml(path).get(command, {})
    return {key: value for key, value in table.items() if key in OWN_KEYS[command]}


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"can't be read: {error.strerror}", where=str(path), mend="Check --config") from error
    except UnicodeDecodeError as error:
        raise UsageError("is not UTF-8 text", where=str(path), mend="Save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"is not TOML: {error}", where=str(path), mend="Mend that line") from error
    except RecursionError as error:
        raise UsageError("is nested too deep", where=str(path), mend="Flatten it") from error


def _read_table(path: Path, name: str, table: object, *, commands: click.Group) -> dict[str, Any]:
    """Return the settings of the command whose table this is, by click's own names; of a family's, table by table."""
    context = click.Context(commands)
    known, word = commands.list_commands(context), name.rpartition(".")[2]
    if word not in known:
        raise UsageError(f"unknown table [{name}]", where=str(path), mend=_nearest(word, known))
    command = commands.get_command(context, word)
    if not isinstance(table, dict) or command is None:
        raise UsageError(f"'{name}' is not a table", where=str(path), mend=f"Write [{name}] above its settings")
    if isinstance(command, click.Group):
        return {key: _read_table(path, f"{name}.{key}", value, commands=command) for key, value in table.items()}
    own = OWN_KEYS.get(name, frozenset())
    options = flags_of(command)
    by_name = {option.name: flag for flag, option in options.items()}  # "judges" says the same as "judge"
    settings = {}
    for key, value in table.items():
        if key in own:
            continue
        flag = by_name.get(key, key.replace("_", "-"))
        if flag not in options:
            mend = _nearest(flag, sorted({*options, *own} - {"help"}))
            raise UsageError(f"unknown setting '{key}' in [{name}]", where=str(path), mend=mend)
        option = options[flag]
        if not all(_is_value(each) for each in (value if isinstance(value, list) else [value])):
            mend = "Write a text, a number, true or false, or a list of these"
            raise UsageError(f"'{key}' in [{name}] is no value of a flag", where=str(path), mend=mend)
        if flag == "judge" and any(
            str(each).startswith("local:") for each in (value if isinstance(value, list) else [value])
        ):
            raise UsageError(
                "a model file is no default judge", where=f"[{name}] in {path}", mend="Name it with --judge"
            )
        settings[option.name or flag] = [value] if option.multiple and isinstance(value, str | int) else value
    return settings


def _is_value(value: object) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and "\0" not in value)


def flags_of(command: click.Command) -> dict[str, click.Option]:
    """Return a command's options by their long flag without its dashes, as they are written in settings.

    Examples
    --------
    >>> list(flags_of(click.Command("x", params=[click.Option(["--data-dir", "-d", "folder"])])))
    ['data-dir']
    """
    options = [option for option in command.params if isinstance(option, click.Option)]
    return {max(option.opts, key=len).lstrip("-"): option for option in options}


def name_variables(command: click.Command, *, prefix: str) -> None:
    """Let every flag of a command, and of the commands below it, be set by the variable ``PREFIX_FLAG``."""
    for flag, option in flags_of(command).items():
        if option.envvar is None:
            option.envvar = f"{prefix}_{flag}".replace("-", "_").upper()
    if isinstance(command, click.Group):
        for name, member in command.commands.items():
            name_variables(member, prefix=f"{prefix}_{name}")


def _nearest(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    return f"Did you mean '{close[0]}'?" if close else f"Known: {', '.join(known)}"
