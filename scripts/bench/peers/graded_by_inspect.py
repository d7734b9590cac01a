"""Grades questions with inspect_ai's ``model_graded_qa`` and no generation; runs where inspect_ai is installed.

``graded_by_inspect.py QUESTIONS URL CONCURRENCY LOGS`` prints how many it graded. It imports nothing of ours.
"""

# mypy: ignore-errors
import json
import sys
from pathlib import Path

from inspect_ai import Task, eval  # noqa: A004  # its own name
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalSample
from inspect_ai.model import GenerateConfig, ModelOutput, get_model
from inspect_ai.scorer import model_graded_qa
from inspect_ai.solver import Generate, Solver, TaskState, solver

CRITERION = "The expected behavior fits the policy."


@solver
def given() -> Solver:
    """Return a solver that asks no model: the answer to be graded is the question's own."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001  # its signature
        state.output = ModelOutput.from_content("given", "As stated.")
        return state

    return solve


def main() -> None:
    """Grade every line of the file."""
    questions, url, concurrency, logs = sys.argv[1:]
    lines = Path(questions).read_text(encoding="utf-8").splitlines()
    samples = [Sample(input=_text(json.loads(line)), target=CRITERION, id=n) for n, line in enumerate(lines)]
    n_at_once = int(concurrency)
    config = GenerateConfig(max_connections=n_at_once, temperature=0)
    grader = get_model("openai/letter-grade", base_url=url, api_key="none", config=config)
    (log,) = eval(
        Task(dataset=MemoryDataset(samples), solver=given(), scorer=model_graded_qa(model=grader)),
        model="none/none",
        max_samples=n_at_once,
        max_connections=n_at_once,
        log_dir=logs,
        log_realtime=False,
        display="none",
    )
    sys.stdout.write(f"{sum(_is_graded(sample) for sample in log.samples or ())}\n")


def _is_graded(sample: EvalSample) -> bool:
    return bool(sample.scores) and all(score.value in ("C", "I") for score in sample.scores.values())


def _text(question: dict) -> str:
    return f"{question['prefix']}\n\n{question['suffix']}"


if __name__ == "__main__":
    main()
