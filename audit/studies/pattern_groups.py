"""The reasons of low scores, in the groups of a codebook and in new ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from audit.errors import UndefinedScoreError
from audit.records.codebook import Code, Codebook, CodeOrigin, LowReason
from audit.records.run import RunResult
from audit.reports import numbers
from audit.reports.labels import trust_label
from audit.stats.grouping import LEAST, THOROUGH, Grouping, Redraws, Stability, group_texts, measure_stability

CRITERIA = ("desc_alignment", "policy_alignment")


@dataclass(frozen=True, slots=True)
class Patterns:
    """Reasons in groups.

    Parameters
    ----------
    codes
        Of the codebook first, then those that were found.
    grouping
        ``None`` with the reason in ``problem`` where there are too few to group.
    """

    reasons: tuple[LowReason, ...]
    codes: tuple[Code, ...]
    grouping: Grouping | None
    stability: Stability | None
    problem: str = ""
    unsteady: str = ""
    """Why there is no stability."""

    def members(self, group: int) -> list[int]:
        """Return the places of a group's reasons, the most typical first."""
        assert self.grouping is not None
        labels, centrality = self.grouping.labels, self.grouping.centrality
        own = [place for place in range(len(self.reasons)) if labels[place] == group]
        return sorted(own, key=lambda place: -centrality[place])

    def comes_back(self, group: int) -> float | None:
        """Return how alike a group and the best fitting group of a draw are; ``None`` where it can't be said."""
        found = () if self.stability is None else self.stability.by_group
        return None if group >= len(found) or math.isnan(found[group]) else found[group]

    def found(self) -> dict[int, list[str]]:
        """Return the reasons of the groups that were found, by number."""
        if self.grouping is None:
            return {}
        return {
            number: [self.reasons[place].text for place in self.members(number)]
            for number, code in enumerate(self.codes)
            if code.origin is CodeOrigin.FOUND
        }


def collect_reasons(run: RunResult, *, criteria: Sequence[str], below: float) -> tuple[LowReason, ...]:
    """Return the reasons of every verdict that scores below ``below``, each once a task, judge and criterion."""
    found = {
        (verdict.task_id, verdict.judge, verdict.criterion, reason): LowReason(
            reason, verdict.task_id, verdict.judge, verdict.criterion, verdict.score, trust_label(verdict.trust)
        )
        for verdict in run.verdicts
        if verdict.is_ok and verdict.criterion in criteria and verdict.score is not None and verdict.score < below
        for reason in verdict.reasons
        if reason.strip()
    }
    return tuple(found.values())


def group_reasons(
    reasons: Sequence[LowReason], codebook: Codebook, *, seed: int, redraws: Redraws = THOROUGH
) -> Patterns:
    """Return reasons in the codebook's groups and in new ones.

    A reason whose very words the codebook has placed stays there.
    """
    numbers_of = {code.id: number for number, code in enumerate(codebook.codes)}
    placed = {each.reason.text.strip(): numbers_of[each.code] for each in codebook.placed}
    here = {reason.text.strip() for reason in reasons}
    absent = [text for text in placed if text not in here]
    texts = [*(reason.text for reason in reasons), *absent]
    fixed = [placed.get(text.strip()) for text in texts]
    given = [f"{code.name}. {code.about}" for code in codebook.codes]
    if len(reasons) < LEAST:
        problem = f"{numbers.plural(len(reasons), 'reason')}; grouping needs {LEAST}"
        return Patterns(tuple(reasons), codebook.codes, None, None, problem, problem)
    grouping = group_texts(texts, given, fixed=fixed, seed=seed)
    stability, unsteady = None, ""
    try:
        stability = measure_stability(texts, given, fixed=fixed, seed=seed, redraws=redraws)
    except UndefinedScoreError as error:
        unsteady = error.what
    n = len(reasons)
    kept = replace(grouping, labels=grouping.labels[:n], centrality=grouping.centrality[:n])
    codes = (*codebook.codes, *_found(grouping, codebook.codes))
    return Patterns(tuple(reasons), codes, kept, stability, "", unsteady)


def _found(grouping: Grouping, given: Sequence[Code]) -> Iterator[Code]:
    taken = {code.id for code in given}
    for words in grouping.keywords[len(given) :]:
        plain = [word for word in words if word.isascii()]
        base = "-".join(["found", *plain[:3]])
        id = next(name for name in (base, *(f"{base}-{n}" for n in range(2, 99))) if name not in taken)
        taken.add(id)
        yield Code(id, f"Found: {', '.join(words[:3]) or 'no words in common'}", "", CodeOrigin.FOUND)
