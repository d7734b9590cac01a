"""Policy rules on a small kiosk of our own: what they find, how sure it is, and what they leave open."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.checks.policy_rules import inspect
from audit.checks.protocol import Subject
from audit.loaders.policy_rules import read_policy_rules
from audit.records.finding import Certainty, Finding, Severity
from audit.records.policy import Policy
from audit.records.policy_rule import PolicyRules
from audit.records.task import Action, Benchmark, Json, Origin, PartKind, Tool, ToolKind
from tests import builders

ROWS: Any = {"clients": {"c1": {"level": "gold", "debt": 4.5, "boats": ["b1", "b2"], "note": None}}}

RULE: dict[str, Any] = {
    "id": "no-debt",
    "item": "P01",
    "on": ["rent"],
    "let": {"client": {"row": ["clients", "$argument.client"]}},
    "require": {"at_most": ["$client.debt", 4]},
    "says": "The client owes more than 4.",
    "show": {"debt": "$client.debt", "gone": "$client.gone"},
}


def rules(folder: Path, *made: dict[str, Any], **fields: object) -> PolicyRules:
    path = folder / "rules.json"
    path.write_text(json.dumps({"policy": "kiosk", "rules": list(made or (RULE,)), **fields}), encoding="utf-8")
    return read_policy_rules(path, builders.policy())


def rent(client: str = "c1", kind: ToolKind = ToolKind.WRITE, **more: Json) -> Action:
    return Action("rent", {"client": client, **more}, kind, Origin("tasks.json", "actions[0]", "t1"))


def kiosk(*actions: Action, text: str = "You want a boat.", **fields: object) -> Benchmark:
    return builders.benchmark(builders.task(description=text, actions=actions), database=ROWS, **fields)


def found(benchmark: Benchmark, made: PolicyRules) -> list[Finding]:
    return list(inspect(Subject(benchmark, None, made)))


def test_a_broken_rule_names_the_item_the_call_and_the_values_that_clash(tmp_path: Path) -> None:
    (finding,) = found(kiosk(rent()), rules(tmp_path))
    assert finding.rule == "gold-breaks-policy"
    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.PROVED)
    assert (finding.task_id, finding.policy_item) == ("t1", "P01")
    assert finding.what == "rent breaks P01 (Bookings can't be cancelled.): The client owes more than 4."
    assert finding.evidence == (("rule", "no-debt"), ("call", 'rent {"client": "c1"}'), ("debt", "4.5"))


def test_the_fingerprint_of_a_broken_rule_does_not_depend_on_where_the_call_stands(tmp_path: Path) -> None:
    look = Action("look", {}, ToolKind.READ, Origin("tasks.json", "actions[0]", "t1"))
    (first,) = found(kiosk(rent()), rules(tmp_path))
    (second,) = found(kiosk(look, rent()), rules(tmp_path))
    assert first.fingerprint == second.fingerprint


def test_a_benchmark_without_rules_has_no_findings() -> None:
    assert list(inspect(Subject(kiosk(rent())))) == []


def test_a_call_of_the_user_breaks_no_rule(tmp_path: Path) -> None:
    by_user = Action("rent", {"client": "c1"}, ToolKind.WRITE, Origin("", ""), requestor="user")
    assert found(kiosk(by_user), rules(tmp_path)) == []


def test_without_an_environment_only_calls_before_the_first_write_are_decided(tmp_path: Path) -> None:
    assert len(found(kiosk(rent(kind=ToolKind.READ), rent(seats=2)), rules(tmp_path))) == 2
    assert len(found(kiosk(rent(), rent(seats=2)), rules(tmp_path))) == 1


def test_without_an_environment_a_task_that_prepares_the_database_is_left_open(tmp_path: Path) -> None:
    made = builders.benchmark(
        replace(builders.task(actions=(rent(),)), raw={"initial_state": {"initialization_data": {"a": 1}}}),
        database=ROWS,
    )
    assert found(made, rules(tmp_path)) == []


def test_rules_of_another_document_say_nothing_about_a_task_with_its_own_policy(tmp_path: Path) -> None:
    bound = rules(tmp_path, document_sha256=builders.policy().sha256)
    own = replace(builders.task(actions=(rent(),)), policy=builders.policy("Another text."))
    assert found(builders.benchmark(own, database=ROWS), bound) == []
    assert len(found(kiosk(rent()), bound)) == 1


def test_a_rule_that_needs_the_text_gives_a_likely_finding_at_most(tmp_path: Path) -> None:
    either = RULE | {"require": {"any": [RULE["require"], {"mentions": ["gift"]}]}}
    (finding,) = found(kiosk(rent()), rules(tmp_path, either))
    assert (finding.rule, finding.severity) == ("gold-may-break-policy", Severity.WARNING)
    assert finding.certainty is Certainty.LIKELY
    assert found(kiosk(rent(), text="You have a gift for her."), rules(tmp_path, either)) == []


def test_a_rule_that_fails_whatever_the_text_says_is_proved_all_the_same(tmp_path: Path) -> None:
    both = RULE | {"require": {"all": [RULE["require"], {"mentions": ["gift"]}]}}
    (finding,) = found(kiosk(rent()), rules(tmp_path, both))
    assert finding.certainty is Certainty.PROVED


def test_a_rule_may_say_that_it_is_only_likely_or_milder(tmp_path: Path) -> None:
    (likely,) = found(kiosk(rent()), rules(tmp_path, RULE | {"certainty": "likely"}))
    assert (likely.rule, likely.severity) == ("gold-may-break-policy", Severity.WARNING)
    (mild,) = found(kiosk(rent()), rules(tmp_path, RULE | {"severity": "note"}))
    assert (mild.rule, mild.severity, mild.certainty) == ("gold-breaks-policy", Severity.NOTE, Certainty.PROVED)


def test_a_condition_in_where_silences_a_rule_and_an_open_one_only_counts_if_the_rule_is_kept(tmp_path: Path) -> None:
    silent = RULE | {"where": {"equal": ["$client.level", "silver"]}}
    assert found(kiosk(rent()), rules(tmp_path, silent)) == []
    unsure = RULE | {"where": {"equal": ["$client.gone", 1]}}
    assert [one.rule for one in found(kiosk(rent()), rules(tmp_path, unsure))] == ["policy-rule-undecided"]
    kept = unsure | {"require": {"at_most": ["$client.debt", 5]}}
    assert found(kiosk(rent()), rules(tmp_path, kept)) == []


def test_a_rule_that_names_a_missing_row_at_every_call_is_noted_once(tmp_path: Path) -> None:
    (finding,) = found(kiosk(rent("c7"), text="x"), rules(tmp_path))
    assert (finding.rule, finding.task_id, finding.severity) == ("policy-rule-undecided", None, Severity.NOTE)
    assert finding.what == (
        "The rule no-debt can't be decided at any gold call that it is about (1 tried): $client has no value."
    )
    assert finding.origin.field == "rules.no-debt"


def test_a_rule_whose_field_is_missing_is_noted_without_a_name(tmp_path: Path) -> None:
    odd = RULE | {"require": {"at_most": ["$client.dept", 4]}}
    (finding,) = found(kiosk(rent()), rules(tmp_path, odd))
    assert finding.what.endswith("(1 tried).")


def test_a_rule_that_could_be_told_once_is_not_noted(tmp_path: Path) -> None:
    two = kiosk(rent("c7", kind=ToolKind.READ), rent())
    assert [one.rule for one in found(two, rules(tmp_path))] == ["gold-breaks-policy"]


def test_a_rule_about_a_tool_that_is_not_in_the_table_is_noted(tmp_path: Path) -> None:
    made = kiosk(rent(), tools=(Tool("hire", ToolKind.WRITE),))
    (broken, note) = found(made, rules(tmp_path))
    assert broken.rule == "gold-breaks-policy"
    assert note.what == "The rule no-debt is about rent, which is no tool of the assistant."


def test_what_stands_in_the_context_of_a_task_is_not_said_by_the_user(tmp_path: Path) -> None:
    either = RULE | {"require": {"any": [RULE["require"], {"mentions": ["gift"]}]}}
    made = builders.task(actions=(rent(),))
    hinted = replace(made, description=(*made.description, builders.part("It is a gift.", PartKind.CONTEXT)))
    assert len(found(builders.benchmark(hinted, database=ROWS), rules(tmp_path, either))) == 1


def test_calls_before_and_after_are_known_to_a_rule(tmp_path: Path) -> None:
    once = RULE | {
        "require": {
            "equal": [{"add": [{"size": "$before"}, {"size": "$after"}]}, 0],
        },
        "show": {"after": "$after[].name", "call": "$call.name"},
    }
    broken = found(kiosk(rent(), rent(seats=2)), rules(tmp_path, once))
    assert [dict(one.evidence)["after"] for one in broken] == ['["rent"]']


HOSTILE: list[Json] = [None, True, 10**400, -1, 1e308, "", "$now", "\x00", [], [[]], {}, {"a": [None]}, ["c1", 3]]


@pytest.mark.parametrize("odd", HOSTILE, ids=lambda part: repr(part)[:20])
def test_hostile_arguments_and_rows_raise_nothing(odd: Json, tmp_path: Path) -> None:
    wide = RULE | {
        "require": {
            "all": [
                {"at_most": ["$argument.client", 4]},
                {"in": ["$argument.client", "$client.boats"]},
                {"same_entries": ["$argument.client", "$client"]},
                {"less": [{"days": ["$argument.client", "$now"]}, {"add": ["$argument.client", 1]}]},
                {"every": {"in": "$argument.client", "as": "part", "is": {"equal": ["$part", {"rows": "clients"}]}}},
            ]
        }
    }
    action = Action("rent", {"client": odd}, ToolKind.WRITE, Origin("", ""))
    for rows in (ROWS, {"clients": {"c1": odd}}, {}):
        made = builders.benchmark(builders.task(actions=(action,)), database=rows)
        for one in found(made, rules(tmp_path, wide, now="2030-01-01")):
            assert one.rule in ("gold-breaks-policy", "policy-rule-undecided")


def test_a_policy_without_items_is_named_by_its_rule(tmp_path: Path) -> None:
    bare = Policy("bare", "Pay first.", "0" * 64)
    path = tmp_path / "rules.json"
    path.write_text(json.dumps({"policy": "kiosk", "rules": [RULE | {"item": ""}]}), encoding="utf-8")
    made = kiosk(rent(), policy=bare)
    (finding,) = found(made, read_policy_rules(path, bare))
    assert finding.what == "rent breaks no-debt: The client owes more than 4."
