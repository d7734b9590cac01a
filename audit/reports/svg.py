"""matplotlib figures as small inline SVG that takes its colours from the page's style sheet."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET  # noqa: S405  # reads only what matplotlib wrote
from collections.abc import Iterator
from contextlib import contextmanager

import matplotlib as mpl
from markupsafe import Markup, escape
from matplotlib.figure import Figure

INKS = {
    "#0a0001": "ink",
    "#0a0002": "muted",
    "#0a0003": "line",
    "#0a0004": "low",
    "#0a0005": "middle",
    "#0a0006": "high",
    "#0a0011": "series-1",
    "#0a0012": "series-2",
    "#0a0013": "series-3",
    "#0a0014": "series-4",
    "#0a0015": "series-5",
    "#0a0016": "series-6",
}
"""Colour that a figure is drawn in to the style sheet's class that replaces it (``f-`` for fill, ``s-`` for stroke)."""
COLOUR = {name: colour for colour, name in INKS.items()}

_METADATA = {"Date": None, "Creator": None, "Format": None, "Type": None}
_KEPT_STYLES = ("fill", "stroke", "stroke-width", "stroke-dasharray", "text-anchor", "opacity", "fill-opacity")
_KEPT_ATTRIBUTES = ("d", "x", "y", "transform", "width", "height", "viewBox", "id", "clip-path", "href")
_LONG_DECIMALS = re.compile(r"(\d+\.\d{2})\d+")
_NO_TURN = re.compile(r"^rotate\(-?0 ")
_REFERENCE = re.compile(r"url\(#(?P<id>[^)]+)\)")


@contextmanager
def drawing() -> Iterator[None]:
    """Set matplotlib up the same way on every machine, whatever the user's own settings are; restored afterwards."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams["svg.hashsalt"] = "bench-audit"
        mpl.rcParams["svg.fonttype"] = "none"
        mpl.rcParams["font.family"] = "DejaVu Sans"
        mpl.rcParams["path.simplify"] = False
        yield


def inline_svg(figure: Figure, *, name: str, title: str, description: str) -> Markup:
    """Return ``figure`` as an SVG element for an HTML page.

    Parameters
    ----------
    figure
        Drawn in the colours of ``COLOUR`` inside :func:`drawing`; its text is our own only.
    name
        Prefix of every id inside, unique in the page and made of letters, digits and hyphens.
    title, description
        What a screen reader says; may be untrusted.
    """
    stream = io.BytesIO()
    figure.savefig(stream, format="svg", metadata=_METADATA)
    root = ET.fromstring(stream.getvalue())  # noqa: S314  # matplotlib's own output
    body = "".join(_element(child, name) for child in root if _tag(child) != "metadata")
    view_box = _short(root.attrib["viewBox"])
    return Markup(  # noqa: S704  # every part is a number, a fixed word or escaped
        f'<svg class="chart" role="img" viewBox="{view_box}" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(description)}</desc>{body}</svg>'
    )


def _tag(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _element(element: ET.Element, name: str) -> str:
    tag = _tag(element)
    inner = "".join(_element(child, name) for child in element)
    text = str(escape(element.text)) if tag == "text" and element.text else ""
    if tag == "style" or (tag in {"g", "defs"} and not inner):
        return ""
    attributes = _attributes(element, name)
    if tag == "g" and not attributes:
        return inner
    return f"<{tag}{attributes}>{text}{inner}</{tag}>"


def _attributes(element: ET.Element, name: str) -> str:
    found = {key.rpartition("}")[2]: value for key, value in element.attrib.items()}
    styles = dict(pair.split(":", 1) for pair in found.pop("style", "").split(";") if ":" in pair)
    found.update({key.strip(): value.strip() for key, value in styles.items()})
    if _tag(element) in {"g", "svg"}:
        found.pop("id", None)
    classes = []
    for key, prefix in (("fill", "f"), ("stroke", "s")):
        if key in found and found[key].lower() in INKS:
            classes.append(f"{prefix}-{INKS[found.pop(key).lower()]}")
    if "transform" in found and _NO_TURN.match(found["transform"]):
        del found["transform"]
    kept = {key: _value(key, found[key], name) for key in (*_KEPT_ATTRIBUTES, *_KEPT_STYLES) if key in found}
    if classes:
        kept["class"] = " ".join(classes)
    return "".join(f' {key}="{escape(value)}"' for key, value in kept.items())


def _value(key: str, value: str, name: str) -> str:
    if key == "id":
        return f"{name}-{value}"
    if key == "href":
        return f"#{name}-{value.removeprefix('#')}"
    if key == "clip-path":
        return _REFERENCE.sub(rf"url(#{name}-\g<id>)", value)
    return _short(value)


def _short(value: str) -> str:
    return _LONG_DECIMALS.sub(r"\1", value).replace("\n", "").strip()
