"""A judge's server for measurements: OpenAI's completions and responses after a fixed time, in a process of its own.

``python -m scripts.bench.server --latency 0.2 --jitter 0.05 --faults 0.01`` prints its URL and serves until it ends.
It also answers ``GET /count`` with what it did so far. What it answers fits the request's model: ``letter-grade`` gets
a letter, ``pass-grade`` a pass or fail as JSON, and every other one a verdict on a task of the sample.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
import zlib
from dataclasses import asdict, dataclass

REASONS = ["The loan is as the desk holds it.", "The fee is as the policy says.", "Nothing is invented."]
ITEM_IDS = [f"L{number:02d}" for number in range(1, 33)]
"""Of the sample's policy."""
LETTER_MODEL, PASS_MODEL = "letter-grade", "pass-grade"


@dataclass(frozen=True, slots=True)
class Manner:
    """How the server behaves.

    Parameters
    ----------
    latency_s, jitter_s
        Time before an answer, and how far it may be longer, drawn at random.
    faults
        Share of requests that are answered with a status of 500.
    """

    latency_s: float = 0.2
    jitter_s: float = 0.0
    faults: float = 0.0


@dataclass(slots=True)
class Counts:
    """What the server did so far, by its own clock."""

    completions: int = 0
    faults: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    first_request_s: float | None = None
    last_answer_s: float = 0.0
    cpu_s: float = 0.0


class Desk:
    """Decides when and what every connection answers, and counts."""

    def __init__(self, manner: Manner) -> None:
        self.manner = manner
        self.counts = Counts()
        self._random = random.Random(0)  # noqa: S311  # no secret

    def take(self, head: bytes, body: bytes) -> tuple[float, int, bytes]:
        """Return after how long to answer, with which status, and what."""
        counts = self.counts
        counts.in_flight += 1
        counts.most_in_flight = max(counts.most_in_flight, counts.in_flight)
        if counts.first_request_s is None:
            counts.first_request_s = time.monotonic()
        delay = self.manner.latency_s + self._random.random() * self.manner.jitter_s
        if self._random.random() < self.manner.faults:
            return delay, 500, b'{"error": {"message": "It failed.", "type": "server_error"}}'
        return delay, 200, answer(body, is_response=b"/responses " in head)

    def note(self, status: int) -> None:
        """Count an answer that was sent."""
        self.counts.in_flight -= 1
        self.counts.last_answer_s = time.monotonic()
        if status == 200:
            self.counts.completions += 1
        else:
            self.counts.faults += 1

    def tell(self) -> bytes:
        """Return what was counted, as JSON."""
        self.counts.cpu_s = time.process_time()
        return json.dumps(asdict(self.counts)).encode()


class Connection(asyncio.Protocol):
    """One connection, which answers one request after the other."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer each request when it is whole."""
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = bytes(self._buffer[:end]).lower()
            length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0] or 0)
            if len(self._buffer) < end + 4 + length:
                return
            body = bytes(self._buffer[end + 4 : end + 4 + length])
            del self._buffer[: end + 4 + length]
            self._take(head, body)

    def _take(self, head: bytes, body: bytes) -> None:
        if head.startswith(b"get "):
            self._write(200, self._desk.tell())
        else:
            delay, status, content = self._desk.take(head, body)
            asyncio.get_running_loop().call_later(delay, self._give, status, content)

    def _give(self, status: int, content: bytes) -> None:
        self._desk.note(status)
        self._write(status, content)

    def _write(self, status: int, body: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            head = f"HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
            self._transport.write(head.encode() + body)


def answer(request: bytes, *, is_response: bool) -> bytes:
    """Return a response or completion that fits the request, as far as its bytes tell; the same one each time."""
    text, n_tokens = _text(request), len(request) // 4
    body = _response(text, n_tokens) if is_response else _completion(text, n_tokens)
    return json.dumps(body).encode()


def _text(request: bytes) -> str:
    drawn = zlib.crc32(request)
    if LETTER_MODEL.encode() in request:
        return f"{' '.join(REASONS)}\n\nGRADE: {'CI'[drawn % 2]}"
    if PASS_MODEL.encode() in request:
        return json.dumps({"reason": " ".join(REASONS), "pass": bool(drawn % 2), "score": drawn % 2})
    if b'"violations"' in request:
        violations = [{"reason": REASONS[1], "item": ITEM_IDS[(drawn >> 8 * n) % 32]} for n in range(drawn % 4)]
        return json.dumps({"requests": ["A loan is to be extended."], "violations": violations})
    return json.dumps({"reasons": REASONS, "score": 1 + drawn % 10})


def _completion(text: str, n_tokens: int) -> dict[str, object]:
    message = {"role": "assistant", "content": text, "refusal": None}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "bench-2026-01-01",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": n_tokens,
            "completion_tokens": 60,
            "total_tokens": n_tokens + 60,
            "prompt_tokens_details": {"cached_tokens": n_tokens // 2},
        },
    }


def _response(text: str, n_tokens: int) -> dict[str, object]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {
        "id": "r1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "bench-2026-01-01",
        "output": [{"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": content}],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": n_tokens,
            "input_tokens_details": {"cached_tokens": n_tokens // 2},
            "output_tokens": 60,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": n_tokens + 60,
        },
    }


async def serve(manner: Manner, port: int) -> None:
    """Serve until the process ends."""
    desk = Desk(manner)
    server = await asyncio.get_running_loop().create_server(lambda: Connection(desk), "127.0.0.1", port)
    sys.stdout.write(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1\n")
    sys.stdout.flush()
    await server.serve_forever()


def main() -> None:
    """Read the flags and serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds before each answer")
    parser.add_argument("--jitter", type=float, default=0.0, help="seconds more, at most, drawn at random")
    parser.add_argument("--faults", type=float, default=0.0, help="share of requests that fail with status 500")
    flags = parser.parse_args()
    asyncio.run(serve(Manner(flags.latency, flags.jitter, flags.faults), flags.port))


if __name__ == "__main__":
    main()
