"""A suite's TOML file, or the flags that say the same → the suite."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from audit.errors import LoadError, UsageError
from audit.families import model_family
from audit.loaders.json_file import read_input
from audit.loaders.toml_file import parse_toml
from audit.records.suite import Member, Suite

FLAG = "--tier"


def _key(name: str) -> str:
    return name.replace("_", "-")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, alias_generator=_key, str_strip_whitespace=True)


class _Domain(_Strict):
    policy: str | None = None
    policy_items: str | None = None


class _Entry(_Strict):
    benchmark: str | None = Field(default=None, min_length=1)
    path: str | None = Field(default=None, min_length=1)
    name: str | None = Field(default=None, min_length=1)
    tier: str | None = Field(default=None, min_length=1)
    domain: str = ""
    generator: str = ""
    family: str | None = Field(default=None, min_length=1)
    title: str = ""
    data_dir: str | None = None
    policy: str | None = None
    policy_items: str | None = None
    db: str | None = None
    tools: str | None = None


class _File(_Strict):
    benchmark: list[_Entry] = Field(min_length=1)
    title: str = ""
    tiers: list[str] | None = None
    data_dir: str | None = None
    domain: dict[str, _Domain] = Field(default_factory=dict)


_KNOWN = {
    0: [_key(name) for name in _File.model_fields],
    2: [_key(name) for name in _Entry.model_fields],
}
"""The settings that a file may have, by how deep they stand in it."""
_WORDS = {
    "string_type": "is not a text",
    "string_too_short": "is empty",
    "list_type": "is not a list",
    "dict_type": "is not a table",
    "model_type": "is not a table",
}
"""What is wrong with a value, by pydantic's name for it."""


def read_suite(path: Path) -> Suite:
    """Read a suite; paths in it are relative to the file's folder.

    Raises
    ------
    LoadError
        If the file can't be read, or a setting is missing, unknown, of the wrong type or contradicts another.
    """
    file = read_input(path, root=path.parent, role="suite")
    stated = _validate(parse_toml(file), path)
    folder = path.parent
    members = tuple(_member(stated, entry, number, path) for number, entry in enumerate(stated.benchmark, 1))
    suite = Suite(members, _tiers(stated.tiers, members, path), stated.title, where=str(path))
    unknown = next((name for name in stated.domain if name not in suite.domains), None)
    if unknown is not None:
        mend = _nearest(unknown, [domain for domain in suite.domains if domain])
        raise LoadError(f"no benchmark is of the domain '{unknown}'", where=str(path), mend=mend)
    for domain, shared in stated.domain.items():
        for what, name in (("policy", shared.policy), ("item", shared.policy_items)):
            if name is not None and not (folder / name).is_file():
                where = f"{path} [domain.{domain}]"
                raise LoadError(f"there is no {what} file {name}", where=where, mend="Check the path")
    _check_names(members, str(path))
    return suite


def suite_from_flags(benchmarks: Sequence[str] = (), tiers: Sequence[str] = ()) -> Suite:
    """Return the suite of benchmarks named on the command line.

    Parameters
    ----------
    benchmarks
        ``set/domain`` or paths, in no tier.
    tiers
        The values of ``--tier``, each ``TIER=BENCHMARK``; the tiers in order of their first mention, the best first.

    Raises
    ------
    UsageError
        If there is none, one is named twice, or a tier's value is not of that form.

    Examples
    --------
    >>> suite_from_flags(tiers=["top=runs/a", "small=runs/b"]).tiers
    ('top', 'small')
    """
    tiered = [_split(value) for value in tiers]
    members = (
        *(Member(name, name) for name in benchmarks),
        *(Member(name, name, tier) for tier, name in tiered),
    )
    if not members:
        raise UsageError("no benchmark is named", mend=f"Name some, as BENCHMARK or {FLAG} TIER=BENCHMARK")
    _check_names(members, "the command line")
    return Suite(members, tuple(dict.fromkeys(tier for tier, _ in tiered)), where=FLAG if tiers else "the command line")


def _split(value: str) -> tuple[str, str]:
    tier, _, name = value.partition("=")
    if not (tier.strip() and name.strip()):
        mend = f"Write {FLAG} TIER=BENCHMARK, such as {FLAG} top=runs/gpt-5.4"
        raise UsageError(f"'{value}' names no tier and benchmark", where=FLAG, mend=mend)
    return tier.strip(), name.strip()


def _validate(table: Mapping[str, object], path: Path) -> _File:
    try:
        return _File.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        raise _fault(first["type"], first["loc"], first["msg"], path) from error


def _fault(kind: str, loc: tuple[int | str, ...], message: str, path: Path) -> LoadError:
    *steps, last = loc
    place = f"{path} {_place(steps)}".rstrip()
    if kind == "extra_forbidden":
        known = _KNOWN[len(steps)] if "domain" not in steps else list(map(_key, _Domain.model_fields))
        return LoadError(f"unknown setting '{last}'", where=place, mend=_nearest(str(last), known))
    if (kind, last) in {("missing", "benchmark"), ("too_short", "benchmark")}:
        mend = 'Add one a benchmark, with path = "FOLDER" or benchmark = "SET/DOMAIN"'
        return LoadError("has no [[benchmark]] table", where=place, mend=mend)
    name = f"[[benchmark]] {last + 1}" if isinstance(last, int) else f"'{last}'"
    what = _WORDS.get(kind, message[:1].lower() + message[1:])
    return LoadError(f"{name} {what}", where=place, mend="Correct it")


def _place(steps: Iterable[int | str]) -> str:
    found = list(steps)
    match found:
        case ["benchmark", int(number), *_]:
            return f"[[benchmark]] {number + 1}"
        case ["domain", str(name), *_]:
            return f"[domain.{name}]"
        case _:
            return ""


def _nearest(word: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    return f"Perhaps you meant {close[0]}" if close else f"Known: {', '.join(known) or 'none'}"


def _member(stated: _File, entry: _Entry, number: int, path: Path) -> Member:
    where, folder = f"{path} [[benchmark]] {number}", path.parent
    if (entry.path is None) == (entry.benchmark is None):
        what = "names both a path and a benchmark" if entry.path else "names neither a path nor a benchmark"
        raise LoadError(what, where=where, mend='Give path = "FOLDER" or benchmark = "SET/DOMAIN"')
    if entry.path is not None and not (folder / Path(entry.path).expanduser()).exists():
        raise LoadError(f"there is no {entry.path}", where=where, mend="Paths are relative to the suite's own folder")
    shared = stated.domain[entry.domain] if entry.domain in stated.domain else _Domain()
    return Member(
        name=entry.name or entry.path or entry.benchmark or "",
        benchmark=entry.benchmark or str(folder / Path(entry.path or "").expanduser()),
        tier=entry.tier,
        domain=entry.domain,
        generator=entry.generator,
        author_family=entry.family.lower() if entry.family else model_family(f":{entry.generator}"),
        title=entry.title,
        data_dir=_below(folder, entry.data_dir or stated.data_dir),
        policy=_below(folder, entry.policy or shared.policy),
        database=_below(folder, entry.db),
        tools=_below(folder, entry.tools),
        items=_below(folder, entry.policy_items or shared.policy_items),
    )


def _below(folder: Path, name: str | None) -> Path | None:
    return folder / Path(name).expanduser() if name else None


def _tiers(stated: Sequence[str] | None, members: Sequence[Member], path: Path) -> tuple[str, ...]:
    """Return the tiers, the best first: as the file lists them, else in order of their first mention."""
    used = tuple(dict.fromkeys(member.tier for member in members if member.tier is not None))
    if stated is None:
        return used
    tiers = tuple(tier.strip() for tier in stated)
    if len(set(tiers)) < len(tiers) or not all(tiers):
        raise LoadError("tiers has an empty name, or one twice", where=str(path), mend="Name each tier once")
    unknown = next((tier for tier in used if tier not in tiers), None)
    if unknown is not None:
        raise LoadError(f"the tier '{unknown}' is not listed", where=f"{path} tiers", mend=_nearest(unknown, tiers))
    return tiers


def _check_names(members: Iterable[Member], where: str) -> None:
    counts = Counter(member.name for member in members)
    name, n = counts.most_common(1)[0]
    if n > 1:
        raise UsageError(f"two benchmarks are called '{name}'", where=where, mend="Give one of them another name")
