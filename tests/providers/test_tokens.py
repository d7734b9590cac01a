from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit import pipeline
from audit.judges.questions import Question, Questions, render_questions, take_seats
from audit.judges.registry import JUDGES
from audit.providers.scripted import make_scripted
from audit.providers.tokens import estimate_tokens
from tests.vocabularies import count_tokens

VOCABULARIES = ("o200k_base", "cl100k_base")


def prompts(name: str, places: pipeline.Places) -> list[str]:
    benchmark = pipeline.load(name, places)
    (seat,) = take_seats({"scripted:seeded": make_scripted("seeded")})
    rendered = render_questions(Questions(benchmark, tuple(JUDGES.values())), seat)
    asked = [entry.prompt for entry in rendered if isinstance(entry, Question)]
    return [prompt.prefix + prompt.suffix for prompt in asked[:: max(1, len(asked) // 12)]]


def off_by(texts: list[str], vocabulary: str) -> float:
    real = sum(count_tokens(text, vocabulary) for text in texts)
    return sum(estimate_tokens(text) for text in texts) / real - 1


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_the_samples_prompts_are_estimated_within_a_tenth(vocabulary: str) -> None:
    assert abs(off_by(prompts("sample/library", pipeline.Places()), vocabulary)) < 0.1


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
@pytest.mark.parametrize(
    "name", ["tau3/airline", "tau3/telecom", "tau3/banking", "intellagent/airline", "pararecover/level-2-real"]
)
def test_real_prompts_are_estimated_within_a_tenth(name: str, vocabulary: str, real_data: Path) -> None:
    assert abs(off_by(prompts(name, pipeline.Places(data_dir=real_data)), vocabulary)) < 0.1


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("word", 1),
        ("two words", 2),
        ("incomprehensibilities", 4),
        ("1234567", 3),
        ("line\nline", 3),
        ('{"a": 1}', 5),
        ("五个汉字吧", 4),
        ("_____", 3),
    ],
)
def test_short_texts_come_to_what_one_would_expect(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_an_estimate_grows_with_the_text() -> None:
    text = json.dumps({"name": "Ünïcode", "lines": ["a", "b"], "n": [1, 2.5]})
    assert [estimate_tokens(text * n) for n in (1, 2)] == sorted({estimate_tokens(text), estimate_tokens(text * 2)})
