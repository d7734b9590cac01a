"""Short texts in groups: by likeness to given groups first, the rest by clustering, with the grouping's stability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.errors import UndefinedScoreError
from audit.records.score import Interval
from audit.stats.grouping_words import stems, whole_words

LEAST = 5
"""Texts below which nothing is grouped."""
LIKE = 0.14
"""Cosine from which a text is taken to belong to a given group."""
MOST_GROUPS = 8
N_DRAWS = 40
N_SEEDS = 10
_LEAST_SILHOUETTE = 0.02

Floats = NDArray[np.float64]
Labels = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Grouping:
    """Texts in groups.

    Parameters
    ----------
    labels
        Number of each text's group: those of the given groups first, then those that were found.
    centrality
        Cosine of each text with the middle of its group.
    keywords
        Of each group, the words that set it apart, the strongest first.
    """

    labels: tuple[int, ...]
    centrality: tuple[float, ...]
    keywords: tuple[tuple[str, ...], ...]

    @property
    def n_groups(self) -> int:
        """Given and found groups, empty ones too."""
        return len(self.keywords)


@dataclass(frozen=True, slots=True)
class Stability:
    """How far a grouping comes back.

    Parameters
    ----------
    draws
        Mean adjusted Rand index with groupings of bootstrap draws, and the middle 95 % of it.
    seeds
        Mean adjusted Rand index with groupings of all texts by other seeds.
    by_group
        Of each group, its mean likeness (Jaccard) to the best fitting group of a draw; ``nan`` for one never drawn.
    """

    draws: float
    interval: Interval
    seeds: float
    by_group: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Redraws:
    """How often a grouping is made anew to see whether it comes back.

    Parameters
    ----------
    n_draws
        Bootstrap draws of the texts.
    n_seeds
        Groupings of all texts by other seeds.
    keeps_number
        Whether the others are clustered into as many groups as the whole has, which is quick; else each draw finds
        its own number, which also shows how far that number is to be relied on.
    """

    n_draws: int = N_DRAWS
    n_seeds: int = N_SEEDS
    keeps_number: bool = False


THOROUGH = Redraws()
QUICK = Redraws(20, 5, keeps_number=True)


def group_texts(texts: Sequence[str], given: Sequence[str], *, fixed: Sequence[int | None], seed: int) -> Grouping:
    """Return ``texts`` in groups.

    Parameters
    ----------
    texts
        At least ``LEAST``.
    given
        Words of the groups that are there already; may be empty.
    fixed
        For each text the number of the given group that it stays in, whatever it is like; ``None`` for most.
    seed
        Of the clustering.

    Raises
    ------
    UndefinedScoreError
        If there are fewer than ``LEAST`` texts.

    Notes
    -----
    TF-IDF of word stems with cosine likeness. A text joins the given group that it is most like, if it is like one at
    all: like its words, or like the middle of these and of the texts that stay in it, so that placing texts in a group
    draws others to it and drives none away. The others are clustered by k-means, with the number of groups that has the
    greatest mean silhouette (Rousseeuw 1987, "Silhouettes: a graphical aid"), or stay one group where no number parts
    them.
    """
    if len(texts) < LEAST:
        raise UndefinedScoreError(f"{len(texts)} reasons; grouping needs {LEAST}")
    vectors, found = _vectors([*texts, *given])
    whole = whole_words([*texts, *given])
    words = [whole[stem] if stem else stem for stem in found]
    labels = _label(vectors, fixed, n_found=None, seed=seed)
    n_groups = max(len(given), int(labels.max()) + 1)
    own = vectors[: len(texts)]
    middles = np.stack([_middle(own[labels == group]) for group in range(n_groups)])
    centrality = (own * middles[labels]).sum(axis=1)
    return Grouping(
        tuple(labels.tolist()),
        tuple(float(value) for value in centrality),
        tuple(_keywords(middles, group, words) for group in range(n_groups)),
    )


def measure_stability(
    texts: Sequence[str],
    given: Sequence[str],
    *,
    fixed: Sequence[int | None],
    seed: int,
    redraws: Redraws = THOROUGH,
) -> Stability:
    """Return how far the grouping of the texts that nobody has placed comes back.

    Raises
    ------
    UndefinedScoreError
        If fewer than ``LEAST`` texts are free, or all of them are in one group.

    Notes
    -----
    Adjusted Rand index: Hubert and Arabie (1985), "Comparing partitions". Groups: Hennig (2007), "Cluster-wise
    assessment of cluster stability". A draw takes as many texts with replacement and keeps each once.
    """
    from sklearn.metrics import adjusted_rand_score  # noqa: PLC0415  # a second of import that only studies need

    free = np.asarray([place for place, group in enumerate(fixed) if group is None], dtype=np.intp)
    if len(texts) < LEAST or free.size < LEAST:
        raise UndefinedScoreError(f"{free.size} reasons are not placed by the codebook; stability needs {LEAST}")
    rng = np.random.default_rng(seed)
    whole = np.asarray(group_texts(texts, given, fixed=fixed, seed=seed).labels)
    if len(set(whole[free].tolist())) < 2:
        raise UndefinedScoreError("all reasons are in one group, which every draw brings back")
    n_found = max(0, int(whole.max()) + 1 - len(given)) if redraws.keeps_number else None
    material = _Material(texts, given, fixed, n_found)
    rand, likeness = [], []
    for number in range(redraws.n_draws):
        drawn = np.unique(rng.integers(0, len(texts), size=len(texts)))
        shown = drawn[np.isin(drawn, free)]
        if drawn.size < LEAST or shown.size < 2:
            continue
        again = material.regroup(drawn, seed + number)
        rand.append(adjusted_rand_score(whole[shown], again[shown]))
        likeness.append([_best_jaccard(whole[shown] == group, again[shown]) for group in range(int(whole.max()) + 1)])
    everything = np.arange(len(texts))
    others = [
        adjusted_rand_score(whole[free], material.regroup(everything, other)[free])
        for other in range(seed + 1, seed + 1 + redraws.n_seeds)
    ]
    low, high = np.quantile(rand, [0.025, 0.975])
    table = np.asarray(likeness)
    means = [
        float(column[~np.isnan(column)].mean()) if (~np.isnan(column)).any() else float("nan") for column in table.T
    ]
    return Stability(
        float(np.mean(rand)), Interval(float(low), float(high), 0.95), float(np.mean(others)), tuple(means)
    )


@dataclass(frozen=True, slots=True)
class _Material:
    """What is grouped anew."""

    texts: Sequence[str]
    given: Sequence[str]
    fixed: Sequence[int | None]
    n_found: int | None

    def regroup(self, chosen: Labels, seed: int) -> Labels:
        """Return labels over all texts, those that were not chosen being -1."""
        found = np.full(len(self.texts), -1, dtype=np.intp)
        vectors, _ = _vectors([*(self.texts[place] for place in chosen), *self.given])
        found[chosen] = _label(vectors, [self.fixed[place] for place in chosen], n_found=self.n_found, seed=seed)
        return found


def _best_jaccard(member: NDArray[np.bool_], labels: Labels) -> float:
    if not member.any():
        return float("nan")
    others = [labels == label for label in np.unique(labels[member])]
    return max(float((member & other).sum() / (member | other).sum()) for other in others)


def _label(vectors: Floats, fixed: Sequence[int | None], *, n_found: int | None, seed: int) -> Labels:
    own, given = vectors[: len(fixed)], vectors[len(fixed) :]
    held = np.asarray([-1 if group is None else group for group in fixed], dtype=np.intp)
    labels = held.copy()
    if len(given):
        middles = np.stack(
            [_middle(np.vstack([given[group : group + 1], own[held == group]])) for group in range(len(given))]
        )
        likeness = np.maximum(own @ given.T, own @ middles.T)
        joins = (held < 0) & (likeness.max(axis=1) >= LIKE)
        labels[joins] = likeness[joins].argmax(axis=1)
    rest = labels < 0
    if rest.any():
        labels[rest] = len(given) + _cluster(own[rest], n_found, seed)
    return labels


def _cluster(vectors: Floats, n_found: int | None, seed: int) -> Labels:
    """Cluster what joined no given group: into ``n_found`` groups, or into as many as part it best."""
    from sklearn.cluster import KMeans  # noqa: PLC0415
    from sklearn.metrics import silhouette_score  # noqa: PLC0415

    n_different = len(np.unique(vectors.round(9), axis=0))
    best, chosen = _LEAST_SILHOUETTE, np.zeros(len(vectors), dtype=np.intp)
    if len(vectors) < LEAST:
        return chosen
    most = min(MOST_GROUPS, n_different - 1, len(vectors) // 2)
    if n_found is not None:
        if min(n_found, most) >= 2:
            chosen = KMeans(min(n_found, most), n_init=1, random_state=seed).fit_predict(vectors).astype(np.intp)
        return _by_size(chosen)
    for k in range(2, most + 1):
        labels = KMeans(k, n_init=4, random_state=seed).fit_predict(vectors)
        if len(set(labels.tolist())) > 1 and (score := silhouette_score(vectors, labels)) > best:
            best, chosen = score, labels.astype(np.intp)
    return _by_size(chosen)


def _by_size(labels: Labels) -> Labels:
    """Number groups by their size, the greatest first, and by their first member."""
    groups = sorted(set(labels.tolist()), key=lambda one: (-int((labels == one).sum()), int((labels == one).argmax())))
    return np.asarray([groups.index(label) for label in labels.tolist()], dtype=np.intp)


def _vectors(texts: Sequence[str]) -> tuple[Floats, list[str]]:
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415

    if not any(map(stems, texts)):
        return np.zeros((len(texts), 1)), [""]
    vectoriser: Any = TfidfVectorizer(analyzer=stems, sublinear_tf=True)
    matrix = vectoriser.fit_transform(texts).toarray()
    return np.asarray(matrix, dtype=np.float64), vectoriser.get_feature_names_out().tolist()


def _middle(vectors: Floats) -> Floats:
    if not len(vectors):
        return np.zeros(vectors.shape[1])
    mean: Floats = vectors.mean(axis=0)
    length = float(np.linalg.norm(mean))
    return mean / length if length else mean


def _keywords(middles: Floats, group: int, words: Sequence[str]) -> tuple[str, ...]:
    others = np.delete(middles, group, axis=0)
    apart = middles[group] - (others.mean(axis=0) if len(others) else 0)
    order = np.argsort(-apart, kind="stable")[:4]
    return tuple(words[place] for place in order if middles[group][place] > 0)
