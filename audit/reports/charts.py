"""The charts of a report; each is drawn from numbers only, and each has its table elsewhere in the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from audit.records.score import Interval, Score
from audit.reports import numbers
from audit.reports.distribution import Distribution
from audit.reports.svg import COLOUR, drawing, inline_svg

N_SERIES = 6
"""Line styles that a reader can tell apart; further lines start over."""
_MARKERS = ("o", "s", "^", "D", "v", "P")
_DASHES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 1)))


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a curve: ``(k, share)`` points, each with its interval."""

    points: tuple[tuple[int, float], ...]
    intervals: tuple[Interval | None, ...]


def distribution_chart(score: Score, distribution: Distribution, *, name: str, title: str) -> Markup:
    """Draw how many tasks have which value, with the mean as a line and its interval as a band."""
    with drawing():
        figure, axes = _canvas(3.4, 1.45)
        for bar in distribution.bins:
            axes.bar(bar.centre, bar.n_tasks, width=distribution.width * 0.82, color=COLOUR[bar.band], linewidth=0)
        _mark_mean(axes, score)
        first, last = distribution.bins[0].centre, distribution.bins[-1].centre
        axes.set_xlim(first - distribution.width * 0.6, last + distribution.width * 0.6)
        axes.set_ylim(0, max(bar.n_tasks for bar in distribution.bins) * 1.12)
        axes.yaxis.set_major_locator(MaxNLocator(nbins=3, integer=True))
        if distribution.width == 1.0:
            axes.xaxis.set_major_locator(MaxNLocator(nbins=12, steps=[1, 2, 5, 10], integer=True))
        axes.set_ylabel("tasks", fontsize=9)
        return inline_svg(figure, name=name, title=title, description=_describe(score, distribution))


def coverage_chart(series: Sequence[Series], *, name: str, title: str) -> Markup:
    """Draw coverage@K over K, one line a judge."""
    with drawing():
        figure, axes = _canvas(4.6, 2.2)
        for number, line in enumerate(series):
            _draw_series(axes, line, number)
        axes.set_ylim(-0.02, 1.02)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
        axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: numbers.percent(share, 0)))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("K, tasks that challenge an item", fontsize=9)
        lines = "; ".join(", ".join(f"K={k}: {numbers.percent(share)}" for k, share in line.points) for line in series)
        return inline_svg(figure, name=name, title=title, description=lines)


def _canvas(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height))
    figure.patch.set_alpha(0)
    left, bottom = 0.5 / width, (0.26 if height < 2 else 0.42) / height
    axes = figure.add_axes((left, bottom, 1 - left - 0.08 / width, 1 - bottom - 0.08 / height))
    axes.patch.set_alpha(0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(COLOUR["muted"])
    axes.tick_params(length=0, colors=COLOUR["muted"], labelsize=9)
    axes.xaxis.label.set_color(COLOUR["muted"])
    axes.yaxis.label.set_color(COLOUR["muted"])
    axes.grid(axis="y", color=COLOUR["line"], linewidth=0.8)
    axes.set_axisbelow(True)
    return figure, axes


def _mark_mean(axes: Axes, score: Score) -> None:
    if score.interval is not None:
        axes.axvspan(score.interval.low, score.interval.high, color=COLOUR["ink"], alpha=0.13, linewidth=0)
    if score.value is not None:
        axes.axvline(score.value, color=COLOUR["ink"], linewidth=1.4)


def _draw_series(axes: Axes, line: Series, number: int) -> None:
    style = number % N_SERIES
    colour = COLOUR[f"series-{style + 1}"]
    ks = [k for k, _ in line.points]
    for k, bounds in zip(ks, line.intervals, strict=True):
        if bounds is not None:
            axes.plot([k, k], [bounds.low, bounds.high], color=colour, linewidth=1.2, alpha=0.55)
    axes.plot(
        ks,
        [share for _, share in line.points],
        color=colour,
        marker=_MARKERS[style],
        linestyle=_DASHES[style],
        linewidth=1.8,
        markersize=5.5,
    )


def _describe(score: Score, distribution: Distribution) -> str:
    bars = ", ".join(f"{bar.label}: {numbers.count(bar.n_tasks)}" for bar in distribution.bins if bar.n_tasks)
    mean = f"Mean {numbers.fixed(score.value)}"
    if score.interval is not None:
        mean += f", interval {numbers.interval(score.interval)}"
    return f"{mean}. Tasks by value: {bars}."
