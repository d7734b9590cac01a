"""The local site: what it lists and shows, and for whom it does nothing."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from audit.loaders.json_file import MAX_BYTES
from audit.reports import study_json, to_html, to_json
from audit.serving import leading
from audit.serving import shelf as shelves
from audit.serving.shelf import Shelf
from tests.reports import checked, hostile, runs, studies
from tests.reports.parsed import Element, parse
from tests.serving.site import Site, fill, served


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "runs"
    made.mkdir()
    fill(made)
    return made


@pytest.fixture
def site(folder: Path) -> Iterator[Site]:
    with served(folder) as running:
        yield running


def files(content: bytes) -> list[str]:
    return [row.text for row in parse(content).all("th", cls="file")]


def link(content: bytes, name: str) -> str:
    (found,) = [each for each in parse(content).all("a") if each.text == name]
    href: str = found.attributes["href"]
    return href


def test_runs_studies_and_pages_are_listed_and_other_files_are_not(site: Site) -> None:
    reply = site.get("/")
    assert reply.status == 200
    assert sorted(files(reply.content)) == ["deep/er/study.json", "deep/panel #1?.json", "old.html", "run.json"]
    text = parse(reply.content).one("verdict").text
    assert "Mend before release" in text
    assert "4 files" in text


def test_every_page_is_drawn_from_its_json_and_found_by_its_link(site: Site) -> None:
    listed = site.get("/").content
    assert site.get(link(listed, "run.json")).content == to_html.render(checked.audited())
    assert site.get(link(listed, "deep/panel #1?.json")).content == to_html.render(runs.panel())
    assert b"bench-audit study" in site.get(link(listed, "deep/er/study.json")).content
    assert site.get(link(listed, "old.html")).content == to_html.render(runs.small())


def test_the_list_is_sorted_by_any_column_in_both_directions(site: Site) -> None:
    rising = files(site.get("/?sort=file&order=rising").content)
    assert rising == sorted(rising)
    assert files(site.get("/?sort=file&order=falling").content) == rising[::-1]
    for name in ("kind", "title", "verdict", "judges", "tasks", "date"):
        reply = site.get(f"/?sort={name}&order=rising")
        assert sorted(files(reply.content)) == rising
        assert parse(reply.content).all("th")[0].attributes["scope"] == "col"
    assert set(files(site.get("/?sort=verdict&order=rising").content)[:2]) == {"run.json", "deep/panel #1?.json"}
    assert site.get("/?sort=x").status == 404
    assert site.get("/?sort=file&order=up").status == 404


def test_what_changes_in_the_folder_is_seen_at_the_next_look(site: Site, folder: Path) -> None:
    site.get("/")
    (folder / "run.json").write_bytes(to_json.render(runs.offline()))
    os.utime(folder / "run.json", (1, 1))
    (folder / "new.json").write_bytes(to_json.render(runs.small()))
    (folder / "old.html").unlink()
    reply = site.get("/")
    assert "new.json" in files(reply.content)
    assert "old.html" not in files(reply.content)
    assert site.get("/view/run.json").content == to_html.render(runs.offline())


@pytest.mark.parametrize(
    "path",
    [
        "/view/../secret.json",
        "/view/%2e%2e/secret.json",
        "/view/deep/../../secret.json",
        "/view//etc/passwd",
        "/view/%2Fetc%2Fpasswd",
        "/view/link.json",
        "/view/linked/secret.json",
        "/view/.hidden.json",
        "/view/other.json",
        "/view/notes.txt",
        "/view/",
        "/view/run.json%00",
        "/view/run.json/",
        "/run.json",
        "/view/..%5csecret.json",
        "/view/%ff%fe",
    ],
)
def test_nothing_else_is_served_by_whatever_path(site: Site, folder: Path, path: str) -> None:
    outside = folder.parent / "away"
    outside.mkdir()
    for place in (folder.parent / "secret.json", outside / "secret.json", folder / ".hidden.json"):
        place.write_bytes(to_json.render(runs.small()))
    (folder / "link.json").symlink_to(folder.parent / "secret.json")
    (folder / "linked").symlink_to(outside)
    assert site.get(path).status == 404


def test_a_link_put_in_a_files_place_after_the_list_is_not_followed(site: Site, folder: Path) -> None:
    site.get("/")
    secret = folder.parent / "secret.json"
    secret.write_bytes(to_json.render(runs.small()))
    (folder / "run.json").unlink()
    (folder / "run.json").symlink_to(secret)
    assert site.get("/view/run.json").status == 404


def test_another_name_for_this_machine_is_refused(site: Site) -> None:
    for host in ("evil.example", "evil.example:80", f"localhost:{site.server.server_address[1]}", None):
        for path in ("/", "/view/run.json"):
            assert site.get(path, {"Host": host}).status == 403


def test_other_pages_can_link_here_and_embed_nothing(site: Site) -> None:
    foreign = {"Sec-Fetch-Site": "cross-site"}
    assert site.get("/", {**foreign, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}).status == 403
    assert site.get("/", {**foreign, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}).status == 403
    assert site.get("/", {**foreign, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}).status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_it_can_only_be_read(site: Site, method: str) -> None:
    assert site.send(method, "/").status == 405
    assert site.send(method, "/", {"Host": "evil.example"}).status == 403


def test_head_tells_the_length_and_sends_nothing(site: Site) -> None:
    reply = site.send("HEAD", "/view/run.json")
    assert (reply.status, reply.content) == (200, b"")
    assert int(reply.headers["Content-Length"]) == len(to_html.render(checked.audited()))


def test_every_answer_forbids_whatever_it_does_not_need(site: Site) -> None:
    for path in ("/", "/view/run.json", "/view/old.html", "/nothing"):
        reply = site.get(path)
        policy = reply.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert "Access-Control-Allow-Origin" not in reply.headers
        assert policy.startswith("sandbox allow-scripts;") == path.startswith("/view/")
    assert "unsafe" not in site.get("/").headers["Content-Security-Policy"]


def test_damaged_files_are_listed_as_such_and_told_in_one_line(site: Site, folder: Path) -> None:
    (folder / "cut.json").write_bytes(to_json.render(runs.small())[:500])
    (folder / "odd.json").write_text('{"format": "bench-audit/run", "benchmark": 1}')
    (folder / "suite.json").write_text('{"format": "bench-audit/suite", "summary": 1}')
    document = json.loads(to_json.render(runs.small()))
    document["verdicts"] = "none"
    (folder / "half.json").write_text(json.dumps(document))
    (folder / "wrong.json").write_bytes(b'{"format": "bench-audit/study", "kind": "\xff"}')
    (folder / "deep.json").write_text('{"format": "bench-audit/run", "x": ' + "[" * 100_000 + "]" * 100_000 + "}")
    (folder / "list.json").write_text('{"format": "bench-audit/study", "summary": [}')
    rows = [row.text for row in parse(site.get("/").content).all("tr")]
    for name, why in (
        ("cut.json", "is damaged: no JSON after line"),
        ("odd.json", "is damaged: created_at: Field required"),
        ("suite.json", "is damaged: Input should be"),
        ("wrong.json", "is damaged: no JSON that can be read"),
        ("deep.json", "is damaged"),
        ("list.json", "is damaged: no JSON after line 1"),
    ):
        assert any(name in row and why in row for row in rows), (name, rows)
        assert site.get(f"/view/{name}").status == 422
    assert "cut.json" not in [each.text for each in parse(site.get("/").content).all("a")], "there is nothing to open"
    reply = site.get("/view/half.json")
    assert reply.status == 422
    assert b"verdicts" in reply.content
    assert b"Traceback" not in reply.content


def test_a_file_that_can_not_be_read_is_listed_with_the_reason() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "mine.json").write_bytes(to_json.render(runs.small()))
        (folder / "mine.json").chmod(0)
        with unprivileged():
            (entry,) = Shelf(folder).entries()
        assert (entry.name, entry.problem) == ("mine.json", "can't be read: Permission denied")
        with served(folder) as site:
            assert "mine.json" in files(site.get("/").content)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Without the right to read everything, which the superuser has."""
    own = os.geteuid()
    if own == 0:
        os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(own)


def test_a_file_beyond_what_is_read_is_listed_with_the_reason(tmp_path: Path) -> None:
    with (tmp_path / "huge.json").open("wb") as file:
        file.write(b'{"format": "bench-audit/run"')
        file.truncate(MAX_BYTES + 1)
    (entry,) = Shelf(tmp_path).entries()
    assert entry.problem == "is longer than 100,000,000 bytes"


def test_a_long_runs_texts_are_not_read_for_the_list_and_its_entry_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = to_json.render(runs.panel())
    (tmp_path / "run.json").write_bytes(content)
    (whole,) = Shelf(tmp_path).entries()
    for size in (64, 1_000, 3_000, 20_000, len(content) - 1):
        monkeypatch.setattr(leading, "_BEGINNING", size)
        assert Shelf(tmp_path).entries() == (whole,)
    with (tmp_path / "run.json").open("rb") as file:
        monkeypatch.setattr(leading, "_BEGINNING", 20_000)
        fields = leading.leading_fields(file, {"summary", "settings"})
    assert "verdicts" not in fields, "the rest stays on the disk"
    assert fields["settings"]["seed"] == json.loads(content)["settings"]["seed"]


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        ('{"a": 1, "b": 2\n}', {"a"}, {"a": 1}),
        ('{"a": 1, "b": 2}', {"a"}, {"a": 1, "b": 2}),
        ('{"a": 1, "b": 2}', {"b"}, {"a": 1, "b": 2}),
        ('{"a": 12', {"a"}, None),
        ('{"a": [1, 2', {"a"}, None),
        ('{"a" 1}', {"a"}, None),
        ('{"a": 1 "b": 2}', {"b"}, None),
        ("{}", {"a"}, {}),
        ("[{}]", {"a"}, {}),
        ('{"a": 1, "b": ', {"a"}, None),
    ],
)
def test_leading_fields_are_those_of_the_whole_object(
    tmp_path: Path, text: str, wanted: set[str], found: dict[str, int] | None
) -> None:
    (tmp_path / "x.json").write_text(text)
    with (tmp_path / "x.json").open("rb") as file:
        if found is None:
            with pytest.raises(ValueError, match="line 1"):
                leading.leading_fields(file, wanted)
        else:
            assert leading.leading_fields(file, wanted) == found


def test_a_run_that_was_cut_off_anywhere_is_listed_as_damaged(tmp_path: Path) -> None:
    content = to_json.render(runs.panel())
    for size in (*range(200, len(content) - 2, 997), content.rindex(b"}", 0, len(content) - 2) + 1):
        (tmp_path / "run.json").write_bytes(content[:size])
        (entry,) = Shelf(tmp_path).entries()
        assert entry.problem.startswith("is damaged"), size


def test_a_suites_tables_are_shown(site: Site, folder: Path) -> None:
    summary = json.loads(study_json.render(studies.study()))
    (folder / "suite.json").write_text(json.dumps({"format": "bench-audit/suite", "summary": summary}))
    assert b"Agreement of each judge" in site.get("/view/suite.json").content


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", '" onmouseover="alert(1)', "{{ 7*7 }}", "\u202e\x1b[31m"]
)
def test_hostile_names_and_texts_do_nothing(site: Site, folder: Path, text: str) -> None:
    name = f"x{text.replace('/', '_')}.json"
    (folder / name).write_bytes(to_json.render(hostile.everywhere(text)))
    reply = site.get("/")
    root: Element = parse(reply.content)
    assert not [each for each in root.all() if any(key.startswith("on") for key in each.attributes)]
    assert b"<script>alert" not in reply.content
    assert "49" not in root.one("verdict").text.replace("2049", "")
    assert site.get(f"/view/{quote(name)}").status == 200


def test_names_that_are_no_text_are_served_too(site: Site, folder: Path) -> None:
    name = os.fsencode(folder) + b"/bad\xff.json"
    with open(name, "wb") as file:  # noqa: PTH123  # a path of bytes
        file.write(to_json.render(runs.small()))
    reply = site.get("/")
    assert reply.status == 200
    assert site.get("/view/bad%ff.json").status == 200


def test_hidden_folders_great_depth_and_too_many_files_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = to_json.render(runs.small())
    deep = tmp_path.joinpath(*"abcdefghij")
    deep.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    for place in (deep, tmp_path / ".git", tmp_path):
        (place / "run.json").write_bytes(content)
    assert [entry.name for entry in Shelf(tmp_path).entries()] == ["run.json"]
    monkeypatch.setattr(shelves, "MAX_FILES", 1)
    (tmp_path / "z.json").write_bytes(content)
    assert len(Shelf(tmp_path).entries()) == 1


def test_an_empty_folder_says_what_to_do(tmp_path: Path) -> None:
    with served(tmp_path) as site:
        assert "There is nothing yet" in parse(site.get("/").content).text


def test_pages_that_were_drawn_are_kept_but_not_without_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelves, "_MOST_PAGES", 1)
    shelf = Shelf(folder)
    first = shelf.page("run.json")
    assert shelf.page("run.json") is first
    shelf.page("deep/panel #1?.json")
    again = shelf.page("run.json")
    assert again == first
    assert again is not first
