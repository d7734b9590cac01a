"""Description–behavior alignment: does the expected behavior fit the description?"""

from __future__ import annotations

from audit.judges.alignment import AlignmentJudge

DESC_ALIGNMENT = AlignmentJudge("desc_alignment", sees_policy=False)
