"""Answers of a decisions endpoint to probabilities, strictly: what is not plainly one is unreadable, and says why.

Refused: an answer that is not there or is there twice, another kind of answer than was asked for, a probability that
is no number from 0 to 1, levels that were not asked about, and levels whose probabilities don't come to 1.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from audit.judges.reply import unreadable
from audit.records.prompt import Decision
from audit.records.task import Json

Given: TypeAlias = Mapping[str, Json]
"""An answer as :mod:`audit.providers.decisions` hands it on."""
REFUSAL = "refusal"
_MAX_OFF = 0.02
"""By so much may the probabilities of all levels miss a sum of 1, for they are rounded."""


def answers_of(text: str, decisions: Sequence[Decision], *, where: str) -> dict[str, list[Given]]:
    """Return the answers to each question of a call, by its name; mostly one.

    Where the server left the names out, answers belong to questions by their order.

    Raises
    ------
    UnreadableReplyError
        If ``text`` holds no list of answers.
    """
    try:
        body = json.loads(text)
        answers = [cast("Given", dict(answer)) for answer in body["answers"]]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise unreadable("the reply holds no list of answers", where) from error
    names = [answer.get("name") for answer in answers]
    if len(answers) == len(decisions) and all(name is None for name in names):
        names = [decision.name for decision in decisions]
    found: dict[str, list[Given]] = {decision.name: [] for decision in decisions}
    for name, answer in zip(names, answers, strict=True):
        if isinstance(name, str) and name in found:
            found[name].append(answer)
    return found


def read_levels(answers: Sequence[Given], *, n_levels: int, where: str) -> dict[str, float]:
    """Return the probability of each level that is told.

    Raises
    ------
    UnreadableReplyError
        If the question has no answer or several, or the answer gives no probabilities of its levels.
    """
    answer = _one(answers, "score", of="the question", where=where)
    pairs = answer.get("probabilities")
    found: dict[str, float] = {}
    for level, probability in cast("list[list[Json]]", pairs) if isinstance(pairs, list) else ():
        if not isinstance(level, str) or level in found or level not in map(str, range(1, n_levels + 1)):
            raise unreadable(f"{_short(level)} is no level, or comes twice", where)
        found[level] = _probability(probability, f"level {level}", where)
    if abs(sum(found.values()) - 1) > _MAX_OFF:
        raise unreadable(f"the levels' probabilities come to {sum(found.values()):g}, not to 1", where)
    return found


def read_item(answers: Sequence[Given], item: str, *, where: str) -> float:
    """Return the probability of the statement about one item.

    Raises
    ------
    UnreadableReplyError
        If the statement has no answer or several, or the answer is no probability.
    """
    answer = _one(answers, "predicate", of=f"item {item}", where=where)
    return _probability(answer.get("probability"), f"item {item}", where)


def is_refused(answers: Sequence[Given]) -> bool:
    """Whether the model declined to answer."""
    return any(answer.get("type") == REFUSAL for answer in answers)


def expected_score(probabilities: Mapping[str, float]) -> float:
    """Return the mean level, each weighed by its probability.

    Examples
    --------
    >>> expected_score({"7": 0.5, "8": 0.5})
    7.5
    """
    mean = sum(int(level) * probability for level, probability in probabilities.items()) / sum(probabilities.values())
    return round(mean, 4)


def pack(name: str, value: object) -> str:
    """Return a value under its name as JSON text, for the store."""
    return json.dumps({name: value}, ensure_ascii=False, separators=(",", ":"))


def _one(answers: Sequence[Given], kind: str, *, of: str, where: str) -> Given:
    if len(answers) != 1:
        raise unreadable(f"{of} has {'no answer' if not answers else f'{len(answers)} answers'}", where)
    if answers[0].get("type") != kind:
        raise unreadable(f"{of} was answered with {_short(answers[0].get('type'))}, not with a {kind}", where)
    return answers[0]


def _probability(value: Json, of: str, where: str) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not is_number or not 0 <= cast("float", value) <= 1:
        raise unreadable(f"the probability of {of} is {_short(value)}, not a number from 0 to 1", where)
    return float(cast("float", value))


def _short(value: Json) -> str:
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"
