"""The OpenAI SDK alone: the same questions in a bare loop, whose replies nobody reads or keeps.

``python -m scripts.bench.peers.bare_loop QUESTIONS URL CONCURRENCY`` prints how many answers came.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI


def main() -> None:
    """Ask every line of the file."""
    path, url, concurrency = sys.argv[1:]
    questions = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    sys.stdout.write(f"{asyncio.run(_ask(questions, url, int(concurrency)))}\n")


async def _ask(questions: list[dict[str, Any]], url: str, concurrency: int) -> int:
    left = iter(questions)
    async with AsyncOpenAI(base_url=url, api_key="none") as client:
        return sum(await asyncio.gather(*(_work(client, left) for _ in range(concurrency))))


async def _work(client: AsyncOpenAI, left: Iterator[dict[str, Any]]) -> int:
    """Ask one question after the other until none is left."""
    n_answers = 0
    for question in left:
        named: Any = {"name": "verdict", "schema": question["schema"], "strict": True}
        reply = await client.chat.completions.create(
            model="bench",
            messages=[
                {"role": "system", "content": question["prefix"]},
                {"role": "user", "content": question["suffix"]},
            ],
            response_format={"type": "json_schema", "json_schema": named},
            temperature=0.0,
        )
        n_answers += reply.choices[0].message.content is not None
    return n_answers


if __name__ == "__main__":
    main()
