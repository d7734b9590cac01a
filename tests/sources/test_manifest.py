from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.resources import resource
from audit.sources.find import check_set, describe_version, digest_of, sha256_of
from audit.sources.manifest import Domain, Manifest, read_manifest, read_manifests


def manifest(**domain: object) -> Manifest:
    return Manifest.model_validate(
        {
            "title": "T",
            "origin": "https://example.org",
            "revision": "r1",
            "licence": "MIT",
            "loader": "tau",
            "style": "tau",
            "default_split": None,
            "directories": [],
            "author_family": None,
            "domains": {"boats": {"title": "B", "n_tasks": 1, "items": None, "tools": None, **domain}},
        }
    )


def test_every_manifest_names_files_that_ship() -> None:
    for found in read_manifests().values():
        for domain in found.domains.values():
            if domain.tools is not None:
                assert resource("benchmarks", "tools", f"{domain.tools}.json").is_file()
            if domain.items is not None:
                assert resource("policies", domain.items, "items.json").is_file()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"licence": None}, "licence: Input should be a valid string"),
        ({"colour": 1}, "colour: Extra inputs are not permitted"),
        ({"domains": {"x": {"title": "X"}}}, r"domains\.x\.n_tasks: Field required"),
    ],
)
def test_a_broken_manifest_is_one_line(tmp_path: Path, change: dict[str, object], complaint: str) -> None:
    path = tmp_path / "set.json"
    path.write_text(json.dumps(manifest().model_dump() | change), encoding="utf-8")
    with pytest.raises(LoadError, match=rf"set\.json {complaint}\. Correct the manifest\."):
        read_manifest(path)


def test_tasks_that_another_set_pins_are_refused(tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text("[]", encoding="utf-8")
    digest = sha256_of(tmp_path / "tasks.json")
    sets = {"old": manifest(), "new": manifest(sha256={"tasks.json": digest})}
    with pytest.raises(
        LoadError, match=r"these are the tasks of new/boats, not of old/boats\. Name new/boats, or point"
    ):
        check_set(tmp_path, set_name="old", domain="boats", manifests=sets)
    check_set(tmp_path, set_name="new", domain="boats", manifests=sets)


def test_a_version_says_whether_the_tasks_are_the_pinned_ones(tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text("[]", encoding="utf-8")
    digest = sha256_of(tmp_path / "tasks.json")

    def version(**pinned: str) -> str:
        found = manifest(sha256=pinned)
        return describe_version(found, found.domains["boats"], folder=tmp_path)

    assert version(**{"tasks.json": digest}) == "r1"
    assert version(**{"tasks.json": "0" * 64}) == "not the pinned r1"
    assert version() == "r1 (not compared)"
    ours = manifest().model_copy(update={"revision": ""})
    assert describe_version(ours, Domain(title="B", n_tasks=1, items=None, tools=None), folder=tmp_path) == ""


def test_a_file_that_cannot_be_hashed_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="can't be read"):
        sha256_of(tmp_path)


def test_a_folder_s_digest_changes_with_every_file_and_name(tmp_path: Path) -> None:
    def digest(**files: str) -> str:
        folder = tmp_path / "tasks"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for stem, content in files.items():
            (folder / f"{stem}.json").write_text(content)
        return digest_of(folder)

    digests = [digest(a="1", b="2"), digest(a="1", b="3"), digest(a="1", c="2"), digest(a="1")]
    assert len(set(digests)) == 4
    (tmp_path / "tasks" / "notes.txt").write_text("not a task")
    assert digest_of(tmp_path / "tasks") == digests[-1]
    assert digest_of(tmp_path / "tasks" / "a.json") == sha256_of(tmp_path / "tasks" / "a.json")
