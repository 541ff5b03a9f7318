"""Stage 5 of 6, index: the buckets that retrieval searches hold the rows of every day.

Reads ``episodes``, ``episode_vectors`` and ``facts``, writes the LanceDB buckets and stages a release. What a row is:
domain.facets; how it is written: resources.vector_index. Only days that changed since the last release are read, and
only rows that differ are written. The facts of a bucket of users count as a day of their own, ``facts-0`` and so on.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import dagster as dg
import numpy as np
import pyarrow as pa

from domain import facets, ids, tables
from domain.episodes import from_row
from domain.errors import Permanent
from resources.embedder import Embedder
from resources.event_log import EventLog
from resources.fact_tables import FactTables, fact_of
from resources.lake import Lake, Stamp, stamp_of
from resources.layout import publish_lock
from resources.releases import FACTS, Day, Manifest, Releases
from resources.settings import Settings
from resources.vector_cache import VectorCache, embed_cached
from resources.vector_index import VectorIndex, unindexed_rows

PORTION_ROWS = 20_000


@dg.asset(deps=["episode_vectors", "facts"], group_name="index", code_version="1", kinds={"lancedb"})
def memories_index(
    context: dg.AssetExecutionContext,
    lake: dg.ResourceParam[Lake],
    embedder: dg.ResourceParam[Embedder],
    settings: dg.ResourceParam[Settings],
    vector_cache: dg.ResourceParam[VectorCache],
    event_log: dg.ResourceParam[EventLog],
) -> dg.MaterializeResult:
    """What retrieval searches: a row for each facet of each memory, in buckets of users, with keyword index.

    Stages the new versions; the release asset publishes them when the checks have passed.
    """
    releases = Releases(lake.root)
    index = VectorIndex(settings.index_dir, embedder.dim, embedder.fingerprint, settings.vector_index)
    with publish_lock(settings):
        last = releases.current()
        same_model = last is not None and last.embedder["fingerprint"] == embedder.fingerprint
        known = last.days if last is not None and same_model and index.holds(last.run_id, last.buckets) else {}
        ready = ready_days(lake)
        _require_one_model(lake, embedder)
        changed = [day for day, state in ready.items() if day not in known or known[day].digest != state.digest]
        reader = _Reader(lake, embedder, vector_cache)
        synced, counts = _sync(index, reader, changed, settings.buckets)
        days = {**known, **{day: state for day, state in ready.items() if day not in changed}, **synced}
        if not known:
            index.keep_only_days(sorted(days))
        buckets = tuple(index.settle(bucket) for bucket in range(settings.buckets))
        releases.stage(
            Manifest(
                release=0,  # its number is given when it is published
                created_at=datetime.now(UTC).isoformat(),
                days=days,
                buckets=buckets,
                embedder={"name": embedder.name, "dim": embedder.dim, "fingerprint": embedder.fingerprint},
                reviewed_seq=FactTables(lake, event_log, settings).folded().seq,
                config_hash=settings.config_hash,
                run_id=context.run.run_id,
                checks={},
            )
        )
    rows = sum(bucket.rows for bucket in buckets)
    return dg.MaterializeResult(metadata={"rows": rows, "days_changed": len(synced), **counts})


def ready_days(lake: Lake) -> dict[str, Day]:
    """Return the days whose vectors were made from the episodes that are there now, and the buckets of facts.

    A day that an ingest run is at work on between those two tables is left as the last release has it.
    """
    days = {
        day: _state(stamp)
        for day, stamp in lake.stamps("episode_vectors").items()
        if stamp.digest and stamp.made_from == lake.stamp("episodes", day).digest
    }
    facts = {FACTS + name: _facts_state(stamp) for name, stamp in lake.stamps("facts").items() if stamp.digest}
    return days | facts


def _facts_state(facts: Stamp) -> Day:
    return Day(facts.max_seq, facts.digest, facts.rows)


def _state(vectors: Stamp) -> Day:
    return Day(vectors.max_seq, ids.digest(vectors.made_from, vectors.digest), vectors.rows)


def models(lake: Lake) -> set[str]:
    """Return the fingerprints of the models that the lake's vectors were made by."""
    return {stamp.fingerprint for stamp in lake.stamps("episode_vectors").values()} - {""}


def _require_one_model(lake: Lake, embedder: Embedder) -> None:
    if others := models(lake) - {embedder.fingerprint}:
        raise Permanent(
            f"Days of the lake hold vectors of {', '.join(sorted(others))}, the settings say {embedder.name} "
            f"({embedder.fingerprint}); vectors of two models are never mixed: run `hindsight run embeddings --all`."
        )


def _sync(
    index: VectorIndex, reader: "_Reader", days: list[str], n_buckets: int
) -> tuple[dict[str, Day], dict[str, int]]:
    """Bring the index up to date for the days, some at a time; return their states and the rows written and deleted.

    A day whose tables an ingest run is replacing just now is left out: the next publish takes it.
    """
    written = deleted = 0
    synced: dict[str, Day] = {}
    for some_days in reader.portions(days):
        read = {day: found for day in some_days if (found := reader.rows(day)) is not None}
        rows = pa.concat_tables([reader.schema.empty_table(), *(rows for _, rows in read.values())])
        owners = np.array([ids.bucket(user, n_buckets) for user in rows["user_id"].to_pylist()], dtype=np.int64)
        for bucket in range(n_buckets):
            done = index.sync(bucket, rows.take(np.flatnonzero(owners == bucket)), list(read))
            written, deleted = written + done.written, deleted + done.deleted
        synced |= {day: state for day, (state, _) in read.items()}
    return synced, {"rows_written": written, "rows_deleted": deleted}


class _Reader:
    """Reads the tables as index rows."""

    def __init__(self, lake: Lake, embedder: Embedder, cache: VectorCache) -> None:
        self._lake = lake
        self._embedder = embedder
        self._cache = cache
        self.schema = tables.memories(embedder.dim)
        self._bare = self.schema.remove(self.schema.get_field_index("vector"))

    def portions(self, days: list[str]) -> Iterator[list[str]]:
        """Yield the days in portions of about 20,000 rows, so that memory does not grow with what is kept."""
        portion: list[str] = []
        rows = 0
        for day in days:
            portion.append(day)
            table, partition = ("facts", day.removeprefix(FACTS)) if _is_facts(day) else ("episode_vectors", day)
            rows += self._lake.stamp(table, partition).rows
            if rows >= PORTION_ROWS:
                yield portion
                portion, rows = [], 0
        if portion:
            yield portion

    def rows(self, day: str) -> tuple[Day, pa.Table] | None:
        """Return a day's state and its index rows: (rows, columns of ``domain.tables.memories``).

        None where the two tables that were read are not of one state: an ingest run is replacing them just now.

        Raises:
            Permanent: an episode has no vector; says which day to materialise again.
        """
        return self._fact_rows(day) if _is_facts(day) else self._episode_rows(day)

    def _fact_rows(self, day: str) -> tuple[Day, pa.Table] | None:
        told = self._lake.read("facts", day.removeprefix(FACTS))
        if told is None:
            return None
        fingerprint = self._embedder.fingerprint
        rows = [facets.fact_index_row(fact_of(row), day, fingerprint) for row in told.to_pylist()]
        texts = [row["text"] for row in rows]
        vectors = embed_cached(self._embedder, self._cache, texts)
        flat = np.concatenate([vectors[text] for text in texts]) if texts else np.zeros(0, np.float16)
        column = pa.FixedSizeListArray.from_arrays(pa.array(flat, pa.float16()), self._embedder.dim)
        return _facts_state(stamp_of(told)), self._whole(rows, column)

    def _episode_rows(self, day: str) -> tuple[Day, pa.Table] | None:
        told, vectors = self._lake.read("episodes", day), self._lake.read("episode_vectors", day)
        if told is None or vectors is None or stamp_of(told).digest != stamp_of(vectors).made_from:
            return None
        place = {
            key: n
            for n, key in enumerate(zip(*(vectors[c].to_pylist() for c in ("memory_id", "facet", "part")), strict=True))
        }
        rows = [
            row
            for made in told.to_pylist()
            for row in facets.index_rows(from_row(made), day, self._embedder.fingerprint)
        ]
        try:
            order = [place[row["memory_id"], row["facet"], row["part"]] for row in rows]
        except KeyError as error:
            raise Permanent(
                f"No vector for {error} of {day}: materialise episode_vectors of that day again."
            ) from error
        return _state(stamp_of(vectors)), self._whole(rows, vectors["vector"].take(pa.array(order, pa.int64())))

    def _whole(self, rows: list[dict[str, Any]], vectors: pa.Array | pa.ChunkedArray) -> pa.Table:
        return pa.Table.from_pylist(rows, schema=self._bare).append_column(self.schema.field("vector"), vectors)


def _is_facts(day: str) -> bool:
    return day.startswith(FACTS)


@dg.asset_check(asset=memories_index, blocking=True)
def index_rows_equal_table_rows(
    context: dg.AssetCheckExecutionContext, lake: dg.ResourceParam[Lake]
) -> dg.AssetCheckResult:
    """The staged index holds as many rows as ``episode_vectors`` and ``facts``; otherwise nothing is released."""
    staged = Releases(lake.root).staged(context.run.run_id)
    in_index = sum(bucket.rows for bucket in staged.buckets)
    in_tables = sum(day.rows for day in staged.days.values())
    return dg.AssetCheckResult(passed=in_index == in_tables, metadata={"index_rows": in_index, "table_rows": in_tables})


@dg.asset_check(asset=memories_index, blocking=True)
def every_row_is_keyword_searchable(
    context: dg.AssetCheckExecutionContext, lake: dg.ResourceParam[Lake], settings: dg.ResourceParam[Settings]
) -> dg.AssetCheckResult:
    """No row of the staged index is missing from its keyword index; otherwise nothing is released."""
    staged = Releases(lake.root).staged(context.run.run_id)
    missing = sum(unindexed_rows(settings.index_dir, bucket) for bucket in staged.buckets)
    return dg.AssetCheckResult(passed=missing == 0, metadata={"rows_without_keywords": missing})
