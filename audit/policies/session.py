"""A review in progress: the items file on the disk, what was done to it, and what the page shows."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from audit.errors import LoadError, UsageError
from audit.loaders.item_set import read_item_set
from audit.policies import edits
from audit.records.item_set import Binds, ItemSet, Review
from audit.records.policy import ItemKind, Policy
from audit.reports.plain import Plain
from audit.writers.item_set import render_item_set

_MOST_UNDONE = 200
_ID = Annotated[str, Field(min_length=1, max_length=20)]
_PLACE = Annotated[int, Field(ge=0)]


class _Action(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _SetReview(_Action):
    action: Literal["review"]
    ids: list[_ID] = Field(min_length=1, max_length=5000)
    review: Literal["open", "accepted", "rejected"]

    def apply(self, item_set: ItemSet, _text: str) -> ItemSet:
        return edits.set_review(item_set, self.ids, review=Review(self.review))


class _Retitle(_Action):
    action: Literal["retitle"]
    id: _ID
    title: str

    def apply(self, item_set: ItemSet, _text: str) -> ItemSet:
        return edits.retitle(item_set, self.id, title=self.title)


class _Describe(_Action):
    action: Literal["describe"]
    id: _ID
    kind: Literal["permission", "prohibition", "obligation", "limit", "procedure"]
    binds: Literal["user", "agent"] | None
    violable: bool

    def apply(self, item_set: ItemSet, _text: str) -> ItemSet:
        binds = Binds(self.binds) if self.binds else None
        return edits.describe(item_set, self.id, kind=ItemKind(self.kind), binds=binds, violable=self.violable)


class _Split(_Action):
    action: Literal["split"]
    id: _ID
    at: _PLACE

    def apply(self, item_set: ItemSet, text: str) -> ItemSet:
        return edits.split(item_set, self.id, at=self.at, text=text)


class _Merge(_Action):
    action: Literal["merge"]
    id: _ID

    def apply(self, item_set: ItemSet, text: str) -> ItemSet:
        return edits.merge(item_set, self.id, text=text)


class _Add(_Action):
    action: Literal["add"]
    start: _PLACE
    end: _PLACE

    def apply(self, item_set: ItemSet, text: str) -> ItemSet:
        return edits.add(item_set, self.start, end=self.end, text=text)


class _Move(_Action):
    action: Literal["move"]
    id: _ID
    start: _PLACE
    end: _PLACE

    def apply(self, item_set: ItemSet, text: str) -> ItemSet:
        return edits.move(item_set, self.id, start=self.start, end=self.end, text=text)


class _Undo(_Action):
    action: Literal["undo"]


_AnyAction = _SetReview | _Retitle | _Describe | _Split | _Merge | _Add | _Move | _Undo
_ACTIONS: TypeAdapter[_AnyAction] = TypeAdapter(Annotated[_AnyAction, Field(discriminator="action")])


class ReviewSession:
    """One items file under review; every edit is on the disk before it is shown.

    Parameters
    ----------
    path
        The items file.
    policy
        The document that its items were made for.
    save
        Writes a file whole or not at all.
    """

    def __init__(self, path: Path, policy: Policy, *, save: Callable[[Path, bytes], None]) -> None:
        self.path = path
        self.item_set = read_item_set(path)
        self._policy = policy
        self._save = save
        self._history: list[ItemSet] = []
        self._digest = _digest_of(path)
        self._lock = threading.Lock()

    def state(self) -> dict[str, Plain]:
        """Return what the page shows, as JSON values; offsets count characters."""
        items: list[Plain] = [
            {
                "id": item.id,
                "title": item.title,
                "kind": item.kind.value,
                "start": item.start,
                "end": item.end,
                "binds": item.binds.value if item.binds else None,
                "violable": item.violable,
                "proposed_by": item.proposed_by,
                "review": item.review.value,
            }
            for item in self.item_set.items
        ]
        unread: list[Plain] = [
            {"start": run.start, "end": run.end, "reason": run.reason} for run in self.item_set.unread
        ]
        return {
            "policy": self.item_set.policy,
            "file": self.path.name,
            "text": self._policy.text,
            "items": items,
            "unread": unread,
            "can_undo": bool(self._history),
        }

    def act(self, request: bytes) -> dict[str, Plain]:
        """Do what the page asks for, save, and return the new state.

        Raises
        ------
        UsageError
            If it can't be done; the set is as it was.
        LoadError
            If somebody else changed the file.
        OutputError
            If it can't be written.
        """
        action = _read_action(request)
        with self._lock:
            if _digest_of(self.path) != self._digest:
                mend = "Stop this review with Ctrl-C and start it again"
                raise LoadError("another program changed the file", where=self.path.name, mend=mend)
            before = self.item_set
            after = self._undone() if isinstance(action, _Undo) else action.apply(before, self._policy.text)
            content = render_item_set(after).encode()
            self._save(self.path, content)
            self._digest = hashlib.sha256(content).hexdigest()
            self.item_set = after
            if isinstance(action, _Undo):
                self._history.pop()
            else:
                self._history = [*self._history[1 - _MOST_UNDONE :], before]
            return self.state()

    def _undone(self) -> ItemSet:
        if not self._history:
            raise UsageError("there is nothing to undo", where="items", mend="")
        return self._history[-1]


def _read_action(request: bytes) -> _AnyAction:
    try:
        return _ACTIONS.validate_json(request)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise UsageError(f"the page asked for something unknown: {first['msg']}", where="items") from error


def _digest_of(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
