"""BM25 over the parts of one collection, against the plain formula."""

import math
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from domain.bm25 import K1, B, corpus, scores

WORDS = st.lists(st.sampled_from("abcde"), max_size=6)


def plain(rows: list[list[str]], query: list[str]) -> list[float]:
    """Return what the textbook says, row by row."""
    n, total = len(rows), sum(map(len, rows))
    found = []
    for row in rows:
        score = 0.0
        for word in set(query):
            n_hits = sum(word in other for other in rows)
            idf = math.log(1 + (n - n_hits + 0.5) / (n_hits + 0.5))
            count = Counter(row)[word]
            score += idf * count * (K1 + 1) / (count + K1 * (1 - B + B * len(row) / (total / n))) if count else 0
        found.append(score)
    return found


@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8), WORDS, st.data())
def test_two_parts_score_as_one_and_hidden_rows_have_no_say(
    one: list[list[str]], two: list[list[str]], query: list[str], data: st.DataObject
) -> None:
    masks = [np.array(data.draw(st.lists(st.booleans(), min_size=len(p), max_size=len(p))), bool) for p in (one, two)]
    found = np.concatenate(scores([corpus(one), corpus(two)], masks, query))
    shown = np.concatenate(masks)
    readable = [row for row, is_shown in zip([*one, *two], shown, strict=True) if is_shown]
    np.testing.assert_allclose(found[shown], plain(readable, query), atol=1e-9)
    assert not found[~shown].any()


def test_nothing_in_nothing() -> None:
    assert [
        part.tolist() for part in scores([corpus([]), corpus([[]])], [np.zeros(0, bool), np.ones(1, bool)], ["a"])
    ] == [[], [0.0]]


def test_a_rare_word_weighs_more_and_a_long_row_less() -> None:
    rows = [["tea"], ["tea", "milk"], ["tea", "ant", "bee", "cow", "dog"]]
    (found,) = scores([corpus(rows)], [np.ones(3, bool)], ["tea", "milk"])
    assert found[1] > found[0] > found[2] > 0
