"""``--batch --wait`` in the library: polled until the batches have ended."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from audit.errors import BatchPendingError
from audit.judges.asking import Asked
from audit.judges.batch_asking import ask_in_batches
from audit.judges.one_model import AskingOptions
from audit.judges.panel import BatchChoice
from audit.judges.progress import ignore_event
from audit.providers.retry import Hooks, RetryPolicy
from audit.store import Store
from tests.judges.panels import questions
from tests.providers.asking import VENDORS, provider_for
from tests.servers.batches import BatchServer


def wait(batches: BatchServer, path: Path, vendor: str, ends: list[str], *, is_waiting: bool = True) -> Asked:
    """Ask eight questions; each pause ends the open batches with the next of ``ends``, which may be ``running``."""

    async def sleep(seconds: float) -> None:
        state = ends.pop(0)
        if state != "running":
            fate = "expired" if state == "expired" else "answered"
            batches.end(state, lambda place: fate)

    options = AskingOptions(retry=RetryPolicy(max_attempts=2), hooks=Hooks(sleep=sleep))
    judge = batches.server.judge(vendor)

    async def run(store: Store) -> Asked:
        provider = provider_for(judge)
        try:
            listener = (BatchChoice(is_waiting=is_waiting), ignore_event)
            return await ask_in_batches(
                questions(8), {judge: provider}, store=store, options=options, listener=listener
            )
        finally:
            await provider.aclose()

    with Store(path / "s.sqlite3") as store:
        return asyncio.run(run(store))


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_waiting_run_hands_over_what_expired_and_ends_with_every_verdict(
    batches: BatchServer, tmp_path: Path, vendor: str
) -> None:
    asked = wait(batches, tmp_path, vendor, ["running", "expired", "running", "completed"])
    assert asked.tally.scored == 8
    assert [len(batch.keys) for batch in batches.batches] == [7, 7]


def test_a_question_that_no_batch_answers_is_handed_over_three_times_at_most(
    batches: BatchServer, tmp_path: Path
) -> None:
    asked = wait(batches, tmp_path, "openai", ["expired"] * 5)
    assert (asked.tally.scored, asked.tally.unscored, len(batches.batches)) == (1, 7, 3)
    assert {verdict.state for verdict in asked.verdicts} == {"ok", "not_asked"}


def test_a_batch_that_never_ends_is_left_to_a_later_run(batches: BatchServer, tmp_path: Path) -> None:
    for _ in range(3):
        with pytest.raises(BatchPendingError, match="7 questions"):
            wait(batches, tmp_path, "openai", [], is_waiting=False)
    assert len(batches.batches) == 1
