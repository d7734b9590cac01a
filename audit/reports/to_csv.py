"""A run's result as CSV: one row a task, a value and a state for each judge and metric."""

from __future__ import annotations

import csv
import io
import re

from audit.records.run import RunResult
from audit.records.score import Score
from audit.records.task import Task
from audit.records.verdict import Verdict, VerdictState
from audit.reports.labels import coverage_k, labelled, metric_label
from audit.reports.visible import block, line

_CELL = 30_000
"""Characters that every spreadsheet and CSV reader takes in one cell."""
_FORMULA = re.compile(r"\s*[=+\-@|%＝＋－＠]|[\t\r\n]")


def render(result: RunResult) -> bytes:
    """Return the table, UTF-8, in the file's task order; the same result gives the same bytes."""
    scores = [score for score in result.scores if score.is_applicable and coverage_k(score.metric) is None]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["task_id", *(_cell(name) for score in scores for name in _columns(score))])
    states = _states(result.verdicts)
    for task in result.benchmark.tasks:
        writer.writerow([_cell(task.id), *(cell for score in scores for cell in _values(score, task, states))])
    return out.getvalue().encode("utf-8", errors="backslashreplace")


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


def _values(score: Score, task: Task, states: dict[tuple[str, str, str], VerdictState]) -> tuple[str, str]:
    if task.id in score.by_task:
        return repr(float(score.by_task[task.id])), VerdictState.OK.value
    key = (task.id, metric_label(score.metric).criterion, score.judge)
    return "", states.get(key, VerdictState.NOT_ASKED).value


def _cell(text: str) -> str:
    shown = block(text, limit=_CELL)
    return f"'{shown}" if _FORMULA.match(shown) else shown
