"""Pieces of a page as a tree, so that one description of them becomes HTML or, packed, what a script builds."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias, cast

from markupsafe import Markup, escape

Child: TypeAlias = "Node | str | None"

TAGS = frozenset(
    [
        "article",
        "section",
        "header",
        "div",
        "p",
        "span",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "h3",
        "h4",
        "h5",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "details",
        "summary",
        "blockquote",
        "pre",
        "code",
        "mark",
        "small",
        "strong",
        "a",
        "q",
    ]
)
"""What a tree may hold; reports/js/build.js knows the same."""
ATTRIBUTES = frozenset(
    {"class", "id", "href", "dir", "title", "role", "tabindex", "scope", "open", "aria-label", "aria-hidden"}
)


class Node(tuple[Any, ...]):
    """One element: its tag, its attributes, then its children, elements and texts, which may be untrusted.

    As JSON it is what a script builds the element from.
    """

    __slots__ = ()

    @property
    def tag(self) -> str:
        """Its name, one of :data:`TAGS`."""
        return cast("str", self[0])

    @property
    def attributes(self) -> Mapping[str, str]:
        """Names, of :data:`ATTRIBUTES`, and values."""
        return cast("Mapping[str, str]", self[1])

    @property
    def children(self) -> tuple[Node | str, ...]:
        """Elements and texts."""
        return tuple(self[2:])


_ELEMENT_OR_TEXT: Final = (Node, str)


def el(tag: str, *children: Child | Iterable[Child], cls: str = "", **attributes: str) -> Node:
    """Return an element.

    Parameters
    ----------
    tag
        One of :data:`TAGS`.
    children
        Elements, texts, or lists of them; ``None`` is left out.
    cls, attributes
        ``aria_label`` stands for ``aria-label``; empty ones are left out, but for ``open``.

    Raises
    ------
    ValueError
        If the tag, an attribute or the target of a link is none that a tree may hold.

    Examples
    --------
    >>> to_html(el("p", "a < b", None, [el("small", "c")], cls="u"))
    Markup('<p class="u">a &lt; b<small>c</small></p>')
    """
    kept = {"class": cls} if cls else {}
    for name, value in attributes.items():
        if value or name == "open":
            kept[name.replace("_", "-")] = value
    if tag not in TAGS or not ATTRIBUTES.issuperset(kept) or not kept.get("href", "#").startswith("#"):
        raise ValueError(f"a page can't hold <{tag} {kept}>")
    parts: list[object] = [tag, kept]
    _flatten(children, parts)
    return Node(parts)


def _flatten(children: Iterable[Child | Iterable[Child]], flat: list[object]) -> None:
    for child in children:
        if isinstance(child, _ELEMENT_OR_TEXT):
            flat.append(child)
        elif child is not None:
            _flatten(child, flat)


def to_html(node: Node | str) -> Markup:
    """Return the tree as HTML with every text escaped."""
    return Markup("".join(_html(node)))  # noqa: S704  # tags and attribute names are ours, the rest is escaped


def _html(node: Node | str) -> Iterable[str]:
    if isinstance(node, str):
        yield html.escape(node, quote=False)  # in a text, unlike in an attribute, quotes end nothing
        return
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in node.attributes.items())
    yield f"<{node.tag}{attributes}>"
    for child in node.children:
        yield from _html(child)
    yield f"</{node.tag}>"
