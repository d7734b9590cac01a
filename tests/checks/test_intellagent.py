"""Generated events against their own rows, texts and policies; and on real runs against two audits of them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.checks.intellagent import CHECK
from audit.checks.protocol import Subject
from audit.errors import AuditError
from audit.loaders.registry import load_benchmark
from audit.records.finding import Finding, Severity
from audit.records.task import Benchmark
from audit.sources.resolve import resolve_source
from tests.builders import benchmark as other_benchmark
from tests.checks import inn
from tests.checks.test_registry import HOSTILE
from tests.loaders.ferries import DATASET, TODAY, fields, load, put, write_json_run, write_memory, write_run

RUNS = ("intellagent/airline", "intellagent/airline-run-1")
Event = dict[str, Any]


def check(folder: Path, *events: Event, **run: Any) -> list[Finding]:  # noqa: ANN401  # any field of a run
    return list(CHECK.inspect(Subject(load(write_run(folder, *events, **run)))))


def told(findings: list[Finding], rule: str) -> list[str]:
    return [found.what for found in findings if found.rule == rule]


def changed(number: int = 1, change: Callable[[Event], object] = lambda _: None) -> Event:
    made = fields(number)
    change(made)
    return made


def db(event: Event, table: str, position: int = 0) -> dict[str, Any]:
    row: dict[str, Any] = event["database"][table][position]
    return row


def test_a_sound_event_has_no_findings(tmp_path: Path) -> None:
    assert check(tmp_path, fields(1), fields(2)) == []


def test_other_benchmarks_are_left_alone() -> None:
    assert list(CHECK.inspect(Subject(other_benchmark()))) == []


def say(text: str) -> Callable[[Event], object]:
    return lambda event: event.update(scenario=text)


def put_in(table: str, **cells: Any) -> Callable[[Event], object]:  # noqa: ANN401  # any cell
    return lambda event: db(event, table).update(cells)


def add(table: str, **cells: Any) -> Callable[[Event], object]:  # noqa: ANN401  # any cell
    return lambda event: event["database"][table].append(cells)


def drop(table: str) -> Callable[[Event], object]:
    return lambda event: event["database"].pop(table)


def leg(**cells: Any) -> Callable[[Event], object]:  # noqa: ANN401  # any cell
    return lambda event: db(event, "tickets")["legs"][0].update(cells)


def describe(**cells: Any) -> Callable[[Event], object]:  # noqa: ANN401  # any cell
    return lambda event: event["description"].update(cells)


def copy_row(table: str) -> Callable[[Event], object]:
    return lambda event: event["database"][table].append(copy.deepcopy(db(event, table)))


RULES: dict[str, tuple[Callable[[Event], object], list[str]]] = {
    "event-shared-key": (copy_row("crossings"), ["2 rows of crossings have the id 'CR7'."]),
    "event-row-without-id": (add("crossings", origin="Kiel"), ["A row of crossings has no crossing_number."]),
    "event-reference-without-row": (
        leg(crossing_number="CR9"),
        ["tickets 'TK100' has the crossing_number 'CR9', and crossings has no such row."],
    ),
    "event-copy-differs": (
        leg(destination="Turku"),
        ["tickets 'TK100' gives crossings 'CR7' the destination 'Turku'; its own row has 'Oslo'."],
    ),
    "event-value-not-offered": (
        leg(date="2031-06-02"),
        ["tickets 'TK100' takes '2031-06-02' of crossings 'CR7', which is not among its dates."],
    ),
    "event-payment-not-held": (
        put_in("tickets", payment_history=[{"payment_id": "pay_9"}, {"payment_id": "pay_9"}]),
        ["tickets 'TK100' names 'pay_9', which 'ada_1' does not have."],
    ),
    "event-list-differs": (
        put_in("passengers", tickets=["TK999"]),
        [
            "passengers 'ada_1' lists TK999, which have no row.",
            "passengers 'ada_1' does not list TK100, whose rows name it in tickets.",
        ],
    ),
    "event-done-in-future": (
        put_in("crossings", dates={"2031-06-01": {"status": "Landed"}, "2031-05-01": {"status": "landed"}}),
        ["crossings 'CR7' is landed after the policy's 2031-05-10 (days: 1)."],
    ),
    "event-table-missing": (
        drop("tickets"),
        ["The text names the ticket 'TK100', and the event has no table of such things."],
    ),
    "event-entity-without-row": (
        say("Passenger 'Ada Berg' with ID 'ada_2' asks for 'P1' and ticket_id 'TK100', and says \"yes\"."),
        [
            "The text names the passenger 'ada_2', and no row has this id.",
            "The text names the thing 'P1', and no row has this id.",
        ],
    ),
    "event-placeholder-left": (
        say("Passenger 'ada_1' wants to move ticket 'T' (Ticket ID: TK100)."),
        ["The text names the ticket 'T', and the real id stands beside it."],
    ),
    "event-description-repeated": (
        describe(event_description="A  passenger wants to move a TICKET to day 90."),
        ["The description is that of event 90."],
    ),
    "event-column-unknown": (
        lambda event: db(event, "tickets").update(seat="a", meal="b"),
        ["tickets has seat, meal, which it has in few other events."],
    ),
    "event-value-unknown-to-policy": (
        put_in("passengers", card="golden"),
        ["passengers 'ada_1' has the card 'golden', which the policy does not name."],
    ),
    "event-level-wrong": (
        describe(challenge_level=9),
        ["The challenge level is 9, and the scores of its policies add up to 5."],
    ),
    "event-policy-twice": (
        describe(policies=[{"flow": "a", "policy": "b", "score": 2}, {"flow": "a", "policy": "b", "score": 3}]),
        ["2 of its policies are the same: 'b'."],
    ),
    "event-tells-agent-acts": (
        say("Passenger 'ada_1' asks. The agent then refuses it politely. The chatbot checks the card."),
        ["2 sentences of the scenario tell what the agent does: 'The agent then refuses it politely.'."],
    ),
    "event-text-against-row": (
        say("Passenger 'ada_1' wants to move the flex ticket 'TK100'."),
        ["The text says 'flex', and tickets 'TK100' has the fare 'saver'."],
    ),
    "event-outcome-there": (
        say("Passenger 'ada_1' wants to book a place on crossing 'CR7'."),
        ["The user is to get 'CR7', and tickets 'TK100' has it from the start."],
    ),
}


def company() -> list[Event]:
    """Return sound events enough for a column to have its words and its usual columns."""
    made = [fields(number) for number in range(90, 102)]
    for number, event in enumerate(made):
        db(event, "passengers")["card"] = ("silver", "bronze")[number % 2]
        db(event, "tickets")["fare"] = ("saver", "flex")[number % 2]
    return made


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_finds_its_fault_and_nothing_in_sound_events(tmp_path: Path, rule: str) -> None:
    change, expected = RULES[rule]
    findings = check(tmp_path, *company(), changed(1, change))
    assert told(findings, rule) == expected
    assert {found.task_id for found in findings} == {"1"}
    for found in findings:
        assert found.origin.file == f"datasets/{DATASET}.pickle"


def test_a_table_that_the_text_speaks_of_is_missed_even_without_an_id(tmp_path: Path) -> None:
    def change(event: Event) -> None:
        drop("tickets")(event)
        event["scenario"] = "Passenger 'ada_1' wants to move their saver ticket to Sunday."

    findings = check(tmp_path, fields(2), changed(1, change))
    assert told(findings, "event-entity-without-row") == [
        "The text speaks of a ticket as existing, and the event has no table tickets."
    ]
    say("Passenger 'ada_1' wants to buy a ticket.")(event := changed(3, drop("tickets")))
    assert told(check(tmp_path / "b", fields(2), event), "event-entity-without-row") == []


def test_a_table_that_one_event_alone_has_is_missed_nowhere(tmp_path: Path) -> None:
    odd = changed(1, lambda event: event["database"].update(cabins=[{"cabin_id": "C-100"}]))
    named = changed(2, say("Passenger 'ada_1' asks for the cabin 'C-100'."))
    findings = check(tmp_path, odd, named, *company())
    assert told(findings, "event-table-missing") == []
    assert told(findings, "event-entity-without-row") == ["The text names the thing 'C-100', and no row has this id."]


def test_a_status_in_the_text_that_no_day_has_is_told(tmp_path: Path) -> None:
    text = "Passenger 'ada_1' complains about the delayed crossing 'CR7'."
    assert told(check(tmp_path, changed(1, say(text))), "event-text-against-row") == [
        "The text says 'delayed', and crossings 'CR7' is only 'open'."
    ]
    late = changed(1, put_in("crossings", dates={"2031-06-01": {"status": "delayed"}}))
    say(text)(late)
    assert told(check(tmp_path / "b", late), "event-text-against-row") == []


def about(text: str, **ticket: Any) -> Callable[[Event], object]:  # noqa: ANN401  # any cell
    """Say something, and change the event's ticket."""

    def change(event: Event) -> None:
        event["scenario"] = text
        db(event, "tickets").update(ticket)

    return change


@pytest.mark.parametrize(
    ("age", "made", "n"),
    [
        ("30 hours", 1935457219000, 1),  # 8.0 days before the policy's clock
        ("8 days", 1935457219000, 0),
        ("8 days", "2031-05-02T09:00", 0),
        ("2 days", "2031-05-02 09:00:00 EST", 1),
        ("3 hours", "2031-05-10T06:20:00", 0),
        ("3 hours", "no time at all", 0),
        ("3 hours", "2031-15-10T06:20:00", 0),
    ],
)
def test_an_age_in_the_text_is_held_against_the_policys_clock(tmp_path: Path, age: str, made: Any, n: int) -> None:  # noqa: ANN401
    text = f"Passenger 'ada_1' wants to move ticket 'TK100', which was booked {age} ago."
    found = told(check(tmp_path, changed(1, about(text, created_at=made))), "event-text-against-row")
    assert len(found) == n
    assert all(f"The text says 'booked {age} ago', and tickets 'TK100' was made" in what for what in found)


def test_a_row_is_as_old_as_the_text_says_in_either_zone(tmp_path: Path) -> None:
    change = about("Ticket 'TK100' was booked 12 hours ago.", created_at="2031-05-10T02:00:00")
    for zone, n in (("EST", 0), ("", 1)):
        prompt = f"The current time is 2031-05-10 09:00:00 {zone}.\n\n- Ask for the ticket number."
        found = check(tmp_path / zone, changed(1, change), prompt=prompt)
        assert len(told(found, "event-text-against-row")) == n
    assert told(check(tmp_path / "none", changed(1, change), prompt="No clock."), "event-text-against-row") == []
    assert told(check(tmp_path / "odd", changed(1, change), prompt="The current time is 2031-99-10 09:00."), "x") == []


@pytest.mark.parametrize(
    ("route", "n"),
    [
        ("from Chicago to Boston", 1),
        ("from New York (JFK) to Boston", 1),
        ("from New York to Los Angeles", 0),
        ("from Los Angeles to Denver", 0),  # one of its legs
        ("from Kiel to Oslo", 0),  # nothing is known of these
        ("from economy to business", 0),
    ],
)
def test_a_route_in_the_text_is_held_against_the_row_and_its_legs(tmp_path: Path, route: str, n: int) -> None:
    legs = [{"origin": "LAX", "destination": "DEN"}]
    change = about(f"Ada wants to move ticket 'TK100' {route}.", origin="JFK", destination="LAX", legs=legs)
    found = told(check(tmp_path, changed(1, change)), "event-text-against-row")
    assert len(found) == n
    assert all("tickets 'TK100' goes from 'JFK' to 'LAX'." in what for what in found)


def test_what_is_shut_on_every_day_can_not_be_got(tmp_path: Path) -> None:
    def change(event: Event) -> None:
        event["scenario"] = "Ada wants to book crossing 'CR8' and to buy ticket 'TK9'."
        event["database"]["crossings"].append(
            {"crossing_number": "CR8", "dates": {"2031-06-01": {"status": "Cancelled"}}}
        )

    found = told(check(tmp_path, changed(1, change)), "event-text-against-row")
    assert found == ["The user is to get crossings 'CR8', which is only 'cancelled'."]


@pytest.mark.parametrize(
    "text",
    [
        "Ada has ticket 'TK100'. She wants to book a return on crossing 'CR7'.",
        "Ada booked crossing 'CR7' and wants to cancel.",
        "Ada wants to book crossing 'CR9'.",
    ],
)
def test_a_row_that_the_text_has_named_or_that_refers_to_another_is_no_outcome(tmp_path: Path, text: str) -> None:
    assert told(check(tmp_path, changed(1, say(text))), "event-outcome-there") == []


def test_words_beside_those_that_a_column_holds_count_when_they_are_the_keys_of_its_prices(tmp_path: Path) -> None:
    def change(event: Event) -> None:
        event["scenario"] = "Ada has the flex ticket 'TK100'."
        db(event, "crossings")["prices"] = {"saver": 10, "flex": 20, "first_class": 30}

    found = told(check(tmp_path, changed(1, change)), "event-text-against-row")
    assert found == ["The text says 'flex', and tickets 'TK100' has the fare 'saver'."]


def test_what_something_is_to_become_is_not_what_it_is(tmp_path: Path) -> None:
    findings = check(tmp_path, *company(), changed(1, say("Passenger 'ada_1' wants to turn ticket 'TK100' to flex.")))
    assert told(findings, "event-text-against-row") == []


def test_short_names_in_rows_are_placeholders_but_ids_are_not(tmp_path: Path) -> None:
    findings = check(tmp_path, changed(1, lambda event: db(event, "crossings").update(origin="O1")))
    assert told(findings, "event-placeholder-left") == ["crossings 'CR7' has 'O1' for its origin."]
    short = changed(1, put_in("tickets", ticket_id="T1"))
    assert told(check(tmp_path / "b", short), "event-placeholder-left") == []


def test_a_scenario_of_another_event_is_told_on_the_later_one(tmp_path: Path) -> None:
    events = [fields(1, database={}), fields(2, database={}, scenario=fields(1)["scenario"])]
    findings = check(tmp_path, *events)
    assert [(found.rule, found.task_id) for found in findings] == [("event-scenario-of-another", "2")]


@pytest.mark.parametrize(
    "shown",
    [
        ["Table: passengers. Row: (ada_2, 'Ada Berg', [TK100])", "Table: tickets. Row: (TK100, ada_1)"],
        '### Table: passengers\n{"passenger_id": "ada_2", "card": "silver"}\ntickets:\n{"ticket_id": "TK100"}\n{cut',
    ],
)
def test_rows_that_are_shown_but_not_there_are_told_in_both_shapes(tmp_path: Path, shown: Any) -> None:  # noqa: ANN401
    findings = check(tmp_path, changed(1, lambda event: event.update(relevant_rows=shown)))
    assert told(findings, "event-shown-row-missing") == [
        "The user is shown the row 'ada_2' of passengers, which has only [\"ada_1\"]."
    ]


def test_another_version_of_the_policy_is_told_once_for_the_set(tmp_path: Path) -> None:
    (found,) = check(tmp_path, today=TODAY)
    assert (found.rule, found.task_id, found.origin.file) == (
        "policy-differs-from-generation",
        None,
        "../input/wiki.md",
    )
    assert found.evidence == (("only in the one judged by", "- Ask for the ticket number."),)
    given = put(tmp_path / "given.md", f"{TODAY}- New rule.".encode())
    findings = list(CHECK.inspect(Subject(load(tmp_path / "run", policy=given))))
    assert len(told(findings, "policy-differs-from-generation")) == 2


def test_earlier_dialogs_without_verdict_and_events_without_dialog_are_notes(tmp_path: Path) -> None:
    run = write_run(tmp_path)
    write_memory(run, "###STOP SUCCESS###", "Hello?")
    put(run / "experiments" / f"{DATASET}__exp_2" / "results.csv", b"id,score\n2,1\n")
    put(run / "experiments" / f"{DATASET}__exp_2" / "err_events.csv", b"id,score\n1,0\n7,0\n")
    findings = list(CHECK.inspect(Subject(load(run))))
    assert [(found.rule, found.task_id) for found in findings] == [
        ("dialogs-without-verdict", None),
        ("event-without-dialog", "1"),
    ]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_any_field_may_be_dropped_or_hostile(tmp_path: Path, data: st.DataObject) -> None:
    event = changed(1, lambda one: one.update(relevant_rows=["Table: tickets. Row: (TK1, x)"]))
    run = write_json_run(tmp_path / "run", event, fields(2))
    document = json.loads((run / "events.json").read_text(encoding="utf-8"))
    path = data.draw(st.sampled_from(list(places(document["events"][0]))[1:]))
    target: Any = document["events"][0]
    for step in path[:-1]:
        target = target[step]
    if data.draw(st.booleans()):
        target[path[-1]] = data.draw(st.sampled_from(HOSTILE))
    else:
        del target[path[-1]]
    put(run / "events.json", json.dumps(document).encode())
    try:
        found = inn.inspect_all(Subject(load(run)))
    except AuditError as error:
        assert "\n" not in str(error)  # noqa: PT017  # either outcome is right
    else:
        assert all(len(one.what) < 900 for one in found)


def test_a_long_hostile_text_is_looked_at_in_reasonable_time(tmp_path: Path) -> None:
    text = " ".join(f"ticket 'T{n}' their" for n in range(20_000)) + "'" * 20_000
    assert len(check(tmp_path, changed(1, say(text)))) >= 20_000


@pytest.fixture(scope="session")
def real(real_data: Path) -> tuple[Mapping[str, set[tuple[int, str | None]]], list[tuple[int, Finding]]]:
    by_rule: dict[str, set[tuple[int, str | None]]] = {}
    found: list[tuple[int, Finding]] = []
    for number, name in enumerate(RUNS):
        run: Benchmark = load_benchmark(resolve_source(name, data_dir=real_data))
        for one in inn.inspect_all(Subject(run)):
            by_rule.setdefault(one.rule, set()).add((number, one.task_id))
            found.append((number, one))
    return by_rule, found


Real = tuple[Mapping[str, set[tuple[int, str | None]]], list[tuple[int, Finding]]]


def audit(real_data: Path, name: str) -> Mapping[tuple[int, str], Mapping[str, Any]]:
    path = real_data / "intellagent" / "airline" / "audit" / f"{name}.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {(int(row["run"][-1]), str(row["id"])): row for row in rows}


def test_the_four_events_whose_dialogs_crashed_are_errors(real: Real) -> None:
    errors = {(number, found.task_id) for number, found in real[1] if found.severity is Severity.ERROR}
    assert {(0, "3"), (0, "6"), (0, "22"), (0, "30")} <= errors
    assert errors == {(0, "3"), (0, "6"), (0, "7"), (0, "14"), (0, "22"), (0, "30"), (1, "3"), (1, "5")}


@pytest.mark.parametrize(
    ("rule", "issues", "n"),
    [
        ("event-shared-key", ("dup_key",), 5),
        ("event-row-without-id", ("res_without_id",), 1),
        ("event-reference-without-row", ("res.flight_missing", "res.user_missing"), 16),
        ("event-copy-differs", ("res.flight_route_mismatch",), 12),
        ("event-value-not-offered", ("res.date_not_in_flight",), 20),
        ("event-payment-not-held", ("payment_not_in_profile",), 27),
        ("event-list-differs", ("res_not_in_user_list", "user_list_dangling"), 30),
        ("event-column-unknown", ("extra_columns",), 6),
    ],
)
def test_rows_are_judged_as_by_the_independent_computation(
    real: Real, real_data: Path, rule: str, issues: tuple[str, ...], n: int
) -> None:
    computed = audit(real_data, "static_checks")
    wanted = {event for event, row in computed.items() if any(issue in row["issues"] for issue in issues)}
    assert real[0][rule] == wanted
    assert len(wanted) == n


def test_missing_entities_agree_with_the_hand_audit_but_for_one_that_has_no_id(real: Real, real_data: Path) -> None:
    by_hand = {event for event, row in audit(real_data, "hand_audit").items() if row["missing_entity"]}
    found = real[0]["event-entity-without-row"] | real[0]["event-table-missing"]
    assert len(by_hand) == 13
    assert found <= by_hand
    assert len(found) == 12


def test_placeholders_agree_with_the_hand_audit_and_one_more_stands_in_rows(real: Real, real_data: Path) -> None:
    rows = audit(real_data, "hand_audit")
    by_hand = {event for event, row in rows.items() if row["leaked_placeholder_with_real_id"]}
    assert len(by_hand) == 4
    assert real[0]["event-placeholder-left"] == by_hand | {(0, "15")}


def test_text_against_rows_raises_no_false_alarm(real: Real, real_data: Path) -> None:
    by_hand = {event for event, row in audit(real_data, "hand_audit").items() if row["text_vs_db_conflict"]}
    assert len(by_hand) == 12
    assert real[0]["event-text-against-row"] <= by_hand
    assert len(real[0]["event-text-against-row"]) == 7


def test_outcomes_that_are_there_agree_with_the_hand_audit_and_one_more_is_one(real: Real, real_data: Path) -> None:
    rows = audit(real_data, "hand_audit")
    by_hand = {event for event, row in rows.items() if row["outcome_already_in_initial_state"]}
    assert len(by_hand) == 6
    assert len(real[0]["event-outcome-there"] & by_hand) == 4
    assert real[0]["event-outcome-there"] - by_hand == {(0, "15")}


def test_the_set_as_a_whole_has_the_counts_that_were_measured(real: Real) -> None:
    by_rule = real[0]
    assert by_rule["event-description-repeated"] == {(0, "25")}
    assert len(by_rule["event-level-wrong"]) == 18
    assert all(number == 0 for number, _ in by_rule["event-level-wrong"])
    assert by_rule["event-policy-twice"] == {(0, "4"), (0, "6"), (0, "13"), (0, "15"), (1, "1"), (1, "7")}
    assert len(by_rule["event-done-in-future"]) == 10
    assert by_rule["policy-differs-from-generation"] == {(0, None), (1, None)}
    assert by_rule["dialogs-without-verdict"] == {(0, None)}
