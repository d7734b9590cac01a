"""What holds of every format for findings."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from audit.cli.check import FORMATS
from audit.reports.finding_formats import FINDING_FORMATS
from tests.conftest import REPO
from tests.reports import checked, hostile, make_goldens
from tests.reports.test_hostile import STEERING


def test_the_command_offers_every_format_and_no_other() -> None:
    assert tuple(FINDING_FORMATS) == FORMATS


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_format_has_a_golden_file_that_it_still_gives(format_name: str) -> None:
    expected = (make_goldens.FOLDER / make_goldens.FINDING_FILES[format_name]).read_bytes()
    assert make_goldens.golden_findings(format_name) == expected, "run `make goldens` and read the difference"


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_format_can_say_that_nothing_was_found(format_name: str) -> None:
    content = FINDING_FORMATS[format_name](checked.clean()).decode()
    assert "loan-write-fails [" not in content
    assert content.endswith("\n")


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("name", sorted(hostile.STRINGS))
def test_no_text_of_a_benchmark_steers_a_terminal_or_breaks_the_encoding(format_name: str, name: str) -> None:
    content = FINDING_FORMATS[format_name](checked.everywhere(hostile.STRINGS[name])).decode("utf-8")
    raw = "\U000e0041" if format_name in ("json", "sarif") else ""  # JSON keeps the texts as they are
    assert not STEERING.search(content.replace("\n", "").replace(raw, ""))


@pytest.mark.parametrize("format_name", ["text", "csv", "csv-tasks", "junit", "markdown"])
@pytest.mark.parametrize("name", ["long", "long words"])
def test_an_endless_text_is_cut(format_name: str, name: str) -> None:
    assert len(FINDING_FORMATS[format_name](checked.everywhere(hostile.STRINGS[name]))) < 1_000_000


def test_another_process_with_another_hash_seed_gives_the_same_bytes() -> None:
    script = (
        "import hashlib; from tests.reports import checked; from audit.reports.finding_formats import FINDING_FORMATS;"
        "print([hashlib.sha256(render(checked.small())).hexdigest() for render in FINDING_FORMATS.values()])"
    )
    seen = set()
    for seed, more in (("1", {}), ("2", {"COLUMNS": "40", "FORCE_COLOR": "1", "LC_ALL": "C"})):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(REPO), **more}
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, cwd=REPO, capture_output=True, text=True, check=True
        )
        seen.add(done.stdout)
    assert len(seen) == 1
