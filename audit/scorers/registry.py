"""Every scorer by name, made for the parts of the expected behavior that it shall read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from audit.records.task import PartKind
from audit.scorers.offline import OfflineScorer
from audit.scorers.protocol import Scorer

SCORERS: Mapping[str, Callable[[frozenset[PartKind]], Scorer]] = {"offline": OfflineScorer}
