"""How far batches are: asked, fetched when they have ended, found again when it is not known whether they exist."""

from __future__ import annotations

import os
import platform
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from audit.batch_book import BatchBook
from audit.errors import ProviderError, ProviderErrorKind
from audit.providers.batches.protocol import RemoteBatch
from audit.providers.batches.service import Batches
from audit.records.batch import BatchRecord, BatchState

_LINES_AT_ONCE = 500
_HAND_OVER = timedelta(minutes=15)
"""A submission on another machine may take so long."""
_CLOCKS_DIFFER = timedelta(minutes=5)
_LONGEST_LIFE = timedelta(hours=48)
"""Batches end within a day."""


def now(*, precision: str = "seconds") -> str:
    """Return the moment as the store keeps it."""
    return datetime.now(UTC).isoformat(timespec=precision)


def this_process() -> str:
    """Return the machine and process that hands a batch over."""
    return f"{platform.node()}:{os.getpid()}"


async def look(record: BatchRecord, batches: Batches, *, book: BatchBook) -> BatchRecord:
    """Ask how far a batch is, and keep its results if it has ended.

    Returns
    -------
    BatchRecord
        As it is now, and written down so.

    Raises
    ------
    ProviderError
        If the provider can't be asked; the batch stays as it is.
    """
    if not record.remote_id:
        record = await _find_again(record, batches, book)
        if not record.remote_id:
            return record
    try:
        remote = await batches.status(record.remote_id)
    except ProviderError as error:
        if error.kind is ProviderErrorKind.NOT_FOUND and _age(record) > _LONGEST_LIFE:
            return _write(replace(record, state=BatchState.LOST, ended_at=now(), note=error.what), book)
        raise
    if remote.state.is_open:
        return _write(replace(record, state=BatchState.RUNNING, note=batches.clean(remote.note)), book)
    return await _fetch(record, remote, batches=batches, book=book)


async def give_up(record: BatchRecord, batches: Batches, *, book: BatchBook) -> BatchRecord:
    """Ask for a batch to be stopped; one that the provider does not know is struck off.

    Raises
    ------
    ProviderError
        If the provider can't be asked.
    """
    if not record.remote_id:
        record = await _find_again(record, batches, book)
        if not record.remote_id:
            return _write(replace(record, state=BatchState.LOST, ended_at=now()), book)
    try:
        await batches.cancel(record.remote_id)
    except ProviderError as error:
        if error.kind is ProviderErrorKind.NOT_FOUND:
            return _write(replace(record, state=BatchState.LOST, ended_at=now(), note=error.what), book)
        if error.kind is not ProviderErrorKind.BAD_REQUEST:  # which says that it has ended already
            raise
    return await look(record, batches, book=book)


async def _fetch(record: BatchRecord, remote: RemoteBatch, *, batches: Batches, book: BatchBook) -> BatchRecord:
    results = await batches.results(remote, keys=book.keys_of(record.id))
    n_kept = 0
    for start in range(0, len(results.lines), _LINES_AT_ONCE):
        n_kept += book.keep_lines(record, results.lines[start : start + _LINES_AT_ONCE])
    n_foreign = len(results.lines) - n_kept
    said = (
        batches.clean(remote.note),
        f"{results.n_unreadable} results could not be read" if results.n_unreadable else "",
        f"{n_foreign} results were of other questions, or came twice" if n_foreign else "",
    )
    note = "; ".join(filter(None, said))
    ended = _write(replace(record, state=remote.state, ended_at=now(), note=note), book)
    return next(each for each in book.find(judge=record.judge) if each.id == ended.id)


async def _find_again(record: BatchRecord, batches: Batches, book: BatchBook) -> BatchRecord:
    """Look for a batch whose submission was never heard of again."""
    known = {each.remote_id for each in book.find()}
    candidates = _candidates(record, await batches.find(), known)
    if len(candidates) == 1:
        found = candidates[0]
        return _write(replace(record, state=BatchState.RUNNING, remote_id=found.id, submitted_at=now()), book)
    if candidates:
        what = f"{len(candidates)} batches of the account could be it; cancel it here to ask its questions again"
        return _write(replace(record, note=what), book)
    if _may_be_under_way(record):
        return _write(replace(record, note="its submission may be under way, on this machine or another"), book)
    lost = replace(record, state=BatchState.LOST, ended_at=now(), note="the provider never got it")
    return _write(lost, book)


def _candidates(record: BatchRecord, found: Sequence[RemoteBatch], known: Collection[str]) -> list[RemoteBatch]:
    named = [each for each in found if each.name == record.id]
    if named:
        return named
    started = datetime.fromisoformat(record.created_at)
    earliest, latest = (started - _CLOCKS_DIFFER).timestamp(), (started + _HAND_OVER + _CLOCKS_DIFFER).timestamp()
    return [
        each
        for each in found
        if not each.name
        and each.id not in known
        and each.n_requests == record.n_requests
        and earliest <= each.created_at <= latest
    ]


def _may_be_under_way(record: BatchRecord) -> bool:
    machine, _, process = record.owner.rpartition(":")
    if machine != platform.node() or not process.isdecimal():
        return _age(record) < _HAND_OVER
    return int(process) != os.getpid() and _is_running(int(process)) and _age(record) < _HAND_OVER


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _age(record: BatchRecord) -> timedelta:
    return datetime.now(UTC) - datetime.fromisoformat(record.created_at)


def _write(record: BatchRecord, book: BatchBook) -> BatchRecord:
    book.update(record)
    return record
