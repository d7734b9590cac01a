"""What ``bench-audit study`` does with several benchmarks side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from audit.cli.studying import check_folder, make_study_flags, open_ground, write_plan, write_study
from audit.cli.suite_scoring import choose_suite
from audit.records.study import StudyResult
from audit.records.suite import Suite
from audit.studies.ground import Ground, plan_calls, price_calls
from audit.studies.matrix import study_matrix
from audit.studies.ordering import check_tiers, study_ordering
from audit.suites.loading import Loaded, load_suite


def run_ordering(parsed: Mapping[str, Any]) -> int:
    """Study whether metrics order benchmarks as their tiers; return the exit code."""
    suite = choose_suite((), parsed["tiers"], parsed["suite"])
    check_tiers(suite)
    return _run(parsed, suite, lambda loaded, ground: study_ordering(suite, loaded, ground=ground))


def run_matrix(parsed: Mapping[str, Any]) -> int:
    """Lay benchmarks side by side; return the exit code."""
    suite = choose_suite(parsed["benchmarks"], parsed["tiers"], parsed["suite"])
    return _run(parsed, suite, lambda loaded, ground: study_matrix(loaded, ground=ground))


def _run(parsed: Mapping[str, Any], suite: Suite, study: Callable[[Sequence[Loaded], Ground], StudyResult]) -> int:
    flags = make_study_flags(parsed)
    check_folder(flags)
    with open_ground(flags, benchmark=suite.title or "suite") as ground:
        loaded = load_suite(suite, flags.places, settings=ground.settings)
        if flags.dry_run:
            benchmarks = [one.benchmark for one in loaded]
            return write_plan(flags, (plan_calls(benchmarks, ground), price_calls(benchmarks, ground)))
        return write_study(flags, study(loaded, ground))
