from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.loaders.plugins import GROUP, list_plugins
from audit.loaders.registry import load_benchmark
from audit.sources.resolve import resolve_source

EXAMPLE = Path(__file__).resolve().parents[2] / "docs/examples/plugin"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages that Python looks into."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    for name in [name for name in sys.modules if name.startswith(("bench_audit_cards", "made_"))]:
        monkeypatch.delitem(sys.modules, name)
    return folder


def install(site: Path, package: str, entry: str, *, modules: dict[str, str], version: str = "0.1") -> None:
    """Put a package there as pip would: its modules, and its metadata beside them."""
    for name, text in modules.items():
        (site / name).write_text(text, encoding="utf-8")
    info = site / f"{package.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{entry}\n")


def install_example(site: Path) -> None:
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    ((name, target),) = project["entry-points"][GROUP].items()
    module = target.partition(":")[0]
    text = (EXAMPLE / f"src/{module}.py").read_text()
    install(site, project["name"], f"{name} = {target}", modules={f"{module}.py": text}, version=project["version"])


def write_set(root: Path, loader: str) -> Path:
    (root / "d").mkdir(parents=True)
    (root / "d/tasks.json").write_text("[]")
    (root / "d/policy.md").write_text("- A rule.\n")
    (root / "benchmark.toml").write_text(f'name = "made"\nloader = "{loader}"\n[domains.d]\n')
    return root


def test_the_example_package_is_used_from_the_command_line(site: Path, tmp_path: Path) -> None:
    install_example(site)
    environment = {**os.environ, "PYTHONPATH": str(site)}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from audit.cli.main import run; run()", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    shown = run("show", str(EXAMPLE / "garden/patch"), "water-1")
    assert "Says to wait for the evening" in shown.stdout, shown.stderr
    checked = run("check", "garden/patch", "--data-dir", str(EXAMPLE))
    assert (checked.returncode, checked.stdout.splitlines()[0][:21]) == (0, "garden/patch: 2 tasks"), checked.stderr
    assert "cards, of the package bench-audit-cards 0.1" in run("list").stdout


def test_the_example_says_in_one_line_what_is_wrong_with_a_card(site: Path, tmp_path: Path) -> None:
    install_example(site)
    root = write_set(tmp_path / "set", "cards")
    cards = root / "d/tasks.json"
    for text, complaint in (
        ("water-1\nUser: x\n", r"a card begins with 'water-1'\. Begin it with '# ' and its id"),
        ("# w\nUser: x\n", r"card w has no line 'Agent:'\. Add it"),
    ):
        cards.write_text(text)
        with pytest.raises(LoadError, match=complaint):
            load_benchmark(resolve_source(str(root)))
    (root / "d/policy.md").unlink()
    with pytest.raises(LoadError, match="there is no policy"):
        load_benchmark(resolve_source(str(root)))


def test_packages_are_listed_without_being_imported(site: Path) -> None:
    install(site, "made-broken", "made = made_broken:Loader", modules={"made_broken.py": "raise SystemExit(9)\n"})

    assert [(each.name, each.package, each.version) for each in list_plugins()] == [("made", "made-broken", "0.1")]
    assert "made_broken" not in sys.modules


BROKEN = [
    ("import nothing_of_this_name", r"can't be imported \(ModuleNotFoundError: No module named 'nothing_of"),
    ("def", r"can't be imported \(SyntaxError: "),
    ("1 / 0", r"can't be imported \(ZeroDivisionError: "),
    ("Other = 1", r"can't be imported \(AttributeError: module 'made_up' has no attribute 'Loader'\)"),
    ("class Loader:\n    def __init__(self, x): pass", r"can't be imported \(TypeError: "),
    ("class Loader: pass", r"brings a Loader without a method 'load'"),
    ("Loader = 7", r"brings a int without a method 'load'"),
    (
        "class Loader:\n    def load(self, source): return {}['tasks']",
        r"failed over this benchmark \(KeyError: 'tasks'\)",
    ),
    ("class Loader:\n    def load(self, source): return []", r"gave a list, not a Benchmark"),
]


@pytest.mark.parametrize(("text", "complaint"), BROKEN)
def test_a_broken_package_is_one_line_that_names_it(site: Path, tmp_path: Path, text: str, complaint: str) -> None:
    install(site, "made-up", "made = made_up:Loader", modules={"made_up.py": f"{text}\n"})
    source = resolve_source(str(write_set(tmp_path / "set", "made")))
    with pytest.raises(
        LoadError, match=rf"the package made-up 0\.1 {complaint}.*Tell its makers, or uninstall made-up\."
    ):
        load_benchmark(source)


def test_what_a_package_says_of_bad_files_is_told_as_it_is(site: Path, tmp_path: Path) -> None:
    text = "from audit.errors import LoadError\nclass Loader:\n    def load(self, source): raise LoadError('is odd')\n"
    install(site, "made-up", "made = made_up:Loader", modules={"made_up.py": text})
    with pytest.raises(LoadError, match=r"^is odd\.$"):
        load_benchmark(resolve_source(str(write_set(tmp_path / "set", "made"))))


def test_an_object_will_do_as_well_as_a_class(site: Path, tmp_path: Path) -> None:
    text = "from audit.loaders.tau import TauLoader\nloader = TauLoader()\n"
    install(site, "made-up", "made = made_up:loader", modules={"made_up.py": text})
    source = resolve_source(str(write_set(tmp_path / "set", "made")))
    (tmp_path / "set/d/tasks.json").write_text('[{"id": "1", "user_scenario": {"instructions": "Hello."}}]')

    assert load_benchmark(source).format == "made"


def test_two_packages_of_one_format_are_refused_both_named(site: Path, tmp_path: Path) -> None:
    for package in ("made-a", "made-b"):
        install(site, package, "made = made_up:Loader", modules={})
    with pytest.raises(LoadError, match=r"the package made-a 0\.1 and the package made-b 0\.1 bring it both"):
        load_benchmark(resolve_source(str(write_set(tmp_path / "set", "made"))))


def test_a_broken_package_does_not_touch_other_formats(site: Path, tmp_path: Path) -> None:
    install(site, "made-broken", "tau = made_broken:Loader", modules={"made_broken.py": "1 / 0\n"})

    assert load_benchmark(resolve_source("sample/library")).format == "tau"
