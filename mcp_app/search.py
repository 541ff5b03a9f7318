"""One query over one user's rows: by meaning, by words, and both fused. No disk, no clock: parts in, hits out."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from domain import bm25, labels, ranking
from domain.bm25 import Mask
from domain.similarity import Calibration, similarity
from domain.text import tokens
from mcp_app.block import Block, Filters, Row

# Each search hands on so many: deep enough that fusion changes nothing among the first pages.
CANDIDATES = 200

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for.

    Attributes:
        text: as the caller wrote it.
        vector: (dim,) of unit length; None when the model is not there.
        filters: which rows may be found.
        min_similarity: in [0, 1].
        calibration: of the model, for similarities; None when the model is not there.
    """

    text: str
    vector: NDArray[np.float32] | None
    filters: Filters
    min_similarity: float
    calibration: Calibration | None


@dataclass(frozen=True, slots=True)
class Part:
    """Rows to search, of which no memory is visible in another part.

    Attributes:
        block: the n rows.
        visible: (n,) which of them stand; others were replaced by a later part.
        vectors: (n, dim) float32.
        embedded: (n,) which rows have a vector yet.
    """

    block: Block
    visible: Mask
    vectors: NDArray[np.float32]
    embedded: Mask


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory that was found.

    Attributes:
        block: where its rows are.
        places: their numbers there, of all facets.
        ranked: its place and how it came there.
        similarity: of its best facet to the query, in [0, 1]; None without vectors.
    """

    block: Block
    places: Sequence[int]
    ranked: ranking.Ranked
    similarity: float | None

    @property
    def rows(self) -> list[Row]:
        """Return its index rows, of all facets."""
        return [self.block.row(place) for place in self.places]


def hits(parts: Sequence[Part], query: Query) -> list[Hit]:
    """Return the memories that any search finds, best first."""
    masks = [part.visible & part.block.readable(query.filters) for part in parts]
    found = _Memories(parts)
    words = bm25.scores([part.block.corpus for part in parts], masks, tokens(query.text))
    searches = {"words": found.best(found.of_rows(words), above=0.0)}
    close: dict[str, float] = {}
    if query.vector is not None and query.calibration is not None:
        cosines = found.of_rows(_cosines(parts, masks, query.vector))
        searches["vector"] = found.best(cosines, above=-np.inf)
        close = found.similarities(cosines, searches, query.calibration)
    else:  # nothing was looked up by meaning: below what shares a word, rather the weightiest memories than none
        searches["salient"] = list(dict.fromkeys([*searches["words"], *found.most_salient(masks)]))[:CANDIDATES]
    if query.min_similarity > 0:
        searches = {k: [m for m in keys if close.get(m, 0.0) >= query.min_similarity] for k, keys in searches.items()}
    return found.ranked(searches, close)


class _Memories:
    """The memories of all parts, numbered through."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._blocks = [part.block for part in parts]
        self._visible = [part.visible for part in parts]
        self._starts: list[int] = np.cumsum([0, *(len(block.memory_ids) for block in self._blocks)]).tolist()
        self._numbers: dict[str, int] = {}  # of those that were found

    def of_rows(self, scores: Sequence[Floats]) -> Floats:
        """Return the best score of each memory's rows."""
        best = np.full(self._starts[-1], -np.inf)
        for block, start, row_scores in zip(self._blocks, self._starts, scores, strict=False):
            np.maximum.at(best, start + block.memory_of, row_scores)
        return best

    def best(self, scores: Floats, above: float) -> list[str]:
        """Return the memories with the greatest scores, best first, ties by id; those at or below ``above`` are out."""
        numbers = np.flatnonzero(scores > above)
        if len(numbers) > CANDIDATES:
            last = np.partition(scores[numbers], -CANDIDATES)[-CANDIDATES]
            numbers = numbers[scores[numbers] >= last]
        keys = sorted((-float(scores[n]), self._id(int(n)), int(n)) for n in numbers)[:CANDIDATES]
        self._numbers.update((memory_id, n) for _, memory_id, n in keys)
        return [memory_id for _, memory_id, _ in keys]

    def most_salient(self, masks: Sequence[Mask]) -> list[str]:
        """Return the weightiest memories, of equal ones the newest first."""
        keys: list[tuple[float, int, str, int]] = []
        for start, block, mask in zip(self._starts, self._blocks, masks, strict=False):
            rows = np.flatnonzero(mask)
            order = np.lexsort((-block.occurred_us[rows], -block.salience[rows]))
            firsts = dict.fromkeys(block.memory_of[rows[order]].tolist())
            for memory in list(firsts)[:CANDIDATES]:
                row = block.rows_of(memory)[0]
                weight, moment = -float(block.salience[row]), -int(block.occurred_us[row])
                keys.append((weight, moment, block.memory_ids[memory], start + memory))
        keys = sorted(keys)[:CANDIDATES]
        self._numbers.update((memory_id, n) for *_, memory_id, n in keys)
        return [memory_id for *_, memory_id, _ in keys]

    def similarities(
        self, cosines: Floats, searches: Mapping[str, Sequence[str]], calibration: Calibration
    ) -> dict[str, float]:
        """Return how near each found memory is, in [0, 1]; one without a vector is left out."""
        keys = list(dict.fromkeys(key for found in searches.values() for key in found))
        values = cosines[[self._numbers[key] for key in keys]]
        scaled = similarity(values, calibration).tolist()
        return {k: s for k, s, cosine in zip(keys, scaled, values, strict=True) if cosine > -np.inf}

    def ranked(self, searches: Mapping[str, Sequence[str]], close: Mapping[str, float]) -> list[Hit]:
        """Return all that was found, in the order that fusion gives."""
        places = {key: self._place(key) for keys in searches.values() for key in keys}
        first = {key: (block, int(rows[0])) for key, (block, rows) in places.items()}
        low = frozenset(k for k, (block, row) in first.items() if block.salience[row] < labels.LOW_SALIENCE)
        when = {key: block.occurred_us[row] / 1e6 for key, (block, row) in first.items()}
        facts = {key: block.confidence_of(row) for key, (block, row) in first.items() if block.is_fact(row)}
        return [
            Hit(places[r.key][0], places[r.key][1].tolist(), r, close.get(r.key))
            for r in ranking.fuse(searches, low, when, facts)
        ]

    def _part(self, number: int) -> int:
        return bisect_right(self._starts, number) - 1

    def _id(self, number: int) -> str:
        part = self._part(number)
        return self._blocks[part].memory_ids[number - self._starts[part]]

    def _place(self, memory_id: str) -> tuple[Block, NDArray[np.int64]]:
        number = self._numbers[memory_id]
        part = self._part(number)
        block = self._blocks[part]
        rows = block.rows_of(number - self._starts[part])
        return block, rows[self._visible[part][rows]]


def _cosines(parts: Sequence[Part], masks: Sequence[Mask], vector: NDArray[np.float32]) -> list[Floats]:
    return [_cosine(part, mask, vector) for part, mask in zip(parts, masks, strict=True)]


def _cosine(part: Part, mask: Mask, vector: NDArray[np.float32]) -> Floats:
    usable = mask & part.embedded
    if not usable.any():  # then the vectors may be of no width at all
        return np.full(len(mask), -np.inf)
    return np.where(usable, part.vectors @ vector, -np.inf).astype(np.float64)
