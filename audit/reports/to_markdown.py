"""A run's result as Markdown for a pull request or a job's summary.

What comes from files and judges stands in code spans, where it means nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.records.finding import SEVERITY_ORDER
from audit.records.run import RunResult
from audit.records.verdict import Trust
from audit.reports import numbers
from audit.reports.certificate_words import run_lines
from audit.reports.finding_words import TITLES, count_severities, title_of
from audit.reports.findings_markdown import code, ours
from audit.reports.labels import metric_label, trust_label
from audit.reports.markdown_limit import fit
from audit.reports.missing import missing_words
from audit.reports.ranking import RankedTask, rank_tasks
from audit.reports.score_rows import ScoreRow, is_headline, panel_rows, score_rows
from audit.reports.summary import summarise
from audit.reports.view_method import spent
from audit.reports.view_trust import IN_SHORT

N_TASKS = 10
"""Tasks with the lowest scores that are named."""
N_RULES = 15
_NONE = "–"


def render(result: RunResult) -> bytes:
    """Return the text, UTF-8; the same result gives the same bytes."""
    text = "".join(f"{line}\n" for line in _lines(result))
    return fit(text, more="on the page and in the JSON of `score`").encode("utf-8", errors="backslashreplace")


def _lines(result: RunResult) -> Iterator[str]:
    summary = summarise(result)
    yield f"## bench-audit: {code(result.benchmark.name)}"
    yield ""
    yield f"**{ours(summary.headline)}**"
    yield ""
    for reason in summary.reasons:
        yield f"- {code(reason.text, limit=600)}"
    if summary.reasons:
        yield ""
    yield from _warnings(result)
    yield from _scores(result)
    yield from _trust(result)
    yield from _findings(result)
    yield from _tasks(result)
    yield from _closing(result)


def _warnings(result: RunResult) -> Iterator[str]:
    trusts = {score.trust for score in result.scores if score.value is not None}
    told = [f"Numbers are marked **{trust.value}**." for trust in Trust if trust in trusts - {Trust.MODEL}]
    if not result.is_complete:
        told.append(f"**Incomplete**: {ours(missing_words(result.tally))}.")
        told += [f"{code(stop.judge)} was stopped: {code(stop.message, limit=300)}" for stop in result.stops]
    told += [code(note, limit=600) for note in result.notes]
    for text in told:
        yield f"> {text}"
        yield ">"
    if told:
        yield ""


def _scores(result: RunResult) -> Iterator[str]:
    rows = [row for row in (*panel_rows(result), *score_rows(result)) if is_headline(row.score)]
    shown = [row for row in rows if row.state != "not_applicable"]
    if not shown:
        return
    yield "| Metric | Judge | Value | Interval | Tasks | Missing |"
    yield "|---|---|--:|--:|--:|--:|"
    for row in shown:
        yield f"| {ours(row.label.title)} | {_judge(row)} | {' | '.join(_numbers(row))} |"
    yield ""


def _trust(result: RunResult) -> Iterator[str]:
    """What certificates say of the judges; all but the head and the counts is folded."""
    for held, lines in run_lines(result):
        shown = [(name, text) for name, text in lines if name in IN_SHORT]
        folded = [(name, text) for name, text in lines if name not in IN_SHORT]
        yield f"**How far {code(held.judge)} can be trusted**"
        yield ""
        yield from (f"- {ours(name)}: {code(text, limit=600)}" for name, text in shown)
        yield ""
        if folded:
            yield "<details><summary>What was measured of it</summary>"
            yield ""
            yield from (f"- {ours(name)}: {code(text, limit=1200)}" for name, text in folded)
            yield ""
            yield "</details>"
            yield ""


def _judge(row: ScoreRow) -> str:
    label = f" ({row.trust})" if row.trust else ""
    return f"{cell(row.judge) if row.judge else _NONE}{label}"


def _numbers(row: ScoreRow) -> tuple[str, ...]:
    counts = (row.n_used, row.n_missing)
    if row.state != "ok":
        return ("undefined", cell(row.note), *counts)
    return (row.value, f"{row.interval} ({row.level})" if row.level else row.interval, *counts)


def _findings(result: RunResult) -> Iterator[str]:
    checked = result.checked
    if checked is None:
        return
    yield f"**Findings**: {count_severities(checked.findings)}"
    yield ""
    rows = [(rule, n) for rule, n in checked.n_by_rule.items() if n]
    if not rows:
        return
    yield f"| Rule | What | {' | '.join(TITLES[severity] for severity in SEVERITY_ORDER)} |"
    yield "|---|---|--:|--:|--:|"
    for rule, _ in rows[:N_RULES]:
        found = [finding.severity for finding in checked.findings if finding.rule == rule]
        counts = " | ".join(numbers.count(found.count(severity)) for severity in SEVERITY_ORDER)
        yield f"| {cell(rule)} | {ours(title_of(rule, checked))} | {counts} |"
    yield ""
    if (more := len(rows) - N_RULES) > 0:
        yield f"… and {numbers.plural(more, 'more rule')}"
        yield ""


def _tasks(result: RunResult) -> Iterator[str]:
    ranked = [entry for entry in rank_tasks(result) if entry.lowest is not None]
    ranked.sort(key=_lowest)
    if not ranked:
        return
    yield "<details><summary>Lowest scores</summary>"
    yield ""
    for entry in ranked[:N_TASKS]:
        yield f"- {code(entry.task.id)}: {_words(entry)}"
    yield ""
    yield "</details>"
    yield ""


def _words(entry: RankedTask) -> str:
    lowest = entry.lowest
    assert lowest is not None, "the caller has looked"
    label = trust_label(lowest.trust)
    who = f" by {code(lowest.judge)}{f' ({label})' if label else ''}" if lowest.judge else ""
    return f"{numbers.trimmed(lowest.value)}, {ours(metric_label(lowest.metric).title)}{who}"


def _lowest(entry: RankedTask) -> float:
    assert entry.lowest is not None, "the caller has looked"
    return entry.lowest.value


def _closing(result: RunResult) -> Iterator[str]:
    benchmark = result.benchmark
    n = f"{numbers.count(len(benchmark.tasks))} of {numbers.plural(benchmark.n_available, 'task')}"
    date = numbers.moment(result.created_at) or code(result.created_at)
    version = f", version {code(benchmark.version)}" if benchmark.version else ""
    yield f"{n}{version}, {date}, cost {spent(result)}, bench-audit {code(result.tool_version)}"


def cell(text: str, *, limit: int = 160) -> str:
    r"""Return a code span that can't end a table's cell.

    Examples
    --------
    >>> cell("a|b")
    '`a\\|b`'
    """
    return code(text, limit=limit).replace("|", "\\|")
