"""The lake: Parquet tables, one file a table and partition, each replaced whole and never by an older one.

``{root}/{table}/{partition}.parquet``; ``_empty.parquet`` holds each table's columns, so that a glob over a table
without partitions is no error. The file's own metadata say which events it was made from (``max_seq``) and what it
holds (``digest``).
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from domain import ids
from domain.errors import BadInput, Permanent
from resources.files import locked, replacing

_log = logging.getLogger(__name__)

_EMPTY = "_empty"
_NO_STAMP = {"max_seq": "0", "digest": "", "made_from": "", "fingerprint": ""}


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a partition's file was made from.

    Attributes:
        max_seq: the highest seq among the events of its day that it was made from.
        digest: stands for its rows; equal rows give an equal digest.
        made_from: digest of the rows of the table before it, empty for the first table.
        fingerprint: of the embedding model, empty where the table holds no vectors.
        rows: how many rows the file has.
    """

    max_seq: int
    digest: str
    made_from: str
    fingerprint: str
    rows: int

    def is_of(self, source: "Stamp", fingerprint: str) -> bool:
        """Return whether the rows were made from exactly these, by who has this fingerprint."""
        return bool(self.digest) and self.made_from == source.digest and self.fingerprint == fingerprint

    def of_nothing(self) -> "Stamp":
        """Return the stamp of rows that lack a part of what is there: whoever compares the two finds them due."""
        return replace(self, digest="")


NOTHING = Stamp(0, "", "", "", 0)


class Lake:
    """The tables under one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._stamps: dict[Path, tuple[tuple[int, int, int], Stamp]] = {}

    def path(self, table: str, partition: str) -> Path:
        """Return where a partition's file is, or would be."""
        return self.root / table / f"{partition}.parquet"

    def ensure(self, schemas: Mapping[str, pa.Schema]) -> None:
        """Make the empty file of every table that has none."""
        for table, schema in schemas.items():
            path = self.path(table, _EMPTY)
            if not path.exists():
                self._put(path, schema.empty_table(), _NO_STAMP)

    def write(self, table: str, partition: str, rows: pa.Table, source: Stamp, fingerprint: str = "") -> bool:
        """Replace a partition's file, durable when this returns.

        Args:
            table: its name.
            partition: an ISO day.
            rows: all rows of the partition, in their order.
            source: of the rows they were made from (``stamp_of``); for the first table one with the highest seq alone.
            fingerprint: of the model that made its vectors.

        Returns:
            False when the file there was made from later events; then nothing was written.

        Raises:
            Temporary: another process holds the partition's lock for a minute.
        """
        path = self.path(table, partition)
        stamp = {
            "max_seq": str(source.max_seq),
            "digest": _digest(rows),
            "made_from": source.digest,
            "fingerprint": fingerprint,
        }
        with locked(self.root / ".locks" / f"{table}.lock", 60, f"Writing {table} of {partition}"):
            if self.stamp(table, partition).max_seq > source.max_seq:
                return False
            if not source.max_seq and not path.exists():
                return True  # a day on which nothing happened has no file
            self._put(path, rows, stamp)
            self._keep_columns(table, rows.schema)
        return True

    def replace(self, table: str, partition: str, rows: pa.Table, source: Stamp) -> bool:
        """Replace the file of a table that has one from the start; return False where it has these rows already.

        For tables whose writer holds a lock of its own: nothing is compared but the rows.
        """
        digest = _digest(rows)
        if self.stamp(table, partition).digest == digest:
            return False
        stamp = {**_NO_STAMP, "max_seq": str(source.max_seq), "digest": digest, "made_from": source.digest}
        self._put(self.path(table, partition), rows, stamp)
        return True

    def read(self, table: str, partition: str, columns: list[str] | None = None) -> pa.Table | None:
        """Return a partition's rows, or None where it has no file.

        Raises:
            Permanent: the file is not readable as Parquet.
        """
        path = self.path(table, partition)
        try:
            # One open file: read by its path it is opened twice, and the second may be a newer one.
            with pa.OSFile(str(path)) as file:
                return pq.ParquetFile(file).read(columns)
        except FileNotFoundError:
            return None
        except (pa.ArrowInvalid, OSError) as error:
            raise Permanent(_broken(path)) from error

    def stamp(self, table: str, partition: str) -> Stamp:
        """Return what a partition's file was made from; all zero and empty where there is none, or none to be read.

        A broken file thus counts as made from nothing: its day is due, and its next run replaces it.
        """
        return self._stamp(self.path(table, partition))

    def stamps(self, table: str) -> dict[str, Stamp]:
        """Return the stamp of every partition of a table, by partition, ascending."""
        folder = self.root / table
        names = sorted(p.stem for p in folder.glob("*.parquet") if p.stem != _EMPTY) if folder.is_dir() else []
        return {name: self.stamp(table, name) for name in names}

    def _stamp(self, path: Path) -> Stamp:
        try:
            stat = path.stat()
        except FileNotFoundError:
            return NOTHING
        key = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        known = self._stamps.get(path)
        if known is None or known[0] != key:
            known = (key, _read_stamp(path))
            self._stamps[path] = known
        return known[1]

    def _keep_columns(self, table: str, schema: pa.Schema) -> None:
        """Give the empty file the columns of the newest partition: a vector's length is known with the first one."""
        path = self.path(table, _EMPTY)
        if not path.exists() or pq.read_schema(path).remove_metadata() != schema.remove_metadata():
            self._put(path, schema.empty_table(), _NO_STAMP)

    @staticmethod
    def _put(path: Path, rows: pa.Table, stamp: Mapping[str, str]) -> None:
        marked = rows.replace_schema_metadata({f"hindsight.{key}": value for key, value in stamp.items()})
        with replacing(path) as temporary:
            pq.write_table(marked, temporary, compression="zstd", store_schema=True)


def seen(max_seq: int) -> Stamp:
    """Return the stamp of the event log up to a seq: what the first table is made from."""
    return Stamp(max_seq, "", "", "", 0)


def stamp_of(rows: pa.Table | None) -> Stamp:
    """Return what the file was made from that these rows were read from: the file may have been replaced since."""
    return _stamp_in(rows.schema.metadata or {}, len(rows)) if rows is not None else NOTHING


def _read_stamp(path: Path) -> Stamp:
    try:
        footer = pq.read_metadata(path)
        return _stamp_in(footer.metadata or {}, footer.num_rows)
    except (pa.ArrowInvalid, OSError) as error:
        if isinstance(error, OSError) and error.errno:  # the disk's fault; Arrow's own have no number
            raise Permanent(f"{path.parent.name}/{path.name} in the lake cannot be read: {error}") from error
        _log.warning("%s/%s in the lake is broken (%s): its day will be made again", path.parent.name, path.name, error)
        return NOTHING


def _stamp_in(metadata: Mapping[bytes, bytes], n_rows: int) -> Stamp:
    value = {
        key: metadata.get(f"hindsight.{key}".encode(), default.encode()).decode() for key, default in _NO_STAMP.items()
    }
    return Stamp(int(value["max_seq"]), value["digest"], value["made_from"], value["fingerprint"], n_rows)


def _digest(rows: pa.Table) -> str:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema.remove_metadata()) as writer:
        writer.write_table(rows.combine_chunks())
    return ids.digest_bytes(memoryview(sink.getvalue()))


def _broken(path: Path) -> str:
    return (
        f"{path.parent.name}/{path.name} in the lake is not readable: delete the file and materialise that day again; "
        "the event log has all that it was made from."
    )


def checked(rows: pa.Table, schema: pa.Schema, key: str | None = None) -> pa.Table:
    """Return ``rows`` as they are, when they have exactly these columns and one row a key (where one is named).

    Raises:
        BadInput: columns or types differ, a required value is missing, or a key comes twice; names it.
    """
    if rows.schema.remove_metadata() != schema:
        raise BadInput(f"columns are {rows.schema.names}, the table has {schema.names} (names and types must agree)")
    for field in schema:
        if not field.nullable and rows[field.name].null_count:
            raise BadInput(f"column {field.name} must not be empty, {rows[field.name].null_count} rows are")
    if key is not None and len(rows[key].unique()) != len(rows):
        raise BadInput(f"column {key} must name each row once, {len(rows) - len(rows[key].unique())} rows repeat one")
    return rows
