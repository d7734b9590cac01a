"""What ``bench-audit study agreement`` does with its flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from audit import pipeline
from audit.cli.main import INPUT_ERROR
from audit.cli.output import say
from audit.cli.studying import StudyFlags, check_folder, make_study_flags, open_ground, write_plan, write_study
from audit.cli.surveying import read_saved
from audit.compare.saved import is_saved_run
from audit.compare.snapshot import take_snapshot
from audit.errors import UsageError
from audit.loaders.json_file import read_input
from audit.loaders.ratings import read_ratings
from audit.records.comparison import Snapshot
from audit.records.rating import BadCell, Rating
from audit.records.task import Benchmark
from audit.studies.agreement import study_agreement
from audit.studies.ground import Answers, Ground, ask, close, plan_calls, price_calls, settings_of, stamp
from audit.studies.ratings import place_ratings


def run_agreement(parsed: Mapping[str, Any]) -> int:
    """Study whether judges agree with people; return the exit code."""
    flags = make_study_flags(parsed)
    files = tuple(read_ratings(path) for path in parsed["ratings"])
    if bad := [each for file in files for each in file.bad]:
        return refuse(bad)
    check_folder(flags)
    ratings = [rating for file in files for rating in file.ratings]
    if not ratings:
        mend = "Fill some cells; an empty one is a gap"
        raise UsageError("no rating is in the files", where=str(parsed["ratings"][0]), mend=mend)
    if flags.judge.judges and all(map(is_saved, parsed["targets"])):
        mend = "Leave it out, or name a benchmark that it can judge"
        raise UsageError("a saved run is judged already", where="--judge", mend=mend)
    with open_ground(flags, benchmark="agreement") as ground:
        saved, benchmarks = _read_targets(parsed["targets"], flags, ground)
        if flags.dry_run:
            return write_plan(flags, (plan_calls(benchmarks, ground), price_calls(benchmarks, ground)))
        if misplaced := _find_misplaced(ratings, saved, benchmarks):
            return refuse(misplaced)
        answers = ask(benchmarks, ground) if benchmarks else Answers((), ())
        asked = [take_snapshot(run.benchmark.name, run.benchmark, runs=[run]) for run in answers.results]
        targets = (*saved, *asked)
        placed, _ = place_ratings(ratings, targets)
        settings = settings_of(ground) if benchmarks else {"seed": flags.seed}
        study = study_agreement(placed, targets, files=files, seed=flags.seed, settings=dict(settings))
        return write_study(flags, close(study, answers, benchmarks=benchmarks) if benchmarks else stamp(study))


def refuse(bad: Sequence[BadCell]) -> int:
    """Name each bad cell on a line of its own; return the exit code."""
    for each in bad:
        say(f"Error: {each}")
    say(f"{len(bad)} bad {'cell' if len(bad) == 1 else 'cells'}; mend them, or empty them to leave a gap")
    return INPUT_ERROR


def _find_misplaced(
    ratings: Sequence[Rating], saved: Sequence[Snapshot], benchmarks: Sequence[Benchmark]
) -> tuple[BadCell, ...]:
    """Find out before anything is asked which ratings are of no task here."""
    plain = [take_snapshot(benchmark.name, benchmark) for benchmark in benchmarks]
    return place_ratings(ratings, [*saved, *plain])[1]


def _read_targets(
    names: Sequence[str], flags: StudyFlags, ground: Ground
) -> tuple[tuple[Snapshot, ...], tuple[Benchmark, ...]]:
    """Return the saved runs and the benchmarks among the targets."""
    saved = tuple(read_saved(Path(name)) for name in names if is_saved(name))
    loaded = tuple(_load(name, flags, ground) for name in names if not is_saved(name))
    merged = _merge(saved)
    named = [*(each.benchmark for each in merged), *(each.name for each in loaded)]
    doubled = next((name for places in (names, named) for name in places if places.count(name) > 1), None)
    if doubled is not None:
        mend = "Name it once, as a benchmark or as saved runs"
        raise UsageError(f"{doubled} is named twice", where="study agreement", mend=mend)
    return merged, loaded


def _merge(saved: Sequence[Snapshot]) -> tuple[Snapshot, ...]:
    """Bring saved runs of one benchmark together: each has the judges of its own."""
    merged: dict[str, Snapshot] = {}
    for each in saved:
        before = merged.get(each.benchmark)
        merged[each.benchmark] = (
            each
            if before is None
            else replace(
                before,
                tasks={**before.tasks, **each.tasks},
                scores=(*before.scores, *each.scores),
                violated={**before.violated, **each.violated},
            )
        )
    return tuple(merged.values())


def _load(name: str, flags: StudyFlags, ground: Ground) -> Benchmark:
    return pipeline.load(name, flags.places, settings=ground.settings)


def is_saved(name: str) -> bool:
    """Whether a target is a saved run, and no benchmark's name."""
    path = Path(name)
    try:
        return path.is_file() and is_saved_run(read_input(path, root=path.parent, role="saved run").content)
    except OSError:  # a name that no disk takes
        return False
