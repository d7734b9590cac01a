from __future__ import annotations

import pytest

from tests.cli.conftest import Cli
from tests.servers.vendors import VendorServer

SAMPLE = "sample/library"
ADDRESS = ("--workers", "tcp://127.0.0.1:1")


@pytest.mark.parametrize(
    ("flags", "line"),
    [
        ((), "--workers: no judge is named. Add --judge VENDOR:MODEL."),
        (
            ("--judge", "scripted:constant-7", "--fresh"),
            "--workers: --fresh would ask again what a lost worker had stored. Name a new store with --store instead.",
        ),
        (
            ("--judge", "scripted:constant-7", "--batch"),
            "--workers: a provider's batch API needs no workers. Leave out --workers or --batch.",
        ),
        (
            ("--judge", "scripted:constant-7", "--budget", 5),
            "--budget: can't be kept with --workers, for no worker knows what the others send. Leave one of them out; "
            "--dry-run says beforehand what a run costs.",
        ),
    ],
)
def test_what_does_not_go_with_workers_is_told_in_one_line(cli: Cli, flags: tuple[object, ...], line: str) -> None:
    result = cli("score", SAMPLE, *ADDRESS, *flags)
    assert (result.code, result.err) == (2, f"Error: {line}\n")


def test_a_dry_run_reaches_for_no_cluster(cli: Cli, server: VendorServer) -> None:
    flags = ("--judge", "openai:gpt-5.4", "--limit", 3, "--dry-run")
    with_workers = cli("score", SAMPLE, *flags, *ADDRESS)
    assert with_workers.code == 0, "the command needs no key"
    assert "openai:gpt-5.4" in with_workers.out


def test_a_scheduler_that_is_not_there_is_one_line(cli: Cli) -> None:
    pytest.importorskip("distributed", reason="needs the [dask] extra")
    result = cli("score", SAMPLE, "--judge", "scripted:constant-7", "--limit", 1, "--workers", "tcp://127.0.0.1", "-q")
    assert result.code == 2
    assert result.err.startswith("Error: --workers tcp://127.0.0.1: the scheduler can't be reached: ")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("command", ["score", "gate", "compare", "export", "certify", "selftest"])
def test_every_command_that_asks_judges_takes_workers(cli: Cli, command: str) -> None:
    assert "--workers ADDRESS" in cli(command, "--help").out


def test_workers_ask_for_a_command_and_another_finds_it_stored(cli: Cli, server: VendorServer, address: str) -> None:
    judge = ("--judge", server.judge(), "--limit", 2, "--workers", address, "-q")
    scored = cli("score", SAMPLE, *judge, "--format", "json")
    assert (scored.code, scored.json["tally"]["asked"]) == (0, 6), scored.err
    n_scored = len(server.requests)
    compared = cli("compare", SAMPLE, SAMPLE, *judge)
    assert compared.code == 0, compared.err
    assert len(server.requests) == n_scored, "everything was stored"
