from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit.checks.protocol import Subject
from audit.checks.replay import CHECK
from audit.environments.airline import AIRLINE
from audit.environments.mock import MOCK
from audit.environments.registry import environment_for
from audit.environments.retail import RETAIL
from audit.environments.toolset import Domain
from audit.loaders.registry import load_benchmark
from audit.records.finding import Certainty, Finding, Severity
from audit.records.task import Action, Json, Origin, Task, Tool, ToolKind
from audit.sources.resolve import resolve_source
from tests.builders import benchmark, task
from tests.environments.worlds import airline_database, booking, order, person, retail_database

CANCEL: dict[str, Json] = {"order_id": "#P", "reason": "no longer needed"}


def gold(name: str, arguments: dict[str, Any], *, at: int = 0) -> Action:
    return Action(name, arguments, ToolKind.UNKNOWN, Origin("tasks.json", f"evaluation_criteria.actions[{at}]", "t1"))


def look(*actions: Action, domain: Domain = RETAIL, database: Any = None, text: str = "Hello.") -> list[Finding]:  # noqa: ANN401
    return inspect(task(description=text, actions=actions), domain=domain, database=database)


def inspect(one: Task, *, domain: Domain = RETAIL, database: Any = None) -> list[Finding]:  # noqa: ANN401
    rows = database or (retail_database() if domain is RETAIL else airline_database())
    tools = tuple(Tool(name, body.kind, caller=caller) for (caller, name), body in domain.tools.items())
    subject = benchmark(one, database=rows, tools=tools)
    return list(CHECK.inspect(Subject(subject, domain.bind(subject))))


def swap(*pairs: tuple[str, str]) -> Action:
    old, new = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    arguments = {"order_id": "#P", "item_ids": old, "new_item_ids": new, "payment_method_id": "card_1"}
    return gold("modify_pending_order_items", arguments)


def test_gold_that_runs_and_changes_something_gives_no_finding() -> None:
    assert look(gold("get_order_details", {"order_id": "#P"}), gold("cancel_pending_order", CANCEL)) == []


def test_a_failing_write_is_proved_with_the_state_it_happened_in() -> None:
    exchange = {"order_id": "#D", "item_ids": ["A1"], "new_item_ids": ["A2"], "payment_method_id": "gift_1"}
    failing, unchanged = look(gold("exchange_delivered_order_items", exchange, at=3))

    assert (failing.rule, failing.severity, failing.certainty) == ("gold-write-fails", Severity.ERROR, Certainty.PROVED)
    assert failing.what == (
        "exchange_delivered_order_items fails: gift card balance too small (10.0 is less than 10.2)."
    )
    assert failing.origin.field == "evaluation_criteria.actions[3]"
    evidence = dict(failing.evidence)
    assert evidence["orders #D"] == "status delivered, user_id ada_1"
    assert evidence["payment_methods gift_1"] == "source gift_card, balance 10.0"
    assert unchanged.rule == "planned-writes-change-nothing"


def test_the_fingerprint_of_a_failing_call_does_not_hang_on_its_place() -> None:
    wrong = CANCEL | {"order_id": "#X"}
    first = look(gold("cancel_pending_order", wrong, at=1))[0]
    second = look(gold("get_user_details", {"user_id": "ada_1"}), gold("cancel_pending_order", wrong, at=2))[0]
    assert first.fingerprint == second.fingerprint
    assert first.origin != second.origin


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("You think that your order is #W1.", Severity.NOTE),
        ("You think that your order is w1.", Severity.NOTE),
        ("You have an order.", Severity.WARNING),
    ],
)
def test_a_failing_look_up_is_a_note_where_the_script_gives_the_wrong_id(text: str, severity: Severity) -> None:
    (found,) = look(gold("get_order_details", {"order_id": "#W1"}), text=text)
    assert (found.rule, found.severity, found.certainty) == ("gold-read-fails", severity, Certainty.LIKELY)


def test_an_id_of_another_kind_stays_a_warning_even_if_the_script_gives_it() -> None:
    (found,) = look(gold("get_product_details", {"product_id": "#D"}), text="Your product is #D.")
    assert found.severity is Severity.WARNING
    assert found.what.endswith("There is #D among orders.")


def test_a_calculation_that_fails_is_a_failing_read() -> None:
    (found,) = look(gold("calculate", {"expression": "1 / 0"}))
    assert (found.rule, found.severity) == ("gold-read-fails", Severity.WARNING)


def test_what_the_tool_table_shows_is_left_to_it_and_told_here_without_a_table() -> None:
    calls = (gold("fly_away", {}), gold("cancel_pending_order", {"order_id": "#P"}))
    assert [found.rule for found in look(*calls)] == ["planned-writes-change-nothing"]
    bare = benchmark(task(actions=calls), database=retail_database())
    found = list(CHECK.inspect(Subject(bare, RETAIL.bind(bare))))
    assert [each.rule for each in found][:2] == ["gold-write-fails", "gold-write-fails"]


def test_a_failing_call_before_the_talk_is_found() -> None:
    call: Json = {"func_name": "update_task_status", "arguments": {"task_id": "x", "status": "y"}}
    setup: Json = {"initialization_actions": [call]}
    own = Task("t1", (), (), origin=Origin("tasks.json", "", "t1"), raw={"initial_state": setup})
    (found,) = inspect(own, domain=MOCK, database={"tasks": {}, "users": {}})
    assert (found.rule, found.origin.field) == ("setup-fails", "initial_state.initialization_actions[0]")
    assert found.what == "update_task_status fails before the talk begins: task not found."


def test_writes_that_undo_each_other_are_found() -> None:
    address = {"address1": "1 Elm", "address2": "", "city": "York", "country": "USA", "state": "NY"}
    calls = [
        gold("modify_user_address", {"user_id": "ada_1", "zip": zip_code} | address) for zip_code in ("2", "10000")
    ]
    (found,) = look(*calls)
    assert found.rule == "planned-writes-change-nothing"
    assert found.what == "2 gold writes (modify_user_address) leave the database as it was."


def test_a_target_that_hangs_on_the_order_of_pairs_is_a_warning() -> None:
    (found,) = look(swap(("A1", "A2"), ("B1", "B2")))
    assert (found.rule, found.severity, found.certainty) == ("order-sensitive-gold", Severity.WARNING, Certainty.PROVED)
    assert found.what == (
        "modify_pending_order_items leaves 2 different states, by the order of item_ids and new_item_ids."
    )
    assert dict(found.evidence)["orders #P items[0].price"] == "4.0 or 20.3"


def test_later_gold_calls_are_replayed_after_the_other_order() -> None:
    calls = (swap(("A1", "A2"), ("B1", "B2")), gold("get_order_details", {"order_id": "#P"}))
    assert [found.rule for found in look(*calls)] == ["order-sensitive-gold"]


def test_lists_that_the_tool_sorts_and_single_items_make_no_finding() -> None:
    back = {"order_id": "#D", "item_ids": ["B1", "A1"], "payment_method_id": "card_1"}
    assert look(gold("return_delivered_order_items", back)) == []
    assert look(swap(("A1", "A2"))) == []
    assert look(swap(("A1", "A2"), ("A1", "A2"))) == []


def test_a_stored_list_in_another_order_is_a_note_and_flights_by_date_are_left_out() -> None:
    two_legs = [{"flight_number": "F1", "date": "2024-05-20"}, {"flight_number": "F3", "date": "2024-05-20"}]
    arguments = booking(
        flights=two_legs,
        passengers=[person("Ada"), person("Ben")],
        payment_methods=[{"payment_id": "card_1", "amount": 300}, {"payment_id": "gift_1", "amount": 100}],
    )
    found = look(gold("book_reservation", arguments), domain=AIRLINE)
    assert [(each.rule, each.severity) for each in found] == [("order-sensitive-gold", Severity.NOTE)] * 2
    assert [each.what.rsplit(" ", 1)[-1] for each in found] == ["passengers.", "payment_methods."]


def test_of_long_lists_some_orders_are_tried() -> None:
    items = [(f"A{n}", "A", 1.0) for n in (1, 2, 4, 5, 6)]
    database = retail_database()
    database["orders"]["#P"] = order("#P", "pending", items=items)
    variants = database["products"]["A"]["variants"]
    for n in range(4, 15):
        variants[f"A{n}"] = {"item_id": f"A{n}", "options": {}, "available": True, "price": 1.0 + n}
    pairs = [(item, f"A{n}") for n, (item, _, _) in enumerate(items, 10)]
    (found,) = look(swap(*pairs), database=database)
    assert found.what.startswith("modify_pending_order_items leaves at least 5 different states")


def test_an_item_exchanged_for_itself_is_found_with_or_without_an_environment() -> None:
    exchange = {"order_id": "#D", "item_ids": ["A1", "B1"], "new_item_ids": ["A1", "B2"], "payment_method_id": "pal_1"}
    action = gold("exchange_delivered_order_items", exchange)
    (found,) = look(action)
    assert (found.rule, found.severity, found.subject) == (
        "identical-item-exchange",
        Severity.WARNING,
        "exchange_delivered_order_items A1",
    )
    assert found.origin.field == "evaluation_criteria.actions[0].arguments.new_item_ids[0]"
    bare = benchmark(task(actions=(action,)))
    assert [each.rule for each in CHECK.inspect(Subject(bare))] == ["identical-item-exchange"]


def test_nothing_to_replay_gives_nothing() -> None:
    assert inspect(task(actions=None)) == []
    assert list(CHECK.inspect(Subject(benchmark(task(actions=(swap(("A1", "A2")),)))))) == []


def test_every_finding_is_of_a_declared_rule() -> None:
    assert len({rule.id for rule in CHECK.rules}) == len(CHECK.rules) == 6
    assert all(rule.explanation and rule.mend for rule in CHECK.rules)


def real(real_data: Path, domain: str) -> list[Finding]:
    loaded = load_benchmark(resolve_source(f"tau3/{domain}", data_dir=real_data))
    return list(CHECK.inspect(Subject(loaded, environment_for(loaded))))


def test_tau3_airline_has_notes_on_orders_and_nothing_else(real_data: Path) -> None:
    found = real(real_data, "airline")
    assert {(each.rule, each.severity) for each in found} == {("order-sensitive-gold", Severity.NOTE)}


def test_tau3_retail_has_the_defects_that_are_known(real_data: Path) -> None:
    found: dict[tuple[str, str], list[str | None]] = {}
    for each in real(real_data, "retail"):
        found.setdefault((each.rule, each.severity.value), []).append(each.task_id)
    assert found[("gold-write-fails", "error")] == ["64", "105"]
    assert found[("planned-writes-change-nothing", "error")] == ["105"]
    assert len(found[("gold-read-fails", "warning")]) == 3
    assert len(found[("gold-read-fails", "note")]) == 13
    assert found[("order-sensitive-gold", "warning")] == ["20", "21", "36", "37", "100"]
    assert len(found) == 5
