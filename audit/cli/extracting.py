"""What ``bench-audit policy extract`` does with its flags."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from audit import inspection
from audit.cli.judging import JudgeFlags
from audit.cli.main import INCOMPLETE
from audit.cli.output import check_writable, say, write_file, write_lines, write_result
from audit.cli.planning import plan_text
from audit.cli.progress import show_progress
from audit.errors import UsageError
from audit.judges.one_model import AskingOptions
from audit.loaders.item_set import name_beside
from audit.policies.documents import read_document
from audit.policies.proposing import ModelReader, Proposal, extract_offline, extract_with_model, plan_extraction
from audit.records.item_set import ItemSet
from audit.records.policy import Policy
from audit.reports import numbers, visible
from audit.store import Store
from audit.writers.item_set import render_item_set

_STDOUT = Path("-")
_LONG_REPLIES = (
    "Replies quote the rules: expect them to be about as long as the document, which is more than assumed above."
)


@dataclass(frozen=True, slots=True)
class _Document:
    """The document, its file where it is one, and whether score will look for items beside it."""

    policy: Policy
    file: Path | None
    is_looked_for: bool


def run(flags: Mapping[str, Any]) -> int:
    """Propose items as the flags say, write them, and return the exit code."""
    judges = (flags["judge"],) if flags["judge"] else ()
    made = {"judges", "trials", "batch", "wait", "workers", "modes", "is_planned"}
    own = {each.name for each in fields(JudgeFlags)} - made
    judge = JudgeFlags(judges=judges, trials=1, is_planned=flags["dry_run"], **{name: flags[name] for name in own})
    document = _find(flags)
    out = _target(flags, document)
    if flags["dry_run"] and not judges:
        write_lines("No judge is named: items are found by wording on this machine, and nothing is sent.")
        return 0
    blank = _blank(flags, document, out)
    if not judges:
        return _finish(extract_offline(document.policy, blank), document, out, by_model=False)
    panel = judge.panel()
    with Store(judge.store_place) as store:
        options = AskingOptions(judge.concurrency, is_fresh=judge.fresh)
        reader = ModelReader(panel, store, options, flags["longest_section"])
        if flags["dry_run"]:
            write_lines(plan_text(plan_extraction(document.policy, reader)).rstrip("\n"), _LONG_REPLIES)
            return 0
        with show_progress(is_quiet=judge.quiet) as on_event:
            proposal = extract_with_model(document.policy, blank, reader=reader, on_event=on_event)
    return _finish(proposal, document, out, by_model=True)


def _find(flags: Mapping[str, Any]) -> _Document:
    name = flags["document"]
    if Path(name).is_file():
        return _Document(read_document(Path(name)), Path(name), is_looked_for=True)
    places = inspection.Places(flags["data_dir"], use_items=False)
    source = inspection.find_source(name, places)
    policy = inspection.load(name, places).policy
    return _Document(policy, source.policy, is_looked_for=source.items is None)


def _target(flags: Mapping[str, Any], document: _Document) -> Path:
    """Return where the items go; refuse now what could not be written at the end."""
    out: Path | None = flags["out"]
    if out is None:
        if document.file is None:
            what = "this policy is no file of its own that items could lie beside"
            raise UsageError(what, where=flags["document"], mend="Name a file for the items with --out")
        out = name_beside(document.file)
    if out != _STDOUT:
        refuse_overwriting(out, may_overwrite=flags["overwrite"])
        check_writable(out)
    return out


def refuse_overwriting(path: Path, *, may_overwrite: bool) -> None:
    """Raise an error for an items file that is there, which may hold somebody's reviews."""
    if path.is_file() and not may_overwrite:
        mend = "Name another file with --out, or replace it with --overwrite"
        raise UsageError("there is an items file already", where=str(path), mend=mend)


def _blank(flags: Mapping[str, Any], document: _Document, out: Path) -> ItemSet:
    policy, file = document.policy, document.file
    is_path = Path(flags["document"]).exists()
    name = f"{file.resolve().parent.name}/{file.stem}".lstrip("/") if is_path and file else flags["document"]
    return ItemSet(
        policy=name,
        document_sha256=policy.sha256,
        items=(),
        document="" if file is None or out == _STDOUT else relative_to(file, out),
        text="" if flags["no_text"] else policy.text,
    )


def relative_to(file: Path, out: Path) -> str:
    """Return how an items file at ``out`` names its document."""
    try:
        return Path(os.path.relpath(file.resolve(), out.resolve().parent)).as_posix()
    except ValueError:  # on another drive
        return str(file)


def _finish(proposal: Proposal, document: _Document, out: Path, *, by_model: bool) -> int:
    item_set = proposal.item_set
    content = render_item_set(item_set).encode()
    if out == _STDOUT:
        write_result(content)
    else:
        write_file(out, content)
    for refused in proposal.refused:
        say(f"Refused: '{refused.quote}' ({refused.title}): {refused.reason}.")
    for run_ in item_set.unread:
        first, last = (document.policy.text.count("\n", 0, place) + 1 for place in (run_.start, run_.end))
        say(f"Not read: lines {first} to {last} of the document. {run_.reason}")
    for stop in proposal.stops:
        say(f"Stopped: {stop.judge}: {stop.message}")
    _summarise(proposal, by_model=by_model)
    if out != _STDOUT:
        _say_next(document, out)
    return 0 if proposal.is_complete else INCOMPLETE


def _summarise(proposal: Proposal, *, by_model: bool) -> None:
    item_set = proposal.item_set
    say(
        f"{numbers.plural(len(item_set.items), 'item')} proposed, {len(item_set.used)} of which a user's request can "
        "violate. Nobody has reviewed them."
    )
    if not by_model:
        say("They were found by wording alone: some are no rules, and some rules are missing (docs/policies.md).")
        return
    tally = proposal.tally
    cost = "an unknown price" if tally.cost_usd is None else numbers.usd(tally.cost_usd)
    n_read = proposal.n_sections - len(item_set.unread)
    say(
        f"{n_read} of {numbers.plural(proposal.n_sections, 'section')} read, {tally.stored} of them from the store; "
        f"{numbers.plural(tally.n_calls, 'call')} for {cost}; {numbers.plural(len(proposal.refused), 'quote')} refused."
    )
    if not proposal.is_complete:
        say("Items are missing. Run the same command again with --overwrite: it asks only for what is missing.")


def _say_next(document: _Document, out: Path) -> None:
    say(f"Items: {visible.line(str(out), limit=400)}")
    is_beside = document.is_looked_for and document.file is not None and out == name_beside(document.file)
    found = "score finds them beside the policy" if is_beside else f"score takes them with --policy-items {out}"
    say(f"Next: bench-audit policy review {out}; {found}.")
