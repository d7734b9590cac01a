"""The policies of ours: their items lie where they say."""

import hashlib
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from audit.loaders.policy import normalise
from audit.resources import resource

LIBRARY = ("sample-library", resource("benchmarks", "sample", "library", "policy.md"), 25, 32)
GYM = ("sample-gym", resource("policies", "sample-gym", "policy.md"), 12, 18)
both_policies = pytest.mark.parametrize(("folder", "document", "least", "most"), [LIBRARY, GYM])


def read(folder: str) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(resource("policies", folder, "items.json").read_text(encoding="utf-8"))
    return parsed


@both_policies
def test_items_were_made_for_the_document_that_ships(folder: str, document: Path, least: int, most: int) -> None:
    text = normalise(document.read_text(encoding="utf-8"))
    assert read(folder)["policy"] == folder.replace("-", "/")
    assert read(folder)["document_sha256"] == hashlib.sha256(text.encode()).hexdigest()


@both_policies
def test_there_is_the_promised_number_of_items(folder: str, document: Path, least: int, most: int) -> None:
    items = read(folder)["items"]
    assert least <= len(items) <= most
    assert len({item["id"] for item in items}) == len({item["title"] for item in items}) == len(items)


@both_policies
def test_spans_follow_one_another_and_hold_whole_rules(folder: str, document: Path, least: int, most: int) -> None:
    text = normalise(document.read_text(encoding="utf-8"))
    items = read(folder)["items"]
    assert all(one["end"] < two["start"] for one, two in pairwise(items))
    for item in items:
        quoted = text[item["start"] : item["end"]]
        assert quoted[0].isupper()
        assert "\n" not in quoted
        assert quoted == quoted.strip(" -.")
        assert text[item["start"] - 2 : item["start"]] == "- "
        assert text[item["end"]] == "."
