from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.loaders.policy import normalise
from audit.loaders.registry import load_benchmark
from audit.records.task import Benchmark
from audit.sources.resolve import resolve_source
from tests.loaders.boats import load, task, write_document, write_domain, write_json
from tests.loaders.clubs import HEADER, MORE, TEMPLATE, needing, write_club


def write_items(folder: Path, name: str, text: str, *ids: str) -> None:
    digest = hashlib.sha256(normalise(text).encode()).hexdigest()
    items = [
        {"id": id, "title": "Alone", "kind": "prohibition", "start": n * 5, "end": n * 5 + 4}
        for n, id in enumerate(ids)
    ]
    write_json(folder / name / "items.json", {"policy": f"club/{name}", "document_sha256": digest, "items": items})


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of our own that item sets are looked for in."""
    found = tmp_path / "shelf"
    found.mkdir()
    monkeypatch.setattr("audit.loaders.policy.resource", lambda *_: found)
    return found


def own_text(benchmark: Benchmark, number: int = 0) -> str:
    return benchmark.policy_of(benchmark.tasks[number]).text


def test_a_task_s_policy_is_the_template_with_its_documents_in_the_order_that_it_names_them(tmp_path: Path) -> None:
    benchmark = load(write_club(tmp_path, needing("storms", "fees")))
    assert own_text(benchmark) == (
        "# Club rules\n\n- Nobody sails alone.\n\n\n\n# What you may read\n\n\n\n## More\n\nAsk twice.\n\n\n"
        '<required_documents>\n<document id="storms">\nStay ashore.\n</document>\n'
        '<document id="fees">\n# Fees\n\nA fee of 5.\n\n- In coins.\n</document>\n</required_documents>'
    )


def test_the_shared_policy_is_the_beginning_of_every_task_s(tmp_path: Path) -> None:
    benchmark = load(write_club(tmp_path, needing("fees"), needing("storms", id="2"), needing(id="3")))
    assert benchmark.policy.text.endswith("## More\n\nAsk twice.")
    assert own_text(benchmark, 0).startswith(benchmark.policy.text)
    assert own_text(benchmark, 1).startswith(benchmark.policy.text)
    assert own_text(benchmark, 0) != own_text(benchmark, 1)
    assert benchmark.tasks[2].policy is None


def test_tasks_that_name_the_same_documents_share_one_policy(tmp_path: Path) -> None:
    first, second = load(write_club(tmp_path, needing("fees"), needing("fees", id="2"))).tasks
    assert first.policy is second.policy


def test_every_piece_of_a_policy_knows_its_file(tmp_path: Path) -> None:
    benchmark = load(write_club(tmp_path, needing("fees")))
    policy = benchmark.policy_of(benchmark.tasks[0])
    assert {piece.file: policy.text[piece.start : piece.end].strip() for piece in policy.pieces} == {
        "prompts/components/header.md": "# Club rules\n\n- Nobody sails alone.",
        "prompts/required_docs.md": "</required_documents>",
        "prompts/components/more.md": "## More\n\nAsk twice.",
        "documents/fees.json": "# Fees\n\nA fee of 5.\n\n- In coins.",
    }
    assert policy.files[:2] == ("prompts/components/header.md", "prompts/required_docs.md")
    assert [name for name, _ in benchmark.policy.texts] == [piece.file for piece in benchmark.policy.pieces]
    assert {"prompts/components/more.md", "documents/fees.json"} <= {file.path for file in benchmark.files}
    assert "documents/storms.json" not in {file.path for file in benchmark.files}


def test_blank_lines_before_a_policy_move_no_piece(tmp_path: Path) -> None:
    benchmark = load(write_club(tmp_path, policy=f"\n\n{TEMPLATE}"))
    (first, *_) = benchmark.policy.pieces
    assert benchmark.policy.text[first.start : first.end].startswith("# Club rules")


def test_a_policy_without_a_place_for_documents_gets_them_at_its_end(tmp_path: Path) -> None:
    folder = write_domain(tmp_path, [needing("fees"), task("2")])
    write_document(folder / "documents", "fees", title="Fees", content="A fee of 5.")
    benchmark = load(folder)
    assert benchmark.policy.pieces == ()
    assert own_text(benchmark) == (
        f"{benchmark.policy.text}\n\n\n<required_documents>\n"
        '<document id="fees">\n# Fees\n\nA fee of 5.\n</document>\n</required_documents>'
    )
    assert own_text(benchmark, 1) == benchmark.policy.text


def test_documents_may_lie_in_one_file_beside_the_tasks(tmp_path: Path) -> None:
    folder = write_domain(tmp_path, [needing("fees")])
    (folder / "documents.jsonl").write_text('{"id": "fees", "content": "A fee of 5."}\n')
    benchmark = load(folder)
    assert "A fee of 5." in own_text(benchmark)
    assert benchmark.policy_of(benchmark.tasks[0]).files == ("policy.md", "documents.jsonl")


def test_documents_that_nobody_can_read_are_asked_for_only_where_the_policy_needs_them(tmp_path: Path) -> None:
    assert load(write_domain(tmp_path / "plain", [needing("fees")])).tasks[0].policy is None
    club = write_club(tmp_path / "club")
    for path in (club / "documents").iterdir():
        path.unlink()
    (club / "documents").rmdir()
    with pytest.raises(LoadError, match=r"the policy needs documents, and there are none\. Put them into a folder"):
        load(club)


def test_a_document_that_does_not_exist_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"task 2 required_documents: there is no document 'tides'\. Correct the id"):
        load(write_club(tmp_path, needing("fees"), needing("storms", "tides", id="2")))


def test_a_component_that_does_not_exist_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"components.gone\.md: there is no such policy file"):
        load(write_club(tmp_path, policy="{{component:gone}}\n{{required_documents}}"))


@pytest.mark.parametrize("text", ["Write {{component:x}} or {{file:db.json}} in a form.", "{{component:../../x}}"])
def test_a_document_that_only_looks_like_a_template_stays_as_it_is(tmp_path: Path, text: str) -> None:
    folder = write_domain(tmp_path, skip=("policy",))
    (folder / "policy.md").write_text(text)
    assert load(folder).policy.text == text


def test_a_document_includes_components_and_no_other_file(tmp_path: Path) -> None:
    benchmark = load(write_club(tmp_path, policy="{{file:tasks.json}} {{component:..}}\n{{required_documents}}"))
    assert benchmark.policy.text == "{{file:tasks.json}} {{component:..}}"


def test_a_template_of_a_manifest_joins_files_of_the_folder(tmp_path: Path) -> None:
    folder = write_domain(tmp_path)
    (folder / "extra.md").write_text("Bring a rope.\n")
    source = replace(
        resolve_source(str(folder)), policy_template="<a>\n{{file:policy.md}}\n</a>\n<b>\n{{file:extra.md}}\n</b>"
    )
    policy = load_benchmark(source).policy
    assert policy.text == (
        "<a>\n# Boat hire\n\n- Hires can't be moved.\n- Ask for the member number.\n\n</a>\n<b>\nBring a rope.\n\n</b>"
    )
    assert [(file, text) for file, text in policy.texts] == [
        ("policy.md", "# Boat hire\n\n- Hires can't be moved.\n- Ask for the member number.\n"),
        ("extra.md", "Bring a rope.\n"),
    ]


def test_a_policy_that_is_nothing_but_documents_is_empty(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"required_docs\.md: the policy is empty"):
        load(write_club(tmp_path, policy="<required_documents>\n{{required_documents}}\n</required_documents>"))


def test_items_made_for_the_shared_text_hold_in_every_task_s_policy(tmp_path: Path, shelf: Path) -> None:
    folder = write_club(tmp_path / "club")
    write_items(shelf, "whole", load(folder).policy.text, "W1")
    benchmark = load(folder)
    (item,) = benchmark.policy.items
    own = benchmark.policy_of(benchmark.tasks[0])
    assert own.items == (item,)
    assert own.quote(item) == benchmark.policy.quote(item) == "# Cl"
    assert (own.name, own.no_items_reason) == ("club/whole", "")


def test_items_made_for_one_of_the_files_are_moved_to_its_place(tmp_path: Path, shelf: Path) -> None:
    write_items(shelf, "header", HEADER, "H1", "H2")
    write_items(shelf, "more", MORE, "M1")
    benchmark = load(write_club(tmp_path / "club"))
    assert [(item.id, benchmark.policy.quote(item)) for item in benchmark.policy.items] == [
        ("H1", "# Cl"),
        ("H2", "b ru"),
        ("M1", "## M"),
    ]
    assert benchmark.policy_of(benchmark.tasks[0]).items == benchmark.policy.items
    switched_off = load(write_club(tmp_path / "club"), use_items=False)
    assert (switched_off.policy.items, switched_off.policy.no_items_reason) == ((), "items were switched off")


def test_what_no_item_marks_is_told(tmp_path: Path, shelf: Path) -> None:
    assert load(write_club(tmp_path / "club")).policy.items_note == ""
    write_items(shelf, "header", HEADER, "H1", "H2")
    benchmark = load(write_club(tmp_path / "club", needing("fees", "storms")))
    note = benchmark.policy.items_note
    assert note.startswith(
        "The 2 policy items mark what all tasks share. The 2 documents that tasks add to it have none"
    )
    assert "No items are known for prompts/components/more.md: violations of its rules are not counted." in note
    assert "required_docs" not in note
    assert benchmark.policy_of(benchmark.tasks[0]).items_note == note
    write_items(shelf, "more", MORE, "M1")
    assert "components/more.md" not in load(write_club(tmp_path / "club")).policy.items_note


def test_items_of_two_files_with_the_same_id_are_refused(tmp_path: Path, shelf: Path) -> None:
    write_items(shelf, "header", HEADER, "X1")
    write_items(shelf, "more", MORE, "X1")
    with pytest.raises(LoadError, match="the items of two of its documents share the id X1"):
        load(write_club(tmp_path / "club"))


def test_without_items_every_policy_says_why(tmp_path: Path) -> None:
    benchmark = load(write_club(tmp_path))
    reasons = {benchmark.policy.no_items_reason, benchmark.policy_of(benchmark.tasks[0]).no_items_reason}
    assert reasons == {"no items are known for this document"}


def test_no_policy_at_all_is_one_line(tmp_path: Path) -> None:
    source = replace(resolve_source(str(write_domain(tmp_path))), policy=None)
    with pytest.raises(LoadError, match="no policy was given"):
        load_benchmark(source)


def test_a_link_to_nothing_in_place_of_documents_is_told(tmp_path: Path) -> None:
    folder = write_domain(tmp_path, [needing("fees")])
    (folder / "documents").symlink_to(tmp_path / "gone")
    with pytest.raises(LoadError, match="there is no such document file"):
        load(folder)
