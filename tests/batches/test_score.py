"""``score --batch``: handed over, collected by a later run, the rest asked again."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from audit.providers.batches.openai import OpenAIBatches
from audit.providers.batches.protocol import BatchLimits
from tests.cli.conftest import Cli, Result
from tests.providers.asking import VENDORS
from tests.servers.batches import BatchServer
from tests.servers.http import Response
from tests.servers.outcomes import say, truncated

LIMIT = 3


def score(cli: Cli, batches: BatchServer, vendor: str = "openai", *more: object) -> Result:
    judge = batches.server.judge(vendor)
    metric = ("--metric", "desc_alignment", "--limit", LIMIT, "--format", "json", "--store", "s.sqlite3")
    return cli("score", "sample/library", "--judge", judge, "--batch", *metric, *more)


def keys(batches: BatchServer) -> list[str]:
    return [key for batch in batches.batches for key in batch.keys]


def rows(state: str = "ok") -> list[Any]:
    with sqlite3.connect("s.sqlite3") as connection:
        return connection.execute("SELECT key, latency_s, n_calls FROM verdicts WHERE state = ?", (state,)).fetchall()


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_run_hands_its_questions_over_and_the_same_command_collects(
    cli: Cli, batches: BatchServer, vendor: str
) -> None:
    first = score(cli, batches, vendor)
    assert (first.code, first.out) == (3, ""), first
    assert "ollect later" in first.err
    live = len(batches.server.requests)
    again = score(cli, batches, vendor)
    assert again.code == 3
    batches.end()
    done = score(cli, batches, vendor)
    assert done.code == 0, done.err
    assert done.json["tally"]["scored"] == LIMIT
    assert done.json["tally"]["asked"] == len(keys(batches))
    assert all(len(key) == 64 for key in keys(batches))
    assert len(set(keys(batches))) == len(keys(batches)) == LIMIT - live
    assert len(batches.server.requests) == live
    warm = score(cli, batches, vendor)
    assert (warm.code, warm.json["tally"]["stored"], len(batches.batches)) == (0, LIMIT, 1)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_batched_verdict_equals_a_live_one(cli: Cli, batches: BatchServer, vendor: str) -> None:
    score(cli, batches, vendor)
    batches.end()
    batched = score(cli, batches, vendor).json["verdicts"]
    judge = batches.server.judge(vendor)
    flags = ("--metric", "desc_alignment", "--limit", LIMIT, "--format", "json", "--store", "live.sqlite3")
    live = cli("score", "sample/library", "--judge", judge, *flags).json["verdicts"]
    varying = {"latency_s", "asked_at", "n_calls"}

    def same(verdicts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{name: value for name, value in each.items() if name not in varying} for each in verdicts]

    assert same(batched) == same(live)


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("state", ["expired", "cancelled"])
def test_what_a_batch_left_unanswered_is_handed_over_again(
    cli: Cli, batches: BatchServer, vendor: str, state: str
) -> None:
    score(cli, batches, vendor)
    batches.end(state, lambda place: "answered" if place == 0 else state)
    n_first = len(batches.batches[0].keys)
    assert score(cli, batches, vendor).code == 3
    assert batches.batches[1].keys == batches.batches[0].keys[1:]
    assert len(batches.batches[1].keys) == n_first - 1
    batches.end()
    done = score(cli, batches, vendor)
    assert (done.code, done.json["tally"]["scored"]) == (0, LIMIT)
    assert len(rows()) == LIMIT


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_request_that_failed_is_reported_with_its_reason(cli: Cli, batches: BatchServer, vendor: str) -> None:
    score(cli, batches, vendor)
    batches.end("completed", lambda place: "errored" if place == 1 else "answered")
    done = score(cli, batches, vendor)
    assert done.code == 3
    states = [verdict["state"] for verdict in done.json["verdicts"]]
    assert sorted(states) == ["bad_request", "ok", "ok"]
    assert len(batches.batches) == 1


@pytest.mark.parametrize("vendor", ["openai", "google"])
def test_a_batch_that_failed_as_a_whole_says_why_and_is_tried_by_the_next_run(
    cli: Cli, batches: BatchServer, vendor: str
) -> None:
    score(cli, batches, vendor)
    batches.end("failed")
    again = score(cli, batches, vendor)
    assert again.code == 3
    assert "failed" in again.err
    assert batches.batches[1].keys == batches.batches[0].keys


def test_unreadable_and_cut_off_replies_are_reported_kept_and_handed_over_again(cli: Cli, batches: BatchServer) -> None:
    score(cli, batches)
    batches.server.always(say("I would rather not say."))
    batches.end()
    done = score(cli, batches)
    assert done.code == 3
    assert [verdict["state"] for verdict in done.json["verdicts"]].count("malformed") == len(batches.batches[0].keys)
    assert score(cli, batches).code == 3
    assert batches.batches[1].keys == batches.batches[0].keys
    batches.server.always(truncated())
    batches.end()
    assert {verdict["state"] for verdict in score(cli, batches).json["verdicts"]} >= {"truncated"}
    assert len(rows("malformed")) == len(rows("truncated")) == len(batches.batches[0].keys)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_submission_that_was_never_heard_of_again_is_found_and_bought_once(
    cli: Cli, batches: BatchServer, vendor: str
) -> None:
    batches.is_deaf = True
    lost = score(cli, batches, vendor)
    assert lost.code == 3
    batches.is_deaf = False
    assert score(cli, batches, vendor).code == 3
    assert len(batches.batches) == 1
    batches.end()
    assert score(cli, batches, vendor).code == 0
    assert len(batches.batches) == 1


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_submission_that_never_arrived_is_made_again(cli: Cli, batches: BatchServer, vendor: str) -> None:
    batches.refusals = [Response(cut_after=0)]
    assert score(cli, batches, vendor).code == 3
    assert not batches.batches
    assert score(cli, batches, vendor).code == 3
    assert len(batches.batches) == 1


def test_a_server_that_is_busy_is_asked_again(cli: Cli, batches: BatchServer) -> None:
    batches.refusals = [Response({"error": {"message": "Too many."}}, 429, headers={"retry-after": "0"})]
    assert score(cli, batches).code == 3
    assert len(batches.batches) == 1


def test_a_refused_submission_stops_the_judge_and_is_reported(cli: Cli, batches: BatchServer) -> None:
    batches.refusals = [Response({"error": {"message": "Your key is wrong."}}, 401)]
    done = score(cli, batches)
    assert done.code == 3
    assert "key is not accepted" in done.out
    assert not batches.batches


def test_a_server_without_batches_is_named_in_one_line(cli: Cli, batches: BatchServer) -> None:
    batches.server.other = lambda request: None
    done = score(cli, batches)
    assert (done.code, done.out) == (2, "")
    assert "no batch API" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "flags", [("--fresh",), ("--budget", "1"), ("--judge", "scripted:constant-7")], ids=["fresh", "budget", "scripted"]
)
def test_what_does_not_go_with_batches_is_refused_before_anything_is_sent(
    cli: Cli, batches: BatchServer, flags: tuple[str, ...]
) -> None:
    done = score(cli, batches, "openai", *flags)
    assert done.code == 2, done
    assert not batches.batches
    assert not batches.server.requests


def test_wait_without_batch_is_refused(cli: Cli, batches: BatchServer) -> None:
    assert cli("score", "sample/library", "--judge", batches.server.judge(), "--wait").code == 2
    assert cli("score", "sample/library", "--batch").code == 2


def test_a_limit_on_calls_holds_for_batches(cli: Cli, batches: BatchServer) -> None:
    assert score(cli, batches, "openai", "--max-calls", 2).code == 3
    assert len(keys(batches)) + len(batches.server.requests) == 2


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("page", [b"<html>Welcome</html>", b"", b'{"id": "x", "stat'], ids=["html", "empty", "cut"])
def test_a_page_instead_of_results_keeps_the_batch_open(
    cli: Cli, batches: BatchServer, vendor: str, page: bytes
) -> None:
    score(cli, batches, vendor)
    batches.end()
    if vendor == "google" or page.startswith(b"<"):
        batches.mangle = lambda content: page
        assert score(cli, batches, vendor, "--retries", 0).code == 3
        batches.mangle = bytes
        assert score(cli, batches, vendor).code == 0
        assert len(batches.batches) == 1
    else:
        batches.mangle = lambda content: page
        assert score(cli, batches, vendor).code == 3
        assert batches.batches[1].keys == batches.batches[0].keys


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
def test_results_of_other_questions_and_broken_lines_change_nothing(
    cli: Cli, batches: BatchServer, vendor: str
) -> None:
    score(cli, batches, vendor)
    batches.end()

    def mangle(content: bytes) -> bytes:
        if not content:
            return content
        own = content.splitlines()[0]
        foreign = own.replace(json.loads(own)["custom_id"].encode(), b"f" * 64)
        return b"\n".join([b'{"custom_id": 7}', foreign, own, content[:-9], b"\xff\xfe"])

    batches.mangle = mangle
    again = score(cli, batches, vendor)
    assert again.code == 3
    assert "could not be read" in again.err
    assert "other questions" in again.err
    assert len(batches.batches[1].keys) == 1


def test_no_key_of_a_provider_is_in_the_store_or_in_the_output(
    cli: Cli, batches: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "sk-" + "q7" * 20
    monkeypatch.setenv("OWN_KEY", secret)
    batches.refusals = [Response({"error": {"message": f"The key {secret} is wrong."}}, 401)]
    first = score(cli, batches, "openai", "--api-key-env", "OWN_KEY")
    second = score(cli, batches, "openai", "--api-key-env", "OWN_KEY")
    batches.server.always(say(f'{{"reasons": ["{secret}"], "score": 3}}'))
    batches.end()
    third = score(cli, batches, "openai", "--api-key-env", "OWN_KEY")
    assert third.code == 0, third.err
    assert not any(secret in text for each in (first, second, third) for text in (each.out, each.err))
    assert not any(secret.encode() in path.read_bytes() for path in Path().glob("s.sqlite3*"))


def test_questions_are_split_over_batches_by_bytes(
    cli: Cli, batches: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OpenAIBatches, "limits", BatchLimits(9_000, 10))
    score(cli, batches)
    assert [len(batch.keys) for batch in batches.batches] == [1] * len(batches.batches)
    assert len(batches.batches) >= 2
    batches.end()
    assert score(cli, batches).code == 0
