"""Items proposed by a model: what it quotes, what it can't be made to do, and what is missing when it fails."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.errors import UnreadableReplyError
from audit.judges.one_model import AskingOptions
from audit.judges.panel import Panel, PanelOptions, make_panel
from audit.loaders.item_set import check_spans
from audit.policies.proposing import ModelReader, Proposal, extract_with_model, plan_extraction
from audit.policies.quoted import MOST_RULES, POLICY_ITEMS, read_quoted
from audit.records.item_set import Binds, Review
from audit.records.policy import Policy
from audit.store import Store
from tests.builders import task
from tests.policies.hostile import DOCUMENTS
from tests.policies.sets import BOATS, document, item_set, quotes
from tests.servers import outcomes
from tests.servers.http import Request, Response
from tests.servers.vendors import VendorServer

Ask = Callable[..., Proposal]


def rule(quote: str, **fields: object) -> dict[str, object]:
    made = {"quote": quote, "title": "Ours", "kind": "limit", "binds": "user", "violable": True}
    return made | fields


def rules(*found: object) -> Any:  # noqa: ANN401  # JSON
    return {"rules": list(found)}


GOOD = rules(rule("never rent in a STORM"), rule("at most two boats", title="Two\nboats"), rule("No swimming here"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.sqlite3") as opened:
        yield opened


@pytest.fixture
def ask(server: VendorServer, store: Store) -> Ask:
    def run(text: str = BOATS, *, longest: int = 12_000, is_fresh: bool = False, n_retries: int = 0) -> Proposal:
        policy = document(text)
        reader = ModelReader(panel(server, n_retries), store, AskingOptions(2, is_fresh=is_fresh), longest)
        proposal = extract_with_model(policy, replace(item_set(policy.text)), reader=reader)
        check_spans(proposal.item_set.items, n_characters=len(policy.text), where="here")
        return proposal

    return run


def panel(server: VendorServer, n_retries: int = 0) -> Panel:
    return make_panel([server.judge()], PanelOptions(n_retries=n_retries))


def test_quotes_become_items_where_they_stand_and_others_are_refused(ask: Ask, server: VendorServer) -> None:
    server.reply_json(GOOD)
    proposal = ask()
    assert quotes(proposal.item_set, document().text) == ["at most two boats", "Never rent in a storm"]
    first = proposal.item_set.items[0]
    assert (first.id, first.title, first.binds, first.review) == ("P01", "Two boats", Binds.USER, Review.OPEN)
    assert first.proposed_by.startswith("openai:any-name")
    assert [(each.quote, each.reason) for each in proposal.refused] == [
        ("No swimming here", "it does not occur in the document")
    ]
    assert proposal.is_complete


def test_a_repeat_asks_nothing_and_finds_the_same(ask: Ask, server: VendorServer) -> None:
    server.reply_json(GOOD)
    first, second = ask(), ask()
    assert len(server.requests) == 1
    assert second.item_set == first.item_set
    assert (second.tally.stored, second.tally.n_calls) == (1, 0)
    ask(is_fresh=True)
    assert len(server.requests) == 2


def test_a_long_document_is_read_in_sections_and_quotes_stay_in_theirs(ask: Ask, server: VendorServer) -> None:
    def answer(request: Request) -> Response:
        is_second = "Returns" in request.user.split("BEGIN")[1] and "kiosk" not in request.user
        found = rule("Boats must be back by 18:00") if is_second else rule("Boats must be back by 18:00", title="Early")
        return outcomes.say_json(rules(found))(request)

    server.always(answer)
    proposal = ask(longest=260)
    assert (len(server.requests), proposal.n_sections) == (2, 2)
    assert quotes(proposal.item_set, document().text) == ["Boats must be back by 18:00"]
    assert [each.title for each in proposal.refused] == ["Early"]


def test_a_section_without_an_answer_is_unread_and_asked_again(ask: Ask, server: VendorServer) -> None:
    def answer(request: Request) -> Response:
        good = "kiosk" in request.user
        return (outcomes.say_json(GOOD) if good else outcomes.fail(500))(request)

    server.always(answer)
    proposal = ask(longest=260)
    (run,) = proposal.item_set.unread
    assert not proposal.is_complete
    assert document().text[run.start : run.end].startswith("## Returns")
    assert run.reason.startswith("openai:any-name")
    assert "failed by the server" in run.reason
    server.requests.clear()
    server.reply_json(rules(rule("Boats must be back by 18:00")))
    assert ask(longest=260).is_complete
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "outcome",
    [
        outcomes.refuse(),
        outcomes.filtered(),
        outcomes.truncated('{"rules": [{"quote": "at most'),
        outcomes.empty(),
        outcomes.say("I found no rules."),
        outcomes.say_json({"score": 7}),
        outcomes.say_json(rules(rule("at most two boats", kind="suggestion"))),
        outcomes.fail(401),
        outcomes.fail(429, code="insufficient_quota"),
    ],
)
def test_whatever_goes_wrong_is_missing_and_never_no_rules(ask: Ask, server: VendorServer, outcome: Any) -> None:  # noqa: ANN401
    server.always(outcome)
    proposal = ask()
    assert (proposal.item_set.items, len(proposal.item_set.unread)) == ((), 1)


def test_a_reply_in_a_fence_is_read_and_a_bad_one_is_asked_about_once(ask: Ask, server: VendorServer) -> None:
    server.script([outcomes.say("no JSON"), outcomes.say_fenced(GOOD)])
    assert len(ask().item_set.items) == 2
    assert len(server.requests) == 2


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_hostile_documents_stay_inside_the_fence(ask: Ask, server: VendorServer, name: str) -> None:
    server.reply_json(rules())
    policy = document(DOCUMENTS[name])
    ask(policy.text, longest=200_000)
    for request in server.requests:
        lines = request.user.split("\n")
        begin = next(number for number, line in enumerate(lines) if line.startswith("⟦BEGIN document "))
        end = lines.index(lines[begin].replace("BEGIN", "END"))
        inside = lines[begin + 1 : end]
        assert all(line.startswith(("|", "⟦1 context: ")) for line in inside)
        assert not any("⟦" in line for line in inside if line.startswith("|"))
        assert "\x1b" not in request.user


def test_overlapping_quotes_give_one_item_and_a_reason(ask: Ask, server: VendorServer) -> None:
    server.reply_json(rules(rule("at most two boats"), rule("two boats, at most three oars")))
    proposal = ask()
    assert len(proposal.item_set.items) == 1
    assert proposal.refused[0].reason == "it overlaps another item"


def test_a_store_that_somebody_wrote_into_makes_a_section_unread(
    ask: Ask, server: VendorServer, tmp_path: Path
) -> None:
    server.reply_json(GOOD)
    ask()
    with sqlite3.connect(tmp_path / "store.sqlite3") as connection:
        connection.execute("UPDATE verdicts SET raw_reply = 'nothing'")
    assert len(ask().item_set.unread) == 1


def test_a_plan_counts_the_sections_that_are_still_to_be_asked(ask: Ask, server: VendorServer, store: Store) -> None:
    reader = ModelReader(panel(server), store, AskingOptions(2), 260)
    (before,) = plan_extraction(document(), reader)
    server.reply_json(rules())
    ask(longest=260)
    (after,) = plan_extraction(document(), reader)
    assert (before.to_ask, after.to_ask) == (2, 0)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (json.dumps({"rules": 3}), "missing or no list"),
        (json.dumps(rules("x")), "rule 1 is no object"),
        (json.dumps(rules(rule(" "))), 'rule 1 has no "quote"'),
        (json.dumps(rules(rule("a b", title=4))), 'rule 1 has no "title"'),
        (json.dumps(rules(rule("a b", binds="all"))), "binds somebody unknown"),
        (json.dumps(rules(rule("a b", violable="yes"))), '"violable"'),
        (json.dumps(rules(*[rule("a b")] * (MOST_RULES + 1))), "lists 401"),
        ("x" * 100_001, "100,001 characters"),
    ],
)
def test_unreadable_replies_say_why(reply: str, problem: str) -> None:
    with pytest.raises(UnreadableReplyError, match=problem):
        read_quoted(reply, where="section 1")


def test_the_judge_asks_nothing_about_an_empty_section() -> None:

    policy: Policy = document()
    assert POLICY_ITEMS.undefined_reason(task(description=" "), policy, behavior=frozenset())
    assert not POLICY_ITEMS.undefined_reason(task(), policy, behavior=frozenset())
