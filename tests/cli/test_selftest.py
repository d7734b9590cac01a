"""``bench-audit selftest``."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Cli
from tests.servers.outcomes import server_error
from tests.servers.vendors import VendorServer


def test_every_planted_flaw_is_listed_with_what_found_it(cli: Cli) -> None:
    result = cli("selftest")
    assert result.code == 0
    assert "unknown_id            lib_06  found by gold-unknown-id" in result.out
    assert "offline_match (low)" in result.out
    assert "together [offline (heuristic)]" in result.out
    assert "wrong_gold            lib_26  not found" in result.out
    assert "Kinds that the free layer saw nothing of: " in result.out


def test_the_free_layer_finds_half_of_the_flaws_and_marks_no_sound_task(cli: Cli) -> None:
    document = cli("selftest", "--format", "json").json
    checks, offline, together = document["layers"]
    assert (checks["name"], offline["name"], together["name"]) == ("checks", "offline score", "together")
    assert checks["n_found"] >= 7
    assert checks["n_false"] == 0
    assert together["recall"] == together["n_found"] / 14
    assert offline["label"] == "offline (heuristic)"
    assert len(document["flaws"]) == 14


def test_a_judge_is_a_layer_of_its_own_and_labelled_when_it_is_none(cli: Cli) -> None:
    result = cli("selftest", "--judge", "scripted:seeded", "--quiet")
    assert result.code == 0
    assert "judges [scripted (not a real judge)]" in result.out


def test_missing_verdicts_make_it_incomplete(cli: Cli, server: VendorServer) -> None:
    server.always(server_error())
    result = cli("selftest", "--judge", server.judge(), "--retries", 0, "--quiet")
    assert result.code == 3
    assert "42 tasks with missing verdicts" in result.out


def test_the_result_can_go_to_a_file(cli: Cli, tmp_path: Path) -> None:
    result = cli("selftest", "--format", "json", "--output", "out/selftest.json")
    assert (result.code, result.out) == (0, "")
    assert json.loads((tmp_path / "out" / "selftest.json").read_text())["format"] == "bench-audit/selftest"


def test_an_output_that_can_not_be_written_is_told_before_anything_runs(cli: Cli) -> None:
    result = cli("selftest", "--output", ".")
    assert (result.code, result.err.count("\n")) == (2, 1)
