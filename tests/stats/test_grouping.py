"""Groups of short texts: seeded, and as steady as they are said to be."""

from __future__ import annotations

import math

import pytest

from audit.errors import UndefinedScoreError
from audit.stats.grouping import QUICK, group_texts, measure_stability
from audit.stats.grouping_words import stems
from tests.studies.low_reasons import REASONS

APPLES = [f"apple {word} orchard harvest" for word in ("red", "green", "ripe", "sour", "small", "large")]
BOATS = [f"boat {word} harbour sailing" for word in ("wooden", "slow", "fast", "steel", "white", "blue")]


def free(texts: list[str]) -> list[int | None]:
    return [None] * len(texts)


def test_texts_about_two_things_are_two_groups_with_the_words_that_set_them_apart() -> None:
    texts = [*APPLES, *BOATS[:5]]
    found = group_texts(texts, [], fixed=free(texts), seed=0)

    assert len(set(found.labels[:6])) == len(set(found.labels[6:])) == 1
    assert found.labels[0] == 0, "the greatest group comes first"
    assert {"apple", "orchard", "harvest"} <= set(found.keywords[0])
    assert all(0 < value <= 1 for value in found.centrality)


def test_a_given_group_draws_what_is_like_it_and_a_fixed_text_stays_where_it_is() -> None:
    texts = [*APPLES, *BOATS]
    found = group_texts(texts, ["harvest of an apple orchard"], fixed=free(texts), seed=0)
    assert found.labels[:6] == (0,) * 6
    assert set(found.labels[6:]) == {1}

    held = group_texts(texts, ["harvest of an apple orchard"], fixed=[*free(APPLES), 0, *free(BOATS[1:])], seed=0)
    assert held.labels[6] == 0
    assert set(held.labels[7:]) == {0}, "the others follow the one that was placed there"


def test_clear_groups_come_back_and_noise_does_not() -> None:
    texts = [*APPLES, *BOATS]
    clear = measure_stability(texts, [], fixed=free(texts), seed=0)
    names = "amber birch cedar delta ember fjord grove heath inlet jetty knoll ledge marsh north ocean plain"
    words = names.split()
    noise = [f"{a} {words[(7 * n + 3) % 16]}" for n, a in enumerate(words)]
    loose = measure_stability(noise, [], fixed=free(noise), seed=0)

    assert (clear.draws, clear.seeds) == (1.0, 1.0)
    assert clear.by_group == (1.0, 1.0)
    assert loose.draws < 0.9
    assert loose.interval.low < 0.6
    assert loose.interval.low <= loose.draws <= loose.interval.high


def test_the_quick_way_keeps_the_number_of_groups_and_says_the_same_of_clear_and_of_loose_ones() -> None:
    texts = [*APPLES, *BOATS]
    clear = measure_stability(texts, [], fixed=free(texts), seed=0, redraws=QUICK)
    texts = [text for _, text in REASONS]
    quick = measure_stability(texts, ["compensation refund voucher"], fixed=free(texts), seed=0, redraws=QUICK)
    whole = group_texts(texts, ["compensation refund voucher"], fixed=free(texts), seed=0)

    assert (clear.draws, clear.seeds, clear.by_group) == (1.0, 1.0, (1.0, 1.0))
    assert len(quick.by_group) == whole.n_groups
    assert 0 < quick.draws < 1
    assert quick == measure_stability(texts, ["compensation refund voucher"], fixed=free(texts), seed=0, redraws=QUICK)


def test_a_seed_gives_the_same_groups_and_figures() -> None:
    texts = [text for _, text in REASONS]
    given = ["compensation refund voucher"]

    assert group_texts(texts, given, fixed=free(texts), seed=3) == group_texts(texts, given, fixed=free(texts), seed=3)
    once, again = (measure_stability(texts, given, fixed=free(texts), seed=3) for _ in range(2))
    assert once == again


def test_what_nobody_can_part_is_one_group_and_has_no_stability() -> None:
    same = ["always the same words"] * 7
    assert set(group_texts(same, [], fixed=free(same), seed=0).labels) == {0}
    with pytest.raises(UndefinedScoreError, match="all reasons are in one group"):
        measure_stability(same, [], fixed=free(same), seed=0)
    blank = ["12", "?", "a1", "--", "b2"]
    assert group_texts(blank, [], fixed=free(blank), seed=0).keywords == ((),)


def test_too_few_texts_are_not_grouped() -> None:
    with pytest.raises(UndefinedScoreError, match="4 reasons; grouping needs 5"):
        group_texts(APPLES[:4], [], fixed=free(APPLES[:4]), seed=0)
    with pytest.raises(UndefinedScoreError, match="2 reasons are not placed by the codebook"):
        measure_stability(APPLES, ["apple"], fixed=[0, 0, 0, 0, None, None], seed=0)


def test_a_group_whose_every_text_is_placed_has_no_stability_of_its_own() -> None:
    found = measure_stability(
        [*APPLES, *BOATS], ["nothing like it", "apple"], fixed=[*free(APPLES), *[0] * 3, *free(BOATS[3:])], seed=0
    )
    assert not math.isnan(found.by_group[1])


def test_words_lose_their_endings_and_ids_and_keep_their_negation() -> None:
    assert stems("Not confirmed: bookings B17 and lib_03") == ["not", "confirm", "book", "lib"]


def test_texts_placed_in_a_group_draw_others_to_it_and_drive_none_away() -> None:
    placed = [f"{word} stands at the {word}{word} gate today" for word in ("one", "two", "three", "four", "five")]
    texts = ["refund amount wrong", "six stands at the other gate today", "zebra", "quagga", "okapi", "gnu", *placed]
    fixed = [*[None] * 6, *[0] * 5]
    free = group_texts(texts[:6], ["refund amount"], fixed=[None] * 6, seed=0)
    found = group_texts(texts, ["refund amount"], fixed=fixed, seed=0)

    assert (free.labels[0], free.labels[1] == 0) == (0, False)
    assert found.labels[:2] == (0, 0)
