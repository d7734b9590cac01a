"""A panel asked by workers that are threads of this process: everything that needs no process of its own."""

from __future__ import annotations

import gc
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from audit.errors import UsageError, WorkersError
from audit.judges.asking import Asked
from audit.judges.one_model import AskingOptions
from audit.judges.panel import Panel, PanelOptions, WorkersChoice, make_panel
from audit.judges.questions import Questions
from audit.judges.running import ask_panel
from audit.judges.spending import Limits
from audit.providers.pace import Rates
from audit.records.mode import Mode
from audit.records.verdict import VerdictState
from audit.store import SharedStore, Store
from tests.cluster.conftest import LOCAL
from tests.judges.panels import questions
from tests.servers import outcomes
from tests.servers.http import Request
from tests.servers.outcomes import Outcome
from tests.servers.vendors import VendorServer, well_behaved

BOTH = ("desc_alignment", "policy_alignment")


def panel_of(*judges: str, workers: WorkersChoice | None = None, n_retries: int = 0) -> Panel:
    return make_panel(judges, PanelOptions(n_retries=n_retries, workers=workers))


def ask(asked: Questions, panel: Panel, path: Path, *, options: AskingOptions | None = None) -> Asked:
    with Store(path) as store:
        return ask_panel(asked, panel, store=store, options=options or AskingOptions(concurrency=8))


def without_times(asked: Asked) -> Asked:
    """Leave out also what stored verdicts did cost: of a question that stands twice, one process may find it stored."""
    verdicts = tuple(replace(verdict, latency_s=0.0, asked_at="") for verdict in asked.verdicts)
    return replace(asked, verdicts=verdicts, tally=replace(asked.tally, seconds=0.0, stored_cost_usd=0.0))


def by_text(request: Request) -> Outcome:
    """An answer that depends on the question alone."""
    return well_behaved(1 + len(request.user) % 10)


def test_workers_say_what_one_process_says(server: VendorServer, address: str, tmp_path: Path) -> None:
    asked = replace(questions(40, criteria=BOTH), more=(questions(50, trials=2),))
    judges = (server.judge(), server.judge("anthropic"))
    server.behave(by_text)
    alone = ask(asked, panel_of(*judges), tmp_path / "alone.sqlite3")
    n_alone = len(server.requests)
    told: list[str] = []
    together = ask(asked, panel_of(*judges, workers=WorkersChoice(address, told.append)), tmp_path / "b.sqlite3")
    assert without_times(together) == without_times(alone)
    assert together.tally.stored == 80, "what stands in both benchmarks was asked once"
    assert len(server.requests) == 2 * n_alone
    assert told == [f"2 workers with 2 threads at {address}: 280 calls to make"]


def test_a_task_s_decisions_are_asked_in_one_call_by_workers_too(
    server: VendorServer, address: str, tmp_path: Path
) -> None:
    server.behave(lambda request: outcomes.fail(500) if "want 4." in request.user else well_behaved(3))
    judge, modes = server.judge(), (Mode.PROMPTS, Mode.DECISIONS)
    asked = questions(12, criteria=BOTH, trials=2)
    alone = ask(asked, make_panel([judge], PanelOptions(n_retries=0, modes=modes)), tmp_path / "alone.sqlite3")
    n_alone = len(server.requests)
    workers = PanelOptions(n_retries=0, modes=modes, workers=WorkersChoice(address))
    together = ask(asked, make_panel([judge], workers), tmp_path / "b.sqlite3")
    assert without_times(together) == without_times(alone)
    assert sum(verdict.is_shared for verdict in together.verdicts) == 24
    assert len(server.requests) == 2 * n_alone


def test_a_run_goes_on_where_another_has_stopped_and_then_needs_no_cluster(
    server: VendorServer, address: str, tmp_path: Path
) -> None:
    path = tmp_path / "s.sqlite3"
    ask(questions(20), panel_of(server.judge()), path)
    asked = ask(questions(30, trials=2), panel_of(server.judge(), workers=WorkersChoice(address)), path)
    assert (asked.tally.stored, asked.tally.asked, asked.tally.scored) == (20, 40, 60)
    again = ask(questions(30, trials=2), panel_of(server.judge(), workers=WorkersChoice("tcp://127.0.0.1:1")), path)
    assert (again.tally.stored, again.tally.asked) == (60, 0)
    assert len(server.requests) == 60


def test_what_brings_no_verdict_is_missing_with_the_same_reason(
    server: VendorServer, address: str, tmp_path: Path
) -> None:
    def choose(request: Request) -> Outcome:
        if "want 3." in request.user:
            return outcomes.say("no verdict at all")
        return outcomes.fail(500) if "want 5." in request.user else well_behaved()

    server.behave(choose)
    alone = ask(questions(8), panel_of(server.judge()), tmp_path / "alone.sqlite3")
    workers = panel_of(server.judge(), workers=WorkersChoice(address))
    together = ask(questions(8), workers, tmp_path / "b.sqlite3")
    assert without_times(together) == without_times(alone)
    states = {verdict.task_id: verdict.state for verdict in together.verdicts if not verdict.is_ok}
    assert states == {"t3": VerdictState.MALFORMED, "t5": VerdictState.SERVER}


def test_a_refused_key_stops_the_judge_and_no_other(server: VendorServer, address: str, tmp_path: Path) -> None:
    server.behave(lambda request: well_behaved() if request.vendor == "openai" else outcomes.bad_key())
    judges = (server.judge("anthropic"), server.judge())
    asked = ask(questions(150), panel_of(*judges, workers=WorkersChoice(address)), tmp_path / "s.sqlite3")
    assert [(stop.judge, stop.kind) for stop in asked.stops] == [(judges[0], "auth")]
    assert (asked.tally.scored, asked.tally.unscored) == (150, 150)
    assert sum(request.vendor == "anthropic" for request in server.requests) < 30
    not_asked = [each for each in asked.verdicts if each.state is VerdictState.NOT_ASKED]
    assert all(each.problem.startswith("the judge was stopped: ") for each in not_asked)


def test_what_a_worker_finds_out_about_a_model_is_kept_for_all(
    server: VendorServer, address: str, tmp_path: Path
) -> None:
    def choose(request: Request) -> Outcome:
        if "temperature" in request.body:
            return outcomes.bad_request("Unsupported parameter: 'temperature' is not supported with this model.")
        return well_behaved()

    server.behave(choose)
    path = tmp_path / "s.sqlite3"
    ask(questions(3), panel_of(server.judge(), workers=WorkersChoice(address)), path)
    n_first = len(server.requests)
    assert n_first > 3
    with Store(path) as store:
        assert "temperature" in (store.recall_model(server.openai_url, model="any-name") or "")
    asked = ask(questions(9), panel_of(server.judge(), workers=WorkersChoice(address)), path)
    assert asked.tally.asked == 6
    assert len(server.requests) == n_first + 6
    with Store(path) as store:
        assert "temperature" in (store.recall_model(server.openai_url, model="any-name") or "")


def test_a_worker_without_the_key_is_told_of_in_one_line(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = panel_of("openai:gpt-5.4", workers=WorkersChoice(address))
    with pytest.raises(WorkersError, match=r"^worker \S+: judge openai:gpt-5.4: no key: .*OPENAI_API_KEY.*worker runs"):
        ask(questions(2), workers, tmp_path / "s.sqlite3")


def test_a_worker_that_would_ask_elsewhere_does_not_ask(
    server: VendorServer, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = panel_of("openai:gpt-5.4", workers=WorkersChoice(address))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-worker")
    monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
    with pytest.raises(WorkersError, match=r"it would be asked at http://127.0.0.1.*and the command means openai"):
        ask(questions(2), workers, tmp_path / "s.sqlite3")
    assert not server.requests


def test_a_store_that_workers_do_not_see_is_told_of(
    server: VendorServer, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = panel_of(server.judge(), workers=WorkersChoice(address))

    class Moved(Store):
        """A store whose path means something else where the workers are."""

        elsewhere = tmp_path / "nowhere.sqlite3"

        def share(self) -> SharedStore:
            return SharedStore(self.elsewhere, self.identity())

    with Moved(tmp_path / "s.sqlite3") as store:
        with pytest.raises(WorkersError, match=r"there is no such file on this machine.*--store postgresql://"):
            ask_panel(questions(2), workers, store=store, options=AskingOptions())
        assert not Moved.elsewhere.exists()
        Store(Moved.elsewhere).close()
        with pytest.raises(WorkersError, match=r"this is not the store of the run.*--store postgresql://"):
            ask_panel(questions(2), workers, store=store, options=AskingOptions())
    assert not server.requests


def test_another_version_on_a_worker_is_told_of(
    server: VendorServer, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.judges.chunk_worker.__version__", "0.0.1")
    workers = panel_of(server.judge(), workers=WorkersChoice(address))
    with pytest.raises(WorkersError, match=r"bench-audit 0.0.1 is installed there, and this command is .*same version"):
        ask(questions(2), workers, tmp_path / "s.sqlite3")
    assert not server.requests


def test_a_cluster_without_a_worker_is_waited_for_and_told_of(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="needs the [dask] extra")
    told: list[str] = []
    with distributed.LocalCluster(**LOCAL, n_workers=0) as cluster:
        choice = WorkersChoice(str(cluster.scheduler_address), told.append, patience_s=0.7)
        with pytest.raises(WorkersError, match=r"no worker is connected. Start one: dask worker tcp://"):
            ask(questions(2), panel_of("scripted:constant-7", workers=choice), tmp_path / "s.sqlite3")
    assert told == [f"Waiting for a worker at {choice.address}"]


def test_without_the_extra_the_command_for_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    workers = panel_of("scripted:constant-7", workers=WorkersChoice("tcp://127.0.0.1:1"))
    with pytest.raises(WorkersError, match=r"need the package distributed.*bench-audit\[dask\]"):
        ask(questions(2), workers, tmp_path / "s.sqlite3")


@pytest.mark.parametrize("text", ["nonsense", "foo://127.0.0.1:1", "tcp://127.0.0.1:1"])
def test_what_is_no_address_is_told_of(text: str, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs the [dask] extra")
    workers = panel_of("scripted:constant-7", workers=WorkersChoice(text, patience_s=0.3))
    with pytest.raises(WorkersError, match=f"--workers {text}: the scheduler can't be reached"):
        ask(questions(2), workers, tmp_path / "s.sqlite3")


def test_a_server_that_is_no_scheduler_is_told_of(server: VendorServer, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs the [dask] extra")
    address = server.url.replace("http://", "tcp://")
    workers = panel_of("scripted:constant-7", workers=WorkersChoice(address, patience_s=0.3))
    with pytest.raises(WorkersError, match="can't be reached: what listens there does not answer as one"):
        ask(questions(2), workers, tmp_path / "s.sqlite3")


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_connection_that_can_t_be_made_leaves_nothing_to_clean_up(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs the [dask] extra")
    workers = panel_of("scripted:constant-7", workers=WorkersChoice("tls://127.0.0.1:1", patience_s=0.3))
    with pytest.raises(WorkersError, match=r"--workers tls://127.0.0.1:1: the scheduler can't be reached: TLS expects"):
        ask(questions(2), workers, tmp_path / "s.sqlite3")
    gc.collect()


def test_a_password_in_an_address_is_not_shown(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs the [dask] extra")
    workers = panel_of("scripted:constant-7", workers=WorkersChoice("tcp://ann:hidden@127.0.0.1:1", patience_s=0.3))
    with pytest.raises(WorkersError, match=r"--workers tcp://ann:…@127.0.0.1:1") as error_info:
        ask(questions(2), workers, tmp_path / "s.sqlite3")
    assert "hidden" not in str(error_info.value)


@pytest.mark.parametrize(
    ("options", "flag"),
    [
        (PanelOptions(limits=Limits(budget_usd=1.0)), "--budget"),
        (PanelOptions(limits=Limits(max_calls=1)), "--max-calls"),
        (PanelOptions(rates=Rates(requests=60.0)), "--rpm"),
        (PanelOptions(rates=Rates(tokens=60.0)), "--tpm"),
    ],
)
def test_what_every_worker_would_count_for_itself_is_refused(options: PanelOptions, flag: str) -> None:
    workers = WorkersChoice("tcp://127.0.0.1:1")
    with pytest.raises(UsageError, match=f"{flag}: can't be kept with --workers"):
        make_panel(["scripted:constant-7"], replace(options, workers=workers))
