from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LoadError, UsageError
from audit.loaders.registry import load_benchmark
from audit.sources.listing import list_known
from audit.sources.own import read_own
from audit.sources.resolve import resolve_source
from tests.loaders.boats import write_domain

PLAIN = 'name = "lake"\n[domains.boats]\n'


def write_set(root: Path, manifest: str = PLAIN, *domains: str) -> Path:
    for domain in domains or ("boats",):
        write_domain(root / domain)
    (root / "benchmark.toml").write_text(manifest, encoding="utf-8")
    return root


@pytest.mark.parametrize("data_dir", ["all", "all/lake"])
def test_a_set_in_the_data_folder_is_known_by_its_own_name(tmp_path: Path, data_dir: str) -> None:
    write_set(tmp_path / "all" / "lake")
    found = resolve_source("lake/boats", data_dir=tmp_path / data_dir)

    assert (found.name, found.root) == ("lake/boats", tmp_path / "all/lake/boats")
    assert len(load_benchmark(found).tasks) == 1


def test_the_name_is_the_manifest_s_and_not_the_folder_s(tmp_path: Path) -> None:
    write_set(tmp_path / "checkout-7")
    assert resolve_source("lake/boats", data_dir=tmp_path).root == tmp_path / "checkout-7" / "boats"
    with pytest.raises(UsageError, match="no benchmark has this name"):
        resolve_source("checkout-7/boats", data_dir=tmp_path)


@pytest.mark.parametrize("path", ["lake", "lake/boats", "lake/benchmark.toml"])
def test_a_path_to_a_set_or_domain_is_read_by_its_manifest(
    tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_set(tmp_path / "lake", 'name = "lake"\nversion = "7"\n[domains.boats]\n')
    monkeypatch.chdir(tmp_path)
    for text in (path, str(tmp_path / path)):
        found = resolve_source(text)
        assert (found.name, found.version) == ("lake/boats", "7")


def test_a_domain_is_found_by_its_name_where_its_folder_has_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_set(tmp_path / "lake", 'name = "lake"\n[domains.hire]\nfolder = "boats"\n')
    monkeypatch.chdir(tmp_path)
    assert [resolve_source(name).name for name in ("lake/hire", "lake/boats", "lake")] == ["lake/hire"] * 3


def test_a_manifest_may_lie_beside_the_tasks(tmp_path: Path) -> None:
    folder = write_domain(tmp_path / "lake")
    (folder / "benchmark.toml").write_text('name = "lake"\n[domains.boats]\nfolder = "."\n')
    assert resolve_source(str(folder)).name == "lake/boats"
    assert resolve_source("lake/boats", data_dir=tmp_path).tasks == folder / "tasks.json"


def test_a_folder_that_the_manifest_does_not_speak_of_is_as_it_was(tmp_path: Path) -> None:
    write_set(tmp_path / "lake", PLAIN, "boats", "other")
    assert resolve_source(str(tmp_path / "lake/other")).name == str(tmp_path / "lake/other")


def test_every_field_reaches_the_source(tmp_path: Path) -> None:
    folder = write_set(
        tmp_path,
        """
name = "lake"
title = "Lake"
version = "2"
style = "workflow"
default_split = "test"
author_family = "openai"
[domains.boats]
title = "Hire"
tasks = "all.json"
policy = "rules.md"
policy_template = "{{file:rules.md}}"
database = "rows.json"
tools = "calls.json"
items = "rules.items.json"
splits = "parts.json"
documents = "docs"
user_database = "phone.json"
""",
    )
    found = resolve_source(str(folder))
    root = folder / "boats"
    assert (found.title, found.version, found.style, found.default_split) == ("Lake: Hire", "2", "workflow", "test")
    assert (found.author_family, found.policy_template) == ("openai", "{{file:rules.md}}")
    assert (found.tasks, found.policy, found.database) == (root / "all.json", root / "rules.md", root / "rows.json")
    assert (found.tools, found.items, found.splits) == (
        root / "calls.json",
        root / "rules.items.json",
        root / "parts.json",
    )
    assert (found.documents, found.user_database) == (root / "docs", root / "phone.json")


def test_files_that_no_field_names_are_taken_where_they_are_there(tmp_path: Path) -> None:
    found = resolve_source(str(write_set(tmp_path)))
    root = tmp_path / "boats"
    assert (found.database, found.tools) == (root / "db.json", root / "tools.json")
    assert (found.splits, found.items) == (None, None)
    (root / "db.json").unlink()
    assert resolve_source(str(tmp_path)).database is None


def test_a_file_that_a_field_names_has_to_be_there(tmp_path: Path) -> None:
    write_set(tmp_path, 'name = "lake"\n[domains.boats]\ndatabase = "rows.json"\n')
    with pytest.raises(LoadError, match=r"rows\.json: there is no such database file"):
        load_benchmark(resolve_source(str(tmp_path)))


def test_tasks_may_be_a_folder(tmp_path: Path) -> None:
    write_set(tmp_path)
    (tmp_path / "boats/tasks.json").unlink()
    (tmp_path / "boats/tasks").mkdir()
    assert resolve_source(str(tmp_path)).tasks == tmp_path / "boats/tasks"


def test_files_that_the_user_names_win(tmp_path: Path) -> None:
    write_set(
        tmp_path, 'name = "lake"\n[domains.boats]\nitems = "x.items.json"\npolicy_template = "{{file:policy.md}}"\n'
    )
    other = write_domain(tmp_path / "other")
    found = resolve_source(
        str(tmp_path / "boats"), policy=other / "policy.md", tools=other / "tools.json", use_items=False
    )
    assert (found.policy, found.tools, found.use_items) == (other / "policy.md", other / "tools.json", False)
    assert (found.items, found.policy_template) == (None, None)


def test_a_set_of_several_domains_asks_which(tmp_path: Path) -> None:
    write_set(tmp_path, 'name = "lake"\n[domains.boats]\n[domains.piers]\n', "boats", "piers")
    with pytest.raises(UsageError, match=r"lake has 2 domains\. Name one: lake/boats, lake/piers\."):
        resolve_source(str(tmp_path))
    with pytest.raises(UsageError, match=r"lake has no domain 'boat'\. Did you mean lake/boats\?"):
        resolve_source("lake/boat", data_dir=tmp_path)
    with pytest.raises(UsageError, match=r"lake has no domain 'zzz'\. Name one: lake/boats, lake/piers\."):
        resolve_source(f"{tmp_path}/zzz")


def test_two_sets_of_one_name_are_refused_both_named(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write_set(tmp_path / folder)
    with pytest.raises(LoadError, match=r"/a, .*/b: several sets have the name 'lake'\. Rename one"):
        resolve_source("lake/boats", data_dir=tmp_path)


def test_a_broken_manifest_stops_its_own_set_alone(tmp_path: Path) -> None:
    write_set(tmp_path / "lake")
    write_set(tmp_path / "pond", "name = \n")
    assert resolve_source("lake/boats", data_dir=tmp_path).name == "lake/boats"
    with pytest.raises(LoadError, match=r"pond/benchmark\.toml: is not TOML"):
        resolve_source("pond/boats", data_dir=tmp_path)


def test_sets_of_the_data_folder_are_listed(tmp_path: Path) -> None:
    write_set(tmp_path / "lake", 'name = "lake"\nlicence = "ours"\n[domains.boats]\n[domains.absent]\n')
    write_set(tmp_path / "pond", "")
    known = {line.name: line for line in list_known(tmp_path)}
    assert (known["lake/boats"].folder, known["lake/boats"].n_tasks) == (tmp_path / "lake/boats", None)
    assert known["lake/boats"].licence == "ours"
    assert known["lake/absent"].folder is None
    assert not [name for name in known if name.startswith("pond")]


@pytest.mark.parametrize(
    ("manifest", "complaint"),
    [
        ("name = \n", r": is not TOML \(Invalid value \(at line 1"),
        ("a = " + "[" * 3000, ": is n(ot TOML|ested too deep)"),
        ("", r" name: the field 'name' is missing \(and 1 more faults\)"),
        ('name = "x"\n', r" domains: the field 'domains' is missing"),
        ('name = "x"\n[domains]\n', r" domains: there is no domain: each has a table \[domains\.NAME\]"),
        ('name = "a b"\n[domains.d]\n', r" name: 'a b' is no name: use letters"),
        ('name = "tau3"\n[domains.d]\n', r" name: the name 'tau3' belongs to a set that bench-audit knows"),
        ('name = "x"\n[domains."a/b"]\n', r" domains\.a/b: 'a/b' is no name"),
        ('name = "x"\ntitel = "T"\n[domains.d]\n', r" titel: there is no field 'titel', did you mean 'title'\?"),
        ('name = "x"\nzzz = 1\n[domains.d]\n', r" zzz: there is no field 'zzz': there are name, title, "),
        ('name = "x"\n[domains.d]\npolcy = "p"\n', r" domains\.d\.polcy: .*did you mean 'policy'\?"),
        ('name = "x"\ntitle = 7\n[domains.d]\n', r" title: must be a string"),
        ('name = "x"\n[domains]\nd = 7\n', r" domains\.d: "),
        ('name = "x"\nstyle = "t"\n[domains.d]\n', r" style: there is no style 't': choose among tau, workflow, plan"),
        ('name = "x"\n[domains.d]\npolicy = "../p"\n', r" domains\.d\.policy: '\.\./p' is no path inside the set"),
        ('name = "x"\n[domains.d]\nfolder = "/etc"\n', r" domains\.d\.folder: '/etc' is no path inside"),
        ('name = "x"\n[domains.d]\ntasks = "C:\\\\t"\n', r" domains\.d\.tasks: .* is no path inside"),
        ('name = "x"\n[domains.d]\ntools = ""\n', r" domains\.d\.tools: '' is no path inside"),
    ],
)
def test_each_fault_of_a_manifest_is_one_line_that_names_the_field(
    tmp_path: Path, manifest: str, complaint: str
) -> None:
    path = tmp_path / "benchmark.toml"
    path.write_text(manifest, encoding="utf-8")
    with pytest.raises(LoadError, match=rf"benchmark\.toml{complaint}") as caught:
        read_own(path)
    assert "\n" not in str(caught.value)


def test_a_manifest_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "benchmark.toml"
    with pytest.raises(LoadError, match="can't be read"):
        read_own(path)
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(LoadError, match="is not UTF-8 text"):
        read_own(path)
