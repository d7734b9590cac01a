"""Policy–behavior alignment: does the expected behavior keep to the policy?"""

from __future__ import annotations

from audit.judges.alignment import AlignmentJudge

POLICY_ALIGNMENT = AlignmentJudge("policy_alignment", sees_policy=True)
