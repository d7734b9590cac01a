"""The local site in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.reports.test_browser import browser, overflow
from tests.serving.site import fill, served

pytestmark = pytest.mark.browser
__all__ = ["browser"]


def test_the_list_leads_to_every_page_and_nothing_leaves_the_machine(browser: Browser, tmp_path: Path) -> None:  # noqa: F811  # a fixture
    fill(tmp_path)
    faults: list[str] = []
    asked: list[str] = []
    with served(tmp_path) as site:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(site.server.url)
        assert page.locator("tbody tr").count() == 4
        assert overflow(page) == 0
        found = Axe().run(page).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
        page.get_by_role("link", name="File", exact=True).click()
        names = page.locator("th.file").all_inner_texts()
        assert names == sorted(names)
        for name in names:
            page.goto(site.server.url)
            page.get_by_role("link", name=name, exact=True).click()
            assert page.locator("h1").count() == 1
        page.goto(f"{site.server.url}view/run.json#task=1")
        page.wait_for_selector("dialog[open]")
        assert page.evaluate("window.origin") == "null"
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(site.server.url)
        assert overflow(page) == 0
        page.close()
        assert [url for url in asked if not url.startswith((site.server.url, "data:"))] == []
    assert faults == []
