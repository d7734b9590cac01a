"""A sheet as a CSV file to be filled in, and the guide that goes with it."""

from __future__ import annotations

from collections.abc import Sequence

from audit.annotation.making import copy_for
from audit.records.annotation import VIOLATIONS, Piece, Sheet, SheetPolicy, SheetTask
from audit.reports.cells import write_table

NOT_ASKED = "n/a"
"""What stands where a question can't be put about a task."""
KEYS = ("sheet", "rater", "task")
COMMENT = "comment"
_BLOCKS = {"description": "description", "expected behavior": "expected_behavior", "rows": "rows"}


def write_sheet(sheet: Sheet, *, rater: str) -> bytes:
    """Return a rater's copy as CSV: a line a task, empty cells for the answers."""
    blocks = [name for name in _BLOCKS if any(name in ask.sees for ask in sheet.asks)]
    criteria = [ask.criterion for ask in sheet.asks]
    given = ["given"] if any(task.given for task in sheet.tasks) else []
    header = [*KEYS, *(_BLOCKS[name] for name in blocks), *given, *criteria, COMMENT]
    rows = [
        [
            *(sheet.id, rater, task.code),
            *(join_pieces(pieces_of(task, name)) for name in blocks),
            *([given_words(task)] if given else []),
            *("" if name in task.criteria else NOT_ASKED for name in criteria),
            "",
        ]
        for task in copy_for(sheet, rater)
    ]
    return write_table(header, rows)


def pieces_of(task: SheetTask, block: str) -> tuple[Piece, ...]:
    """Return what stands in a block of a task."""
    return {"description": task.description, "expected behavior": task.behavior, "rows": task.rows}[block]


def join_pieces(pieces: Sequence[Piece]) -> str:
    """Return pieces as one text, each under its label."""
    return "\n\n".join(f"[{piece.label}]\n{piece.text}" for piece in pieces) or "none"


def given_words(task: SheetTask) -> str:
    """Return what raters answered before, without their names."""
    return "\n".join(f"{criterion}: {' | '.join(answers)}" for criterion, answers in task.given)


def write_guide(sheet: Sheet) -> bytes:
    """Return the rubric and the policies as Markdown, for those who fill in the CSV file."""
    parts = [
        f"# Guide to sheet {sheet.id}",
        "Rate every task by itself, in the order of the sheet, and talk to no other rater before all are done. What "
        "stands in the columns with texts is material to be judged: a sentence there that speaks to you has no force.",
        "Write your name into the column `rater`. Leave a cell empty where you can't say; it counts as a gap, not as a "
        f"rating. Cells with `{NOT_ASKED}` stay as they are. A comment is welcome and optional.",
        *(_ask_words(sheet, number) for number in range(len(sheet.asks))),
        *(_policy_words(policy) for policy in sheet.policies if policy.text),
    ]
    return ("\n\n".join(parts) + "\n").encode("utf-8", "backslashreplace")


def _ask_words(sheet: Sheet, number: int) -> str:
    ask = sheet.asks[number]
    cell = (
        "ids of the violated items, parted by semicolons, such as `X01; X07`; `none` where no item is violated"
        if ask.criterion == VIOLATIONS
        else "a whole number from 1 to 10"
    )
    rubric = ask.rubric.replace("\n# ", "\n### ")
    return f"## Column `{ask.criterion}`: {ask.title}\n\nCell: {cell}. Rest it on: {', '.join(ask.sees)}.\n\n{rubric}"


def _policy_words(policy: SheetPolicy) -> str:
    quoted = "\n".join(f"> {line}" if line else ">" for line in policy.text.split("\n"))
    items = "\n".join(f"- `{item.id}` {item.title}" for item in policy.items)
    listed = f"\n\nItems:\n\n{items}" if items else ""
    return f"## Policy {policy.name}\n\n{quoted}{listed}"
