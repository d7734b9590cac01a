"""A run's verdict as a small SVG for a README."""

from __future__ import annotations

from xml.sax.saxutils import escape

from audit.records.run import RunResult
from audit.records.verdict import Trust
from audit.reports.summary import Level, summarise

WORDS = {
    Level.MEND: "mend before release",
    Level.LOOK: "look closer",
    Level.CLEAR: "nothing found to mend",
    Level.NONE: "no verdict",
}
COLOURS = {Level.MEND: "#a4262c", Level.LOOK: "#8a5a00", Level.CLEAR: "#1f6f43", Level.NONE: "#56616c"}
"""Dark enough for white text on them."""
BASIS = {Trust.OFFLINE: "offline", Trust.SCRIPTED: "scripted"}
NAME = "bench-audit"
_WIDE, _NARROW = "mwMW—", "iljtfrI.,:;!' "


def render(result: RunResult) -> bytes:
    """Return the badge, which says what stands behind the verdict; the same result gives the same bytes."""
    summary = summarise(result)
    return draw(message_of(result), COLOURS[summary.level]).encode()


def message_of(result: RunResult) -> str:
    """Return what the badge says: the verdict, and whether it is offline, scripted or incomplete."""
    summary = summarise(result)
    trusts = {score.trust for score in result.scores if score.value is not None}
    basis = [BASIS[trust] for trust in BASIS if trust in trusts]
    if not trusts:
        basis.append("checks only" if result.checked is not None else "nothing measured")
    basis += _certified(result)
    if not result.is_complete:
        basis.append("incomplete")
    return ", ".join([WORDS[summary.level], *basis])


def _certified(result: RunResult) -> list[str]:
    """Whether all real judges are certified; nothing where nobody looked."""
    real = {score.judge for score in result.scores if score.value is not None and score.trust is Trust.MODEL}
    known = [held.certificate is not None for held in result.certificates if held.judge in real]
    return [] if not known else ["certified judge" if all(known) else "judge not certified"]


def draw(message: str, colour: str) -> str:
    """Return the SVG; ``message`` is ours."""
    left, right = _width(NAME), _width(message)
    whole = left + right
    title = escape(f"{NAME}: {message}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" aria-label="{title}">'
        f'<title>{title}</title><rect width="{whole}" height="20" rx="3" fill="#1a2027"/>'
        f'<path fill="{colour}" d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{right - 3}z"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left / 2:g}" y="14" textLength="{left - 12}">{NAME}</text>'
        f'<text x="{left + right / 2:g}" y="14" textLength="{right - 12}">{escape(message)}</text></g></svg>\n'
    )


def _width(text: str) -> int:
    """Return the width of a box around a text, in pixels of an 11 pixel sans serif."""
    return 12 + round(sum(9.5 if sign in _WIDE else 4.4 if sign in _NARROW else 6.9 for sign in text))
