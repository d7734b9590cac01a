"""The decisions endpoints of OpenAI and Google: what was asked, and whatever a test wants to be answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.servers.http import Request, Response


@dataclass(frozen=True)
class Asked:
    """One question of a request."""

    name: str
    text: str
    levels: tuple[str, ...] = ()
    """Of a score; empty for a statement."""

    @property
    def item(self) -> str:
        """The policy item that a statement is about."""
        return self.text.rpartition(" ")[2]


@dataclass(frozen=True)
class Raw:
    """An answer's fields, in the vendor's own form, beside its name."""

    fields: Any


Said = float | Sequence[float] | str | Raw | None
"""A probability, those of all levels, ``refusal``, anything at all, or no answer."""
Decide = Callable[[Asked], Said]


def asked(request: Request) -> list[Asked]:
    """What a request to a decisions endpoint asks."""
    questions = request.body["questions"]
    if request.vendor == "google":
        return [Asked(name, q["instructions"], tuple(q.get("criteria", ()))) for name, q in questions.items()]
    return [
        Asked(q["name"], q["instructions"], tuple(level["description"] for level in q.get("levels", ())))
        for q in questions
    ]


def decide(answer: Decide, *, is_named: bool = True, **changes: Any) -> Callable[[Request], Response]:  # noqa: ANN401
    """Answer each question so; ``changes`` are fields of the whole body, ``None`` taking one out."""

    def reply(request: Request) -> Response:
        body = decision_body(request, answer, is_named=is_named) | changes
        return Response({name: value for name, value in body.items() if value is not None})

    return reply


def plainly(number: float = 7, probability: float = 0.03) -> Decide:
    """That score for sure, and that probability for every item."""

    def answer(question: Asked) -> Said:
        if not question.levels:
            return probability
        return [float(level == round(number)) for level in range(1, len(question.levels) + 1)]

    return answer


def decision_body(request: Request, answer: Decide, *, is_named: bool = True) -> dict[str, Any]:
    said = [(question.name, answer(question)) for question in asked(request)]
    there = [(name, value) for name, value in said if value is not None]
    if request.vendor == "google":
        return {"answers": {name: _google(value) for name, value in there}, "usage": _google_usage(len(said))}
    answers = [{"name": name if is_named else None, **_openai(value)} for name, value in there]
    return {"answers": answers, "model": f"{request.model}-2026-01-01", "usage": _openai_usage(len(said))}


def _openai(said: Said) -> Any:  # noqa: ANN401  # any JSON
    if isinstance(said, Raw):
        return said.fields
    if isinstance(said, str):
        return {"type": said}
    if isinstance(said, int | float):
        return {"type": "predicate", "probability": said}
    assert said is not None
    levels = [{"label": str(n), "value": n - 1, "probability": p} for n, p in enumerate(said, 1)]
    expected = sum((n - 1) * p for n, p in enumerate(said, 1))
    return {"type": "score", "score": expected, "confidence": max(said), "probabilities": levels}


def _google(said: Said) -> Any:  # noqa: ANN401  # any JSON
    if isinstance(said, Raw):
        return said.fields
    if isinstance(said, str):
        return {"type": said}
    if isinstance(said, int | float):
        return {"type": "noul", "noul": said, "confidence": max(said, 1 - said)}
    assert said is not None
    probabilities = {str(n): p for n, p in enumerate(said)}
    expected = sum(n * p for n, p in enumerate(said))
    return {"type": "score", "score": expected, "confidence": max(said), "legend": {}, "probabilities": probabilities}


def _openai_usage(n_questions: int) -> dict[str, Any]:
    return {
        "input_tokens": 1000,
        "input_tokens_details": {"cached_tokens": 600, "cache_write_tokens": 0},
        "output_tokens": n_questions,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 1000 + n_questions,
    }


def _google_usage(n_questions: int) -> dict[str, Any]:
    return {
        "total_input_tokens": 1000,
        "total_cached_tokens": 600,
        "total_output_tokens": n_questions,
        "total_tokens": 1000 + n_questions,
    }
