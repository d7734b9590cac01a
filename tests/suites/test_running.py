"""A suite that is interrupted."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from audit.inspection import Places
from audit.judges.panel import Panel, PanelOptions, make_panel
from audit.judges.progress import Event
from audit.records.run import Settings
from audit.store import Store
from audit.suites.loading import load_suite
from audit.suites.reading import suite_from_flags
from audit.suites.running import score_suite
from audit.suites.summary import summarise_suite
from audit.suites.writing import SuiteResult
from tests.suites.runs import write_member


def test_an_interruption_ends_the_suite_and_says_what_is_left(tmp_path: Path) -> None:
    runs = [write_member(tmp_path / "a", n=6), write_member(tmp_path / "b", first=11)]
    suite = suite_from_flags([str(run) for run in runs])
    judge = "scripted:seeded"
    settings = Settings("", (judge,), ("desc_alignment",), ("prose",), concurrency=1)
    before = signal.getsignal(signal.SIGINT)

    def panel() -> Panel:
        return make_panel([judge], PanelOptions())

    told: list[Event] = []

    def interrupt(event: Event) -> None:
        told.append(event)
        if len(told) == 1:
            os.kill(os.getpid(), signal.SIGINT)

    with Store(tmp_path / "verdicts.sqlite3") as store:
        loaded = load_suite(suite, Places())
        scored = tuple(score_suite(loaded, settings, make_panel=panel, store=store, on_event=interrupt))
    assert signal.getsignal(signal.SIGINT) is before
    assert [each.member.name for each in scored] == [str(runs[0])]
    result = SuiteResult(suite, scored, summarise_suite(suite, scored))
    assert not result.is_complete
    assert result.summary.notes[0] == (
        f"Not scored, for the run was interrupted: {runs[1]}. The same command goes on there."
    )
