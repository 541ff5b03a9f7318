"""Okapi BM25 over one user's own rows, in parts that are scored together. Pure.

The statistics are those of the rows that may be answered: neither another user's rows nor hidden ones move a score.
k1 = 1.2, b = 0.75: the values of Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework", §3.2.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from domain.text import tokens

K1 = 1.2
B = 0.75

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The words of some rows; word ``w`` with id i stands in ``rows[starts[i]:starts[i + 1]]``.

    Attributes:
        ids: of each word, from 0.
        starts: (words + 1,) where each word's rows begin.
        rows: row numbers, ascending within a word, each once.
        counts: how often the word stands in that row.
        lengths: (n,) words a row.
    """

    ids: dict[str, int]
    starts: NDArray[np.int64]
    rows: Ints
    counts: Ints
    lengths: Ints

    @property
    def nbytes(self) -> int:
        """Return about how much memory it takes (a word and its entry in the dictionary: 150 bytes)."""
        arrays = (self.starts, self.rows, self.counts, self.lengths)
        return 150 * len(self.ids) + sum(array.nbytes for array in arrays)


def corpus(rows: Iterable[Sequence[str]]) -> Corpus:
    """Return the corpus of rows, each given as its words (``domain.text.tokens``)."""
    ids: defaultdict[str, int] = defaultdict()
    ids.default_factory = ids.__len__
    lengths: list[int] = []

    def counted() -> Iterator[Sequence[str]]:
        for words in rows:
            lengths.append(len(words))
            yield words

    # One sort of (word, row) pairs as numbers: a third of the time that a dictionary of lists takes.
    words = np.fromiter(map(ids.__getitem__, chain.from_iterable(counted())), np.int64)
    n_rows = max(1, len(lengths))
    pairs = words * n_rows + np.repeat(np.arange(len(lengths)), lengths)
    distinct, counts = np.unique(pairs, return_counts=True)
    starts = np.searchsorted(distinct, np.arange(len(ids) + 1) * n_rows)
    return Corpus(
        dict(ids),
        starts.astype(np.int64),
        (distinct % n_rows).astype(np.int32),
        counts.astype(np.int32),
        np.array(lengths, np.int32),
    )


def scores(corpora: Sequence[Corpus], readable: Sequence[Mask], query: Sequence[str]) -> list[Floats]:
    """Return the BM25 score of every row of every corpus, 0 for rows that are not readable or share no word.

    A word of one character of a script without spaces is found inside the pairs that such texts are kept as.

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
        look_up = _inside_pairs if _stands_in_pairs(word) else _hits
        hits = [_readable(look_up(part, word), mask) for part, mask in zip(corpora, readable, strict=True)]
        n_hits = sum(len(rows) for rows, _ in hits)
        idf = np.log1p((n_rows - n_hits + 0.5) / (n_hits + 0.5))
        for part, score, (rows, counts) in zip(corpora, found, hits, strict=True):
            norm = K1 * (1 - B + B * part.lengths[rows] / mean_length)
            score[rows] += idf * counts * (K1 + 1) / (counts + norm)
    return found


def _hits(part: Corpus, word: str) -> tuple[Ints, Ints]:
    number = part.ids.get(word)
    here = slice(0, 0) if number is None else slice(part.starts[number], part.starts[number + 1])
    return part.rows[here], part.counts[here]


def _stands_in_pairs(word: str) -> bool:
    return len(word) == 1 and len(tokens(word * 3)) == 2


def _inside_pairs(part: Corpus, character: str) -> tuple[Ints, Ints]:
    """Return the rows that hold the character and how often: each stands first or last in a pair, mostly in both."""
    first, last = (np.zeros(len(part.lengths), np.int32) for _ in range(2))
    for word in (word for word in part.ids if character in word and len(word) <= 2):
        rows, counts = _hits(part, word)
        if word[0] == character:
            first[rows] += counts
        if word[-1] == character:
            last[rows] += counts
    counts = np.maximum(first, last)
    rows = np.flatnonzero(counts).astype(np.int32)
    return rows, counts[rows]


def _readable(hits: tuple[Ints, Ints], mask: Mask) -> tuple[Ints, Ints]:
    rows, counts = hits
    visible = mask[rows]
    return rows[visible], counts[visible]
