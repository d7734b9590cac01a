"""TOML files as JSON values, read as strictly as JSON files are."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from datetime import date, time
from typing import cast

from audit.errors import LoadError
from audit.loaders.json_file import MAX_DEPTH, InputFile, decode, parse_json
from audit.records.task import Json

_MOST_BITS = 1000


def parse_data(file: InputFile) -> Json:
    """Return the value that a JSON file holds, or a TOML file if its name says that it is one."""
    return parse_toml(file) if file.path.suffix.lower() == ".toml" else parse_json(file)


def parse_toml(file: InputFile) -> Mapping[str, Json]:
    """Return the tables that a TOML file holds; dates and times become texts in ISO form.

    Raises
    ------
    LoadError
        If the syntax is bad, a number is not finite, or the nesting is deeper than any benchmark needs.
    """
    try:
        value = tomllib.loads(decode(file))
    except tomllib.TOMLDecodeError as error:
        raise LoadError(f"not TOML: {error}", where=str(file.path), mend="Mend the syntax") from error
    except RecursionError as error:
        raise _too_deep(file) from error
    except ValueError as error:
        raise LoadError("a value is out of range", where=str(file.path), mend="Correct it") from error
    return {name: _as_json(file, part, depth=1) for name, part in value.items()}


def _as_json(file: InputFile, value: object, *, depth: int) -> Json:
    if depth > MAX_DEPTH:
        raise _too_deep(file)
    if isinstance(value, dict):
        return {str(key): _as_json(file, part, depth=depth + 1) for key, part in value.items()}
    if isinstance(value, list):
        return [_as_json(file, part, depth=depth + 1) for part in value]
    if isinstance(value, date | time):
        return value.isoformat()
    is_huge = isinstance(value, int) and value.bit_length() > _MOST_BITS
    if is_huge or (isinstance(value, float) and not math.isfinite(value)):
        raise LoadError("a number is not finite", where=str(file.path), mend="Correct the value")
    return cast("Json", value)


def _too_deep(file: InputFile) -> LoadError:
    return LoadError(f"nested more than {MAX_DEPTH} levels deep", where=str(file.path), mend="Flatten it")
