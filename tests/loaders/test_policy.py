from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from audit.errors import LoadError, PolicyChangedError
from audit.loaders.policy import normalise, read_policy
from audit.records.policy import ItemKind, PolicyItem
from tests.loaders.boats import POLICY, write_json

TEXT = normalise(POLICY)


def item(id: str = "B1", *, start: object = 15, end: object = 35, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"id": id, "title": "No moving", "kind": "prohibition", "start": start, "end": end, **fields}


def shelf_with(tmp_path: Path, *items: object, name: str = "boats", text: str = TEXT) -> Path:
    digest = hashlib.sha256(text.encode()).hexdigest()
    write_json(
        tmp_path / "shelf" / name / "items.json", {"policy": "my/boats", "document_sha256": digest, "items": items}
    )
    return tmp_path / "shelf"


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "policy.md"
    path.write_text(POLICY, encoding="utf-8")
    return path


def test_items_are_found_by_the_document_s_hash(tmp_path: Path, document: Path) -> None:
    policy = read_policy(document, shelf=shelf_with(tmp_path, item(), item("B2", start=39, end=64)))
    assert policy.items[0] == PolicyItem("B1", "No moving", ItemKind.PROHIBITION, 15, 35)
    assert [policy.quote(found) for found in policy.items] == ["Hires can't be moved", "Ask for the member number"]
    assert (policy.name, policy.no_items_reason) == ("my/boats", "")


def test_line_ends_and_a_byte_order_mark_do_not_change_the_document(tmp_path: Path, document: Path) -> None:
    document.write_bytes(b"\xef\xbb\xbf" + POLICY.replace("\n", " \r\n").encode())
    assert len(read_policy(document, items="boats", shelf=shelf_with(tmp_path, item())).items) == 1


def test_named_items_of_another_version_are_refused_with_a_way_out(tmp_path: Path, document: Path) -> None:
    document.write_text(POLICY + "- No pets.\n", encoding="utf-8")
    shelf = shelf_with(tmp_path, item())
    with pytest.raises(PolicyChangedError, match=r"policy\.md: the items of my/boats belong to another version"):
        read_policy(document, items="boats", shelf=shelf)
    with pytest.raises(PolicyChangedError, match="--policy-items none"):
        read_policy(document, items="boats", shelf=shelf)
    assert read_policy(document, items="boats", use_items=False, shelf=shelf).items == ()


def test_a_document_without_items_says_why(tmp_path: Path, document: Path) -> None:
    shelf = shelf_with(tmp_path, item(), text="Another document.")
    assert read_policy(document, shelf=shelf).no_items_reason == "no items are known for this document"
    assert read_policy(document, use_items=False, shelf=shelf).no_items_reason == "items were switched off"
    empty = shelf_with(tmp_path)
    assert read_policy(document, shelf=empty).no_items_reason == "the item set made for this document is empty"


def test_the_shipped_sets_are_looked_at_by_default(document: Path) -> None:
    assert read_policy(document).no_items_reason == "no items are known for this document"


@pytest.mark.parametrize(
    ("items", "complaint"),
    [
        ([item(start=35)], "item B1 spans 35 to 35"),
        ([item(end=999)], "item B1 spans 15 to 999: empty, outside the text or before the last item's end"),
        ([item(), item("B2", start=34, end=40)], "item B2 spans 34 to 40"),
        ([item("B2", start=39, end=64), item()], "item B1 spans 15 to 35"),
        ([item(), item(start=39, end=64)], "two items have the id B1"),
        ([item(kind="advice")], "item B1 has the kind 'advice'. Choose among permission, prohibition"),
        ([item(start=-1)], r"items\.0\.start: Input should be greater than or equal to 0"),
        ([item(start="15")], r"items\.0\.start: Input should be a valid integer"),
        ([item(id="⟦A⟧")], r"items\.0\.id: String should match pattern"),
        ([item(title="")], r"items\.0\.title: String should have at least 1 character"),
        ([item(text="copied")], r"items\.0\.text: Extra inputs are not permitted"),
        ([3], r"items\.0: Input should be"),
    ],
)
def test_unsound_items_are_one_line(tmp_path: Path, document: Path, items: list[object], complaint: str) -> None:
    with pytest.raises(LoadError, match=complaint) as caught:
        read_policy(document, shelf=shelf_with(tmp_path, *items))
    assert "items.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_item_file_that_is_not_json_is_one_line(tmp_path: Path, document: Path) -> None:
    path = tmp_path / "shelf" / "boats" / "items.json"
    path.parent.mkdir(parents=True)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(LoadError, match=r"items\.json: Invalid JSON"):
        read_policy(document, shelf=tmp_path / "shelf")


def test_a_promised_item_set_that_is_not_there_is_one_line(tmp_path: Path, document: Path) -> None:
    with pytest.raises(LoadError, match="there is no such policy items file"):
        read_policy(document, items="boats", shelf=tmp_path)


@pytest.mark.parametrize("content", [b"", b" \n\n", b"\xef\xbb\xbf"])
def test_an_empty_policy_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "policy.md").write_bytes(content)
    with pytest.raises(LoadError, match="the policy is empty"):
        read_policy(tmp_path / "policy.md")


def test_a_policy_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "policy.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LoadError, match=r"policy\.md:1: not UTF-8"):
        read_policy(tmp_path / "policy.md")


def test_a_long_run_of_blanks_is_no_trap() -> None:
    assert normalise("a" + " " * 50_000 + "b \t\u3000\nc") == "a" + " " * 50_000 + "b\nc"
