"""The account of a run whose questions others ask: what the store has, before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from audit.judges.answer import not_asked, undefined
from audit.judges.one_model import is_answer, relabel
from audit.judges.progress import EventKind, OnEvent, open_account
from audit.judges.protocol import VerdictStore
from audit.judges.questions import Question, Questions, Seat, Undefined, render_questions, take_batch
from audit.records.run import Tally
from audit.records.verdict import Verdict


class CountingStore(VerdictStore, Protocol):
    """A store that knows what it took to get a verdict."""

    def find(self, keys: Sequence[str], *, with_calls: bool = False) -> Mapping[str, Verdict]:
        """Return the verdicts that count for ``keys``; without ``with_calls`` as ones that took no call."""
        ...


class Ledger:
    """Fills every place of a run: from the store when it begins, and from the store when others have asked.

    Parameters
    ----------
    seats
        The models, in order.
    on_event
        Told of each verdict.
    """

    def __init__(self, questions: Questions, seats: Sequence[Seat], *, store: CountingStore, on_event: OnEvent) -> None:
        self._seats = seats
        self._store = store
        self._n_each = questions.n_per_model
        self._account = open_account(questions, len(seats), on_event=on_event)
        self._missing: list[dict[int, Question]] = [{} for _ in seats]
        self._repeats: list[tuple[int, Question, int]] = []
        for place in range(len(seats)):
            self._look_up(questions, place)

    @property
    def keys(self) -> Iterator[tuple[int, str]]:
        """Place and key of every question without an answer, those that stand twice included."""
        for missing in self._missing:
            yield from ((number, question.key) for number, question in missing.items())
        yield from ((question.slot.number, question.key) for _, question, _ in self._repeats)

    @property
    def n_calls(self) -> Counter[int]:
        """How many models are to be asked, by place."""
        return Counter(number for missing in self._missing for number in missing)

    def settle(
        self, numbers: Sequence[int], failed: Mapping[tuple[str, str], Verdict], *, why: Mapping[str, str]
    ) -> None:
        """Fill these places with what the store has by now.

        Parameters
        ----------
        failed
            What brought no verdict, by judge and key.
        why
            By judge, why there is nothing of the others.
        """
        for place, seat in enumerate(self._seats):
            own = [self._missing[place].pop(number) for number in numbers if number in self._missing[place]]
            stored = self._store.find([question.key for question in own], with_calls=True)
            for question in own:
                verdict, kind = _find(question, seat, stored=stored, failed=failed, why=why[seat.name])
                self._record(place, question, verdict, kind=kind)

    def finish(self, why: Mapping[str, str]) -> tuple[tuple[Verdict, ...], Tally]:
        """Fill what is left, and return the verdicts and the account."""
        self.settle(sorted({number for missing in self._missing for number in missing}), {}, why=why)
        for place, question, number in self._repeats:
            given = self._account.verdict_at(place * self._n_each + number)
            own = relabel(replace(given, n_calls=0), question, seat=self._seats[place])
            self._record(place, question, own, kind=EventKind.REPEATED)
        return self._account.verdicts(), self._account.tally()

    def _look_up(self, questions: Questions, place: int) -> None:
        seat = self._seats[place]
        number_by_key: dict[str, int] = {}
        rendered = render_questions(questions, seat)
        while entries := take_batch(rendered):
            stored = self._store.find([entry.key for entry in entries if isinstance(entry, Question)])
            for entry in entries:
                if isinstance(entry, Undefined):
                    verdict = undefined(entry.slot, seat, reason=entry.reason)
                    self._account.record(place * self._n_each + entry.slot.number, verdict, kind=EventKind.UNDEFINED)
                    continue
                kept = stored.get(entry.key)
                if kept is not None and is_answer(kept, entry):
                    self._record(place, entry, relabel(kept, entry, seat=seat), kind=EventKind.STORED)
                elif entry.key in number_by_key:
                    self._repeats.append((place, _without_text(entry), number_by_key[entry.key]))
                else:
                    number_by_key[entry.key] = entry.slot.number
                    self._missing[place][entry.slot.number] = _without_text(entry)

    def _record(self, place: int, question: Question, verdict: Verdict, *, kind: EventKind) -> None:
        self._account.record(place * self._n_each + question.slot.number, verdict, kind=kind)


def _find(
    question: Question,
    seat: Seat,
    *,
    stored: Mapping[str, Verdict],
    failed: Mapping[tuple[str, str], Verdict],
    why: str,
) -> tuple[Verdict, EventKind]:
    kept, lost = stored.get(question.key), failed.get((seat.name, question.key))
    if kept is not None and is_answer(kept, question):
        own = relabel(kept, question, seat=seat)
        return replace(own, is_shared=not own.n_calls), EventKind.ASKED
    if lost is not None:
        return relabel(lost, question, seat=seat), EventKind.FAILED if lost.was_sent else EventKind.NOT_ASKED
    return not_asked(question.slot, seat, problem=why), EventKind.NOT_ASKED


def _without_text(question: Question) -> Question:
    """Return a question without its prompt's text, of which a long run would fill the memory."""
    return replace(question, prompt=replace(question.prompt, prefix="", suffix=""))
