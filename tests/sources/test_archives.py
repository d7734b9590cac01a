from __future__ import annotations

import gzip
import io
import shutil
import struct
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.errors import FetchError
from audit.sources.archives import Limits, read_entries, telling
from audit.sources.cache import cache_root
from audit.sources.download import Patience
from audit.sources.fetching import FetchOptions, fetch_set
from tests.sources.sets import FILES, TOP, names_in, tar_gz, wanted, zipped

POLICY = f"{TOP}/domains/hire/policy.md"
SMALL = Limits(file_bytes=100_000, unpacked_bytes=1_000_000, n_entries=50, ratio=20, free_bytes=100_000)
HOSTILE = [
    "../evil",
    "/etc/evil",
    f"{TOP}/../../evil",
    "C:\\evil",
    "c:evil",
    "\\\\host\\share\\evil",
    "a\\..\\evil",
    "a/..",
]


def tar(*members: tuple[tarfile.TarInfo, bytes], mode: str = "w") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]  # the mode as a text
        for header, content in members:
            header.size = len(content)
            archive.addfile(header, io.BytesIO(content))
    return buffer.getvalue()


def member(name: str, *, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    header = tarfile.TarInfo(name)
    header.type, header.linkname = kind, target
    return header


def sound(*left_out: str) -> list[tuple[tarfile.TarInfo, bytes]]:
    return [(member(f"{TOP}/{name}"), content) for name, content in FILES.items() if f"{TOP}/{name}" not in left_out]


def zip_of(*members: tuple[str | zipfile.ZipInfo, bytes], **how: Any) -> bytes:  # noqa: ANN401
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", **how) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def sound_zip(*left_out: str) -> list[tuple[str | zipfile.ZipInfo, bytes]]:
    return [(f"{TOP}/{name}", content) for name, content in FILES.items() if f"{TOP}/{name}" not in left_out]


def zip_link(name: str, target: str) -> tuple[zipfile.ZipInfo, bytes]:
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o120777 << 16
    return info, target.encode()


def fetch(tmp_path: Path, content: bytes, *, limits: Limits = SMALL) -> None:
    """Import an archive from a folder of its own; whatever comes, nothing may be written but into the cache."""
    path = tmp_path / "there" / "archive"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    options = FetchOptions(imports=(path,), limits=limits, patience=Patience(n_tries=1))
    before = names_in(tmp_path) - names_in_cache(tmp_path)
    try:
        fetch_set(wanted(), options, on_progress=lambda *_: None)
    finally:
        assert names_in(tmp_path) - names_in_cache(tmp_path) == before
        assert all(path.is_file() or path.is_dir() for path in cache_root().rglob("*"))
        assert not [path for path in cache_root().rglob("*") if path.is_symlink()]


def names_in_cache(tmp_path: Path) -> set[str]:
    return {f"cache/{name}" for name in names_in(tmp_path / "cache")}


def test_a_sound_archive_passes_the_small_limits(tmp_path: Path) -> None:
    fetch(tmp_path, tar(*sound()))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_leads_out_of_its_folder_refuses_the_whole_archive(tmp_path: Path, name: str) -> None:
    for content in (tar((member(name), b"x"), *sound()), zip_of((name, b"x"), *sound_zip())):
        with pytest.raises(FetchError, match="holds a name that leads out of its folder"):
            fetch(tmp_path, content)


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        (tarfile.SYMTYPE, "/etc/passwd"),
        (tarfile.SYMTYPE, "../../../../there/archive"),
        (tarfile.LNKTYPE, f"{TOP}/domains/hire/db.json"),
        (tarfile.LNKTYPE, "/etc/passwd"),
        (tarfile.CHRTYPE, ""),
        (tarfile.BLKTYPE, ""),
        (tarfile.FIFOTYPE, ""),
    ],
)
def test_a_link_or_device_in_a_file_s_place_is_refused(tmp_path: Path, kind: bytes, target: str) -> None:
    with pytest.raises(FetchError, match=r"policy\.md is a link or a device, not a file"):
        fetch(tmp_path, tar((member(POLICY, kind=kind, target=target), b""), *sound(POLICY)))


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=r"policy\.md is a link or a device, not a file"):
        fetch(tmp_path, zip_of(zip_link(POLICY, "/etc/passwd"), *sound_zip(POLICY)))


def test_links_that_nobody_needs_are_left_where_they_are(tmp_path: Path) -> None:
    link = member(f"{TOP}/latest", kind=tarfile.SYMTYPE, target="/etc")
    below = member(f"{TOP}/latest/passwd")
    fetch(tmp_path, tar((link, b""), (below, b"x"), *sound()))
    assert not list(cache_root().rglob("passwd"))


def test_a_folder_that_is_a_link_does_not_lead_a_file_elsewhere(tmp_path: Path) -> None:
    link = member(f"{TOP}/domains/hire", kind=tarfile.SYMTYPE, target=str(tmp_path))
    fetch(tmp_path, tar((link, b""), *sound()))
    assert not (tmp_path / "policy.md").exists()


def test_a_sparse_file_is_refused(tmp_path: Path) -> None:
    content = bytearray(tar((member(POLICY), b"x"), *sound(POLICY)))
    content[156:157] = tarfile.GNUTYPE_SPARSE
    content[148:156] = b"        "
    content[148:156] = b"%06o\0 " % sum(content[:512])
    with pytest.raises(FetchError, match=r"is a link or a device|damaged"):
        fetch(tmp_path, bytes(content))


@pytest.mark.parametrize(
    "again", [POLICY, POLICY.replace("policy", "Policy"), f"{TOP}/data/tau2/domains/hire/policy.md"]
)
def test_a_file_that_is_there_twice_is_refused(tmp_path: Path, again: str) -> None:
    first = (member(POLICY), b"- One.\n")
    if "Policy" in again:  # no pattern of this set takes such a name but that of a whole folder
        more = [(member(f"{TOP}/domains/repair/prompts/{name}.md"), b"x") for name in ("a", "A")]
        content = tar(*sound(), *more)
    else:
        content = tar(first, (member(again), b"- Two.\n"), *sound(POLICY))
    with pytest.raises(FetchError, match="twice"):
        fetch(tmp_path, content)


def test_names_that_differ_only_in_how_their_letters_are_composed_are_the_same(tmp_path: Path) -> None:
    more = [(member(f"{TOP}/domains/repair/prompts/{name}.md"), b"x") for name in ("\u00e9", "e\u0301")]
    with pytest.raises(FetchError, match="twice"):
        fetch(tmp_path, tar(*sound(), *more))


@pytest.mark.parametrize("name", ["con.md", "COM1", "a:b.md", "trailing. ", "tab\t.md", "que?.md", "aux/x.md"])
def test_a_name_that_not_every_system_can_keep_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(FetchError, match="holds a name that not every system can keep"):
        fetch(tmp_path, tar(*sound(), (member(f"{TOP}/domains/repair/prompts/{name}"), b"x")))


def test_a_gzip_bomb_is_given_up_early(tmp_path: Path) -> None:
    bomb = gzip.compress(tar((member("zeros"), bytes(20_000_000))))
    with pytest.raises(FetchError, match=r"unpacks to more than 0 MB, which its size does not explain"):
        fetch(tmp_path, bomb)


def test_a_zip_bomb_is_given_up_early(tmp_path: Path) -> None:
    content = zip_of((POLICY, bytes(20_000_000)), *sound_zip(POLICY), compression=zipfile.ZIP_DEFLATED)
    with pytest.raises(FetchError, match="unpacks to more than 0 MB"):
        fetch(tmp_path, content)


def test_a_file_larger_than_the_limit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="unpacks to more than 0 MB"):
        fetch(tmp_path, tar((member(POLICY), bytes(200_000)), *sound(POLICY)), limits=Limits(file_bytes=100_000))


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="holds more than 50 files"):
        fetch(tmp_path, tar(*((member(f"{TOP}/{n}"), b"") for n in range(60))))


def test_a_name_as_long_as_a_book_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="holds a name of 5,000 characters"):
        fetch(tmp_path, tar((member("n" * 5000), b""), *sound()))
    with pytest.raises(FetchError, match="a header of"):
        fetch(tmp_path, tar((member("n" * 2_000_000), b""), *sound()), limits=Limits())


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "is no archive: it is empty"),
        (b"<!DOCTYPE html>", r"is no archive: it begins with b'<!DOCTYPE html>'"),
        (b"\x1f\x8b", "damaged"),
        (b"PK\x03\x04", "damaged"),
        (b"PK\x05\x06", "damaged"),
        (gzip.compress(b"no tar", mtime=0), "damaged"),
        (b"7z\xbc\xaf\x27\x1c", "is no archive"),
    ],
)
def test_what_is_no_archive_is_one_line(tmp_path: Path, content: bytes, complaint: str) -> None:
    with pytest.raises(FetchError, match=complaint) as caught:
        fetch(tmp_path, content)
    assert "\n" not in str(caught.value)


def test_an_encrypted_zip_is_one_line(tmp_path: Path) -> None:
    content = bytearray(zip_of((POLICY, b"x"), *sound_zip(POLICY)))
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = content.index(signature) + at
        content[place : place + 2] = struct.pack("<H", 1)
    with pytest.raises(FetchError, match="encrypted"):
        fetch(tmp_path, bytes(content))


def test_a_zip_packed_in_an_unknown_way_is_one_line(tmp_path: Path) -> None:
    content = bytearray(zip_of((POLICY, b"x"), *sound_zip(POLICY)))
    for signature, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        place = content.index(signature) + at
        content[place : place + 2] = struct.pack("<H", 97)
    with pytest.raises(FetchError, match="packed in a way that is not known"):
        fetch(tmp_path, bytes(content))


def test_a_wrong_checksum_in_a_zip_is_one_line(tmp_path: Path) -> None:
    content = zip_of((POLICY, b"- No hires at all.\n"), *sound_zip(POLICY))
    with pytest.raises(FetchError, match="damaged"):
        fetch(tmp_path, content.replace(b"- No hires at all.\n", b"- All hires at all\n"))


def test_an_archive_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="can't be read"):
        list(read_entries(tmp_path / "absent"))
    with pytest.raises(FetchError, match=r"can't be read \(odd\)"), telling(tmp_path):
        raise OSError("odd")


EVERYTHING = {
    f"boats@1234567/{name.removeprefix('domains/')}"
    for name in FILES
    if name.startswith("domains") and ".txt" not in name
} | {f"boats@1234567/{domain}{end}" for domain in ("hire", "repair") for end in ("/LICENSE", ".json")}


@pytest.mark.parametrize("make", [tar_gz, zipped, lambda: tar_gz(mode="w:")])
def test_an_archive_cut_anywhere_is_whole_or_an_error(tmp_path: Path, make: Callable[[], bytes]) -> None:
    content = make()
    n_whole = 0
    for size in range(0, len(content), 97):
        with suppress(FetchError):
            fetch(tmp_path, content[:size])
            n_whole += 1
            assert names_in(tmp_path / "cache" / "sets") == EVERYTHING
            shutil.rmtree(tmp_path / "cache")
    assert n_whole < len(content) / 97 / 2


def test_entries_are_read_in_order_with_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for content in (tar_gz(), zipped()):
        path.write_bytes(content)
        found = {}
        for entry in read_entries(path):
            with closing(entry.open()) as file:
                found[entry.name.removeprefix(f"{TOP}/")] = file.read()
        assert found == dict(FILES)


ARCHIVES = [
    tar(*sound()),
    tar_gz(),
    zipped(),
    tar((member(POLICY, kind=tarfile.SYMTYPE, target="/etc/passwd"), b""), *sound(POLICY)),
    zip_of(zip_link(POLICY, "../../x"), *sound_zip(POLICY)),
    tar(*sound(), (member("a" * 300), b"long"), mode="w"),
]
QUIET = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@QUIET
@given(data=st.data())
def test_bytes_changed_anywhere_give_files_or_one_line(tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(data.draw(st.sampled_from(ARCHIVES), label="archive"))
    for _ in range(data.draw(st.integers(1, 8), label="changes")):
        at = data.draw(st.integers(0, len(content) - 1))
        put = data.draw(
            st.one_of(st.binary(min_size=1, max_size=12), st.sampled_from([b"../", b"/", b"\0", b"7" * 11]))
        )
        content[at : at + len(put)] = put
    try:
        fetch(tmp_path, bytes(content))
    except FetchError as error:
        said = str(error)
        assert "\n" not in said  # noqa: PT017  # either outcome is good


NAMES = st.one_of(
    st.sampled_from(
        [*HOSTILE, POLICY, f"{TOP}/domains/repair/tasks/../../../x.json", f"{TOP}/domains/repair/prompts/.."]
    ),
    st.text(min_size=1, max_size=30).map(lambda text: f"{TOP}/domains/repair/prompts/{text}"),
    st.text(min_size=1, max_size=60),
)


@QUIET
@given(
    names=st.lists(NAMES, min_size=1, max_size=6),
    kind=st.sampled_from([tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.DIRTYPE]),
)
def test_whatever_names_an_archive_holds_nothing_is_written_elsewhere(
    tmp_path: Path, names: list[str], kind: bytes
) -> None:
    names = [name for name in names if name.encode(errors="ignore").decode() == name]
    try:
        fetch(tmp_path, tar(*((member(name, kind=kind, target="/etc"), b"") for name in names), *sound()))
    except FetchError as error:
        said = str(error)
        assert "\n" not in said  # noqa: PT017  # either outcome is good


@QUIET
@given(names=st.lists(NAMES, min_size=1, max_size=6))
def test_whatever_names_a_zip_holds_nothing_is_written_elsewhere(tmp_path: Path, names: list[str]) -> None:
    names = list(dict.fromkeys(name for name in names if name.encode(errors="ignore").decode() == name))
    names = [name for name in names if name not in {f"{TOP}/{each}" for each in FILES}]
    try:
        fetch(tmp_path, zip_of(*((name, b"x") for name in names), *sound_zip()))
    except FetchError as error:
        said = str(error)
        assert "\n" not in said  # noqa: PT017  # either outcome is good
