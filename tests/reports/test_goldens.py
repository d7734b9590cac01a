from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from audit.records.run import RunResult
from audit.reports.registry import RENDERERS
from tests.reports import make_goldens, runs

MAKERS = (runs.small, runs.offline, runs.scripted, runs.no_items, runs.panel)
REPO = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("format_name", sorted(RENDERERS))
def test_every_format_has_a_golden_file_that_it_still_gives(format_name: str) -> None:
    expected = (make_goldens.FOLDER / make_goldens.FILES[format_name]).read_bytes()
    assert make_goldens.golden(format_name) == expected, "run `make goldens` and read the difference"


def test_make_goldens_writes_every_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make_goldens, "FOLDER", tmp_path / "goldens")
    make_goldens.main()
    files = [*make_goldens.FILES.values(), *make_goldens.FINDING_FILES.values()]
    assert sorted(file.name for file in (tmp_path / "goldens").iterdir()) == sorted(files)


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("format_name", sorted(RENDERERS))
def test_the_same_result_gives_the_same_bytes(format_name: str, make: type[RunResult]) -> None:
    assert RENDERERS[format_name].render(make()) == RENDERERS[format_name].render(make())  # type: ignore[call-arg]


def test_another_process_with_other_settings_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("font.size: 30\naxes.facecolor: red\nsvg.hashsalt: other\n")
    script = (
        "import hashlib; from tests.reports import runs; from audit.reports.registry import RENDERERS;"
        "print([hashlib.sha256(r.render(runs.panel())).hexdigest() for r in RENDERERS.values()])"
    )
    seen = set()
    for seed, more in (("1", {}), ("2", {"MATPLOTLIBRC": str(tmp_path), "COLUMNS": "40", "FORCE_COLOR": "1"})):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(REPO), **more}
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, cwd=REPO, capture_output=True, text=True, check=True
        )
        seen.add(done.stdout)
    assert len(seen) == 1
