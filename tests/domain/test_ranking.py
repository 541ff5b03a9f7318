"""How searches are fused into one order."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ranking import LOW_SALIENCE_FACTOR, RRF_K, fuse

NO_LOW: frozenset[str] = frozenset()


def test_first_everywhere_is_one_and_ranks_are_said() -> None:
    best, second = fuse({"vector": ["a", "b"], "words": ["a"]}, NO_LOW, {"a": 1.0, "b": 2.0})
    assert (best.key, best.score, best.ranks) == ("a", 1.0, {"vector": 1, "words": 1})
    assert second.score == pytest.approx((1 / (RRF_K + 2)) / (2 / (RRF_K + 1)))


def test_a_search_without_hits_does_not_lower_the_others() -> None:
    assert fuse({"vector": [], "words": ["a"]}, NO_LOW, {"a": 0.0})[0].score == 1.0
    assert fuse({"vector": [], "words": []}, NO_LOW, {}) == []


def test_small_talk_goes_down_by_its_factor() -> None:
    found = fuse({"words": ["hi", "peanuts"]}, frozenset({"hi"}), {"hi": 0.0, "peanuts": 0.0})
    assert [r.key for r in found] == ["peanuts", "hi"]
    assert found[1].score == pytest.approx(LOW_SALIENCE_FACTOR)
    assert found[1].factors == {"salience": LOW_SALIENCE_FACTOR}


def test_ties_go_to_the_newer_then_by_name() -> None:
    found = fuse(
        {"one": ["old"], "two": ["new"], "three": ["also new"]}, NO_LOW, {"old": 1.0, "new": 2.0, "also new": 2.0}
    )
    assert [r.key for r in found] == ["also new", "new", "old"]


@given(
    st.dictionaries(st.sampled_from("xyz"), st.lists(st.sampled_from("abcdef"), unique=True)),
    st.sets(st.sampled_from("abcdef")),
)
def test_every_memory_once_in_falling_order(searches: dict[str, list[str]], low: set[str]) -> None:
    found = fuse(searches, frozenset(low), dict.fromkeys("abcdef", 0.0))
    assert sorted(r.key for r in found) == sorted({key for keys in searches.values() for key in keys})
    assert all(a.score >= b.score for a, b in pairwise(found))
    assert all(0 < r.score <= 1 + 1e-12 for r in found)
