"""Large files over HTTPS: resumed where they were cut, bounded, and never followed to where they must not lead."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx2

from audit import __version__
from audit.errors import FetchError
from audit.providers.transport import is_loopback

_MAX_REDIRECTS = 5
_PROGRESS = 65_536
"""Bytes that make another try worth while, however often a download is cut."""
_MAX_PAGE_BYTES = 50_000_000
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")
_PERSON = re.compile(r"//[^/?#]*@")
_AGENT = f"bench-audit/{__version__}"
_CHECK = "Check the address, the network and HTTPS_PROXY"

OnProgress = Callable[[str, int, int | None], None]
"""Told of a download's label, the bytes that are there, and how many it has, if the server says so."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long and how much a download may take.

    Parameters
    ----------
    timeout_s
        Without a byte.
    slow_s, slow_bytes
        A download that brings less than ``slow_bytes`` in ``slow_s`` seconds is given up.
    n_tries
        Times in a row that a cut download is taken up again without much to show for it.
    most_bytes
        Of one download.
    """

    timeout_s: float = 30.0
    slow_s: float = 60.0
    slow_bytes: int = 60_000
    n_tries: int = 4
    most_bytes: int = 2_000_000_000


class _CutError(Exception):
    """A connection that ended early; what came is kept."""


@dataclass(frozen=True, slots=True)
class _Partial:
    """A download under way: the file, and beside it what the server said of it."""

    path: Path

    @property
    def _notes(self) -> Path:
        return self.path.with_suffix(".json")

    @property
    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def read_tag(self) -> str | None:
        try:
            found = json.loads(self._notes.read_bytes())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, str) else None

    def write_tag(self, headers: Mapping[str, str]) -> None:
        strong = [headers[name] for name in ("etag", "last-modified") if name in headers]
        tags = [tag for tag in strong if not tag.startswith("W/")]
        self._notes.write_text(json.dumps(tags[0] if tags else None))

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
        self._notes.unlink(missing_ok=True)


def download(url: str, folder: Path, *, patience: Patience, on_progress: OnProgress) -> Path:
    """Return the path of a file fetched from ``url``.

    Parameters
    ----------
    folder
        Where it is kept, under a name made from its address, also while it is not whole. A cut download is gone on
        with, in this call and in later ones.

    Raises
    ------
    FetchError
        If it can't be had.
    """
    partial = _Partial(_path_of(url, folder))
    whole = partial.path.with_suffix(".whole")
    if whole.exists():
        return whole
    n_in_vain, best = 0, partial.size
    while True:
        try:
            _continue(url, partial, patience=patience, on_progress=on_progress)
        except _CutError as error:
            n_in_vain = 0 if partial.size >= best + _PROGRESS else n_in_vain + 1
            best = max(best, partial.size)
            if n_in_vain >= patience.n_tries:
                mend = "Run the same command again: it goes on where it was cut"
                raise FetchError(f"is cut again and again ({error})", where=shown(url), mend=mend) from error
            time.sleep(min(0.1 * 2**n_in_vain, patience.timeout_s))
        else:
            partial.path.replace(whole)
            partial.remove()
            return whole


def is_begun(url: str, folder: Path) -> bool:
    """Return whether some of a download is there from an earlier call."""
    path = _path_of(url, folder)
    return path.exists() or path.with_suffix(".whole").exists()


def _path_of(url: str, folder: Path) -> Path:
    return folder / f"{hashlib.sha256(url.encode()).hexdigest()[:24]}.part"


def discard(path: Path) -> None:
    """Forget a download, finished or not."""
    for suffix in (".whole", ".part", ".json"):
        path.with_suffix(suffix).unlink(missing_ok=True)


def read_page(url: str, *, accept: str, patience: Patience) -> tuple[str, bytes]:
    """Return the media type and body of a small page.

    Raises
    ------
    FetchError
        If it can't be had.
    """
    try:
        with _opened(url, {"accept": accept}, patience) as response:
            _need_success(response, url)
            body = bytearray()
            for block in response.iter_bytes():
                body += block
                if len(body) > _MAX_PAGE_BYTES:
                    raise FetchError("is endless", where=shown(url), mend="Check the address")
            kind = response.headers.get("content-type", "")
            return kind.partition(";")[0].strip(), bytes(body)
    except _CutError as error:
        raise FetchError(f"was cut ({error})", where=shown(url), mend=_CHECK) from error


def shown(url: str) -> str:
    """Return an address without name and password.

    Examples
    --------
    >>> shown("https://me:secret@host.example/simple/")
    'https://host.example/simple/'
    """
    return _PERSON.sub("//", url)


def _continue(url: str, partial: _Partial, *, patience: Patience, on_progress: OnProgress) -> None:
    """Fetch what is missing of a download."""
    headers = {"accept-encoding": "identity"}
    size, tag = partial.size, partial.read_tag()
    if size:
        headers["range"] = f"bytes={size}-"
        if tag is not None:
            headers["if-range"] = tag
    with _opened(url, headers, patience) as response:
        if response.status_code == 416 and size:
            partial.remove()
            raise _CutError("what was there already is of no use any more")
        _need_success(response, url)
        start, total = _place_in(response, size, url)
        if not start:
            partial.write_tag(response.headers)
        if total is not None and total > patience.most_bytes:
            raise _too_large(url, patience)
        with partial.path.open("ab" if start else "wb", buffering=0) as file:
            for n_bytes, block in _blocks(response, start, patience):
                if n_bytes > patience.most_bytes:
                    raise _too_large(url, patience)
                file.write(block)
                on_progress(shown(url), n_bytes, total)


def _place_in(response: httpx2.Response, size: int, url: str) -> tuple[int, int | None]:
    """Return the byte at which an answer begins, and the size of the whole."""
    if response.status_code != 206:
        length = response.headers.get("content-length", "")
        return 0, int(length) if length.isdigit() else None
    told = response.headers.get("content-range", "")
    found = _RANGE.fullmatch(told.strip())
    if found is None or int(found[1]) != size:
        mend = "Get it in another way, and give it with --from"
        raise FetchError(f"answers with another part than it was asked for ({told!r})", where=shown(url), mend=mend)
    return size, int(found[2]) if found[2] != "*" else None


def _blocks(response: httpx2.Response, start: int, patience: Patience) -> Iterator[tuple[int, bytes]]:
    """Yield how many bytes there are with each block; give up where they hardly come."""
    n_bytes, since, at = start, time.monotonic(), start
    for block in response.iter_raw():
        n_bytes += len(block)
        yield n_bytes, block
        if time.monotonic() - since >= patience.slow_s:
            if n_bytes - at < patience.slow_bytes:
                raise _CutError(f"{n_bytes - at:,} bytes in {patience.slow_s:g} seconds")
            since, at = time.monotonic(), n_bytes


@contextmanager
def _opened(url: str, headers: Mapping[str, str], patience: Patience) -> Iterator[httpx2.Response]:
    """Yield the answer to a request, redirects followed; no address is asked that must not be."""
    timeout = httpx2.Timeout(patience.timeout_s, connect=min(10.0, patience.timeout_s))
    _check_address(url, before=url)
    try:
        # Proxies of the environment don't reach this machine.
        with httpx2.Client(timeout=timeout, trust_env=not is_loopback(url), follow_redirects=False) as client:
            for _ in range(_MAX_REDIRECTS + 1):
                with client.stream("GET", url, headers={"user-agent": _AGENT, **headers}) as response:
                    if not response.has_redirect_location:
                        yield response
                        return
                    target = urljoin(url, response.headers["location"])
                _check_address(target, before=url)
                url = target
    except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, ValueError) as error:
        raise _explain(error, url) from error
    except OSError as error:
        raise FetchError(
            f"can't be kept ({error.strerror or error})", where=shown(url), mend="Free some room"
        ) from error
    mend = "Get it in another way, and give it with --from"
    raise FetchError(f"redirects more than {_MAX_REDIRECTS} times", where=shown(url), mend=mend)


def _explain(error: Exception, url: str) -> Exception:
    if isinstance(error, httpx2.RemoteProtocolError | httpx2.ReadError | httpx2.ReadTimeout):
        return _CutError(str(error) or "no more bytes came")
    return FetchError(f"can't be reached ({error or type(error).__name__})", where=shown(url), mend=_CHECK)


def _check_address(url: str, *, before: str) -> None:
    try:
        parts = urlsplit(url)
        is_local = parts.scheme == "http" and is_loopback(url) and is_loopback(before)
        is_good = bool(parts.hostname) and (parts.scheme == "https" or is_local)
    except ValueError:
        is_good = False
    if not is_good:
        what = "leads to" if url != before else "is"
        mend = "Give an https address"
        raise FetchError(f"{what} {shown(url)!r}, which is not https", where=shown(before), mend=mend)


def _need_success(response: httpx2.Response, url: str) -> None:
    if response.status_code not in (200, 206):
        said = f"answers {response.status_code} {response.reason_phrase}".rstrip()
        raise FetchError(said, where=shown(url), mend=_CHECK)


def _too_large(url: str, patience: Patience) -> FetchError:
    what = f"is larger than {patience.most_bytes / 1e6:,.0f} MB"
    return FetchError(what, where=shown(url), mend="Allow more with --max-mb")
