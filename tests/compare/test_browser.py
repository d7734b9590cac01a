"""The pages of a comparison and of a lineup in a real browser, opened from their file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from audit.compare.sides import compare
from audit.records.comparison import Comparison, SavedFinding
from audit.records.lineup import Lineup
from audit.reports import comparison_html, lineup_html
from tests.compare.made import score, snapshot
from tests.compare.test_formats import comparison
from tests.compare.test_lineup_formats import hostile_lineup, judges, versions
from tests.reports import hostile
from tests.reports.test_browser import _CONTRAST, NARROW, WIDE, Opened, browser, overflow, serious

pytestmark = pytest.mark.browser
__all__ = ["browser"]

Make = Callable[[], Comparison | Lineup]
PAGES = [comparison, versions, judges]


def hostile_comparison(text: str) -> Comparison:
    finding = SavedFinding("z", text, text, text, text)
    tasks = {text: {"description": "b"}, "t1": {"description": "c", "actions": "b"}}
    made = [
        snapshot(
            label=text,
            benchmark=text,
            tasks={**tasks, f"{text}{n}": {"description": text}},
            scores=(score(text, judge=text, by_task={text: value, "t1": 9.0}, value=5.0),),
            findings=(finding, SavedFinding(f"y{n}", text, "error", None, text)),
            models={text: (text,)},
        )
        for n, value in enumerate((1.0, 9.0))
    ]
    return compare(*made)


def render(made: Comparison | Lineup) -> bytes:
    return lineup_html.render(made) if isinstance(made, Lineup) else comparison_html.render(made)


def unfold(opened: Opened) -> None:
    opened.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")


@pytest.mark.parametrize("make", PAGES, ids=lambda make: make.__name__)
def test_the_page_opens_without_an_error_a_request_or_a_sideways_scroll(
    browser: Browser,  # noqa: F811  # a fixture
    tmp_path: Path,
    make: Make,
) -> None:
    opened = Opened(browser, tmp_path / "page.html", render(make()))
    for size in (WIDE, NARROW):
        opened.page.set_viewport_size(size)  # type: ignore[arg-type]
        assert overflow(opened.page) == 0
        unfold(opened)
        assert overflow(opened.page) == 0
    assert opened.page.evaluate("getComputedStyle(document.body).margin") == "0px", "the style sheet was refused"
    assert opened.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["1440", "390"])
@pytest.mark.parametrize("make", PAGES, ids=lambda make: make.__name__)
def test_axe_finds_no_serious_fault_and_every_text_has_enough_contrast(
    browser: Browser,  # noqa: F811  # a fixture
    tmp_path: Path,
    make: Make,
    size: dict[str, int],
    scheme: str,
) -> None:
    opened = Opened(browser, tmp_path / "page.html", render(make()))
    opened.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    opened.page.set_viewport_size(size)  # type: ignore[arg-type]
    unfold(opened)
    assert serious(opened.page) == []
    assert opened.page.evaluate(_CONTRAST) == []


@pytest.mark.parametrize("make", PAGES, ids=lambda make: make.__name__)
def test_it_can_be_read_without_javascript(browser: Browser, tmp_path: Path, make: Make) -> None:  # noqa: F811  # a fixture
    opened = Opened(browser, tmp_path / "page.html", render(make()), scripts=False)
    for heading in ("Scores", "Tasks that moved most"):
        assert opened.page.get_by_role("heading", name=heading, exact=True).is_visible()
    link = opened.page.locator("nav a").last
    link.click()
    assert opened.page.url.endswith("#tasks")
    fold = opened.page.locator("details:not([open]) summary").first
    if fold.count():
        fold.click()
        assert opened.page.locator("details[open] table").first.is_visible()
    assert opened.page.locator("table th[scope=row]").first.is_visible()
    assert opened.faults == []


@pytest.mark.parametrize("name", sorted(hostile.STRINGS))
def test_hostile_strings_run_nothing_and_break_no_layout(browser: Browser, tmp_path: Path, name: str) -> None:  # noqa: F811  # a fixture
    text = hostile.STRINGS[name] or "x"
    pages: list[Comparison | Lineup] = [hostile_comparison(text), hostile_lineup(text)]
    for number, made in enumerate(pages):
        opened = Opened(browser, tmp_path / f"page{number}.html", render(made))
        unfold(opened)
        for size in (WIDE, NARROW):
            opened.page.set_viewport_size(size)  # type: ignore[arg-type]
            assert overflow(opened.page) == 0
        opened.page.mouse.move(200, 300)
        assert opened.faults == []
        opened.context.close()


@pytest.mark.parametrize("make", PAGES, ids=lambda make: make.__name__)
def test_it_prints_with_every_finding_and_without_the_menu(browser: Browser, tmp_path: Path, make: Make) -> None:  # noqa: F811  # a fixture
    opened = Opened(browser, tmp_path / "page.html", render(make()))
    opened.page.emulate_media(media="print")
    assert not opened.page.locator("nav").is_visible()
    folded = opened.page.locator("details.group table")
    assert all(folded.nth(place).is_visible() for place in range(folded.count()))
    assert opened.page.pdf().startswith(b"%PDF")
