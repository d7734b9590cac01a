from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from audit.stats.similarity import contrast_pairs, cosines

LEFT = ["red apple pie", "green pear cake", "blue plum jam", "red cherry cake"]
RIGHT = ["bake an apple pie", "slice the pear", "boil the plum jam", "eat cherry cake"]


def _dense(left: list[str], right: list[str]) -> tuple[Any, Any]:
    """The same definition again, on dense matrices and in another order."""
    n = len(left)
    counts = CountVectorizer(token_pattern=r"\w+").fit_transform([*left, *right]).toarray().astype(float)
    a, b = counts[:n], counts[n:]
    n_pairs = ((a + b) > 0).sum(axis=0)
    keep = (a > 0).any(axis=0) & (b > 0).any(axis=0) & (n_pairs < n)
    weight = np.where(keep, np.log(n / np.maximum(n_pairs, 1)), 0.0)
    a, b = (np.where(side > 0, 1 + np.log(np.maximum(side, 1)), 0) * weight for side in (a, b))
    norms = [np.linalg.norm(side, axis=1, keepdims=True) for side in (a, b)]
    a, b = (
        np.divide(side, norm, out=np.zeros_like(side), where=norm > 0) for side, norm in zip((a, b), norms, strict=True)
    )
    similarity = a @ b.T
    spread = max(similarity[~np.eye(n, dtype=bool)].std(), 0.01)
    z = np.full(n, np.nan)
    for i in np.flatnonzero(norms[1]):
        rows = (np.delete(similarity[i], i), np.delete(similarity[:, i], i))
        z[i] = np.mean([(similarity[i, i] - row.mean()) / max(row.std(), spread) for row in rows])
    better = np.array([(np.delete(similarity[:, i], i) > similarity[i, i] + 1e-9).sum() for i in range(n)])
    return z, better


def test_contrast_agrees_with_a_second_implementation() -> None:
    contrast = contrast_pairs(LEFT, RIGHT, analyzer=str.split)
    z, better = _dense(LEFT, RIGHT)
    np.testing.assert_allclose(contrast.z, z, atol=1e-9)
    np.testing.assert_array_equal(contrast.n_better, better)


_TEXT = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6).map(" ".join)


@given(st.lists(st.tuples(_TEXT, _TEXT), min_size=2, max_size=12))
def test_contrast_agrees_with_a_second_implementation_on_any_texts(texts: list[tuple[str, str]]) -> None:
    left, right = [pair[0] for pair in texts], [pair[1] for pair in texts]
    contrast = contrast_pairs(left, right, analyzer=str.split)
    z, better = _dense(left, right)
    np.testing.assert_allclose(contrast.z, z, atol=1e-6)
    np.testing.assert_array_equal(contrast.n_better, better)


def test_more_pairs_than_one_block_give_the_same_result() -> None:
    words = ["".join(pair) for pair in product("abcdefghij", repeat=2)]
    left = [f"{words[n % 100]} {words[(n * 7) % 100]} x{n % 9}" for n in range(600)]
    right = [f"{words[n % 100]} {words[(n * 13) % 100]}" for n in range(600)]
    contrast = contrast_pairs(left, right, analyzer=str.split)
    z, better = _dense(left, right)
    np.testing.assert_allclose(contrast.z, z, atol=1e-8)
    np.testing.assert_array_equal(contrast.n_better, better)


def test_a_true_pair_stands_above_a_false_one() -> None:
    true = contrast_pairs(LEFT, RIGHT, analyzer=str.split)
    false = contrast_pairs(LEFT, RIGHT[1:] + RIGHT[:1], analyzer=str.split)
    assert true.z.min() > false.z.max()


def test_terms_of_one_pair_and_terms_of_every_pair_change_nothing() -> None:
    plain = contrast_pairs(LEFT, RIGHT, analyzer=str.split)
    padded = contrast_pairs(
        [f"{text} always own{n}" for n, text in enumerate(LEFT)],
        [f"{text} always mine{n} mine{n}" for n, text in enumerate(RIGHT)],
        analyzer=str.split,
    )
    np.testing.assert_array_equal(plain.z, padded.z)


def test_a_term_that_no_right_text_holds_has_no_weight() -> None:
    plain = contrast_pairs(LEFT, RIGHT, analyzer=str.split)
    padded = contrast_pairs([*(f"{text} filler" for text in LEFT[:2]), *LEFT[2:]], RIGHT, analyzer=str.split)
    np.testing.assert_array_equal(plain.z, padded.z)


def test_a_right_text_without_weighted_terms_has_no_contrast() -> None:
    contrast = contrast_pairs(LEFT, [*RIGHT[:3], "unheard"], analyzer=str.split)
    assert np.isnan(contrast.z[3])
    assert not np.isnan(contrast.z[:3]).any()


def test_pairs_that_share_nothing_with_others_still_stand_out() -> None:
    assert contrast_pairs(["a", "b"], ["a", "b"], analyzer=str.split).z.tolist() == [100.0, 100.0]


def test_texts_without_any_term_have_no_contrast() -> None:
    contrast = contrast_pairs(["", ""], ["", ""], analyzer=str.split)
    assert np.isnan(contrast.z).all()
    assert contrast.n_better.tolist() == [0, 0]


def test_ties_count_as_no_better() -> None:
    contrast = contrast_pairs(["a b", "a b", "c"], ["a b", "a b", "a d"], analyzer=str.split)
    assert contrast.z[0] == contrast.z[1]
    assert contrast.n_better.tolist() == [0, 0, 0]


@pytest.mark.parametrize(("left", "right"), [([], []), (["a"], ["a"]), (["a", "b"], ["a"])])
def test_fewer_than_two_pairs_are_a_callers_mistake(left: list[str], right: list[str]) -> None:
    with pytest.raises(ValueError, match="not two pairs or more"):
        contrast_pairs(left, right, analyzer=str.split)


def test_texts_are_as_like_each_other_as_scikit_learn_says_and_a_text_without_a_term_is_like_none() -> None:
    texts = ["a b b c", "b c d", "", "e"]
    found = cosines(texts, analyzer=str.split)
    vectors = TfidfVectorizer(analyzer=str.split).fit_transform(texts)

    assert found == pytest.approx(cosine_similarity(vectors))
    assert found[2].tolist() == [0, 0, 0, 0]
    assert cosines(["", ""], analyzer=str.split).tolist() == [[0, 0], [0, 0]]
