"""Every renderer of studies, on the same made results."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.loaders.saved_study import study_of
from audit.records.score import Interval
from audit.records.study import (
    Axis,
    Calls,
    Column,
    ColumnKind,
    Estimate,
    Figure,
    FigureKind,
    Point,
    Row,
    Series,
    StudyResult,
    Table,
)
from audit.reports import study_figures, study_json, study_text
from audit.reports.study_cells import number
from audit.reports.study_files import STUDY_FORMATS, render_files
from audit.reports.study_text import to_text
from tests.reports.parsed import parse
from tests.reports.studies import COLUMNS, LABEL, bars, curves, dots, scatter, study, table

DOCS = Path(__file__).resolve().parents[2] / "docs"
HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e$x_1$ =1+1"
PNG = b"\x89PNG\r\n\x1a\n"


def hostile() -> StudyResult:
    figures = (curves(judge=HOSTILE),)
    return study(title=HOSTILE, tables=(table(judge=HOSTILE),), figures=figures, notes=(HOSTILE,), stops=(HOSTILE,))


def document(result: StudyResult) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(study_json.render(result))
    return loaded


def schema() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((DOCS / "schema" / "study-1.json").read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize("result", [study(), hostile(), study(tables=(), figures=(), calls=())])
def test_the_json_keeps_the_published_schema(result: StudyResult) -> None:
    jsonschema.Draft202012Validator(schema()).validate(document(result))


def test_the_schema_refuses_what_it_does_not_describe_and_gaps_without_a_reason() -> None:
    validator = jsonschema.Draft202012Validator(schema())
    gap = document(study())
    gap["tables"][0]["rows"][1]["cells"]["tau"]["reason"] = ""
    changes: tuple[dict[str, Any], ...] = ({"format_version": 2}, {"extra": 1}, {"tables": [{}]}, gap)
    for change in changes:
        assert not validator.is_valid({**document(study()), **change})


def test_the_schema_names_the_kinds_that_the_records_have() -> None:
    definitions = schema()["$defs"]
    assert definitions["kind"]["enum"] == [kind.value for kind in ColumnKind]
    assert definitions["figure"]["properties"]["kind"]["enum"] == [kind.value for kind in FigureKind]


def test_the_json_holds_unrounded_numbers_with_their_interval_label_and_reason() -> None:
    first, second = document(study())["tables"][0]["rows"]

    assert first["label"] == LABEL
    assert first["cells"]["tau"] == {
        "value": -0.4567,
        "interval": {"low": -0.6, "high": -0.2, "level": 0.95},
        "reason": "",
    }
    assert second["cells"]["tau"] == {"value": None, "interval": None, "reason": "2 tasks; 3 are needed"}
    assert second["label"] == ""


def test_an_estimate_without_a_value_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="needs a reason"):
        Estimate(None)


def test_a_row_has_a_cell_for_each_column() -> None:
    with pytest.raises(ValueError, match="a row of 1 cells for 6 columns"):
        Table("t", "T", COLUMNS, (Row(("a",)),))


def test_names_of_tables_and_figures_stand_once_and_figures_have_a_table() -> None:
    with pytest.raises(ValueError, match="a name stands twice"):
        study(tables=(table(), table()))
    with pytest.raises(ValueError, match=r"figures without a table: \['lost'\]"):
        study(figures=(replace(curves("lost"), table="nowhere"),))


def test_a_study_is_complete_unless_verdicts_are_missing_or_a_judge_was_stopped() -> None:
    calls = Calls("j", 3, 0, 0, 3, asked=3, missing=1)
    assert study().is_complete
    assert not study(calls=(calls,)).is_complete
    assert not study(stops=("j: quota",)).is_complete
    assert document(study(calls=(calls,)))["is_complete"] is False


def test_the_text_shows_intervals_reasons_labels_calls_and_notes() -> None:
    text = study_text.render(study()).decode()

    assert "Do the judges agree with people? [scripted (not a real judge)]" in text
    assert "scripted:seeded [scripted (not a real judge)]" in text
    assert "-0.46" in text
    assert "-0.60 to -0.20" in text
    assert "<0.0001" in text
    assert "25.0%" in text
    assert "τ_b: 2 tasks; 3 are needed" in text
    assert "Note: Mind the gap." in text
    assert "split" not in text  # what is not set is left out
    assert "seed 0; metrics desc_alignment, policy_alignment; is fresh no" in text


def test_the_text_cuts_long_tables_and_says_where_the_rest_is() -> None:
    text = study_text.render(study(tables=(table(n_in_text=1),))).decode()

    assert "policy_alignment  openai" not in text
    assert "… and 1 more row, in agreement.csv and in the JSON" in text


def test_the_text_leaves_tables_out_that_are_for_files_and_names_empty_ones() -> None:
    hidden, empty = table("hidden", n_in_text=0), replace(table("empty"), title="Failing pairs", rows=())
    text = study_text.render(study(tables=(table(), hidden, empty))).decode()

    assert text.count("Agreement of each judge") == 1
    assert "Failing pairs\nOne row a judge.\n  none" in text


def test_the_text_says_once_what_every_row_says() -> None:
    rows = table().rows
    same = replace(
        table(), rows=(rows[0], replace(rows[0], cells=("desc_alignment", "scripted:seeded", 9, 0.5, 0.1, 0.2)))
    )
    text = study_text.render(study(tables=(same,))).decode()

    assert "  Metric desc_alignment; Judge scripted:seeded [scripted (not a real judge)]\n" in text
    assert text.count("desc_alignment") == 2  # there and in the settings


def test_a_table_that_is_too_wide_folds_and_loses_no_column() -> None:
    columns = (Column("name", "Name"), *(Column(f"c{n}", f"Column {n}", ColumnKind.NUMBER) for n in range(12)))
    cells = tuple(Estimate(n + 0.5, Interval(n, n + 1, 0.95)) for n in range(12))
    wide = Table("agreement", "T", columns, (Row(("a", *cells)), Row(("b", *cells))))
    text = to_text(study(tables=(wide,)), width=80)

    assert max(map(len, text.splitlines())) <= 80
    assert all(f"{n}.5" in text for n in range(12))


def test_the_text_tells_six_reasons_and_counts_the_rest() -> None:
    rows = tuple(Row((Estimate(None, reason=f"reason {n}"),)) for n in range(8))
    text = study_text.render(study(tables=(Table("agreement", "T", (Column("a", "A"),), rows),))).decode()

    assert "A: reason 5" in text
    assert "reason 6" not in text
    assert "… and 2 more reasons" in text


def test_no_line_of_the_text_is_wider_than_asked() -> None:
    assert max(map(len, to_text(study(), width=70).splitlines())) <= 70


def test_hostile_names_steer_neither_terminal_nor_page_nor_spreadsheet() -> None:
    files = render_files(hostile())
    text = files["agreement.txt"].decode()
    assert "\x1b" not in text
    assert "\u202e" not in text
    root = parse(files["agreement.html"])
    assert not [element for element in root.all() if element.tag == "script"]
    assert b"\x1b" not in files["agreement.csv"]


def test_the_csv_spreads_estimates_over_four_columns_and_keeps_signs() -> None:
    rows = list(csv.DictReader(io.StringIO(render_files(study())["agreement.csv"].decode())))

    assert rows[0]["tau"] == "-0.4567"
    assert (rows[0]["tau_low"], rows[0]["tau_high"], rows[0]["label"]) == ("-0.6", "-0.2", LABEL)
    assert (rows[1]["tau"], rows[1]["tau_reason"], rows[1]["label"]) == ("", "2 tasks; 3 are needed", "")
    assert rows[0]["n"] == "50"


def test_a_csv_column_may_mix_estimates_and_plain_numbers() -> None:
    mixed = Table("agreement", "T", (Column("a", "=A", ColumnKind.NUMBER),), (Row((1.5,)), Row((Estimate(2.0),))))
    files = render_files(study(tables=(mixed,), figures=()))

    assert files["agreement.csv"].decode().splitlines() == ["a,a_low,a_high,a_reason,label", "1.5,,,,", "2.0,,,,"]


def test_every_file_has_the_same_bytes_twice() -> None:
    assert render_files(study()) == render_files(study())


def test_every_table_and_figure_has_its_files() -> None:
    files = render_files(study())

    drawn = {f"{name}.{kind}" for name in ("curve", "dots", "bars", "scatter") for kind in ("svg", "png")}
    assert set(files) == {"agreement.txt", "agreement.json", "agreement.html", "agreement.csv", *drawn}
    assert all(files[name].startswith(PNG) for name in drawn if name.endswith("png"))


@pytest.mark.parametrize("name", ["../up", "", "a b"])
def test_a_name_that_is_no_file_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="not fit for a file name"):
        render_files(study(tables=(table(name),), figures=()))


def test_figures_hold_their_words_as_text_and_the_label_of_each_series() -> None:
    svg = study_figures.to_svg(curves()).decode()
    words = " ".join("".join(element.itertext()) for element in ET.fromstring(svg).iter())

    assert "scripted:seeded [scripted (not a real judge)]" in words
    assert "the middle" in words
    assert "Score by rate" in words


def test_a_lone_series_shows_its_label_too() -> None:
    lone = replace(dots(), reference=None, series=(replace(dots().series[0], label=LABEL),))

    assert f"one [{LABEL}]" in study_figures.to_svg(lone).decode()


def test_figures_take_dollars_and_strange_letters_for_what_they_are() -> None:
    svg = study_figures.to_svg(curves(judge="$x_1$ 模型")).decode()

    assert "$x_1$ □□" in svg


def test_a_figure_in_words_names_every_value() -> None:
    assert study_figures.describe(dots()) == "one: a 0.20 (0.10 to 0.40), b undefined"
    assert "20% undefined" in study_figures.describe(curves())


def test_figures_without_values_are_drawn_empty() -> None:
    nothing = Series("none", (Point(0, Estimate(None, reason="no verdict")),))
    for make in (curves, dots, bars, scatter):
        assert study_figures.to_png(replace(make(), series=(nothing,))).startswith(PNG)


def test_a_curve_with_many_places_gets_round_ticks() -> None:
    many = Series("n", tuple(Point(float(n), Estimate(n / 10, Interval(0, 1))) for n in range(20)))
    figure = Figure("f", "F", FigureKind.CURVES, Axis("x"), Axis("y", low=0.0), (many,), "t")

    assert b">15<" in study_figures.to_svg(figure)


def test_the_page_is_one_file_that_needs_nothing_else() -> None:
    root = parse(STUDY_FORMATS["html"](study()))

    for element in root.all():
        assert element.tag not in {"script", "iframe", "img", "form"}
        assert not [name for name in element.attributes if name.startswith("on") or name in {"src", "style"}]
        href = element.attributes.get("href")
        assert href is None or href.startswith(("#", "data:"))
    charts = [element for element in root.all() if element.attributes.get("class") == "chart"]
    assert len(charts) == 4


def test_the_page_shows_labels_intervals_reasons_and_what_was_asked() -> None:
    page = STUDY_FORMATS["html"](study(stops=("judge x: quota",))).decode()

    for told in (LABEL, "-0.60 to -0.20", "2 tasks; 3 are needed", "Incomplete", "judge x: quota", "Mind the gap."):
        assert told in page


def test_numbers_are_rounded_by_the_kind_of_their_column() -> None:
    kinds = {kind: number(1234.5, Column("a", "A", kind)) for kind in ColumnKind}

    assert kinds[ColumnKind.COUNT] == "1,234"
    assert kinds[ColumnKind.SHARE] == "123450.0%"
    assert kinds[ColumnKind.USD] == "$1,234.50"
    assert kinds[ColumnKind.NUMBER] == "1234.50"


def test_numbers_in_settings_are_written_short() -> None:
    text = study_text.render(study(settings={"rate": 0.25, "n": 3, "names": []})).decode()

    assert "rate 0.25; n 3\n" in text


def test_a_scatter_plot_says_in_figure_words_and_json_how_many_tasks_are_tied() -> None:
    svg = study_figures.to_svg(scatter()).decode()
    assert ">4</text>" in svg
    assert study_figures.describe(scatter()) == "openai:gpt-5.4: 2.5 3.00, 4 tasks, 7 7.00, 9 undefined"
    tied = study(figures=(scatter(),))
    document = json.loads(study_json.render(tied))
    assert [point.get("n_tied") for point in document["figures"][0]["series"][0]["points"]] == [4, None, None]
    assert study_of(document, where="x").figures == tied.figures
