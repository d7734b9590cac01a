from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from audit.errors import OutputError, UsageError
from audit.inspection import Places, load
from audit.perturbations.registry import PERTURBATIONS, perturb
from audit.perturbations.writing import check_folder, seen_of, write_perturbed
from audit.records.task import Benchmark
from audit.reports.perturbed import Account, render_json, render_text
from tests.perturbations import worlds


def account_of(kind: str, original: Benchmark, *, rate: float = 1.0) -> Account:
    known = PERTURBATIONS[kind]
    other = None
    if known.needs_other:
        other = load(worlds.SAMPLE, Places())
        other = replace(other, policy=replace(other.policy, text="# Other\n\n- Do nothing.", sha256="0", items=()))
    found = perturb(original, kind, rate=rate, other=other)
    return Account(found, original, known.direction, known.metrics, other, tool_version="9")


@pytest.mark.parametrize("name", worlds.FORMATS)
@pytest.mark.parametrize("kind", [kind for kind in PERTURBATIONS if kind != "swap-policy"])
def test_what_is_written_loads_as_it_is_in_memory(tmp_path: Path, name: str, kind: str) -> None:
    source = worlds.locate(name, tmp_path / "in")
    account = account_of(
        kind, worlds.make(name, tmp_path / "again"), rate=0.6 if not PERTURBATIONS[kind].is_whole else 1
    )
    assert write_perturbed(account, source, target=tmp_path / "out") == ()
    made, loaded = account.perturbed.benchmark, load(str(tmp_path / "out"), Places())
    assert [seen_of(loaded, task) for task in loaded.tasks] == [seen_of(made, task) for task in made.tasks]
    assert loaded.policy.items == made.policy.items
    assert loaded.database == made.database


@pytest.mark.parametrize("name", worlds.FORMATS)
def test_another_policy_is_written_with_its_items(tmp_path: Path, name: str) -> None:
    source, original = worlds.locate(name, tmp_path / "in"), worlds.make(name, tmp_path / "again")
    other = worlds.make("boats" if name == "sample" else "sample", tmp_path / "other")
    found = perturb(original, "swap-policy", other=other)
    account = Account(found, original, PERTURBATIONS["swap-policy"].direction, (), other)
    notes = write_perturbed(account, source, target=tmp_path / "out")
    loaded = load(str(tmp_path / "out"), Places())
    assert loaded.policy.text == other.policy.text
    assert notes == ()
    assert loaded.policy.items == other.policy.items


def test_tasks_that_were_not_changed_are_the_same_to_the_byte(tmp_path: Path) -> None:
    source = worlds.locate("sample", tmp_path)
    account = account_of("drop-step", load(worlds.SAMPLE, Places()), rate=0.2)
    write_perturbed(account, source, target=tmp_path / "out")
    before, after = source.tasks.read_text(), (tmp_path / "out" / "tasks.json").read_text()
    assert len(account.perturbed.changed_ids) == 8
    for task in json.loads(before):
        lines = f'"id": "{task["id"]}"'
        assert lines in after
    assert (tmp_path / "out" / "db.json").read_bytes() == (source.root / "db.json").read_bytes()
    assert json.loads(after) == [task.raw for task in account.perturbed.benchmark.tasks]


def test_the_record_says_what_was_changed_from_what_to_what(tmp_path: Path) -> None:
    source = worlds.locate("sample", tmp_path)
    account = account_of("wrong-entity", load(worlds.SAMPLE, Places()))
    write_perturbed(account, source, target=tmp_path / "out")
    stated = json.loads((tmp_path / "out" / "perturbation.json").read_text())
    assert (stated["kind"], stated["rate"], stated["seed"], stated["tool_version"]) == ("wrong-entity", 1.0, 0, "9")
    assert stated["must"] == {"direction": "lowers", "metrics": ["desc_alignment", "offline_match"]}
    assert stated["n_changed"] == len(stated["tasks"]) == 42 - len(stated["untouched"])
    assert {file["path"] for file in stated["benchmark"]["files"]} >= {"tasks.json", "policy.md", "db.json"}
    change = stated["tasks"][0]["changes"][0]
    assert change["before"] != change["after"]
    assert change["partner"].split()[1] in change["after"]
    assert stated["files"] == ["db.json", "policy.md", "split_tasks.json", "tasks.json", "tools.json"]


def test_the_same_perturbation_gives_the_same_record() -> None:
    original = load(worlds.SAMPLE, Places())
    assert render_json(account_of("pad", original)) == render_json(account_of("pad", original))


def test_the_text_shows_some_tasks_and_counts_the_others() -> None:
    account = account_of("drop-step", load(worlds.SAMPLE, Places()))
    lines = list(render_text(account, n_shown=1))
    assert lines[:2] == [
        "drop-step of sample/library, rate 1, seed 0",
        "40 of 42 tasks changed; this must lower desc_alignment",
    ]
    assert lines[3].startswith("2 can't be changed in this way: its expected behavior has no step")
    assert "task lib_01 evaluation_criteria.actions[2]" in lines
    assert "  + nothing" in lines
    assert not any("lib_02" in line for line in lines)


def test_a_shared_change_and_where_it_is_from_are_shown(tmp_path: Path) -> None:
    account = account_of("swap-policy", load(worlds.SAMPLE, Places()))
    text = "\n".join(render_text(account, n_shown=1))
    assert "swap-policy with sample/library of sample/library" in text
    assert "all tasks policy, from sample/library" in text
    assert "must lower policy_alignment, violation_count, violation_coverage" in text
    assert "must not move" in "\n".join(render_text(account_of("pad", account.original), n_shown=0))


def test_a_format_without_a_writer_says_so_before_anything_is_changed(tmp_path: Path) -> None:
    source = replace(worlds.locate("sample", tmp_path), loader="stone")
    with pytest.raises(UsageError, match="'stone' are read only"):
        check_folder(source, tmp_path / "out", may_replace=False)


def test_only_an_earlier_perturbation_is_replaced(tmp_path: Path) -> None:
    source, target = worlds.locate("sample", tmp_path), tmp_path / "out"
    write_perturbed(account_of("pad", load(worlds.SAMPLE, Places())), source, target=target)
    with pytest.raises(OutputError, match=r"not empty.*--force"):
        check_folder(source, target, may_replace=False)
    check_folder(source, target, may_replace=True)
    (target / "perturbation.json").write_text('{"format": "other"}')
    with pytest.raises(OutputError, match="which no export wrote"):
        check_folder(source, target, may_replace=True)
    (target / "perturbation.json").write_text("{")
    with pytest.raises(OutputError, match="which no export wrote"):
        check_folder(source, target, may_replace=True)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda made: replace(made, tasks=made.tasks[::-1]), "its tasks would differ"),
        (lambda made: replace(made, database={}), "its database would differ"),
        (
            lambda made: replace(made, tasks=(replace(made.tasks[0], rows=()), *made.tasks[1:])),
            "the rows of task lib_01 would differ",
        ),
    ],
)
def test_a_folder_that_would_be_judged_otherwise_is_refused(tmp_path: Path, spoil: object, words: str) -> None:
    source = worlds.locate("sample", tmp_path)
    account = account_of("pad", load(worlds.SAMPLE, Places()))
    assert callable(spoil)
    spoilt = replace(account.perturbed, benchmark=spoil(account.perturbed.benchmark))
    original = replace(account.original, database=spoilt.benchmark.database)
    with pytest.raises(OutputError, match=words):
        write_perturbed(replace(account, perturbed=spoilt, original=original), source, target=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_that_would_not_load_is_refused(tmp_path: Path) -> None:
    source = worlds.locate("sample", tmp_path)
    account = account_of("pad", load(worlds.SAMPLE, Places()))
    with pytest.raises(OutputError, match=r"would not load as the perturbed benchmark \(there is no policy"):
        write_perturbed(account, replace(source, policy=None, root=tmp_path), target=tmp_path / "out")


def test_items_that_the_folder_can_not_hold_are_said(tmp_path: Path) -> None:
    source, original = worlds.locate("ferries", tmp_path / "in"), worlds.make("ferries", tmp_path / "again")
    other = load(worlds.SAMPLE, Places())
    changed = replace(other.policy, text=f"{other.policy.text}\nMore.", sha256="1")
    found = perturb(original, "swap-policy", other=replace(other, policy=changed))
    account = Account(found, original, PERTURBATIONS["swap-policy"].direction, (), other)
    notes = write_perturbed(account, source, target=tmp_path / "out")
    assert notes == (f"The policy in the folder has 0 items, not {len(changed.items)}",)
