"""A package index, asked where a wheel is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin

from pydantic import BaseModel, ValidationError

from audit.errors import FetchError
from audit.sources.download import Patience, read_page, shown
from audit.sources.manifest import Package

DEFAULT_INDEX = "https://pypi.org/simple"
_JSON, _HTML = "application/vnd.pypi.simple.v1+json", "application/vnd.pypi.simple.v1+html"
_ACCEPT = f"{_JSON}, {_HTML};q=0.2, text/html;q=0.1"
_HASH = re.compile(r"sha256=([0-9a-f]{64})")
_MEND = "Name another index with --index, or give the wheel with --from FILE"


@dataclass(frozen=True, slots=True)
class Found:
    """A file of the index: its address, and its hash as the index states it."""

    url: str
    sha256: str | None


class _File(BaseModel):
    filename: str
    url: str
    hashes: dict[str, str]


class _Project(BaseModel):
    files: list[_File]


def find_wheel(package: Package, *, index: str, patience: Patience) -> Found:
    """Return where an index has a wheel.

    Parameters
    ----------
    index
        Address of a simple index, in its JSON or its HTML form.

    Raises
    ------
    FetchError
        If the index can't be asked, does not know the file, or has another one under its name.
    """
    project = f"{index.rstrip('/')}/{re.sub(r'[-_.]+', '-', package.name).lower()}/"
    kind, body = read_page(project, accept=_ACCEPT, patience=patience)
    files = _read_json(body, project) if kind == _JSON else _read_html(body, project)
    found = files.get(package.filename)
    if found is None:
        raise FetchError(f"knows no {package.filename}", where=shown(project), mend=_MEND)
    if found.sha256 is not None and found.sha256 != package.sha256:
        what = f"has another {package.filename} than the pinned one (SHA-256 {found.sha256[:12]}…)"
        raise FetchError(what, where=shown(project), mend=_MEND)
    return found


def _read_json(body: bytes, project: str) -> dict[str, Found]:
    try:
        listed = _Project.model_validate_json(body)
    except ValidationError as error:
        raise FetchError("its list of files can't be read", where=shown(project), mend=_MEND) from error
    return {file.filename: Found(urljoin(project, file.url), file.hashes.get("sha256")) for file in listed.files}


def _read_html(body: bytes, project: str) -> dict[str, Found]:
    links = _Links(project)
    links.feed(body.decode(errors="replace"))
    return links.found


class _Links(HTMLParser):
    """The links of a project's page."""

    def __init__(self, project: str) -> None:
        super().__init__()
        self._base = project
        self.found: dict[str, Found] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        target = next((value for name, value in attrs if name == "href"), None)
        if tag == "a" and target:
            url, fragment = urldefrag(urljoin(self._base, target))
            stated = _HASH.search(fragment)
            self.found[url.rpartition("/")[2]] = Found(url, stated[1] if stated else None)
