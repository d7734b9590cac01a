"""A run's result as CSV: a row a task; a value and a state for each judge and metric, items, and counts of findings."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from audit.records.finding import SEVERITY_ORDER
from audit.records.run import RunResult
from audit.records.score import Score
from audit.records.task import Task
from audit.records.verdict import Verdict, VerdictState
from audit.reports.certificate_words import run_lines
from audit.reports.challenges import Challenges, all_challenges
from audit.reports.labels import coverage_k, labelled, metric_label
from audit.reports.view_findings import findings_by_task
from audit.reports.view_trust import IN_SHORT
from audit.reports.visible import block, line

_CELL = 30_000
"""Characters that every spreadsheet and CSV reader takes in one cell."""
NO_QUORUM = "no_quorum"
"""The state of a task on which too few of a panel's judges have a verdict."""
_FORMULA = re.compile(r"\s*[=+\-@|%＝＋－＠]|[\t\r\n]")


def render(result: RunResult) -> bytes:
    """Return the table, UTF-8, in the file's task order; the same result gives the same bytes."""
    panel, name = ((), None) if result.panel is None else (result.panel.scores, result.panel.name)
    scores = [score for score in (*result.scores, *panel) if score.is_applicable and coverage_k(score.metric) is None]
    found = [one for one in all_challenges(result) if one.has_answers]
    severities = () if result.checked is None else SEVERITY_ORDER
    by_task = findings_by_task(result)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [name for score in scores for name in _columns(score)]
    names += [labelled(f"challenged_items {line(one.judge, limit=200)}", one.trust) for one in found]
    told = [(f"certificate {line(held.judge, limit=200)}", _certificate(lines)) for held, lines in run_lines(result)]
    counted = [f"n_{severity.value}s" for severity in severities]
    writer.writerow(["task_id", *map(_cell, names), *counted, *(_cell(name) for name, _ in told)])
    states = _states(result.verdicts)
    for task in result.benchmark.tasks:
        values = [cell for score in scores for cell in _values(score, task, states, panel=name)]
        items = [_cell(_items(one, task)) for one in found]
        counts = [sum(one.severity is severity for one in by_task.get(task.id, ())) for severity in severities]
        writer.writerow([_cell(task.id), *values, *items, *counts, *(_cell(text) for _, text in told)])
    return out.getvalue().encode("utf-8", errors="backslashreplace")


def _certificate(lines: Sequence[tuple[str, str]]) -> str:
    """How a judge is certified and the shares of flawed tasks: of the run as a whole, so the same in every row."""
    return "; ".join(text for name, text in lines if name in IN_SHORT)


def _columns(score: Score) -> tuple[str, str]:
    name = labelled(f"{score.metric} {line(score.judge, limit=200)}".strip(), score.trust)
    return name, f"{name} state"


def _states(verdicts: tuple[Verdict, ...]) -> dict[tuple[str, str, str], VerdictState]:
    """The state of a task's first verdict that is missing, where there are several trials."""
    states: dict[tuple[str, str, str], VerdictState] = {}
    for verdict in verdicts:
        key = (verdict.task_id, verdict.criterion, verdict.judge)
        if key not in states or states[key] is VerdictState.OK:
            states[key] = verdict.state
    return states


def _values(
    score: Score, task: Task, states: dict[tuple[str, str, str], VerdictState], *, panel: str | None
) -> tuple[str, str]:
    if task.id in score.by_task:
        return repr(float(score.by_task[task.id])), VerdictState.OK.value
    if score.judge == panel:
        return "", NO_QUORUM
    key = (task.id, metric_label(score.metric).criterion, score.judge)
    return "", states.get(key, VerdictState.NOT_ASKED).value


def _items(found: Challenges, task: Task) -> str:
    """The policy items that a task challenges in most of its trials, apart by blanks."""
    return " ".join(id for id in found.share_by_item if task.id in found.tasks_of(id))


def _cell(text: str) -> str:
    shown = block(text, limit=_CELL)
    return f"'{shown}" if _FORMULA.match(shown) else shown
