"""The two sides of each task as the offline scorer compares them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.records.task import Json, PartKind, Task
from audit.scorers.behavior import behavior_text, id_arguments, unknown_ids
from audit.scorers.reachability import DatabaseIndex, find_ids, gloss, index_database, reach, read_phrases, spell
from audit.scorers.words import phrase


@dataclass(frozen=True, slots=True)
class Pair:
    """A description and an expected behavior.

    Parameters
    ----------
    behavior, gloss
        The behavior's own text, and what the database says about its ids.
    n_ids
        Distinct ids in the behavior, those that the database lacks included.
    unreached, unknown
        Ids, as spelled in the database or the task, that the description does not lead to; that no table has.
    """

    task_id: str
    description: str
    behavior: str
    gloss: str
    has_database: bool
    n_ids: int
    unreached: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def n_missed(self) -> int:
        """Ids that the description does not account for."""
        return len(self.unreached) + len(self.unknown)

    @property
    def share_reached(self) -> float | None:
        """Ids that the description leads to, of all; ``None`` without ids."""
        return 1 - self.n_missed / self.n_ids if self.n_ids else None


def build_pairs(
    tasks: Sequence[Task], database: Mapping[str, Mapping[str, Json]], *, kinds: frozenset[PartKind]
) -> dict[str, Pair]:
    """Return the pair of every task that has both sides, by task id.

    Where the benchmark has no database, a task's own rows are its database.
    """
    index = index_database(database)
    calling = tasks if PartKind.ACTION in kinds else ()
    names = id_arguments(calling, index)
    sides = ((task, _own(task, index), (task.description_text, behavior_text(task, kinds))) for task in tasks)
    return {
        task.id: _build_pair(own, task.id, texts, unknown_ids(task, names, index=own))
        for task, own, texts in sides
        if texts[0].strip() and texts[1]
    }


def _own(task: Task, index: DatabaseIndex) -> DatabaseIndex:
    """Return the shared database, or the task's own rows where there is none."""
    if index.rows or not task.rows:
        return index
    tables: dict[str, dict[str, Json]] = {}
    for row in task.rows:
        tables.setdefault(row.table, {})[row.key] = row.value
    return index_database(tables)


def _build_pair(index: DatabaseIndex, task_id: str, sides: tuple[str, str], unknown: Mapping[str, str]) -> Pair:
    description, behavior = sides
    ids = find_ids(index, read_phrases(index, behavior))
    reached = reach(index, read_phrases(index, description))
    said = f" {phrase(description)} "
    return Pair(
        task_id=task_id,
        description=description,
        behavior=behavior,
        gloss=gloss(index, ids),
        has_database=bool(index.rows),
        n_ids=len(ids) + len(unknown),
        unreached=tuple(spell(index, found) for found in sorted(ids - reached)),
        unknown=tuple(spelled for found, spelled in sorted(unknown.items()) if f" {found} " not in said),
    )
