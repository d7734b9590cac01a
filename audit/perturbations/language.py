"""English sentences cut and turned into their opposite, as far as word patterns tell."""

from __future__ import annotations

import re
from collections.abc import Callable

_CUT = re.compile(
    r"(?<=[.!?])(?=[\"')\]]*\s+[^a-z\s])|(?<=[。！？])|(?<=[^\s])(?=\n\s*\n)|(?<=[^\s])(?=\n\s*(?:[-*•#]|\d+\.)\s)"
)
_CONTRACTED = re.compile(r"\b(\w+)n['’]t\b")
_LONGER = re.compile(r"\s+(?:any ?more|any longer)\b", re.IGNORECASE)
_WHOLE = {"ca": "can", "wo": "will", "sha": "shall"}
_MODAL = "should|must|will|could|would|may|shall|can|might|need"
_STATE = "is|are|was|were|has|have|had"
_ACTOR = r"(?:the\s+)?(?:agent|assistant|chatbot|bot|system|representative)"

Rewrite = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def pieces(text: str) -> list[str]:
    r"""Cut a text into sentences, paragraphs and points of lists; joined, they are the text again.

    Examples
    --------
    >>> pieces("You want a room. Ask.\nThat is all")
    ['You want a room.', ' Ask.', '\nThat is all']
    """
    return [piece for piece in _CUT.split(text) if piece]


def third(verb: str) -> str:
    """Return a verb as it stands after he, she or it.

    Examples
    --------
    >>> third("cancel"), third("deny"), third("have"), third("pass")
    ('cancels', 'denies', 'has', 'passes')
    """
    known = {"have": "has", "be": "is", "do": "does", "go": "goes"}
    if verb in known:
        return known[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search(r"(s|x|z|ch|sh)$", verb) else f"{verb}s"


def base(verb: str) -> str:
    """Return the plain form of a verb that stands after he, she or it.

    Examples
    --------
    >>> base("cancels"), base("denies"), base("has"), base("passes"), base("waives"), base("process")
    ('cancel', 'deny', 'have', 'pass', 'waive', 'process')
    """
    known = {"has": "have", "is": "be", "does": "do", "goes": "go"}
    if verb in known:
        return known[verb]
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    if re.search(r"(ss|x|z|ch|sh)es$", verb):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


_AGREES = {"refus": "agree", "declin": "agree"}
_GRANTS = {"den": "grant", "refus": "grant", "declin": "accept", "reject": "accept"}
_FORMS = {
    "": "",
    "e": "",
    "y": "",
    "s": "s",
    "es": "s",
    "ies": "s",
    "ed": "ed",
    "ied": "ed",
    "ing": "ing",
    "ying": "ing",
}
"""The end of a verb to the end of another one in the same form."""


def _like(word: str, like: str) -> str:
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


def _swap(table: dict[str, str]) -> Callable[[re.Match[str]], str]:
    """Return a replacement of one verb by another in the same form."""

    def swapped(match: re.Match[str]) -> str:
        new, ending = table[match["stem"].lower()], _FORMS[match["end"].lower()]
        return _like(f"{new}d" if ending == "ed" and new.endswith("e") else f"{new}{ending}", match["stem"])

    return swapped


_TO_POSITIVE: tuple[Rewrite, ...] = (
    (re.compile(r"\b(cannot|can not)\b", re.I), lambda m: _like("can", m[1])),
    (re.compile(rf"\b({_MODAL})\s+not\b", re.I), r"\1"),
    (re.compile(r"\bdoes\s+not\s+(\w+)", re.I), lambda m: third(m[1])),
    (re.compile(r"\b(do|did)\s+not\s+(\w+)", re.I), lambda m: _like(m[2], m[1])),
    (re.compile(rf"\b({_STATE})\s+not\b", re.I), r"\1"),
    (re.compile(r"\b(?P<stem>refus|declin)(?P<end>e|es|ed|ing)(?=\s+to\b)", re.I), _swap(_AGREES)),
    (re.compile(r"\b(?P<stem>refus|declin)(?P<end>e|es|ed|ing)\b", re.I), _swap(_GRANTS)),
    (re.compile(r"\b(?P<stem>den)(?P<end>y|ies|ied|ying)\b", re.I), _swap(_GRANTS)),
    (re.compile(r"\b(?P<stem>reject)(?P<end>|s|ed|ing)\b", re.I), _swap(_GRANTS)),
    (re.compile(r"\b(?:ineligible|not eligible)\b", re.I), "eligible"),
    (re.compile(r"\b(?:unable|not able)\b", re.I), "able"),
    (re.compile(r"\b(?:impossible|not possible)\b", re.I), "possible"),
    (re.compile(r"\b(?:against|not in line with)\s+(?:the\s+)?(policy|rules)\b", re.I), r"in line with the \1"),
    (re.compile(r"\bnot\s+(allowed|permitted)\b", re.I), r"\1"),
    (re.compile(r"\bnever\s+", re.I), ""),
    (re.compile(r"\b(no)\s+(?=[a-z])(?!longer|more\b|later|less)", re.I), lambda m: f"{_like('any', m[1])} "),
    (re.compile(r"\b(nobody|no one)\b", re.I), lambda m: _like("anybody", m[1])),
    (re.compile(r"\b(nothing)\b", re.I), lambda m: _like("anything", m[1])),
    (re.compile(r"^(not)\s+(\w+)", re.I), lambda m: _like(m[2], m[1])),
)  # fmt: skip
_TO_NEGATIVE: tuple[Rewrite, ...] = (
    (re.compile(r"\bcan\b", re.I), lambda m: _like("cannot", m[0])),
    (re.compile(r"\b(should|must|will|could|would|may|shall|might)\b", re.I), r"\1 not"),
    (
        re.compile(rf"^(\W*{_ACTOR}\s+(?:\w+ly\s+)?)(?!is\b|has\b|\w+ly\b)(\w+)", re.I),
        lambda m: f"{m[1]}does not {base(m[2])}",
    ),
    (re.compile(r"\b(is|are|was|were)\b", re.I), r"\1 not"),
)


def say_yes(sentence: str, *, once: bool = False) -> str | None:
    """Return a sentence that forbids or refuses something turned into one that does not; ``None`` if it does neither.

    Parameters
    ----------
    once
        Turn one negation alone, that of the verb if there is one: of a rule, the others say when it holds.

    Examples
    --------
    >>> say_yes("The agent does not waive the fee."), say_yes("Basic fares cannot be changed")
    ('The agent waives the fee.', 'Basic fares can be changed')
    >>> say_yes("Agent refuses to cancel, and never offers a refund."), say_yes("The agent waives the fee.")
    ('Agent agrees to cancel, and offers a refund.', None)
    >>> say_yes("Do not add bags that the user does not need.", once=True)
    'Add bags that the user does not need.'
    """
    text = _spell_out(sentence)
    changed = text
    found = [
        (match.start(), place) for place, (pattern, _) in enumerate(_TO_POSITIVE) if (match := pattern.search(text))
    ]
    first = [_TO_POSITIVE[min(found)[1]]] if found else []
    for pattern, new in first if once else _TO_POSITIVE:
        changed = pattern.sub(new, changed, count=1 if once else 0)
    if changed == text:
        return None
    changed = _LONGER.sub("", changed)
    return re.sub(r"^(\W*)([a-z])", lambda m: m[1] + m[2].upper(), changed) if text[:1].isupper() else changed


def say_no(sentence: str) -> str | None:
    """Return a sentence that states an act turned into one that denies it; ``None`` if there is no verb to deny.

    Examples
    --------
    >>> say_no("The agent waives the fee."), say_no("Agent should cancel B1."), say_no("10")
    ('The agent does not waive the fee.', 'Agent should not cancel B1.', None)
    """
    for pattern, new in _TO_NEGATIVE:
        changed, n = pattern.subn(new, sentence, count=1)
        if n:
            return changed
    return None


def is_negative(sentence: str) -> bool:
    """Return whether a sentence forbids or refuses something."""
    return say_yes(sentence) is not None


def _spell_out(sentence: str) -> str:
    return _CONTRACTED.sub(lambda m: f"{_WHOLE.get(m[1].lower(), m[1])} not", sentence)
