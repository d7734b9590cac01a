"""Every shipped set of policy items, against its format and against its document."""

import hashlib
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from audit.loaders.policy import normalise
from audit.records.policy import ItemKind
from audit.resources import resource

FILES = sorted(resource("policies").glob("*/items.json"))
HEADER = {"policy", "document_sha256", "items"}
PROVENANCE = {"source", "licence_of_document"}
"""Of documents that are not ours."""
FIELDS = {"id", "title", "kind", "start", "end"}
DOCUMENTS = {
    "tau": "tau3/domains/{domain}/policy.md",
    "tau1": "tau1/{domain}/wiki.md",
    "intellagent": "intellagent/{domain}/input/wiki.md",
}
"""Where the documents of each family of sets lie among the real data."""
FILES_OF_DOMAINS = {
    "tau/telecom-main": "tau3/domains/telecom/main_policy.md",
    "tau/telecom-main-solo": "tau3/domains/telecom/main_policy_solo.md",
    "tau/telecom-manual": "tau3/domains/telecom/tech_support_manual.md",
    "tau/telecom-workflow": "tau3/domains/telecom/tech_support_workflow.md",
    "tau/banking-header": "tau3/domains/banking_knowledge/prompts/components/policy_header.md",
    "tau/banking-instructions": "tau3/domains/banking_knowledge/prompts/components/additional_instructions.md",
}
"""The same where a policy is put together from several documents, each with a set of its own."""
ID = re.compile(r"([A-Z]+)(\d{2,3})([a-z]?)")


def read(file: Path) -> dict[str, Any]:
    parsed = json.loads(file.read_text(encoding="utf-8"))
    assert isinstance(parsed, dict)
    return parsed


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def runs(text: str, *, length: int) -> set[tuple[str, ...]]:
    found = words(text)
    return {tuple(found[at : at + length]) for at in range(len(found) - length + 1)}


def place(file: Path) -> Path | None:
    """Where the document of our own sets is; ``None`` for documents that we don't ship."""
    ours = (
        file.with_name("policy.md"),
        resource("benchmarks", "sample", file.parent.name.removeprefix("sample-"), "policy.md"),
    )
    return next((path for path in ours if path.is_file()), None)


def names(files: list[Path]) -> list[str]:
    return [file.parent.name for file in files]


FOREIGN = [file for file in FILES if place(file) is None]
every_set = pytest.mark.parametrize("file", FILES, ids=names(FILES))
every_foreign_set = pytest.mark.parametrize("file", FOREIGN, ids=names(FOREIGN))


@pytest.fixture
def document(file: Path, request: pytest.FixtureRequest) -> str:
    """The normalised document of ``file``; skips, visibly, when it is neither ours nor here."""
    path = place(file)
    if path is None:
        policy = read(file)["policy"]
        family, domain = policy.split("/")
        assert family in DOCUMENTS, f"{file.parent.name}: no policy.md beside it nor in the sample benchmark"
        data: Path = request.getfixturevalue("real_data")
        path = data / (FILES_OF_DOMAINS.get(policy) or DOCUMENTS[family].format(domain=domain))
    return normalise(path.read_text(encoding="utf-8"))


def quotes(file: Path, document: str) -> dict[str, str]:
    return {item["id"]: document[item["start"] : item["end"]] for item in read(file)["items"]}


def test_the_tau_sets_ship() -> None:
    assert {
        "tau-airline",
        "tau-retail",
        "tau-telecom-main",
        "tau-banking-header",
        "tau1-airline",
        "tau1-retail",
    } <= set(names(FOREIGN))


@pytest.mark.parametrize("domain", ["airline", "retail"])
def test_the_same_rule_has_the_same_id_in_both_versions_of_a_document(domain: str) -> None:
    old, new = (read(resource("policies", f"{family}-{domain}", "items.json")) for family in ("tau1", "intellagent"))
    assert old["document_sha256"] != new["document_sha256"]
    assert [(item["id"], item["title"], item["kind"]) for item in old["items"]] == [
        (item["id"], item["title"], item["kind"]) for item in new["items"]
    ]
    assert [item["end"] - item["start"] for item in old["items"]] == [
        item["end"] - item["start"] for item in new["items"]
    ]


def test_sets_whose_documents_make_one_policy_share_no_id() -> None:
    for parts in (
        ("tau-telecom-main", "tau-telecom-manual", "tau-telecom-workflow"),
        ("tau-banking-header", "tau-banking-instructions"),
    ):
        ids = [item["id"] for part in parts for item in read(resource("policies", part, "items.json"))["items"]]
        assert len(set(ids)) == len(ids)


def test_a_rule_of_solo_mode_has_the_id_that_it_has_with_a_user() -> None:
    user, solo = (
        {item["id"]: (item["title"], item["kind"]) for item in read(resource("policies", name, "items.json"))["items"]}
        for name in ("tau-telecom-main", "tau-telecom-main-solo")
    )
    assert set(solo) - set(user) == {"T08a"}
    assert {id: user[id] for id in solo if id in user} == {id: solo[id] for id in solo if id in user}


@every_set
def test_a_file_holds_the_fields_of_the_format_and_no_text_of_its_document(file: Path) -> None:
    parsed = read(file)
    assert HEADER <= set(parsed) <= HEADER | PROVENANCE
    assert place(file) is not None or set(parsed) >= PROVENANCE
    assert all(isinstance(parsed[name], str) and parsed[name].strip() for name in set(parsed) - {"items"})
    assert re.fullmatch(r"[0-9a-f]{64}", parsed["document_sha256"])
    assert len(parsed["items"]) > 0
    for item in parsed["items"]:
        assert set(item) == FIELDS
        assert [type(item[name]) for name in ("id", "title", "kind", "start", "end")] == [str, str, str, int, int]


@every_set
def test_ids_are_unique_of_one_letter_and_rise_with_the_document(file: Path) -> None:
    matches = [ID.fullmatch(item["id"]) for item in read(file)["items"]]
    parts = [(match[1], int(match[2]), match[3]) for match in matches if match is not None]
    assert len(parts) == len(matches)
    assert len({prefix for prefix, _, _ in parts}) == 1
    assert all(before < after for before, after in pairwise(parts))


@every_set
def test_kinds_are_known(file: Path) -> None:
    assert {item["kind"] for item in read(file)["items"]} <= {kind.value for kind in ItemKind}


@every_set
def test_spans_are_in_order_and_do_not_overlap(file: Path) -> None:
    items = read(file)["items"]
    assert all(0 <= item["start"] < item["end"] for item in items)
    assert all(before["end"] <= after["start"] for before, after in pairwise(items))


@every_set
def test_titles_are_short_unique_lines(file: Path) -> None:
    titles = [item["title"] for item in read(file)["items"]]
    assert len({title.lower() for title in titles}) == len(titles)
    assert not [title for title in titles if not 3 <= len(title) <= 60 or title != " ".join(title.split())]


@every_set
def test_the_document_is_the_one_that_was_annotated(file: Path, document: str) -> None:
    assert hashlib.sha256(document.encode()).hexdigest() == read(file)["document_sha256"]


@every_foreign_set
def test_titles_are_our_own_words(file: Path, document: str) -> None:
    theirs = runs(document, length=5)
    assert not {item["title"] for item in read(file)["items"] if runs(item["title"], length=5) & theirs}


@every_set
def test_spans_hold_whole_words_without_blanks_around_them(file: Path, document: str) -> None:
    for item in read(file)["items"]:
        start, end = item["start"], item["end"]
        assert end <= len(document), item["id"]
        quote = document[start:end]
        assert quote == quote.strip(), item["id"]
        assert not re.match(r"[-*] |\d+\. |#", quote), f"{item['id']} starts with a bullet or heading mark"
        for edge in (start, end):
            around = document[max(0, edge - 1) : edge + 1]
            assert not re.fullmatch(r"\w\w", around), f"{item['id']} cuts a word"


@every_set
def test_no_span_crosses_a_heading_or_a_blank_line(file: Path, document: str) -> None:
    for id, quote in quotes(file, document).items():
        assert not re.search(r"\n\s*\n|^#", quote, re.MULTILINE), id


@every_set
def test_a_span_closes_the_emphasis_and_brackets_that_it_opens(file: Path, document: str) -> None:
    for id, quote in quotes(file, document).items():
        assert quote.count("**") % 2 == 0, id
        assert quote.count("(") == quote.count(")"), id


@every_set
def test_every_span_says_something(file: Path, document: str) -> None:
    assert not [id for id, quote in quotes(file, document).items() if len(words(quote)) < 3]
