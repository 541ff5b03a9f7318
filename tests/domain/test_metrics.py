"""Scores of rankings, against values computed by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.metrics import NAMES, mean, scores


def test_by_hand() -> None:
    found = scores(["x", "a", "y", "a", "b"], ["a", "b", "c"])
    assert found["R@10"] == pytest.approx(2 / 3)
    gain = 1 / math.log2(3) + 1 / math.log2(5)  # the repeat is passed over, so that b is fourth
    assert found["nDCG@10"] == pytest.approx(gain / (1 + 1 / math.log2(3) + 1 / math.log2(4)))
    assert (found["any@10"], found["MRR"]) == (1.0, 0.5)


def test_beyond_the_cut() -> None:
    found = scores([*map(str, range(10)), "a"], ["a"])
    assert (found["R@10"], found["R@20"], found["any@10"], found["nDCG@10"]) == (0, 1, 0, 0)
    assert found["MRR"] == pytest.approx(1 / 11)


@given(st.permutations(list("abcdefgh")), st.sets(st.sampled_from("abcdefghxyz"), min_size=1))
def test_bounds(ranking: list[str], gold: set[str]) -> None:
    found = scores(ranking, gold)
    assert tuple(found) == NAMES
    assert all(0 <= value <= 1 + 1e-12 for value in found.values())
    best = scores([*sorted(gold), *(r for r in ranking if r not in gold)], gold)
    assert best["nDCG@10"] == pytest.approx(1)
    assert mean([found, best])["MRR"] == pytest.approx((found["MRR"] + best["MRR"]) / 2)
