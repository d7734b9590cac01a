"""The local site in a real browser."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from audit.reports import to_json
from tests.reports import hostile, runs
from tests.reports.test_browser import _CONTRAST, NARROW, WIDE, browser, overflow, serious
from tests.serving.site import Site, fill, served

pytestmark = pytest.mark.browser
__all__ = ["browser"]


class Visitor:
    """A window on a site, with everything that should not have happened."""

    def __init__(self, browser: Browser, site: Site, *, scripts: bool = True) -> None:
        self.context = browser.new_context(viewport={"width": 1440, "height": 900}, java_script_enabled=scripts)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.url = site.server.url
        self.page.on("console", lambda message: self.faults.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        self.page.on("request", lambda request: self._request(request.url))
        self.page.goto(self.url)

    def _request(self, url: str) -> None:
        if not url.startswith((self.url, "data:")):
            self.faults.append(f"request: {url}")


def test_the_list_leads_to_every_page_and_nothing_leaves_the_machine(browser: Browser, tmp_path: Path) -> None:  # noqa: F811  # a fixture
    fill(tmp_path)
    with served(tmp_path) as site:
        visitor = Visitor(browser, site)
        page = visitor.page
        assert page.locator("tbody tr").count() == 4
        page.get_by_role("link", name="File", exact=True).click()
        names = page.locator("th.file").all_inner_texts()
        assert names == sorted(names)
        for name in names:
            page.goto(visitor.url)
            page.get_by_role("link", name=name, exact=True).click()
            assert page.locator("h1").count() == 1
        page.goto(f"{visitor.url}view/run.json#task=1")
        page.wait_for_selector("dialog[open]")
        assert page.evaluate("window.origin") == "null"
        visitor.context.close()
    assert visitor.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["1440", "390"])
def test_axe_finds_no_serious_fault_and_nothing_scrolls_sideways(
    browser: Browser,  # noqa: F811  # a fixture
    tmp_path: Path,
    size: dict[str, int],
    scheme: str,
) -> None:
    fill(tmp_path)
    (tmp_path / "cut.json").write_bytes(to_json.render(runs.small())[:900])
    with served(tmp_path) as site:
        visitor = Visitor(browser, site)
        visitor.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        visitor.page.set_viewport_size(size)  # type: ignore[arg-type]
        assert serious(visitor.page) == []
        assert visitor.page.evaluate(_CONTRAST) == []
        assert overflow(visitor.page) == 0
        assert visitor.page.evaluate("getComputedStyle(document.body).margin") == "0px", "the style sheet was refused"
        visitor.context.close()
    assert visitor.faults == []


def test_the_list_is_read_and_sorted_without_javascript(browser: Browser, tmp_path: Path) -> None:  # noqa: F811  # a fixture
    fill(tmp_path)
    with served(tmp_path) as site:
        page = Visitor(browser, site, scripts=False).page
        page.get_by_role("link", name="Tasks", exact=True).click()
        assert page.locator("th[aria-sort=ascending]").inner_text().startswith("Tasks")
        page.get_by_role("link", name="run.json", exact=True).click()
        assert page.get_by_role("heading", name="Metrics", exact=True).is_visible()


def test_hostile_names_and_texts_run_nothing_and_break_no_layout(browser: Browser, tmp_path: Path) -> None:  # noqa: F811  # a fixture
    for number, text in enumerate(hostile.STRINGS.values()):
        name = f"{number}{text[:60].replace('/', '_')}".replace("\0", "").encode("utf-8", "replace")
        (tmp_path / f"{name.decode()}.json").write_bytes(to_json.render(hostile.everywhere(text)))
    with served(tmp_path) as site:
        visitor = Visitor(browser, site)
        for size in (WIDE, NARROW):
            visitor.page.set_viewport_size(size)  # type: ignore[arg-type]
            assert overflow(visitor.page) == 0
        assert visitor.page.locator("tbody tr").count() == len(hostile.STRINGS)
        visitor.context.close()
    assert visitor.faults == []


def test_five_hundred_runs_are_listed_on_one_page(browser: Browser, tmp_path: Path) -> None:  # noqa: F811  # a fixture
    (tmp_path / "0.json").write_bytes(to_json.render(runs.offline()))
    for number in range(1, 500):
        shutil.copy(tmp_path / "0.json", tmp_path / f"{number}.json")
    with served(tmp_path) as site:
        visitor = Visitor(browser, site)
        assert visitor.page.locator("tbody tr").count() == 500
        assert "500 files" in visitor.page.locator("main").inner_text()
        visitor.context.close()
    assert visitor.faults == []
