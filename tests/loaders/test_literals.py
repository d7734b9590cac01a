"""Python files of literals: read, never run."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.literal_text import follow_literal, lists_of, parse_module
from audit.loaders.json_file import InputFile
from audit.loaders.literals import MAX_CHARACTERS, LiteralList, read_list
from audit.loaders.tau1 import CONSTRUCTORS
from tests.loaders.trams import as_python, task


def read(text: str | bytes) -> LiteralList:
    content = text.encode() if isinstance(text, str) else text
    return read_list(InputFile(Path("tasks.py"), "tasks.py", content), constructors=CONSTRUCTORS)


def test_constructors_dictionaries_and_long_texts_are_values() -> None:
    found = read(
        '"""Tasks."""\nimport os\nfrom x import Task\nVERSION = 3\n'
        'TASKS: list = [\n  Task(user_id="a" "b", instruction="""x\ny""", actions=[]),\n'
        '  {"n": -1.5, "t": (True, None)},\n]\n'
    )
    assert found.name == "TASKS"
    assert found.values == (
        {"user_id": "ab", "instruction": "x\ny", "actions": []},
        {"n": -1.5, "t": [True, None]},
    )


def test_what_json_holds_reads_alike_from_python() -> None:
    tasks = [task(), task(instruction="Say \"hi\"\n and 'ho' – ü 🚋.", outputs=["12.5"])]
    assert list(read(as_python(tasks)).values) == tasks


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("TASKS = [open('x')]", r"tasks\.py:1: a call of open"),
        ("TASKS = [os.system('x')]", r"a call\. Nothing is called here: keep to Task and Action"),
        ("TASKS = [Task('x')]", "Task with values that have no name"),
        ("TASKS = [Task(**{})]", "Task with values that have no name"),
        ("TASKS = [Task(colour=1)]", "Task has no 'colour'"),
        ("TASKS = [x for x in y]", r"no literal \(ListComp\)|assigns no list"),
        ("TASKS = [[x for x in y]]", r"no literal \(ListComp\)"),
        ("TASKS = [f'{x}']", r"no literal \(JoinedStr\)"),
        ("TASKS = [NAME]", r"no literal \(Name\)"),
        ("TASKS = [-'x']", r"no literal \(UnaryOp\)"),
        ("TASKS = [-True]", r"no literal \(UnaryOp\)"),
        ("TASKS = [+1]", r"no literal \(UnaryOp\)"),
        ("TASKS = [b'x']", r"a value that no JSON has \(bytes\)"),
        ("TASKS = [1j]", r"a value that no JSON has \(complex\)"),
        ("TASKS = [...]", r"a value that no JSON has \(ellipsis\)"),
        ("TASKS = [1e999]", "a number is not finite"),
        (f"TASKS = [{10**400}]", "a number is not finite"),
        ("TASKS = ['\\ud800']", "half of a surrogate pair"),
        ("TASKS = [{1: 2}]", "a key that is no text"),
        ("TASKS = [{**x}]", "a key that is no text"),
        ("TASKS = [{'a': 1,\n 'a': 2}]", "the key 'a' stands twice"),
        ("import os\nos.system('x')\nTASKS = []", r"tasks\.py:2: a statement that is no assignment to a name \(Expr\)"),
        ("TASKS = []\nTASKS.append(1)", r"tasks\.py:2: a statement"),
        ("A = B = []", r"a statement that is no assignment"),
        ("A.x = []", r"a statement that is no assignment"),
        ("def f(): pass", r"a statement that is no assignment to a name \(FunctionDef\)"),
        ("A = [1]\nB = [2]", "assigns several lists: A, B"),
        ("A = 1", "assigns no list"),
        ("A: list", "assigns no list"),
        ("", "assigns no list"),
        ("TASKS = [", r"tasks\.py:1: not Python"),
        ("TASKS = [\0]", "not Python"),
        ("TASKS = [" + "(" * 400, "not Python"),
        ("TASKS = [" + "-" * 100_000 + "1]", "nested too deep to read"),
        ("TASKS = [1" + "+1" * 100_000 + "]", "nested too deep to read"),
        ("TASKS = " + "[" * 120 + "]" * 120, "nested more than 100 levels deep"),
        (b"TASKS = ['\xe9']", r"not UTF-8 \(byte 0xe9\)"),
    ],
)
def test_anything_else_is_one_line(text: str | bytes, words: str) -> None:
    with pytest.raises(LoadError, match=words) as caught:
        read(text)
    assert len(str(caught.value).splitlines()) == 1


def test_a_file_that_is_too_long_is_not_parsed() -> None:
    with pytest.raises(LoadError, match="longer than 5 million characters"):
        read("#" * (MAX_CHARACTERS + 1))


def test_cut_and_shuffled_files_are_read_or_refused_and_nothing_else() -> None:
    rng = random.Random(5)
    sound = as_python([task(), task(outputs=["7"])])
    n_read, messages = 0, []
    for _ in range(300):
        start, end = sorted(rng.sample(range(len(sound)), 2))
        altered = rng.choice([sound[:end], sound[:start] + sound[end:], sound[start:end] + sound])
        try:
            read(altered)
            n_read += 1
        except LoadError as error:
            messages.append(str(error))
    assert n_read
    assert messages
    assert not [message for message in messages if "\n" in message]


def test_a_path_leads_to_its_place_or_to_the_last_one_on_the_way() -> None:
    text = 'TASKS = [\n  {\n    "actions": [\n      Action(\n        name="x")],\n    **more},\n]\n'
    ((_, listed),) = lists_of(parse_module(text))
    lines = {path: follow_literal(listed.elts[0], path).lineno for path in ("actions[0].name", "actions[3]", "gone.x")}
    assert lines == {"actions[0].name": 5, "actions[3]": 3, "gone.x": 2}
    assert follow_literal(listed.elts[0], "actions[0].name.deeper").lineno == 5
