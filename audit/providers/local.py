"""A model in a GGUF file on this machine, served by llama.cpp (the ``local`` extra) for as long as the run lasts."""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import json
import os
import secrets
import subprocess
import sys
import threading
import time
from pathlib import Path

from audit.errors import UsageError
from audit.providers.capabilities import Capabilities, ModelFacts
from audit.providers.endpoint import Endpoint
from audit.providers.openai import OpenAIWire
from audit.providers.sdk import SdkProvider, Target
from audit.providers.spec import JudgeSpec
from audit.providers.wire import Wire
from audit.records.mode import Mode
from audit.records.prompt import Prompt, Reply
from audit.records.verdict import Trust

LOCAL = "local"
"""The endpoint's name; the model's own name tells one file from another."""
_FACTS = ModelFacts("", max_output_tokens=1024)
"""A small model that loses its thread goes on until it is stopped."""
_MAX_CONTEXT = 32_768
_LOAD_S = 900.0
_MAGIC = b"GGUF"


class LocalProvider:
    """One model file, asked one question at a time, so that each finds the policy of the last in the model's cache.

    Parameters
    ----------
    spec
        A judge of the vendor ``local``, whose model is the file's path.
    timeout_s
        For a whole call, its turn not counted.

    Raises
    ------
    UsageError
        If there is no such file, it is no GGUF, or the extra is not installed.
    """

    endpoint = LOCAL
    trust = Trust.MODEL
    mode = Mode.PROMPTS

    def __init__(self, spec: JudgeSpec, *, timeout_s: float) -> None:
        self._path = Path(spec.model).expanduser()
        self._where = f"judge {spec.name}"
        digest = _digest(self._path, where=self._where)
        if importlib.util.find_spec("xllamacpp") is None:
            mend = "Run pip install 'bench-audit[local]', or name a server's model: openai:MODEL@URL"
            raise UsageError("a model's file needs xllamacpp, which is not installed", where=self._where, mend=mend)
        self.model = f"{self._path.name}@sha256:{digest[:16]}"
        self.capabilities = Capabilities(is_settled=True)
        named = JudgeSpec(spec.vendor, self.model, None, spec.name)
        target = Target(named, Endpoint(LOCAL, LOCAL, is_own=False), _FACTS, timeout_s, ())
        self._inner = SdkProvider(target, self._serve, capabilities=self.capabilities)
        self.parameters = self._inner.parameters
        self._timeout_s = timeout_s
        self._process: subprocess.Popen[str] | None = None
        self._failure: UsageError | None = None
        self._turn = asyncio.Lock()

    async def complete(self, prompt: Prompt, *, trial: int) -> Reply:
        """Ask once, when the questions before it are answered."""
        async with self._turn:
            return await self._inner.complete(prompt, trial=trial)

    def prepare(self) -> None:
        """Start the server and wait until the model is loaded."""
        if self._failure is not None:
            raise self._failure
        self._inner.prepare()

    async def aclose(self) -> None:
        """Close the connections and end the server."""
        await self._inner.aclose()
        if self._process is not None:
            _end(self._process)

    def _serve(self) -> Wire:
        key, started = secrets.token_urlsafe(24), time.monotonic()
        self._process = process = subprocess.Popen(
            [sys.executable, "-m", "audit.providers.local_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # Ctrl-C lets the call in flight end
        )
        address = _start(process, {"path": str(self._path.resolve()), "alias": self.model, "key": key})
        if not address:
            _end(process)
            is_late = time.monotonic() - started >= _LOAD_S
            what = f"llama.cpp has not loaded it within {_LOAD_S:.0f} s" if is_late else "llama.cpp can't load it"
            mend = "Check that the file is whole, that it is a chat model, and that it fits into the memory"
            self._failure = UsageError(what, where=self._where, mend=mend)
            raise self._failure
        return OpenAIWire(Endpoint(LOCAL, f"{address}/v1", key, is_own=False), timeout_s=self._timeout_s)


def local_note(judge: str, provider: object) -> str:
    """Return what a reader has to know of a judge whose model is a file here; empty for other judges."""
    if not isinstance(provider, LocalProvider):
        return ""
    return f"{judge} is a model file on this machine ({provider.model}): bench-audit certify tells how far to trust it."


def _digest(path: Path, *, where: str) -> str:
    if path.exists() and not (path.is_file() or path.is_dir()):  # opening a pipe waits for who writes to it
        raise UsageError(f"{path} is a pipe or a device", where=where, mend="Name a model's .gguf file")
    try:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise UsageError("the file is no GGUF", where=where, mend="Name a model's .gguf file")
            file.seek(0)
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        what = f"{path} can't be read: {error.strerror}"
        raise UsageError(what, where=where, mend="Write local:PATH with the path of a .gguf file") from error


def _start(process: subprocess.Popen[str], order: dict[str, object]) -> str:
    """Return the server's address; empty if it has none to give."""
    assert process.stdin is not None
    assert process.stdout is not None
    n_threads = max(1, (os.cpu_count() or 2) // 2)  # llama.cpp stands still where its threads must wait for others
    alarm = threading.Timer(_LOAD_S, process.kill)
    alarm.start()
    try:
        process.stdin.write(json.dumps({**order, "n_threads": n_threads, "n_context": _MAX_CONTEXT}) + "\n")
        process.stdin.flush()
        return process.stdout.readline().strip()
    except BrokenPipeError:
        return ""
    finally:
        alarm.cancel()


def _end(process: subprocess.Popen[str]) -> None:
    """End the server, which heeds its input's end; kill it if it does not."""
    try:
        process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
