"""Many stored verdicts: written through the store's own functions, then loaded and aggregated in a process of its own.

``python -m scripts.bench.stored BENCHMARK STORE KEYS TRIALS JUDGE`` prints what loading and aggregating took.
"""

from __future__ import annotations

import gc
import json
import random
import sys
import time
from pathlib import Path

from audit.cli.main import OBJECTS_AT_ONCE
from audit.judges.questions import Question
from audit.metrics.measure import measure_all
from audit.metrics.registry import JUDGED_METRICS
from audit.records.prompt import Usage
from audit.records.verdict import Verdict, VerdictState
from audit.store import Store
from scripts.bench.judging import NOBODY, Scored, name_judge
from scripts.bench.processes import OWN_MODULES, measure
from scripts.bench.records import Repeated, Stored
from scripts.bench.server import ITEM_IDS, REASONS
from scripts.bench.tasks import N_CRITERIA, make_questions, render, write_benchmark

TRIALS = 3
_AT_ONCE = 5000


def fill(folder: Path, *, n_verdicts: int) -> Scored:
    """Write a benchmark, and a store with the verdict on each of its questions, three trials of each."""
    folder.mkdir(parents=True)
    n_tasks = -(-n_verdicts // (N_CRITERIA * TRIALS))
    benchmark = write_benchmark(folder / "big", n_tasks=n_tasks)
    judge = name_judge(NOBODY)
    scored = Scored(benchmark, folder / "store.sqlite3", judge, TRIALS)
    questions = render(make_questions(benchmark, trials=TRIALS), judge)
    drawn = random.Random(0)  # noqa: S311  # no secret
    with Store(scored.store) as store:
        for start in range(0, len(questions), _AT_ONCE):
            store.append_many([_verdict(each, judge, drawn) for each in questions[start : start + _AT_ONCE]])
    (folder / "keys.txt").write_text("\n".join(question.key for question in questions), encoding="ascii")
    return scored


def _verdict(question: Question, judge: str, drawn: random.Random) -> Verdict:
    slot = question.slot
    is_score = slot.judge.criterion != "policy_violations"
    return Verdict(
        slot.task.id,
        slot.judge.criterion,
        judge,
        slot.trial,
        VerdictState.OK,
        score=float(drawn.randint(1, 10)) if is_score else None,
        violated=None if is_score else tuple(sorted(drawn.sample(ITEM_IDS, drawn.choice((0, 0, 1, 1, 2, 5))))),
        reasons=tuple(REASONS),
        raw_reply=json.dumps({"reasons": REASONS, "score": 7}),
        usage=Usage(3000, 1500, None, 60, None),
        latency_s=0.2,
        model="bench-2026-01-01",
        prompt_hash=question.prompt.template_hash,
        key=question.key,
        asked_at="2026-01-01T00:00:00+00:00",
        n_calls=1,
    )


def load_and_aggregate(scored: Scored, *, n_repeats: int) -> Stored:
    """Measure the process below several times; its own clock's figures are medians."""
    keys = scored.store.with_name("keys.txt")
    words = (str(scored.benchmark), str(scored.store), str(keys), str(scored.trials), scored.judge)
    command = (sys.executable, "-m", "scripts.bench.stored", *words)
    runs = tuple(measure(command, env=OWN_MODULES, folder=scored.store.parent) for _ in range(n_repeats))
    whole = Repeated("load and aggregate", runs)
    if whole.error:
        return Stored(0, whole)
    told = [json.loads(used.output) for used in runs]
    middle = {name: sorted(one[name] for one in told)[len(told) // 2] for name in ("load_s", "aggregate_s")}
    return Stored(told[0]["n_verdicts"], whole, **middle)


def main() -> None:
    """Load every verdict of a store and aggregate them."""
    benchmark, place, keys, trials, judge = sys.argv[1:]
    gc.set_threshold(OBJECTS_AT_ONCE)  # as the command does
    questions = make_questions(Path(benchmark), trials=int(trials))
    start = time.perf_counter()
    with Store(Path(place)) as store:
        verdicts = list(store.find(Path(keys).read_text(encoding="ascii").split()).values())
    loaded = time.perf_counter()
    measure_all(questions.benchmark, verdicts, metrics=JUDGED_METRICS, judges=[judge], seed=0)
    ended = time.perf_counter()
    figures = {"n_verdicts": len(verdicts), "load_s": loaded - start, "aggregate_s": ended - loaded}
    sys.stdout.write(json.dumps(figures))


if __name__ == "__main__":
    main()
