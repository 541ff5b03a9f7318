"""One query over one user's blocks: by meaning, by words, and both fused. No disk, no clock: blocks in, hits out."""

from collections.abc import Iterator, Sequence
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
        calibration: of the model, for similarities.
    """

    text: str
    vector: NDArray[np.float32] | None
    filters: Filters
    min_similarity: float
    calibration: Calibration


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory that was found.

    Attributes:
        rows: its index rows, of all facets.
        ranked: its place and how it came there.
        similarity: of its best facet to the query, in [0, 1]; None without vectors.
    """

    rows: Sequence[Row]
    ranked: ranking.Ranked
    similarity: float | None


def hits(blocks: Sequence[Block], hidden: Sequence[frozenset[str]], query: Query) -> list[Hit]:
    """Return the memories that any search finds, best first.

    Args:
        blocks: parts of one user's rows, such as index and tail; no memory is in two of them, but for hidden ones.
        hidden: for each block the memory ids that must not be found in it.
        query: what is looked for.
    """
    masks = [block.readable(query.filters, ids.__contains__) for block, ids in zip(blocks, hidden, strict=True)]
    homes = {row["memory_id"]: block for block, mask in zip(blocks, masks, strict=True) for row in _kept(block, mask)}
    cosines = _best(blocks, _cosines(blocks, masks, query.vector))
    close = dict(zip(cosines, similarity(list(cosines.values()), query.calibration).tolist(), strict=True))
    words = _best(blocks, bm25.scores([block.corpus for block in blocks], masks, tokens(query.text)), above=0.0)
    searches = {"vector": list(cosines)[:CANDIDATES], "words": list(words)[:CANDIDATES]}
    if query.vector is None:  # nothing was looked up by meaning: rather the user's weightiest memories than none
        searches["salient"] = _most_salient(blocks, masks)[:CANDIDATES]
    if query.min_similarity > 0:
        searches = {k: [m for m in found if close.get(m, 0.0) >= query.min_similarity] for k, found in searches.items()}
    found = {memory_id: _rows(homes[memory_id], memory_id) for keys in searches.values() for memory_id in keys}
    low = frozenset(key for key, rows in found.items() if rows[0]["salience"] < labels.LOW_SALIENCE)
    when = {key: rows[0]["occurred_at"].timestamp() for key, rows in found.items()}
    return [Hit(found[r.key], r, close.get(r.key)) for r in ranking.fuse(searches, low, when)]


def _kept(block: Block, mask: Mask) -> Iterator[Row]:
    return (block.rows[int(n)] for n in np.flatnonzero(mask))


def _rows(block: Block, memory_id: str) -> list[Row]:
    return [block.rows[n] for n in block.rows_of[memory_id]]


def _cosines(blocks: Sequence[Block], masks: Sequence[Mask], vector: NDArray[np.float32] | None) -> list[Floats]:
    return [_cosine(block, mask, vector) for block, mask in zip(blocks, masks, strict=True)]


def _cosine(block: Block, mask: Mask, vector: NDArray[np.float32] | None) -> Floats:
    if vector is None or not len(mask):  # no rows have no width that the vector could be multiplied with
        return np.full(len(mask), -np.inf)
    return np.where(mask & block.embedded, block.vectors @ vector, -np.inf).astype(np.float64)


def _best(blocks: Sequence[Block], scores: Sequence[Floats], above: float = -np.inf) -> dict[str, float]:
    """Return the best score of each memory's rows, best first; rows at or below ``above`` are out."""
    best: dict[str, float] = {}
    for block, row_scores in zip(blocks, scores, strict=True):
        rows = np.flatnonzero(row_scores > above)
        for n in rows[np.argsort(-row_scores[rows], kind="stable")]:
            best.setdefault(block.rows[int(n)]["memory_id"], float(row_scores[n]))
    return dict(sorted(best.items(), key=lambda item: (-item[1], item[0])))


def _most_salient(blocks: Sequence[Block], masks: Sequence[Mask]) -> list[str]:
    rows = [row for block, mask in zip(blocks, masks, strict=True) for row in _kept(block, mask)]
    rows.sort(key=lambda row: (-row["salience"], -row["occurred_at"].timestamp(), row["memory_id"]))
    return list(dict.fromkeys(row["memory_id"] for row in rows))
