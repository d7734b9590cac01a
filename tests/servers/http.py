"""A small HTTP server on the loopback, in a thread of its own."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Request:
    """A request as it came in."""

    method: str
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        body = json.loads(self.raw)
        assert isinstance(body, dict)
        return body

    @property
    def vendor(self) -> str:
        """Whose protocol it speaks, by its path."""
        if self.path == "/v1/chat/completions":
            return "openai"
        if self.is_decisions:
            return "openai" if isinstance(self.body["questions"], list) else "google"
        if self.path == "/v1/messages":
            return "anthropic"
        return "google" if self.path.startswith("/v1/models/") and self.path.endswith(":generateContent") else ""

    @property
    def is_decisions(self) -> bool:
        """Whether it is for a decisions endpoint; both vendors' have the same path."""
        return self.path == "/v1/decisions"

    @property
    def model(self) -> str:
        if self.is_decisions:
            return str(self.body["model"]).removeprefix("models/")
        if self.vendor == "google":
            return self.path.rpartition("/")[2].partition(":")[0]
        return str(self.body["model"])

    @property
    def system(self) -> str:
        """The prompt's prefix."""
        if self.is_decisions:
            return self._input[0]
        if self.vendor == "openai":
            return str(self.body["messages"][0]["content"])
        if self.vendor == "anthropic":
            return "".join(block["text"] for block in self.body["system"])
        return "".join(part["text"] for part in self.body["systemInstruction"]["parts"])

    @property
    def _input(self) -> list[str]:
        """What the questions are about, the prefix first."""
        return [str(part["content" if self.vendor == "openai" else "text"]) for part in self.body["input"]]

    @property
    def turns(self) -> list[tuple[str, str]]:
        """Role (``user`` or ``assistant``) and text of what follows the system's part."""
        if self.vendor == "google":
            roles = {"user": "user", "model": "assistant"}
            return [(roles[turn["role"]], turn["parts"][0]["text"]) for turn in self.body["contents"]]
        messages = [message for message in self.body["messages"] if message["role"] != "system"]
        return [(message["role"], message["content"]) for message in messages]

    @property
    def user(self) -> str:
        """The first user turn: the task."""
        if self.is_decisions:
            return self._input[1]
        return self.turns[0][1]

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON Schema that the reply must fit, where the request has one."""
        if self.vendor == "openai":
            found = self.body.get("response_format", {}).get("json_schema", {}).get("schema")
        elif self.vendor == "anthropic":
            found = self.body.get("output_config", {}).get("format", {}).get("schema")
        else:
            found = self.body.get("generationConfig", {}).get("responseJsonSchema")
        assert found is None or isinstance(found, dict)
        return found


@dataclass(frozen=True)
class Response:
    """What goes back: bytes, a JSON value, or a connection that breaks."""

    body: Any = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    cut_after: int | None = None
    """Bytes of the whole answer after which the connection is cut; 0 answers nothing."""
    drip_s: float = 0.0
    """Pause after each byte."""
    raw: bytes | None = None
    """The whole answer, instead of all that."""

    def encode(self) -> bytes:
        if self.raw is not None:
            return self.raw
        body = self.body if isinstance(self.body, bytes) else self._text().encode()
        kind = "application/json" if not isinstance(self.body, bytes) else "text/plain"
        headers = {"content-type": kind, "content-length": str(len(body))} | dict(self.headers)
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"HTTP/1.1 {self.status} Said\r\n{head}\r\n".encode() + body

    def _text(self) -> str:
        return self.body if isinstance(self.body, str) else json.dumps(self.body)


Handler = Callable[[Request], Response]


class LoopbackServer:
    """Answers every request with a handler; keeps connections open as real servers do."""

    def __init__(self, handler: Handler, *, port: int = 0) -> None:
        self.handler = handler
        self.port = port
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="loopback-server", daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._thread.start()
        assert self._started.wait(10), "the loopback server did not start"

    def stop(self) -> None:
        if self._stop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        tasks: set[asyncio.Task[None]] = set()

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            tasks.add(task)
            try:
                await self._talk(reader, writer)
            finally:
                tasks.discard(task)

        server = await asyncio.start_server(accept, "127.0.0.1", self.port, limit=2**20)
        self.port = server.sockets[0].getsockname()[1]
        self._started.set()
        await self._stop.wait()
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (request := await _read_request(reader)) is not None:
                response = self.handler(request)
                await asyncio.sleep(response.delay_s)
                await _write(writer, response)
                if response.cut_after is not None or response.raw is not None:
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


async def _write(writer: asyncio.StreamWriter, response: Response) -> None:
    answer = response.encode()[: response.cut_after]
    size = 1 if response.drip_s else max(1, len(answer))
    for start in range(0, len(answer), size):
        writer.write(answer[start : start + size])
        await writer.drain()
        await asyncio.sleep(response.drip_s)


async def _read_request(reader: asyncio.StreamReader) -> Request | None:
    line = await reader.readline()
    if not line.strip():
        return None
    method, path, _ = line.decode().split(" ", 2)
    headers = {}
    while (header := (await reader.readline()).decode().strip()) != "":
        name, _, value = header.partition(":")
        headers[name.strip().lower()] = value.strip()
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, path, headers, raw)
