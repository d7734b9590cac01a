"""Benchmarks of a user's own, which a manifest beside them gives a name: ``benchmark.toml``."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from audit.errors import LoadError, UsageError
from audit.prompts.templates import STYLES
from audit.records.source import Source
from audit.sources.manifest import DomainFiles, read_manifests

MANIFEST = "benchmark.toml"
_MEND = "Correct the manifest; 'bench-audit new-benchmark' writes one that explains every field"


def _check_style(value: str) -> str:
    if value not in STYLES:
        raise ValueError(f"there is no style {value!r}: choose among {', '.join(STYLES)}")
    return value


NAME = r"[\w-][\w.-]{0,99}"
Name = Annotated[str, Field(pattern=rf"^{NAME}$")]


class OwnDomain(DomainFiles):
    """One benchmark of a user's own set.

    Attributes
    ----------
    tools, items
        Names of the tool table and of the policy items' file; ``None`` for ``tools.json``, and for the file that is
        named like the policy.
    columns
        Field of a task to the column of a plain table that holds it.
    """

    title: str = ""
    columns: dict[str, str] = Field(default_factory=dict)
    tools: str | None = None
    items: str | None = None

    def path(self, field: str, folder: Path) -> Path | None:
        """Return the file that a field names; ``None`` where it names none, or by default one that is not there."""
        name = getattr(self, field)
        path = None if name is None else folder / name
        is_said = field in self.model_fields_set
        return path if path is None or is_said or os.path.lexists(path) else None


class OwnManifest(BaseModel):
    """A user's own set. All but its name and domains has a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    title: str = ""
    version: str = ""
    licence: str = ""
    loader: str = "tau"
    style: Annotated[str, AfterValidator(_check_style)] = "tau"
    default_split: str | None = "base"
    author_family: str | None = None
    domains: dict[Name, OwnDomain] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class OwnSet:
    """A manifest and the folder that it lies in."""

    manifest: OwnManifest
    root: Path

    def folder(self, domain: str) -> Path:
        """Return the folder of one of its domains."""
        return self.root / (self.manifest.domains[domain].folder or domain)

    def source(self, domain: str) -> Source:
        """Return the files of one of its domains."""
        manifest, known, folder = self.manifest, self.manifest.domains[domain], self.folder(domain)
        tools = known.path("tools", folder) or _there(folder / "tools.json")
        return Source(
            name=f"{manifest.name}/{domain}",
            root=folder,
            loader=manifest.loader,
            tasks=known.path("tasks", folder) or folder / ("tasks" if (folder / "tasks").is_dir() else known.tasks),
            policy=known.path("policy", folder),
            policy_template=known.policy_template,
            database=known.path("database", folder),
            tools=tools,
            items=known.path("items", folder),
            splits=known.path("splits", folder),
            default_split=manifest.default_split,
            style=manifest.style,
            title=": ".join(filter(None, [manifest.title, known.title])),
            version=manifest.version,
            author_family=manifest.author_family,
            documents=known.path("documents", folder),
            user_database=known.path("user_database", folder),
            columns=tuple(known.columns.items()),
        )


def read_own(path: Path) -> OwnSet:
    """Read a manifest.

    Raises
    ------
    LoadError
        Naming the field, if the file can't be read, a field is missing, unknown or of the wrong type, leads out of
        the folder, or the name is one of the known sets'.
    """
    values = _read_toml(path)
    try:
        manifest = OwnManifest.model_validate(values)
    except ValidationError as error:
        raise _explain(error, path) from error
    if manifest.name in read_manifests():
        what = f"the name {manifest.name!r} belongs to a set that bench-audit knows"
        raise LoadError(what, where=f"{path} name", mend="Choose another")
    for domain, files in manifest.domains.items():
        _check_paths(files, where=f"{path} domains.{domain}")
    return OwnSet(manifest, path.parent)


def list_own(data_dir: Path | None) -> Iterator[tuple[Path, OwnSet | LoadError]]:
    """Yield each folder with a manifest, a data folder itself or below it, and its set; for a broken one its error."""
    if data_dir is None:
        return
    for path in sorted([*data_dir.glob(MANIFEST), *data_dir.glob(f"*/{MANIFEST}")]):
        try:
            yield path.parent, read_own(path)
        except LoadError as error:
            yield path.parent, error


def find_own(name_or_path: str, *, path: Path | None, data_dir: Path | None) -> Source | None:
    """Return the files of a user's own benchmark; ``None`` where no manifest speaks of it.

    Parameters
    ----------
    name_or_path
        ``set/domain`` of a set in the data folder, or a path: of the set, when it has one domain, or of a domain.
    path
        The same as a path, if it is there.

    Raises
    ------
    UsageError
        If the set has no such domain, or several where one has to be named.
    LoadError
        If its manifest can't be read, or two have its name.
    """
    set_name, slash, domain = name_or_path.partition("/")
    if slash and (named := _find_named(set_name, data_dir)) is not None:
        return named.source(_choose(named, domain, where=name_or_path))
    if path is not None and path.name == MANIFEST:
        path = path.parent
    if path is not None and (path / MANIFEST).is_file():
        return (found := read_own(path / MANIFEST)).source(_choose(found, "", where=name_or_path))
    place = path or Path(name_or_path)
    if not slash or not (place.parent / MANIFEST).is_file():
        return None
    found = read_own(place.parent / MANIFEST)
    by_folder = [name for name in found.manifest.domains if path is not None and found.folder(name) == path]
    if not by_folder and path is not None:
        return None  # a file or folder that the manifest does not speak of
    return found.source(by_folder[0] if by_folder else _choose(found, place.name, where=name_or_path))


def _find_named(name: str, data_dir: Path | None) -> OwnSet | None:
    every = list(list_own(data_dir))
    found = [each for _, each in every if isinstance(each, OwnSet) and each.manifest.name == name]
    if len(found) > 1:
        where = ", ".join(str(each.root) for each in found)
        raise LoadError(f"several sets have the name {name!r}", where=where, mend="Rename one in its manifest")
    broken = [each for root, each in every if isinstance(each, LoadError) and root.name == name]
    if broken and not found:
        raise broken[0]
    return found[0] if found else None


def _choose(found: OwnSet, domain: str, *, where: str) -> str:
    domains = list(found.manifest.domains)
    if domain in domains:
        return domain
    if not domain and len(domains) == 1:
        return domains[0]
    name = found.manifest.name
    what = f"{name} has no domain {domain!r}" if domain else f"{name} has {len(domains)} domains"
    close = difflib.get_close_matches(domain, domains, n=1)
    listed = ", ".join(f"{name}/{each}" for each in domains[:20])
    mend = f"Did you mean {name}/{close[0]}?" if close else f"Name one: {listed}"
    raise UsageError(what, where=where, mend=mend)


def _read_toml(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise LoadError(f"can't be read ({error.strerror})", where=str(path), mend="Check the path") from error
    except UnicodeDecodeError as error:
        raise LoadError("is not UTF-8 text", where=str(path), mend="Save it as UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        what = f"is not TOML ({error})" if isinstance(error, tomllib.TOMLDecodeError) else "is nested too deep"
        raise LoadError(what, where=str(path), mend=_MEND) from error


def _explain(error: ValidationError, path: Path) -> LoadError:
    """Return the first fault, in words; the number of others, where there are some."""
    faults = error.errors(include_url=False)
    first = faults[0]
    steps = [str(step) for step in first["loc"] if step != "[key]"]
    more = f" (and {len(faults) - 1} more faults)" if len(faults) > 1 else ""
    return LoadError(f"{_describe(first)}{more}", where=f"{path} {'.'.join(steps)}".rstrip(), mend=_MEND)


def _describe(fault: ErrorDetails) -> str:
    field = str(fault["loc"][-1]) if fault["loc"] else ""
    if fault["type"] == "extra_forbidden":
        model = OwnDomain if fault["loc"][0] == "domains" else OwnManifest
        close = difflib.get_close_matches(field, list(model.model_fields), n=1)
        hint = f", did you mean {close[0]!r}?" if close else f": there are {', '.join(model.model_fields)}"
        return f"there is no field {field!r}{hint}"
    if fault["type"] == "missing":
        return f"the field {field!r} is missing"
    if fault["type"] in ("string_pattern_mismatch",):
        return f"{str(fault['input'])[:60]!r} is no name: use letters, digits, '-', '_' and '.'"
    if fault["type"] == "too_short":
        return "there is no domain: each has a table [domains.NAME]"
    return (
        str(fault["msg"]).removeprefix("Value error, ").removeprefix("Input should be ").replace("a valid", "must be a")
    )


def _check_paths(files: OwnDomain, *, where: str) -> None:
    for field in ("folder", "tasks", "policy", "database", "tools", "items", "splits", "documents", "user_database"):
        value = getattr(files, field)
        if value is None:
            continue
        posix, windows = PurePosixPath(value), PureWindowsPath(value)
        if (
            not value
            or "\0" in value
            or posix.is_absolute()
            or windows.anchor
            or ".." in (*posix.parts, *windows.parts)
        ):
            what = f"{value!r} is no path inside the set's folder"
            raise LoadError(what, where=f"{where}.{field}", mend="Name a file below benchmark.toml")


def _there(path: Path) -> Path | None:
    return path if os.path.lexists(path) else None
