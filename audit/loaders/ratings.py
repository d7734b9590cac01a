"""A CSV file of people's ratings, long or wide → ratings, with every bad cell named. docs/raters.md has the format."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from audit.errors import LoadError
from audit.loaders.json_file import read_input
from audit.records.rating import SCALES, VIOLATIONS, BadCell, Rating, RatingFile, SheetLine

TASK, RATER, CRITERION, VALUE = "task_id", "rater", "criterion", "value"
OPTIONAL = ("benchmark", "tier", "kind", "comment")
KINDS = {"": False, "person": False, "simulated": True}
NOTHING = "none"
"""What stands where a rater found no violated item; an empty cell is a gap."""
_MOST = 1e9
"""Of a rating on a scale of one's own; with greater ones statistics overflow."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@-]*")
_MEND = "See docs/raters.md for the two layouts"


def read_ratings(path: Path) -> RatingFile:
    """Read a file of ratings.

    Returns
    -------
    RatingFile
        The bad cells are in it, each by line and column; the rest can be used.

    Raises
    ------
    LoadError
        If the file can't be read, is no CSV, or its columns are in neither layout.
    """
    file = read_input(path, root=path.parent, role="ratings")
    shown = str(path)
    header, lines = _read_lines(file.content, shown)
    is_long = CRITERION in header or VALUE in header
    columns = {} if is_long else _wide_columns(header, shown)
    _check_header(header, columns, shown)
    found = [
        each for line in lines for each in (_read_long(line) if is_long else _read_wide(line, columns, stem=path.stem))
    ]
    ratings = [each for each in found if isinstance(each, Rating)]
    bad = [each for each in found if isinstance(each, BadCell)]
    kept, doubled = drop_doubles(ratings)
    return RatingFile(shown, file.record.sha256, kept, tuple(sorted([*bad, *doubled], key=lambda each: each.line)))


def _read_lines(content: bytes, shown: str) -> tuple[list[str], list[SheetLine]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LoadError("is not UTF-8 text", where=shown, mend="Save it as CSV UTF-8") from error
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except csv.Error as error:
        what = f"is no CSV: {error}"
        raise LoadError(what, where=f"{shown}:{reader.line_num}", mend="Mend that line") from error
    filled = [(number, row) for number, row in rows if any(row)]
    if not filled:
        raise LoadError("is empty", where=shown, mend=_MEND)
    (_, header), *rest = filled
    lines = []
    for number, row in rest:
        if len(row) > len(header):
            what = f"{len(row)} cells, and {len(header)} columns"
            raise LoadError(what, where=f"{shown}:{number}", mend="Put texts with commas into quotes")
        lines.append(SheetLine(shown, number, dict(zip(header, [*row, *[""] * (len(header) - len(row))], strict=True))))
    return header, lines


def _wide_columns(header: Sequence[str], shown: str) -> dict[str, tuple[str, str]]:
    """Return column to criterion and rater of a wide file; the rater is empty where another column names them."""
    columns = {}
    for name in header:
        if name in (TASK, RATER, *OPTIONAL):
            continue
        criterion, _, rater = name.partition(":")
        if not _NAME.fullmatch(criterion.strip()):
            raise LoadError(f"column '{name}' is no criterion", where=shown, mend=_MEND)
        columns[name] = (criterion.strip(), rater.strip())
    return columns


def _check_header(header: Sequence[str], columns: Mapping[str, tuple[str, str]], shown: str) -> None:
    doubled = next((name for name in header if header.count(name) > 1), None)
    if doubled is not None:
        raise LoadError(f"two columns are called '{doubled}'", where=shown, mend="Rename one")
    needed = [TASK] if columns else [TASK, RATER, CRITERION, VALUE]
    missing = [name for name in needed if name not in header]
    if missing:
        raise LoadError(f"has no column '{missing[0]}'", where=shown, mend=_MEND)
    unknown = [name for name in header if not columns and name not in (*needed, *OPTIONAL)]
    if unknown:
        raise LoadError(f"unknown column '{unknown[0]}'", where=shown, mend=_MEND)


def _read_long(line: SheetLine) -> Iterator[Rating | BadCell]:
    criterion, rater = line.cell(CRITERION), line.cell(RATER)
    for column, text in ((TASK, line.cell(TASK)), (RATER, rater), (CRITERION, criterion)):
        if not text:
            yield line.bad(column, "is empty")
            return
    if not _NAME.fullmatch(criterion):
        yield line.bad(CRITERION, f"'{criterion}' is no criterion")
    elif line.cell(VALUE):
        yield _rating(line, VALUE, criterion=criterion, rater=rater)


def _read_wide(line: SheetLine, columns: Mapping[str, tuple[str, str]], *, stem: str) -> Iterator[Rating | BadCell]:
    if not line.cell(TASK):
        yield line.bad(TASK, "is empty")
        return
    for column, (criterion, named) in columns.items():
        rater = named or (line.cell(RATER) if RATER in line.cells else stem)
        if not line.cell(column):
            continue
        yield _rating(line, column, criterion=criterion, rater=rater) if rater else line.bad(RATER, "is empty")


def _rating(line: SheetLine, column: str, *, criterion: str, rater: str) -> Rating | BadCell:
    text, kind = line.cell(column), line.cell("kind").lower()
    if kind not in KINDS:
        return line.bad("kind", f"'{kind}' is neither person nor simulated")
    blank = Rating(
        line.cell(TASK),
        rater,
        criterion,
        0.0,
        benchmark=line.cell("benchmark"),
        tier=line.cell("tier"),
        is_simulated=KINDS[kind],
        where=f"{line.file}:{line.number}, {column}",
    )
    if criterion == VIOLATIONS:
        items = () if text.lower() == NOTHING else tuple(dict.fromkeys(filter(None, map(str.strip, text.split(";")))))
        return replace(blank, items=items, value=float(len(items)))
    low, high = SCALES.get(criterion, (-math.inf, None))
    try:
        value = float(text)
    except ValueError:
        return line.bad(column, f"'{text}' is no number")
    if not abs(value) <= _MOST:
        return line.bad(column, f"'{text}' is {'too great' if math.isfinite(value) else 'no number'}")
    if value < low or (high is not None and value > high):
        scale = f"{low:g} or more" if high is None else f"{low:g} to {high:g}"
        return line.bad(column, f"'{text}' is not on the scale, {scale}")
    return replace(blank, value=value)


def drop_doubles(ratings: Iterable[Rating]) -> tuple[tuple[Rating, ...], list[BadCell]]:
    """Keep the first of two ratings of one rater on one task and criterion, and name the second.

    Ratings may be of several files; what counts as one task is the benchmark and the id as they stand there.
    """
    first: dict[tuple[str, str, str, str], Rating] = {}
    bad = []
    for each in ratings:
        before = first.setdefault((each.benchmark, each.task_id, each.rater, each.criterion), each)
        if before is not each:
            bad.append(say_doubled(each, before))
    return tuple(first.values()), bad


def say_doubled(rating: Rating, before: Rating) -> BadCell:
    """Return the cell that rates what ``before`` has rated already."""
    file, line, column = _place(rating.where)
    earlier, number, _ = _place(before.where)
    place = f"line {number}" if earlier == file else f"{earlier}:{number}"
    what = f"{rating.rater} rated task {rating.task_id} on {rating.criterion} before, at {place}"
    return BadCell(file, line, column, what)


def _place(where: str) -> tuple[str, int, str]:
    place, _, column = where.rpartition(", ")
    file, _, line = place.rpartition(":")
    return file, int(line), column
