"""Okapi BM25 over one user's own rows, in parts that are scored together. Pure.

The statistics are those of the rows that may be answered: neither another user's rows nor hidden ones move a score.
k1 = 1.2, b = 0.75: the values of Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework", §3.2.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

K1 = 1.2
B = 0.75

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The words of some rows.

    Attributes:
        postings: for each word, the rows (ascending) that hold it and how often.
        lengths: (n,) words a row.
    """

    postings: dict[str, tuple[NDArray[np.int32], NDArray[np.int32]]]
    lengths: NDArray[np.int32]


def corpus(rows: Iterable[Sequence[str]]) -> Corpus:
    """Return the corpus of rows, each given as its words (``domain.text.tokens``)."""
    places: dict[str, list[int]] = defaultdict(list)
    counts: dict[str, list[int]] = defaultdict(list)
    lengths: list[int] = []
    for n, words in enumerate(rows):
        lengths.append(len(words))
        for word, count in Counter(words).items():
            places[word].append(n)
            counts[word].append(count)
    postings = {word: (np.array(at, np.int32), np.array(counts[word], np.int32)) for word, at in places.items()}
    return Corpus(postings, np.array(lengths, np.int32))


def scores(corpora: Sequence[Corpus], readable: Sequence[Mask], query: Sequence[str]) -> list[Floats]:
    """Return the BM25 score of every row of every corpus, 0 for rows that are not readable or share no word.

    Args:
        corpora: parts of one collection, such as index and tail.
        readable: for each part (n,) which rows count; the others have no part in the statistics either.
        query: its words.
    """
    n_rows = sum(int(mask.sum()) for mask in readable)
    n_words = sum(int(part.lengths[mask].sum()) for part, mask in zip(corpora, readable, strict=True))
    mean_length = n_words / n_rows if n_words else 1.0
    found = [np.zeros(len(part.lengths)) for part in corpora]
    for word in dict.fromkeys(query):
        hits = [_hits(part, mask, word) for part, mask in zip(corpora, readable, strict=True)]
        n_hits = sum(len(rows) for rows, _ in hits)
        idf = np.log1p((n_rows - n_hits + 0.5) / (n_hits + 0.5))
        for part, score, (rows, counts) in zip(corpora, found, hits, strict=True):
            norm = K1 * (1 - B + B * part.lengths[rows] / mean_length)
            score[rows] += idf * counts * (K1 + 1) / (counts + norm)
    return found


def _hits(part: Corpus, mask: Mask, word: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    empty = np.zeros(0, np.int32)
    rows, counts = part.postings.get(word, (empty, empty))
    visible = mask[rows]
    return rows[visible], counts[visible]
