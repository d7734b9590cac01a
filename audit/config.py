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
OWN_KEYS: Mapping[str, frozenset[str]] = {"gate": frozenset({"severity", "rule", "metric", "subset", "waiver"})}
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


def _read_table(path: Path, name: str, table: object, *, commands: click.Group) -> dict[str, Any]:
    context = click.Context(commands)
    known = commands.list_commands(context)
    if name not in known:
        raise UsageError(f"unknown table [{name}]", where=str(path), mend=_nearest(name, known))
    command = commands.get_command(context, name)
    if not isinstance(table, dict) or command is None:
        raise UsageError(f"'{name}' is not a table", where=str(path), mend=f"Write [{name}] above its settings")
    flags = {flag.name or "" for flag in command.params if isinstance(flag, click.Option)}
    own = OWN_KEYS.get(name, frozenset())
    settings = {key.replace("-", "_"): value for key, value in table.items() if key not in own}
    for key in settings:
        if key not in flags:
            mend = _nearest(key, sorted((flags | own) - {"help"}))
            raise UsageError(f"unknown setting '{key}' in [{name}]", where=str(path), mend=mend)
    return settings


def _nearest(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    return f"Did you mean '{close[0]}'?" if close else f"Known: {', '.join(known)}"
