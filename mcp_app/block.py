"""One user's rows in memory, ready to be scored: their words, their vectors and what they are filtered by."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from domain import bm25, text
from domain.bm25 import Mask

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Filters:
    """What a caller narrows a retrieval to; None and empty filter nothing.

    Attributes:
        scopes: readable ones; always applied.
        now: what has expired by then is never found.
        since: earliest ``occurred_at``, aware, inclusive.
        until: latest, aware, exclusive.
    """

    scopes: frozenset[str]
    now: datetime
    since: datetime | None = None
    until: datetime | None = None
    kinds: frozenset[str] = frozenset()
    facets: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    emotion: str | None = None

    def allows(self, row: Row) -> bool:
        """Return whether a row may be found."""
        return (
            row["scope"] in self.scopes
            and (row["expires_at"] is None or row["expires_at"] > self.now)
            and (self.since is None or row["occurred_at"] >= self.since)
            and (self.until is None or row["occurred_at"] < self.until)
            and (not self.kinds or row["kind"] in self.kinds)
            and (not self.facets or row["facet"] in self.facets)
            and (not self.categories or row["category"] in self.categories)
            and (self.emotion is None or row["emotion"] == self.emotion)
        )


@dataclass(frozen=True)
class Block:
    """Rows of one user, columns of ``domain.tables.memories``.

    Attributes:
        rows: n rows.
        vectors: (n, dim) float32; a row without a vector yet is all zero.
        embedded: (n,) which rows have one.
    """

    rows: Sequence[Row]
    vectors: NDArray[np.float32]
    embedded: Mask

    @cached_property
    def corpus(self) -> bm25.Corpus:
        """The words of each row."""
        return bm25.corpus(words(row["text"]) for row in self.rows)

    @cached_property
    def rows_of(self) -> dict[str, list[int]]:
        """The places of each memory's rows."""
        places: dict[str, list[int]] = defaultdict(list)
        for n, row in enumerate(self.rows):
            places[row["memory_id"]].append(n)
        return dict(places)

    def readable(self, filters: Filters, is_hidden: Callable[[str], bool]) -> Mask:
        """Return (n,) which rows may be found."""
        found = (filters.allows(row) and not is_hidden(row["memory_id"]) for row in self.rows)
        return np.fromiter(found, np.bool_, len(self.rows))


# Words depend on the text alone; with each release a user's rows come anew, mostly the same ones.
@lru_cache(maxsize=200_000)
def words(of: str) -> tuple[str, ...]:
    """Return the words of a text as keyword search compares them."""
    return tuple(text.tokens(of))
