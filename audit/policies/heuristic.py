"""Items proposed without a model: by headings, bullets, sentences and modal verbs. Deterministic, and crude."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.policies.structure import Block, BlockKind, read_blocks, split_sentences
from audit.policies.words import short_title, trim
from audit.records.item_set import Binds, Review, SetItem
from audit.records.policy import ItemKind
from audit.records.verdict import Trust

_FEWEST_WORDS = 3
_LONGEST = 1200
"""Characters of a sentence: a longer one is no rule that anybody could name."""


def _cue(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(alternatives)})\b", re.IGNORECASE)


_NUMBER = r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty)"
_NO = _cue(
    "can ?not|can['’]t|(?:must|may|should|shall|will|do|does|is|are|be)(?:n['’]t| not| never)|never|nobody|no one",
    "not (?:be )?(?:allowed|permitted|possible|eligible|available|refundable|accepted)|no longer|prohibited|forbidden",
    r"refus\w+|den(?:y|ied)|declin\w+|nothing|unable to|neither|gets? no(?:ne)?|without exception",
    r"no (?:other|change|refund\w*|waiver)s?",
)
_LIMIT = _cue(
    f"at most|at least|up to|(?:no|not) (?:more|less|fewer|further|later|earlier) than|(?:more|less) than {_NUMBER}",
    f"within (?:the )?(?:last |next |first )?{_NUMBER}|maximum|minimum|single",
    "only one|only once|once (?:per|a|an)|twice",
    f"{_NUMBER} (?:days?|hours?|hrs|minutes|weeks?|months?|years?|times|percent|dollars|euros|free)",
    f"larger than|smaller than|(?:above|below) {_NUMBER}",
    "(?:two|three|four|five) (?:types|kinds|levels|grounds|reasons)",
    r"must be (?:one of|either)|costs? [$€£]?\d+",
)
_SUM = re.compile(r"[$€£]\s?\d|\b\d[\d.,]*\s?%|\b\d+\.\d\d\b")
_DUTY = _cue("must|should|shall|needs? to|ha(?:s|ve) to|required?s?|is due|owes?|ensure|make sure|always|mandatory")
_ORDER = _cue(r"before|first|afterwards?|prior to|until|confirm\w*|wait for|(?:only )?after")
_LEAVE = _cue(
    "can|may|allowed|permitted|eligible|entitled|only|unless|if and only if|must already|will (?:go|be refunded)"
)
_COMMAND = _cue(
    "do not|don['’]t|never|always|only|ask|verify|confirm|transfer|ensure|make sure|provide|offer|use|obtain",
    "collect|check|refuse|deny|tell|keep|promote|encourage|avoid",
)
_AGENT = re.compile(
    r"\b(?:you|agents?|assistant|representatives?|we|chatbot)\b(?!['’]?r)(?! (?:are|is) being)", re.IGNORECASE
)
_USER = _cue("users?|customers?|members?|clients?|guests?|passengers?|patients?|students?|child(?:ren)?|callers?|they")
_CONDUCT = _cue(
    "tool calls?|function calls?|the api|api does|respond to the user|at the same time|simultaneously|proactively",
    r"remind\w*|polite|friendly|tone|celebrate|encourag\w+|against th(?:is|e) polic\w+|your (?:purpose|role)",
    r"as an? [\w-]+ agent|check (?:its|the|their) status|be cautious|being transferred|each \w+ (?:has|contains)",
    "the current time|time is|current date|tools? (?:does|do) not|before calling",
)
_FACT = _cue("(?:has|have|contains?|includes?|specif(?:y|ies)) (?:a profile|the following|each|attributes)")
_LEAD = re.compile(r"(?:if|when|for)\b|.*\b(?:any|one|either) of\b", re.IGNORECASE | re.DOTALL)
_PARTS = re.compile(r",\s+(?:and\s+)?(?=(?:at most|at least|up to)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence with its place."""

    start: int
    end: int
    text: str


def propose_offline(text: str) -> tuple[SetItem, ...]:
    """Return the sentences of a normalised document that read like rules, as items that nobody reviewed.

    Parameters
    ----------
    text
        The normalised document.

    Returns
    -------
    tuple of SetItem
        In document order, without overlaps. Titles are the rules' own first words. The same text gives the same items.
    """
    found = [each for each in _candidates(text) if _is_rule(each.text)]
    width = max(2, len(str(len(found))))
    return tuple(_item(each, f"P{number:0{width}d}") for number, each in enumerate(found, 1))


def _candidates(text: str) -> Iterator[_Candidate]:
    for span in _whole_lists(text, read_blocks(text)):
        for start, end in _split_parts(text, *span):
            trimmed = trim(text, start, end=end)
            if trimmed is not None and trimmed[1] - trimmed[0] <= _LONGEST:
                yield _Candidate(*trimmed, text[slice(*trimmed)])


def _whole_lists(text: str, blocks: Sequence[Block]) -> Iterator[tuple[int, int]]:
    """Yield sentences; a condition, or a sentence that any one bullet of a list satisfies, is one with the list."""
    number = 0
    while number < len(blocks):
        block, number = blocks[number], number + 1
        if block.kind is BlockKind.HEADING:
            continue
        *sentences, last = split_sentences(text, block.start, end=block.end) or ((block.start, block.end),)
        yield from sentences
        quote = text[slice(*last)]
        if quote.rstrip("*_ ").endswith(":"):
            if not _LEAD.match(quote):
                continue
            end = last[1]
            while number < len(blocks) and _belongs(text, blocks[number], lead=block, end=end):
                end, number = blocks[number].end, number + 1
            last = (last[0], end)
        yield last


def _belongs(text: str, block: Block, *, lead: Block, end: int) -> bool:
    """Tell whether a bullet is one of the list that ``lead`` opens: directly below it, deeper than its own bullet."""
    is_deeper = lead.kind is not BlockKind.BULLET or block.depth > lead.depth
    return block.kind is BlockKind.BULLET and is_deeper and "\n\n" not in text[end : block.start]


def _split_parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a sentence that sets several limits in a row, or the sentence."""
    for match in _PARTS.finditer(text, start, end):
        if _LIMIT.search(text, start, match.start()):
            yield start, match.start()
            start = match.end()
    yield start, end


def _is_rule(text: str) -> bool:
    if len(text.split()) < _FEWEST_WORDS or _FACT.search(text) or text.endswith("?"):
        return False
    return (
        any(cue.search(text) for cue in (_NO, _LIMIT, _SUM, _DUTY, _LEAVE))
        or _COMMAND.match(text.lstrip("*_")) is not None
    )


def _item(found: _Candidate, id: str) -> SetItem:
    binds = _binds(found.text)
    return SetItem(
        id=id,
        title=short_title(found.text),
        kind=_kind(found.text),
        start=found.start,
        end=found.end,
        binds=binds,
        violable=_CONDUCT.search(found.text) is None,
        proposed_by=Trust.OFFLINE.value,
        review=Review.OPEN,
    )


def _kind(text: str) -> ItemKind:
    if _LIMIT.search(text) or _SUM.search(text):
        return ItemKind.LIMIT
    if _NO.search(text):
        return ItemKind.PROHIBITION
    if _ORDER.search(text):
        return ItemKind.PROCEDURE
    return ItemKind.OBLIGATION if _DUTY.search(text) or not _LEAVE.search(text) else ItemKind.PERMISSION


def _binds(text: str) -> Binds:
    """Return whom the first person that is named is; a command without one is the agent's."""
    agent, user = _AGENT.search(text), _USER.search(text)
    if user is not None and (agent is None or user.start() < agent.start()):
        return Binds.AGENT if agent is None and _COMMAND.match(text.lstrip("*_")) else Binds.USER
    return Binds.AGENT if agent is not None or _COMMAND.match(text.lstrip("*_")) else Binds.USER
