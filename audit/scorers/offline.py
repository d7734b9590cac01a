"""The offline scorer: does this expected behavior belong to this description? Without a model, key or network."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import NormalDist

from audit.records.task import DEFAULT_BEHAVIOR, Benchmark, PartKind, Task
from audit.records.verdict import Trust, Verdict, VerdictState
from audit.scorers.pairs import Pair, build_pairs
from audit.scorers.reasons import TextMatch, explain
from audit.scorers.words import phrase, terms
from audit.stats import similarity
from audit.stats.similarity import contrast_pairs

SCORER_VERSION = "offline-1"
"""Names the rule in verdicts; the store's key also has the hash of its code."""
LEAST_DESCRIPTIONS = 20
"""Distinct descriptions below which a contrast says nothing."""
_TEXT_SCALE = NormalDist(mu=1.645)
"""A pair at the 95 % point of unrelated pairs gets half of the words' score."""


@dataclass(frozen=True, slots=True)
class OfflineScorer:
    """Scores 0 to 1 how far an expected behavior belongs to its description.

    The mean of two kinds of evidence: the share of the behavior's ids that the description leads to through the
    database, and how far the pair's words stand out from all other pairings of the benchmark. Where a task offers only
    one of them, that one alone; its reasons say so.

    Parameters
    ----------
    behavior
        The parts of the expected behavior that are read.
    """

    behavior: frozenset[PartKind] = DEFAULT_BEHAVIOR
    criterion: str = "offline_match"
    limits: str = (
        "The offline score only tells whether an expected behavior belongs to its description: it reads no policy, and "
        "does not see a wrong step, amount or choice among the right customer's records."
    )

    @property
    def version(self) -> str:
        """The rule's version, the code's hash, and the parts of the expected behavior that are read."""
        return ":".join((SCORER_VERSION, _code_hash(), *sorted(kind.value for kind in self.behavior)))

    def score(self, benchmark: Benchmark) -> tuple[Verdict, ...]:
        """Return one verdict a task, in task order.

        Every task is contrasted with all of ``benchmark.corpus``, whatever was chosen for ``benchmark.tasks``. A task
        with nothing to compare is undefined, and so is every task below :data:`LEAST_DESCRIPTIONS` distinct
        descriptions.
        """
        pairs = build_pairs(_corpus(benchmark), benchmark.database, kinds=self.behavior)
        problem = _too_few(list(pairs.values()))
        matches = {} if problem else _match_words(list(pairs.values()))
        return tuple(
            self._undefined(task, problem) if problem else self._verdict(task, pairs, matches)
            for task in benchmark.tasks
        )

    def _verdict(self, task: Task, pairs: Mapping[str, Pair], matches: Mapping[str, TextMatch | None]) -> Verdict:
        if task.id not in pairs:
            side = "expected behavior" if task.description_text.strip() else "description"
            return self._undefined(task, f"the task has no {side} to compare")
        pair, match = pairs[task.id], matches[task.id]
        evidence = [share for share in (pair.share_reached, match.score if match else None) if share is not None]
        if not evidence:
            return self._undefined(task, "its expected behavior has no id, and no word that tells descriptions apart")
        return Verdict(
            task_id=task.id,
            criterion=self.criterion,
            judge="offline",
            trial=0,
            state=VerdictState.OK,
            score=round(sum(evidence) / len(evidence), 6),
            reasons=explain(pair, match),
            model=SCORER_VERSION,
            trust=Trust.OFFLINE,
        )

    def _undefined(self, task: Task, problem: str) -> Verdict:
        return Verdict(
            task_id=task.id,
            criterion=self.criterion,
            judge="offline",
            trial=0,
            state=VerdictState.UNDEFINED,
            problem=problem,
            model=SCORER_VERSION,
            trust=Trust.OFFLINE,
        )


@cache
def _code_hash() -> str:
    """Of the code that makes the scores, so that no stored score outlives it."""
    files = (*sorted(Path(__file__).parent.glob("*.py")), Path(similarity.__file__))
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:16]


def _corpus(benchmark: Benchmark) -> tuple[Task, ...]:
    """Return every task of the benchmark; those in ``tasks`` win, for they may have been changed since loading."""
    chosen = {task.id: task for task in benchmark.tasks}
    rest = (task for task in benchmark.corpus if task.id not in chosen)
    return (*benchmark.tasks, *rest)


def _too_few(pairs: Sequence[Pair]) -> str:
    n = len({phrase(pair.description) for pair in pairs})
    if n >= LEAST_DESCRIPTIONS:
        return ""
    return f"the benchmark has {n} distinct descriptions, and a contrast needs {LEAST_DESCRIPTIONS}"


def _match_words(pairs: Sequence[Pair]) -> dict[str, TextMatch | None]:
    contrast = contrast_pairs(
        [pair.description for pair in pairs], [f"{pair.behavior}\n{pair.gloss}" for pair in pairs], analyzer=terms
    )
    return {
        pair.task_id: None if math.isnan(z) else TextMatch(_TEXT_SCALE.cdf(z), z, n_better, len(pairs) - 1)
        for pair, z, n_better in zip(pairs, contrast.z.tolist(), contrast.n_better.tolist(), strict=True)
    }
