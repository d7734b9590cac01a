"""The prompt texts and reply schemas that ship with the package, each known by its hash."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from audit.errors import UsageError
from audit.records.task import Json

_FOLDER = Path(__file__).resolve().parent
_INCLUDE = re.compile(r"^@include (\S+)$", re.MULTILINE)
_VERSION = re.compile(r"version: (\d+)\n+")
STYLES = ("tau", "workflow", "plan")
DOCUMENT_STYLE = "document"
"""Of the prompt that reads a policy document and no task."""
STATE_IS_JUDGED = frozenset({"plan"})
"""Styles whose expected behavior speaks of the initial state itself, so that alignment is judged with the rows."""


@dataclass(frozen=True, slots=True)
class Template:
    """One criterion's prompt in one style.

    Parameters
    ----------
    name
        ``criterion/style``.
    version
        The number at the top of the prompt's file.
    instructions
        What stands before the material, included files filled in.
    closing
        What stands after the material.
    schema
        JSON Schema of the reply; where items of a policy can be named, their ids are still open.
    sha256
        Hash over all of these and the text of the repair request.
    """

    name: str
    version: int
    instructions: str
    closing: str
    schema: Mapping[str, Json]
    sha256: str

    @property
    def file(self) -> str:
        """The prompt's file and version, for whoever wants to read it."""
        return f"audit/prompts/{self.name.replace('/', '.')}.md version {self.version}"


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8").strip()


def _expand(text: str) -> str:
    return _INCLUDE.sub(lambda match: _expand(_read(match[1])), text)


def read_prompt(stem: str) -> tuple[int, str]:
    """Return the version of a prompt file and its text, included files filled in."""
    text = _read(f"{stem}.md")
    head = _VERSION.match(text)
    assert head is not None, "every prompt file starts with its version"
    return int(head[1]), _expand(text[head.end() :])


def read_text(name: str) -> str:
    """Return a text that prompts have in common."""
    return _read(name)


@cache
def load_template(criterion: str, style: str, *, schema: str) -> Template:
    """Return the prompt of a criterion.

    Parameters
    ----------
    criterion
        Such as ``desc_alignment``.
    style
        ``tau`` (expected behavior as outcomes), ``workflow`` (as whole procedures) or ``plan`` (as a diagnosis);
        ``document`` for what is asked about a policy.
    schema
        Name of the reply's schema.

    Raises
    ------
    UsageError
        If there is no such style.
    """
    if style not in (*STYLES, DOCUMENT_STYLE):
        raise UsageError(f"no prompt style {style!r}", where=criterion, mend=f"Use one of {', '.join(STYLES)}")
    version, instructions = read_prompt(f"{criterion}.{style}")
    closing = _read("closing.md")
    shape = json.loads(_read(f"{schema}.schema.json"))
    hashed = json.dumps([instructions, closing, _read("repair.md"), shape], ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(hashed.encode()).hexdigest()
    return Template(f"{criterion}/{style}", version, instructions, closing, shape, digest)


def rubric_of(template: Template) -> str:
    """Return what a prompt says of its question and its scale, as Markdown: nothing about marks or the reply's form."""
    return re.sub(r"\n{3,}", "\n\n", "".join(_rubric_sections(template))).strip()


def headed_sections(template: Template) -> dict[str, str]:
    """Return those sections of a prompt's rubric that have a heading, by it: terms, criteria, scale."""
    sections = (section.partition("\n") for section in _rubric_sections(template) if section.startswith("# "))
    return {heading.removeprefix("# "): text.strip() for heading, _, text in sections}


def _rubric_sections(template: Template) -> list[str]:
    own = template.instructions.replace(_read("material.md"), "")
    sections = re.split(r"^(?=# )", own, flags=re.MULTILINE)
    return [section for section in sections if not section.startswith("# Reply")]


def repair_request(problem: str) -> str:
    """Return what the one repair request says: ``problem`` is what was wrong with the reply."""
    return f"{_read('repair.md')} {problem}."


def with_item_ids(schema: Mapping[str, Json], item_ids: tuple[str, ...]) -> Mapping[str, Json]:
    """Return the violations schema with ``item`` restricted to ``item_ids``."""
    filled = copy.deepcopy(dict(schema))
    properties = cast("dict[str, dict[str, dict[str, dict[str, dict[str, Json]]]]]", filled["properties"])
    properties["violations"]["items"]["properties"]["item"]["enum"] = list(item_ids)
    return filled
