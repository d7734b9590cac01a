"""Studies of one kind on several benchmarks → one study with a column that says which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from audit.records.study import Calls, Column, Figure, Row, Setting, StudyResult, Table
from audit.studies.ground import slug

_BENCHMARK = Column("of", "Of")
_EACH = "Each benchmark was studied by itself: Holm's adjustment is over its own tests."


def merge_studies(studies: Mapping[str, StudyResult], *, title: str) -> StudyResult:
    """Return one study of studies of one kind, each named by its benchmark; of one alone, that one.

    Tables of one name and the same columns become one with a column more; figures keep to their benchmark.
    """
    first = next(iter(studies.values()))
    if len(studies) == 1:
        return first
    numbers = {name: number for number, name in enumerate(studies, start=1)}
    return replace(
        first,
        title=title,
        summary=tuple(f"{name}: {sentence}" for name, study in studies.items() for sentence in study.summary),
        settings=_settings(studies),
        tables=tuple(_tables(studies)),
        figures=tuple(
            _rename(figure, name, numbers[name]) for name, study in studies.items() for figure in study.figures
        ),
        calls=total_calls([calls for study in studies.values() for calls in study.calls]),
        subjects=tuple(dict.fromkeys(each for study in studies.values() for each in study.subjects)),
        prompts=tuple(dict.fromkeys(each for study in studies.values() for each in study.prompts)),
        notes=(_EACH, *dict.fromkeys(each for study in studies.values() for each in study.notes)),
        stops=tuple(dict.fromkeys(each for study in studies.values() for each in study.stops)),
        more_labels=tuple(dict.fromkeys(each for study in studies.values() for each in study.more_labels)),
    )


def _settings(studies: Mapping[str, StudyResult]) -> Mapping[str, Setting]:
    """What is the same in all, and benchmark by benchmark what is not."""
    every = [study.settings for study in studies.values()]
    return {
        name: value if all(own[name] == value for own in every) else tuple(str(own[name]) for own in every)
        for name, value in every[0].items()
    }


def _tables(studies: Mapping[str, StudyResult]) -> Iterator[Table]:
    names = dict.fromkeys(table.name for study in studies.values() for table in study.tables)
    for name in names:
        own = [(of, table) for of, study in studies.items() for table in study.tables if table.name == name]
        head = own[0][1]
        rows = tuple(Row((of, *row.cells), row.label) for of, table in own for row in table.rows)
        yield replace(head, columns=(_BENCHMARK, *head.columns), rows=rows)


def _rename(figure: Figure, name: str, number: int) -> Figure:
    return replace(figure, name=slug(f"{figure.name}-{number}"), title=f"{figure.title}, {name}")


def total_calls(calls: Sequence[Calls]) -> tuple[Calls, ...]:
    """Return the accounts of each judge as one; what two studies share counts in both."""
    found: dict[str, Calls] = {}
    for each in calls:
        before = found.get(each.judge)
        found[each.judge] = each if before is None else _sum(before, each)
    return tuple(found.values())


def _sum(one: Calls, other: Calls) -> Calls:
    is_priced = one.cost_usd is not None and other.cost_usd is not None
    return replace(
        one,
        planned=one.planned + other.planned,
        repeated=one.repeated + other.repeated,
        stored=one.stored + other.stored,
        to_ask=one.to_ask + other.to_ask,
        asked=one.asked + other.asked,
        missing=one.missing + other.missing,
        undefined=one.undefined + other.undefined,
        cost_usd=(one.cost_usd or 0.0) + (other.cost_usd or 0.0) if is_priced else None,
        models=tuple(sorted({*one.models, *other.models})),
    )
