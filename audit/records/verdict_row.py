"""Verdicts as rows of a table: their columns, and both directions."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from functools import lru_cache

from audit.records.prompt import Usage
from audit.records.verdict import Trust, Verdict, VerdictState

_USAGE = ("input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens")
TYPES = {  # of SQLite
    "key": "TEXT NOT NULL",
    "task_id": "TEXT NOT NULL",
    "criterion": "TEXT NOT NULL",
    "judge": "TEXT NOT NULL",
    "trial": "INTEGER NOT NULL",
    "state": "TEXT NOT NULL",
    "score": "REAL",
    "violated": "TEXT",
    "reasons": "TEXT NOT NULL",
    "problem": "TEXT NOT NULL",
    "raw_reply": "TEXT NOT NULL",
    **dict.fromkeys(_USAGE, "INTEGER"),
    "cost_usd": "REAL",
    "latency_s": "REAL NOT NULL",
    "model": "TEXT NOT NULL",
    "prompt_hash": "TEXT NOT NULL",
    "trust": "TEXT NOT NULL",
    "asked_at": "TEXT NOT NULL",
    "n_calls": "INTEGER NOT NULL",
    "is_repaired": "INTEGER NOT NULL",
    "is_interim": "INTEGER NOT NULL",
}
_PYTHON_TYPES: Mapping[str, tuple[type, ...]] = {"TEXT": (str,), "INTEGER": (int,), "REAL": (int, float)}
_HIGHEST_SCORE, _HIGHEST_SHARE = 10, 1
COLUMNS = tuple(TYPES)
_STATES: Mapping[object, VerdictState] = {state.value: state for state in VerdictState}
_TRUSTS: Mapping[object, Trust] = {trust.value: trust for trust in Trust}
_REALS = tuple(place for place, kind in enumerate(TYPES.values()) if kind.startswith("REAL"))
_RECURRING = ("criterion", "judge", "model", "prompt_hash")
"""Texts that a store holds over and over, kept once in memory."""


def make_row(verdict: Verdict, *, is_interim: bool) -> tuple[object, ...]:
    """Return ``verdict`` as values in the order of :data:`COLUMNS`."""
    encoded = {
        "state": verdict.state.value,
        "violated": None if verdict.violated is None else json.dumps(verdict.violated),
        "reasons": json.dumps(verdict.reasons),
        "trust": verdict.trust.value,
        "is_interim": is_interim,
        **{name: getattr(verdict.usage, name) for name in _USAGE},
    }
    return tuple(encoded[name] if name in encoded else getattr(verdict, name) for name in COLUMNS)


def read_row(row: tuple[object, ...], *, n_calls: int | None = None) -> Verdict:
    """Return a row as a verdict.

    Parameters
    ----------
    row
        As read from the table, where anybody may have written into it.
    n_calls
        Instead of the row's own number.

    Raises
    ------
    ValueError
        For types, states and scores that no verdict has.
    """
    _check_types(row)
    fields = dict(zip(COLUMNS, row, strict=True))
    del fields["is_interim"]
    usage = Usage(*map(fields.pop, _USAGE))  # type: ignore[arg-type]  # columns of that type
    violated = fields["violated"]
    fields["state"] = _STATES.get(fields["state"]) or VerdictState(str(fields["state"]))
    fields["violated"] = None if violated is None else _read_texts(str(violated))
    fields["reasons"] = _read_texts(str(fields["reasons"]))
    fields["trust"] = _TRUSTS.get(fields["trust"]) or Trust(str(fields["trust"]))
    fields["is_repaired"] = bool(fields["is_repaired"])
    fields |= {name: sys.intern(str(fields[name])) for name in _RECURRING}
    if n_calls is not None:
        fields["n_calls"] = n_calls
    verdict = Verdict(usage=usage, **fields)  # type: ignore[arg-type]  # columns of that type
    if verdict.is_ok == (verdict.score is None and verdict.violated is None):
        raise ValueError(f"the state is {verdict.state}, with{'out' if verdict.is_ok else ''} a score or items")
    highest = _HIGHEST_SHARE if verdict.criterion == "offline_match" else _HIGHEST_SCORE
    if verdict.score is not None and not 0 <= verdict.score <= highest:
        raise ValueError(f"the score is {verdict.score}")
    return verdict


def _check_types(row: tuple[object, ...]) -> None:
    if not _are_usual(tuple(map(type, row))):
        for name, value in zip(COLUMNS, row, strict=True):
            _check_type(name, value)
    for place in _REALS:
        value = row[place]
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{COLUMNS[place]} is {value}")


@lru_cache(maxsize=256)
def _are_usual(types: tuple[type, ...]) -> bool:
    """Whether these are the very types that the columns hold; there are few different rows."""
    allowed = (
        (*_PYTHON_TYPES[kind.split()[0]], *(() if "NOT NULL" in kind else (type(None),))) for kind in TYPES.values()
    )
    return len(types) == len(COLUMNS) and all(type_ in kinds for type_, kinds in zip(types, allowed, strict=True))


def _check_type(name: str, value: object) -> None:
    kind, *others = TYPES[name].split()
    if value is None and not others:
        return
    if not isinstance(value, _PYTHON_TYPES[kind]):
        raise ValueError(f"{name} is {value!r:.80}")


def _read_texts(text: str) -> tuple[str, ...]:
    texts = json.loads(text)
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise ValueError(f"{text:.80} is no list of texts")
    return tuple(texts)
