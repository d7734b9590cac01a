"""A study's figures: drawn from numbers, as files that stand alone and as part of a page."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from markupsafe import Markup
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import FuncFormatter, MaxNLocator

from audit.records.study import Axis, Column, ColumnKind, Figure, FigureKind, Series
from audit.reports import numbers
from audit.reports.study_cells import interval, shown
from audit.reports.svg import COLOUR, drawing, inline_svg
from audit.reports.visible import line

OKABE_ITO: Mapping[str, str] = MappingProxyType(
    {
        "ink": "#1a2027",
        "muted": "#56616c",
        "line": "#dfe3e7",
        "series-1": "#0072b2",
        "series-2": "#d55e00",
        "series-3": "#009e73",
        "series-4": "#cc79a7",
        "series-5": "#e69f00",
        "series-6": "#56b4e9",
    }
)
"""Colours that people with any colour vision tell apart (Okabe and Ito, 2008); marks and dashes differ too."""
MARKS = ("o", "s", "^", "D", "v", "P")
DASHES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 1)))
_DPI = 160
_UNDRAWABLE = re.compile(r"[^\x20-\x7e\xa0-\u017f\u0370-\u03ff\u2010-\u2027\u2030-\u203a\u2190-\u21ff\u2200-\u22ff]")
"""Characters that the font may lack."""
_MOST_TICKS = 12
"""Measured places that all get a tick; more than these get rounder ones."""
_SQUARE = 4.6
_LARGEST_MARK = 420.0
"""Area of the mark of the most tied point, in square points."""
_NAME = 34
"""Characters of a name in a figure."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a figure is drawn, and in which colours."""

    axes: Axes
    palette: Mapping[str, str]

    def colour(self, number: int) -> str:
        return self.palette[f"series-{number % len(MARKS) + 1}"]


def to_svg(figure: Figure) -> bytes:
    """Return the figure as an SVG file; the same figure gives the same bytes."""
    return _save(figure, "svg", {"Date": None, "Creator": None})


def to_png(figure: Figure) -> bytes:
    """Return the figure as a PNG file; the same figure gives the same bytes."""
    return _save(figure, "png", {"Software": None})


def to_inline(figure: Figure, *, name: str) -> Markup:
    """Return the figure as part of a page, in the page's own colours.

    Parameters
    ----------
    name
        Prefix of every id inside, unique in the page.
    """
    with drawing():
        canvas = _draw(figure, COLOUR)
        canvas.patch.set_alpha(0)
        return inline_svg(canvas, name=name, title=figure.title, description=describe(figure))


def describe(figure: Figure) -> str:
    """Return the figure's numbers in words, for those who can't see it."""
    axis = figure.x if figure.kind is FigureKind.DOTS else figure.y
    column = Column("value", axis.title, axis.kind)
    where = figure.y if figure.kind is FigureKind.DOTS else figure.x
    return "; ".join(f"{_full_name(series)}: {_points(series, where, column)}" for series in figure.series)


def _points(series: Series, where: Axis, column: Column) -> str:
    told = []
    for point in series.points:
        place = where.categories[round(point.place)] if where.categories else _tick(point.place, where.kind)
        ends = interval(point.estimate, column)
        tied = f", {numbers.count(point.n_tied)} tasks" if point.n_tied > 1 else ""
        told.append(f"{line(place)} {shown(point.estimate, column)}{f' ({ends})' if ends else ''}{tied}")
    return ", ".join(told)


def _save(figure: Figure, format_name: str, metadata: dict[str, str | None]) -> bytes:
    out = io.BytesIO()
    with drawing():
        rcParams["svg.fonttype"] = "path" if format_name == "png" else "none"
        canvas = _draw(figure, OKABE_ITO)
        canvas.savefig(out, format=format_name, dpi=_DPI, metadata=metadata, facecolor="white")
    return out.getvalue()


def _draw(figure: Figure, palette: Mapping[str, str]) -> Canvas:
    rcParams["text.parse_math"] = False
    is_square = figure.kind is FigureKind.SCATTER
    canvas = Canvas(figsize=(_SQUARE if is_square else 6.6, _height(figure)), layout="constrained")
    frame = _Frame(canvas.add_subplot(), palette)
    _dress(frame, figure)
    for number, series in enumerate(figure.series):
        _DRAWERS[figure.kind](frame, figure, number, series)
    _mark_reference(frame, figure)
    _bound(frame, figure)
    if len(figure.series) > 1 or figure.reference_title or any(series.label for series in figure.series):
        legend = canvas.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
        for text in legend.get_texts():
            text.set_color(palette["ink"])
    return canvas


def _height(figure: Figure) -> float:
    legend = 0.2 * ((len(figure.series) + 1) // 2)
    if figure.kind is FigureKind.DOTS:
        return 1.1 + legend + len(figure.y.categories) * max(0.3, 0.17 * len(figure.series))
    return (_SQUARE if figure.kind is FigureKind.SCATTER else 3.1) + legend


def _dress(frame: _Frame, figure: Figure) -> None:
    axes, palette = frame.axes, frame.palette
    axes.patch.set_alpha(0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(palette["muted"])
    axes.tick_params(length=0, colors=palette["muted"], labelsize=8)
    colour = palette["line"]
    if figure.kind is not FigureKind.DOTS:
        axes.grid(axis="y", color=colour, linewidth=0.8)
    if figure.kind in {FigureKind.DOTS, FigureKind.SCATTER}:
        axes.grid(axis="x", color=colour, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_title(_drawable(figure.title, 90), fontsize=9.5, color=palette["ink"], loc="left")
    axes.set_xlabel(_drawable(figure.x.title, 90), fontsize=8.5, color=palette["muted"])
    axes.set_ylabel(_drawable(figure.y.title, 60), fontsize=8.5, color=palette["muted"])
    for axis, own in ((axes.xaxis, figure.x), (axes.yaxis, figure.y)):
        if own.categories:
            axis.set_ticks(range(len(own.categories)), [_drawable(name, _NAME) for name in own.categories])
        else:
            axis.set_major_locator(_locator(own))
            axis.set_major_formatter(FuncFormatter(lambda value, _, kind=own.kind: _tick(value, kind)))


def _locator(axis: Axis) -> MaxNLocator:
    return MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10], integer=axis.kind is ColumnKind.COUNT)


def _tick(value: float, kind: ColumnKind) -> str:
    return numbers.percent(value, 0) if kind is ColumnKind.SHARE else numbers.trimmed(value, 3)


def _curve(frame: _Frame, _figure: Figure, number: int, series: Series) -> None:
    colour, style = frame.colour(number), number % len(MARKS)
    found = [(point.place, point.estimate.value, point.estimate.interval) for point in series.points]
    for place, _, ends in found:
        if ends is not None:
            frame.axes.plot([place, place], [ends.low, ends.high], color=colour, linewidth=1.2, alpha=0.6)
    defined = [(place, value) for place, value, _ in found if value is not None]
    frame.axes.plot(
        [place for place, _ in defined],
        [value for _, value in defined],
        color=colour,
        marker=MARKS[style],
        linestyle=DASHES[style],
        linewidth=1.8,
        markersize=5,
        label=_drawable(_full_name(series), 60),
    )


def _dots(frame: _Frame, figure: Figure, number: int, series: Series) -> None:
    colour, n = frame.colour(number), len(figure.series)
    offset = (number - (n - 1) / 2) * min(0.22, 0.8 / n)
    found = [(point.place + offset, point.estimate.value, point.estimate.interval) for point in series.points]
    for place, _, ends in found:
        if ends is not None:
            frame.axes.plot([ends.low, ends.high], [place, place], color=colour, linewidth=1.4, alpha=0.7)
    defined = [(place, value) for place, value, _ in found if value is not None]
    frame.axes.plot(
        [value for _, value in defined],
        [place for place, _ in defined],
        color=colour,
        marker=MARKS[number % len(MARKS)],
        linestyle="none",
        markersize=5.5,
        label=_drawable(_full_name(series), 60),
    )


def _bars(frame: _Frame, figure: Figure, number: int, series: Series) -> None:
    n = len(figure.series)
    width = 0.8 / n
    found = [(point.place, point.estimate) for point in series.points if point.estimate.value is not None]
    places = [place + (number - (n - 1) / 2) * width for place, _ in found]
    heights = [estimate.value or 0.0 for _, estimate in found]
    label = _drawable(_full_name(series), 60)
    frame.axes.bar(places, heights, width=width * 0.92, color=frame.colour(number), linewidth=0, label=label)
    for place, (_, estimate) in zip(places, found, strict=True):
        if estimate.interval is not None:
            ends = [estimate.interval.low, estimate.interval.high]
            frame.axes.plot([place, place], ends, color=frame.palette["ink"], linewidth=1.2)


def _scatter(frame: _Frame, figure: Figure, number: int, series: Series) -> None:
    found = [(point.place, point.estimate.value, point.n_tied) for point in series.points]
    defined = [(place, value, n) for place, value, n in found if value is not None]
    most = max((point.n_tied for each in figure.series for point in each.points), default=1)
    low, high = figure.x.low, figure.x.high
    if low is not None and high is not None and (low, high) == (figure.y.low, figure.y.high):
        frame.axes.plot([low, high], [low, high], color=frame.palette["muted"], linewidth=1.1, linestyle=(0, (4, 3)))
    frame.axes.scatter(
        [place for place, _, _ in defined],
        [value for _, value, _ in defined],
        s=[max(18.0, _LARGEST_MARK * n / most) for _, _, n in defined],
        color=frame.colour(number),
        alpha=0.45,
        linewidths=0,
        clip_on=False,
        label=_drawable(series.label or series.name, 60),
    )
    for place, value, n in defined:
        if n > 1:
            frame.axes.annotate(
                numbers.count(n), (place, value), ha="center", va="center", fontsize=7.5, color=frame.palette["ink"]
            )


_DRAWERS = {
    FigureKind.CURVES: _curve,
    FigureKind.DOTS: _dots,
    FigureKind.BARS: _bars,
    FigureKind.SCATTER: _scatter,
}


def _mark_reference(frame: _Frame, figure: Figure) -> None:
    if figure.reference is None:
        return
    mark = frame.axes.axvline if figure.kind is FigureKind.DOTS else frame.axes.axhline
    label = _drawable(figure.reference_title, 60) if figure.reference_title else None
    mark(figure.reference, color=frame.palette["muted"], linewidth=1.1, linestyle=(0, (4, 3)), label=label)


def _bound(frame: _Frame, figure: Figure) -> None:
    places = sorted({point.place for series in figure.series for point in series.points})
    if figure.kind is FigureKind.CURVES and len(places) <= _MOST_TICKS:
        frame.axes.set_xticks(places)
    for own, place in ((figure.x, frame.axes.set_xlim), (figure.y, frame.axes.set_ylim)):
        if own.categories:
            ends = (-0.6, len(own.categories) - 0.4)
            place(*(reversed(ends) if figure.kind is FigureKind.DOTS else ends))
        elif own.low is not None and own.high is not None:
            margin = (own.high - own.low) * 0.03
            place(own.low - margin, own.high + margin)
        elif own.low is not None:
            place(own.low, None)


def _full_name(series: Series) -> str:
    return f"{series.name} [{series.label}]" if series.label else series.name


def _drawable(text: str, limit: int) -> str:
    return _UNDRAWABLE.sub("□", line(text, limit=limit))
