"""Figures of a certificate: drawn from its tables, and nothing where there is nothing."""

from __future__ import annotations

from audit.certificates.figures import certificate_figures
from audit.records.score import Interval
from audit.records.study import Cell, Column, ColumnKind, Estimate, FigureKind, Row, Table

LABEL = "scripted (not a real judge)"
HEAD = (
    Column("judge", "Judge", ColumnKind.JUDGE),
    Column("benchmark", "Benchmark"),
    Column("metric", "Metric"),
    Column("name", "What"),
    Column("n", "n", ColumnKind.COUNT),
)


def table(name: str, key: str, *rows: tuple[Cell, ...], kind: ColumnKind = ColumnKind.NUMBER) -> Table:
    return Table(name, name.title(), (*HEAD, Column(key, key, kind)), tuple(Row(row, LABEL) for row in rows))


def known(value: float) -> Estimate:
    return Estimate(value, Interval(value - 0.1, value + 0.1, 0.95))


def test_every_judge_is_a_series_against_chance_and_what_is_undefined_is_left_out() -> None:
    told = table(
        "known",
        "auroc",
        ("a", "library", "desc_alignment", "planted", 9, known(0.8)),
        ("b", "library", "desc_alignment", "planted", 9, known(0.6)),
        ("b", "library", "desc_alignment", "answer key", 0, Estimate(None, reason="no task")),
    )
    (figure,) = certificate_figures([told])
    assert (figure.name, figure.kind, figure.table) == ("certificate-known", FigureKind.DOTS, "known")
    assert (figure.reference, figure.reference_title) == (0.5, "chance")
    assert figure.y.categories == ("planted, desc_alignment", "answer key, desc_alignment")
    assert [(each.name, each.label, len(each.points)) for each in figure.series] == [("a", LABEL, 1), ("b", LABEL, 1)]


def test_planted_orders_are_drawn_by_their_sum_and_benchmarks_are_named_where_there_are_several() -> None:
    told = table(
        "injection",
        "toward",
        ("a", "library", "desc_alignment", "all disguises", 9, known(0.3)),
        ("a", "airline", "desc_alignment", "all disguises", 9, known(0.2)),
        ("a", "library", "desc_alignment", "a comment", 3, known(0.9)),
        kind=ColumnKind.SHARE,
    )
    (figure,) = certificate_figures([told])
    assert figure.y.categories == (
        "all disguises, desc_alignment, library",
        "all disguises, desc_alignment, airline",
    )
    assert (figure.x.low, figure.x.high, figure.reference) == (0.0, 1.0, None)


def test_a_table_without_a_defined_number_has_no_figure() -> None:
    nothing = table("stability", "flips", ("a", "x", "m", "", 0, Estimate(None, reason="asked once")))
    assert list(certificate_figures([nothing])) == []
    assert list(certificate_figures([table("unmeasured", "why")])) == []
