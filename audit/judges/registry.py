"""Every criterion by name."""

from __future__ import annotations

from audit.judges.desc_alignment import DESC_ALIGNMENT
from audit.judges.policy_alignment import POLICY_ALIGNMENT
from audit.judges.policy_violations import POLICY_VIOLATIONS
from audit.judges.protocol import Judge

JUDGES: dict[str, Judge] = {judge.criterion: judge for judge in (DESC_ALIGNMENT, POLICY_ALIGNMENT, POLICY_VIOLATIONS)}
