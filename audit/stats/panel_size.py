"""How many independent judges a panel is worth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from audit.errors import UndefinedScoreError
from audit.stats.agreement import MIN_TASKS


def effective_judges(ratings: Sequence[Sequence[float]]) -> float:
    """Return how many judges of independent error would average out as much as these do.

    Parameters
    ----------
    ratings
        A row a judge, a column a task: how far the judge is off from a reference, such as people's ratings. Plain
        ratings answer another question: judges that agree because they are right then count as one.

    Returns
    -------
    float
        Between 1 and the number of judges: k over 1 + (k - 1) times the mean correlation, where that is positive.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than two judges or three tasks, or a judge's row is constant.

    Notes
    -----
    The design effect of Kish (1965), "Survey sampling", section 8.2, for judges as a cluster.

    Examples
    --------
    >>> effective_judges([[1, -1, 2, -2], [1, -1, 2, -2], [1, -1, 2, -2]])
    1.0
    """
    table = np.asarray(ratings, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 2:
        raise UndefinedScoreError("one judge; a panel needs two")
    if table.shape[1] < MIN_TASKS:
        raise UndefinedScoreError(f"{table.shape[1]} tasks rated by all; correlation needs {MIN_TASKS}")
    if (table.max(axis=1) == table.min(axis=1)).any():
        raise UndefinedScoreError("constant ratings: a judge's values don't differ from task to task")
    k = table.shape[0]
    correlations = np.corrcoef(table)
    mean = (float(correlations.sum()) - k) / (k * (k - 1))
    return float(min(k, max(1.0, k / (1 + (k - 1) * max(0.0, mean)))))
