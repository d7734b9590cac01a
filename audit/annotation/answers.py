"""Filled sheets, CSV or JSON → answers, with every bad cell named."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from audit.annotation.csv_sheet import COMMENT, KEYS, NOT_ASKED
from audit.annotation.page import FORMAT
from audit.errors import LoadError
from audit.loaders.json_file import parse_json, read_input
from audit.loaders.ratings import NOTHING
from audit.records.annotation import SCALE, VIOLATIONS, Answer, Sheet, SheetTask
from audit.records.rating import BadCell, SheetLine
from audit.reports import numbers
from audit.reports.visible import line as short

_MEND = "Give a sheet of annotate export, filled in and saved as CSV UTF-8 or as JSON"
_GUARD = re.compile(r"'(?=\s*[=+\-@|%＝＋－＠]|[\t\r\n])")
"""What a CSV file has before a text that a spreadsheet would take for a formula."""
_WHOLE = re.compile(r"\d{1,3}(?:\.0+)?")


def read_answers(path: Path, keys: Mapping[str, Sheet], *, rater: str) -> tuple[list[Answer], list[BadCell]]:
    """Read one filled sheet.

    Parameters
    ----------
    keys
        Sheets by id.
    rater
        Whose it is, where the file itself does not say; empty for nobody known.

    Returns
    -------
    tuple
        The answers that can be used, and every cell that can't. Open questions are neither.

    Raises
    ------
    LoadError
        If the file can't be read, is no sheet, or is one whose key is not there.
    """
    file = read_input(path, root=path.parent, role="sheet")
    is_json = file.content.lstrip()[:1] == b"{"
    lines = _json_lines(parse_json(file), str(path)) if is_json else _csv_lines(file.content, str(path))
    named = {line.cells["rater"].strip() for line in lines} - {""}
    whose = next(iter(named)) if len(named) == 1 else "" if named else rater
    found = [each for line in lines for each in _read_line(line, keys, whose=whose)]
    bad = [each for each in found if isinstance(each, BadCell)]
    answers, doubled = _drop_doubles([each for each in found if isinstance(each, Answer)])
    return answers, sorted([*bad, *doubled], key=lambda each: each.line)


def find_doubled(answers: Sequence[Answer]) -> list[BadCell]:
    """Return each answer that another file has given before, so that none is taken silently."""
    return _drop_doubles(answers)[1]


def _drop_doubles(answers: Sequence[Answer]) -> tuple[list[Answer], list[BadCell]]:
    first: dict[tuple[str, str, str, str], Answer] = {}
    bad = []
    for each in answers:
        key = (each.benchmark, each.task_id, each.rater, each.criterion)
        before = first.setdefault(key, each)
        if before is not each:
            place, _, column = each.where.rpartition(", ")
            file, _, number = place.rpartition(":")
            what = f"{each.rater} answered this before, at {before.where}; keep one of the two"
            bad.append(BadCell(file, int(number), column, what))
    return list(first.values()), bad


def _csv_lines(content: bytes, shown: str) -> list[SheetLine]:
    try:
        text = content.decode("utf-8-sig")
        rows = list(_numbered(text))
    except UnicodeDecodeError as error:
        raise LoadError("is not UTF-8 text", where=shown, mend="Save it as CSV UTF-8") from error
    except csv.Error as error:
        raise LoadError(f"is no CSV: {error}", where=shown, mend=_MEND) from error
    filled = [(number, row) for number, row in rows if any(cell.strip() for cell in row)]
    header = [name.strip() for name in filled[0][1]] if filled else []
    missing = [name for name in KEYS if name not in header]
    doubled = [name for name in header if name and header.count(name) > 1]
    if missing or doubled:
        what = f"has no column '{missing[0]}'" if missing else f"two columns are called '{doubled[0]}'"
        raise LoadError(what, where=shown, mend=_MEND)
    return [
        SheetLine(shown, number, {name: row[place] if place < len(row) else "" for place, name in enumerate(header)})
        for number, row in filled[1:]
    ]


def _numbered(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield rows with the number that a spreadsheet shows beside them: texts may hold line breaks."""
    yield from enumerate(csv.reader(io.StringIO(text, newline=""), strict=True), 1)


def _json_lines(document: object, shown: str) -> list[SheetLine]:
    answers = document.get("answers") if isinstance(document, dict) else None
    if not isinstance(document, dict) or document.get("format") != FORMAT or not isinstance(answers, list):
        raise LoadError("holds no answers to a sheet", where=shown, mend=_MEND)
    if document.get("format_version") != 1:
        raise LoadError("is of a version that is not known here", where=shown, mend="Update bench-audit")
    head = {"sheet": document.get("sheet"), "rater": document.get("rater")}
    lines = []
    for number, found in enumerate(answers, 1):
        if not isinstance(found, dict):
            raise LoadError(f"answer {number} is no object", where=shown, mend=_MEND)
        lines.append(SheetLine(shown, number, {name: _as_cell(value) for name, value in {**found, **head}.items()}))
    return lines


def _as_cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "; ".join(value) or NOTHING
    return json.dumps(value, ensure_ascii=False)


def _read_line(line: SheetLine, keys: Mapping[str, Sheet], *, whose: str) -> Iterator[Answer | BadCell]:
    sheet = keys.get(line.cells["sheet"].strip())
    if sheet is None:
        told = short(line.cells["sheet"], limit=40) or "nothing"
        what = f"is of sheet '{told}', of which no key is here"
        raise LoadError(what, where=f"{line.file}:{line.number}", mend="Name its key with --key SHEET.key.json")
    code = line.cells.get("task", "").strip()
    task = next((each for each in sheet.tasks if each.code == code), None)
    rater = _unguarded(line.cells["rater"]) or whose
    if task is None:
        allowed = f"{sheet.tasks[0].code} to {sheet.tasks[-1].code}"
        yield line.bad("task", f"there is no task '{short(code, limit=40)}' in this sheet; allowed: {allowed}")
    elif not rater:
        yield line.bad("rater", "nobody is named; write a name here, or give --rater NAME")
    else:
        yield from _read_cells(line, sheet, task, rater=rater)


def _read_cells(line: SheetLine, sheet: Sheet, task: SheetTask, *, rater: str) -> Iterator[Answer | BadCell]:
    comment = _unguarded(line.cells.get(COMMENT, ""))
    for ask in sheet.asks:
        text = line.cells.get(ask.criterion, "").strip()
        if not text or text.lower() == NOT_ASKED:
            continue
        value, problem = _value(text, ask.criterion, sheet, task)
        if problem:
            yield line.bad(ask.criterion, f"'{short(text, limit=60)}' {problem}")
            continue
        where = f"{line.file}:{line.number}, {ask.criterion}"
        yield Answer(task.task_id, rater, ask.criterion, value, comment, sheet.benchmark, where)
        comment = ""


def _value(text: str, criterion: str, sheet: Sheet, task: SheetTask) -> tuple[str, str]:
    """Return the answer as ratings files have it, or what is wrong with it."""
    if criterion not in task.criteria:
        return "", f"answers what is not asked about this task; allowed: {NOT_ASKED}"
    if criterion != VIOLATIONS:
        is_allowed = _WHOLE.fullmatch(text) is not None and int(float(text)) in SCALE
        return str(int(float(text))) if is_allowed else "", "" if is_allowed else "is no whole number from 1 to 10"
    if text.lower() == NOTHING:
        return NOTHING, ""
    known = {item.id.lower(): item.id for item in sheet.policies[task.policy].items}
    named = [word.strip() for word in re.split(r"[;,]", text) if word.strip()]
    unknown = [word for word in named if word.lower() not in known]
    if unknown or not named:
        ids = list(known.values())
        return "", (
            f"names no item of the policy; allowed: {NOTHING}, or any of the "
            f"{numbers.plural(len(ids), 'item')} {ids[0]} … {ids[-1]}, parted by semicolons"
        )
    return "; ".join(item for id, item in known.items() if id in {word.lower() for word in named}), ""


def _unguarded(text: str) -> str:
    return _GUARD.sub("", text.strip(), count=1)
