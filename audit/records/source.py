"""Where a benchmark's files are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Source:
    """The files of one benchmark, found and named but not yet read.

    Parameters
    ----------
    name
        ``set/domain``, or the path as the user gave it.
    root
        Folder that origins are shown relative to.
    tasks, policy, database, tools, splits
        Paths; ``None`` where the set has no such file. ``tasks`` may be a folder of files with one task each;
        ``tools`` may be one of our own tables.
    policy_template
        The policy as a text with ``{{file:NAME}}`` for files of ``root``, where it is put together from several;
        it then stands in for ``policy``.
    documents
        Folder, or file of one JSON object a line, of the documents that tasks add to the policy.
    user_database
        The records of the simulated user's own side, such as a phone.
    items
        Name of the policy-item set that the manifest promises, or a file of items that the user named or that lies
        beside the policy; ``None`` to look items up by the document's hash.
    use_items
        False with ``--policy-items none``: load without items, whatever is known.
    style, title, version, author_family
        From the manifest.
    columns
        Pairs of a task's field and the column of a table that holds it, as the user or a manifest says.
    """

    name: str
    root: Path
    loader: str
    tasks: Path
    policy: Path | None = None
    database: Path | None = None
    tools: Path | None = None
    splits: Path | None = None
    default_split: str | None = None
    items: str | Path | None = None
    use_items: bool = True
    style: str = "tau"
    title: str = ""
    version: str = ""
    author_family: str | None = None
    policy_template: str | None = None
    documents: Path | None = None
    user_database: Path | None = None
    columns: tuple[tuple[str, str], ...] = ()
