"""Files of policy rules: every mistake is one line with file, rule and field."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from audit.errors import LoadError, PolicyChangedError
from audit.loaders.policy_rules import find_policy_rules, read_policy_rules
from audit.records.finding import Certainty, Severity
from audit.records.policy_rule import Literal, Operation
from audit.records.policy_rule import Path as ValuePath
from tests.builders import policy

RULE: dict[str, Any] = {
    "id": "no-debt",
    "item": "P01",
    "on": ["rent"],
    "let": {"client": {"row": ["clients", "$argument.client"]}},
    "require": {"at_most": ["$client.debt", 4]},
    "says": "The client owes more than 4.",
}


def write(folder: Path, *made: dict[str, Any], **fields: object) -> Path:
    path = folder / "rules.json"
    path.write_text(json.dumps({"policy": "kiosk", "rules": list(made or (RULE,)), **fields}), encoding="utf-8")
    return path


def test_a_file_of_rules_is_read_with_what_it_leaves_out(tmp_path: Path) -> None:
    read = read_policy_rules(write(tmp_path), policy())
    (rule,) = read.rules
    assert (read.policy, read.document_sha256, read.now) == ("kiosk", "", "")
    assert (rule.id, rule.item, rule.on, rule.where) == ("no-debt", "P01", frozenset({"rent"}), None)
    assert (rule.certainty, rule.severity) == (Certainty.PROVED, Severity.ERROR)
    assert rule.require == Operation("at_most", (ValuePath("client", ("debt",)), Literal(4)))


def test_definitions_are_put_in_where_they_are_used(tmp_path: Path) -> None:
    made = RULE | {"require": {"use": "pays"}}
    defined = {"limit": {"add": [1, 3]}, "pays": {"at_most": ["$client.debt", {"use": "limit"}]}}
    (rule,) = read_policy_rules(write(tmp_path, made, define=defined), policy()).rules
    limit = Operation("add", (Literal(1), Literal(3)))
    assert rule.require == Operation("at_most", (ValuePath("client", ("debt",)), limit))


def test_rules_of_another_document_are_refused_with_the_hash_to_write(tmp_path: Path) -> None:
    path = write(tmp_path, document_sha256="0" * 64)
    with pytest.raises(PolicyChangedError, match=f"set document_sha256 to {policy().sha256}"):
        read_policy_rules(path, policy())


def test_rules_are_found_on_a_shelf_by_the_hash_of_their_document(tmp_path: Path) -> None:
    for name, sha in (("other", "0" * 64), ("own", policy().sha256)):
        (tmp_path / name).mkdir()
        write(tmp_path / name, document_sha256=sha)
    found = find_policy_rules(policy(), shelf=tmp_path)
    assert found is not None
    assert found.document_sha256 == policy().sha256
    assert find_policy_rules(policy("Another text."), shelf=tmp_path) is None


def test_rules_without_a_document_are_not_taken_from_a_shelf(tmp_path: Path) -> None:
    (tmp_path / "any").mkdir()
    write(tmp_path / "any")
    assert find_policy_rules(policy(), shelf=tmp_path) is None


def test_a_policy_without_items_takes_any_item(tmp_path: Path) -> None:
    assert read_policy_rules(write(tmp_path, RULE | {"item": "Z9"}), policy(n_items=0)).rules[0].item == "Z9"


def changed(**fields: object) -> dict[str, Any]:
    return RULE | fields


DEFINED = {"limit": 4}
MISTAKES = [
    ("rule no-debt item: the policy has no item 'Z9'", [changed(item="Z9")], {}),
    ("rule no-debt says: Field required", [{k: RULE[k] for k in RULE if k != "says"}], {}),
    ("rule no-debt sais: Extra inputs are not permitted", [changed(sais="x")], {}),
    ("rule A B id: String should match pattern", [changed(id="A B")], {}),
    ("rule number 1 id: Field required", [{k: RULE[k] for k in RULE if k != "id"}], {}),
    ("rule number 1: Input should be", [7], {}),
    ("rule no-debt on: List should have at least 1 item", [changed(on=[])], {}),
    ("rules: List should have at least 1 item", [RULE], {"rules": []}),
    ("speed: Extra inputs", [RULE], {"speed": 1}),
    ("document_sha256: String should match", [RULE], {"document_sha256": "12"}),
    ("two rules have the id no-debt", [RULE, RULE], {}),
    ("now: the current time 'noon' is no time", [RULE], {"now": "noon"}),
    ("define.limit: no rule uses this definition", [RULE], {"define": DEFINED}),
    ("rule no-debt certainty: no certainty 'judged'", [changed(certainty="judged")], {}),
    ("rule no-debt severity: no severity 'fatal'", [changed(severity="fatal")], {}),
    (
        "rule no-debt severity: a rule that is only likely can't be an error",
        [changed(certainty="likely", severity="error")],
        {},
    ),
    ("rule no-debt let.Client: 'Client' is no name", [changed(let={"Client": 1})], {}),
    ("rule no-debt let.argument: the name 'argument' is taken", [changed(let={"argument": 1})], {}),
    (
        r"rule no-debt require\.at_most\[0\]: nothing has the name \$klient\. Did you mean \$client",
        [changed(require={"at_most": ["$klient.debt", 4]})],
        {},
    ),
    (r"nothing has the name \$now", [changed(require={"at_most": ["$now", 4]})], {}),
    (r"'\$client debt' is no path", [changed(require={"at_most": ["$client debt", 4]})], {}),
    ("require: a text stands where a condition must", [changed(require="$client.debt")], {}),
    ("require: true or false stands where a condition must", [changed(require=True)], {}),
    ("require.add: a value stands where a condition must", [changed(require={"add": [1, 2]})], {}),
    (
        r"require\.equal\[0\]\.not: a condition stands where a value must",
        [changed(require={"equal": [{"not": {"equal": [1, 1]}}, 1]})],
        {},
    ),
    ("there is no operator 'at_mst'. Did you mean 'at_most'", [changed(require={"at_mst": [1, 2]})], {}),
    ("there is no operator '§'. There are: add", [changed(require={"§": [1, 2]})], {}),
    ("an object must hold one operator, not 2", [changed(require={"less": [1, 2], "more": [1, 2]})], {}),
    ("require.at_most: at_most takes a list of 2 parts", [changed(require={"at_most": [1]})], {}),
    ("require.at_most: at_most takes a list of 2 parts", [changed(require={"at_most": 1})], {}),
    ("require.all: all takes a list of 1 or more parts", [changed(require={"all": []})], {}),
    ("'limit' is not defined before it is used", [changed(require={"use": "limit"})], {}),
    (
        "'b' is not defined before it is used",
        [changed(require={"equal": [{"use": "a"}, {"use": "b"}]})],
        {"define": {"a": {"use": "b"}, "b": 1}},
    ),
    ("some takes an object with as, in, is", [changed(require={"some": {"in": [1], "as": "n"}})], {}),
    ("some takes an object with as, in, is", [changed(require={"some": [1]})], {}),
    (
        "require.some.as: a name must be a text, not a number",
        [changed(require={"some": {"in": [1], "as": 1, "is": {"equal": [1, 1]}}})],
        {},
    ),
    (
        "require.some.as: the name 'client' is taken",
        [changed(require={"some": {"in": [1], "as": "client", "is": {"equal": [1, 1]}}})],
        {},
    ),
    ("choose takes an object with by", [changed(show={"x": {"choose": {"by": 1}}})], {}),
    ("show.x.zip: zip takes an object of two lists", [changed(show={"x": {"zip": {"a": 1}}})], {}),
    ("mentions takes a list of words", [changed(require={"mentions": []})], {}),
    ("mentions takes a list of words", [changed(require={"mentions": ["*"]})], {}),
    ("mentions takes a list of words", [changed(require={"mentions": "ill"})], {}),
]


@pytest.mark.parametrize(("message", "made", "fields"), MISTAKES, ids=[one[0] for one in MISTAKES])
def test_a_mistake_is_one_line_with_file_rule_and_field(
    message: str, made: list[Any], fields: dict[str, object], tmp_path: Path
) -> None:
    path = write(tmp_path, *made, **fields)
    with pytest.raises(LoadError, match=message) as caught:
        read_policy_rules(path, policy())
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_object_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(LoadError, match=re.escape(str(path))):
        read_policy_rules(path, policy())


def test_definitions_that_double_at_each_use_are_refused_quickly(tmp_path: Path) -> None:
    defined: dict[str, Any] = {"d0": 1}
    for number in range(1, 40):
        defined[f"d{number}"] = {"add": [{"use": f"d{number - 1}"}, {"use": f"d{number - 1}"}]}
    path = write(tmp_path, changed(require={"equal": [{"use": "d39"}, 1]}), define=defined)
    with pytest.raises(LoadError, match="the rule is made of more than 1000 expressions"):
        read_policy_rules(path, policy())
