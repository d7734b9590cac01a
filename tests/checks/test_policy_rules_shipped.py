"""The rule files that ship: items, tools and arguments that exist, sentences of our own, and what they find."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit.checks.policy_rules import inspect
from audit.checks.protocol import Subject
from audit.environments.registry import environment_for
from audit.loaders.policy_rules import find_policy_rules, read_policy_rules
from audit.loaders.registry import load_benchmark
from audit.records.policy import Policy
from audit.resources import resource
from audit.sources.resolve import resolve_source
from tests.checks.rule_examples import Call, inspect_calls

FILES = sorted(resource("policies").glob("*/rules.json"))
TOOLS = {
    "tau-airline": resource("benchmarks", "tools", "tau-airline.json"),
    "tau-retail": resource("benchmarks", "tools", "tau-retail.json"),
    "sample-library": resource("benchmarks", "sample", "library", "tools.json"),
}
every_file = pytest.mark.parametrize("file", FILES, ids=[file.parent.name for file in FILES])


def read(file: Path) -> dict[str, Any]:
    parsed = json.loads(file.read_text(encoding="utf-8"))
    assert isinstance(parsed, dict)
    return parsed


def texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)
    elif isinstance(value, str):
        yield value


@every_file
def test_rules_belong_to_the_document_of_the_items_beside_them(file: Path) -> None:
    rules, items = read(file), read(file.with_name("items.json"))
    assert rules["document_sha256"] == items["document_sha256"]
    assert {rule["item"] for rule in rules["rules"]} <= {item["id"] for item in items["items"]}


@every_file
def test_rules_name_tools_and_arguments_of_the_tool_table(file: Path) -> None:
    rules = read(file)
    table = {tool["name"]: {one["name"] for one in tool["parameters"]} for tool in _tools(TOOLS[file.parent.name])}
    known = {name for rule in rules["rules"] for tool in rule["on"] for name in table[tool]}
    for rule in rules["rules"]:
        own = {name for tool in rule["on"] for name in table[tool]}
        named = {match for text in texts(rule) for match in re.findall(r"^\$argument\.(\w+)", text)}
        assert named <= own, rule["id"]
    assert {match for text in texts(rules["define"]) for match in re.findall(r"^\$argument\.(\w+)", text)} <= known


def _tools(file: Path) -> list[dict[str, Any]]:
    return list(read(file)["tools"])


@every_file
def test_sentences_of_the_rules_are_ours(file: Path, real_data: Path) -> None:
    documents = [path.read_text(encoding="utf-8") for path in real_data.glob("tau[13]/**/*.md")]
    assert documents
    foreign = {run for text in documents for run in _runs(text)}
    for rule in read(file)["rules"]:
        assert not foreign & set(_runs(rule["says"])), rule["id"]


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    found = re.findall(r"\w+", text.lower())
    yield from (tuple(found[at : at + 12]) for at in range(len(found) - 11))


@pytest.mark.parametrize("name", ["airline", "retail"])
def test_the_gold_actions_of_the_corrected_sets_break_no_rule_that_the_tools_let_through(
    name: str, real_data: Path
) -> None:
    made = load_benchmark(resolve_source(f"tau3/{name}", data_dir=real_data / "tau3"))
    found = list(inspect(Subject(made, environment_for(made), find_policy_rules(made.policy))))
    assert [one for one in found if one.severity == "error"] == []
    assert [one for one in found if one.rule == "policy-rule-undecided"] == []


@pytest.mark.parametrize("name", ["airline", "retail"])
def test_whatever_is_proved_in_the_development_set_is_a_flaw_that_people_found_too(name: str, real_data: Path) -> None:
    folder = real_data / "flaws-dev"
    database = real_data / "tau3" / "domains" / name / "db.json"
    made = load_benchmark(resolve_source(str(folder / name), database=database))
    found = list(inspect(Subject(made, environment_for(made), find_policy_rules(made.policy))))
    proved = {one.task_id for one in found if one.severity == "error"}
    labels = [line.split(",") for line in (folder / "labels.csv").read_text(encoding="utf-8").splitlines()]
    flawed = {line[2] for line in labels if line[1] == name and line[3:5] == ["1", "substantive"]}
    assert proved
    assert proved <= flawed


def test_the_file_in_the_documentation_is_sound_and_decides_what_it_says(tmp_path: Path) -> None:
    text = (resource("policies").parent / "docs" / "policy-rules.md").read_text(encoding="utf-8")
    (example,) = [block for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL) if '"rules"' in block]
    path = tmp_path / "rules.json"
    path.write_text(example, encoding="utf-8")
    rules = read_policy_rules(path, Policy("kiosk", "", ""))
    rows: dict[str, dict[str, Any]] = {
        "clients": {"c1": {"debt": 2, "level": "plain", "rentals": ["r1"]}},
        "rentals": {"r1": {"status": "open", "insured": False}},
        "boats": {"b1": {"closes": "17:00"}},
    }
    rent = inspect_calls((("rent_boat", {"client_id": "c1", "boat_id": "b1"}),), rows, rules=rules, text="")
    assert [one.policy_item for one in rent] == ["K01", "K02", "K03"]
    refund: tuple[Call, ...] = (("refund_rental", {"rental_id": "r1"}),)
    (likely,) = inspect_calls(refund, rows, rules=rules, text="You are bored.")
    assert (likely.policy_item, likely.severity) == ("K04", "warning")
    assert inspect_calls(refund, rows, rules=rules, text="Thunderstorms came up.") == []
