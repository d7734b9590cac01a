"""Pieces of a page as a tree, so that one description of them becomes HTML or, packed, what a script builds."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from markupsafe import Markup, escape

from audit.reports.plain import Plain

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


@dataclass(frozen=True, slots=True)
class Node:
    """One element; its children are elements and texts, which may be untrusted."""

    tag: str
    attributes: Mapping[str, str]
    children: tuple[Node | str, ...]


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
    named = {"class": cls, **{name.replace("_", "-"): value for name, value in attributes.items()}}
    kept = {name: value for name, value in named.items() if value or name == "open"}
    if tag not in TAGS or kept.keys() - ATTRIBUTES or not kept.get("href", "#").startswith("#"):
        raise ValueError(f"a page can't hold <{tag} {kept}>")
    return Node(tag, kept, tuple(_flat(children)))


def _flat(children: Iterable[Child | Iterable[Child]]) -> Iterable[Node | str]:
    for child in children:
        if isinstance(child, Node | str):
            yield child
        elif child is not None:
            yield from _flat(child)


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


def to_tree(node: Node | str) -> Plain:
    """Return the tree as plain values: a text, or ``[tag, attributes, child, …]``.

    Examples
    --------
    >>> to_tree(el("p", "a", el("q", "b", cls="u")))
    ['p', {}, 'a', ['q', {'class': 'u'}, 'b']]
    """
    if isinstance(node, str):
        return node
    return [node.tag, dict(node.attributes), *(to_tree(child) for child in node.children)]
