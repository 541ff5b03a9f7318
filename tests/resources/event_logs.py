"""What the tests of the event log share: logs on one real file, and events to put in them."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from domain.days import DayRule
from domain.dedup import content_hash
from domain.records import Appended, Event, NewEvent
from resources.event_log import EventLog

NOON = datetime(2025, 6, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
Make = Callable[..., EventLog]


@contextmanager
def opener(folder: Path) -> Iterator[Make]:
    """Give a function that opens a log on the folder's one file; all are closed at the end."""
    logs: list[EventLog] = []

    def make(zone: str = "UTC", **options: Any) -> EventLog:
        days = DayRule(ZoneInfo(zone), date(2025, 1, 1))
        logs.append(EventLog(f"sqlite:///{database(folder)}", days, HOUR, **options))
        return logs[-1]

    yield make
    for log in logs:
        log.close()


def memory(event_id: str, content: str = "I like tea", **fields: Any) -> NewEvent:
    """Return a memory that the duplicate rule looks at; ``payload`` adds labels."""
    payload = {"content": content} | fields.pop("payload", {})
    event = replace(NewEvent(event_id, "memory", "ana", "agent", "global", "s1", NOON, payload), **fields)
    return replace(event, content_hash=content_hash(event.user_id, event.scope, payload))


def message(event_id: str, **fields: Any) -> NewEvent:
    return replace(memory(event_id), kind="message", content_hash=None, **fields)


def append(log: EventLog, *events: NewEvent) -> list[Appended]:
    return log.append(events).result(timeout=30)


def statuses(log: EventLog, *events: NewEvent) -> list[str]:
    return [done.status for done in append(log, *events)]


def ids(events: list[Event]) -> list[str]:
    return [event.event_id for event in events]


def database(folder: Path) -> Path:
    return folder / "data" / "events.db"


def run_sql(folder: Path, sql: str, *values: object) -> None:
    connection = sqlite3.connect(database(folder))
    with connection:
        connection.execute(sql, values)
    connection.close()
