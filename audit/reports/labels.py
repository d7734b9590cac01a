"""The words that reports use for metrics, states and trust."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from audit.records.mode import Mode, mode_of, name_in_mode, without_mode
from audit.records.run import RunResult
from audit.records.verdict import STATE_WORDS, Trust, VerdictState
from audit.reports.visible import line

_URL = re.compile(r"@https?://.*")
PAPER = "“Benchmarking the Benchmarks”, arXiv 2608.06329"


@dataclass(frozen=True, slots=True)
class MetricLabel:
    """How a metric is named and explained.

    Parameters
    ----------
    title, short
        Full name, and one for narrow columns.
    unit
        What one unit of it is, on its scale.
    criterion
        Criterion of the verdicts that it is measured from.
    asks
        What it answers, in one sentence.
    formula, source
        For the glossary.
    is_share
        Shown as a percentage.
    is_alignment
        Whether low values of a task are a reason to look at it.
    """

    title: str
    short: str
    unit: str
    criterion: str
    asks: str
    formula: str
    source: str
    is_share: bool = False
    is_alignment: bool = False


_COVERAGE = "violation_coverage@"

_LABELS: Mapping[str, MetricLabel] = {
    "desc_alignment": MetricLabel(
        "Description–behavior alignment",
        "Description",
        "1–10, higher is better",
        "desc_alignment",
        "Does the expected behavior answer what the description asks, all of it, nothing else, and invent no fact?",
        "mean over tasks of the judge's score for (description, expected behavior)",
        f"{PAPER}, section 3.1",
        is_alignment=True,
    ),
    "policy_alignment": MetricLabel(
        "Policy–behavior alignment",
        "Policy",
        "1–10, higher is better",
        "policy_alignment",
        "Is every act of the expected behavior allowed by the policy, and no step that the policy demands left out?",
        "mean over tasks of the judge's score for (description, expected behavior, policy)",
        f"{PAPER}, section 3.1",
        is_alignment=True,
    ),
    "violation_count": MetricLabel(
        "Policy violations per task",
        "Violations",
        "policy items per task, more tests the policy harder",
        "policy_violations",
        "How many policy items do a task's requests put to the test by asking for what they forbid?",
        "mean over tasks t of |V(t)|, where V(t) holds the items that the user's requests in t violate",
        f"{PAPER}, section 3.2",
    ),
    "offline_match": MetricLabel(
        "Offline match",
        "Match",
        "0–1, higher is better",
        "offline_match",
        "Do description and expected behavior of a task belong to each other, going by ids, records and words?",
        "mean over tasks of our own heuristic: ids of the behavior that the description reaches through the database, "
        "joined with word similarity contrasted against every other task",
        "ours; no judge and no model behind it",
        is_alignment=True,
    ),
}


def metric_label(metric: str) -> MetricLabel:
    """Return the words for ``metric``; one that is not known goes by its own name.

    Examples
    --------
    >>> metric_label("violation_coverage@2").title
    'Policy violation coverage@2'
    """
    if metric.startswith(_COVERAGE):
        return _coverage_label(metric.removeprefix(_COVERAGE))
    if metric in _LABELS:
        return _LABELS[metric]
    return MetricLabel(line(metric, limit=60), line(metric, limit=24), "", metric, "", "", "")


def _coverage_label(k: str) -> MetricLabel:
    tasks = "one task" if k == "1" else f"{k} tasks"
    return MetricLabel(
        f"Policy violation coverage@{k}",
        f"Coverage@{k}",
        "share of policy items",
        "policy_violations",
        f"Which share of the policy's items do at least {tasks} challenge?",
        "1/N · the number of the policy's N items p that lie in V(t) for at least K tasks t",
        f"{PAPER}, section 3.2, which leaves K open: the report shows 1 to 5",
        is_share=True,
    )


def coverage_k(metric: str) -> int | None:
    """Return the threshold K of a coverage metric, ``None`` for any other metric.

    Examples
    --------
    >>> coverage_k("violation_coverage@3"), coverage_k("desc_alignment")
    (3, None)
    """
    k = metric.removeprefix(_COVERAGE)
    return int(k) if k != metric and k.isdecimal() else None


CRITERION_TITLES: Mapping[str, str] = {
    "desc_alignment": "Description–behavior alignment",
    "policy_alignment": "Policy–behavior alignment",
    "policy_violations": "Policy violations",
    "offline_match": "Offline match",
}
"""Criterion to the name of what it judges."""


def criterion_title(criterion: str) -> str:
    """Return the name of a criterion; one that is not known goes by its own."""
    return CRITERION_TITLES.get(criterion, line(criterion, limit=60))


def state_words(state: str) -> str:
    """Return the words for a verdict state given by its value.

    Examples
    --------
    >>> state_words("timeout")
    'timed out'
    """
    return STATE_WORDS[VerdictState(state)]


def trust_label(trust: Trust) -> str:
    """Return what must stand beside every number of this trust; empty for a real judge's."""
    return "" if trust is Trust.MODEL else trust.value


def labelled(name: str, trust: Trust) -> str:
    """Return ``name`` with its trust label, if it needs one.

    Examples
    --------
    >>> labelled("Offline match", Trust.OFFLINE)
    'Offline match [offline (heuristic)]'
    """
    label = trust_label(trust)
    return f"{name} [{label}]" if label else name


def short_judges(judges: Iterable[str]) -> dict[str, str]:
    """Return each judge's name without its URL, where that tells it from the others.

    Examples
    --------
    >>> list(short_judges(["openai:a@http://x", "openai:a@http://x (decisions)"]).values())
    ['openai:a', 'openai:a (decisions)']
    >>> short_judges(["openai:a@http://127.0.0.1:8080/v1", "anthropic:b"])
    {'openai:a@http://127.0.0.1:8080/v1': 'openai:a', 'anthropic:b': 'anthropic:b'}
    >>> short_judges(["openai:a", "openai:a@http://x"])
    {'openai:a': 'openai:a', 'openai:a@http://x': 'openai:a@http://x'}
    """
    bare = {judge: name_in_mode(_URL.sub("", without_mode(judge)), mode_of(judge)) for judge in judges}
    uses = Counter(bare.values())
    return {judge: short if uses[short] == 1 else judge for judge, short in bare.items()}


def judge_flags(judge: str) -> str:
    """Return the flags that name a judge to a command.

    Examples
    --------
    >>> judge_flags("openai:gpt-6-luna (decisions)")
    '--judge openai:gpt-6-luna --mode decisions'
    """
    mode = mode_of(judge)
    return f"--judge {without_mode(judge)}{'' if mode is Mode.PROMPTS else f' --mode {mode}'}"


def judge_names(result: RunResult) -> Mapping[str, str]:
    """Return every judge that a run names with the name that is shown, the panel's among them."""
    told = [each.judge for source in (result.verdicts, result.stops, result.scores) for each in source]
    panel = () if result.panel is None else (result.panel.name, *result.panel.judges)
    return short_judges(dict.fromkeys((*result.settings.judges, *panel, *told)))
