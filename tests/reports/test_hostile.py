from __future__ import annotations

import csv
import io
import json
import re

import pytest
from rich.cells import cell_len

from audit.reports import to_csv, to_html, to_json, to_text, visible
from tests.reports import hostile, runs
from tests.reports.parsed import Element, parse

NAMES = sorted(hostile.STRINGS)
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0041]")


def shape(root: Element) -> list[str]:
    """The elements of a page, without those that mark what judges quote."""
    quoted = {id(inner) for quote in root.all(cls="quote") for inner in (quote, *quote.all())}
    return [element.tag for element in root.all() if id(element) not in quoted and element.tag != "mark"]


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_string_in_every_field_stays_text_in_the_page(name: str) -> None:
    text = hostile.STRINGS[name]
    page = to_html.render(hostile.everywhere(text))
    root = parse(page)
    assert all(one in root.all("body")[0].children for one in root.all("script"))
    assert len(root.all("script")) == 4
    assert not {"img", "iframe", "b", "object"} & set(shape(root))
    for element in root.all():
        assert not [key for key in element.attributes if key.startswith("on") or key in {"style", "src", "autofocus"}]
        href = element.attributes.get("href", "#")
        assert href.startswith("#") or href == "data:,"
        assert re.fullmatch(r"[\w.~#:,=-]+", href)
    ids = [element.attributes["id"] for element in root.all() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    assert not STEERING.search(page.decode())
    assert len(page) < 1_500_000


@pytest.mark.parametrize("name", ["script", "image", "closed", "attribute", "template", "link", "entity", "markup"])
def test_the_page_shows_a_hostile_string_as_it_was_written(name: str) -> None:
    text = hostile.STRINGS[name]
    root = parse(to_html.render(hostile.everywhere(text)))
    shown = root.all("p", cls="text")
    assert shown[0].raw_text == text
    assert root.all("h1")[0].raw_text == text
    assert text in [reason.raw_text for reason in root.all(cls="reasons")[1].all("li")]


def test_one_shape_of_page_whatever_the_strings_are() -> None:
    shapes = {
        name: shape(parse(to_html.render(hostile.everywhere(hostile.STRINGS[name]))))
        for name in ("script", "closed", "attribute", "template", "entity", "formula")
    }
    assert len({tuple(tags) for tags in shapes.values()}) == 1


def test_a_line_of_a_million_characters_is_cut_with_a_note() -> None:
    root = parse(to_html.render(hostile.everywhere("x" * 1_000_000)))
    text = root.all("p", cls="text")[0].text
    assert text.endswith("… [cut here: 1,000,000 characters, the first 20,000 are shown]")
    assert len(root.all("h1")[0].text) == visible.SHORT


def test_direction_marks_are_written_out() -> None:
    root = parse(to_html.render(hostile.everywhere("ab\u202egnp.exe")))
    assert root.all("h1")[0].text == "ab[U+202E]gnp.exe"


def test_different_task_ids_never_share_an_anchor() -> None:
    ids = ["a b", "a~20b", "a%20b", "a+b", "A b", "ä", "~", "", "x" * 200, "x" * 201, "\ud800", "..", "a/b", 'a"b']
    anchors = [visible.task_anchor(id_) for id_ in ids]
    assert len(set(anchors)) == len(ids)
    assert all(re.fullmatch(r"task=[A-Za-z0-9_.~-]{0,100}", anchor) for anchor in anchors)


@pytest.mark.parametrize("name", NAMES)
def test_json_keeps_a_hostile_string_and_is_safe_to_print(name: str) -> None:
    text = hostile.STRINGS[name]
    content = to_json.render(hostile.everywhere(text)).decode()
    assert json.loads(content)["benchmark"]["title"] == text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2028\ud800]", content)


@pytest.mark.parametrize("name", NAMES)
def test_no_csv_cell_can_start_a_formula(name: str) -> None:
    content = to_csv.render(hostile.everywhere(hostile.STRINGS[name])).decode()
    rows = list(csv.reader(io.StringIO(content, newline="")))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert len(rows) == 3
    for cell in (cell for row in rows for cell in row):
        assert not re.match(r"\s*[=+\-@|%]|[\t\r\n]", cell)
    assert not STEERING.search(content)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_text_has_no_control_sequences_and_keeps_its_width(name: str, width: int) -> None:

    content = to_text.to_text(hostile.everywhere(hostile.STRINGS[name]), width=width)
    assert not STEERING.search(content.replace("\n", ""))
    assert "\x1b" not in content
    assert max(cell_len(row) for row in content.splitlines()) <= width


def test_terminal_text_drops_escape_sequences_whole_and_takes_no_markup() -> None:
    content = to_text.to_text(hostile.everywhere("\x1b[31mred\x1b[0m [bold]b[/bold] :smile:"))
    assert content.startswith("red [bold]b[/bold] :smile: (red [bold]b[/bold] :smile:): 2 of 2 tasks")


def test_a_number_that_is_not_finite_is_a_fault_of_the_caller() -> None:
    bad = runs.result(runs.benchmark(), scores=(runs.score("desc_alignment", {"0": 2.0}, median=float("nan")),))
    for render in (to_html.render, to_json.render, to_text.render):
        with pytest.raises(ValueError, match="what doesn't exist must be None"):
            render(bad)
