"""How much more alike a pair of texts is than the unrelated pairs around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_LEAST_SPREAD = 0.01
"""Cosines this near to one another are not told apart."""
_BLOCK = 256
"""Rows of the similarity matrix that are in memory at once."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """n pairs of texts, each against the whole n × n matrix of similarities.

    Parameters
    ----------
    z
        The pair's similarity in standard deviations above the other pairs of its row, and of its column, averaged.
        ``nan`` where the right text has no weighted term.
    n_better
        How many other left texts are more similar to the pair's right text.
    """

    z: Floats
    n_better: NDArray[np.int64]


def cosines(texts: Sequence[str], *, analyzer: Callable[[str], list[str]]) -> Floats:
    """Return the cosine of each text with each, (n, n) in [0, 1]: TF-IDF over terms; a text without any is like none.

    Examples
    --------
    >>> cosines(["a b", "a b", "c"], analyzer=str.split).round(2).tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415  # a second of import

    if not any(analyzer(text) for text in texts):
        return np.zeros((len(texts), len(texts)))
    vectors = TfidfVectorizer(analyzer=analyzer).fit_transform(texts)
    found: Floats = (vectors @ vectors.T).toarray()
    return found


def contrast_pairs(left: Sequence[str], right: Sequence[str], *, analyzer: Callable[[str], list[str]]) -> Contrast:
    """Contrast each pair ``(left[i], right[i])`` with all pairs ``(left[i], right[j])``.

    Similarity is the cosine of TF-IDF vectors (1 + log frequency, idf = log(n / pairs that hold the term)) over the
    terms that stand in some left and in some right text, but not in every pair. Any other term has no weight and
    changes no norm, so text made of such terms moves nothing.

    Parameters
    ----------
    left, right
        Texts, n each.
    analyzer
        Splits a text into terms.

    Raises
    ------
    ValueError
        With fewer than two pairs, or unequal numbers of texts.

    Notes
    -----
    The spread that divides is never taken below that of all unrelated pairs, nor below 0.01: in a row or column of
    near zeros, one shared word would otherwise be many standard deviations. Time is quadratic in n, memory is not.
    """
    if len(left) != len(right) or len(left) < 2:
        raise ValueError(f"{len(left)} left and {len(right)} right texts are not two pairs or more")
    a, b = _weigh(left, right, analyzer)
    own = np.asarray(a.multiply(b).sum(axis=1), dtype=np.float64).ravel()
    rows, columns, n_better = _sums(a, b, own)
    z = (_standardise(own, rows) + _standardise(own, columns)) / 2
    z[np.diff(b.indptr) == 0] = np.nan
    return Contrast(z, n_better)


def _weigh(left: Sequence[str], right: Sequence[str], analyzer: Callable[[str], list[str]]) -> tuple[Any, Any]:
    """Return two sparse matrices of unit rows, or of zero rows where no term has weight."""
    a, b = _count([[Counter(analyzer(text)) for text in texts] for texts in (left, right)])
    n_left, n_right, n_pairs = _holders(a), _holders(b), _holders(a + b)
    keep = np.flatnonzero((n_left > 0) & (n_right > 0) & (n_pairs < len(left)))
    idf = np.log(len(left) / n_pairs[keep])
    return _unit_rows(a[:, keep], idf), _unit_rows(b[:, keep], idf)


def _holders(counts: Any) -> NDArray[np.int64]:  # noqa: ANN401  # a scipy sparse array
    return np.bincount(counts.indices, minlength=counts.shape[1])


def _count(sides: Sequence[Sequence[Counter[str]]]) -> list[Any]:
    from scipy.sparse import csr_array  # noqa: PLC0415  # only when scoring: commands that don't, start faster

    terms = sorted(set().union(*(text for texts in sides for text in texts)))
    column = {term: number for number, term in enumerate(terms)}
    matrices = []
    for texts in sides:
        starts = np.cumsum([0] + [len(text) for text in texts])
        columns = np.array([column[term] for text in texts for term in text], dtype=np.int64)
        counts = np.array([count for text in texts for count in text.values()], dtype=np.float64)
        matrix = csr_array((counts, columns, starts), shape=(len(texts), len(terms)))
        matrix.sort_indices()
        matrices.append(matrix)
    return matrices


def _unit_rows(counts: Any, idf: Floats) -> Any:  # noqa: ANN401  # a scipy sparse array
    weighted = counts.copy()
    weighted.data = (1 + np.log(weighted.data)) * idf[weighted.indices]
    norms = np.sqrt((weighted**2).sum(axis=1)) if weighted.nnz else np.ones(weighted.shape[0])
    weighted.data /= np.repeat(norms, np.diff(weighted.indptr))
    return weighted


@dataclass(frozen=True, slots=True)
class _Sums:
    total: Floats
    squares: Floats


def _sums(a: Any, b: Any, own: Floats) -> tuple[_Sums, _Sums, NDArray[np.int64]]:  # noqa: ANN401
    n = len(own)
    rows, columns = _Sums(np.zeros(n), np.zeros(n)), _Sums(np.zeros(n), np.zeros(n))
    n_better = np.zeros(n, dtype=np.int64)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        block = (a[start:stop] @ b.T).toarray()
        block[np.arange(stop - start), np.arange(start, stop)] = 0.0
        n_better += (block > own + 1e-9).sum(axis=0)
        squares = block**2
        rows.total[start:stop], rows.squares[start:stop] = block.sum(axis=1), squares.sum(axis=1)
        columns.total[:] += block.sum(axis=0)
        columns.squares[:] += squares.sum(axis=0)
    return rows, columns, n_better


def _standardise(own: Floats, sums: _Sums) -> Floats:
    """Return ``own`` in standard deviations above the other values, whose sums these are."""
    n_others = len(own) - 1
    mean = sums.total / n_others
    variance = np.maximum(sums.squares / n_others - mean**2, 0.0)
    n_all = len(own) * n_others
    overall = sums.squares.sum() / n_all - (sums.total.sum() / n_all) ** 2
    spread = np.sqrt(np.maximum(variance, max(overall, _LEAST_SPREAD**2)))
    standardised: Floats = (own - mean) / spread
    return standardised
