from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import LoadError, UsageError
from audit.loaders.registry import load_benchmark
from audit.resources import resource
from audit.sources.listing import list_known
from audit.sources.resolve import resolve_source
from tests.loaders.boats import write_domain, write_json


def write_set(root: Path, inner: str = "domains", domain: str = "airline") -> Path:
    return write_domain(root / inner / domain, split_tasks={"base": ["1"]})


@pytest.mark.parametrize(
    "place",
    [
        "domains",
        "data/tau2/domains",
        "tau3/domains",
        "tau3/data/tau2/domains",
        "tau2-bench/data/tau2/domains",
        "tau2-bench/domains",
        "tau3-bench/domains",
    ],
)
def test_a_set_is_found_in_every_layout(tmp_path: Path, place: str) -> None:
    folder = write_set(tmp_path, place)
    found = resolve_source("tau3/airline", data_dir=tmp_path)
    assert found.root == folder
    assert (found.tasks, found.policy, found.database) == (
        folder / "tasks.json",
        folder / "policy.md",
        folder / "db.json",
    )
    assert found.splits == folder / "split_tasks.json"


def test_a_known_set_brings_its_own_tool_table_items_and_style(tmp_path: Path) -> None:
    write_set(tmp_path)
    found = resolve_source("tau3/airline", data_dir=tmp_path)
    assert found.tools == resource("benchmarks", "tools", "tau-airline.json")
    assert (found.items, found.default_split, found.style, found.loader) == ("tau-airline", "base", "tau", "tau")
    assert found.title == "τ³-bench: Airline customer service"
    assert found.author_family is None


def test_tasks_that_are_not_the_pinned_ones_say_so(tmp_path: Path) -> None:
    write_set(tmp_path)
    assert resolve_source("tau3/airline", data_dir=tmp_path).version.startswith("not the pinned ")
    write_set(tmp_path, domain="telecom")
    assert resolve_source("tau2/telecom", data_dir=tmp_path).version == "v0.2.0 (not compared)"


def test_files_that_a_set_may_lack_are_left_out(tmp_path: Path) -> None:
    folder = write_set(tmp_path)
    (folder / "split_tasks.json").unlink()
    (folder / "db.json").unlink()
    found = resolve_source("tau3/airline", data_dir=tmp_path)
    assert (found.splits, found.database) == (None, None)


def test_a_set_without_its_policy_is_one_line(tmp_path: Path) -> None:
    (write_set(tmp_path) / "policy.md").unlink()
    with pytest.raises(LoadError, match=r"policy\.md: there is no such policy file"):
        load_benchmark(resolve_source("tau3/airline", data_dir=tmp_path))


def test_named_files_win_and_another_policy_loses_the_promised_items(tmp_path: Path) -> None:
    folder = write_set(tmp_path)
    other = write_domain(tmp_path / "other")
    found = resolve_source(
        "tau3/airline",
        data_dir=tmp_path,
        policy=other / "policy.md",
        database=other / "db.json",
        tools=folder / "tools.json",
        use_items=False,
    )
    assert (found.policy, found.database, found.tools) == (
        other / "policy.md",
        other / "db.json",
        folder / "tools.json",
    )
    assert found.items is None
    assert not found.use_items


def test_the_sample_needs_no_data_folder() -> None:
    benchmark = load_benchmark(resolve_source("sample/library"))
    (known,) = [known for known in list_known() if known.name == "sample/library"]
    assert known.folder is not None
    assert len(benchmark.tasks) == known.n_tasks
    assert benchmark.policy.items
    assert all(task.rows for task in benchmark.tasks)


def test_without_a_data_folder_the_message_says_where_to_get_the_set() -> None:
    with pytest.raises(LoadError) as caught:
        resolve_source("tau3/retail")
    line = str(caught.value)
    for part in ("tau3/retail", "https://github.com/", "--data-dir", "BENCH_AUDIT_DATA"):
        assert part in line


def test_a_data_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="the data folder does not exist"):
        resolve_source("tau3/retail", data_dir=tmp_path / "nowhere")


def test_a_data_folder_without_the_set_says_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(
        LoadError, match=r"no tasks\.json in domains/retail, data/tau2/domains/retail, or the same below"
    ):
        resolve_source("tau3/retail", data_dir=tmp_path)


def test_an_unknown_domain_or_set_brings_close_names_and_all() -> None:
    with pytest.raises(UsageError, match=r"tau3/airlin: no benchmark has this name\. Did you mean tau3/airline or"):
        resolve_source("tau3/airlin")
    with pytest.raises(UsageError, match=r"zzz/qqq: no benchmark has this name\. Known: .*tau3/mock"):
        resolve_source("zzz/qqq")


def test_a_path_that_does_not_exist_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no benchmark has this name, and no such path"):
        resolve_source(str(tmp_path / "gone"))


def test_a_folder_is_a_private_benchmark_with_what_lies_beside_its_tasks(tmp_path: Path) -> None:
    folder = write_domain(tmp_path, split_tasks={})
    found = resolve_source(str(folder))
    assert (found.name, found.root, found.items, found.title, found.version) == (str(folder), folder, None, "", "")
    assert (found.database, found.tools, found.splits) == (
        folder / "db.json",
        folder / "tools.json",
        folder / "split_tasks.json",
    )


def test_a_task_file_of_any_name_is_a_private_benchmark(tmp_path: Path) -> None:
    folder = write_domain(tmp_path, skip=("db", "tools"))
    tasks = (folder / "tasks.json").rename(folder / "fixed.json")
    found = resolve_source(str(tasks))
    assert (found.tasks, found.policy, found.database, found.tools) == (tasks, folder / "policy.md", None, None)


def test_a_private_policy_may_have_any_name(tmp_path: Path) -> None:
    folder = write_domain(tmp_path, skip=("policy",))
    rules = folder / "rules.txt"
    rules.write_text("No swimming.", encoding="utf-8")
    assert resolve_source(str(folder), policy=rules).policy == rules


def test_a_private_benchmark_without_tasks_or_policy_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"no benchmark is in this folder; looked for tasks\.json or"):
        resolve_source(str(tmp_path))
    write_domain(tmp_path, skip=("policy",))
    with pytest.raises(LoadError, match=r"there is no policy\.md beside the tasks\. Name it with --policy FILE\."):
        resolve_source(str(tmp_path))


@pytest.mark.parametrize(("flag", "field"), [("--policy", "policy"), ("--db", "database"), ("--tools", "tools")])
def test_a_file_given_by_flag_must_be_one(tmp_path: Path, flag: str, field: str) -> None:
    folder = write_domain(tmp_path)
    given: dict[str, Path] = {field: tmp_path / "gone"}
    with pytest.raises(LoadError, match=f"the file given with {flag} does not exist"):
        resolve_source(str(folder), **given)  # type: ignore[arg-type]  # one of three flags
    given = {field: tmp_path}
    with pytest.raises(LoadError, match=f"the file given with {flag} is not a file"):
        resolve_source(str(folder), **given)  # type: ignore[arg-type]  # one of three flags


def test_every_known_benchmark_is_listed_and_found_only_where_its_files_are(tmp_path: Path) -> None:
    folder = write_set(tmp_path)
    known = {line.name: line for line in list_known(tmp_path)}
    assert {"sample/library", "tau2/airline", "tau2/mock", "tau3/airline", "tau3/mock", "tau3/retail"} <= set(known)
    assert known["tau3/airline"].folder == folder
    assert (known["tau3/airline"].n_tasks, known["tau3/retail"].folder) == (50, None)
    assert all(line.licence and line.title for line in known.values())


@pytest.mark.parametrize("name", ["x" * 300, "~no-such-user/x"])
def test_words_that_no_system_takes_for_a_path_name_nothing(name: str) -> None:
    with pytest.raises(UsageError, match="no benchmark has this name"):
        resolve_source(name)


@pytest.mark.parametrize("file", ["policy.md", "db.json", "tools.json", "split_tasks.json"])
def test_a_link_to_nothing_is_no_absent_file(tmp_path: Path, file: str) -> None:
    folder = write_domain(tmp_path, split_tasks={})
    (folder / file).unlink()
    (folder / file).symlink_to("nowhere")
    with pytest.raises(LoadError, match=f"{file}: there is no such"):
        load_benchmark(resolve_source(str(folder)))


def write_bank(root: Path) -> Path:
    folder = write_domain(root / "domains" / "banking_knowledge")
    write_json(folder / "tasks" / "task_001.json", {"id": "1"})
    write_json(folder / "documents" / "a.json", {"id": "a"})
    return folder


@pytest.mark.parametrize("name", ["tau3/banking", "tau3/banking_knowledge"])
def test_a_domain_is_found_by_its_name_or_its_folder_s_with_its_folder_of_tasks(tmp_path: Path, name: str) -> None:
    folder = write_bank(tmp_path)
    found = resolve_source(name, data_dir=tmp_path)
    assert (found.name, found.root, found.tasks) == ("tau3/banking", folder, folder / "tasks")
    assert (found.policy, found.documents) == (folder / "prompts" / "required_docs.md", folder / "documents")
    assert (found.splits, found.tools) == (None, resource("benchmarks", "tools", "tau-banking.json"))
    assert found.version.startswith("not the pinned ")


def test_a_domain_without_the_files_of_its_tasks_is_not_found(tmp_path: Path) -> None:
    folder = write_bank(tmp_path)
    (folder / "tasks" / "task_001.json").unlink()
    with pytest.raises(LoadError, match=r"tau3/banking is not here: no tasks in domains/banking"):
        resolve_source("tau3/banking", data_dir=tmp_path)


def test_a_domain_s_policy_may_be_put_together_unless_another_is_named(tmp_path: Path) -> None:
    folder = write_domain(tmp_path / "domains" / "telecom", skip=("db",))
    for name in ("db.toml", "user_db.toml", "main_policy.md", "tech_support_manual.md"):
        (folder / name).write_text("")
    found = resolve_source("tau3/telecom", data_dir=tmp_path)
    assert (found.database, found.user_database) == (folder / "db.toml", folder / "user_db.toml")
    assert found.policy_template is not None
    assert "{{file:tech_support_manual.md}}" in found.policy_template
    named = resolve_source("tau3/telecom", data_dir=tmp_path, policy=folder / "policy.md")
    assert (named.policy, named.policy_template) == (folder / "policy.md", None)


def test_a_private_benchmark_takes_every_file_of_the_known_layouts(tmp_path: Path) -> None:
    folder = write_domain(tmp_path, skip=("db", "policy"))
    for name in ("db.toml", "user_db.toml", "documents.jsonl", "prompts/required_docs.md"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")
    found = resolve_source(str(folder))
    assert (found.database, found.user_database) == (folder / "db.toml", folder / "user_db.toml")
    assert (found.documents, found.policy) == (folder / "documents.jsonl", folder / "prompts" / "required_docs.md")
    write_json(folder / "documents" / "a.json", {})
    write_json(folder / "db.json", {})
    again = resolve_source(str(folder))
    assert (again.documents, again.database) == (folder / "documents", folder / "db.json")


def test_a_domain_that_a_set_publishes_without_tasks_is_told_from_one_that_nobody_knows() -> None:
    with pytest.raises(
        UsageError, match=r"intellagent/retail: the set publishes no tasks of this domain\. Generate some"
    ):
        resolve_source("intellagent/retail")
    with pytest.raises(UsageError, match="intellagent/boats: no benchmark has this name"):
        resolve_source("intellagent/boats")
