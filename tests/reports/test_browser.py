"""The report in a real browser, opened from its file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from audit.reports import to_html
from tests.reports import hostile, runs

pytestmark = pytest.mark.browser

CHROMIUM = shutil.which(os.environ.get("CHROMIUM", "chromium")) or shutil.which("google-chrome")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
NARROW, WIDE = {"width": 390, "height": 844}, {"width": 1440, "height": 900}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("needs a Chromium (set CHROMIUM to its path)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


class Opened:
    """A report in a browser, with everything that should not have happened."""

    def __init__(self, browser: Browser, path: Path, content: bytes, *, scripts: bool = True) -> None:
        path.write_bytes(content)
        self.context = browser.new_context(viewport={"width": 1440, "height": 900}, java_script_enabled=scripts)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("console", lambda message: self.faults.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        self.page.on("request", self._request)
        self.url = path.as_uri()
        self.page.goto(self.url)

    def _request(self, request: object) -> None:
        url = str(getattr(request, "url", ""))
        if url.partition("#")[0] != self.url and url != "data:,":
            self.faults.append(f"request: {url}")


def overflow(page: Page) -> int:
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


@pytest.mark.parametrize("make", [runs.small, runs.offline, runs.panel], ids=lambda make: make.__name__)
def test_a_report_opens_without_an_error_a_request_or_a_sideways_scroll(
    browser: Browser, tmp_path: Path, make: type
) -> None:
    opened = Opened(browser, tmp_path / "report.html", to_html.render(make()))
    for size in (WIDE, NARROW):
        opened.page.set_viewport_size(size)  # type: ignore[arg-type]
        assert overflow(opened.page) == 0
    assert opened.page.evaluate("getComputedStyle(document.body).margin") == "0px", "the style sheet was refused"
    assert opened.faults == []


@pytest.mark.parametrize("name", sorted(hostile.STRINGS))
def test_hostile_strings_run_nothing_and_break_no_layout(browser: Browser, tmp_path: Path, name: str) -> None:
    opened = Opened(browser, tmp_path / "report.html", to_html.render(hostile.everywhere(hostile.STRINGS[name])))
    opened.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    for size in (WIDE, NARROW):
        opened.page.set_viewport_size(size)  # type: ignore[arg-type]
        assert overflow(opened.page) == 0
    opened.page.mouse.move(200, 300)
    assert opened.faults == []


def test_a_link_to_a_folded_task_unfolds_it(browser: Browser, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path / "report.html", to_html.render(runs.panel()))
    target = opened.page.locator("#task-49")
    assert not target.is_visible()
    opened.page.locator("table.tasks a[href='#task-49']").click()
    assert target.is_visible()
    opened.page.goto(f"{opened.url}#task-30")
    assert opened.page.locator("#task-30").is_visible()
    assert opened.faults == []


def test_it_can_be_read_without_javascript(browser: Browser, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path / "report.html", to_html.render(runs.panel()), scripts=False)
    for heading in ("Library desk", "Metrics", "Distributions", "Policy coverage", "Tasks", "How it was measured"):
        assert opened.page.get_by_role("heading", name=heading, exact=True).first.is_visible()
    opened.page.locator("details.task > summary").nth(10).click()
    assert opened.page.locator("details.task article").nth(10).is_visible()


def test_the_keyboard_reaches_the_verdict_first_and_unfolds_tasks(browser: Browser, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path / "report.html", to_html.render(runs.panel()))
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.textContent") == "Skip to the verdict"
    opened.page.locator("details.task > summary").nth(8).focus()
    opened.page.keyboard.press("Enter")
    assert opened.page.locator("details.task article").nth(8).is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("make", [runs.offline, runs.panel], ids=lambda make: make.__name__)
def test_every_text_has_enough_contrast(browser: Browser, tmp_path: Path, make: type, scheme: str) -> None:
    opened = Opened(browser, tmp_path / "report.html", to_html.render(make()))
    opened.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    assert opened.page.evaluate(_CONTRAST) == []


def test_it_prints_every_folded_task(browser: Browser, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path / "report.html", to_html.render(runs.small()))
    opened.page.emulate_media(media="print")
    assert not opened.page.locator("nav").is_visible()
    assert opened.page.locator("details.rows .part").first.is_visible()
    assert opened.page.pdf().startswith(b"%PDF")


_CONTRAST = """
() => {
  const parse = text => {
    const [r, g, b, a] = text.match(/[\\d.]+/g).map(Number);
    return [r, g, b, a === undefined ? 1 : a];
  };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = element => {
    for (let one = element; one; one = one.parentElement) {
      const colour = parse(getComputedStyle(one).backgroundColor);
      if (colour[3] > 0) return colour;
    }
    return [255, 255, 255, 1];
  };
  const low = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!own || element.closest('svg') || !element.checkVisibility()) continue;
    const pair = [light(parse(getComputedStyle(element).color)), light(ground(element))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < 4.5) low.add(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`);
  }
  return [...low];
}
"""
