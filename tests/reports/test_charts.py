from __future__ import annotations

import matplotlib as mpl

from audit.records.score import Interval
from audit.reports.charts import Series, coverage_chart, distribution_chart
from audit.reports.distribution import distribute
from tests.reports import runs
from tests.reports.parsed import Element, parse


def drawn(markup: str) -> Element:
    return parse(markup.encode()).all("svg")[0]


def test_bars_are_as_high_as_their_counts_and_take_their_colours_from_the_page() -> None:
    score = runs.score("desc_alignment", {"0": 2.0, "1": 5.0, "2": 9.0, "3": 9.0})
    distribution = distribute(score)
    assert distribution is not None
    chart = drawn(distribution_chart(score, distribution, name="d", title="T"))
    heights = {cls: _height(chart, f"f-{cls}") for cls in ("low", "middle", "high")}
    assert heights["low"] == heights["middle"]
    assert abs(heights["high"] - 2 * heights["low"]) < 0.05
    assert not [one for one in chart.all() if "#" in one.attributes.get("fill", "") + one.attributes.get("stroke", "")]


def _height(chart: Element, cls: str) -> float:
    heights = []
    for path in chart.all("path", cls=cls):
        ys = [float(part.split()[2]) for part in path.attributes["d"].split("  ") if part[0] in "ML"]
        heights.append(max(ys) - min(ys))
    return max(heights)


def test_a_chart_names_itself_and_tells_its_numbers_to_a_screen_reader() -> None:
    score = runs.score("offline_match", {"0": 0.05, "1": 1.0}, interval=None)
    distribution = distribute(score)
    assert distribution is not None
    chart = drawn(distribution_chart(score, distribution, name="d7", title="Match <x> [offline (heuristic)]"))
    assert chart.attributes["aria-labelledby"] == "d7-t d7-d"
    assert chart.one("d7-t").text == "Match <x> [offline (heuristic)]"
    assert chart.one("d7-d").text == "Mean 0.53. Tasks by value: 0.0 to 0.1: 1, 0.9 to 1.0: 1."


def test_two_charts_share_no_id() -> None:
    score = runs.score("desc_alignment", {"0": 2.0})
    distribution = distribute(score)
    assert distribution is not None
    charts = [drawn(distribution_chart(score, distribution, name=name, title="T")) for name in ("a", "b")]
    ids = [{one.attributes["id"] for one in chart.all() if "id" in one.attributes} for chart in charts]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_lines_of_a_curve_differ_in_colour_mark_and_dash() -> None:
    points = ((1, 0.5), (2, 0.25))
    series = [Series(points, (Interval(0.4, 0.6, 0.95), None)) for _ in range(7)]
    chart = drawn(coverage_chart(series, name="c", title="T"))
    lines = [path for path in chart.all("path") if path.attributes.get("stroke-width") == "1.8"]
    assert len({line.attributes["class"] for line in lines}) == 6
    assert len({line.attributes.get("stroke-dasharray", "") for line in lines}) == 6
    assert "K=1: 50.0%, K=2: 25.0%" in chart.one("c-d").text


def test_drawing_leaves_matplotlibs_settings_alone() -> None:
    before = dict(mpl.rcParams)
    coverage_chart([Series(((1, 0.5),), (None,))], name="c", title="T")
    assert dict(mpl.rcParams) == before


def test_scores_without_values_by_task_have_no_distribution() -> None:
    assert distribute(runs.score("desc_alignment", {})) is None
    counts = distribute(runs.score("violation_count", {"0": 0.0, "1": 6.0}))
    assert counts is not None
    assert [bar.n_tasks for bar in counts.bins] == [1, 0, 0, 0, 0, 0, 1]
