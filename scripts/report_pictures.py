"""Pictures of the sample's pages for the documentation: ``python -m scripts.report_pictures``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from audit.serving.server import ShelfServer
from audit.serving.shelf import Shelf

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
SIZES = {"": {"width": 1440, "height": 900}, "-390": {"width": 390, "height": 844}}
"""What a picture's name ends in to the window that it is taken in."""
PLACES = {"report": "", "report-tasks": "#tasks", "report-task": "#task=lib_24"}
"""Picture to the place in the report that it shows."""
COMPARED = {"compare": ("sample/library", "edited"), "compare-table": ("sample/library", "edited", "swapped")}
"""Picture to the versions of the sample that are compared."""
EDITS = {"edited": ("drop-step", "0.2"), "swapped": ("swap-behavior", "0.3")}
"""Version of the sample to what is planted in it, and in which share of its tasks."""
RUNS = {
    "library.json": ("sample/library",),
    "library-edited.json": ("edited",),
    "swapped/library.json": ("swapped",),
    "panel.json": ("sample/library", "--judge", "scripted:seeded", "--judge", "scripted:constant-7"),
}
"""File of the folder that is served to what was scored."""
_OPTIONS = ["--no-sandbox", "--disable-gpu"]


def main() -> None:
    """Score the sample offline, compare and serve it, and take every picture in both widths."""
    chromium = shutil.which(os.environ.get("CHROMIUM", "chromium")) or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("needs a Chromium (set CHROMIUM to its path)")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        _run(folder, "score", "sample/library", "--report", "sample.html")
        browser = playwright.chromium.launch(executable_path=chromium, args=_OPTIONS)
        for picture, fragment in PLACES.items():
            url = f"{(folder / 'sample.html').as_uri()}{fragment}"
            _take(browser, url, picture, shows="#explorer tbody tr")
        _take_comparisons(browser, folder)
        _take_list(browser, folder)
        browser.close()


def _take_comparisons(browser: Browser, folder: Path) -> None:
    for version, (kind, rate) in EDITS.items():
        _run(folder, "perturb", "sample/library", kind, "--rate", rate, "--out", version, store=False)
    for picture, sides in COMPARED.items():
        _run(folder, "compare", *sides, "--report", f"{picture}.html")
        _take(browser, (folder / f"{picture}.html").as_uri(), picture, shows="#scores tbody tr")


def _take_list(browser: Browser, folder: Path) -> None:
    for file, (benchmark, *flags) in RUNS.items():
        _run(folder, "score", benchmark, *flags, "--format", "json", "-o", f"runs/{file}", "-q")
    shutil.copy(folder / "compare-table.html", folder / "runs" / "versions.html")
    whole = (folder / "runs" / "library.json").read_bytes()
    (folder / "runs" / "half-copied.json").write_bytes(whole[: len(whole) // 2])
    with ShelfServer(Shelf(folder / "runs")) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        _take(browser, f"{server.url}?sort=file&order=rising", "serve", shows=".shelf tbody tr")
        server.shutdown()
        thread.join()


def _run(folder: Path, *flags: str, store: bool = True) -> None:
    program = [sys.executable, "-c", "from audit.cli.main import run; run()"]
    place = ["--store", "store"] if store else []
    subprocess.run([*program, *flags, *place], check=True, stdout=subprocess.DEVNULL, cwd=folder)  # noqa: S603  # our own command


def _take(browser: Browser, url: str, name: str, *, shows: str) -> None:
    for end, size in SIZES.items():
        page = browser.new_page(viewport={"width": size["width"], "height": size["height"]}, reduced_motion="reduce")
        page.goto(url)
        page.wait_for_selector(shows)
        page.wait_for_timeout(300)
        page.screenshot(path=IMAGES / f"{name}{end}.png")
        page.close()


if __name__ == "__main__":
    main()
