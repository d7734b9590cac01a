"""What do low scores have in common? Their reasons in groups, counted, with how steady the grouping is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from audit.records.codebook import Codebook, Placed
from audit.records.run import RunResult
from audit.records.study import (
    Axis,
    Column,
    ColumnKind,
    Estimate,
    Figure,
    FigureKind,
    Point,
    Row,
    Series,
    Setting,
    StudyResult,
    Table,
)
from audit.reports import numbers
from audit.reports.visible import line
from audit.stats.grouping import N_DRAWS, N_SEEDS
from audit.studies.pattern_groups import Patterns
from audit.studies.pattern_names import Named

N_TYPICAL = 3
GROUP_COLUMNS = (
    Column("group", "Group"),
    Column("origin", "From", is_detail=True),
    Column("n_reasons", "Reasons", ColumnKind.COUNT),
    Column("share", "Share", ColumnKind.SHARE),
    Column("n_tasks", "Tasks", ColumnKind.COUNT),
    Column("tasks", "Typical tasks"),
    Column("example", "Typical reason"),
    Column("stability", "Comes back", ColumnKind.NUMBER),
    Column("words", "Words that set it apart", is_detail=True),
    Column("id", "Id", is_detail=True),
    Column("named_by", "Named by", is_detail=True),
)
REASON_COLUMNS = (
    Column("group", "Group"),
    Column("task", "Task"),
    Column("criterion", "Criterion"),
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("score", "Score", ColumnKind.NUMBER),
    Column("reason", "Reason"),
    Column("centrality", "Likeness to its group", ColumnKind.NUMBER),
)


def take_names(patterns: Patterns, named: Named) -> Patterns:
    """Return the groups under the names that a model gave them."""
    codes = [
        replace(code, name=named.names[number][0], about=named.names[number][1], named_by=named.judge)
        if number in named.names
        else code
        for number, code in enumerate(patterns.codes)
    ]
    return replace(patterns, codes=tuple(codes))


def revise(patterns: Patterns, codebook: Codebook) -> Codebook:
    """Return the codebook with the reasons and the groups that are new, for a reviewer."""
    if patterns.grouping is None:
        return codebook
    known = {each.reason.text.strip() for each in codebook.placed}
    new: dict[str, Placed] = {}
    for reason, label in zip(patterns.reasons, patterns.grouping.labels, strict=True):
        if reason.text.strip() not in known:
            new.setdefault(reason.text.strip(), Placed(reason, patterns.codes[label].id))
    return Codebook(patterns.codes, (*codebook.placed, *new.values()))


def study_patterns(run: RunResult, patterns: Patterns, *, below: float, settings: Mapping[str, Setting]) -> StudyResult:
    """Return the groups as a study."""
    tables = (_group_table(patterns), _stability_table(patterns), _reason_table(patterns))
    n_low = len({(each.task_id, each.judge, each.criterion) for each in patterns.reasons})
    return StudyResult(
        kind="patterns",
        title=f"{run.benchmark.name}: what do scores below {numbers.trimmed(below)} have in common?",
        summary=tuple(_summary(patterns, n_low, below)),
        settings=settings,
        tables=tables,
        figures=tuple(_figures(patterns)),
        notes=(
            "Groups rest on the wording of the reasons. A low score's reasons may also say what is in order, and those "
            "that are worded alike need not mean the same: go through them (--export), and keep the codebook.",
        ),
    )


def _summary(patterns: Patterns, n_low: int, below: float) -> Iterator[str]:
    label = "".join(f" [{each}]" for each in dict.fromkeys(r.label for r in patterns.reasons if r.label))
    n_tasks = len({each.task_id for each in patterns.reasons})
    if patterns.grouping is None:
        yield f"Too few to group: {patterns.problem}. They are listed one by one{label}."
        return
    yield (
        f"{numbers.plural(len(patterns.reasons), 'reason')} of {numbers.plural(n_low, 'score')} below "
        f"{numbers.trimmed(below)} on {numbers.plural(n_tasks, 'task')}{label}."
    )
    sizes = sorted(((len(patterns.members(n)), n) for n in range(len(patterns.codes))), reverse=True)
    most = [f"{line(patterns.codes[n].name)} ({size})" for size, n in sizes[:N_TYPICAL] if size]
    yield f"Most frequent: {', '.join(most)}{label}."
    if patterns.stability is None:
        yield f"How steady the grouping is can't be said: {patterns.unsteady}."
    else:
        steady = patterns.stability
        words = "steady" if steady.draws >= 0.8 else "fairly steady" if steady.draws >= 0.6 else "not steady"
        yield (
            f"The grouping is {words}: adjusted Rand index {numbers.fixed(steady.draws)} "
            f"({numbers.interval(steady.interval)}) between bootstrap draws and the whole{label}."
        )


def _group_table(patterns: Patterns) -> Table:
    about = (
        "Typical: nearest to the middle of the group. Comes back: mean likeness (Jaccard) to the best fitting group of "
        "a bootstrap draw; below 0.5 the group should not be relied on."
    )
    everything = () if patterns.grouping is None else range(len(patterns.codes))
    empty = [patterns.codes[n].name for n in everything if not patterns.members(n)]
    rows = [_group_row(patterns, n) for n in everything if patterns.members(n)]
    if empty:
        about += f" Without a reason: {'; '.join(empty)}."
    rows.sort(key=lambda row: -int(str(row.cells[2])))
    return Table("groups", "Groups", GROUP_COLUMNS, tuple(rows), about)


def _group_row(patterns: Patterns, group: int) -> Row:
    assert patterns.grouping is not None
    code, members = patterns.codes[group], patterns.members(group)
    reasons = [patterns.reasons[place] for place in members]
    tasks = list(dict.fromkeys(each.task_id for each in reasons))
    label = next((each.label for each in reasons if each.label), "")
    cells = (
        code.name,
        code.origin.value,
        len(members),
        len(members) / len(patterns.reasons),
        len(tasks),
        ", ".join(tasks[:N_TYPICAL]),
        line(reasons[0].text, limit=240),
        _comes_back(patterns, group),
        ", ".join(patterns.grouping.keywords[group]),
        code.id,
        code.named_by or numbers.NONE,
    )
    return Row(cells, label)


def _comes_back(patterns: Patterns, group: int) -> Estimate:
    if patterns.stability is None:
        return Estimate(None, reason=patterns.unsteady)
    likeness = patterns.comes_back(group)
    if likeness is None:
        return Estimate(None, reason="no reason in it that the codebook has not placed")
    return Estimate(likeness)


def _stability_table(patterns: Patterns) -> Table:
    columns = (Column("against", "Against"), Column("rand", "Adjusted Rand index", ColumnKind.NUMBER))
    steady = patterns.stability
    draws = Estimate(None, reason=patterns.unsteady) if steady is None else Estimate(steady.draws, steady.interval)
    seeds = Estimate(None, reason=patterns.unsteady) if steady is None else Estimate(steady.seeds)
    label = next((each.label for each in patterns.reasons if each.label), "")
    about = "1 is the same grouping, 0 what chance brings about. Reasons that the codebook has placed are left out."
    rows = (
        Row((f"{N_DRAWS} bootstrap draws of the reasons", draws), label),
        Row((f"{N_SEEDS} other seeds", seeds), label),
    )
    return Table("stability", "How steady the grouping is", columns, rows, about)


def _reason_table(patterns: Patterns) -> Table:
    rows = []
    for place, each in enumerate(patterns.reasons):
        grouping = patterns.grouping
        group = "not grouped" if grouping is None else patterns.codes[grouping.labels[place]].name
        like = Estimate(None, reason=patterns.problem) if grouping is None else Estimate(grouping.centrality[place])
        score = Estimate(each.score, reason="" if each.score is not None else "none")
        rows.append(Row((group, each.task_id, each.criterion, each.judge, score, each.text, like), each.label))
    n_shown = 0 if patterns.grouping is not None else None
    return Table("reasons", "Every reason", REASON_COLUMNS, tuple(rows), n_in_text=n_shown)


def _figures(patterns: Patterns) -> Iterator[Figure]:
    if patterns.grouping is None:
        return
    rows = _group_table(patterns).rows
    names = tuple(line(str(row.cells[0]), limit=40) for row in rows)
    points = tuple(Point(n, Estimate(float(str(row.cells[2])))) for n, row in enumerate(rows))
    label = next((each.label for each in patterns.reasons if each.label), "")
    yield Figure(
        name="groups",
        title="Reasons by group",
        kind=FigureKind.DOTS,
        x=Axis("reasons", ColumnKind.COUNT, low=0.0),
        y=Axis("group", categories=names),
        series=(Series("reasons", points, label),),
        table="groups",
    )
