"""The estimate of a dry run against what the run then reports, at a server that counts with a real tokenizer."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from tests.cli.conftest import Cli
from tests.servers.http import Request, Response
from tests.servers.outcomes import Outcome, say
from tests.servers.vendors import VendorServer
from tests.vocabularies import count_tokens

REASON = "The agent is expected to waive the late fee although the member never asked for it, and rule 4 has no waiver."


class CountingServer:
    """Counts tokens as a vendor does, and holds prefixes of at least 1,024 tokens in a prompt cache."""

    def __init__(self, n_reasons: int) -> None:
        self._n_reasons = n_reasons
        self._cached: set[str] = set()

    def __call__(self, request: Request) -> Outcome:
        wants_score = "score" in (request.schema or {})["properties"]
        reply: dict[str, object] = {"reasons": [REASON] * self._n_reasons}
        reply |= dict.fromkeys(_lists(request), ()) | ({"score": 7} if wants_score else {})
        text = json.dumps(reply)
        return lambda asked: self._count(say(text)(asked), asked, text)

    def _count(self, response: Response, request: Request, text: str) -> Response:
        prefix = count_tokens(request.system)
        is_cached = prefix >= 1024 and request.system in self._cached
        self._cached.add(request.system)
        response.body["usage"] = {
            "prompt_tokens": prefix + count_tokens(request.user) + 8,
            "completion_tokens": count_tokens(text),
            "prompt_tokens_details": {"cached_tokens": prefix if is_cached else 0},
        }
        return response


def _lists(request: Request) -> Sequence[str]:
    return [name for name in (request.schema or {})["properties"] if name not in ("reasons", "score")]


def price(server: VendorServer) -> list[str]:
    return ["--price", f"{server.judge()}=2/0.2/10"]


def test_the_estimate_is_close_to_what_the_run_reports(cli: Cli, server: VendorServer) -> None:
    server.behave(CountingServer(n_reasons=6))
    flags = ("score", "sample/library", "--judge", server.judge(), *price(server), "--format", "json")
    planned = cli(*flags, "--dry-run").json["judges"][0]
    assert not server.requests
    spent = cli(*flags).json["tally"]
    assert planned["to_ask"] == spent["asked"]
    for name in ("input_tokens", "cached_tokens", "output_tokens"):
        assert planned[name] == pytest.approx(spent[name], rel=0.15), name
    assert planned["cached_cost_usd"] == pytest.approx(spent["cost_usd"], rel=0.15)
    assert planned["cost_usd"] > planned["cached_cost_usd"]
    whole = (2 * spent["input_tokens"] + 10 * spent["output_tokens"]) / 1e6
    assert spent["cache_saved_usd"] == pytest.approx(whole - spent["cost_usd"]) != 0
    again = cli(*flags).json["tally"]
    assert again["cache_saved_usd"] == 0, "what the store had saved nothing now"


def test_what_the_prompt_cache_saved_is_said(cli: Cli, server: VendorServer) -> None:
    server.behave(CountingServer(n_reasons=6))
    flags = ("score", "sample/library", "--judge", server.judge())
    assert "the prompt cache saved $0." in cli(*flags, *price(server)).out
    unpriced = cli(*flags, "--fresh")
    assert "%, cached)" in unpriced.out
    assert "saved" not in unpriced.out


def test_after_a_few_replies_the_estimate_knows_how_the_model_counts_and_talks(cli: Cli, server: VendorServer) -> None:
    server.behave(CountingServer(n_reasons=1))
    flags = ("score", "sample/library", "--judge", server.judge(), *price(server), "--format", "json")
    before = cli(*flags, "--dry-run").json["judges"][0]
    cli(*flags, "--limit", "3")
    planned = cli(*flags, "--dry-run").json["judges"][0]
    assert "stored replies" in planned["basis"]
    spent = cli(*flags).json["tally"]
    assert planned["input_tokens"] == pytest.approx(spent["input_tokens"], rel=0.03)
    assert planned["output_tokens"] == pytest.approx(spent["output_tokens"], rel=0.15)
    assert planned["cached_cost_usd"] == pytest.approx(spent["cost_usd"], rel=0.15)
    assert before["output_tokens"] > 2 * planned["output_tokens"]


def test_a_plan_in_words_says_what_is_unknown(cli: Cli, server: VendorServer) -> None:
    text = cli("score", "sample/library", "--judge", server.judge(), "--dry-run").out
    assert text.count("unknown") >= 3
    assert "$0" not in text
    priced = cli("score", "sample/library", "--judge", server.judge(), *price(server), "--dry-run").out
    assert "$" in priced
    assert "output assumed at 180 a call" in priced


def test_a_run_stops_at_its_limit_and_goes_on_later(cli: Cli, server: VendorServer) -> None:
    flags = ("score", "sample/library", "--judge", server.judge(), "--format", "json")
    stopped = cli(*flags, "--max-calls", "5")
    assert stopped.code == 3
    assert len(server.requests) == 5
    assert stopped.json["tally"]["scored"] == 5
    assert "--max-calls 5" in json.dumps(stopped.json["stops"])
    cli(*flags)
    assert len(server.requests) == stopped.json["tally"]["planned"]


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--budget", "0"], "0"),
        (["--budget", "nan"], "not a number of dollars"),
        (["--budget", "inf"], "not a number of dollars"),
        (["--budget", "1"], "is not known. Give its price"),
        (["--max-calls", "0"], "0"),
        (["--price", "openai:other=1/2"], "no judge 'openai:other' is asked"),
        (["--price", "cheap"], "is no price"),
    ],
)
def test_limits_that_are_none_are_refused(cli: Cli, server: VendorServer, flags: list[str], words: str) -> None:
    result = cli("score", "sample/library", "--judge", server.judge(), *flags)
    assert result.code == 2
    assert words in result.err
    assert not server.requests


@pytest.mark.parametrize(
    "command",
    [
        ("score", "sample/library", "--limit", "2"),
        ("score", "sample/library", "--limit", "2", "--mode", "prompts", "--mode", "decisions"),
        ("certify",),
        ("study", "sensitivity", "sample/library", "--kind", "pad", "--limit", "2"),
        ("policy", "extract", "sample/library"),
    ],
    ids=" ".join,
)
def test_what_it_would_cost_is_told_without_a_key(
    cli: Cli, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    plan = cli(*command, "--judge", "openai:gpt-5.4", "--dry-run")
    assert (plan.code, plan.err) == (0, "")
    assert "$" in plan.out
    if command[0] == "score":
        assert "no key: the variable OPENAI_API_KEY is not set" in cli(*command, "--judge", "openai:gpt-5.4").err
