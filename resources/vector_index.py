"""The index that retrieval searches: LanceDB, one table a bucket and embedding model. The only file that imports it.

A bucket has one writer at a time (the publish lock). Readers open the version that their release names, so what a
writer does next is not seen until the next release.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import lance
import lancedb
import pyarrow as pa
from lancedb.index import FTS, Bitmap, IvfRq

from domain import tables
from domain.errors import Permanent

_log = logging.getLogger(__name__)

_DELETE_BATCH = 5_000
_INDICES = {"text_idx", "user_id_idx"}
_TAG = "run-"
# Merges undo the order by user, in which one user's rows lie together: measured 31 ms against 132 ms a scan.
REWRITE_SHARE = 0.2
# Smaller tables are scanned faster than an index is asked, and IVF wants 256 rows a partition to train on.
_VECTOR_INDEX_FROM_ROWS = 10_000


@dataclass(frozen=True, slots=True)
class BucketVersion:
    """One bucket as a release names it."""

    table: str
    version: int
    rows: int


@dataclass(frozen=True, slots=True)
class Synced:
    """What bringing some days of a bucket up to date did, in rows."""

    written: int
    deleted: int


class VectorIndex:
    """The buckets under one folder, for one embedding model."""

    def __init__(self, root: Path, dim: int, fingerprint: str, vector_index: str = "none") -> None:
        self.root = root
        self._schema = tables.memories(dim)
        self._model = fingerprint[:12]
        self._vector_index = vector_index
        self._db = lancedb.connect(root)

    def table_name(self, bucket: int) -> str:
        """Return the name of a bucket's table; each model has its own, so vectors of two models never meet."""
        return f"memories-{self._model}-{bucket}"

    def holds(self, run_id: str, buckets: Sequence[BucketVersion]) -> bool:
        """Return whether the versions are there that a run has built: not so when a table was deleted, or made anew."""
        if not {bucket.table for bucket in buckets} <= set(self._db.list_tables().tables):
            return False
        return all(self._tagged(bucket.table, _TAG + run_id) == bucket.version for bucket in buckets)

    def _tagged(self, name: str, tag: str) -> int | None:
        tags: dict[str, Any] = self._db.open_table(name).tags.list()
        return tags[tag]["version"] if tag in tags else None

    def sync(self, bucket: int, wanted: pa.Table, days: Sequence[str]) -> Synced:
        """Make the bucket hold exactly ``wanted`` for the days, and leave its other days alone.

        Only rows that differ are written: what is there already is compared by ``row_digest``.

        Args:
            bucket: in [0, n_buckets).
            wanted: all rows of the bucket for those days, columns of ``domain.tables.memories``.
            days: ISO days.
        """
        table = self._open(bucket)
        there = _digests(table, days)
        fresh = [i for i, (key, digest) in enumerate(_keys(wanted)) if there.get(key) != digest]
        keep = set(wanted["id"].to_pylist())
        gone = [key for key in there if key not in keep]
        if fresh:
            table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all().execute(
                _in_order(wanted.take(fresh))
            )
        for start in range(0, len(gone), _DELETE_BATCH):
            table.delete(f"id IN ({_listed(gone[start : start + _DELETE_BATCH])})")
        return Synced(len(fresh), len(gone))

    def keep_only_days(self, days: Sequence[str]) -> None:
        """Delete the rows of all other days from this model's tables."""
        for name in self._db.list_tables().tables:
            if name.startswith(f"memories-{self._model}-"):
                self._db.open_table(name).delete(f"day NOT IN ({_listed(days)})" if days else "true")

    def settle(self, bucket: int) -> BucketVersion:
        """Bring a bucket's indices up to its last row, rewrite it in order where due, and return what it is now."""
        table = self._open(bucket)
        missing = not {index.name for index in table.list_indices()} >= _INDICES
        if _is_loose(table):
            table.add(_in_order(table.to_arrow()), mode="overwrite")
            missing = True
        if missing:
            self._make_indices(table)
        elif any(table.index_stats(name).num_unindexed_rows for name in _INDICES):
            lance.dataset(table.to_lance().uri).optimize.optimize_indices()
            table.checkout_latest()
        return BucketVersion(table.name, table.version, table.count_rows())

    def _open(self, bucket: int) -> Any:  # lancedb types its tables without the methods used here
        name = self.table_name(bucket)
        if name in self._db.list_tables().tables:
            return self._db.open_table(name)
        table: Any = self._db.create_table(name, schema=self._schema, exist_ok=True)
        # Without a key, merges at the same time duplicate rows without an error.
        table.set_unenforced_primary_key("id")
        return table

    def _make_indices(self, table: Any) -> None:
        rows = table.count_rows()
        if not rows:
            return
        table.create_index("user_id", config=Bitmap(), replace=True)
        # icu parts Chinese into words without dictionary files; positions are only for phrases, which nobody asks for.
        words = FTS(base_tokenizer="icu", language="English", stem=True, remove_stop_words=False, with_position=False)
        table.create_index("text", config=words, replace=True)
        if self._vector_index == "ivf_rq" and rows >= _VECTOR_INDEX_FROM_ROWS:
            table.create_index("vector", config=IvfRq(distance_type="cosine"), replace=True)

    def tag(self, run_id: str, buckets: Iterable[BucketVersion]) -> None:
        """Hold the versions that a run has built against cleaning."""
        for bucket in buckets:
            tags = self._db.open_table(bucket.table).tags
            change = tags.update if _TAG + run_id in tags.list() else tags.create
            change(_TAG + run_id, bucket.version)

    def clean(self, kept_run_ids: set[str], older_than: timedelta) -> int:
        """Remove versions older than ``older_than`` that no kept run has tagged; return the bytes freed.

        A reader of a version that goes breaks, so ``older_than`` is an hour or more while servers run.
        """
        freed = 0
        for name in self._db.list_tables().tables:
            table = self._db.open_table(name)
            for tag in table.tags.list():
                if tag.startswith(_TAG) and tag.removeprefix(_TAG) not in kept_run_ids:
                    table.tags.delete(tag)
            dataset = table.to_lance()
            freed += dataset.cleanup_old_versions(older_than, error_if_tagged_old_versions=False).bytes_removed
        return freed


class BucketReader:
    """Read-only view of one bucket at one version; any thread.

    Every method raises ``Permanent`` where the version, or a file of it, is gone or cannot be read.
    """

    def __init__(self, root: Path, bucket: BucketVersion) -> None:
        self._bucket = bucket
        with self._reading():
            self._table: Any = lancedb.connect(root).open_table(bucket.table)
            self._table.checkout(bucket.version)
            self._dataset = self._table.to_lance()

    def count_user(self, user_id: str) -> int:
        """Return how many rows a user has."""
        with self._reading():
            return int(self._table.count_rows(f"user_id = {quoted(user_id)}"))

    def user_rows(self, user_id: str, days: Iterable[str] | None = None) -> pa.Table:
        """Return all rows of a user, or those of some days."""
        within = "" if days is None else f" AND day IN ({_listed(days)})"
        return self._scanned(f"user_id = {quoted(user_id)}{within}")

    def ids_of(self, user_id: str, memory_ids: Iterable[str]) -> pa.Table:
        """Return all rows of the user's memories with these ids."""
        return self._scanned(f"user_id = {quoted(user_id)} AND memory_id IN ({_listed(memory_ids)})")

    def nearest(self, vector: Sequence[float], where: str, limit: int) -> list[tuple[str, float]]:
        """Return (memory_id, cosine) of the nearest rows that satisfy ``where``, best first.

        The filter holds before anything is cut. The vector index is used where there is one, refined tenfold
        (measured recall 1.0 with IVF_RQ); without one the scan is exact.
        """
        with self._reading():
            query = self._table.search(list(vector)).distance_type("cosine").where(where, prefilter=True)
            found = query.nprobes(20).refine_factor(10).limit(limit).select(["memory_id"]).to_arrow()
        return list(zip(found["memory_id"].to_pylist(), [1 - d for d in found["_distance"].to_pylist()], strict=True))

    def matching(self, words: str, where: str, limit: int) -> list[str]:
        """Return memory_ids of rows with any of the words that satisfy ``where``, best first."""
        with self._reading():
            query = self._table.search(words, query_type="fts").where(where, prefilter=True)
            return [str(i) for i in query.limit(limit).select(["memory_id"]).to_arrow()["memory_id"].to_pylist()]

    def _scanned(self, where: str) -> pa.Table:
        with self._reading():
            return self._dataset.scanner(filter=where).to_table()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn what Lance raises into one sentence.

        Raises:
            Permanent: in place of what was raised.
        """
        try:
            yield
        except (ValueError, OSError, RuntimeError) as error:
            raise Permanent(
                f"Version {self._bucket.version} of {self._bucket.table} in the index cannot be read: "
                "run `hindsight run publish`."
            ) from error


def are_there(root: Path, buckets: Iterable[BucketVersion]) -> bool:
    """Return whether the buckets' folders are there, without opening them."""
    return all((root / f"{bucket.table}.lance").is_dir() for bucket in buckets)


def quoted(value: str) -> str:
    """Return the SQL literal of a text; whatever it holds, it stays one value."""
    return "'" + value.replace("'", "''") + "'"


def unindexed_rows(root: Path, bucket: BucketVersion) -> int:
    """Return how many rows of a bucket the keyword index does not hold."""
    table = lancedb.connect(root).open_table(bucket.table)
    table.checkout(bucket.version)
    stats = table.index_stats("text_idx")
    return bucket.rows if stats is None else int(stats.num_unindexed_rows)


def _listed(values: Iterable[str]) -> str:
    return ", ".join(map(quoted, values))


def _in_order(rows: pa.Table) -> pa.Table:
    return rows.sort_by([(key, "ascending") for key in ("user_id", "occurred_at", "id")])


def _is_loose(table: Any) -> bool:
    """Return whether over a fifth of the rows lie outside the largest fragment, the one that is in order."""
    counts = [fragment.count_rows() for fragment in table.to_lance().get_fragments()]
    return len(counts) > 1 and sum(counts) - max(counts) > REWRITE_SHARE * sum(counts)


def _keys(rows: pa.Table) -> Iterable[tuple[str, str]]:
    return zip(rows["id"].to_pylist(), rows["row_digest"].to_pylist(), strict=True)


def _digests(table: Any, days: Sequence[str]) -> dict[str, str]:
    where = f"day IN ({_listed(days)})" if days else "false"
    return dict(_keys(table.to_lance().scanner(columns=["id", "row_digest"], filter=where).to_table()))
