"""The report in a real browser, opened from its file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from audit.records.run import RunResult
from audit.reports import to_html
from tests.reports import checked, hostile, runs

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

    def __init__(
        self, browser: Browser, path: Path, content: bytes, *, scripts: bool = True, fragment: str = ""
    ) -> None:
        path.write_bytes(content)
        self.context = browser.new_context(viewport={"width": 1440, "height": 900}, java_script_enabled=scripts)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("console", lambda message: self.faults.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        self.page.on("request", self._request)
        self.url = path.as_uri()
        self.page.goto(f"{self.url}{fragment}")

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


@pytest.mark.parametrize("n", [200, 201], ids=["static", "packed"])
def test_two_hundred_hostile_strings_run_nothing_in_any_task(browser: Browser, tmp_path: Path, n: int) -> None:
    result = hostile.one_each(n)
    opened = Opened(browser, tmp_path / "report.html", to_html.render(result))
    assert opened.page.locator("#explorer .status").text_content() == f"{n} tasks"
    opened.page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    opened.page.locator("#explorer tbody a").first.click()
    seen = set()
    for _ in range(n):
        expect(opened.page.locator("dialog .task-page")).to_be_visible()
        opened.page.evaluate("document.querySelectorAll('dialog details').forEach(one => one.open = true)")
        seen.add(opened.page.locator("dialog .task-page").get_attribute("id"))
        assert overflow(opened.page) == 0
        before = opened.page.locator("dialog .position").text_content()
        opened.page.keyboard.press("j")
        if before != f"{n} of {n}":
            expect(opened.page.locator("dialog .position")).not_to_have_text(before or "")
    assert len(seen) == n
    assert opened.faults == []


def explore(browser: Browser, tmp_path: Path, result: RunResult, *, fragment: str = "") -> Opened:
    return Opened(browser, tmp_path / "report.html", to_html.render(result), fragment=fragment)


def large() -> RunResult:
    """More tasks than stand in the page in full, half of them with a score."""
    tasks = tuple(runs.task(n, tags=("even",) if n % 2 == 0 else ("odd",)) for n in range(450))
    values = {str(n): float(n % 10 + 1) for n in range(0, 450, 2)}
    tested = runs.benchmark(*tasks)
    verdicts = tuple(runs.verdict(id_, score=value, reasons=(f"Says {value}.",)) for id_, value in values.items())
    return runs.result(tested, verdicts=verdicts, scores=(runs.score("desc_alignment", values),))


def shown_ids(page: Page) -> list[str]:
    return page.locator("#explorer tbody th").all_text_contents()


def status(page: Page) -> str | None:
    return page.locator("#explorer .status").text_content()


def test_a_click_opens_a_task_and_escape_leads_back_to_its_row(browser: Browser, tmp_path: Path) -> None:
    opened = explore(browser, tmp_path, runs.panel())
    link = opened.page.locator("#explorer a[href='#task=49']")
    link.click()
    page = opened.page.locator("dialog .task-page")
    expect(page.get_by_role("heading", name="49")).to_be_visible()
    opened.page.keyboard.press("Escape")
    assert not opened.page.locator("dialog").is_visible()
    assert opened.page.evaluate("document.activeElement.hash") == "#task=49"
    assert opened.page.locator("#pages .task-page").count() == 50, "the page went back to its place"
    assert opened.faults == []


@pytest.mark.parametrize("make", [runs.panel, large], ids=lambda make: make.__name__)
def test_a_deep_link_opens_its_task_and_the_way_back_closes_it(browser: Browser, tmp_path: Path, make: type) -> None:
    opened = explore(browser, tmp_path, make(), fragment="#task=30")
    expect(opened.page.locator("dialog .task-page")).to_have_attribute("id", "task=30")
    opened.page.evaluate("location.hash = '#task=31'")
    expect(opened.page.locator("dialog .task-page")).to_have_attribute("id", "task=31")
    opened.page.evaluate("location.hash = '#method'")
    expect(opened.page.locator("dialog")).not_to_be_visible()
    opened.page.go_back()
    expect(opened.page.locator("dialog")).to_be_visible()
    assert opened.faults == []


def test_a_task_is_found_by_its_id_as_somebody_would_type_it(browser: Browser, tmp_path: Path) -> None:
    tasks = (runs.task(0, id="[a] b|c"), runs.task(1))
    opened = explore(browser, tmp_path, runs.result(runs.benchmark(*tasks)), fragment="#task=[a] b|c")
    expect(opened.page.locator("dialog h3")).to_have_text("[a] b|c")
    opened.page.goto(f"{opened.url}#task=nobody")
    expect(opened.page.locator("dialog")).not_to_be_visible()
    assert opened.faults == []


def test_the_table_filters_by_finding_severity_tag_score_and_words(browser: Browser, tmp_path: Path) -> None:
    opened = explore(browser, tmp_path, checked.audited())
    page = opened.page
    form = page.locator("form.filters")
    assert shown_ids(page) == ["0", "2", "1"]
    form.get_by_label("Severity").select_option("error")
    assert shown_ids(page) == ["0", "2"]
    form.locator("select[name=rule]").select_option("text-is-vague")
    assert shown_ids(page) == ["0"]
    assert status(page) == "1 of 3 tasks"
    page.get_by_role("button", name="Clear filters").click()
    assert shown_ids(page) == ["0", "2", "1"]
    form.get_by_label("Policy item").select_option("P05")
    assert shown_ids(page) == ["2"]
    page.get_by_role("button", name="Clear filters").click()
    form.get_by_label("Score to").fill("3")
    assert shown_ids(page) == ["1"]
    form.get_by_label("Score to").fill("")
    form.get_by_label("Only tasks").select_option("missing")
    assert shown_ids(page) == ["2"]
    page.get_by_role("button", name="Clear filters").click()
    form.get_by_label("Search").fill("l001 third")
    assert shown_ids(page) == []
    form.get_by_label("Search").fill("L001 missed")
    expect(page.locator(".status")).to_have_text("1 of 3 tasks")
    assert opened.faults == []


def test_a_judge_and_metric_bound_the_score_and_tags_part_the_tasks(browser: Browser, tmp_path: Path) -> None:
    opened = explore(browser, tmp_path, large())
    form = opened.page.locator("form.filters")
    form.get_by_label("Tag").select_option("even")
    assert status(opened.page) == "225 of 450 tasks"
    form.get_by_label("Judge and metric").select_option("0")
    form.get_by_label("Score from").fill("7")
    form.get_by_label("Score to").fill("8")
    assert status(opened.page) == "45 of 450 tasks"
    assert set(opened.page.locator("#explorer tbody td.num").all_text_contents()) == {"7"}


def test_a_large_tables_rows_come_as_the_reader_gets_to_them_and_the_search_reads_every_task(
    browser: Browser, tmp_path: Path
) -> None:
    opened = explore(browser, tmp_path, large())
    assert len(shown_ids(opened.page)) == 80
    opened.page.evaluate("document.querySelector('#explorer .scroll').scrollTop = 1e6")
    expect(opened.page.locator("#explorer tbody tr")).to_have_count(160)
    opened.page.get_by_label("Search").fill("renews loan l007")
    expect(opened.page.locator(".status")).to_have_text("1 of 450 tasks")
    assert shown_ids(opened.page) == ["7"]
    assert opened.faults == []


def test_the_table_sorts_by_any_column_and_back_with_missing_values_last(browser: Browser, tmp_path: Path) -> None:
    opened = explore(browser, tmp_path, runs.small())
    page = opened.page
    order = shown_ids(page)
    page.get_by_role("button", name="Description openai").click()
    assert shown_ids(page) == ["1", "0", "2"]
    assert page.locator("th[aria-sort=ascending]").count() == 1
    page.get_by_role("button", name="Description openai").click()
    assert shown_ids(page) == ["0", "1", "2"], "a missing value stays last"
    page.get_by_role("button", name="Description openai").click()
    assert shown_ids(page) == order
    page.get_by_role("button", name="Task", exact=True).click()
    assert shown_ids(page) == ["0", "1", "2"]


def test_a_link_may_carry_filters_and_a_pattern_leads_to_its_tasks(browser: Browser, tmp_path: Path) -> None:
    opened = explore(browser, tmp_path, checked.audited(), fragment="#tasks?severity=warning&q=renew")
    expect(opened.page.locator(".status")).to_have_text("3 tasks")
    opened.page.locator("#findings a.filter").first.click()
    assert shown_ids(opened.page) == ["0", "2"]
    assert opened.page.locator("select[name=rule]").input_value() == "loan-write-fails"


def test_the_policy_items_that_fewer_than_k_tasks_challenge_are_marked(browser: Browser, tmp_path: Path) -> None:
    opened = explore(browser, tmp_path, runs.panel())
    page = opened.page
    said = page.locator("#k-said")
    page.get_by_role("radio", name="openai").check()
    expect(said).to_have_text("K = 1: 4 of 6 items (66.7%): at least one task each")
    page.locator("#k").fill("5")
    assert (said.text_content() or "").startswith("K = 5:")
    below = page.locator(".map-of:not([hidden]) tr.is-below").count()
    total = page.locator(".map-of:not([hidden]) tr[data-n]").count()
    assert f"{total - below} of {total} items" in (said.text_content() or "")
    assert page.locator(".map-of:not([hidden])").get_attribute("data-map") == "1"
    assert opened.faults == []


def test_it_can_be_read_without_javascript(browser: Browser, tmp_path: Path) -> None:
    opened = Opened(browser, tmp_path / "report.html", to_html.render(runs.panel()), scripts=False)
    for heading in ("Library desk", "Metrics", "Distributions", "Policy coverage", "Tasks", "How it was measured"):
        assert opened.page.get_by_role("heading", name=heading, exact=True).first.is_visible()
    assert opened.page.locator("table.tasks tbody tr").count() == 50
    opened.page.locator("table.tasks a[href='#task=49']").click()
    assert opened.page.locator("[id='task=49']").is_visible(), "a link to a folded task unfolds it"
    assert not opened.page.locator(".scripted").first.is_visible()


def test_the_keyboard_alone_finds_opens_and_leaves_a_task(browser: Browser, tmp_path: Path) -> None:
    opened = explore(browser, tmp_path, runs.panel())
    keys = opened.page.keyboard
    keys.press("Tab")
    assert opened.page.evaluate("document.activeElement.textContent") == "Skip to the verdict"
    keys.press("/")
    assert opened.page.evaluate("document.activeElement.name") == "q"
    keys.type("L004")
    expect(opened.page.locator(".status")).to_have_text("1 of 50 tasks")
    opened.page.get_by_role("button", name="Clear filters").press("Enter")
    opened.page.evaluate("document.activeElement.blur()")
    ids = shown_ids(opened.page)
    keys.press("j")
    keys.press("j")
    assert opened.page.evaluate("document.activeElement.textContent") == ids[1]
    keys.press("k")
    keys.press("Enter")
    expect(opened.page.locator("dialog")).to_be_visible()
    keys.press("j")
    expect(opened.page.locator("dialog h3")).to_have_text(ids[1])
    keys.press("Escape")
    assert not opened.page.locator("dialog").is_visible()
    assert opened.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["1440", "390"])
@pytest.mark.parametrize("make", [runs.panel, runs.offline, checked.audited], ids=lambda make: make.__name__)
def test_axe_finds_no_serious_fault(
    browser: Browser, tmp_path: Path, make: type, size: dict[str, int], scheme: str
) -> None:
    opened = explore(browser, tmp_path, make())
    opened.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    opened.page.set_viewport_size(size)  # type: ignore[arg-type]
    assert serious(opened.page) == []
    opened.page.goto(f"{opened.url}#task=0")
    expect(opened.page.locator("dialog")).to_be_visible()
    assert serious(opened.page) == []


def serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:200]}"
        for one in found
        if one["impact"] in {"serious", "critical"}
        for node in one["nodes"]
    ]


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
    assert not opened.page.locator("form.filters").is_visible()
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
