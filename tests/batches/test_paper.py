"""``study paper --batch``: one hand-over for all parts, and nothing asked live beside it."""

from __future__ import annotations

from tests.cli.conftest import Cli, Result
from tests.servers.batches import BatchServer
from tests.servers.outcomes import say


def paper(cli: Cli, batches: BatchServer) -> Result:
    skipped = "certificate,metrics,policy-swap,patterns,ordering-offline,behavior-swap-offline"
    flags = ("--limit", 8, "--skip", skipped, "--batch", "--store", "s.sqlite3", "--format", "json", "-q")
    return cli("study", "paper", "sample/library", "--judge", batches.server.judge(), *flags)


def test_all_parts_are_handed_over_together_and_the_same_command_collects(cli: Cli, batches: BatchServer) -> None:
    assert paper(cli, batches).code == 3
    assert len(batches.batches) == 1
    batches.end()
    done = paper(cli, batches)
    assert done.code == 0, done.err
    (calls,) = done.json["calls"]
    assert calls["asked"] == calls["to_ask"] > 8
    assert {part["name"] for part in done.json["parts"] if part["study"]} == {"ordering", "behavior-swap"}


def test_what_a_batch_did_not_answer_waits_for_the_next_and_is_not_asked_live(cli: Cli, batches: BatchServer) -> None:
    paper(cli, batches)
    live = len(batches.server.requests)
    batches.server.always(say("I would rather not say."))
    batches.end()
    done = paper(cli, batches)
    assert done.code == 3, done.err
    assert len(batches.server.requests) == live
