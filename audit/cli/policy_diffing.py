"""What ``bench-audit policy diff`` does with its flags."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from audit.cli.extracting import refuse_overwriting, relative_to
from audit.cli.output import check_writable, say, write_file, write_result
from audit.errors import LoadError, UsageError
from audit.loaders.item_set import read_item_set
from audit.policies.carrying import carry_over
from audit.policies.documents import find_document, read_document
from audit.records.item_set import ItemSet
from audit.records.policy import Policy
from audit.reports.item_diff import diff_json, diff_markdown, diff_text
from audit.writers.item_set import render_item_set

_NEEDS_LOOK = 1


@dataclass(frozen=True, slots=True)
class DiffFlags:
    """The command's flags as click parsed them."""

    items_file: Path
    new_document: Path
    old: Path | None
    out: Path | None
    overwrite: bool
    format_name: str
    output: Path | None


def run(flags: DiffFlags) -> int:
    """Carry the items over, write what the flags name, and return the exit code."""
    if flags.out is not None:
        refuse_overwriting(flags.out, may_overwrite=flags.overwrite)
    for target in (flags.out, flags.output):
        if target is not None:
            check_writable(target)
    item_set = read_item_set(flags.items_file)
    new = read_document(flags.new_document)
    document = "" if flags.out is None else relative_to(flags.new_document, flags.out)
    diff = carry_over(item_set, _old(item_set, flags), new=new, document=document)
    content = {"text": diff_text, "json": diff_json, "markdown": diff_markdown}[flags.format_name](diff)
    if flags.out is not None:
        write_file(flags.out, render_item_set(diff.new).encode())
        say(f"Items: {flags.out}")
    encoded = content.encode(errors="backslashreplace")
    if flags.output is None:
        write_result(encoded)
    else:
        write_file(flags.output, encoded)
    return _NEEDS_LOOK if diff.needs_look else 0


def _old(item_set: ItemSet, flags: DiffFlags) -> Policy:
    if flags.old is not None:
        return find_document(item_set, flags.items_file, named=read_document(flags.old))
    try:
        return find_document(item_set, flags.items_file)
    except LoadError as error:
        what = "the version of the document that these items were made for is not here"
        mend = "Name it with --old FILE; 'git show COMMIT:policy.md' may still have it"
        raise UsageError(what, where=str(flags.items_file), mend=mend) from error
