"""The review's server: what it does, and for whom it does nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.records.item_set import Review as State
from tests.policies.serving import Headers, Review, served
from tests.policies.sets import BOATS, document


@pytest.fixture
def review(tmp_path: Path) -> Iterator[Review]:
    with served(tmp_path) as running:
        yield running


def test_the_page_and_its_state_are_served_below_the_token_alone(review: Review) -> None:
    page, state = review.get(), review.get("state").json
    assert (page.status, b"<!doctype html>" in page.content) == (200, True)
    assert state["text"] == document(BOATS).text
    assert [item["id"] for item in state["items"]] == [f"P0{n}" for n in range(1, 8)]
    assert review.get("review.js").headers["Content-Type"].startswith("text/javascript")
    assert review.get("review.css").status == 200
    for name in ("", "/", "/state", "/x/state", f"/{review.server.token[:-1]}/", f"/{review.server.token}"):
        reply = review.send("GET", name or "/")
        assert (reply.status, review.server.token.encode() in reply.content) == (404, False)


@pytest.mark.parametrize("name", ["../page.html", "page.html", "%2e%2e/audit/errors.py", "boats.items.json", "state/"])
def test_no_other_file_is_served(review: Review, name: str) -> None:
    assert review.get(name).status == 404


def test_every_answer_forbids_whatever_the_page_does_not_need(review: Review) -> None:
    for reply in (review.get(), review.get("state"), review.get("nothing"), review.act("undo")):
        policy = reply.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert reply.headers["Cache-Control"] == "no-store"
        assert reply.headers["Referrer-Policy"] == "no-referrer"
        assert "Access-Control-Allow-Origin" not in reply.headers


def test_another_name_for_this_machine_is_refused(review: Review) -> None:
    for host in ("evil.example", f"localhost:{review.server.server_address[1]}", None):
        assert review.get("state", {"Host": host}).status == 403


def test_another_page_is_refused(review: Review) -> None:
    body = json.dumps({"action": "review", "ids": ["P01"], "review": "accepted"}).encode()
    refused: tuple[Headers, ...] = (
        {"Origin": "http://evil.example"},
        {"Origin": None},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Content-Type": "text/plain"},
    )
    for headers in refused:
        reply = review.send("POST", f"/{review.server.token}/act", body, headers)
        assert reply.status in (400, 403)
    assert review.send("POST", f"/{review.server.token}/state", body).status == 400
    assert review.send("GET", f"/{review.server.token}/state", headers={"Sec-Fetch-Site": "same-site"}).status == 403
    assert review.send("POST", "/wrong/act", body).status == 404
    assert review.saved.count(State.OPEN) == 7


def test_every_edit_is_on_the_disk_and_can_be_undone(review: Review) -> None:
    text = document(BOATS).text
    before = review.saved
    review.act("review", ids=["P01", "P02"], review="accepted")
    review.act("retitle", id="P01", title="Two boats")
    review.act("describe", id="P01", kind="permission", binds=None, violable=False)
    review.act("split", id="P02", at=text.index("one life"))
    review.act("merge", id="P04")
    review.act("move", id="P03", start=text.index("Never"), end=text.index("Never") + 10)
    reply = review.act("add", start=text.index("in a storm"), end=text.index("in a storm") + 10)
    assert [each["id"] for each in reply.json["items"]] == ["P01", "P02", "P02a", "P03", "P08", "P04", "P06", "P07"]
    assert [each.id for each in review.saved.items] == [each["id"] for each in reply.json["items"]]
    for _ in range(7):
        last = review.act("undo")
    assert (last.json["can_undo"], review.saved) == (False, before)
    assert review.act("undo").json["problem"].startswith("there is nothing to undo")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"action": "delete"}',
        b'{"action": "split", "id": "P01", "at": -1}',
        b'{"action": "split", "id": "P01", "at": "1"}',
        b'{"action": "retitle", "id": "P01", "title": 3}',
        b'{"action": "retitle", "id": "P01", "title": "\\ud800"}',
        b'{"action": "retitle", "id": "P01", "title": "a", "path": "/etc/passwd"}',
        b'{"action": "review", "ids": [], "review": "accepted"}',
        b'{"action": "review", "ids": ["P77"], "review": "accepted"}',
        b'{"action": "add", "start": 5, "end": 99999999}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_what_the_page_would_not_send_changes_nothing(review: Review, body: bytes) -> None:
    before = review.path.read_bytes()
    reply = review.send("POST", f"/{review.server.token}/act", body)
    assert reply.status == 422
    assert reply.json["problem"]
    assert review.path.read_bytes() == before


@pytest.mark.parametrize("length", ["1000001", "-1", "x", "1" * 20, None])
def test_requests_without_a_sensible_length_are_refused(review: Review, length: str | None) -> None:
    assert review.send("POST", f"/{review.server.token}/act", headers={"Content-Length": length}).status == 413


def test_a_file_that_another_program_changed_is_left_alone(review: Review) -> None:
    review.path.write_text(review.path.read_text().replace("Never rent", "Never lend"))
    reply = review.act("review", ids=["P01"], review="accepted")
    assert "another program changed the file" in reply.json["problem"]
    assert "Never lend" in review.path.read_text()
    review.path.unlink()
    assert review.act("undo").status == 422
    assert not review.path.exists()


def test_two_servers_have_two_tokens_and_listen_on_the_loopback_alone(review: Review, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with served(tmp_path / "other") as other:
        assert other.server.token != review.server.token
        assert len(other.server.token) >= 32
        assert other.server.server_address[0] == "127.0.0.1"
        assert review.server.url.endswith(f"/{review.server.token}/")
