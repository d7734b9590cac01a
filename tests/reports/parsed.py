"""An HTML page as a reader of it sees it: elements, text and links, from the standard library's parser."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "link", "br", "img", "input", "hr"})


@dataclass
class Element:
    """One element with its attributes, its own children and its text."""

    tag: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    pieces: list[str | Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text inside, as one line."""
        joined = "".join(piece if isinstance(piece, str) else piece.text + " " for piece in self.pieces)
        return " ".join(joined.split())

    @property
    def raw_text(self) -> str:
        return "".join(piece if isinstance(piece, str) else piece.raw_text for piece in self.pieces)

    def all(self, tag: str = "", *, cls: str = "") -> list[Element]:
        """Return the descendants with this tag and class, in document order."""
        found = []
        for child in self.children:
            if tag in {"", child.tag} and (not cls or cls in child.attributes.get("class", "").split()):
                found.append(child)
            found += child.all(tag, cls=cls)
        return found

    def one(self, id_: str) -> Element:
        """Return the only descendant with this id."""
        (found,) = [child for child in self.all() if child.attributes.get("id") == id_]
        return found


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.stack = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice in <{tag}>: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.stack[-1].children.append(element)
        self.stack[-1].pieces.append(element)
        if tag not in VOID:
            self.stack.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack[-1].tag == tag, f"</{tag}> closes <{self.stack[-1].tag}>"
        self.stack.pop()

    def handle_data(self, data: str) -> None:
        self.stack[-1].pieces.append(data)


def parse(page: bytes) -> Element:
    """Parse a page; fails when elements are not nested or an attribute stands twice."""
    parser = _Parser()
    parser.feed(page.decode())
    parser.close()
    assert parser.stack == [parser.root], f"never closed: {[element.tag for element in parser.stack[1:]]}"
    return parser.root
