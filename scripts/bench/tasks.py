"""A big benchmark made of the sample's tasks, for measurements, and what judges are asked about it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from audit import pipeline
from audit.judges.panel import PanelOptions, make_panel
from audit.judges.questions import Question, Questions, render_questions, take_seats
from audit.metrics.registry import JUDGED_METRICS
from audit.records.run import Settings
from audit.resources import resource

N_CRITERIA = 3
"""Questions about each task: description, policy and violations."""
_FILES = ("policy.md", "db.json", "tools.json")


def write_benchmark(folder: Path, *, n_tasks: int) -> Path:
    """Write the sample's library with ``n_tasks`` tasks, each of them different, in the layout of τ².

    Returns
    -------
    Path
        The folder, which the commands take.
    """
    source = resource("benchmarks", "sample", "library")
    folder.mkdir(parents=True)
    for name in _FILES:
        if (source / name).is_file():
            shutil.copyfile(source / name, folder / name)
    tasks = json.loads((source / "tasks.json").read_bytes())
    (folder / "tasks.json").write_text(json.dumps([_copy(tasks[n % len(tasks)], n) for n in range(n_tasks)]))
    return folder


def make_questions(benchmark: Path, *, trials: int = 1) -> Questions:
    """Return what every judge is asked by ``bench-audit score`` about a benchmark."""
    settings = Settings(str(benchmark), (), JUDGED_METRICS, pipeline.choose_behavior(()), trials)
    return pipeline.make_questions([pipeline.load(str(benchmark), pipeline.Places(), settings=settings)], settings)


def render(questions: Questions, judge: str) -> list[Question]:
    """Return the questions as ``judge`` is asked them, with the keys under which its verdicts are stored."""
    (seat,) = take_seats(make_panel([judge], PanelOptions()).providers)
    return [question for question in render_questions(questions, seat) if isinstance(question, Question)]


def write_questions(benchmark: Path, path: Path, *, judge: str) -> int:
    """Write a benchmark's questions for other programs, a JSON object a line, and return how many they are."""
    questions = render(make_questions(benchmark), judge)
    with path.open("w", encoding="utf-8") as lines:
        for question in questions:
            prompt = question.prompt
            fields = {"prefix": prompt.prefix, "suffix": prompt.suffix, "schema": prompt.schema}
            lines.write(f"{json.dumps(fields)}\n")
    return len(questions)


def _copy(task: dict[str, object], number: int) -> dict[str, object]:
    """Return a task under another id, with a text that no other one has."""
    copied = json.loads(json.dumps(task))
    copied["id"] = f"{number:06d}"
    scenario = copied["user_scenario"]["instructions"]
    scenario["task_instructions"] = f"{scenario['task_instructions']} You call for the {number + 1}. time this year."
    assert isinstance(copied, dict)
    return copied
