"""One side of a comparison, taken from a benchmark and what was run over it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from audit.records.check import CheckResult
from audit.records.comparison import SavedFinding, Snapshot
from audit.records.content import component_digests
from audit.records.finding import Finding
from audit.records.run import RunResult
from audit.records.score import Score
from audit.records.task import Benchmark
from audit.stats.violations import majority_items


def take_snapshot(
    label: str, benchmark: Benchmark, *, checked: CheckResult | None = None, runs: Sequence[RunResult] = ()
) -> Snapshot:
    """Return what a comparison needs of a benchmark, its findings and its scores.

    Parameters
    ----------
    label
        What the user called it.
    checked
        ``None`` when nobody looked for findings.
    runs
        Of this very benchmark, with the same settings: one with judges, one of the offline scorer.
    """
    verdicts = [verdict for run in runs for verdict in run.verdicts if verdict.is_ok]
    return Snapshot(
        label=label,
        benchmark=benchmark.name,
        policy_sha256=benchmark.policy.sha256,
        items=_items(benchmark),
        tasks={task.id: component_digests(task) for task in benchmark.tasks},
        findings=None if checked is None else tuple(map(save_finding, checked.findings)),
        rules=frozenset() if checked is None else frozenset(checked.rule_by_id),
        scores=tuple(score for run in runs for score in scores_of(run)),
        violated=collect_violated((v.judge, v.task_id, v.violated) for v in verdicts if v.violated is not None),
        behavior=frozenset(part for run in runs for part in run.settings.behavior),
        trials=max((run.settings.trials for run in runs), default=1),
        prompts=collect_prompts(pair for run in runs for pair in run.prompts),
        models=collect_models((verdict.judge, verdict.model) for verdict in verdicts),
    )


def save_finding(finding: Finding) -> SavedFinding:
    """Return a finding as far as a comparison needs it."""
    return SavedFinding(finding.fingerprint, finding.rule, finding.severity, finding.task_id, finding.what)


def scores_of(run: RunResult) -> tuple[Score, ...]:
    """Return the scores that a run measured, the panel's included; those that nobody was asked for are left out."""
    panel = run.panel.scores if run.panel else ()
    return tuple(score for score in (*run.scores, *panel) if score.is_applicable)


def collect_violated(
    verdicts: Iterable[tuple[str, str, Iterable[str]]],
) -> dict[str, dict[str, frozenset[str]]]:
    """Return judge to task to the items that most of its trials name, from ``(judge, task, items)`` of each trial."""
    votes: dict[str, dict[str, list[frozenset[str]]]] = defaultdict(lambda: defaultdict(list))
    for judge, task_id, items in verdicts:
        votes[judge][task_id].append(frozenset(items))
    return {
        judge: {task_id: majority_items(cast) for task_id, cast in by_task.items()} for judge, by_task in votes.items()
    }


def collect_prompts(prompts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return criterion to prompt hash, from pairs of ``criterion.style`` and hash.

    Examples
    --------
    >>> collect_prompts([("desc_alignment.tau", "ab")])
    {'desc_alignment': 'ab'}
    """
    return {name.partition(".")[0]: sha256 for name, sha256 in prompts}


def collect_models(answers: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return judge to the models that answered in its name, sorted."""
    models: dict[str, set[str]] = defaultdict(set)
    for judge, model in answers:
        models[judge].add(model)
    return {judge: tuple(sorted(names)) for judge, names in models.items()}


def item_span(start: int, end: int) -> str:
    """Return where an item stands in its policy.

    Examples
    --------
    >>> item_span(3, 17)
    '3-17'
    """
    return f"{start}-{end}"


def _items(benchmark: Benchmark) -> dict[str, str]:
    policies = {policy.sha256: policy for policy in map(benchmark.policy_of, benchmark.tasks)}
    ordered = sorted(policies.values(), key=lambda policy: (policy.name, policy.sha256))
    spans: dict[str, str] = {}
    for policy in ordered:
        for item in policy.items:
            spans.setdefault(item.id, item_span(item.start, item.end))
    return spans
