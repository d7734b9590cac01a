"""The review's page in a real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from audit.records.item_set import Review as State
from audit.records.item_set import Unread
from tests.policies.hostile import DOCUMENTS
from tests.policies.serving import Review, served
from tests.policies.sets import BOATS, document, item, item_set, proposed, quotes

pytestmark = pytest.mark.browser

CHROMIUM = shutil.which(os.environ.get("CHROMIUM", "chromium")) or shutil.which("google-chrome")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SIZES = ({"width": 1440, "height": 900}, {"width": 390, "height": 844})


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("needs a Chromium (set CHROMIUM to its path)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


class Opened:
    """A review in a browser, with everything that should not have happened."""

    def __init__(self, browser: Browser, review: Review) -> None:
        self.page: Page = browser.new_page(viewport={"width": 1440, "height": 900})
        self.faults: list[str] = []
        self.page.on("console", lambda message: self.faults.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        self.page.on("request", lambda request: self._request(request.url, review.server.url))
        self.page.goto(review.server.url)
        expect(self.page.locator("#summary")).to_contain_text("items:")

    def _request(self, url: str, home: str) -> None:
        if not url.startswith(home) and url != "data:,":
            self.faults.append(f"request: {url}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def says(self, text: str) -> None:
        expect(self.page.locator("#summary")).to_contain_text(text)

    def choose(self, words: str) -> None:
        """Select words of the document, as a mouse would."""
        found = self.page.evaluate(_SELECT, words)
        assert found, f"{words!r} is not in the document"


_SELECT = """words => {
  const walker = document.createTreeWalker(document.getElementById('document'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(words);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + words.length);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return true;
  }
  return false;
}"""


def test_a_review_by_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    text = document(BOATS).text
    with served(tmp_path) as review:
        opened = Opened(browser, review)
        opened.press("a")
        opened.says("1 accepted")
        opened.press("r")
        opened.says("1 rejected")
        opened.press("k", "s", "ArrowRight", "ArrowLeft", "ArrowRight", "Enter")
        opened.says("8 items")
        opened.press("m")
        opened.says("7 items")
        opened.press("t")
        opened.page.keyboard.type("No trips in bad weather")
        opened.press("Enter")
        expect(opened.page.locator("#items [aria-current='true'] .name")).to_have_text("No trips in bad weather")
        opened.press("u", "n", "o", "j", "?")
        expect(opened.page.locator("#help")).to_be_visible()
        assert review.saved.count(State.ACCEPTED) == 1
        assert review.saved.count(State.REJECTED) == 1
        assert quotes(review.saved, text)[1] == "at most three oars, and one life vest for each person"
        assert opened.faults == []


def test_words_are_selected_for_new_and_for_changed_items(browser: Browser, tmp_path: Path) -> None:
    text = "🐕‍🦺 You must not swim 🐈 here. Dogs stay out.\n\nOther lines."
    with served(tmp_path, text, item_set(text, item(text, "You must not swim 🐈 here"))) as review:
        opened = Opened(browser, review)
        opened.choose("Dogs stay")
        opened.page.get_by_role("button", name="New item of selected words").click()
        opened.says("2 items")
        opened.choose("swim 🐈")
        opened.press("k", "w")
        expect(opened.page.locator("#quote")).to_have_text("swim 🐈")
        opened.page.evaluate("getSelection().removeAllRanges()")
        opened.press("i")
        expect(opened.page.locator("#problem")).to_have_text("Select words of the document first.")
        assert quotes(review.saved, text) == ["swim 🐈", "Dogs stay"]
        assert opened.faults == []


def test_fields_lists_and_buttons_work_with_a_mouse(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as review:
        opened = Opened(browser, review)
        opened.page.locator("mark").nth(2).click()
        expect(opened.page.locator("#card-id")).to_have_text("P03")
        opened.page.locator("#kind").select_option("procedure")
        opened.page.locator("#violable").uncheck()
        expect(opened.page.locator("mark").nth(2)).to_have_class("open plain current")
        opened.page.locator("#split").click()
        opened.page.locator("#words span").nth(2).click()
        opened.says("8 items")
        opened.page.locator("#accept-rest").click()
        opened.says("8 accepted")
        opened.page.locator("#only-open").check()
        expect(opened.page.locator("#items li")).to_have_count(1)
        assert (review.saved.items[2].kind.value, review.saved.items[2].violable) == ("procedure", False)
        assert opened.faults == []


def test_what_can_t_be_done_is_said_and_the_end_of_the_command_too(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as review:
        opened = Opened(browser, review)
        opened.page.locator("#items button").nth(4).click()
        opened.press("m")
        expect(opened.page.locator("#problem")).to_contain_text("cross a heading or a blank line")
        opened.press("a")
        expect(opened.page.locator("#problem")).to_be_hidden()
    opened.press("a")
    expect(opened.page.locator("#problem")).to_contain_text("The command that serves this page has ended")


@pytest.mark.parametrize("name", ["script", "injection", "controls", "emoji", "huge line", "only marks"])
def test_hostile_documents_run_nothing_and_break_no_layout(browser: Browser, tmp_path: Path, name: str) -> None:
    text = document(DOCUMENTS[name]).text
    with served(tmp_path, DOCUMENTS[name], proposed(text)) as review:
        opened = Opened(browser, review)
        for size in SIZES:
            opened.page.set_viewport_size(size)  # type: ignore[arg-type]
            wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert opened.page.evaluate(wide) == 0
        shown = opened.page.locator("#document").text_content()
        assert shown is not None
        assert len(shown) == len(text)
        assert not {"\x1b", "\u202e", "\x00", "\u200b"} & set(shown)
        assert opened.faults == []


def test_an_empty_set_and_what_a_model_did_not_read_are_shown(browser: Browser, tmp_path: Path) -> None:
    text = document(BOATS).text
    unread = Unread(text.index("- Never"), text.index("## Returns"), "timed out")
    with served(tmp_path, BOATS, item_set(text, unread=(unread,))) as review:
        opened = Opened(browser, review)
        expect(opened.page.locator("#unread")).to_contain_text("timed out")
        expect(opened.page.locator(".unread")).to_contain_text("Never rent in a storm")
        expect(opened.page.locator("#card")).to_be_hidden()
        opened.press("a", "j", "s", "m", "u")
        assert [fault for fault in opened.faults if "422" not in fault] == []
