"""Policy documents with their items marked."""

from __future__ import annotations

from audit.prompts.fence import CLOSE, OPEN, visible
from audit.records.policy import Policy


def annotate(policy: Policy) -> str:
    """Return the policy's text with ``⟦id⟧`` and ``⟦/id⟧`` around each item.

    Marks that the document itself contains are shown as character numbers, so that every mark is ours.

    Examples
    --------
    >>> from audit.records.policy import ItemKind, PolicyItem
    >>> item = PolicyItem("A01", "No pets", ItemKind.PROHIBITION, 0, 8)
    >>> annotate(Policy("p", "No pets. Ask for the id.", "", (item,)))
    '⟦A01⟧No pets.⟦/A01⟧ Ask for the id.'
    """
    pieces, position = [], 0
    for item in sorted(policy.items, key=lambda item: item.start):
        pieces.append(visible(policy.text[position : item.start]))
        pieces.append(f"{OPEN}{item.id}{CLOSE}{visible(policy.quote(item))}{OPEN}/{item.id}{CLOSE}")
        position = item.end
    pieces.append(visible(policy.text[position:]))
    return "".join(pieces)
