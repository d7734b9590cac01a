"""What ``bench-audit batch`` does with its flags."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from audit.batch_book import BatchBook
from audit.cli.main import INCOMPLETE
from audit.cli.output import say, write_lines, write_result
from audit.errors import AuditError, UsageError
from audit.judges.batch_looking import give_up, look
from audit.judges.panel import PanelOptions, make_panel
from audit.postgres import StorePlace
from audit.providers.batches.service import Batches, open_batches
from audit.records.batch import BatchRecord
from audit.store import Store, default_store_path

_SHOWN = 8
"""Characters of an id."""


@dataclass(frozen=True, slots=True)
class BatchFlags:
    """The commands' flags as click parsed them."""

    ids: tuple[str, ...]
    store: StorePlace | None
    judges: tuple[str, ...]
    api_key_env: tuple[str, ...]
    timeout_s: float

    @property
    def path(self) -> StorePlace:
        """The verdict store's file."""
        return self.store or default_store_path()


@dataclass(frozen=True)
class _Tended:
    """A batch, and why its provider could not be asked about it."""

    record: BatchRecord
    problem: str = ""


def status(flags: BatchFlags, *, format_name: str) -> int:
    """Show the batches as their providers see them now."""
    tended = _tend(flags, _look)
    if format_name == "json":
        shown = [{**asdict(each.record), "problem": each.problem} for each in tended]
        for row in shown:
            del row["owner"]
        write_result((json.dumps({"batches": shown}, indent=2) + "\n").encode())
    else:
        write_lines(*(_lines(tended) or ["No batches were submitted."]))
    return 0


def collect(flags: BatchFlags) -> int:
    """Fetch what has ended."""
    tended = _tend(flags, _look, is_open=True)
    for each in tended:
        record = each.record
        if each.problem:
            say(f"{record.id[:_SHOWN]} {record.judge}: {each.problem}")
        elif not record.state.is_open:
            say(f"{record.id[:_SHOWN]} {record.judge}: {record.state.value}, {_answered(record)}{_note(record)}")
    n_left = sum(each.record.state.is_open for each in tended)
    n_ended = len(tended) - n_left
    say(f"Collected {n_ended}, not ended {n_left}. The command that submitted them reports what came.")
    return INCOMPLETE if n_left else 0


def cancel(flags: BatchFlags, *, is_all: bool) -> int:
    """Stop batches."""
    if not flags.ids and not is_all:
        raise UsageError("no batch is named", where="batch cancel", mend="Name ids, or use --all")
    tended = _tend(flags, lambda record, batches, book: give_up(record, batches, book=book), is_open=True)
    write_lines(*(_lines(tended) or ["No batch is open."]))
    return INCOMPLETE if any(each.problem for each in tended) else 0


_Tend = Callable[[BatchRecord, Batches, BatchBook], Awaitable[BatchRecord]]


async def _look(record: BatchRecord, batches: Batches, book: BatchBook) -> BatchRecord:
    return await look(record, batches, book=book) if record.state.is_open else record


def _tend(flags: BatchFlags, tend: _Tend, *, is_open: bool = False) -> list[_Tended]:
    if isinstance(flags.path, Path) and not flags.path.exists():
        raise UsageError("there is no verdict store", where=str(flags.path), mend="Name its file with --store")
    with Store(flags.path) as store:
        chosen = [record for record in _choose(store.batches, flags) if record.state.is_open or not is_open]
        return asyncio.run(_tend_all(chosen, flags, tend=tend, book=store.batches))


def _choose(book: BatchBook, flags: BatchFlags) -> list[BatchRecord]:
    found = list(book.find())
    known = {record.judge for record in found}
    for judge in flags.judges:
        if judge not in known:
            mend = f"There are some of {', '.join(sorted(known))}" if known else "Submit some with --batch"
            raise UsageError("this judge has no batches in the store", where=f"--judge {judge}", mend=mend)
    found = [record for record in found if not flags.judges or record.judge in flags.judges]
    if not flags.ids:
        return found
    named = {given: [record for record in found if record.id.startswith(given)] for given in flags.ids}
    for given, records in named.items():
        if len(records) != 1 or not given:
            what = "several batches begin so" if records else "no batch begins so"
            raise UsageError(what, where=f"batch {given!r}", mend="See bench-audit batch status")
    return list({records[0].id: records[0] for records in named.values()}.values())


async def _tend_all(
    records: Sequence[BatchRecord], flags: BatchFlags, *, tend: _Tend, book: BatchBook
) -> list[_Tended]:
    tended = {record.id: _Tended(record) for record in records}
    for judge in dict.fromkeys(record.judge for record in records if record.state.is_open):
        own = [record for record in records if record.judge == judge and record.state.is_open]
        try:
            batches = _open(judge, flags)
        except AuditError as error:  # a key that this machine lacks, say, is no reason to keep others waiting
            tended |= {record.id: _Tended(record, str(error)) for record in own}
            continue
        try:
            for record in own:
                tended[record.id] = await _tend_one(record, batches, tend=tend, book=book)
        finally:
            await batches.aclose()
    return list(tended.values())


async def _tend_one(record: BatchRecord, batches: Batches, *, tend: _Tend, book: BatchBook) -> _Tended:
    try:
        return _Tended(await tend(record, batches, book))
    except AuditError as error:
        return _Tended(record, str(error))


def _open(judge: str, flags: BatchFlags) -> Batches:
    choices = [each for each in flags.api_key_env if "=" not in each or _fits(each, judge)]
    panel = make_panel([judge], PanelOptions(key_envs=tuple(choices), timeout_s=flags.timeout_s))
    return open_batches(panel.providers[judge], panel.retry)


def _fits(choice: str, judge: str) -> bool:
    return choice.rpartition("=")[0] in (judge, judge.partition(":")[0])


def _lines(tended: Sequence[_Tended]) -> list[str]:
    lines = []
    for each in tended:
        record = each.record
        place = f", submitted {record.submitted_at}" if record.submitted_at else f", begun {record.created_at}"
        lines.append(
            f"{record.id[:_SHOWN]}  {record.state.value:<10}  {_answered(record)}  {record.judge}{place}{_note(record)}"
        )
        if each.problem:
            lines.append(f"{'':{_SHOWN}}  {each.problem}")
    return lines


def _answered(record: BatchRecord) -> str:
    return f"{record.n_answered:,} of {record.n_requests:,} answered"


def _note(record: BatchRecord) -> str:
    return f" ({record.note})" if record.note else ""
