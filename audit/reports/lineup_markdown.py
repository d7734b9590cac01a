"""A lineup as Markdown for a pull request. What comes from files stands in code spans, where it means nothing."""

from __future__ import annotations

from collections.abc import Iterator

from audit.records.comparison import Comparison
from audit.records.lineup import Lineup
from audit.reports import numbers
from audit.reports.comparison_words import describe, finding_groups
from audit.reports.findings_markdown import code
from audit.reports.lineup_text import N_FINDINGS
from audit.reports.lineup_words import (
    change_line,
    headline,
    is_unpaired,
    method_words,
    side_lines,
    side_title,
    title_of,
)
from audit.reports.markdown_limit import fit


def render(lineup: Lineup) -> bytes:
    """Return the text, UTF-8; the same lineup gives the same bytes."""
    text = "".join(f"{line}\n" for line in _lines(lineup))
    return fit(text, more="in what `--format json` writes").encode("utf-8", errors="backslashreplace")


def _lines(lineup: Lineup) -> Iterator[str]:
    yield f"## bench-audit compare: {numbers.plural(len(lineup.sides), 'side')}"
    yield ""
    yield f"**{headline(lineup)}.**"
    yield ""
    for place in range(len(lineup.sides)):
        yield f"- {code(side_title(lineup, place), limit=400)}"
    yield ""
    yield from _scores(lineup)
    for name, comparison in zip(lineup.names, lineup.comparisons, strict=True):
        if comparison is not None:
            yield from _side(f"{name} against {lineup.names[lineup.baseline]}", comparison)
    for note in lineup.notes:
        yield f"- Note: {code(note, limit=600)}"


def _scores(lineup: Lineup) -> Iterator[str]:
    if not lineup.rows:
        return
    yield f"| Score | {' | '.join(lineup.names)} |"
    yield f"|---|{'--:|' * len(lineup.names)}"
    for row in lineup.rows:
        values = [numbers.fixed(None if cell.score is None else cell.score.value, 3) for cell in row.cells]
        title = code(title_of(row), limit=300).replace("|", "\\|")
        yield f"| {title} | {' | '.join(values)} |"
    yield ""
    told = [
        f"- {code(f'{title_of(row)}: {line}', limit=1000)}"
        for row in lineup.rows
        for place in range(len(row.cells))
        if (line := change_line(lineup, row, place=place))
    ]
    if told:
        yield f"<details><summary>Differences from {lineup.names[lineup.baseline]}</summary>"
        yield ""
        yield from told
        yield ""
        if lineup.n_tests:
            yield method_words(lineup)
            yield ""
        yield "</details>"
        yield ""


def _side(title: str, comparison: Comparison) -> Iterator[str]:
    yield f"**{title}**"
    yield ""
    for line in side_lines(comparison):
        yield f"- {code(line, limit=2000)}"
    if comparison.findings is not None and not is_unpaired(comparison):
        for heading, found in finding_groups(comparison.findings):
            yield f"- {heading}"
            for finding in found[:N_FINDINGS]:
                yield f"  - {code(describe(finding), limit=600)}"
            if len(found) > N_FINDINGS:
                yield f"  - … and {numbers.count(len(found) - N_FINDINGS)} more"
    yield ""
