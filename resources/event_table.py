"""The table ``events``: its columns and statements, what one write transaction does, and events as its rows.

What counts as the same memory: domain.dedup. Which day: domain.days.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPICursor

from domain.days import DayRule
from domain.errors import BadInput, Permanent
from domain.ids import json_text
from domain.records import Appended, Event, NewEvent

_TEXT_FIELDS = ("event_id", "kind", "user_id", "agent_id", "scope", "session_id")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_Value = str | int | None
_BIGINT = sa.BigInteger().with_variant(sa.Integer, "sqlite")  # INTEGER PRIMARY KEY is SQLite's own row id

METADATA = sa.MetaData()
EVENTS = sa.Table(
    "events",
    METADATA,
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
_E = EVENTS.c
_IS_TOLD = _E.kind.in_([sa.literal_column("'memory'"), sa.literal_column("'message'")])
# Few of many: what was done, among all that was said.
_IS_DEED = sa.and_(_E.kind != sa.literal_column("'memory'"), _E.kind != sa.literal_column("'message'"))
sa.Index("events_of_kind", _E.kind, _E.user_id, _E.seq, sqlite_where=_IS_DEED, postgresql_where=_IS_DEED)
sa.Index(
    "events_of_content",
    _E.content_hash,
    _E.seq,
    sqlite_where=_E.content_hash.is_not(None),
    postgresql_where=_E.content_hash.is_not(None),
)

LAST_SEQ = sa.select(sa.func.coalesce(sa.func.max(_E.seq), 0))
WITH_ID = sa.select(_E.seq, _E.kind, _E.user_id, _E.scope, _E.payload).where(_E.event_id == sa.bindparam("id"))
LAST_OF_CONTENT = (
    sa.select(_E.seq, _E.event_id, _E.occurred_at)
    .where(_E.content_hash == sa.bindparam("hash"))
    # Both are part of the hash; asked again so that no hash can answer with another's event.
    .where(_E.user_id == sa.bindparam("user"), _E.scope == sa.bindparam("scope"))
    .order_by(_E.seq.desc())
    .limit(1)
)
# Whatever was spoken later than the last event of a content is of another content.
SPOKEN_SINCE = (
    sa.select(_E.seq)
    .where(_E.user_id == sa.bindparam("user"), _E.session_id == sa.bindparam("session"), _E.seq > sa.bindparam("last"))
    .where(_IS_TOLD)
    .limit(1)
)
ROWS = sa.select(*(column for column in _E if column is not _E.content_hash)).order_by(_E.seq)
TOLD = ROWS.where(_IS_TOLD)
BY_ID = ROWS.where(_E.event_id.in_(sa.bindparam("ids", expanding=True)))
# One look-up a day: 22 µs each, where a list of ORs takes 60 and the planner may choose to read all of the user's rows.
TAIL_OF_DAY = TOLD.where(
    _E.user_id == sa.bindparam("user"), _E.partition_day == sa.bindparam("day"), _E.seq > sa.bindparam("floor")
)
# Literals: a partial index is used only where the statement is seen to stay within it.
DEEDS = ROWS.where(_IS_DEED, _E.kind == sa.bindparam("kind"), _E.seq > sa.bindparam("after"))
DEEDS_OF_USER = DEEDS.where(_E.user_id == sa.bindparam("user"))
LAST_DEED_OF_USER = DEEDS_OF_USER.order_by(None).order_by(_E.seq.desc()).limit(1)
BACKLOG_OF_DAY = sa.select(sa.func.count(), sa.func.min(_E.seq)).where(
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


DAY_HEADS = _day_heads()


@dataclass(frozen=True, slots=True)
class Row:
    """A new event in the form its columns have, as far as the caller's thread can make it.

    Attributes:
        occurred_us: microseconds since 1970 in UTC.
        utc_offset_min: minutes east of UTC.
    """

    event: NewEvent
    payload: str
    occurred_us: int
    utc_offset_min: int


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


class Statements:
    """What a write transaction executes, in the driver's form."""

    def __init__(self, dialect: sa.Dialect) -> None:
        self.last_seq = _Statement(LAST_SEQ, dialect)
        self.with_id = _Statement(WITH_ID, dialect)
        self.last_of_content = _Statement(LAST_OF_CONTENT, dialect)
        self.spoken_since = _Statement(SPOKEN_SINCE, dialect)
        self.insert = _Statement(sa.insert(EVENTS), dialect)


class Transaction:
    """Adds events under the write lock, each after it was compared with those before it."""

    def __init__(self, cursor: DBAPICursor, statements: Statements, days: DayRule, window: timedelta) -> None:
        self._cursor = cursor
        self._run = statements
        self._days = days
        self._window_us = window // _MICROSECOND
        # Taken under the write lock, so that it ascends with seq as long as the clock does.
        self._recorded_at = datetime.now(UTC)
        self._last_seq: int
        (self._last_seq,) = self._run.last_seq(cursor) or (0,)

    def add(self, row: Row) -> Appended:
        """Return what became of an event; it is in the log if it is ``stored`` and the transaction is committed."""
        event = row.event
        if known := self._run.with_id(self._cursor, id=event.event_id):
            seq, *stored = known
            same = stored == [event.kind, event.user_id, event.scope, row.payload]
            return Appended("repeated" if same else "conflict", event.event_id, seq)
        return self._said_already(row) or self._inserted(row)

    def _said_already(self, row: Row) -> Appended | None:
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

    def _inserted(self, row: Row) -> Appended:
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


def _microseconds(instant: datetime) -> int:
    return (instant - _EPOCH) // _MICROSECOND


def instant(microseconds: int) -> datetime:
    """Return the instant, in UTC, of a count since 1970."""
    return _EPOCH + timedelta(microseconds=microseconds)


def row_of(event: NewEvent, days: DayRule) -> Row:
    """Return the event in the form of its columns.

    Raises:
        BadInput: a value cannot be stored as it is.
    """
    for name in _TEXT_FIELDS:
        _check_text(name, getattr(event, name))
    if event.content_hash is not None:
        _check_text("content_hash", event.content_hash)
    occurred_us, offset = _stamp(event.occurred_at, days)
    return Row(event, _payload_text(event.payload), occurred_us, offset)


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


def event_of(row: Sequence[Any]) -> Event:
    """Return the event of a row of ``ROWS``.

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
        occurred_at=instant(occurred_us).astimezone(timezone(timedelta(minutes=offset_min))),
        partition_day=day,
        recorded_at=instant(recorded_us),
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
