"""Judges of three vendors in one run, through their real SDKs."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from audit.store import Store
from tests.cli.conftest import Cli
from tests.servers.http import Request
from tests.servers.outcomes import (
    Outcome,
    cut_connection,
    cut_json,
    empty,
    filtered,
    hang,
    html,
    overloaded,
    quota,
    rate_limited,
    refuse,
    say,
    say_fenced,
    say_in_prose,
    say_json,
    server_error,
    truncated,
    wrong_types,
)
from tests.servers.vendors import VendorServer, well_behaved

VENDORS = ("openai", "anthropic", "google")
GOOD = {"reasons": ["One.", "Two.", "Three."], "score": 7}


def judge_flags(server: VendorServer, vendors: Sequence[str] = VENDORS) -> list[str]:
    return [flag for vendor in vendors for flag in ("--judge", server.judge(vendor, f"model-of-{vendor}"))]


def states(document: Any, vendor: str) -> set[str]:  # noqa: ANN401  # any JSON
    return {verdict["state"] for verdict in document["verdicts"] if verdict["judge"].startswith(vendor)}


MATRIX: list[tuple[Outcome, str]] = [
    (say_json(GOOD), "ok"),
    (say_fenced(GOOD), "ok"),
    (say_in_prose(GOOD), "ok"),
    (say_json(GOOD | {"score": 0}), "malformed"),
    (say_json(GOOD | {"score": 11}), "malformed"),
    (say_json({"reasons": "One.", "score": [7]}), "malformed"),
    (say("I would rather not say."), "malformed"),
    (empty(), "empty"),
    (truncated(), "truncated"),
    (refuse(), "refused"),
    (rate_limited(), "rate_limited"),
    (rate_limited("0.01"), "rate_limited"),
    (server_error(), "server"),
    (overloaded(), "overloaded"),
    (cut_connection(), "connection"),
    (cut_json(), "bad_response"),
    (html(), "bad_response"),
    (wrong_types(), "bad_response"),
    (hang(), "timeout"),
]


@pytest.mark.parametrize(("outcome", "state"), MATRIX)
def test_every_fault_has_the_same_outcome_at_every_vendor(
    cli: Cli, server: VendorServer, outcome: Outcome, state: str
) -> None:
    server.always(outcome)
    flags = ("--limit", 1, "--metric", "desc_alignment", "--retries", 0, "--timeout", 0.8, "--format", "json")
    result = cli("score", "sample/library", *judge_flags(server), *flags)
    document = result.json
    assert {vendor: states(document, vendor) for vendor in VENDORS} == {vendor: {state} for vendor in VENDORS}
    assert result.code == (0 if state == "ok" else 3)
    tally = document["tally"]
    assert tally["scored"] + tally["unscored"] == tally["planned"] == 3
    values = [score["value"] for score in document["scores"]]
    assert values == [7.0 if state == "ok" else None] * 3


def test_a_content_filter_is_told_from_a_refusal_where_the_vendor_does(cli: Cli, server: VendorServer) -> None:
    server.always(filtered())
    flags = ("--limit", 1, "--metric", "desc_alignment", "--format", "json")
    document = cli("score", "sample/library", *judge_flags(server), *flags).json
    assert [states(document, vendor) for vendor in VENDORS] == [{"filtered"}, {"refused"}, {"filtered"}]


def test_ids_are_read_once_and_unknown_ones_never(cli: Cli, server: VendorServer) -> None:
    twice = {"requests": ["x"], "violations": [{"reason": "A.", "item": "L05"}, {"reason": "B.", "item": "L05"}]}
    unknown = {"requests": ["x"], "violations": [{"reason": "A.", "item": "Z99"}]}
    flags = ("--limit", 1, "--metric", "violation_count", "--format", "json")
    server.always(say_json(twice))
    good = cli("score", "sample/library", *judge_flags(server), *flags).json
    assert [verdict["violated"] for verdict in good["verdicts"]] == [["L05"]] * 3
    server.always(say_json(unknown))
    bad = cli("score", "sample/library", *judge_flags(server), *flags, "--fresh").json
    assert {verdict["state"] for verdict in bad["verdicts"]} == {"malformed"}


def test_one_vendor_without_quota_leaves_the_others_going(cli: Cli, server: VendorServer) -> None:
    server.behave(lambda request: quota() if request.vendor == "anthropic" else well_behaved())
    flags = ("--limit", 6, "--metric", "desc_alignment", "--format", "json")
    result = cli("score", "sample/library", *judge_flags(server), *flags)
    document = result.json
    assert result.code == 3
    assert [stop["kind"] for stop in document["stops"]] == ["quota"]
    assert [states(document, vendor) for vendor in ("openai", "google")] == [{"ok"}, {"ok"}]


def test_a_judge_that_fails_every_second_call_leaves_only_those_to_ask(
    cli: Cli, server: VendorServer, real_data: Path
) -> None:
    lock, n_asked = threading.Lock(), [0]

    def every_second(request: Request) -> Outcome:
        if request.vendor != "openai":
            return well_behaved()
        with lock:
            n_asked[0] += 1
            return server_error() if n_asked[0] % 2 else well_behaved()

    server.behave(every_second)
    flags = ("--data-dir", real_data, "--metric", "desc_alignment", "--retries", 0, "--format", "json")
    arguments = ("score", "tau3/airline", *judge_flags(server), *flags)
    first = cli(*arguments)
    tally = first.json["tally"]
    assert first.code == 3
    assert tally["planned"] == 150
    assert tally["scored"] + tally["unscored"] == 150
    assert tally["unscored"] >= 20
    server.always(well_behaved())
    server.requests.clear()
    second = cli(*arguments)
    assert second.code == 0
    assert len(server.requests) == tally["unscored"]


def test_a_planted_key_is_in_nothing_that_a_run_writes(
    cli: Cli, server: VendorServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = {vendor: f"sk-{vendor}-planted-0123456789abcdef" for vendor in VENDORS}
    for vendor, key in keys.items():
        monkeypatch.setenv(f"TEAM_KEY_{vendor.upper()}", key)
    quoting = {"reasons": [*keys.values()], "score": 3}
    server.behave(
        lambda request: say_json(quoting) if request.vendor != "google" else server_error_with(keys["google"])
    )
    judges = judge_flags(server)
    named = [flag for vendor in VENDORS for flag in ("--api-key-env", f"{vendor}=TEAM_KEY_{vendor.upper()}")]
    flags = ("--limit", 2, "--metric", "desc_alignment", "--retries", 0, "--report", "r.html", "--store", "s.db")
    result = cli("-vv", "score", "sample/library", *judges, *named, *flags, "--format", "json", "--output", "r.json")
    assert result.code == 3
    assert {request.headers.get("authorization") for request in server.requests if request.vendor == "openai"} == {
        f"Bearer {keys['openai']}"
    }
    written = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert {"r.html", "r.json", "s.db"} <= written.keys()
    for key in keys.values():
        assert key not in result.out + result.err
        assert not [name for name, content in written.items() if key.encode() in content]


def server_error_with(key: str) -> Outcome:
    from tests.servers.outcomes import fail  # noqa: PLC0415  # beside its only use

    return fail(500, f"Could not use key {key}")


def test_a_key_goes_to_one_address_only(cli: Cli, server: VendorServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-vendor-key-0123456789")
    own, elsewhere = "openai:gpt-5.4", server.judge()
    result = cli("score", "sample/library", "--judge", own, "--judge", elsewhere, "--api-key-env", "OPENAI_API_KEY")
    assert result.code == 2
    assert "several addresses" in result.err
    server.always(well_behaved())
    cli("score", "sample/library", "--judge", elsewhere, "--limit", 1)
    assert not [request for request in server.requests if "sk-vendor" in json.dumps(dict(request.headers))]


def test_a_floating_name_is_noted_and_the_model_that_answered_recorded(cli: Cli, server: VendorServer) -> None:
    server.always(well_behaved())
    flags = ("--limit", 1, "--metric", "desc_alignment", "--format", "json")
    document = cli("score", "sample/library", *judge_flags(server, ["openai"]), *flags).json
    assert document["verdicts"][0]["model"] == "model-of-openai-2026-01-01"
    assert any("floating name" in note for note in document["notes"])


def test_what_a_model_refuses_is_learnt_once_and_remembered(cli: Cli, server: VendorServer, tmp_path: Path) -> None:
    def picky(request: Request) -> Outcome:
        from tests.servers.outcomes import bad_request  # noqa: PLC0415  # beside its only use

        if "temperature" in request.body:
            return bad_request("Unsupported parameter: 'temperature' is not supported with this model.")
        return well_behaved()

    server.behave(picky)
    arguments = ("score", "sample/library", *judge_flags(server, ["openai"]), "--metric", "desc_alignment")
    first = cli(*arguments, "--limit", 2, "--store", "s.db")
    assert (first.code, len(server.requests)) == (0, 3)
    second = cli(*arguments, "--limit", 4, "--store", "s.db")
    assert (second.code, len(server.requests)) == (0, 5)
    with Store(tmp_path / "s.db") as store:
        assert "temperature" in (store.recall_model(server.openai_url, model="model-of-openai") or "")


@pytest.mark.parametrize("record", ["{", "[]", "{}", "null", '{"refused": [[]], "is_settled": 1}', "[" * 100_000])
def test_a_memory_of_models_that_can_not_be_read_is_no_hindrance(
    cli: Cli, server: VendorServer, tmp_path: Path, record: str
) -> None:
    arguments = ("score", "sample/library", *judge_flags(server, ["openai"]), "--metric", "desc_alignment")
    with Store(tmp_path / "s.db") as store:
        store.remember_model(server.openai_url, model="model-of-openai", record=record)
    assert cli(*arguments, "--limit", 1, "--store", "s.db").code == 0
