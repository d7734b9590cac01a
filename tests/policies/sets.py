"""Item sets and documents for tests."""

from __future__ import annotations

import hashlib

from audit.loaders.policy import make_policy
from audit.policies.heuristic import propose_offline
from audit.records.item_set import ItemSet, Review, SetItem
from audit.records.policy import ItemKind, Policy

BOATS = """# Boats

The kiosk rents boats. A client can rent at most two boats, at most three oars, and one life vest for each person.

- Never rent in a storm.
- The client must show a card. Cash is not accepted.

## Returns

Boats must be back by 18:00. If a boat is late, the agent must charge 5 dollars an hour.
"""


def document(text: str = BOATS) -> Policy:
    return make_policy(text, name="boats", file="boats.md")


def item(text: str, quote: str, id: str = "P01", **fields: object) -> SetItem:
    start = text.index(quote)
    made: dict[str, object] = {"title": quote[:40], "kind": ItemKind.LIMIT, "review": Review.OPEN}
    return SetItem(id=id, start=start, end=start + len(quote), **(made | fields))  # type: ignore[arg-type]


def item_set(text: str, *items: SetItem, **fields: object) -> ItemSet:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return ItemSet("my/boats", digest, items, **fields)  # type: ignore[arg-type]


def proposed(text: str, **fields: object) -> ItemSet:
    return item_set(text, *propose_offline(text), **fields)


def quotes(found: ItemSet, text: str) -> list[str]:
    return [text[each.start : each.end] for each in found.items]
