"""A judge that no worker survives."""

from __future__ import annotations

import os
import signal

from audit.judges.alignment import AlignmentJudge
from audit.judges.protocol import Judgement
from audit.records.policy import Policy


class DeadlyJudge(AlignmentJudge):
    """Its process dies when it reads the reply about one of the tasks."""

    def read(self, text: str, policy: Policy, *, where: str) -> Judgement:
        if where.startswith("task t7,"):
            os.kill(os.getpid(), signal.SIGKILL)
        return AlignmentJudge.read(self, text, policy, where=where)


DEADLY = DeadlyJudge("desc_alignment", sees_policy=False)
