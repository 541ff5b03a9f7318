"""Retrieval: a user's released rows and tail, searched by meaning and by words, fused into one order."""

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from domain import ids
from domain.text import tokens
from mcp_app.block import Block, Filters
from mcp_app.embedding import EmbeddingWorker
from mcp_app.search import CANDIDATES, Hit, Query, hits
from mcp_app.tail import Tails, UserTail
from resources.event_log import EventLog
from resources.releases import Manifest, Releases
from resources.vector_index import BucketReader, quoted

_TAIL_WAIT_SECONDS = 1.5
_QUERY_WAIT_SECONDS = 4.0
_BLOCKS_BYTES = 400_000_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What a retrieval found.

    Attributes:
        hits: best first, all that any search found.
        partial: some rows took part by words only, or the model did not answer in time.
        release: number of the release that was read, 0 before the first.
        pending_events: how many of the user's events the release lacks; they were searched as well.
    """

    hits: Sequence[Hit]
    partial: bool
    release: int
    pending_events: int


@dataclass(slots=True)
class _Cached:
    block: Block | None
    n_rows: int
    bytes: int


class Retrieval:
    """Searches one data folder; any thread."""

    def __init__(
        self, log: EventLog, lake_dir: Path, index_dir: Path, worker: EmbeddingWorker, exact_rows: int
    ) -> None:
        self._releases = Releases(lake_dir)
        self._index_dir = index_dir
        self._worker = worker
        self._exact_rows = exact_rows
        self._tails = Tails(log)
        self._lock = threading.Lock()
        self._blocks: OrderedDict[tuple[int, str], _Cached] = OrderedDict()
        self._readers: dict[tuple[int, int], BucketReader] = {}

    def manifest(self) -> Manifest | None:
        """Return the current release."""
        return self._releases.current()

    def tail(self, user_id: str) -> UserTail:
        """Return the user's tail against the current release."""
        return self._tails.of(user_id, self.manifest(), self._worker.embedder.fingerprint)

    def search(
        self, user_id: str, query: str, filters: Filters, min_similarity: float = 0.0, deadline_seconds: float = 5.0
    ) -> Answer:
        """Return every memory of the user that meaning or words find, best first.

        Args:
            user_id: whose memories; no other user's row is ever read.
            query: what is looked for.
            filters: applied before anything is cut.
            min_similarity: in [0, 1]; above 0 only memories at least so similar are found.
            deadline_seconds: the model gets what is left of it after the rest.
        """
        started = time.monotonic()
        manifest = self.manifest()
        tail = self._tails.of(user_id, manifest, self._worker.embedder.fingerprint)
        vector = self._worker.query(query, min(_QUERY_WAIT_SECONDS, deadline_seconds - 0.5))
        left = deadline_seconds - (time.monotonic() - started)
        fresh = self._tail_block(tail, min(_TAIL_WAIT_SECONDS, left - 0.3) if vector is not None else 0.0)
        same_model = manifest is None or manifest.embedder["fingerprint"] == self._worker.embedder.fingerprint
        released = self._released(user_id, query, vector if same_model else None, manifest, filters)
        usable = vector if same_model else None
        wanted = Query(query, usable, filters, min_similarity, self._worker.embedder.calibration)
        found = hits([released, fresh], [tail.event_ids, frozenset()], wanted)
        partial = usable is None or not bool(fresh.embedded.all())
        return Answer(found, partial, manifest.release if manifest else 0, tail.pending_events)

    def _tail_block(self, tail: UserTail, wait_seconds: float) -> Block:
        vectors = self._worker.vectors([row["text"] for row in tail.rows], wait_seconds) if tail.rows else {}
        dim = self._worker.embedder.dim if tail.rows else 1
        matrix = np.zeros((len(tail.rows), dim), np.float32)
        embedded = np.zeros(len(tail.rows), np.bool_)
        for n, row in enumerate(tail.rows):
            if (vector := vectors.get(row["text"])) is not None:
                matrix[n], embedded[n] = vector, True
        return Block(tail.rows, matrix, embedded)

    def _released(
        self, user_id: str, query: str, vector: NDArray[np.float32] | None, manifest: Manifest | None, filters: Filters
    ) -> Block:
        """Return the user's released rows: all of them, or the index's candidates for a user beyond the bound."""
        if manifest is None:
            return _EMPTY
        reader = self._reader(manifest, ids.bucket(user_id, len(manifest.buckets)))
        key = (manifest.release, user_id)
        with self._lock:
            cached = self._blocks.get(key)
            if cached:
                self._blocks.move_to_end(key)
        if cached is None:
            cached = self._load(reader, user_id)
            self._remember(key, cached)
        if cached.block is not None:
            return cached.block
        where = _where(user_id, filters)
        found = reader.matching(query, where, CANDIDATES) if tokens(query) else []
        if vector is not None:
            found += [key for key, _ in reader.nearest(vector.tolist(), where, CANDIDATES)]
        return _block(reader.ids_of(user_id, dict.fromkeys(found))) if found else _EMPTY

    def _load(self, reader: BucketReader, user_id: str) -> _Cached:
        n_rows = reader.count_user(user_id)
        if n_rows > self._exact_rows:
            return _Cached(None, n_rows, 0)
        block = _block(reader.user_rows(user_id)) if n_rows else _EMPTY
        return _Cached(block, n_rows, block.vectors.nbytes + 2_000 * n_rows)

    def _remember(self, key: tuple[int, str], cached: _Cached) -> None:
        with self._lock:
            self._blocks[key] = cached
            for old in [k for k in self._blocks if k[0] < key[0] and k[1] == key[1]]:
                del self._blocks[old]
            total = sum(entry.bytes for entry in self._blocks.values())
            while total > _BLOCKS_BYTES and len(self._blocks) > 1:
                total -= self._blocks.popitem(last=False)[1].bytes

    def _reader(self, manifest: Manifest, bucket: int) -> BucketReader:
        key = (manifest.release, bucket)
        with self._lock:
            if key not in self._readers:
                self._readers = {k: r for k, r in self._readers.items() if k[0] == manifest.release}
                self._readers[key] = BucketReader(self._index_dir, manifest.buckets[bucket])
            return self._readers[key]


_EMPTY = Block((), np.zeros((0, 1), np.float32), np.zeros(0, np.bool_))


def _block(table: Any) -> Block:
    flat = table["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=False).astype(np.float32)
    rows = table.drop_columns(["vector"]).to_pylist()
    return Block(rows, flat.reshape(len(rows), -1), np.ones(len(rows), np.bool_))


def _where(user_id: str, filters: Filters) -> str:
    """Return the filters as SQL for the index; they are applied again, exactly, to the rows that it gives."""
    parts = [f"user_id = {quoted(user_id)}", f"scope IN ({', '.join(map(quoted, sorted(filters.scopes)))})"]
    parts.append(f"(expires_at IS NULL OR expires_at > {_instant(filters.now)})")
    if filters.since:
        parts.append(f"occurred_at >= {_instant(filters.since)}")
    if filters.until:
        parts.append(f"occurred_at < {_instant(filters.until)}")
    chosen = {"kind": filters.kinds, "facet": filters.facets, "category": filters.categories}
    parts += [f"{name} IN ({', '.join(map(quoted, sorted(values)))})" for name, values in chosen.items() if values]
    if filters.emotion:
        parts.append(f"emotion = {quoted(filters.emotion)}")
    return " AND ".join(parts)


def _instant(moment: datetime) -> str:
    return f"arrow_cast({int(moment.timestamp() * 1_000_000)}, 'Timestamp(Microsecond, Some(\"UTC\"))')"
