"""Numbers and dates as texts write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

NUMBER_WORDS: dict[str, float] = {
    **dict.fromkeys(("no", "none", "any", "zero"), 0.0),
    **dict.fromkeys(("a", "an", "another", "single", "once", "one", "extra"), 1.0),
    **dict.fromkeys(("both", "couple", "pair", "twice", "two", "second", "double"), 2.0),
    **{"three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0, "eight": 8.0, "nine": 9.0, "ten": 10.0},
    **{"third": 3.0, "triple": 3.0, "half": 0.5, "eleven": 11.0, "twelve": 12.0, "dozen": 12.0, "thirteen": 13.0},
    **{"fourteen": 14.0, "fifteen": 15.0, "sixteen": 16.0, "seventeen": 17.0, "eighteen": 18.0, "nineteen": 19.0},
    "twenty": 20.0,
}
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?(?!\w)|(?<![\w.])\.\d+(?!\w)")
_LOOSE = re.compile(r"\d+")
_LETTERS = re.compile(r"[a-z]+")
_MAX_DIGITS = 18
"""Longer runs of digits are no numbers that anybody counts with."""
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS)
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_DAY, _YEAR = r"(\d{1,2})(?:st|nd|rd|th)?", r"\b(?:,?\s+(\d{4}))?"
_MONTH_DAY = re.compile(rf"\b(?=[adfjmnos])({_MONTH})\.?\s+{_DAY}{_YEAR}", re.IGNORECASE)
_DAY_MONTH = re.compile(rf"\b{_DAY}\s+(?:of\s+)?({_MONTH}){_YEAR}", re.IGNORECASE)


def numbers_in(text: str) -> set[float]:
    """Return the numbers that a text writes, in digits and in words; every run of digits counts too.

    Examples
    --------
    >>> sorted(numbers_in("two bags for $1,250.50 on RM302"))
    [1.0, 2.0, 50.0, 250.0, 302.0, 1250.5]
    """
    words = set(_LETTERS.findall(text.lower()))
    found = {NUMBER_WORDS[word] for word in words & NUMBER_WORDS.keys()}
    plain = [match.replace(",", "") for match in (*_NUMBER.findall(text), *_LOOSE.findall(text))]
    return found | {float(digits) for digits in plain if len(digits) <= _MAX_DIGITS}


def amounts_in(text: str) -> list[float]:
    """Return the numbers that stand alone in a text, as amounts do: not those inside ids, dates or words.

    Examples
    --------
    >>> amounts_in("pay $1,250.50 for W42 by 2027-04-20"), amounts_in("3.50.")
    ([1250.5], [3.5])
    """
    bare = _ISO.sub(" ", text)
    return [float(match.replace(",", "")) for match in _NUMBER.findall(bare) if len(match) <= _MAX_DIGITS]


def dates_in(text: str, *, year: int | None = None) -> Iterator[tuple[str, date | None]]:
    """Yield the dates that a text writes, and ``None`` for a day that does not exist.

    Parameters
    ----------
    text
        Any text; dates are found as 2027-04-20, April 20 and 20 April, with or without a year.
    year
        Of dates that are written without one; these are left out if it is not given.

    Examples
    --------
    >>> list(dates_in("from 2027-02-30 to May 3rd", year=2027))
    [('2027-02-30', None), ('May 3rd', datetime.date(2027, 5, 3))]
    """
    for match in _ISO.finditer(text):
        yield match[0], _day(int(match[1]), int(match[2]), int(match[3]))
    for match in _MONTH_DAY.finditer(text):
        yield from _written(match[0], (match[3], match[1], match[2]), year)
    for match in _DAY_MONTH.finditer(text):
        yield from _written(match[0], (match[3], match[2], match[1]), year)


def _written(text: str, parts: tuple[str | None, str, str], year: int | None) -> Iterator[tuple[str, date | None]]:
    written, month, day = parts
    number = int(written) if written else year
    if number is not None and int(day) > 0:
        position = next(place for place, name in enumerate(_MONTHS, 1) if name.startswith(month.lower()[:3]))
        yield text, _day(number, position, int(day))


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def number_of(value: object) -> float | None:
    """Return a JSON number as a float, and ``None`` for anything else, bools included."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None
