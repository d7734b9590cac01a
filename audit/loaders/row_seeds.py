"""Where the search for a task's rows starts: rows and persons that its text names, and what belongs to persons."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from audit.databases.tables import Index, Ref, first_word, name_words
from audit.loaders.database_view import View

_WORD = re.compile(r"\w+")
_PHONE = re.compile(r"\+?\(?\d[\d\s().-]{5,}\d")


def find_seeds(view: View, text: str, *, said: Sequence[str]) -> list[Ref]:
    """Return the rows at which the search starts: those that a text names, and the task's own.

    Parameters
    ----------
    said
        The text's :func:`audit.databases.words.tokens`.
    """
    own, base = view.indexes
    odd = [key for index in (own, base) if index.odd_keys for key in _odd_keys(index, text)]
    known = [key for key in (*said, *odd) if key in own.by_key or key in base.by_key]
    named = [ref for key in known for ref in view.refs(key)]
    if not any(table in view.people for table, _ in named):
        named = [*_people(view, said, text), *named]
    return list(dict.fromkeys([*named, *_full_names(view, text), *view.patch.index.rows]))


def _odd_keys(index: Index, text: str) -> list[str]:
    """Return the keys of several words that a text says, in the order of the tables."""
    words = {"", *_WORD.findall(text)} & index.odd_keys.keys()
    return [key for _, key in sorted(placed for word in words for placed in index.odd_keys[word]) if _says(text, key)]


def _says(text: str, key: str) -> bool:
    return key in text and re.search(rf"(?<!\w){re.escape(key)}(?!\w)", text) is not None


def _people(view: View, said: Sequence[str], text: str) -> Iterator[Ref]:
    """Yield those whom the text names by e-mail or phone number; if none, by first and last name with postal code."""
    keys = [word.lower() for word in said]
    by_mail = [ref for index in view.indexes for key in keys if (ref := index.by_mail.get(key))]
    phones = _PHONE.findall(text) if any(index.by_phone for index in view.indexes) else []
    numbers = ["".join(sign for sign in match if sign.isdigit()) for match in phones]
    by_phone = [ref for index in view.indexes for number in numbers for ref in index.by_phone.get(number, ())]
    yield from (*by_mail, *by_phone)
    if by_mail or by_phone:
        return
    words = name_words(text)
    for index in view.indexes:
        for code in said:
            yield from (ref for name, ref in index.by_zip.get(code, ()) if name <= words)


def _full_names(view: View, text: str) -> Iterator[Ref]:
    """Yield those whose full name, of which there is but one, stands in the text as the database writes it."""
    own, base = (index.by_name for index in view.indexes)
    if not own and not base:
        return
    low = " ".join(text.lower().split())
    words = {"", *_WORD.findall(low)}
    for name in dict.fromkeys(name for name in (*own, *base) if first_word(name) in words):
        refs = {*own.get(name, ()), *base.get(name, ())}
        if len(refs) == 1 and _says(low, name):
            yield from refs


def find_belongings(view: View, seeds: Sequence[Ref], *, visited: Iterable[Ref]) -> list[Ref]:
    """Return the rows that name a person, those that name one of these, and so on.

    The persons are those at which the search started; where it started at none, those that it came to.
    """
    people = view.people
    waiting = deque([ref for ref in seeds if ref[0] in people] or [ref for ref in visited if ref[0] in people])
    found = dict.fromkeys(waiting)
    while waiting:
        key = waiting.popleft()[1]
        for ref in view.base.named_by.get(key, ()):
            if ref not in found and ref[0] not in people and ref in view.refs(ref[1]):
                found[ref] = None
                waiting.append(ref)
    return list(found)
