"""Pictures of the sample's report for the documentation: ``python -m scripts.report_pictures``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
SIZES = {"": {"width": 1440, "height": 900}, "-390": {"width": 390, "height": 844}}
"""What a picture's name ends in to the window that it is taken in."""
PLACES = {"report": "", "report-tasks": "#tasks", "report-task": "#task=lib_24"}
"""Picture to the place in the report that it shows."""
_OPTIONS = ["--no-sandbox", "--disable-gpu"]


def main() -> None:
    """Score the sample offline and take every picture in both widths."""
    chromium = shutil.which(os.environ.get("CHROMIUM", "chromium")) or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("needs a Chromium (set CHROMIUM to its path)")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = Path(folder, "sample.html")
        _score_sample(report, store=Path(folder, "store"))
        browser = playwright.chromium.launch(executable_path=chromium, args=_OPTIONS)
        for name, fragment in PLACES.items():
            for end in SIZES:
                _take(browser, f"{report.as_uri()}{fragment}", IMAGES / f"{name}{end}.png", end=end)
        browser.close()


def _score_sample(report: Path, *, store: Path) -> None:
    program = [sys.executable, "-c", "from audit.cli.main import run; run()"]
    flags = ["score", "sample/library", "--report", str(report), "--store", str(store)]
    subprocess.run([*program, *flags], check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # our own command


def _take(browser: Browser, url: str, target: Path, *, end: str) -> None:
    size = SIZES[end]
    page = browser.new_page(viewport={"width": size["width"], "height": size["height"]}, reduced_motion="reduce")
    page.goto(url)
    page.wait_for_selector("#explorer tbody tr")
    page.wait_for_timeout(300)
    page.screenshot(path=target)
    page.close()


if __name__ == "__main__":
    main()
