"""A study as versioned JSON; docs/studies.md describes it and docs/schema/study-1.json is its schema."""

from __future__ import annotations

from audit.records.study import Cell, Column, Estimate, Figure, Series, StudyResult, Table
from audit.reports.plain import Plain, dump, fields_of, to_plain

FORMAT = "bench-audit/study"
FORMAT_VERSION = 1


def render(result: StudyResult) -> bytes:
    """Return the document, UTF-8, ending in a line break; the same result gives the same bytes."""
    return f"{dump(to_document(result))}\n".encode()


def to_document(result: StudyResult) -> dict[str, Plain]:
    """Return the document as plain values."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "tool_version": result.tool_version,
        "created_at": result.created_at,
        "kind": result.kind,
        "title": result.title,
        "is_complete": result.is_complete,
        "labels": list(result.labels),
        "summary": list(result.summary),
        "settings": to_plain(result.settings),
        "subjects": [fields_of(subject) for subject in result.subjects],
        "prompts": [{"prompt": name, "sha256": digest} for name, digest in result.prompts],
        "calls": [fields_of(calls) for calls in result.calls],
        "stops": list(result.stops),
        "notes": list(result.notes),
        "tables": [_table(table) for table in result.tables],
        "figures": [_figure(figure) for figure in result.figures],
    }


def _table(table: Table) -> Plain:
    return {
        "name": table.name,
        "title": table.title,
        "about": table.about,
        "columns": [_column(column) for column in table.columns],
        "rows": [{"label": row.label, "cells": _cells(row.cells, table.columns)} for row in table.rows],
    }


def _column(column: Column) -> Plain:
    return {
        "key": column.key,
        "title": column.title,
        "kind": column.kind.value,
        "unit": column.unit,
        "digits": column.digits,
    }


def _cells(cells: tuple[Cell, ...], columns: tuple[Column, ...]) -> Plain:
    return {
        column.key: fields_of(cell) if isinstance(cell, Estimate) else to_plain(cell)
        for cell, column in zip(cells, columns, strict=True)
    }


def _figure(figure: Figure) -> Plain:
    series: list[Plain] = [_series(each) for each in figure.series]
    return {**fields_of(figure), "series": series}


def _series(series: Series) -> Plain:
    points: list[Plain] = [
        {"place": point.place, **fields_of(point.estimate), **({"n_tied": point.n_tied} if point.n_tied > 1 else {})}
        for point in series.points
    ]
    return {"name": series.name, "label": series.label, "points": points}
