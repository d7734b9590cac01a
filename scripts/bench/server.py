"""A judge's server for measurements: OpenAI chat completions after a fixed time, in a process of its own.

``python -m scripts.bench.server --latency 0.2 --jitter 0.05 --faults 0.01`` prints its URL and serves until it ends.
It also answers ``GET /count`` with the number of completions that it gave.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from dataclasses import dataclass

SCORE = {"reasons": ["The flights fit.", "The fee is as the policy says.", "Nothing is invented."], "score": 7}
ITEMS = {"requests": ["A loan is to be extended."], "violations": []}


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


class Connection(asyncio.Protocol):
    """One connection, which answers one request after the other."""

    def __init__(self, manner: Manner, counts: dict[str, int]) -> None:
        self._manner = manner
        self._counts = counts
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self._random = random.Random(0)  # noqa: S311  # no secret

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
            self._answer(head, body)

    def _answer(self, head: bytes, body: bytes) -> None:
        if head.startswith(b"get /count"):
            self._write(200, json.dumps(self._counts).encode())
            return
        delay = self._manner.latency_s + self._random.random() * self._manner.jitter_s
        if self._random.random() < self._manner.faults:
            self._counts["faults"] += 1
            answer = (500, b'{"error": {"message": "It failed.", "type": "server_error"}}')
        else:
            self._counts["completions"] += 1
            answer = (200, complete(body))
        asyncio.get_running_loop().call_later(delay, self._write, *answer)

    def _write(self, status: int, body: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            head = f"HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
            self._transport.write(head.encode() + body)


def complete(request: bytes) -> bytes:
    """Return a completion that fits the request's schema, as far as its bytes tell."""
    verdict = ITEMS if b'"violations"' in request else SCORE
    n_tokens = len(request) // 4
    body = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "bench-2026-01-01",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": json.dumps(verdict), "refusal": None},
                "finish_reason": "stop",
            }
        ],
        "usage": {
            "prompt_tokens": n_tokens,
            "completion_tokens": 60,
            "total_tokens": n_tokens + 60,
            "prompt_tokens_details": {"cached_tokens": n_tokens // 2},
        },
    }
    return json.dumps(body).encode()


async def serve(manner: Manner, port: int) -> None:
    """Serve until the process ends."""
    counts = {"completions": 0, "faults": 0}
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(manner, counts), "127.0.0.1", port)
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
