from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit.errors import FetchError, UsageError
from audit.sources.archives import Limits
from audit.sources.cache import (
    Record,
    cache_root,
    domain_folder,
    find_cached,
    list_cached,
    locked,
    read_record,
    remove,
)
from audit.sources.download import Patience, shown
from audit.sources.fetching import ARCHIVE, WHEEL, Fetched, FetchOptions, Wanted, choose_sets, fetch_set, split_cached
from audit.sources.find import digest_of
from audit.sources.manifest import Package
from tests.servers.files import Files, cut, ranged, whole
from tests.servers.http import Response
from tests.sources.sets import FILES, manifest, names_in, sha256, tar_gz, unpacked, wanted, zipped

QUICK = Patience(timeout_s=0.3, n_tries=2)
HIRE = {"tasks.json", "policy.md", "db.json", "LICENSE"}


def fetch(what: Wanted, **options: Any) -> Fetched:  # noqa: ANN401  # the options' own types
    return fetch_set(what, FetchOptions(**{"patience": QUICK, **options}), on_progress=lambda *_: None)


def folder_of(name: str) -> Path:
    return domain_folder("boats", manifest(), domain=name)


def cached_names() -> list[str]:
    return [each.record.name for each in list_cached()]


def downloads() -> list[str]:
    return sorted(path.suffix for path in (cache_root() / "downloads").glob("*"))


@pytest.mark.parametrize(
    "pack", [tar_gz, zipped, lambda: tar_gz(mode="w:"), lambda: tar_gz(top=""), lambda: zipped(top="")]
)
def test_the_needed_files_of_an_archive_are_kept_and_no_others(files: Files, pack: Callable[[], bytes]) -> None:
    url = files.put("/boats", whole(pack()))
    fetched = fetch(wanted(url))

    assert [record.name for record in fetched.kept] == ["boats/hire", "boats/repair"]
    assert names_in(folder_of("hire")) == HIRE
    assert names_in(folder_of("repair")) == {
        "tasks/one.json",
        "tasks/two.json",
        "policy.md",
        "db.json",
        "prompts/inner/more.md",
        "LICENSE",
    }
    assert (folder_of("hire") / "policy.md").read_bytes() == FILES["domains/hire/policy.md"]
    assert downloads() == []
    assert not (cache_root() / "staging").exists()


def test_the_record_says_where_files_come_from_and_what_vouches_for_them(files: Files) -> None:
    url = files.put("/boats.tar.gz", whole(tar_gz()))
    tasks = sha256(FILES["domains/hire/tasks.json"])
    fetch(wanted(url, only=("hire",), hire={"sha256": {"tasks.json": tasks}}))
    record = read_record(folder_of("hire"))

    assert record is not None
    assert (record.origins, record.revision, record.n_bytes) == ((url,), "1234567", 42)
    assert record.files["tasks.json"].held_to == "pinned"
    assert record.files["policy.md"].held_to == ""
    assert record.files["policy.md"].sha256 == sha256(FILES["domains/hire/policy.md"])


def test_what_is_in_the_cache_is_not_fetched_again(files: Files) -> None:
    what = wanted(files.put("/boats.tar.gz", whole(tar_gz())))
    fetch(what)
    again = fetch(what)

    assert len(again.kept) == 2
    assert files.paths == ["/boats.tar.gz"]
    assert split_cached(what)[1] == ()


def test_another_revision_is_another_folder(files: Files) -> None:
    fetch(wanted(files.put("/boats.tar.gz", whole(tar_gz()))))
    other = manifest().model_copy(update={"revision": "7654321"})

    assert find_cached("boats", other, domain="hire") is None
    assert find_cached("boats", manifest(), domain="hire") == folder_of("hire")


def test_a_cached_file_that_was_changed_is_fetched_again(files: Files, caplog: pytest.LogCaptureFixture) -> None:
    what = wanted(files.put("/boats.tar.gz", whole(tar_gz())))
    fetch(what)
    (folder_of("hire") / "policy.md").write_text("- Anything goes.\n")
    (folder_of("repair") / "db.json").unlink()
    fetch(what)

    assert (folder_of("hire") / "policy.md").read_bytes() == FILES["domains/hire/policy.md"]
    assert "boats/hire is fetched again: policy.md is not as it was fetched" in caplog.text
    assert files.paths == ["/boats.tar.gz"] * 2


def test_a_file_with_another_hash_than_the_pinned_one_keeps_its_domain_out_and_no_other(files: Files) -> None:
    url = files.put("/boats.tar.gz", whole(tar_gz()))
    fetched = fetch(wanted(url, hire={"sha256": {"db.json": "0" * 64}}))

    assert [record.name for record in fetched.kept] == ["boats/repair"]
    assert fetched.failures["boats/hire"].startswith(
        "db.json is not the pinned file (SHA-256 44136fa355b3…, not 000000"
    )
    assert cached_names() == ["boats/repair"]
    assert not folder_of("hire").exists()


def test_a_pinned_folder_vouches_for_each_of_its_files(files: Files, tmp_path: Path) -> None:
    url = files.put("/boats.tar.gz", whole(tar_gz()))
    digest = digest_of(unpacked(tmp_path / "set") / "domains/repair/tasks")
    (record,) = fetch(wanted(url, only=("repair",), repair={"sha256": {"tasks": digest}})).kept

    held = {name: file.held_to for name, file in record.files.items()}
    assert held["tasks/one.json"] == held["tasks/two.json"] == "pinned"
    assert held["prompts/inner/more.md"] == held["policy.md"] == ""


def test_a_folder_of_other_files_than_the_pinned_ones_is_refused(files: Files) -> None:
    url = files.put("/boats.tar.gz", whole(tar_gz()))
    with pytest.raises(FetchError, match=r"boats/repair \(the folder tasks is not the pinned one\)"):
        fetch(wanted(url, only=("repair",), repair={"sha256": {"tasks": "0" * 64}}))


def test_a_domain_without_one_of_its_files_is_not_kept(files: Files) -> None:
    partly = {name: content for name, content in FILES.items() if name != "domains/hire/db.json"}
    url = files.put("/boats.tar.gz", whole(tar_gz(partly)))
    fetched = fetch(wanted(url))

    assert fetched.failures == {"boats/hire": "there is no db.json"}
    assert cached_names() == ["boats/repair"]


def test_the_next_address_is_tried_when_one_has_nothing(files: Files) -> None:
    good = files.put("/second.zip", whole(zipped()))
    page = files.put("/third", whole(b"<!DOCTYPE html><title>Sign in</title>"))
    fetched = fetch(wanted(f"{files.server.url}/absent", page, good))

    assert files.paths == ["/absent", "/third", "/second.zip"]
    assert fetched.kept[0].origins == (good,)


def test_the_user_s_own_mirror_comes_first(files: Files) -> None:
    known = files.put("/known.tar.gz", whole(tar_gz()))
    mirror = files.put("/mirror.tar.gz", whole(tar_gz()))
    fetch(wanted(known), mirrors=(mirror,))

    assert files.paths == ["/mirror.tar.gz"]


def test_a_cut_download_goes_on_where_it_was_cut(files: Files) -> None:
    content = tar_gz()
    url = files.put("/boats.tar.gz", cut(content, after=100), ranged(content))
    fetch(wanted(url))

    (_, first), (_, second) = files.asked
    assert "range" not in first
    assert (second["range"], second["if-range"]) == ("bytes=100-", '"v1"')
    assert cached_names() == ["boats/hire", "boats/repair"]


def test_a_later_command_goes_on_with_what_an_earlier_one_got(files: Files) -> None:
    content = tar_gz()
    url = files.put("/boats.tar.gz", cut(content, after=100), lambda request: Response(raw=b""))
    with pytest.raises(FetchError, match="is cut again and again"):
        fetch(wanted(url))
    assert downloads() == [".json", ".part"]
    assert cached_names() == []

    files.put("/boats.tar.gz", ranged(content))
    fetch(wanted(url))
    assert files.asked[-1][1]["range"] == "bytes=100-"
    assert downloads() == []


def test_a_server_that_knows_no_ranges_gives_all_again(files: Files) -> None:
    content = tar_gz()
    fetch(wanted(files.put("/boats.tar.gz", cut(content, after=100), whole(content))))

    assert cached_names() == ["boats/hire", "boats/repair"]


def test_a_file_that_has_changed_since_it_was_cut_is_begun_anew(files: Files) -> None:
    url = files.put("/b.tar.gz", cut(zipped(), after=100), ranged(tar_gz(), tag='"v2"'))
    fetch(wanted(url))

    assert files.asked[1][1]["if-range"] == '"v1"'
    assert cached_names() == ["boats/hire", "boats/repair"]


def test_a_download_of_two_halves_that_do_not_fit_is_thrown_away_and_fetched_whole(files: Files) -> None:
    url = files.put("/b.tar.gz", cut(zipped(), after=100, tag=""), lambda request: Response(raw=b""))
    with pytest.raises(FetchError):
        fetch(wanted(url))
    files.put("/b.tar.gz", ranged(tar_gz(), tag=""))
    fetch(wanted(url))

    assert ["range" in headers for _, headers in files.asked[-2:]] == [True, False]
    assert cached_names() == ["boats/hire", "boats/repair"]


def test_a_part_that_is_longer_than_the_file_has_become_is_thrown_away(files: Files) -> None:
    url = files.put("/b.tar.gz", cut(bytes(5000), after=4000, tag=""), lambda request: Response(raw=b""))
    with pytest.raises(FetchError):
        fetch(wanted(url))
    files.put("/b.tar.gz", ranged(tar_gz(), tag=""))
    fetch(wanted(url))

    assert cached_names() == ["boats/hire", "boats/repair"]


def test_a_part_that_was_not_asked_for_is_refused(files: Files) -> None:
    content = tar_gz()
    wrong = Response(content[:50], 206, headers={"content-range": f"bytes 0-49/{len(content)}"})
    url = files.put("/b.tar.gz", cut(content, after=100), lambda request: wrong)
    with pytest.raises(FetchError, match="answers with another part than it was asked for"):
        fetch(wanted(url))


def test_a_damaged_archive_leaves_nothing_behind(files: Files) -> None:
    with pytest.raises(FetchError, match="is cut short, damaged or packed in a way that is not known"):
        fetch(wanted(files.put("/b.tar.gz", whole(tar_gz()[:-20]))))
    assert cached_names() == []
    assert downloads() == []
    assert not list((cache_root() / "sets").glob("*/*"))


def test_files_of_a_damaged_archive_are_not_mixed_with_those_of_a_sound_one(files: Files) -> None:
    other = {**FILES, "domains/hire/policy.md": b"- Anything goes.\n"}
    damaged = files.put("/damaged.tar.gz", whole(tar_gz(other)[:-20]))
    fetch(wanted(damaged, files.put("/sound.tar.gz", whole(tar_gz()))))

    assert (folder_of("hire") / "policy.md").read_bytes() == FILES["domains/hire/policy.md"]


def test_a_download_that_hardly_moves_is_given_up_for_the_next(files: Files) -> None:
    slow = files.put("/slow", lambda request: Response(tar_gz(), drip_s=0.02))
    good = files.put("/good", whole(tar_gz()))
    fetch(wanted(slow, good), patience=Patience(timeout_s=5, slow_s=0.1, slow_bytes=10_000, n_tries=1))

    assert files.paths == ["/slow", "/good"]


def test_a_server_that_says_nothing_is_given_up_for_the_next(files: Files) -> None:
    silent = files.put("/silent", lambda request: Response(b"", delay_s=5))
    fetch(wanted(silent, files.put("/good", whole(tar_gz()))))

    assert files.paths[-1] == "/good"


@pytest.mark.parametrize("says_so", [True, False])
def test_a_download_is_not_read_beyond_its_limit(files: Files, says_so: bool) -> None:
    body = bytes(5000)
    endless = Response(raw=b"HTTP/1.1 200 OK\r\n\r\n" + body)
    url = files.put("/b", whole(body) if says_so else lambda request: endless)
    with pytest.raises(FetchError, match="is larger than 0 MB"):
        fetch(wanted(url), patience=Patience(timeout_s=1, most_bytes=1000))


def test_a_redirect_on_this_machine_is_followed(files: Files) -> None:
    target = files.put("/target", whole(tar_gz()))
    url = files.put("/moved", lambda request: Response(b"", 302, headers={"location": "/target"}))
    (record, _) = fetch(wanted(url)).kept

    assert files.paths == ["/moved", "/target"]
    assert record.origins == (url,)
    assert target.endswith("/target")


@pytest.mark.parametrize(
    "target", ["http://example.org/boats", "ftp://127.0.0.1/boats", "file:///etc/passwd", "http://["]
)
def test_a_redirect_to_anything_but_https_is_refused(files: Files, target: str) -> None:
    url = files.put("/moved", lambda request: Response(b"", 301, headers={"location": target}))
    with pytest.raises(
        FetchError, match=r"could not be fetched: 127\.0\.0\.1 (leads to .* which is not https|can't be)"
    ):
        fetch(wanted(url))


def test_redirects_without_end_are_refused(files: Files) -> None:
    url = files.put("/round", lambda request: Response(b"", 302, headers={"location": "/round"}))
    with pytest.raises(FetchError, match="redirects more than 5 times"):
        fetch(wanted(url))


@pytest.mark.parametrize(
    "url", ["http://example.org/b.zip", "ftp://127.0.0.1/b.zip", "boats.zip", "https://", "http://["]
)
def test_an_address_that_is_not_https_is_not_asked(url: str) -> None:
    with pytest.raises(FetchError, match="which is not https"):
        fetch(wanted(), mirrors=(url,))


def test_a_password_in_an_address_is_shown_to_nobody() -> None:
    with pytest.raises(FetchError) as caught:
        fetch(wanted("https://a.example/b"), mirrors=("http://me:s3cret@mirror.example/b.zip",), ways=())
    assert "s3cret" not in str(caught.value)
    assert "mirror.example" in str(caught.value)
    assert shown("https://t0ken@host/x?a=b@c") == "https://host/x?a=b@c"


def test_without_network_the_line_says_what_to_put_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    with pytest.raises(FetchError) as caught:
        fetch(wanted("https://archives.example/boats.tar.gz"))
    line = str(caught.value)
    assert line.startswith("boats: could not be fetched: archives.example can't be reached")
    assert "get https://archives.example/boats.tar.gz on another machine" in line
    assert "'bench-audit fetch boats --from FILE'" in line
    assert "\n" not in line


def test_the_proxy_of_the_environment_is_asked(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", files.server.url)
    with pytest.raises(FetchError):
        fetch(wanted("https://archives.example/boats.tar.gz"))
    assert files.paths == ["archives.example:443"]


def test_what_was_fetched_first_is_held_against_later_fetches(files: Files) -> None:
    what = wanted(files.put("/b", whole(tar_gz())), only=("hire",))
    fetch(what)
    remove(folder_of("hire"))
    assert cached_names() == []
    files.put("/b", whole(tar_gz({**FILES, "domains/hire/policy.md": b"- Anything goes.\n"})))
    with pytest.raises(FetchError, match=r"policy\.md differs from what was fetched first"):
        fetch(what)

    files.put("/b", whole(tar_gz()))
    (record,) = fetch(what).kept
    assert {file.held_to for file in record.files.values()} == {"recorded"}


def test_fresh_takes_what_differs_and_records_it(files: Files) -> None:
    what = wanted(files.put("/b", whole(tar_gz())), only=("hire",))
    fetch(what)
    files.put("/b", whole(tar_gz({**FILES, "domains/hire/policy.md": b"- Anything goes.\n"})))
    (record,) = fetch(what, is_fresh=True).kept

    assert (folder_of("hire") / "policy.md").read_bytes() == b"- Anything goes.\n"
    assert record.files["policy.md"].held_to == ""
    assert fetch(what).kept == (record,)


def test_two_fetches_at_a_time_do_not_meet(files: Files) -> None:
    with locked(), pytest.raises(FetchError, match="another fetch is at work in this folder"):
        fetch(wanted(files.put("/b", whole(tar_gz()))))


def test_a_cache_that_cannot_be_made_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BENCH_AUDIT_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(FetchError, match="the folder can't be made"):
        fetch(wanted("https://archives.example/b"))


def test_a_record_that_cannot_be_read_is_one_line(files: Files) -> None:
    what = wanted(files.put("/b", whole(tar_gz())))
    fetch(what)
    folder_of("hire").with_name("hire.json").write_text("{")
    with pytest.raises(
        FetchError, match=r"hire\.json: this record of an earlier fetch can't be read\. Remove the file"
    ):
        fetch(what)


def test_a_folder_is_imported_like_an_archive(tmp_path: Path) -> None:
    (record, other) = fetch(wanted(), imports=(unpacked(tmp_path / "set"),)).kept

    assert (set(record.files), other.name) == (HIRE, "boats/repair")
    assert (folder_of("hire") / "LICENSE").read_bytes() == FILES["LICENSE"]


def test_an_import_asks_no_network(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "download"
    path.write_bytes(zipped())
    fetch(wanted(files.put("/b", whole(tar_gz()))), imports=(path,), mirrors=("http://127.0.0.1:9/",))

    assert files.asked == []
    assert path.exists()


def test_several_imports_give_what_the_others_lack(tmp_path: Path) -> None:
    policy = FILES["domains/hire/policy.md"]
    hire = {"sha256": {"policy.md": sha256(policy)}}
    first = unpacked(tmp_path / "a", {**FILES, "domains/hire/policy.md": b"- Old.\n"})
    second = tmp_path / "b.tar"
    second.write_bytes(tar_gz({"domains/hire/policy.md": policy}, mode="w:"))
    (record,) = fetch(wanted(only=("hire",), hire=hire), imports=(first, second)).kept

    assert record.origins == (str(first), str(second))
    assert (folder_of("hire") / "policy.md").read_bytes() == policy


@pytest.mark.parametrize("name", ["tasks.json", "policy.md"])
def test_a_link_in_an_imported_folder_is_not_followed(tmp_path: Path, name: str) -> None:
    folder = unpacked(tmp_path / "set")
    (tmp_path / "elsewhere").write_text("[]")
    (folder / "domains/hire" / name).unlink()
    (folder / "domains/hire" / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FetchError, match=f"{name} is a link or a device, not a file"):
        fetch(wanted(only=("hire",)), imports=(folder,))


def test_an_import_that_is_not_there_or_holds_nothing_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="is neither a folder nor a file"):
        fetch(wanted(), imports=(tmp_path / "absent",))
    (tmp_path / "empty").mkdir()
    with pytest.raises(FetchError, match=r"none of its files is there\. Give a clone or an archive of https://example"):
        fetch(wanted(), imports=(tmp_path / "empty",))


def test_tasks_that_are_another_set_s_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = sha256(FILES["domains/hire/tasks.json"])
    other = manifest(hire={"sha256": {"tasks.json": tasks}})
    monkeypatch.setattr("audit.sources.staging.read_manifests", lambda: {"ships": other})
    with pytest.raises(FetchError, match="these are the tasks of ships/hire, not of boats/hire"):
        fetch(wanted(only=("hire",)), imports=(unpacked(tmp_path / "set"),))


def package(content: bytes) -> Package:
    return Package(name="Boat_Data", version="1", filename="boat_data-1.whl", sha256=sha256(content), n_bytes=9)


def listed(url: str, sha: str | None = None) -> dict[str, Any]:
    return {"files": [{"filename": "boat_data-1.whl", "url": url, "hashes": {"sha256": sha} if sha else {}}]}


def index_page(page: object) -> Response:
    return Response(page, headers={"content-type": "application/vnd.pypi.simple.v1+json; charset=utf-8"})


def test_a_wheel_is_found_in_the_index_and_vouches_for_its_files(files: Files) -> None:
    wheel = zipped(top="boats")
    files.put("/simple/boat-data/", lambda request: index_page(listed("../../files/boat_data-1.whl")))
    files.put("/files/boat_data-1.whl", whole(wheel))
    what = wanted(f"{files.server.url}/absent", packages=(package(wheel),))
    (record, _) = fetch(what, index=f"{files.server.url}/simple").kept

    assert files.paths == ["/absent", "/simple/boat-data/", "/files/boat_data-1.whl"]
    assert record.is_package
    assert {file.held_to for file in record.files.values()} == {"package"}


def test_an_index_in_html_is_read_too(files: Files) -> None:
    wheel = zipped(top="boats")
    link = f'<a href="boat_data-1.whl#sha256={sha256(wheel)}">boat_data-1.whl</a> <a>no link</a> <br>'
    files.put("/simple/boat-data/", lambda request: Response(link, headers={"content-type": "text/html"}))
    files.put("/simple/boat-data/boat_data-1.whl", whole(wheel))
    fetch(wanted(packages=(package(wheel),)), ways=(WHEEL,), index=f"{files.server.url}/simple/")

    assert cached_names() == ["boats/hire", "boats/repair"]


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ({"files": []}, r"knows no boat_data-1\.whl"),
        (listed("x", "0" * 64), r"has another boat_data-1\.whl than the pinned one \(SHA-256 0000"),
        ({"files": 7}, "its list of files can't be read"),
    ],
)
def test_an_index_that_has_not_the_wheel_is_one_line(files: Files, page: dict[str, Any], complaint: str) -> None:
    files.put("/simple/boat-data/", lambda request: index_page(page))
    with pytest.raises(FetchError, match=complaint):
        fetch(wanted("https://a.example/", packages=(package(b""),)), ways=(WHEEL,), index=f"{files.server.url}/simple")


def test_a_page_of_an_index_that_is_cut_or_endless_is_one_line(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audit.sources.download._MAX_PAGE_BYTES", 1000)
    what = wanted("https://a.example/", packages=(package(b""),))
    files.put("/simple/boat-data/", cut(bytes(100), after=10))
    with pytest.raises(FetchError, match="was cut"):
        fetch(what, ways=(WHEEL,), index=f"{files.server.url}/simple")
    files.put("/simple/boat-data/", whole(bytes(2000)))
    with pytest.raises(FetchError, match="is endless"):
        fetch(what, ways=(WHEEL,), index=f"{files.server.url}/simple")


def test_another_wheel_under_its_name_is_refused(files: Files) -> None:
    url = files.put("/boat_data-1.whl", whole(zipped(top="other")))
    with pytest.raises(FetchError, match=r"is not the boat_data-1\.whl that is known: its SHA-256 is another"):
        fetch(wanted("https://a.example/", packages=(package(b""),)), mirrors=(url,), ways=())


def test_a_known_wheel_that_is_imported_vouches_for_its_files(tmp_path: Path) -> None:
    path = tmp_path / "renamed.zip"
    path.write_bytes(zipped(top="boats"))
    (record, _) = fetch(wanted(packages=(package(path.read_bytes()),)), imports=(path,)).kept

    assert record.is_package


def test_a_record_of_a_wheel_is_not_held_against_the_set_s_own_archive(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "boats.whl"
    path.write_bytes(zipped({**FILES, "domains/hire/policy.md": b"- As packed.\n"}))
    what = wanted(files.put("/b", whole(tar_gz())), packages=(package(path.read_bytes()),), only=("hire",))
    fetch(what, imports=(path,))
    remove(folder_of("hire"))

    assert fetch(what, ways=(ARCHIVE,)).kept[0].files["policy.md"].held_to == ""


def test_sets_and_domains_are_chosen_by_name() -> None:
    chosen = choose_sets(["tau3/retail", "tau1", "tau3/airline", "tau3/retail"])

    assert [(each.set_name, each.domains) for each in chosen] == [
        ("tau3", ("retail", "airline")),
        ("tau1", ("airline", "retail")),
    ]
    assert all(url.startswith("https://") for each in chosen for url in each.fetching.archives)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("tau3/airlin", r"no set of this name can be fetched\. Did you mean tau3/airline or"),
        ("zzz", r"no set of this name can be fetched\. Known: intellagent, .*tau3"),
        ("sample/library", "ships with bench-audit"),
    ],
)
def test_a_name_that_cannot_be_fetched_is_one_line(name: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        choose_sets([name])


def test_a_file_of_an_archive_that_is_too_large_is_refused(files: Files) -> None:
    with pytest.raises(FetchError, match="unpacks to more than 0 MB"):
        fetch(wanted(files.put("/b", whole(tar_gz()))), limits=Limits(file_bytes=5))


KILLED = """
import sys
from tests.sources.sets import wanted
from audit.sources.download import Patience
from audit.sources.fetching import FetchOptions, fetch_set
fetch_set(wanted(sys.argv[1]), FetchOptions(patience=Patience()), on_progress=lambda *_: None)
"""


def test_a_fetch_that_is_killed_leaves_a_part_that_the_next_one_goes_on_with(files: Files) -> None:
    content = tar_gz()
    url = files.put("/b", lambda request: Response(content, headers={"etag": '"v1"'}, drip_s=0.02))
    repo = Path(__file__).resolve().parents[2]
    process = subprocess.Popen([sys.executable, "-c", KILLED, url], cwd=repo, env=os.environ.copy())
    part: list[Path] = []
    for _ in range(3000):
        part = [path for path in (cache_root() / "downloads").glob("*.part") if path.stat().st_size > 20]
        if part or process.poll() is not None:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert part, "nothing had come when the process was to be killed"
    assert cached_names() == []

    size = part[0].stat().st_size
    files.put("/b", ranged(content))
    fetch(wanted(url))
    assert files.asked[-1][1]["range"] == f"bytes={size}-"
    assert cached_names() == ["boats/hire", "boats/repair"]


def test_what_a_killed_fetch_was_unpacking_is_cleared_away(files: Files) -> None:
    left = cache_root() / "staging" / "abc" / "hire"
    left.mkdir(parents=True)
    fetch(wanted(files.put("/b", whole(tar_gz()))))

    assert not left.exists()


def test_records_without_their_folder_are_not_listed(files: Files) -> None:
    fetch(wanted(files.put("/b", whole(tar_gz()))))
    remove(folder_of("repair"))

    assert cached_names() == ["boats/hire"]
    assert isinstance(read_record(folder_of("repair")), Record)
