"""A benchmark's name or path → the files to read."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from audit.errors import LoadError, UsageError
from audit.records.source import Source
from audit.resources import resource
from audit.sources.find import check_set, describe_version, tasks_of
from audit.sources.known import known_folder
from audit.sources.manifest import Manifest, read_manifests
from audit.sources.own import find_own
from audit.sources.plans import holds_instances
from audit.sources.runs import find_dataset, run_folder
from audit.sources.shapes import Shape, find_shape

_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_TOOLS, _SPLITS = "tools.json", "split_tasks.json"
_POLICIES = ("policy.md", "prompts/required_docs.md")
_DATABASES, _USER_DATABASES = ("db.json", "db.toml"), ("user_db.json", "user_db.toml")
_DOCUMENTS = ("documents", "documents.jsonl")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the user said beside the name; files that they named win over those found."""

    data_dir: Path | None
    policy: Path | None
    database: Path | None
    tools: Path | None
    use_items: bool

    def check(self) -> None:
        for flag, path in (("--policy", self.policy), ("--db", self.database), ("--tools", self.tools)):
            if path is not None and not path.is_file():
                state = "is not a file" if path.exists() else "does not exist"
                raise LoadError(f"the file given with {flag} {state}", where=str(path), mend="Check the path")

    def change(self, source: Source) -> Source:
        """Return a source with the files that the user named."""
        return replace(
            source,
            policy=self.policy or source.policy,
            policy_template=source.policy_template if self.policy is None else None,
            items=source.items if self.policy is None else None,
            database=self.database or source.database,
            tools=self.tools or source.tools,
            use_items=self.use_items,
        )


def resolve_source(  # noqa: PLR0913, PLR0917  # the flags of every command
    name_or_path: str,
    *,
    data_dir: Path | None = None,
    policy: Path | None = None,
    database: Path | None = None,
    tools: Path | None = None,
    use_items: bool = True,
) -> Source:
    """Find the files of a benchmark.

    Parameters
    ----------
    name_or_path
        ``set/domain``, a folder that a ``benchmark.toml`` speaks of, or a folder with ``tasks.json`` or a folder
        ``tasks`` (or one of these) in the layout of τ².
    data_dir
        A known set's root, a clone of its repository, or a folder of such folders.
    policy, database, tools
        Files to use instead of those found.
    use_items
        False to load without policy items, whatever is known.

    Raises
    ------
    UsageError
        If there is no such benchmark.
    LoadError
        If its files are not where they were looked for.
    """
    asked = _Asked(data_dir, policy, database, tools, use_items)
    asked.check()
    manifests = read_manifests()
    set_name, _, wanted = name_or_path.partition("/")
    if set_name in manifests and (domain := _find_domain(manifests[set_name], wanted)) is not None:
        return _known_source(set_name, domain, manifests, asked)
    path = _find_path(name_or_path)
    if (own := find_own(name_or_path, path=path, data_dir=data_dir)) is not None:
        return asked.change(own)
    if path is not None:
        return _private_source(name_or_path, path, asked)
    raise _unknown(name_or_path, manifests)


def _find_path(text: str) -> Path | None:
    """Return what a user's words name, if it is there; words that no system takes for a path name nothing."""
    try:
        path = Path(text).expanduser()
        return path if path.exists() else None
    except (OSError, RuntimeError):
        return None


def _find_domain(manifest: Manifest, wanted: str) -> str | None:
    """Return the domain of that name, or whose folder has it."""
    if wanted in manifest.domains:
        return wanted
    return next((name for name, domain in manifest.domains.items() if domain.folder == wanted), None)


def _known_source(set_name: str, domain_name: str, manifests: Mapping[str, Manifest], asked: _Asked) -> Source:
    manifest = manifests[set_name]
    domain = manifest.domains[domain_name]
    folder = known_folder(set_name, domain_name, manifest=manifest, data_dir=asked.data_dir)
    check_set(folder, set_name=set_name, domain=domain_name, manifests=manifests)
    own_table = resource("benchmarks", "tools", f"{domain.tools}.json") if domain.tools else None
    return Source(
        name=f"{set_name}/{domain_name}",
        root=folder,
        loader=manifest.loader,
        tasks=tasks_of(folder, domain),
        policy=asked.policy or (folder / domain.policy if domain.policy else None),
        database=asked.database or (_beside(folder, domain.database) if domain.database else None),
        tools=asked.tools or own_table or _beside(folder, _TOOLS),
        splits=_beside(folder, domain.splits) if domain.splits else None,
        default_split=manifest.default_split,
        items=domain.items if asked.policy is None else None,
        use_items=asked.use_items,
        style=manifest.style,
        title=f"{manifest.title}: {domain.title}",
        version=describe_version(manifest, domain, folder=folder),
        author_family=manifest.author_family,
        policy_template=domain.policy_template if asked.policy is None else None,
        documents=_beside(folder, domain.documents) if domain.documents else None,
        user_database=_beside(folder, domain.user_database) if domain.user_database else None,
    )


def _private_source(name: str, path: Path, asked: _Asked) -> Source:
    if (dataset := find_dataset(path)) is not None:
        return _generated_source(name, dataset, asked)
    if holds_instances(path):
        return _plans_source(name, path, asked)
    shape = find_shape(path)
    tasks, folder = shape.tasks, shape.tasks.parent
    if shape.loader != "tau":
        return _other_source(name, path, shape=shape, asked=asked)
    policy = asked.policy or _beside(folder, *_POLICIES)
    if policy is None:
        raise LoadError("there is no policy.md beside the tasks", where=str(folder), mend="Name it with --policy FILE")
    return Source(
        name=name,
        root=folder,
        loader="tau",
        tasks=tasks,
        policy=policy,
        database=asked.database or _beside(folder, *_DATABASES),
        tools=asked.tools or _beside(folder, _TOOLS),
        splits=_beside(folder, _SPLITS),
        default_split="base",
        use_items=asked.use_items,
        documents=_beside(folder, *_DOCUMENTS),
        user_database=_beside(folder, *_USER_DATABASES),
    )


def _generated_source(name: str, dataset: Path, asked: _Asked) -> Source:
    """Return the source of what IntellAgent generated; its policy is inside its files."""
    return Source(
        name=name,
        root=run_folder(dataset),
        loader="intellagent",
        tasks=dataset,
        policy=asked.policy,
        database=asked.database,
        tools=asked.tools,
        use_items=asked.use_items,
        style="workflow",
    )


def _plans_source(name: str, path: Path, asked: _Asked) -> Source:
    """Return the source of plans to repair; the rules that they have to keep ship with the program,
    where none stand beside the plans.
    """
    folder = path if path.is_dir() else path.parent
    return Source(
        name=name,
        root=folder,
        loader="pararecover",
        tasks=path,
        policy=asked.policy or _beside(folder, _POLICIES[0]),
        database=asked.database,
        tools=asked.tools,
        use_items=asked.use_items,
        style="plan",
    )


def _other_source(name: str, path: Path, *, shape: Shape, asked: _Asked) -> Source:
    """Return the source of a plain table, or of tasks in the layout of τ1 with the other splits of their folder."""
    folder = shape.tasks.parent
    is_plain = shape.loader == "plain"
    policy = asked.policy or _beside(folder, *(_POLICIES[:1] if is_plain else ("wiki.md", _POLICIES[0])))
    if policy is None and not is_plain:
        raise LoadError("there is no wiki.md beside the tasks", where=str(folder), mend="Name it with --policy FILE")
    return Source(
        name=name,
        root=folder,
        loader=shape.loader,
        tasks=shape.tasks,
        policy=policy,
        database=asked.database or _beside(folder, *(() if is_plain else ("data",)), *_DATABASES),
        tools=asked.tools or _beside(folder, _TOOLS),
        splits=folder if path.is_dir() and not is_plain else None,
        use_items=asked.use_items,
    )


def _beside(folder: Path, *names: str) -> Path | None:
    """Return the first path whose name anything has: a link to nothing is a fault to be told, not an absent file."""
    return next((path for path in (folder / name for name in names) if os.path.lexists(path)), None)


def _unknown(wanted: str, manifests: Mapping[str, Manifest]) -> UsageError:
    set_name, _, domain = wanted.partition("/")
    if set_name in manifests and domain in manifests[set_name].absent:
        policy = manifests[set_name].absent[domain]
        mend = f"Generate some and name their folder; items for its policy, {policy}, are known by its text"
        return UsageError("the set publishes no tasks of this domain", where=wanted, mend=mend)
    known = [f"{name}/{domain}" for name, manifest in manifests.items() for domain in manifest.domains]
    close = difflib.get_close_matches(wanted, known, n=3)
    hint = f"Did you mean {' or '.join(close)}? " if close else ""
    what = "no benchmark has this name" if _NAME.fullmatch(wanted) else "no benchmark has this name, and no such path"
    return UsageError(what, where=wanted, mend=f"{hint}Known: {', '.join(known)}")
