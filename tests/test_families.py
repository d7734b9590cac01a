"""What is told of judges that belong to the family that wrote a benchmark."""

from __future__ import annotations

import pytest

from audit.families import family_note


@pytest.mark.parametrize(
    ("judges", "author", "told"),
    [
        (["openai:gpt-5.4"], "openai", "openai:gpt-5.4 is of that family"),
        (["openai:gpt-5.4", "google:gemma-3"], "Google", "google:gemma-3 is of that family"),
        (["openai:gpt-5.4", "openai:gpt-4o"], "openai", "openai:gpt-5.4, openai:gpt-4o are of that family"),
        (["openai:my-model@http://127.0.0.1:1/v1"], "openai", ""),
        (["openai:gpt-5.4"], "meta", ""),
        (["openai:gpt-5.4"], None, ""),
        ([], "openai", ""),
    ],
)
def test_judges_of_the_authors_family_are_named(judges: list[str], author: str | None, told: str) -> None:
    note = family_note(judges, author)
    assert told in note
    assert bool(note) == bool(told)
