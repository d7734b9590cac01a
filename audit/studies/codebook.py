"""The codebook that patterns start from, and a codebook as a CSV file that a reviewer changes."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from audit.errors import LoadError
from audit.loaders.json_file import read_input
from audit.records.codebook import Code, Codebook, CodeOrigin, LowReason, Placed
from audit.records.rating import BadCell, SheetLine
from audit.reports.cells import write_table
from audit.reports.visible import line as short

COLUMNS = ("row", "group", "name", "into", "about", "reason", "task_id", "judge", "criterion", "named_by")
GROUP, REASON = "group", "reason"
IN_ORDER = "in-order"
"""The group of reasons that fault nothing; a reviewer may rename it, the id stays."""
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_GUARD = re.compile(r"'(?=\s*[=+\-@|%＝＋－＠]|[\t\r\n])")
_MEND = "Give a file that study patterns wrote with --export"
_MOST_GROUPS = 200
"""Each is held against every reason and in every redraw."""

START = Codebook(
    (
        Code(
            "made-up-step",
            "Steps that nothing calls for",
            "invented act invented step unasked-for act stage procedure nowhere in the policy, not stated, no basis, "
            "hallucinated workflow, unsupported check",
        ),
        Code(
            "not-gathered",
            "Needed facts are not gathered",
            "missing required step: does not ask for, collect, obtain or verify the user id, identity, reason, details "
            "or information before acting",
        ),
        Code(
            "no-confirmation",
            "No explicit yes before a change",
            "missing explicit confirmation, consent or approval, does not confirm with the user before the change, "
            "without a yes",
        ),
        Code(
            "compensation",
            "Compensation or refunds go wrong",
            "compensation, refund, certificate, voucher, credit or gesture in the wrong amount, offered or missing",
        ),
        Code(
            "forbidden-act",
            "Acts that the policy rules out",
            "forbidden, prohibited, not allowed, not permitted, the policy forbids or rules out, must not, against the "
            "rule, contradicts the policy",
        ),
        Code(
            IN_ORDER,
            "Not a fault: says what is in order",
            "no contradiction, no fault, agrees, consistent, fits, supported, permitted, fully covered, correct",
        ),
    )
)
"""Five kinds of faults that were found before in low scores (“Benchmarking the Benchmarks”, section 5.5), in our words,
and what is no fault."""


def write_codebook(codebook: Codebook) -> bytes:
    """Return a codebook as CSV: a line a group, then a line a reason."""
    groups = [[GROUP, code.id, code.name, "", code.about, *[""] * 4, code.named_by] for code in codebook.codes]
    reasons = [[REASON, each.code, "", "", "", *_reason_cells(each.reason), ""] for each in codebook.placed]
    return write_table(COLUMNS, [*groups, *reasons])


def _reason_cells(reason: LowReason) -> tuple[str, ...]:
    return (reason.text, reason.task_id, reason.judge, reason.criterion)


def read_codebook(path: Path) -> tuple[Codebook, list[BadCell]]:
    """Read a codebook back, with what a reviewer renamed, merged and moved.

    Returns
    -------
    tuple
        The codebook, and every cell that can't be used; with any of these it is of no use.

    Raises
    ------
    LoadError
        If the file can't be read, is no CSV, or lacks a column.
    """
    lines = list(_lines(read_input(path, root=path.parent, role="codebook").content, str(path)))
    bad = [
        line.bad("row", "is neither 'group' nor 'reason'") for line in lines if line.cells["row"] not in (GROUP, REASON)
    ]
    groups = [line for line in lines if line.cells["row"] == GROUP]
    if len(groups) > _MOST_GROUPS:
        raise LoadError(
            f"has more than {_MOST_GROUPS} groups", where=str(path), mend="Merge some: nobody can read these"
        )
    bad += _check_groups(groups)
    ids = {line.cells["group"] for line in groups}
    into = {line.cells["group"]: line.cells["into"] for line in groups if line.cells["into"]}
    bad += [
        line.bad(
            "group", f"there is no group '{short(line.cells['group'], limit=40)}'; allowed: {', '.join(sorted(ids))}"
        )
        for line in lines
        if line.cells["row"] == REASON and line.cells["group"] not in ids
    ]
    if not groups and not bad:
        raise LoadError("has no groups", where=str(path), mend=_MEND)
    if bad:
        return Codebook(()), sorted(bad, key=lambda each: each.line)
    return Codebook(_codes(groups, into), tuple(_placed(lines, into))), []


def _codes(groups: Sequence[SheetLine], into: dict[str, str]) -> tuple[Code, ...]:
    """Return the groups that are left; what a merged one is about goes along."""
    kept = {
        line.cells["group"]: Code(
            line.cells["group"],
            line.cells["name"],
            line.cells["about"],
            CodeOrigin.REVIEWED,
            line.cells["named_by"],
        )
        for line in groups
        if line.cells["group"] not in into
    }
    for line in groups:
        if line.cells["group"] in into:
            target = _end(line.cells["group"], into)
            both = f"{kept[target].about} {line.cells['about']}".strip()
            kept[target] = replace(kept[target], about=both)
    return tuple(kept.values())


def _placed(lines: Sequence[SheetLine], into: dict[str, str]) -> Iterator[Placed]:
    for line in lines:
        if line.cells["row"] == REASON:
            cells = line.cells
            reason = LowReason(cells["reason"], cells["task_id"], cells["judge"], cells["criterion"])
            yield Placed(reason, _end(cells["group"], into))


def _end(group: str, into: dict[str, str]) -> str:
    while group in into:
        group = into[group]
    return group


def _check_groups(groups: Sequence[SheetLine]) -> Iterator[BadCell]:
    into = {line.cells["group"]: line.cells["into"] for line in groups if line.cells["into"]}
    ids = [line.cells["group"] for line in groups]
    for number, line in enumerate(groups):
        group, target = line.cells["group"], line.cells["into"]
        if not _ID.fullmatch(group):
            yield line.bad(
                "group", f"'{short(group, limit=40)}' is no id; allowed: lower case letters, digits, hyphens"
            )
        if group in ids[:number]:
            yield line.bad("group", f"'{group}' stands in two rows; merge with the column 'into'")
        if not line.cells["name"]:
            yield line.bad("name", "is empty")
        if target and target not in ids:
            yield line.bad(
                "into", f"there is no group '{short(target, limit=40)}'; allowed: {', '.join(sorted(set(ids)))}"
            )
        elif target and _is_loop(group, into):
            yield line.bad("into", f"{group} would be merged into itself")


def _is_loop(group: str, into: dict[str, str]) -> bool:
    seen = {group}
    while (group := into.get(group, "")) not in seen:
        if not group:
            return False
        seen.add(group)
    return True


def _lines(content: bytes, shown: str) -> Iterator[SheetLine]:
    try:
        rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise LoadError(f"is no CSV in UTF-8: {error}", where=shown, mend=_MEND) from error
    header = [name.strip() for name in rows[0]] if rows else []
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        raise LoadError(f"has no column '{missing[0]}'", where=shown, mend=_MEND)
    for number, row in enumerate(rows[1:], 2):
        if any(cell.strip() for cell in row):
            cells = [_GUARD.sub("", cell.strip(), count=1) for cell in row]
            cells += [""] * (len(header) - len(cells))
            yield SheetLine(shown, number, dict(zip(header, cells, strict=False)))
