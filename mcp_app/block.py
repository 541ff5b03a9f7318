"""Rows of one user in memory, ready to be searched: the columns to filter by as arrays, the words as a corpus."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from domain import bm25
from domain.bm25 import Mask
from domain.facets import CURRENT
from domain.tables import INSTANT
from domain.text import tokens

Row = Mapping[str, Any]
Instants = NDArray[np.int64]  # microseconds since 1970 in UTC

_CODED = ("memory_id", "scope", "kind", "status", "confidence", "facet", "category", "emotion", "day")
_INSTANTS = ("occurred_at", "recorded_at", "expires_at")
_NEVER = np.iinfo(np.int64).max
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Filters:
    """What a caller narrows a retrieval to; None and empty filter nothing.

    Attributes:
        scopes: readable ones; always applied.
        now: what has expired by then is never found.
        since: earliest ``occurred_at``, aware, inclusive.
        until: latest, aware, exclusive.
        known_by: only what was recorded by then; the pages of one answer share it.
        statuses: of facts; what is not a fact is always ``current``.
    """

    scopes: frozenset[str]
    now: datetime
    since: datetime | None = None
    until: datetime | None = None
    kinds: frozenset[str] = frozenset()
    facets: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    emotion: str | None = None
    known_by: datetime | None = None
    statuses: frozenset[str] = frozenset({CURRENT})

    def chosen(self) -> dict[str, frozenset[str]]:
        """Return, by column, the values of which a row must have one."""
        emotions = frozenset({self.emotion} if self.emotion else ())
        given = {"kind": self.kinds, "facet": self.facets, "category": self.categories, "emotion": emotions}
        return {
            "scope": self.scopes,
            "status": self.statuses,
            **{column: values for column, values in given.items() if values},
        }


def microseconds(moment: datetime) -> int:
    """Return an aware instant in microseconds since 1970; exact, unlike ``timestamp``."""
    return (moment - EPOCH) // timedelta(microseconds=1)


class Block:
    """Some rows of one user, columns of ``domain.tables.memories`` but for their vectors. Not changed once made.

    Args:
        column: gives a column by its name.
        row: gives a whole row by its number.

    Attributes:
        memory_ids: the memories, each once.
        memory_of: (n,) whose row it is, as a place in ``memory_ids``.
        occurred_us: (n,) when it happened.
        salience: (n,) in [0, 1].
        corpus: the words of each row.
    """

    def __init__(self, column: Callable[[str], pa.Array], row: Callable[[int], Row]) -> None:
        self.row = row
        self._codes: dict[str, NDArray[np.int32]] = {}
        self._values: dict[str, list[str]] = {}
        for name in _CODED:
            coded = column(name).dictionary_encode()
            self._codes[name] = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
            self._values[name] = coded.dictionary.to_pylist()
        self._instants = {
            name: column(name).cast(INSTANT).cast(pa.int64()).fill_null(_NEVER).to_numpy(zero_copy_only=False)
            for name in _INSTANTS
        }
        self.memory_ids = self._values["memory_id"]
        self.memory_of = self._codes["memory_id"]
        self.occurred_us: Instants = self._instants["occurred_at"]
        self.salience = column("salience").to_numpy(zero_copy_only=False)
        self.corpus = bm25.corpus(map(tokens, column("text").to_pylist()))
        self._by_memory = np.argsort(self.memory_of, kind="stable")
        self._starts = np.searchsorted(self.memory_of[self._by_memory], np.arange(len(self.memory_ids) + 1))
        self._places: dict[str, int] | None = None

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.memory_of)

    @property
    def nbytes(self) -> int:
        """Return about how much memory the arrays take."""
        return self.corpus.nbytes + len(self) * (4 * len(_CODED) + 8 * len(_INSTANTS) + 4)

    def rows_of(self, memory: int) -> NDArray[np.int64]:
        """Return the row numbers of a memory, ascending, by its place in ``memory_ids``."""
        return self._by_memory[self._starts[memory] : self._starts[memory + 1]]

    def is_fact(self, row: int) -> bool:
        """Return whether a row is of a fact."""
        return bool(self._values["kind"][self._codes["kind"][row]] == "fact")

    def confidence_of(self, row: int) -> str:
        """Return the confidence of a row's fact."""
        return str(self._values["confidence"][self._codes["confidence"][row]])

    def readable(self, filters: Filters) -> Mask:
        """Return (n,) which rows may be found."""
        mask = self._instants["expires_at"] > microseconds(filters.now)
        for column, values in filters.chosen().items():
            mask &= self.among(column, values)
        if filters.since:
            mask &= self.occurred_us >= microseconds(filters.since)
        if filters.until:
            mask &= self.occurred_us < microseconds(filters.until)
        if filters.known_by:
            mask &= self._instants["recorded_at"] <= microseconds(filters.known_by)
        return np.asarray(mask)

    def among(self, column: str, values: Collection[str]) -> Mask:
        """Return (n,) which rows have one of the values in a column."""
        known = self._values[column]
        is_wanted = np.fromiter((value in values for value in (*known, None)), np.bool_, len(known) + 1)
        return np.asarray(is_wanted[self._codes[column]])  # a null's code is -1: the last

    def of_memories(self, memory_ids: Iterable[str]) -> Mask:
        """Return (n,) which rows belong to one of the memories."""
        if self._places is None:
            self._places = {memory_id: n for n, memory_id in enumerate(self.memory_ids)}
        chosen = np.zeros(len(self.memory_ids), np.bool_)
        chosen[[n for m in memory_ids if (n := self._places.get(m)) is not None]] = True
        return np.asarray(chosen[self.memory_of])


def block_of_rows(rows: Sequence[Row]) -> Block:
    """Return the block of rows that are Python's."""
    types = {**dict.fromkeys(_INSTANTS, INSTANT), "salience": pa.float32()}
    return Block(lambda name: pa.array([row[name] for row in rows], types.get(name, pa.string())), rows.__getitem__)


def block_of_table(table: pa.Table) -> Block:
    """Return the block of an Arrow table; a row is made of it only when it is asked for."""
    columns = {name: table[name].combine_chunks() for name in table.column_names if name != "vector"}
    return Block(columns.__getitem__, lambda n: {name: column[n].as_py() for name, column in columns.items()})
