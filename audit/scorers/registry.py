"""Every scorer by name."""

from __future__ import annotations

from collections.abc import Mapping

from audit.scorers.offline import OfflineScorer
from audit.scorers.protocol import Scorer

SCORERS: Mapping[str, Scorer] = {"offline": OfflineScorer()}
