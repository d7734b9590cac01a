"""Writes the golden files anew: ``python -m tests.reports.make_goldens``. Read the difference before committing it."""

from __future__ import annotations

import re
from pathlib import Path

from audit.reports.finding_formats import FINDING_FORMATS
from audit.reports.registry import RENDERERS
from tests.reports import checked

FOLDER = Path(__file__).parent / "goldens"
FILES = {"html": "run.html", "json": "run.json", "text": "run.txt", "csv": "run.csv", "markdown": "run.md"}
FINDING_FILES = {
    "text": "findings.txt",
    "json": "findings.json",
    "csv": "findings.csv",
    "csv-tasks": "findings-tasks.csv",
    "junit": "findings.junit.xml",
    "sarif": "findings.sarif",
    "markdown": "findings.md",
}
_CHART = re.compile(rb'(<svg class="chart".*?</desc>).*?</svg>', re.DOTALL)


def golden(format_name: str) -> bytes:
    """Return what the golden file of a format holds: the small run with findings, charts reduced to their titles.

    Another matplotlib may draw another path for the same chart; the charts have tests of their own.
    """
    return _CHART.sub(rb"\1</svg>", RENDERERS[format_name].render(checked.audited()))


def golden_findings(format_name: str) -> bytes:
    """Return what the golden file of a format for findings holds."""
    return FINDING_FORMATS[format_name](checked.small())


def main() -> None:
    """Write every file."""
    FOLDER.mkdir(exist_ok=True)
    for format_name, file in FILES.items():
        (FOLDER / file).write_bytes(golden(format_name))
    for format_name, file in FINDING_FILES.items():
        (FOLDER / file).write_bytes(golden_findings(format_name))


if __name__ == "__main__":
    main()
