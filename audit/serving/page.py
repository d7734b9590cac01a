"""The page that lists what a folder holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from urllib.parse import quote

from audit.reports import numbers
from audit.reports.html_page import fill_page, read_styles
from audit.reports.summary import Level
from audit.reports.visible import line
from audit.serving.shelf import Entry

COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "file": "File",
        "kind": "Kind",
        "title": "Of",
        "verdict": "Says",
        "judges": "Judges",
        "tasks": "Tasks",
        "date": "Date",
    }
)
"""Name in the address to heading."""
_LEVELS = [*(level.value for level in (Level.MEND, Level.LOOK, Level.CLEAR, Level.NONE)), ""]
_OLDEST = datetime.min.replace(tzinfo=UTC)
_KEYS: Mapping[str, Callable[[Entry], tuple[object, ...]]] = MappingProxyType(
    {
        "file": lambda entry: (entry.name,),
        "kind": lambda entry: (entry.kind,),
        "title": lambda entry: (entry.title.lower(),),
        "verdict": lambda entry: (_LEVELS.index(entry.level) if entry.level in _LEVELS else len(_LEVELS), entry.says),
        "judges": lambda entry: (entry.judges,),
        "tasks": lambda entry: (-1 if entry.n_tasks is None else entry.n_tasks,),
        "date": lambda entry: (_moment(entry.date),),
    }
)


@dataclass(frozen=True, slots=True)
class Heading:
    """A column; ``order`` says how the table is sorted by it now, and is empty where it isn't."""

    title: str
    href: str
    order: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class Line:
    """An entry in words."""

    file: str
    href: str
    kind: str
    title: str
    says: str
    level: str
    judges: str
    labels: tuple[str, ...]
    tasks: str
    date: str
    is_complete: bool
    problem: str


def css() -> str:
    """Return the page's style sheet."""
    return read_styles("report.css", "serve.css")


def render(entries: Sequence[Entry], *, folder: str, sort: str, is_falling: bool) -> bytes:
    """Return the page.

    Parameters
    ----------
    sort
        One of :data:`COLUMNS`.
    """
    ordered = sorted(sorted(entries, key=lambda entry: entry.name), key=_KEYS[sort], reverse=is_falling)
    shown = {
        "folder": line(folder, limit=300),
        "headings": [_heading(name, sort=sort, is_falling=is_falling) for name in COLUMNS],
        "lines": [_line(entry) for entry in ordered],
        "n": numbers.plural(len(entries), "file"),
    }
    return fill_page("serve.html.j2", shown, css=css())


def href_of(name: str) -> str:
    """Return the address of an entry's page.

    Examples
    --------
    >>> href_of("a b/x?.json")
    '/view/a%20b/x%3F.json'
    """
    return f"/view/{quote(name.encode('utf-8', 'surrogateescape'), safe='/')}"


def _heading(name: str, *, sort: str, is_falling: bool) -> Heading:
    is_sorted = name == sort
    turn = "falling" if is_sorted and not is_falling else "rising"
    order = ("descending" if is_falling else "ascending") if is_sorted else ""
    return Heading(COLUMNS[name], f"/?sort={name}&order={turn}", order, is_number=name == "tasks")


def _line(entry: Entry) -> Line:
    return Line(
        file=line(entry.name, limit=160),
        href="" if entry.problem else href_of(entry.name),
        kind=line(entry.kind),
        title=line(entry.title, limit=120),
        says=line(entry.says, limit=200),
        level=entry.level if entry.level in _LEVELS else "",
        judges=line(entry.judges, limit=120),
        labels=tuple(line(label, limit=60) for label in entry.labels[:6]),
        tasks="–" if entry.n_tasks is None else numbers.count(entry.n_tasks),
        date=numbers.moment(entry.date) or line(entry.date, limit=40) or "–",
        is_complete=entry.is_complete,
        problem=line(entry.problem, limit=200),
    )


def _moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return _OLDEST
    return found if found.tzinfo else found.replace(tzinfo=UTC)
