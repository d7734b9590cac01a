"""A run's result as versioned JSON; docs/json-format.md describes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from audit.records.certificate import HeldCertificate
from audit.records.content import component_digests
from audit.records.finding import SEVERITY_ORDER, Finding
from audit.records.panel import PanelResult
from audit.records.run import RunResult
from audit.records.score import Score
from audit.records.task import Benchmark
from audit.records.verdict import Verdict
from audit.reports.answers import cached_share, count_answers
from audit.reports.certificate_json import certificate_fields
from audit.reports.challenges import Challenges, all_challenges, challenges, policy_rules
from audit.reports.decided import probabilities_of
from audit.reports.distribution import distribute
from audit.reports.findings_json import findings_of
from audit.reports.material import material_of
from audit.reports.pairs import ScorePair, score_pairs
from audit.reports.plain import Plain, dump, fields_of, to_plain
from audit.reports.ranking import RankedTask, rank_tasks
from audit.reports.summary import summarise
from audit.reports.view_findings import findings_by_task

FORMAT = "bench-audit/run"
FORMAT_VERSION = 1


def render(result: RunResult) -> bytes:
    """Return the document, UTF-8, ending in a line break; the same result gives the same bytes."""
    return f"{dump({**to_document(result), 'material': material_of(result)})}\n".encode()


def to_document(result: RunResult) -> dict[str, Plain]:
    """Return the document as plain values, without the texts that only a page shows."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "tool_version": result.tool_version,
        "created_at": result.created_at,
        "is_complete": result.is_complete,
        "trust": to_plain({score.trust.value for score in result.scores if score.value is not None}),
        "notes": list(result.notes),
        "summary": _summary(result),
        "benchmark": _benchmark(result.benchmark),
        "settings": fields_of(result.settings),
        "prompts": [{"prompt": name, "sha256": digest} for name, digest in result.prompts],
        "tally": {
            **fields_of(result.tally),
            "cached_share": cached_share(result.tally.input_tokens, result.tally.cached_tokens),
        },
        "answers": [fields_of(made) for made in count_answers(result.verdicts)],
        "stops": [fields_of(stop) for stop in result.stops],
        "scores": [_score(score) for score in result.scores],
        "policy_challenges": [_challenges(found, result.benchmark) for found in challenges(result)],
        "panel": None if result.panel is None else _panel(result.panel, result),
        "findings": None if result.checked is None else findings_of(result.checked),
        "tasks": _tasks(result),
        "verdicts": [_verdict(verdict) for verdict in result.verdicts],
        "certificates": [_certificate(held) for held in result.certificates],
        "patterns": None if result.patterns is None else fields_of(result.patterns),
    }


def _verdict(verdict: Verdict) -> Plain:
    fields = fields_of(verdict)
    del fields["is_shared"]
    probabilities = probabilities_of(verdict)
    return fields if probabilities is None else {**fields, "probabilities": to_plain(probabilities)}


def _certificate(held: HeldCertificate) -> Plain:
    shares: list[Plain] = [{**fields_of(share), "raw": share.raw} for share in held.shares]
    certificate = None if held.certificate is None else certificate_fields(held.certificate)
    return {**fields_of(held), "certificate": certificate, "shares": shares}


def _summary(result: RunResult) -> Plain:
    summary = summarise(result)
    return {**fields_of(summary), "sentence": summary.sentence}


def _benchmark(benchmark: Benchmark) -> Plain:
    policy = benchmark.policy
    return {
        "name": benchmark.name,
        "title": benchmark.title,
        "version": benchmark.version,
        "style": benchmark.style,
        "author_family": benchmark.author_family,
        "n_tasks": len(benchmark.tasks),
        "n_available": benchmark.n_available,
        "files": [fields_of(file) for file in benchmark.files],
        "policy": {
            "name": policy.name,
            "file": policy.file,
            "sha256": policy.sha256,
            "no_items_reason": policy.no_items_reason,
            "items": [fields_of(rule.item) for rule in policy_rules(benchmark)],
        },
    }


def _score(score: Score) -> Plain:
    distribution = distribute(score)
    bins: list[Plain] = [] if distribution is None else [fields_of(bar) for bar in distribution.bins]
    return {**fields_of(score), "distribution": bins}


def _challenges(found: Challenges, benchmark: Benchmark) -> Plain:
    return {
        "judge": found.judge,
        "trust": found.trust.value,
        "answered": to_plain(found.answered),
        "items": [
            {
                "id": rule.item.id,
                "n_tasks": len(found.tasks_of(rule.item.id)),
                "share_of_trials_by_task": to_plain(found.share_by_item.get(rule.item.id, {})),
            }
            for rule in policy_rules(benchmark)
        ],
    }


def _panel(panel: PanelResult, result: RunResult) -> Plain:
    trusts = {score.trust.value for score in result.scores if score.judge in panel.judges}
    scores: list[Plain] = [_score(score) for score in panel.scores]
    together = [found for found in all_challenges(result) if found.judge == panel.name]
    return {
        **fields_of(panel),
        "trust": to_plain(trusts),
        "scores": scores,
        "score_pairs": [_pair(pair) for pair in score_pairs(panel)],
        "policy_challenges": _challenges(together[0], result.benchmark) if together else None,
    }


def _pair(pair: ScorePair) -> Plain:
    return {
        "criterion": pair.criterion,
        "judges": list(pair.judges),
        "n_tasks": [[one, other, n] for (one, other), n in pair.n_tasks.items()],
    }


def _tasks(result: RunResult) -> Plain:
    found = findings_by_task(result)
    return [
        {**_task(entry), **_findings(result, found.get(entry.task.id, ())), "replay": _replay(result, entry.task.id)}
        for entry in rank_tasks(result)
    ]


def _findings(result: RunResult, findings: Sequence[Finding]) -> dict[str, Plain]:
    if result.checked is None:
        return {"n_findings": None}
    counts = Counter(finding.severity for finding in findings)
    return {"n_findings": {severity.value: counts[severity] for severity in SEVERITY_ORDER}}


def _replay(result: RunResult, task_id: str) -> Plain:
    if task_id not in result.replays:
        return None
    return [
        {"error": call.error, "detail": call.detail, "changed": [list(ref) for ref in call.changed]}
        for call in result.replays[task_id]
    ]


def _task(entry: RankedTask) -> dict[str, Plain]:
    return {
        "id": entry.task.id,
        "origin": str(entry.task.origin),
        "tags": list(entry.task.tags),
        "lowest": None if entry.lowest is None else fields_of(entry.lowest),
        "n_missing": entry.n_missing,
        "content": to_plain(component_digests(entry.task)),
    }
