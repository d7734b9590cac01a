from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.loaders.documents import Document, read_documents
from tests.loaders.boats import write_document, write_json


def lines(path: Path, *values: object) -> Path:
    path.write_bytes(b"".join(json.dumps(value).encode() + b"\n" for value in values))
    return path


def said(found: Document) -> tuple[str, str, str]:
    return found.title, found.content, found.file.shown


def test_of_a_folder_only_the_wanted_files_are_read(tmp_path: Path) -> None:
    write_document(tmp_path / "documents", "fees", title="Fees", content="A fee of 5.")
    (tmp_path / "documents" / "broken.json").write_text("{")
    found = read_documents(tmp_path / "documents", root=tmp_path, wanted=["fees"])
    assert {key: said(value) for key, value in found.items()} == {
        "fees": ("Fees", "A fee of 5.", "documents/fees.json")
    }


def test_a_file_that_does_not_bear_its_document_s_id_is_found(tmp_path: Path) -> None:
    write_json(tmp_path / "documents" / "one.json", {"id": "fees", "content": "A fee of 5."})
    write_json(tmp_path / "documents" / "fees.json", {"id": "storms", "content": "Stay ashore."})
    found = read_documents(tmp_path / "documents", root=tmp_path, wanted=["fees"])
    assert said(found["fees"]) == ("", "A fee of 5.", "documents/one.json")


def test_an_id_is_no_way_out_of_the_folder(tmp_path: Path) -> None:
    write_document(tmp_path, "secret")
    write_document(tmp_path / "documents", "fees")
    found = read_documents(tmp_path / "documents", root=tmp_path, wanted=["../secret", "/etc/hosts"])
    assert set(found) == {"fees"}


def test_a_file_with_one_document_a_line_is_read(tmp_path: Path) -> None:
    path = lines(tmp_path / "documents.jsonl", {"id": "a", "title": "A", "content": "x"}, {"id": "b", "content": "y"})
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes() + b"\n\n")
    found = read_documents(path, root=tmp_path, wanted=["b"])
    assert [said(value) for value in found.values()] == [
        ("A", "x", "documents.jsonl"),
        ("", "y", "documents.jsonl"),
    ]


def test_an_empty_file_holds_no_document(tmp_path: Path) -> None:
    (tmp_path / "documents.jsonl").write_bytes(b"\n")
    assert read_documents(tmp_path / "documents.jsonl", root=tmp_path, wanted=["a"]) == {}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b'{"id": "a", "content": "x"}\n{"id": "a", "content": "y"}\n', "the id 'a' is that of another document"),
        (b'{"id": "a", "content": "x"}\n{"id"', r"documents\.jsonl:2:"),
        (b'{"id": "a", "content": "x"}\n[]\n', "document number 2: a document must be an object, not a list"),
        (b'{"id": "a"}\n', r"document number 1\.content: the field 'content' is missing or blank"),
        (b'{"content": "a"}\n', "the field 'id' is missing or blank"),
        (b'{"id": "a", "content": 3}\n', "must be a text, not a number"),
    ],
)
def test_a_faulty_file_of_documents_is_one_line(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "documents.jsonl"
    path.write_bytes(content)
    with pytest.raises(LoadError, match=complaint):
        read_documents(path, root=tmp_path, wanted=["a"])


def test_a_document_of_a_folder_that_is_no_object_is_one_line(tmp_path: Path) -> None:
    write_json(tmp_path / "documents" / "a.json", [])
    with pytest.raises(LoadError, match=r"a\.json: a document must be an object, not a list"):
        read_documents(tmp_path / "documents", root=tmp_path, wanted=["a"])
