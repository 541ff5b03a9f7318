"""The event log: append-only, many writers, and every reader in every process sees a commit at once.

Reads and writes the table ``events`` (resources.event_table). One writer thread a process commits what is queued
together (group commit): a commit costs one flush to the disk however many events it holds, and writers that queue in
the process do not starve each other with the store's own retries.
"""

import queue
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPICursor

from domain.days import DayRule
from domain.errors import BadInput, HindsightError, Permanent
from domain.records import Appended, Event, EventKind, NewEvent
from resources.event_table import (
    BACKLOG_OF_DAY,
    BY_ID,
    DAY_HEADS,
    DEEDS,
    DEEDS_OF_USER,
    EVENTS,
    LAST_DEED_OF_USER,
    LAST_SEQ,
    METADATA,
    ROWS,
    TAIL_OF_DAY,
    TOLD,
    Row,
    Statements,
    Transaction,
    event_of,
    instant,
    row_of,
)
from resources.sqlite_store import BEGIN_WRITE, engine_of, file_of, store_errors

MAX_GROUP_EVENTS = 512
_CHUNK = 500  # values in one IN list; SQLite takes 32,766 and is no faster with more
_E = EVENTS.c


@dataclass(frozen=True, slots=True)
class _Request:
    """What one call of ``append`` handed over: all of it is written, or nothing."""

    rows: list[Row]
    future: Future[list[Appended]]


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
        self._path = file_of(url)
        self._days = days
        self._window = dedup_window
        self._engine = engine_of(url, busy_timeout)
        self._statements = Statements(self._engine.dialect)
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
            request = _Request([row_of(event, self._days) for event in events], future)
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
            return int(connection.execute(LAST_SEQ).scalar_one())

    def count(self) -> int:
        """Return how many events there are."""
        with self._reading() as connection:
            return int(connection.execute(sa.select(sa.func.count()).select_from(EVENTS)).scalar_one())

    def day_heads(self) -> dict[str, int]:
        """Return the greatest seq of each ISO day that has events, days ascending; costs by days, not by events."""
        with self._reading() as connection:
            return {row.day: row.head for row in connection.execute(DAY_HEADS)}

    def backlog(self, floors: Mapping[str, int]) -> tuple[int, datetime | None]:
        """Return how many events lie above the floors, and when (UTC) the log took the oldest; None where none does.

        Args:
            floors: seq by ISO day; a day that is not named is left out.
        """
        heads = self.day_heads()
        total, oldest = 0, None
        with self._reading() as connection:
            for day in (day for day, floor in floors.items() if heads.get(day, 0) > floor):
                n_events, first = connection.execute(BACKLOG_OF_DAY, {"day": day, "floor": floors[day]}).one()
                total += n_events
                oldest = min(first, oldest or first)
            if oldest is None:
                return 0, None
            recorded_us = connection.execute(sa.select(_E.recorded_at).where(_E.seq == oldest)).scalar_one()
        return total, instant(recorded_us)

    def read_day(self, day: str, max_seq: int | None = None) -> list[Event]:
        """Return the events of an ISO day by seq, those up to ``max_seq`` if it is given."""
        statement = ROWS.where(_E.partition_day == day)
        return self._events(statement if max_seq is None else statement.where(_E.seq <= max_seq))

    def read_user(self, user_id: str, after_seq: int) -> list[Event]:
        """Return what the user said (memories and messages) after ``after_seq``, by seq."""
        return self._events(TOLD.where(_E.user_id == user_id, _E.seq > after_seq))

    def knows(self, user_id: str) -> bool:
        """Return whether there is anything that the user said."""
        return bool(self._events(TOLD.where(_E.user_id == user_id).limit(1)))

    def read_user_tail(self, user_id: str, floors: Mapping[str, int]) -> list[Event]:
        """Return what the user said (memories and messages) above the floors, by seq.

        Args:
            user_id: whose events.
            floors: seq by ISO day; a day that is not named is left out.
        """
        days = [{"user": user_id, "day": day, "floor": floor} for day, floor in floors.items()]
        return self._events(TAIL_OF_DAY, days)

    def read_session_day(self, user_id: str, session_id: str, day: str) -> list[Event]:
        """Return what was said in one user's session on an ISO day, by seq."""
        return self._events(TOLD.where(_E.user_id == user_id, _E.session_id == session_id, _E.partition_day == day))

    def read_kind(self, kind: EventKind, user_id: str | None = None, after_seq: int = 0) -> list[Event]:
        """Return the events of a kind other than ``memory`` and ``message``, of one user or of all, by seq."""
        values: dict[str, object] = {"kind": kind, "after": after_seq}
        if user_id is None:
            return self._events(DEEDS, [values])
        return self._events(DEEDS_OF_USER, [{**values, "user": user_id}])

    def last_of_kind(self, kind: EventKind, user_id: str) -> Event | None:
        """Return a user's last event of a kind other than ``memory`` and ``message``."""
        found = self._events(LAST_DEED_OF_USER, [{"kind": kind, "after": 0, "user": user_id}])
        return found[0] if found else None

    def find(self, event_ids: Sequence[str]) -> dict[str, Event]:
        """Return those of the events that are in the log, by id."""
        ids = sorted(set(event_ids))
        chunks = ({"ids": ids[start : start + _CHUNK]} for start in range(0, len(ids), _CHUNK))
        return {event.event_id: event for event in self._events(BY_ID, chunks)}

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
        with store_errors(self._path):
            self._make_schema()
            with self._engine.connect() as connection:
                yield connection

    def _events(self, statement: sa.Select[Any], runs: Iterable[Mapping[str, object]] = ({},)) -> list[Event]:
        """Return the events that the statement finds with each run's values, all from one state of the log, by seq."""
        with self._reading() as connection:
            events = [event_of(row) for values in runs for row in connection.execute(statement, values)]
        return sorted(events, key=lambda event: event.seq)

    def _make_schema(self) -> None:
        if self._has_schema:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._engine.connect() as connection:
            there = sa.inspect(connection)
            self._has_schema = there.has_table(EVENTS.name) and {i["name"] for i in there.get_indexes(EVENTS.name)} >= {
                index.name for index in EVENTS.indexes
            }
        if not self._has_schema:
            # Looks again under the write lock: another process may have made it meanwhile.
            with self._engine.execution_options(begin=BEGIN_WRITE).begin() as connection:
                METADATA.create_all(connection)
                for index in EVENTS.indexes:  # of a log that was made by an earlier version
                    index.create(connection, checkfirst=True)
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
        with store_errors(self._path):
            self._make_schema()
            with self._writing() as cursor:
                transaction = Transaction(cursor, self._statements, self._days, self._window)
                return [[transaction.add(row) for row in request.rows] for request in group]

    @contextmanager
    def _writing(self) -> Iterator[DBAPICursor]:
        """Hold the write lock; commit at the end, or drop the connection, and what was written with it, on an error."""
        connection = self._connection = self._connection or self._engine.raw_connection()
        try:
            cursor = connection.cursor()
            cursor.execute(BEGIN_WRITE)
            yield cursor
            connection.commit()
        except BaseException:
            self._connection = None
            with suppress(self._engine.dialect.loaded_dbapi.Error):  # already rolled back, or beyond it
                # Closing alone keeps the lock for as long as the error's traceback holds a cursor.
                connection.rollback()
            connection.invalidate()
            raise
