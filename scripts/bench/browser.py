"""How fast a report opens and filters, measured in a real browser: ``python -m scripts.bench.browser report.html``."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

MAX_PAINT_S, MAX_FILTER_MS, MAX_MB = 2.0, 100.0, 25.0
"""What a report of 2,285 tasks must keep to."""
_OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_WORDS = ("renew", "phone", "the", "zz no such word", "cancel")
_FILTERS = """
words => {
  const input = document.querySelector("form.filters input[name=q]");
  const timed = value => {
    const before = performance.now();
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    document.body.getBoundingClientRect();
    return performance.now() - before;
  };
  return words.flatMap(word => [timed(word), timed("")]);
}
"""
_SORTS = """
() => [...document.querySelectorAll("#explorer th[data-key]")].map(cell => {
  const before = performance.now();
  cell.querySelector("button").click();
  document.body.getBoundingClientRect();
  return performance.now() - before;
})
"""
_OPEN = """
async () => {
  const before = performance.now();
  document.querySelector("#explorer tbody a").click();
  while (!document.querySelector("dialog[open] .task-page")) await new Promise(done => requestAnimationFrame(done));
  return performance.now() - before;
}
"""


@dataclass(frozen=True, slots=True)
class Speed:
    """A report's size and times: medians over the openings, the worst of the filters and sorts."""

    size_mb: float
    n_tasks: int
    first_paint_s: float
    ready_s: float
    filter_ms: float
    sort_ms: float
    task_ms: float
    heap_mb: float

    @property
    def is_kept(self) -> bool:
        """Whether the limits are kept."""
        return self.size_mb <= MAX_MB and self.first_paint_s <= MAX_PAINT_S and self.filter_ms <= MAX_FILTER_MS


def measure(path: Path, *, n_openings: int = 3) -> Speed:
    """Open a report several times, filter and sort its tasks, and open one of them."""
    chromium = shutil.which(os.environ.get("CHROMIUM", "chromium")) or shutil.which("google-chrome")
    if chromium is None:
        raise FileNotFoundError("needs a Chromium (set CHROMIUM to its path)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=_OPTIONS)
        opened = [_measure_once(browser, path) for _ in range(n_openings)]
        browser.close()
    middle = {name: statistics.median(asdict(one)[name] for one in opened) for name in ("first_paint_s", "ready_s")}
    worst = {name: max(asdict(one)[name] for one in opened) for name in ("filter_ms", "sort_ms", "task_ms", "heap_mb")}
    return Speed(opened[0].size_mb, opened[0].n_tasks, **middle, **worst)


def _measure_once(browser: Browser, path: Path) -> Speed:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(path.resolve().as_uri())
    page.wait_for_selector("#explorer tbody tr")
    paint = page.evaluate(
        "performance.getEntriesByType('paint').find(one => one.name === 'first-contentful-paint').startTime"
    )
    ready = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    page.evaluate(_FILTERS, ["x"])  # reads the texts of all tasks once
    page.wait_for_timeout(1000)
    speed = Speed(
        size_mb=path.stat().st_size / 1e6,
        n_tasks=_settings(page)["n_tasks"],
        first_paint_s=paint / 1000,
        ready_s=ready / 1000,
        filter_ms=max(page.evaluate(_FILTERS, list(_WORDS))),
        sort_ms=max(page.evaluate(_SORTS)),
        task_ms=page.evaluate(_OPEN),
        heap_mb=page.evaluate("performance.memory.usedJSHeapSize") / 1e6,
    )
    page.context.close()
    return speed


def _settings(page: Page) -> dict[str, int]:
    settings: dict[str, int] = json.loads(page.locator("#settings").text_content() or "{}")
    return settings


def main() -> int:
    """Print what was measured as JSON; 1 if a limit is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=Path, help="an HTML report, such as one of 2,285 tasks")
    speed = measure(parser.parse_args().report)
    sys.stdout.write(f"{json.dumps({**asdict(speed), 'is_kept': speed.is_kept}, indent=2)}\n")
    return 0 if speed.is_kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
