"""Vectors kept on disk, so that no text is embedded twice: one SQLite file shared by the pipeline and the server.

It holds hashes of texts, never the texts. Losing it costs time only, so a damaged file is moved aside and begun anew.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from domain import ids
from domain.errors import Temporary
from resources import files
from resources.embedder import Embedder, Progress

log = logging.getLogger(__name__)

Vector = NDArray[np.float16]
T = TypeVar("T")

_STORED = np.dtype("<f2")
_BUSY_SECONDS = 30.0
_KEYS_AT_ONCE = 500  # below every build's bound on variables of a statement
_TEXTS_AT_ONCE = 128  # about a second of work is lost by a kill
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    text_hash BLOB NOT NULL,
    fingerprint TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (text_hash, fingerprint)
)
"""


class VectorCache:
    """Passage vectors by (text, fingerprint of the model); for any number of threads and processes.

    Args:
        path: the SQLite file; it and its folder are made on first use.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._inode = 0

    def get_many(self, fingerprint: str, texts: Iterable[str]) -> dict[str, Vector]:
        """Return the known vectors, each (dim,) float16 of unit length, by text; unknown texts are left out.

        Raises:
            Temporary: the file cannot be read now (locked, no permission, disk error).
        """
        by_key = {_key(text): text for text in texts}
        keys = list(by_key)

        def read(connection: sqlite3.Connection) -> dict[str, Vector]:
            found = {}
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                part = keys[start : start + _KEYS_AT_ONCE]
                marks = ",".join("?" * len(part))
                query = f"SELECT text_hash, vector FROM vectors WHERE fingerprint = ? AND text_hash IN ({marks})"  # noqa: S608 - marks only
                for key, blob in connection.execute(query, [fingerprint, *part]):
                    found[by_key[key]] = np.frombuffer(blob, dtype=_STORED)
            return found

        return self._run(read)

    def put_many(self, fingerprint: str, vectors: Mapping[str, NDArray[np.floating[Any]]]) -> None:
        """Keep the vectors, each (dim,), under their texts as float16, in one transaction; known ones are replaced.

        Raises:
            Temporary: the file cannot be written now (locked, disk full, no permission).
        """
        rows = [(_key(text), fingerprint, vector.astype(_STORED).tobytes()) for text, vector in vectors.items()]

        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

        self._run(write)

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what ``work`` returns; on a damaged file it is done once more on a new one.

        Raises:
            Temporary: the file cannot be used now.
            DatabaseError: SQLite refuses what this class asks of it, which is a bug.
        """
        try:
            return self._tried(work)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            self._begin_anew(error)
            return self._tried(work)

    def _tried(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            with self._lock:
                return work(self._opened())
        except (sqlite3.OperationalError, OSError) as error:
            raise Temporary(f"the vector cache {self._path} cannot be used now: {error}") from error

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            with self._only_one():  # two processes that switch a new file to WAL at once get "locked" at once
                connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS, check_same_thread=False)
                self._inode = self._path.stat().st_ino
                try:
                    connection.execute("PRAGMA journal_mode = WAL")
                    connection.execute("PRAGMA synchronous = NORMAL")
                    connection.execute(_SCHEMA)
                except sqlite3.DatabaseError:
                    connection.close()
                    raise
            self._connection = connection
        return self._connection

    def _begin_anew(self, error: sqlite3.DatabaseError) -> None:
        """Move the damaged file aside, unless another process has done so."""
        self.close()
        with self._only_one():
            if not self._path.exists() or self._path.stat().st_ino != self._inode:
                return
            aside = self._path.with_name(f"{self._path.name}.damaged")
            log.warning("the vector cache %s is damaged (%s): moved to %s and begun anew", self._path, error, aside)
            self._path.replace(aside)
            for suffix in ("-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)

    def _only_one(self) -> AbstractContextManager[None]:
        return files.locked(self._path.with_name(f"{self._path.name}.lock"), _BUSY_SECONDS, "opening the vector cache")


def embed_cached(
    embedder: Embedder, cache: VectorCache, texts: Iterable[str], progress: Progress | None = None
) -> dict[str, Vector]:
    """Return the passage vector of each distinct text, (dim,) float16 with a norm within 1e-3 of 1.

    Only what the cache lacks is embedded; when it has all, the model is not even opened. New vectors are kept every
    128 texts, so that work which is killed is taken up where it was.

    Args:
        embedder: makes the vectors that are not known yet.
        cache: read first, then written.
        texts: none of them blank.
        progress: called with the number of distinct texts done since its last call, the known ones first.

    Raises:
        BadInput: a text is blank.
        Permanent: the model cannot be used.
        Temporary: the model or the cache cannot be reached now; what was embedded so far is kept.
    """
    distinct = list(dict.fromkeys(texts))
    vectors = cache.get_many(embedder.fingerprint, distinct)
    if progress and vectors:
        progress(len(vectors))
    # like lengths together over all texts, not only within a part
    missing = sorted((text for text in distinct if text not in vectors), key=len, reverse=True)
    for start in range(0, len(missing), _TEXTS_AT_ONCE):
        part = missing[start : start + _TEXTS_AT_ONCE]
        made = dict(zip(part, embedder.embed_passages(part, progress).astype(_STORED), strict=True))
        cache.put_many(embedder.fingerprint, made)
        vectors |= made
    return vectors


def _key(text: str) -> bytes:
    return bytes.fromhex(ids.digest(text))


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
