"""Fences around untrusted text: what stands inside can neither end the fence nor hide from the reader.

Three things hold together. The brackets of our marks are replaced wherever the material has them; every line of the
material starts with a bar, so that it can't look like one of ours; and a block ends only at the code that it began
with, which is derived from the whole content and does not occur in it.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator

OPEN = "⟦"
CLOSE = "⟧"
_CODE_DIGITS = 16
_PLAIN = re.compile(r"[\n\t\x20-\x7e]*")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_BRACKETS = "⟦⟧〚〛⟬⟭❲❳⁅⁆"
_BLANK_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
_UNSEEN_RANGES = (
    (0x180B, 0x180F),
    (0x2065, 0x2065),
    (0xFDD0, 0xFDEF),
    (0xFE00, 0xFE0F),
    (0xFFF0, 0xFFF8),
    (0xE0000, 0xE0FFF),
)


def _is_escaped(char: str) -> bool:
    if char in "\n\t":
        return False
    code = ord(char)
    return (
        char in _BRACKETS
        or char in _BLANK_LETTERS
        or unicodedata.category(char) in _HIDDEN_CATEGORIES
        or code & 0xFFFE == 0xFFFE
        or any(low <= code <= high for low, high in _UNSEEN_RANGES)
    )


class _Visible(dict[int, str]):
    """A translation table that is filled in as characters turn up."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        shown = f"[U+{code:04X}]" if _is_escaped(char) else char
        self[code] = shown
        return shown


_TABLE = _Visible()


def visible(text: str) -> str:
    r"""Return ``text`` with every unseen character, and every bracket of our marks, as its number.

    Unseen are controls (line feed and tab excepted), direction marks, zero-width and tag characters, variation
    selectors, blank letters, private and lone-surrogate characters, and every line break other than a line feed.

    Examples
    --------
    >>> visible("pay\u202e 5 \u27e6END")
    'pay[U+202E] 5 [U+27E6]END'
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    return text if _PLAIN.fullmatch(text) else text.translate(_TABLE)


def visible_line(text: str) -> str:
    r"""Return :func:`visible` ``text`` on one line.

    Examples
    --------
    >>> visible_line("a\nb")
    'a[U+000A]b'
    """
    if text.isascii() and text.isprintable():
        return text
    return visible(text).replace("\n", "[U+000A]").replace("\t", "[U+0009]")


def barred(visible_text: str) -> str:
    r"""Return text that :func:`visible` has been through with a bar before each line, ending in a line feed.

    Examples
    --------
    >>> barred("one\n\ntwo")
    '| one\n|\n| two\n'
    """
    return "".join(f"| {line}\n" if line else "|\n" for line in visible_text.split("\n"))


def label_line(text: str) -> str:
    r"""Return a label of ours as a line; ``text`` may hold untrusted words.

    Examples
    --------
    >>> label_line("1 scenario: Reason")
    '⟦1 scenario: Reason⟧\n'
    """
    return f"{OPEN}{visible_line(text)}{CLOSE}\n"


def _codes(content: str) -> Iterator[str]:
    encoded = content.encode()
    for round_ in itertools.count():
        yield hashlib.sha256(b"%d:" % round_ + encoded).hexdigest()[:_CODE_DIGITS]


def pick_code(content: str, candidates: Iterable[str]) -> str:
    """Return the first of ``candidates`` that does not occur in ``content``.

    Examples
    --------
    >>> pick_code("it says aaaa", ["aaaa", "bbbb"])
    'bbbb'
    """
    return next(code for code in candidates if code not in content)


def borders(name: str, content: str) -> tuple[str, str]:
    """Return the first and the last line of a block.

    Parameters
    ----------
    name
        Our name for the block.
    content
        Everything that will stand between the two lines; it fixes the code.
    """
    code = pick_code(content, _codes(content))
    return label_line(f"BEGIN {name} {code}"), label_line(f"END {name} {code}")
