"""What only SQLite needs for the event log: its file, its connections, and its errors as Hindsight's."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError

from domain.errors import BadInput, BadSettings, HindsightError, Permanent, Temporary

BEGIN_WRITE = "BEGIN IMMEDIATE"  # takes the write lock at once; a lock taken later may be refused without a wait


def file_of(url: str) -> Path:
    """Return the file that the URL names.

    Raises:
        BadSettings: it names none.
    """
    try:
        parsed = sa.make_url(url)
    except ArgumentError as error:
        raise BadSettings(f"the event log's URL {url!r} is no URL; use sqlite:///folder/events.db") from error
    if parsed.get_backend_name() != "sqlite" or parsed.database in {None, "", ":memory:"}:
        shown = parsed.render_as_string(hide_password=True)
        raise BadSettings(f"the event log cannot be in {shown!r}; use a file: sqlite:///folder/events.db")
    return Path(str(parsed.database))


def engine_of(url: str, busy_timeout: timedelta) -> sa.Engine:
    """Return an engine for the file; connections begin as their ``begin`` option says, ``BEGIN`` without one."""
    seconds = busy_timeout.total_seconds()
    # As many connections as there are readers at once: a reader never waits for another.
    engine = sa.create_engine(
        url, pool_size=8, max_overflow=-1, connect_args={"timeout": seconds, "check_same_thread": False}
    )

    @sa.event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # else the driver begins when it likes, and never IMMEDIATE
        connection.text_factory = _text
        _use_wal(connection, time.monotonic() + seconds)
        connection.execute("PRAGMA synchronous=FULL").close()

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))

    return engine


def _text(stored: bytes) -> str:
    """Return the text of a cell; broken bytes as lone surrogates, so that they fail one row and can be named."""
    return stored.decode(errors="surrogateescape")


def _use_wal(connection: sqlite3.Connection, deadline: float) -> None:
    """Turn the file to WAL, which it stays; of processes that try at once all but one are refused without a wait.

    Raises:
        OperationalError: it was refused until the deadline (``time.monotonic``), or for another reason.
    """
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.005)
        else:
            return


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turn what the store raises into Hindsight's errors.

    Raises:
        BadInput: the store refuses a value.
        Temporary: the store is locked or full.
        Permanent: the store is broken, read-only or no database.
    """
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        failure = _store_error(error.orig if isinstance(error, DBAPIError) else error, path)
        raise failure from error
    except UnicodeEncodeError as error:
        raise BadInput(f"{error.object!r} holds half of a surrogate pair; send whole characters") from error
    except OSError as error:
        raise Permanent(f"the folder of {path.name} cannot be made: {error.strerror}; check path and rights") from error


def _store_error(error: BaseException | None, path: Path) -> HindsightError:
    """Return what SQLite's error is to a caller, by its primary code."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return Temporary(f"{path.name} is locked by another process; try again, or end what writes to it for long")
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            return Temporary(f"{path.name} cannot be written or read now: {error}; check the disk's space, then retry")
        case sqlite3.SQLITE_TOOBIG | sqlite3.SQLITE_CONSTRAINT | sqlite3.SQLITE_MISMATCH:
            return BadInput(f"the event log refuses an event of the request: {error}; send a shorter payload")
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return Permanent(f"{path.name} is no intact event log: {error}; restore a backup, or move it away")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_AUTH:
            return Permanent(f"{path.name} cannot be opened for writing: {error}; check the rights of file and folder")
    return Permanent(f"{path.name} failed: {type(error).__name__}: {error}")
