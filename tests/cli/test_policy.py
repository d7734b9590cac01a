"""``bench-audit policy``: from a document to a score with items of one's own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from audit.loaders.item_set import read_item_set
from audit.resources import resource
from tests.cli.conftest import Cli
from tests.policies.hostile import DOCUMENTS
from tests.policies.sets import BOATS
from tests.servers import outcomes
from tests.servers.outcomes import Outcome

GOOD = {
    "rules": [
        {"quote": "Never rent in a storm", "title": "Storm", "kind": "prohibition", "binds": "agent", "violable": True},
        {"quote": "No swimming", "title": "Swim\x1b[31m", "kind": "limit", "binds": "user", "violable": False},
    ]
}


@pytest.fixture
def domain(tmp_path: Path) -> Path:
    """The sample's files as a private benchmark, its policy a little different, so that no shipped items fit."""
    folder = tmp_path / "domain"
    shutil.copytree(resource("benchmarks", "sample", "library"), folder)
    policy = folder / "policy.md"
    policy.write_text(policy.read_text().replace("three branches", "four branches"))
    return folder


@pytest.fixture
def boats(tmp_path: Path) -> Path:
    path = tmp_path / "boats.md"
    path.write_text(BOATS)
    return path


def test_from_a_document_to_a_score_with_reviewed_items(cli: Cli, domain: Path) -> None:
    items = domain / "policy.items.json"
    extracted = cli("policy", "extract", domain / "policy.md")
    assert (extracted.code, extracted.out) == (0, "")
    assert "Nobody has reviewed them" in extracted.err
    assert "score finds them beside the policy" in extracted.err

    before = cli("score", domain, "--judge", "scripted:seeded", "--quiet", "--format", "json")
    assert "44 of 44 policy items were proposed by an offline heuristic and reviewed by nobody" in before.out
    assert len(before.json["benchmark"]["policy"]["items"]) == 44

    assert cli("policy", "review", items, "--export", "sheet.csv").code == 0
    sheet = Path("sheet.csv")
    sheet.write_text(sheet.read_text().replace(",open,", ",accepted,").replace("P02,accepted", "P02,rejected"))
    imported = cli("policy", "review", items, "--import", sheet)
    assert "45 items (0 open, 44 accepted, 1 rejected), 43 used by score" in imported.err

    after = cli("score", domain, "--judge", "scripted:seeded", "--quiet", "--format", "json")
    assert "reviewed by nobody" not in after.out
    assert len(after.json["benchmark"]["policy"]["items"]) == 43


def test_items_of_another_place_are_named_and_none_switches_them_off(cli: Cli, domain: Path, tmp_path: Path) -> None:
    other = tmp_path / "mine.json"
    assert "score takes them with --policy-items" in cli("policy", "extract", domain / "policy.md", "--out", other).err
    assert cli("policy", "items", domain).out.startswith(f"{domain}: 0 policy items")
    listed = cli("policy", "items", domain, "--policy-items", other)
    assert listed.out.startswith("domain/policy: 44 policy items")
    assert "Note: 44 of 44 policy items were proposed by an offline heuristic" in listed.out
    shutil.copy(other, domain / "policy.items.json")
    assert "44 policy items" in cli("policy", "items", domain).out
    assert "0 policy items" in cli("policy", "items", domain, "--policy-items", "none").out


def test_show_and_check_take_a_file_of_items(cli: Cli, domain: Path, tmp_path: Path) -> None:
    other = tmp_path / "mine.json"
    cli("policy", "extract", domain / "policy.md", "--out", other)
    shown = cli("show", domain, "lib_01", "--full", "--policy-items", other)
    assert "⟦P01⟧" in shown.out, shown.err
    assert cli("check", domain, "--policy-items", other).code in (0, 1)
    refused = cli("check", domain, "--policy-items", "nowhere.json")
    assert (refused.code, "neither 'auto' nor 'none' nor a file" in refused.err) == (2, True)


def test_items_beside_a_changed_policy_are_refused_with_the_way_on(cli: Cli, domain: Path) -> None:
    cli("policy", "extract", domain / "policy.md")
    policy = domain / "policy.md"
    policy.write_text(policy.read_text() + "\n- Dogs must wait outside.\n")
    refused = cli("score", domain)
    assert refused.code == 2
    assert "bench-audit policy diff" in refused.err
    diff = cli("policy", "diff", domain / "policy.items.json", policy)
    assert diff.code == 1
    assert "Dogs must wait outside." in diff.out
    carried = cli("policy", "diff", domain / "policy.items.json", policy, "--out", domain / "policy.items.json")
    assert (carried.code, "--overwrite" in carried.err) == (2, True)
    cli("policy", "diff", domain / "policy.items.json", policy, "--out", domain / "policy.items.json", "--overwrite")
    assert cli("score", domain).code == 0
    again = cli("policy", "diff", domain / "policy.items.json", policy)
    assert (again.code, "45 kept" in again.out) == (0, True)


def test_shipped_rules_name_no_item_of_a_user_s_own_set(cli: Cli, tmp_path: Path) -> None:
    policy = tmp_path / "policy.md"
    shutil.copy(resource("benchmarks", "sample", "library", "policy.md"), policy)
    cli("policy", "extract", policy)
    result = cli("check", "sample/library", "--policy", policy, "--format", "json")
    assert result.code in (0, 1)
    assert "P0" not in "".join(str(finding.get("policy_item")) for finding in result.json["findings"])


def test_a_model_s_items_are_written_with_what_was_refused_and_the_cost(
    cli: Cli, boats: Path, judge: Callable[[Outcome], str]
) -> None:
    result = cli("policy", "extract", boats, "--judge", judge(outcomes.say_json(GOOD)), "--quiet")
    assert result.code == 0
    assert "Refused: 'No swimming' (Swim [31m): it does not occur in the document." in result.err
    assert "1 of 1 section read, 0 of them from the store; 1 call for an unknown price; 1 quote refused." in result.err
    made = read_item_set(boats.with_name("boats.items.json"))
    assert [item.title for item in made.items] == ["Storm"]
    again = cli("policy", "extract", boats, "--judge", judge(outcomes.fail(500)), "--quiet", "--overwrite")
    assert "1 of them from the store; 0 calls for" in again.err


def test_a_section_without_an_answer_is_said_kept_and_exits_3(
    cli: Cli, boats: Path, judge: Callable[[Outcome], str]
) -> None:
    result = cli("policy", "extract", boats, "--judge", judge(outcomes.refuse()), "--quiet")
    assert result.code == 3
    assert "Not read: lines 1 to 10 of the document. openai:any-name" in result.err
    assert "0 of 1 section read" in result.err
    assert "Run the same command again with --overwrite" in result.err
    made = read_item_set(boats.with_name("boats.items.json"))
    assert (made.items, made.unread[0].start) == ((), 0)
    stopped = cli("policy", "extract", boats, "--judge", judge(outcomes.fail(401)), "--quiet", "--overwrite", "--fresh")
    assert (stopped.code, "Stopped: openai:any-name" in stopped.err) == (3, True)


def test_items_with_unread_parts_say_so_in_a_score(cli: Cli, domain: Path, judge: Callable[[Outcome], str]) -> None:
    name = judge(outcomes.refuse())
    assert cli("policy", "extract", domain / "policy.md", "--judge", name, "--quiet").code == 3
    result = cli("score", domain, "--judge", "scripted:seeded", "--quiet")
    assert "characters of the policy were not read for items" in " ".join(result.out.split())


def test_a_dry_run_asks_nothing_and_writes_nothing(cli: Cli, boats: Path, judge: Callable[[Outcome], str]) -> None:
    result = cli("policy", "extract", boats, "--judge", judge(outcomes.fail(500)), "--dry-run", "--section", 500)
    assert result.code == 0
    assert "expect them to be about as long as the document" in result.out
    assert "nothing is sent" in cli("policy", "extract", boats, "--dry-run").out
    assert not boats.with_name("boats.items.json").exists()


def test_items_go_to_stdout_without_the_document_s_text(cli: Cli, boats: Path) -> None:
    result = cli("policy", "extract", boats, "--out", "-", "--no-text")
    assert "text" not in result.json
    assert len(result.json["items"]) == 7


def test_a_benchmark_s_policy_is_extracted_by_its_name(cli: Cli, tmp_path: Path) -> None:
    refused = cli("policy", "extract", "pararecover/nowhere")
    assert refused.code == 2
    result = cli("policy", "extract", "sample/library", "--out", tmp_path / "own.json")
    assert result.code == 0
    assert read_item_set(tmp_path / "own.json").policy == "sample/library"
    assert "score takes them with --policy-items" in result.err
    assert cli("policy", "extract", tmp_path / "nowhere.md").code == 2


def test_a_file_that_holds_reviews_is_not_replaced_unasked(cli: Cli, boats: Path) -> None:
    cli("policy", "extract", boats)
    refused = cli("policy", "extract", boats)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "--overwrite" in refused.err
    assert cli("policy", "extract", boats, "--overwrite").code == 0


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_hostile_documents_are_extracted_listed_and_carried_over(cli: Cli, boats: Path, name: str) -> None:
    path = boats.with_name("hostile.md")
    path.write_bytes(DOCUMENTS[name].encode())
    items = path.with_name("hostile.items.json")
    assert cli("policy", "extract", path).code == 0
    for sheet in ("s.csv", "s.md"):
        assert cli("policy", "review", items, "--export", sheet).code == 0
        result = cli("policy", "review", items, "--import", sheet)
        assert result.code == 0, result.err[:500]
    for form in ("text", "json", "markdown"):
        diff = cli("policy", "diff", items, boats, "--format", form)
        assert diff.code == 1
        assert not re.search("[\x00-\x08\x0e-\x1f\u202e]", diff.out)
    assert cli("policy", "diff", items, path).code == 0


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"\xff\xfebad", "not UTF-8"),
        (b" \n", "the policy is empty"),
    ],
)
def test_what_is_no_document_is_one_line(cli: Cli, boats: Path, content: bytes, complaint: str) -> None:
    boats.write_bytes(content)
    result = cli("policy", "extract", boats)
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert complaint in result.err


def test_bad_sheets_name_each_cell_and_change_nothing(cli: Cli, boats: Path) -> None:
    items = boats.with_name("boats.items.json")
    cli("policy", "extract", boats)
    before = items.read_bytes()
    cli("policy", "review", items, "--export", "s.md")
    sheet = Path("s.md")
    sheet.write_text(sheet.read_text().replace("| P01 | open", "| P01 | fine").replace("| P04 |", "| P44 |"))
    result = cli("policy", "review", items, "--import", sheet)
    assert result.code == 2
    assert "s.md: row 2, review: 'fine' is none of open, accepted, rejected, merge." in result.err
    assert "s.md: row 5, id: there is no item 'P44'." in result.err
    assert "3 cells can't be used, and nothing was changed" in result.err
    assert items.read_bytes() == before
    assert "ends in .csv or .md" in cli("policy", "review", items, "--export", "s.txt").err
    assert "exclude each other" in cli("policy", "review", items, "--export", "a.md", "--import", "a.md").err
    assert "there is no such sheet file" in cli("policy", "review", items, "--import", "b.md").err


def test_a_review_needs_the_very_document(cli: Cli, boats: Path) -> None:
    items = boats.with_name("boats.items.json")
    cli("policy", "extract", boats, "--no-text")
    assert cli("policy", "review", items, "--export", "s.md").code == 0
    boats.write_text("# Other\n\nYou must pay.")
    assert "was made for another version" in cli("policy", "review", items, "--export", "s.md").err
    boats.unlink()
    assert "the document of these items is not here" in cli("policy", "review", items, "--export", "s.md").err
    boats.write_text("# Other\n\nYou must pay.")
    diff = cli("policy", "diff", items, boats)
    assert (diff.code, "Name it with --old FILE" in diff.err) == (2, True)
    old = boats.with_name("old.md")
    old.write_text(BOATS)
    assert cli("policy", "review", items, "--document", old, "--export", "s.md").code == 0
    assert cli("policy", "diff", items, boats, "--old", old, "--output", "look.txt").code == 1
    assert "vanished" in Path("look.txt").read_text()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda f: f | {"text": "other"}, "not the one of its document_sha256"),
        (lambda f: f | {"text": 3}, "valid string"),
        (lambda f: f | {"unread": [{"start": 0, "end": 1}]}, "unread.0.reason"),
        (lambda f: f | {"items": [f["items"][0] | {"review": "fine"}]}, "has the review 'fine'"),
        (lambda f: f | {"items": [f["items"][0] | {"binds": "all"}]}, "binds 'all'"),
        (lambda f: f | {"items": [f["items"][0] | {"end": 9999}]}, "outside the text"),
        (lambda f: f | {"items": f["items"][1::-1]}, "before the last item's end"),
    ],
)
def test_unsound_item_files_are_one_line(
    cli: Cli, boats: Path, change: Callable[[dict[str, object]], object], complaint: str
) -> None:
    items = boats.with_name("boats.items.json")
    cli("policy", "extract", boats)
    items.write_text(json.dumps(change(json.loads(items.read_text()))))
    result = cli("policy", "review", items, "--export", "s.md")
    assert (result.code, result.err.count("\n"), complaint in result.err) == (2, 1, True), result.err
    items.write_bytes(rb'{"text": "\ud800", "policy": "a"}')
    assert cli("policy", "diff", items, boats).code == 2


def test_the_page_is_served_until_ctrl_c_and_says_what_was_done(boats: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from audit.cli.main import run; run()", "policy"]
    subprocess.run([*command, "extract", str(boats)], check=True, capture_output=True)
    review = [*command, "review", str(boats.with_name("boats.items.json"))]
    environ = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    for number in (signal.SIGINT, signal.SIGTERM):
        with subprocess.Popen(review, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ) as served:
            assert served.stdout is not None
            url = served.stdout.readline().strip()
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", url)
            with urllib.request.urlopen(url, timeout=10) as page:  # the page of this very command
                assert b"Policy items" in page.read()
            served.send_signal(number)
            _, err = served.communicate(timeout=20)
        assert served.returncode == 0
        assert "7 items (7 open, 0 accepted, 0 rejected), 7 used by score" in err


def test_a_browser_is_opened_where_there_is_a_screen(boats: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from audit.cli.main import run; run()", "policy"]
    subprocess.run([*command, "extract", str(boats)], check=True, capture_output=True)
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new && mv {opened}.new {opened}\nkill -INT $PPID\n')
    browser.chmod(0o700)
    done = subprocess.run(
        [*command, "review", str(boats.with_name("boats.items.json"))],
        env=os.environ | {"DISPLAY": ":7", "BROWSER": str(browser)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, opened.read_text()) == (0, done.stdout)


def test_the_page_ends_in_this_very_process_too(cli: Cli, boats: Path) -> None:
    cli("policy", "extract", boats)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def interrupt_once_it_listens() -> None:
        for _ in range(2000):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    os.kill(os.getpid(), signal.SIGINT)
                    return
            time.sleep(0.01)

    watcher = threading.Thread(target=interrupt_once_it_listens)
    watcher.start()
    result = cli("policy", "review", boats.with_name("boats.items.json"), "--port", port, "--no-browser")
    watcher.join()
    assert (result.code, result.out.startswith(f"http://127.0.0.1:{port}/")) == (0, True)


def test_a_port_that_is_taken_is_one_line(cli: Cli, boats: Path) -> None:
    cli("policy", "extract", boats)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = cli("policy", "review", boats.with_name("boats.items.json"), "--port", taken.getsockname()[1])
    assert (result.code, "no page can be served on this port" in result.err) == (2, True)
