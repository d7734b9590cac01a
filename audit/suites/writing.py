"""A suite's results as text, JSON, CSV, and a folder of pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from audit.records.study import StudyResult
from audit.records.suite import Suite
from audit.reports import study_csv, study_json, study_markdown, study_text, to_json
from audit.reports.plain import Plain, dump
from audit.reports.registry import RENDERERS
from audit.suites.summary import SCORES, Scored

FORMAT = "bench-audit/suite"
FORMAT_VERSION = 1
INDEX = "index.html"
_ODD = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """What a suite's members scored, and what they say side by side."""

    suite: Suite
    scored: tuple[Scored, ...]
    summary: StudyResult

    @property
    def is_complete(self) -> bool:
        """Whether every planned verdict of every member is there."""
        return len(self.scored) == len(self.suite.members) and all(each.result.is_complete for each in self.scored)


def render_text(result: SuiteResult) -> bytes:
    """Return the tables of all members."""
    return study_text.render(result.summary)


def render_json(result: SuiteResult) -> bytes:
    """Return one document: the tables, and every member with its whole run."""
    members: list[Plain] = [
        {
            "name": each.member.name,
            "tier": each.member.tier,
            "domain": each.member.domain,
            "generator": each.member.generator,
            "run": to_json.to_document(each.result),
        }
        for each in result.scored
    ]
    document: dict[str, Plain] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "title": result.summary.title,
        "tiers": list(result.suite.tiers),
        "is_complete": result.is_complete,
        "summary": study_json.to_document(result.summary),
        "members": members,
    }
    return f"{dump(document)}\n".encode()


def render_csv(result: SuiteResult) -> bytes:
    """Return the scores of all members and judges as one table."""
    return study_csv.render(next(table for table in result.summary.tables if table.name == SCORES))


def render_markdown(result: SuiteResult) -> bytes:
    """Return the tables for a pull request."""
    return study_markdown.render(result.summary)


SUITE_FORMATS: Mapping[str, Callable[[SuiteResult], bytes]] = MappingProxyType(
    {"text": render_text, "json": render_json, "csv": render_csv, "markdown": render_markdown}
)
"""Format name, as ``--format`` takes it, to its renderer."""


def render_pages(result: SuiteResult) -> dict[str, bytes]:
    """Return the report of every member and the page of the tables, which leads to them, by file name."""
    from audit.reports import study_html  # noqa: PLC0415  # matplotlib takes half a second

    members = [each.member.name for each in result.scored]
    pages = dict(zip(members, page_names(members), strict=True))
    reports = {pages[each.member.name]: RENDERERS["html"].render(each.result) for each in result.scored}
    return {INDEX: study_html.render(result.summary, pages=pages), **reports}


def page_names(names: Sequence[str]) -> list[str]:
    """Return a file name for each name; those that come out alike are numbered.

    Examples
    --------
    >>> page_names(["tau3/airline", "GPT 5.4", "gpt-5.4", "\u00e4"])
    ['tau3-airline.html', 'gpt-5-4.html', 'gpt-5-4-2.html', 'benchmark.html']
    """
    made: dict[str, None] = {}
    for name in names:
        stem = _ODD.sub("-", name.lower()).strip("-")[-60:].strip("-") or "benchmark"
        number, found = 1, stem
        while f"{found}.html" in made or f"{found}.html" == INDEX:
            number += 1
            found = f"{stem}-{number}"
        made[f"{found}.html"] = None
    return list(made)
