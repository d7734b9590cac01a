"""Documents that tasks add to their policy, by id: a folder of files, or one file with a document a line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from audit.errors import LoadError
from audit.loaders.entry import Entry, name_type
from audit.loaders.json_file import InputFile, parse_json, read_input
from audit.records.task import Json, Origin

_ROLE = "document"


@dataclass(frozen=True, slots=True)
class Document:
    """A titled text with the file that it was read from."""

    id: str
    title: str
    content: str
    file: InputFile


def read_documents(path: Path, *, root: Path, wanted: Collection[str]) -> Mapping[str, Document]:
    """Return documents by id, those wanted among them where they exist.

    Parameters
    ----------
    path
        A folder of JSON files with ``id``, ``title`` and ``content``, or a file of such objects, one a line.
    root
        Folder that the files are shown relative to.
    wanted
        Ids. Of a folder, only the files that these need are read: files bear their document's id as their name, and
        where one does not, all are looked at.

    Raises
    ------
    LoadError
        If a document can't be read, or two have the same id.
    """
    if not path.is_dir():
        return _by_id(_read_lines(read_input(path, root=root, role=_ROLE)))
    files = {file.stem: file for file in sorted(path.glob("*.json"))}
    found = _by_id(_read_file(files[name], root) for name in wanted if name in files)
    if set(wanted) <= found.keys():
        return found
    return _by_id(_read_file(file, root) for file in files.values())


def _by_id(documents: Iterator[Document]) -> dict[str, Document]:
    found: dict[str, Document] = {}
    for document in documents:
        if document.id in found:
            what = f"the id {document.id!r} is that of another document in {found[document.id].file.shown} too"
            raise LoadError(what, where=str(document.file.path), mend="Give every document its own id")
        found[document.id] = document
    return found


def _read_file(path: Path, root: Path) -> Document:
    file = read_input(path, root=root, role=_ROLE)
    return _read(parse_json(file), file, "")


def _read_lines(file: InputFile) -> Iterator[Document]:
    """Yield the documents of a file with one a line; they are read as one list, so that faults keep their line."""
    lines = [line for line in file.content.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]
    listed = parse_json(replace(file, content=b"[" + b",\n".join(lines) + b"]"))
    for number, value in enumerate(listed if isinstance(listed, list) else (), 1):
        yield _read(value, file, f"document number {number}")


def _read(value: Json, file: InputFile, place: str) -> Document:
    if not isinstance(value, dict):
        where = f"{file.path} {place}".rstrip()
        raise LoadError(f"a document must be an object, not {name_type(value)}", where=where, mend="Correct it")
    entry = Entry(value, Origin(file.shown, place), file.path)
    return Document(entry.need_text("id"), entry.text("title") or "", entry.need_text("content"), file)
