"""The event log: append-only, many writers, and every reader in every process sees a commit at once.

Reads and writes the table ``events``. One writer thread a process commits what is queued together (group commit): a
commit costs one flush to the disk however many events it holds, and writers that queue in the process do not starve
each other with the store's own retries. What counts as the same memory: domain.dedup. Which day: domain.days.
"""

import json
import queue
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import ArgumentError, DBAPIError

from domain.days import DayRule
from domain.errors import BadInput, BadSettings, HindsightError, Permanent, Temporary
from domain.ids import json_text
from domain.records import Appended, Event, NewEvent

MAX_GROUP_EVENTS = 512
_CHUNK = 500  # values in one IN list; SQLite takes 32,766 and is no faster with more
_TEXT_FIELDS = ("event_id", "kind", "user_id", "agent_id", "scope", "session_id")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_Value = str | int | None
_BIGINT = sa.BigInteger().with_variant(sa.Integer, "sqlite")  # INTEGER PRIMARY KEY is SQLite's own row id

_METADATA = sa.MetaData()
_EVENTS = sa.Table(
    "events",
    _METADATA,
    sa.Column("seq", _BIGINT, primary_key=True, autoincrement=False),
    sa.Column("event_id", sa.Text, nullable=False, unique=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("user_id", sa.Text, nullable=False),
    sa.Column("agent_id", sa.Text, nullable=False),
    sa.Column("scope", sa.Text, nullable=False),
    sa.Column("session_id", sa.Text, nullable=False),
    sa.Column("occurred_at", _BIGINT, nullable=False),
    sa.Column("utc_offset_min", sa.Integer, nullable=False),
    sa.Column("partition_day", sa.Text, nullable=False),
    sa.Column("recorded_at", _BIGINT, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("content_hash", sa.Text),
    sa.Index("events_of_user", "user_id", "seq"),
    sa.Index("events_of_day", "partition_day", "seq"),
    sa.Index("events_of_user_day", "user_id", "partition_day", "seq"),
    sa.Index("events_of_session", "user_id", "session_id", "seq"),
)
_E = _EVENTS.c
sa.Index(
    "events_of_content",
    _E.content_hash,
    _E.seq,
    sqlite_where=_E.content_hash.is_not(None),
    postgresql_where=_E.content_hash.is_not(None),
)

_LAST_SEQ = sa.select(sa.func.coalesce(sa.func.max(_E.seq), 0))
_WITH_ID = sa.select(_E.seq, _E.kind, _E.user_id, _E.scope, _E.payload).where(_E.event_id == sa.bindparam("id"))
_LAST_OF_CONTENT = (
    sa.select(_E.seq, _E.event_id, _E.occurred_at)
    .where(_E.content_hash == sa.bindparam("hash"))
    # Both are part of the hash; asked again so that no hash can answer with another's event.
    .where(_E.user_id == sa.bindparam("user"), _E.scope == sa.bindparam("scope"))
    .order_by(_E.seq.desc())
    .limit(1)
)
# Whatever was spoken later than the last event of a content is of another content.
_SPOKEN_SINCE = (
    sa.select(_E.seq)
    .where(_E.user_id == sa.bindparam("user"), _E.session_id == sa.bindparam("session"), _E.seq > sa.bindparam("last"))
    .where(_E.kind.in_([sa.literal_column("'memory'"), sa.literal_column("'message'")]))
    .limit(1)
)
_ROWS = sa.select(*(column for column in _E if column is not _E.content_hash)).order_by(_E.seq)
_BY_ID = _ROWS.where(_E.event_id.in_(sa.bindparam("ids", expanding=True)))
# One look-up a day: 22 µs each, where a list of ORs takes 60 and the planner may choose to read all of the user's rows.
_TAIL_OF_DAY = _ROWS.where(
    _E.user_id == sa.bindparam("user"), _E.partition_day == sa.bindparam("day"), _E.seq > sa.bindparam("floor")
)
_BACKLOG_OF_DAY = sa.select(sa.func.count(), sa.func.min(_E.seq)).where(
    _E.partition_day == sa.bindparam("day"), _E.seq > sa.bindparam("floor")
)


def _day_heads() -> sa.Select[tuple[str, int]]:
    """Return the statement for each day's greatest seq: one index look-up a day, not one a row."""
    first = sa.select(sa.func.min(_E.partition_day).label("day"))
    days = first.cte("days", recursive=True)
    following = sa.select(sa.func.min(_E.partition_day)).where(_E.partition_day > days.c.day).scalar_subquery()
    days = days.union_all(sa.select(following).where(days.c.day.is_not(None)))
    head = sa.select(sa.func.max(_E.seq)).where(_E.partition_day == days.c.day).scalar_subquery()
    return sa.select(days.c.day, head.label("head")).where(days.c.day.is_not(None)).order_by(days.c.day)


_DAY_HEADS = _day_heads()


@dataclass(frozen=True, slots=True)
class _Row:
    """A new event in the form its columns have, as far as the caller's thread can make it.

    Attributes:
        occurred_us: microseconds since 1970 in UTC.
        utc_offset_min: minutes east of UTC.
    """

    event: NewEvent
    payload: str
    occurred_us: int
    utc_offset_min: int


@dataclass(frozen=True, slots=True)
class _Request:
    """What one call of ``append`` handed over: all of it is written, or nothing."""

    rows: list[_Row]
    future: Future[list[Appended]]


class _Statement:
    """A statement compiled once for the driver's own cursor.

    SQLAlchemy adds 20 to 70 µs to each execution, a look-up takes 2: a commit of one event would take twice as long.
    """

    def __init__(self, statement: sa.Select[Any] | sa.Insert, dialect: sa.Dialect) -> None:
        compiled = dialect.statement_compiler(dialect, statement)
        self._sql = str(compiled)
        self._order = compiled.positiontup or []
        self._constants = {name: value for name, value in compiled.params.items() if value is not None}

    def __call__(self, cursor: DBAPICursor, **values: _Value) -> Sequence[Any] | None:
        """Return the first row, None where there is none."""
        values = self._constants | values
        cursor.execute(self._sql, [values[name] for name in self._order] if self._order else values)
        return cursor.fetchone() if cursor.description else None


class _Statements:
    """What a write transaction executes, in the driver's form."""

    def __init__(self, dialect: sa.Dialect) -> None:
        self.last_seq = _Statement(_LAST_SEQ, dialect)
        self.with_id = _Statement(_WITH_ID, dialect)
        self.last_of_content = _Statement(_LAST_OF_CONTENT, dialect)
        self.spoken_since = _Statement(_SPOKEN_SINCE, dialect)
        self.insert = _Statement(sa.insert(_EVENTS), dialect)


class _Transaction:
    """Adds events under the write lock, each after it was compared with those before it."""

    def __init__(self, cursor: DBAPICursor, statements: _Statements, days: DayRule, window: timedelta) -> None:
        self._cursor = cursor
        self._run = statements
        self._days = days
        self._window_us = window // _MICROSECOND
        # Taken under the write lock, so that it ascends with seq as long as the clock does.
        self._recorded_at = datetime.now(UTC)
        self._last_seq: int
        (self._last_seq,) = self._run.last_seq(cursor) or (0,)

    def add(self, row: _Row) -> Appended:
        """Return what became of an event; it is in the log if it is ``stored`` and the transaction is committed."""
        event = row.event
        if known := self._run.with_id(self._cursor, id=event.event_id):
            seq, *stored = known
            same = stored == [event.kind, event.user_id, event.scope, row.payload]
            return Appended("repeated" if same else "conflict", event.event_id, seq)
        return self._said_already(row) or self._inserted(row)

    def _said_already(self, row: _Row) -> Appended | None:
        event = row.event
        if event.content_hash is None:
            return None
        last = self._run.last_of_content(self._cursor, hash=event.content_hash, user=event.user_id, scope=event.scope)
        if last is None:
            return None
        seq, event_id, occurred_us = last
        if abs(row.occurred_us - occurred_us) > self._window_us:
            return None
        if self._run.spoken_since(self._cursor, user=event.user_id, session=event.session_id, last=seq):
            return None
        return Appended("duplicate", event_id, seq)

    def _inserted(self, row: _Row) -> Appended:
        event = row.event
        self._last_seq += 1
        self._run.insert(
            self._cursor,
            seq=self._last_seq,
            event_id=event.event_id,
            kind=event.kind,
            user_id=event.user_id,
            agent_id=event.agent_id,
            scope=event.scope,
            session_id=event.session_id,
            occurred_at=row.occurred_us,
            utc_offset_min=row.utc_offset_min,
            partition_day=self._days.of(event.occurred_at, self._recorded_at),
            recorded_at=_microseconds(self._recorded_at),
            payload=row.payload,
            content_hash=event.content_hash,
        )
        return Appended("stored", event.event_id, self._last_seq)


class EventLog:
    """The log in one database; every method may be called from any thread.

    Every method but ``close`` raises ``Temporary`` where the store is locked or full, and ``Permanent`` where it is
    broken, read-only or closed.

    Args:
        url: SQLAlchemy URL, ``sqlite:///…`` of a file; the file and its folder are made on first use.
        days: which day's tables an event belongs to.
        dedup_window: how far from its last telling, either side, the same content is a duplicate; 0 or more.
        busy_timeout: how long to wait for another process's write.

    Raises:
        BadSettings: the URL is not one of a SQLite file.
    """

    def __init__(
        self, url: str, days: DayRule, dedup_window: timedelta, *, busy_timeout: timedelta = timedelta(seconds=10)
    ) -> None:
        self._path = _sqlite_path(url)
        self._days = days
        self._window = dedup_window
        self._engine = _sqlite_engine(url, busy_timeout)
        self._statements = _Statements(self._engine.dialect)
        self._connection: sa.PoolProxiedConnection | None = None  # the writer thread's own
        self._lock = threading.Lock()
        self._has_schema = False
        self._is_closed = False
        self._writer: threading.Thread | None = None
        self._queue: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()

    def append(self, events: Sequence[NewEvent]) -> Future[list[Appended]]:
        """Return the future of what became of each event, in their order; it resolves once they are durable.

        The events are one request: if one is refused, or the commit fails, none is written and the future raises. An
        event that is ``repeated``, a ``conflict`` or a ``duplicate`` is no failure: the others are written. A request
        whose future is cancelled before its commit starts is not written.

        The future raises ``BadInput`` where an event cannot be stored (naming the field), ``Temporary`` where the
        store is locked or full, ``Permanent`` where it is broken or read-only; the log takes later events after each.

        Raises:
            Permanent: the log is closed.
        """
        future: Future[list[Appended]] = Future()
        try:
            request = _Request([_row(event, self._days) for event in events], future)
        except BadInput as refused:
            future.set_exception(refused)
            return future
        with self._lock:
            self._check_open()
            if self._writer is None:
                self._writer = self._started_writer()
            self._queue.put(request)
        return future

    def last_seq(self) -> int:
        """Return the greatest seq, 0 for an empty log."""
        with self._reading() as connection:
            return int(connection.execute(_LAST_SEQ).scalar_one())

    def count(self) -> int:
        """Return how many events there are."""
        with self._reading() as connection:
            return int(connection.execute(sa.select(sa.func.count()).select_from(_EVENTS)).scalar_one())

    def day_heads(self) -> dict[str, int]:
        """Return the greatest seq of each ISO day that has events, days ascending; costs by days, not by events."""
        with self._reading() as connection:
            return {row.day: row.head for row in connection.execute(_DAY_HEADS)}

    def backlog(self, floors: Mapping[str, int]) -> tuple[int, datetime | None]:
        """Return how many events lie above the floors, and when (UTC) the log took the oldest; None where none does.

        Args:
            floors: seq by ISO day; a day that is not named is left out.
        """
        heads = self.day_heads()
        total, oldest = 0, None
        with self._reading() as connection:
            for day in (day for day, floor in floors.items() if heads.get(day, 0) > floor):
                n_events, first = connection.execute(_BACKLOG_OF_DAY, {"day": day, "floor": floors[day]}).one()
                total += n_events
                oldest = min(first, oldest or first)
            if oldest is None:
                return 0, None
            recorded_us = connection.execute(sa.select(_E.recorded_at).where(_E.seq == oldest)).scalar_one()
        return total, _instant(recorded_us)

    def read_day(self, day: str, max_seq: int | None = None) -> list[Event]:
        """Return the events of an ISO day by seq, those up to ``max_seq`` if it is given."""
        statement = _ROWS.where(_E.partition_day == day)
        return self._events(statement if max_seq is None else statement.where(_E.seq <= max_seq))

    def read_user(self, user_id: str, after_seq: int) -> list[Event]:
        """Return the user's events whose seq is greater than ``after_seq``, by seq."""
        return self._events(_ROWS.where(_E.user_id == user_id, _E.seq > after_seq))

    def read_user_tail(self, user_id: str, floors: Mapping[str, int]) -> list[Event]:
        """Return the user's events above the floors, by seq.

        Args:
            user_id: whose events.
            floors: seq by ISO day; a day that is not named is left out.
        """
        days = [{"user": user_id, "day": day, "floor": floor} for day, floor in floors.items()]
        return self._events(_TAIL_OF_DAY, days)

    def read_session_day(self, user_id: str, session_id: str, day: str) -> list[Event]:
        """Return the events of one user's session on an ISO day, by seq."""
        return self._events(_ROWS.where(_E.user_id == user_id, _E.session_id == session_id, _E.partition_day == day))

    def find(self, event_ids: Sequence[str]) -> dict[str, Event]:
        """Return those of the events that are in the log, by id."""
        ids = sorted(set(event_ids))
        chunks = ({"ids": ids[start : start + _CHUNK]} for start in range(0, len(ids), _CHUNK))
        return {event.event_id: event for event in self._events(_BY_ID, chunks)}

    def close(self) -> None:
        """Write what is queued, then end the writer thread and the connections; again is harmless."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(None)
        while (writer := self._writer) is not None and writer.is_alive():
            writer.join()
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()

    def _check_open(self) -> None:
        if self._is_closed:
            raise Permanent(f"the event log {self._path.name} is closed; open a new EventLog to go on")

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        self._check_open()
        with _store_errors(self._path):
            self._make_schema()
            with self._engine.connect() as connection:
                yield connection

    def _events(self, statement: sa.Select[Any], runs: Iterable[Mapping[str, object]] = ({},)) -> list[Event]:
        """Return the events that the statement finds with each run's values, all from one state of the log, by seq."""
        with self._reading() as connection:
            events = [_event(row) for values in runs for row in connection.execute(statement, values)]
        return sorted(events, key=lambda event: event.seq)

    def _make_schema(self) -> None:
        if self._has_schema:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._engine.connect() as connection:
            self._has_schema = sa.inspect(connection).has_table(_EVENTS.name)
        if not self._has_schema:
            # Looks again under the write lock: another process may have made it meanwhile.
            with self._engine.execution_options(begin=_BEGIN_WRITE).begin() as connection:
                _METADATA.create_all(connection)
            self._has_schema = True

    def _started_writer(self) -> threading.Thread:
        # A daemon: a program that ends without close() has no acknowledged event left to wait for.
        writer = threading.Thread(target=self._write_until_closed, name="event-log-writer", daemon=True)
        writer.start()
        return writer

    def _write_until_closed(self) -> None:
        while group := self._next_group():
            try:
                self._commit(group)
            except BaseException as bug:
                for request in group:
                    if not request.future.done():
                        request.future.set_exception(bug)
                # This thread ends with its traceback; another serves those who wait behind.
                self._writer = self._started_writer()
                raise

    def _next_group(self) -> list[_Request]:
        """Return the requests to commit together, none when the log was closed and the queue is empty."""
        group: list[_Request] = []
        n_events = 0
        request = self._queue.get()
        while request is not None:
            if request.future.set_running_or_notify_cancel():
                group.append(request)
                n_events += len(request.rows)
            if n_events >= MAX_GROUP_EVENTS:
                return group
            try:
                request = self._queue.get(block=not group)
            except queue.Empty:
                return group
        if group:
            self._queue.put(None)  # nothing comes after a close: found again once this group is written
        return group

    def _commit(self, group: list[_Request]) -> None:
        try:
            answers = self._written(group)
        except BadInput as refused:
            if len(group) > 1:  # one of them is to blame: each alone
                for request in group:
                    self._commit([request])
            else:
                group[0].future.set_exception(refused)
        except HindsightError as failure:
            for request in group:
                request.future.set_exception(failure)
        else:
            for request, answer in zip(group, answers, strict=True):
                request.future.set_result(answer)

    def _written(self, group: list[_Request]) -> list[list[Appended]]:
        with _store_errors(self._path):
            self._make_schema()
            with self._writing() as cursor:
                transaction = _Transaction(cursor, self._statements, self._days, self._window)
                return [[transaction.add(row) for row in request.rows] for request in group]

    @contextmanager
    def _writing(self) -> Iterator[DBAPICursor]:
        """Hold the write lock; commit at the end, or drop the connection, and what was written with it, on an error."""
        connection = self._connection = self._connection or self._engine.raw_connection()
        try:
            cursor = connection.cursor()
            cursor.execute(_BEGIN_WRITE)
            yield cursor
            connection.commit()
        except BaseException:
            self._connection = None
            with suppress(self._engine.dialect.loaded_dbapi.Error):  # already rolled back, or beyond it
                # Closing alone keeps the lock for as long as the error's traceback holds a cursor.
                connection.rollback()
            connection.invalidate()
            raise


def _microseconds(instant: datetime) -> int:
    return (instant - _EPOCH) // _MICROSECOND


def _instant(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)


def _row(event: NewEvent, days: DayRule) -> _Row:
    """Return the event in the form of its columns.

    Raises:
        BadInput: a value cannot be stored as it is.
    """
    for name in _TEXT_FIELDS:
        _check_text(name, getattr(event, name))
    if event.content_hash is not None:
        _check_text("content_hash", event.content_hash)
    occurred_us, offset = _stamp(event.occurred_at, days)
    return _Row(event, _payload_text(event.payload), occurred_us, offset)


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise BadInput(f"{name} must be text, not {type(value).__name__}: {value!r}")
    if "\0" in value or not _is_unicode(value):
        raise BadInput(f"{name} {value!r} holds a NUL or half of a surrogate pair; send it without")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _payload_text(payload: Mapping[str, Any]) -> str:
    """Return the one JSON text of a payload.

    Raises:
        BadInput: it is not JSON-able, or holds half of a surrogate pair, which no UTF-8 text can.
    """
    try:
        text = json_text(dict(payload))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(f"payload is not JSON: {error}; send text, numbers, lists and objects only") from error
    if not _is_unicode(text):
        broken = ", ".join(ascii(key) for key, value in payload.items() if not _is_unicode(json_text({key: value})))
        raise BadInput(f"payload {broken} holds half of a surrogate pair; send whole characters")
    return text


def _stamp(occurred_at: datetime, days: DayRule) -> tuple[int, int]:
    """Return the instant in microseconds since 1970, and its offset in minutes.

    Raises:
        BadInput: it has no offset, or is so near the years 1 or 9999 that some zone has no date for it.
    """
    offset = occurred_at.utcoffset()
    if offset is None:
        raise BadInput(f"occurred_at {occurred_at.isoformat()} has no UTC offset; send one, such as +00:00")
    # Local mean times of before 1930 have offsets with seconds: the instant stays exact, the offset loses them.
    offset_min = int(offset / timedelta(minutes=1))
    try:
        whole = occurred_at.astimezone(UTC)
        for zone in (days.zone, timezone(timedelta(minutes=offset_min))):
            whole.astimezone(zone)
    except OverflowError as error:
        raise BadInput(f"occurred_at {occurred_at.isoformat()} is outside the years 1 to 9999 in UTC") from error
    return _microseconds(whole), offset_min


def _event(row: Sequence[Any]) -> Event:
    """Return the event of a row of ``_ROWS``.

    Raises:
        Permanent: its payload cannot be read.
    """
    # Unpacked once: a row's column by name takes 0.7 µs, twelve of them more than all the rest.
    seq, event_id, kind, user_id, agent_id, scope, session_id, occurred_us, offset_min, day, recorded_us, text = row
    return Event(
        seq=seq,
        event_id=event_id,
        kind=kind,
        user_id=user_id,
        agent_id=agent_id,
        scope=scope,
        session_id=session_id,
        occurred_at=_instant(occurred_us).astimezone(timezone(timedelta(minutes=offset_min))),
        partition_day=day,
        recorded_at=_instant(recorded_us),
        payload=_payload(text, event_id, seq),
    )


def _payload(text: str, event_id: str, seq: int) -> dict[str, Any]:
    """Return the payload of a stored text.

    Raises:
        Permanent: it is no JSON object.
    """
    try:
        # Encoded again, which fails on what was no UTF-8 in the store: it is read as lone surrogates.
        payload = json.loads(str(text).encode())
    except (ValueError, RecursionError) as error:
        raise Permanent(_unreadable(event_id, seq, str(error))) from error
    if not isinstance(payload, dict):
        raise Permanent(_unreadable(event_id, seq, f"it is {type(payload).__name__}, not an object"))
    return payload


def _unreadable(event_id: str, seq: int, why: str) -> str:
    return f"the payload of event {event_id} (seq {seq}) cannot be read: {why}; restore it from a backup"


# Everything that only SQLite needs, from here to the end.

_BEGIN_WRITE = "BEGIN IMMEDIATE"  # takes the write lock at once; a lock taken later may be refused without a wait


def _sqlite_path(url: str) -> Path:
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


def _sqlite_engine(url: str, busy_timeout: timedelta) -> sa.Engine:
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
def _store_errors(path: Path) -> Iterator[None]:
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
