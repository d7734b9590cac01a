"""The sizes and shapes that the code keeps to, measured over the whole package."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parent.parent
PACKAGE = REPO / "audit"

MAX_MODULE_LINES = 299
MAX_BODY_LINES = 50
MAX_MEDIAN_BODY_LINES = 9
MAX_PARAMETERS = 5
MAX_POSITIONAL = 2
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
HEAVY = {"openai", "anthropic", "google.genai", "pandas", "sklearn", "scipy", "matplotlib"}
"""What a command imports only when it needs it."""

EXCEPTIONS = {
    ("positional", "audit/sources/archives.py:frombuf"): "the standard library's own signature",
    ("parameters", "audit/sources/resolve.py:resolve_source"): "a keyword for each file that a user can replace",
    ("positional", "audit/reports/numbers.py:plural"): "number, singular, plural: reads as it is said",
}
"""Limit and place (``audit/module.py`` or ``audit/module.py:function``) to why the limit would make it worse."""


@dataclass(frozen=True)
class Function:
    """One function or method, with what the limits ask about."""

    module: str
    name: str
    n_body_lines: int
    n_parameters: int
    n_positional: int
    is_public: bool

    @property
    def place(self) -> str:
        return f"{self.module}:{self.name}"

    @property
    def is_command_line(self) -> bool:
        """Whether click hands over the parameters: one a flag."""
        return self.module.startswith("audit/cli/")


@cache
def sources() -> dict[str, str]:
    return {str(path.relative_to(REPO)): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def functions() -> tuple[Function, ...]:
    return tuple(function for module, text in sources().items() for function in functions_of(module, text))


def functions_of(module: str, text: str) -> Iterator[Function]:
    tree = ast.parse(text)
    owner = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield measure(module, node, is_method=isinstance(owner[node], ast.ClassDef))


def measure(module: str, node: ast.FunctionDef | ast.AsyncFunctionDef, *, is_method: bool) -> Function:
    decorators = {ast.unparse(each) for each in node.decorator_list}
    n_own = int(is_method and "staticmethod" not in decorators)
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    n_positional = len(node.args.posonlyargs) + len(node.args.args) - n_own
    return Function(
        module=module,
        name=node.name,
        n_body_lines=(body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0,
        n_parameters=n_positional + len(node.args.kwonlyargs),
        n_positional=n_positional,
        is_public=not node.name.startswith("_"),
    )


def hold(limit: str, breaking: dict[str, int]) -> None:
    """Fail for each place that breaks a limit without an exception, and for exceptions that nothing needs any more."""
    stale = sorted({place for name, place in EXCEPTIONS if name == limit} - breaking.keys())
    assert not stale, f"exceptions to '{limit}' that are no longer needed: {stale}"
    found = [f"{place} has {size}" for place, size in breaking.items() if (limit, place) not in EXCEPTIONS]
    assert not found, f"{len(found)} break the limit '{limit}':\n" + "\n".join(found)


def test_the_measure_counts_bodies_without_docstrings_and_parameters_without_self() -> None:
    text = '''
class Box:
    def put(self, what, where, *, how=1):
        """Two

        lines."""
        if what:
            return where
        return how

    @staticmethod
    def _new(a, b, c): return a

def outer(a):
    """Nothing else."""
'''
    found = list(functions_of("audit/box.py", text))

    assert [(each.name, each.n_body_lines, each.n_parameters, each.n_positional) for each in found] == [
        ("outer", 0, 1, 1),
        ("put", 3, 3, 2),
        ("_new", 1, 3, 3),
    ]
    assert [each.is_public for each in found] == [True, True, False]


def test_modules_stay_under_300_lines() -> None:
    sizes = {module: len(text.splitlines()) for module, text in sources().items()}

    hold("module", {module: n for module, n in sizes.items() if n > MAX_MODULE_LINES})


def test_function_bodies_stay_within_50_lines() -> None:
    long = {each.place: each.n_body_lines for each in functions() if each.n_body_lines > MAX_BODY_LINES}

    hold("body", long)


def test_the_median_function_body_is_under_10_lines() -> None:
    assert statistics.median(each.n_body_lines for each in functions()) <= MAX_MEDIAN_BODY_LINES


def test_functions_take_five_parameters_at_most() -> None:
    many = {
        each.place: each.n_parameters
        for each in functions()
        if each.n_parameters > MAX_PARAMETERS and not each.is_command_line
    }

    hold("parameters", many)


def test_public_functions_take_keywords_after_the_second_parameter() -> None:
    many = {
        each.place: each.n_positional
        for each in functions()
        if each.n_positional > MAX_POSITIONAL and each.is_public and not each.is_command_line
    }

    hold("positional", many)


def test_no_module_has_a_name_that_says_nothing() -> None:
    vague = [module for module in sources() if VAGUE_NAMES & {*Path(module).with_suffix("").parts}]

    assert not vague


def test_the_init_of_every_subpackage_is_a_docstring_alone() -> None:
    inits = {module: ast.parse(text) for module, text in sources().items() if module.endswith("/__init__.py")}
    fuller = [
        module
        for module, tree in inits.items()
        if module != "audit/__init__.py" and (ast.get_docstring(tree) is None or len(tree.body) > 1)
    ]

    assert not fuller


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {str(Path(module).parent) for module in sources()}

    assert not [folder for folder in folders if f"{folder}/__init__.py" not in sources()]


@pytest.mark.parametrize("module", ["audit", "audit.cli.main"])
def test_the_command_line_starts_without_heavy_libraries(module: str) -> None:
    probe = f"import sys, {module}; print('\\n'.join(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", probe], cwd=REPO, capture_output=True, text=True, check=False)

    assert done.returncode == 0, f"import {module} fails:\n{done.stderr}"
    assert "click" in done.stdout.split() or module == "audit"
    assert not HEAVY & set(done.stdout.split())


def test_checking_needs_no_library_that_draws_counts_or_sends() -> None:
    probe = "import sys, audit.cli.checking; print('\\n'.join(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", probe], cwd=REPO, capture_output=True, text=True, check=True)

    assert not (HEAVY | {"numpy", "httpx2", "asyncio", "jinja2"}) & set(done.stdout.split())
