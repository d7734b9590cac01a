"""The sheet in a real browser, opened from disk."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from audit.annotation.answers import read_answers
from audit.annotation.making import copy_for
from audit.annotation.page import render_page
from audit.records.annotation import Sheet
from tests.annotation import sheets
from tests.reports.hostile import STRINGS
from tests.reports.test_browser import NARROW, WIDE, Opened, browser, overflow

__all__ = ["browser"]
pytestmark = pytest.mark.browser


def opened(browser: Browser, path: Path, sheet: Sheet, *, rater: str = "anna") -> Opened:
    return Opened(browser, path / "sheet.html", render_page(sheet, rater=rater))


def saved(page: Page, button: str, path: Path) -> Path:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=button).click()
    waiting.value.save_as(path)
    return path


def fields(page: Page) -> list[str | None]:
    return [each.get_attribute("data-criterion") for each in page.locator("article.task:not([hidden]) fieldset").all()]


def test_answers_by_keyboard_and_mouse_are_saved_and_read_back(browser: Browser, tmp_path: Path) -> None:
    sheet = sheets.sheet()
    got = opened(browser, tmp_path, sheet)
    page = got.page
    assert fields(page) == ["desc_alignment", "policy_alignment", "policy_violations"]
    first = page.locator("article.task:not([hidden])").get_attribute("data-code")
    page.keyboard.press("7")
    page.keyboard.press("0")
    visible = page.locator("article.task:not([hidden])")
    visible.get_by_label("P02").check()
    visible.get_by_label("no item is violated").check()
    assert not visible.get_by_label("P02").is_checked(), "none and an item exclude each other"
    visible.get_by_label("Comment").fill('"quoted", and\n=odd')
    expect(page.locator("#progress")).to_have_text("3 of 12 answered")
    visible.get_by_label("Comment").blur()
    page.keyboard.press("j")
    page.locator("article.task:not([hidden])").get_by_label("P02").check()
    as_json = read_answers(saved(page, "Save answers", tmp_path / "a.json"), {sheet.id: sheet}, rater="")
    as_csv = read_answers(saved(page, "Save as CSV", tmp_path / "a.csv"), {sheet.id: sheet}, rater="")

    told = [(each.task_id, each.rater, each.criterion, each.value) for each in as_json[0]]
    assert told == [(each.task_id, each.rater, each.criterion, each.value) for each in as_csv[0]]
    assert as_json[1] == as_csv[1] == []
    code = next(task.task_id for task in sheet.tasks if task.code == first)
    assert [each[2:] for each in told if each[0] == code] == [
        ("desc_alignment", "7"),
        ("policy_alignment", "10"),
        ("policy_violations", "none"),
    ]
    assert [each[3] for each in told if each[0] != code] == ["P02"]
    assert got.faults == []


def test_answers_are_kept_in_the_browser_until_they_are_forgotten(browser: Browser, tmp_path: Path) -> None:
    got = opened(browser, tmp_path, sheets.sheet())
    got.page.keyboard.press("4")
    expect(got.page.locator("#kept")).to_contain_text("kept in this browser")
    got.page.reload()
    expect(got.page.locator("#progress")).to_have_text("1 of 12 answered")
    got.page.get_by_role("button", name="Forget all answers").click()
    got.page.get_by_role("button", name="Really forget them").click()
    got.page.reload()
    expect(got.page.locator("#progress")).to_have_text("0 of 12 answered")
    assert got.faults == []


def test_saved_answers_are_gone_on_from_and_those_of_another_sheet_are_refused(
    browser: Browser, tmp_path: Path
) -> None:
    sheet = sheets.sheet()
    got = opened(browser, tmp_path, sheet, rater="")
    answer = {"task": "T02", "desc_alignment": 3, "policy_violations": ["P01"], "comment": "so"}
    got.page.locator("#load").set_input_files(sheets.saved(tmp_path / "a.json", sheet.id, answer))
    expect(got.page.locator("#progress")).to_have_text("2 of 12 answered")
    assert got.page.locator("#rater").input_value() == "anna"
    got.page.locator("#load").set_input_files(sheets.saved(tmp_path / "b.json", "other", answer))
    expect(got.page.locator("#message")).to_contain_text("holds no answers to this sheet")
    assert got.faults == []


def test_nothing_is_saved_without_a_name(browser: Browser, tmp_path: Path) -> None:
    got = opened(browser, tmp_path, sheets.sheet(), rater="")
    got.page.keyboard.press("s")
    expect(got.page.locator("#message")).to_have_text("Write your name first.")
    assert got.page.evaluate("document.activeElement.id") == "rater"


def test_n_leads_to_the_next_open_question_and_j_and_k_through_the_tasks(browser: Browser, tmp_path: Path) -> None:
    got = opened(browser, tmp_path, sheets.sheet(metrics=("desc_alignment",), n=2))
    page = got.page
    assert page.get_by_role("button", name="Previous").is_disabled()
    page.keyboard.press("j")
    assert page.get_by_role("button", name="Next").is_disabled()
    page.keyboard.press("6")
    page.keyboard.press("n")
    expect(page.locator("#position")).to_contain_text("1 of 2")
    page.keyboard.press("5")
    page.keyboard.press("n")
    expect(page.locator("#message")).to_contain_text("Every question is answered")
    page.get_by_role("button", name="Leave open").first.click()
    expect(page.locator("#progress")).to_have_text("1 of 2 answered")


def test_the_sheet_shows_texts_rows_rubric_and_policy_and_no_task_id(browser: Browser, tmp_path: Path) -> None:
    got = opened(browser, tmp_path, sheets.sheet())
    task = got.page.locator("article.task:not([hidden])")
    assert task.get_by_text("You want to cancel booking B1.").count() == 3
    task.locator(".to-rubric").first.click()
    expect(got.page.get_by_text("no fault under any of the four criteria")).to_be_visible()
    task.locator(".to-policy").click()
    expect(got.page.get_by_text("⟦P01⟧Bookings can't be cancelled.⟦/P01⟧")).to_be_visible()
    assert not re.search(r"task-\d", got.page.content())
    assert got.faults == []


@pytest.mark.parametrize("name", sorted(set(STRINGS) - {"empty", "space"}))
def test_hostile_text_runs_nothing_and_breaks_no_layout(browser: Browser, tmp_path: Path, name: str) -> None:
    text = STRINGS[name][:20_000]
    got = opened(browser, tmp_path, sheets.sheet(sheets.made(2, text=text), n=2), rater=text[:40])
    got.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    for size in (WIDE, NARROW):
        got.page.set_viewport_size(size)  # type: ignore[arg-type]
        assert overflow(got.page) == 0
    got.page.mouse.move(200, 300)
    got.page.keyboard.press("3")
    expect(got.page.locator("#progress")).to_have_text("1 of 6 answered")
    assert got.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(browser: Browser, tmp_path: Path, scheme: str) -> None:
    got = opened(browser, tmp_path, sheets.sheet())
    got.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    got.page.keyboard.press("3")
    found = Axe().run(got.page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in {"serious", "critical"}] == []


def test_the_same_sheet_and_rater_give_the_same_page_and_another_rater_another_order() -> None:
    sheet = sheets.sheet(sheets.made(12), n=12)

    assert render_page(sheet, rater="a") == render_page(sheet, rater="a")
    orders = [json.dumps([sheet.tasks.index(task) for task in copy_for(sheet, name)]) for name in "abc"]
    assert len(set(orders)) == 3
