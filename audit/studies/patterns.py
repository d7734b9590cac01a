"""What do low scores have in common? Their reasons in groups, counted, with how steady the grouping is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from audit.errors import UndefinedScoreError
from audit.records.codebook import Code, Codebook, CodeOrigin, LowReason, Placed
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
from audit.reports.labels import trust_label
from audit.reports.visible import line
from audit.stats.grouping import LEAST, N_DRAWS, N_SEEDS, Grouping, Stability, group_texts, measure_stability
from audit.studies.pattern_names import Named

CRITERIA = ("desc_alignment", "policy_alignment")
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


@dataclass(frozen=True, slots=True)
class Patterns:
    """Reasons in groups.

    Parameters
    ----------
    codes
        Of the codebook first, then those that were found.
    grouping
        ``None`` with the reason in ``problem`` where there are too few to group.
    """

    reasons: tuple[LowReason, ...]
    codes: tuple[Code, ...]
    grouping: Grouping | None
    stability: Stability | None
    problem: str = ""
    unsteady: str = ""
    """Why there is no stability."""

    def members(self, group: int) -> list[int]:
        """Return the places of a group's reasons, the most typical first."""
        assert self.grouping is not None
        labels, centrality = self.grouping.labels, self.grouping.centrality
        own = [place for place in range(len(self.reasons)) if labels[place] == group]
        return sorted(own, key=lambda place: -centrality[place])

    def found(self) -> dict[int, list[str]]:
        """Return the reasons of the groups that were found, by number."""
        if self.grouping is None:
            return {}
        return {
            number: [self.reasons[place].text for place in self.members(number)]
            for number, code in enumerate(self.codes)
            if code.origin is CodeOrigin.FOUND
        }


def collect_reasons(run: RunResult, *, criteria: Sequence[str], below: float) -> tuple[LowReason, ...]:
    """Return the reasons of every verdict that scores below ``below``, each once a task, judge and criterion."""
    found = {
        (verdict.task_id, verdict.judge, verdict.criterion, reason): LowReason(
            reason, verdict.task_id, verdict.judge, verdict.criterion, verdict.score, trust_label(verdict.trust)
        )
        for verdict in run.verdicts
        if verdict.is_ok and verdict.criterion in criteria and verdict.score is not None and verdict.score < below
        for reason in verdict.reasons
        if reason.strip()
    }
    return tuple(found.values())


def group_reasons(reasons: Sequence[LowReason], codebook: Codebook, *, seed: int) -> Patterns:
    """Return reasons in the codebook's groups and in new ones.

    A reason whose very words the codebook has placed stays there.
    """
    numbers_of = {code.id: number for number, code in enumerate(codebook.codes)}
    placed = {each.reason.text.strip(): numbers_of[each.code] for each in codebook.placed}
    here = {reason.text.strip() for reason in reasons}
    absent = [text for text in placed if text not in here]
    texts = [*(reason.text for reason in reasons), *absent]
    fixed = [placed.get(text.strip()) for text in texts]
    given = [f"{code.name}. {code.about}" for code in codebook.codes]
    if len(reasons) < LEAST:
        problem = f"{numbers.plural(len(reasons), 'reason')}; grouping needs {LEAST}"
        return Patterns(tuple(reasons), codebook.codes, None, None, problem, problem)
    grouping = group_texts(texts, given, fixed=fixed, seed=seed)
    stability, unsteady = None, ""
    try:
        stability = measure_stability(texts, given, fixed=fixed, seed=seed)
    except UndefinedScoreError as error:
        unsteady = error.what
    n = len(reasons)
    kept = replace(grouping, labels=grouping.labels[:n], centrality=grouping.centrality[:n])
    codes = (*codebook.codes, *_found(grouping, codebook.codes))
    return Patterns(tuple(reasons), codes, kept, stability, "", unsteady)


def _found(grouping: Grouping, given: Sequence[Code]) -> Iterator[Code]:
    taken = {code.id for code in given}
    for words in grouping.keywords[len(given) :]:
        plain = [word for word in words if word.isascii()]
        base = "-".join(["found", *plain[:3]])
        id = next(name for name in (base, *(f"{base}-{n}" for n in range(2, 99))) if name not in taken)
        taken.add(id)
        yield Code(id, f"Found: {', '.join(words[:3]) or 'no words in common'}", "", CodeOrigin.FOUND)


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
    found = patterns.stability.by_group
    if group >= len(found) or math.isnan(found[group]):
        return Estimate(None, reason="no reason in it that the codebook has not placed")
    return Estimate(found[group])


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
