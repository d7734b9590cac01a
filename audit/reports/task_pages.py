"""Every task's page: in full where there are few, else packed in chunks that a script unpacks one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice

from markupsafe import Markup

from audit.records.run import RunResult
from audit.records.task import Task
from audit.records.verdict import Verdict
from audit.reports.labels import judge_names
from audit.reports.nodes import Node, to_html
from audit.reports.packed import data_block, packed_block
from audit.reports.ranking import rank_tasks
from audit.reports.task_page import TaskEvidence, task_page
from audit.reports.view_findings import findings_by_task
from audit.reports.view_tasks import teaser
from audit.reports.visible import line

MAX_STATIC = 200
"""Tasks up to which every page stands in the report's HTML and can be read without JavaScript."""
CHUNK = 25
"""Tasks that are unpacked together."""
_SEARCHED = 4_000
"""Characters of a task's own words that the search of a packed report looks through."""


@dataclass(frozen=True, slots=True)
class StaticTask:
    """A task's page in HTML, and the line under which it is folded."""

    id: str
    teaser: str
    page: Markup


@dataclass(frozen=True, slots=True)
class TaskPages:
    """The pages; exactly one of ``static`` and ``blocks`` holds something.

    Parameters
    ----------
    settings
        What the script needs to know to find a page.
    """

    static: tuple[StaticTask, ...]
    blocks: tuple[Markup, ...]
    settings: Markup


def task_pages(result: RunResult) -> TaskPages:
    """Return every task's page, in reading order."""
    pages = _pages(result)
    n = len(result.benchmark.tasks)
    settings = data_block("settings", {"chunk": CHUNK, "is_static": n <= MAX_STATIC, "n_tasks": n})
    if n <= MAX_STATIC:
        static = tuple(StaticTask(line(task.id, limit=80), teaser(task), to_html(page)) for task, page in pages)
        return TaskPages(static, (), settings)
    return TaskPages((), tuple(_blocks(pages)), settings)


def _blocks(pages: Iterator[tuple[Task, Node]]) -> Iterator[Markup]:
    texts: list[str] = []
    for number in count():
        chunk = list(islice(pages, CHUNK))
        if not chunk:
            break
        yield packed_block(f"tasks-{number}", [page for _, page in chunk])
        texts += [f"{task.description_text}\n{task.behavior_text}"[:_SEARCHED].lower() for task, _ in chunk]
    yield packed_block("texts", texts)


def _pages(result: RunResult) -> Iterator[tuple[Task, Node]]:
    by_task: dict[str, list[Verdict]] = {}
    for verdict in result.verdicts:
        by_task.setdefault(verdict.task_id, []).append(verdict)
    found = findings_by_task(result)
    titles = {} if result.checked is None else {rule.id: rule.title for rule in result.checked.rules}
    names = judge_names(result)
    selected = frozenset(result.settings.behavior)
    for entry in rank_tasks(result):
        task = entry.task
        evidence = TaskEvidence(
            task=task,
            policy=result.benchmark.policy_of(task),
            verdicts=by_task.get(task.id, ()),
            findings=found.get(task.id, ()),
            calls=result.replays.get(task.id, ()),
            titles=titles,
            names=names,
            selected=selected,
            has_trials=result.settings.trials > 1,
            was_replayed=bool(result.replays),
        )
        yield task, task_page(evidence)
