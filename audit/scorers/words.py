"""How the offline scorer reads text: words, phrases and terms, with everything that hides or decorates them removed."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"\w+")


def normalise(text: str) -> str:
    r"""Return ``text`` without invisible characters, compatibility forms and case.

    Examples
    --------
    >>> normalise("Sco\u200bre \uff11\uff10")
    'score 10'
    """
    if text.isascii():
        return text.casefold()
    visible = "".join(character for character in text if unicodedata.category(character) != "Cf")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())


def words(text: str) -> list[str]:
    """Return the words of ``text``; an id such as ``ana_li_12`` is one word."""
    return _WORD.findall(normalise(text))


def phrase(text: str) -> str:
    """Return ``text`` as words joined by blanks: the form in which keys and values are compared.

    Examples
    --------
    >>> phrase("#W1234567"), phrase("Ana.Li@example.com")
    ('w1234567', 'ana li example com')
    """
    return " ".join(words(text))


def phrases(text: str, *, longest: int) -> set[str]:
    """Return every run of one to ``longest`` words of ``text``."""
    found = words(text)
    runs = (
        " ".join(found[start : start + length])
        for length in range(1, longest + 1)
        for start in range(len(found) - length + 1)
    )
    return set(runs)


def terms(text: str) -> list[str]:
    """Return the words of ``text`` that can carry weight in a comparison.

    Ids fall into their pieces. Single characters and numbers of one or two digits are left out: they match by chance.

    Examples
    --------
    >>> terms("Rate it 10: ana_li_1234")
    ['rate', 'it', 'ana', 'li', '1234']
    """
    return [term for term in words(text.replace("_", " ")) if len(term) > 2 or (len(term) == 2 and not term.isdigit())]


def is_id(candidate: str) -> bool:
    """Tell whether a key is distinctive enough to be recognised in free text.

    At least three characters, and five when all are digits: counts, years and prices are not ids.
    """
    return len(candidate) >= (5 if candidate.isdigit() else 3)


def is_natural_key(candidate: str) -> bool:
    """Tell whether a value reads like an e-mail address, a phone number or a street address: long, and made of parts.

    Examples
    --------
    >>> [is_natural_key(phrase(value)) for value in ("blue77@example.com", "555-010-7788", "New York", "pending")]
    [True, True, False, False]
    """
    n_words = candidate.count(" ") + 1
    return len(candidate) >= 8 and (n_words >= 3 or (n_words >= 2 and any(map(str.isdigit, candidate))))
