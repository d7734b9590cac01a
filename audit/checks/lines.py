"""Lines of a JSON file at which the places of findings stand."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from audit.records.finding import Finding

_TOKEN = re.compile(r'[{}\[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}\[\],:"]+', re.DOTALL)
_OPEN, _CLOSE = "{[", "}]"


def add_lines(findings: Iterable[Finding], text_by_file: Mapping[str, str]) -> tuple[Finding, ...]:
    """Return the findings with the lines of their places.

    Parameters
    ----------
    findings
        In any order, which is kept.
    text_by_file
        The text of each JSON file, by the path that origins show. Findings in other files, or at places that are not
        in the file, keep no line; a missing field takes the line of the object that it is missing from.
    """
    found = tuple(findings)
    lines: dict[tuple[str, str], int] = {}
    roots: dict[str, dict[str | None, str]] = {}
    for file, text in text_by_file.items():
        roots[file] = _roots(text)
        wanted = {path for one in found if one.origin.file == file for path in _chain(_path(one, roots[file]))}
        lines |= {(file, path): line for path, line in find_lines(text, wanted).items()}
    return tuple(_with_line(one, roots, lines) for one in found)


def _with_line(
    finding: Finding, roots: Mapping[str, Mapping[str | None, str]], lines: Mapping[tuple[str, str], int]
) -> Finding:
    file = finding.origin.file
    for path in _chain(_path(finding, roots[file])) if file in roots else ():
        if (file, path) in lines:
            return replace(finding, line=lines[file, path])
    return finding


def _roots(text: str) -> dict[str | None, str]:
    """Return the path of each task's object by its id."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    above = ""
    if isinstance(value, dict) and isinstance(value.get("tasks"), list):
        value, above = value["tasks"], "tasks"
    entries = value if isinstance(value, list) else []
    return {str(one["id"]): f"{above}[{n}]" for n, one in enumerate(entries) if isinstance(one, dict) and "id" in one}


def _path(finding: Finding, roots: Mapping[str | None, str]) -> str:
    field, task_id = finding.origin.field, finding.origin.task_id
    if task_id is None:
        return field
    if task_id not in roots:
        return ""
    return f"{roots[task_id]}.{field}" if field else roots[task_id]


def _chain(path: str) -> Iterator[str]:
    """Yield a path and those of the values around it, the nearest first."""
    while path:
        yield path
        path = path[: max(path.rfind("."), path.rfind("["), 0)]


@dataclass(slots=True)
class _Open:
    """An object or list that the scan is inside of."""

    path: str
    is_object: bool
    key: str = ""
    position: int = 0

    def child(self) -> str:
        if not self.is_object:
            return f"{self.path}[{self.position}]"
        return f"{self.path}.{self.key}" if self.path else self.key


def find_lines(text: str, paths: Collection[str]) -> dict[str, int]:
    """Return the 1-based line on which the value at each path begins; for a field, the line of its name.

    Parameters
    ----------
    text
        A JSON file; of a broken one, what comes before the fault counts.
    paths
        Such as ``[3].evaluation_criteria.actions[0]``.

    Examples
    --------
    >>> text = '[' + chr(10) + ' {"id": "a",' + chr(10) + '  "to": [1,' + chr(10) + '2]}]'
    >>> find_lines(text, {"[0]", "[0].to", "[0].to[1]", "[0].from"})
    {'[0]': 2, '[0].to': 3, '[0].to[1]': 4}
    """
    wanted = set(paths)
    starts = [match.start() for match in re.finditer("\n", text)]
    found: dict[str, int] = {}
    for path, offset in _places(text) if wanted else ():
        if path in wanted and path not in found:
            found[path] = bisect_right(starts, offset - 1) + 1
            if len(found) == len(wanted):
                break
    return found


def _places(text: str) -> Iterator[tuple[str, int]]:
    """Yield every path with the offset of its value, or of its name where it is a field."""
    stack: list[_Open] = []
    pending = False  # between a name's colon and its value
    for match in _TOKEN.finditer(text):
        sign, top = match[0], stack[-1] if stack else None
        if sign in _CLOSE:
            if stack:
                stack.pop()
        elif sign == ",":
            if top is not None:
                top.position += 1
        elif sign == ":":
            pending = True
        elif top is not None and top.is_object and not pending:
            top.key = _name(sign)
            yield top.child(), match.start()
        else:
            pending = False
            path = top.child() if top is not None else ""
            if top is not None and not top.is_object:
                yield path, match.start()
            if sign in _OPEN:
                stack.append(_Open(path, sign == "{"))


def _name(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:
        return token
