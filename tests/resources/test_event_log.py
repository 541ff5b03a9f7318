"""What the event log stores, what it takes for the same again, and what its reads return; on real SQLite files."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.errors import BadInput
from domain.records import Appended, NewEvent
from resources import event_table
from resources.event_log import EventLog

from .event_logs import HOUR, NOON, Make, append, ids, memory, message, opener, run_sql, statuses


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    with opener(tmp_path) as make:
        yield make


@pytest.fixture
def log(make: Make) -> EventLog:
    return make()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(
    names=st.lists(st.text().map(lambda text: text.replace("\0", "")), min_size=6, max_size=6),
    payload=st.dictionaries(st.text(), JSON, max_size=4),
    occurred_at=st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29)),  # noqa: DTZ001 - gets its zone below
    offset_min=st.integers(-1439, 1439),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_event_comes_back_as_it_was_given(
    log: EventLog, names: list[str], payload: dict[str, Any], occurred_at: datetime, offset_min: int
) -> None:
    names[0] += f" {log.count()}"
    given_at = occurred_at.replace(tzinfo=timezone(timedelta(minutes=offset_min)))
    before = datetime.now(UTC)
    (done,) = append(log, NewEvent(*names, occurred_at=given_at, payload=payload))
    stored = log.find([names[0]])[names[0]]
    fields = [stored.event_id, stored.kind, stored.user_id, stored.agent_id, stored.scope, stored.session_id]
    assert (done.status, stored.seq, fields, stored.payload) == ("stored", done.seq, names, payload)
    assert (stored.occurred_at, stored.occurred_at.utcoffset()) == (given_at, given_at.utcoffset())
    assert before <= stored.recorded_at <= datetime.now(UTC)
    assert stored.recorded_at.tzinfo is UTC


def test_text_of_every_kind_is_kept(log: EventLog) -> None:
    said = [
        "大前天我去了北京",
        "I’d say: it's “fine”",
        "👩‍👩‍👧 👍🏽",
        "a\0b",
        "line\r\n\u2028end",
        '{"a": 1}',
        "x" * 400_000,
    ]
    append(log, *(memory(f"e{i}", content) for i, content in enumerate(said)))
    assert [event.payload["content"] for event in log.read_user("ana", 0)] == said


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        (memory("e", payload={"outcome": "\ud83d"}), "payload 'outcome'"),
        (memory("e", payload={"metadata": {"\ude00": 1}}), "payload 'metadata'"),
        (replace(memory("e"), user_id="\ud83d"), "user_id"),
        (replace(memory("e"), event_id="a\0b"), "event_id"),
        (replace(memory("e"), scope=None), "scope"),
        (replace(memory("e"), payload={"when": NOON}), "payload"),
        (replace(memory("e"), occurred_at=NOON.replace(tzinfo=None)), "occurred_at"),
        (replace(memory("e"), occurred_at=datetime(1, 1, 1, tzinfo=timezone(HOUR))), "occurred_at"),
        (replace(memory("e"), occurred_at=datetime(9999, 12, 31, 23, tzinfo=timezone(-HOUR))), "occurred_at"),
    ],
)
def test_what_cannot_be_stored_is_refused_by_name_with_its_whole_request(
    log: EventLog, bad: NewEvent, named: str
) -> None:
    with pytest.raises(BadInput, match=named):
        append(log, memory("good"), bad)
    assert log.count() == 0


def test_an_instant_that_the_zone_has_no_date_for_is_refused(make: Make) -> None:
    with pytest.raises(BadInput, match="occurred_at"):
        append(make("Asia/Shanghai"), memory("e", occurred_at=datetime(9999, 12, 31, 23, tzinfo=UTC)))


@pytest.mark.parametrize(
    ("zone", "occurred_at", "day"),
    [
        ("UTC", "2025-03-09T23:59:59+00:00", "2025-03-09"),
        ("Asia/Shanghai", "2025-03-09T23:59:59+00:00", "2025-03-10"),
        ("America/New_York", "2025-03-09T04:59:59+00:00", "2025-03-08"),  # still UTC-5
        ("America/New_York", "2025-03-10T03:59:59+00:00", "2025-03-09"),  # the clocks went to UTC-4 that day
        ("America/New_York", "2025-03-10T04:00:00+00:00", "2025-03-10"),
        ("America/New_York", "2025-11-03T04:30:00+00:00", "2025-11-02"),  # and back
        ("UTC", "2025-01-01T07:59:00+08:00", "today"),  # before the first day
        ("Asia/Shanghai", "2025-01-01T00:00:00+08:00", "2025-01-01"),
        ("UTC", "2011-05-05T12:00:00+00:00", "today"),
        ("America/New_York", "next year", "today"),
    ],
)
def test_the_day_is_the_events_own_or_that_of_the_recording(make: Make, zone: str, occurred_at: str, day: str) -> None:
    log = make(zone)
    at = datetime.now(UTC) + timedelta(days=365) if occurred_at == "next year" else datetime.fromisoformat(occurred_at)
    append(log, memory("e", occurred_at=at))
    event = log.find(["e"])["e"]
    today = event.recorded_at.astimezone(ZoneInfo(zone)).date().isoformat()
    assert event.partition_day == (today if day == "today" else day)
    assert event.occurred_at == at


# The same again


def test_an_id_again_is_repeated_or_a_conflict_and_changes_nothing(log: EventLog) -> None:
    first = message("m")
    others = [{"payload": {"content": "no"}}, {"user_id": "ben"}, {"scope": "private"}, {"kind": "memory"}]
    assert append(log, first, first) == [Appended("stored", "m", 1), Appended("repeated", "m", 1)]
    assert append(log, first) == [Appended("repeated", "m", 1)]
    assert append(log, *(replace(first, **other) for other in others)) == [Appended("conflict", "m", 1)] * 4  # type: ignore[arg-type]
    assert statuses(log, replace(first, payload={"content": "no"}), message("n")) == ["conflict", "stored"]
    assert [event.payload for event in log.read_user("ana", 0)] == [first.payload] * 2


def test_the_same_content_is_a_duplicate_of_the_first(log: EventLog) -> None:
    assert append(log, memory("a"), memory("b", " i LIKE tea")) == [
        Appended("stored", "a", 1),
        Appended("duplicate", "a", 1),
    ]
    assert append(log, memory("c", session_id="s2")) == [Appended("duplicate", "a", 1)]
    assert log.count() == 1


@pytest.mark.parametrize(
    ("after", "status"),
    [
        (HOUR, "duplicate"),
        (-HOUR, "duplicate"),
        (HOUR + timedelta(microseconds=1), "stored"),
        (-HOUR - timedelta(microseconds=1), "stored"),
    ],
)
def test_the_window_reaches_an_hour_to_both_sides(log: EventLog, after: timedelta, status: str) -> None:
    append(log, memory("a"))
    shanghai = (NOON + after).astimezone(ZoneInfo("Asia/Shanghai"))
    assert statuses(log, memory("b", occurred_at=shanghai)) == [status]


def test_the_window_counts_from_the_last_that_was_stored(log: EventLog) -> None:
    at = [NOON + timedelta(minutes=minutes) for minutes in (0, 50, 70, 120)]
    done = append(log, *(memory(str(i), occurred_at=occurred_at) for i, occurred_at in enumerate(at)))
    assert [(one.status, one.event_id) for one in done] == [
        ("stored", "0"),
        ("duplicate", "0"),
        ("stored", "2"),
        ("duplicate", "2"),
    ]


@pytest.mark.parametrize("n_requests", [1, 3])
@pytest.mark.parametrize(
    ("between", "status"),
    [
        (memory("x", "I like coffee"), "stored"),
        (memory("x", payload={"category": "constraint"}), "stored"),
        (message("x"), "stored"),
        (memory("x", "I like coffee", session_id="s2"), "duplicate"),
        (memory("x", "I like coffee", user_id="ben"), "duplicate"),
        (replace(message("x"), kind="review"), "duplicate"),
    ],
)
def test_something_else_said_in_the_session_between_makes_it_new(
    log: EventLog, between: NewEvent, status: str, n_requests: int
) -> None:
    events = [memory("a"), between, memory("b")]
    done = [append(log, event)[0] for event in events] if n_requests == 3 else append(log, *events)
    assert [one.status for one in done] == ["stored", "stored", status]


def test_users_and_scopes_never_meet_each_others_duplicates(log: EventLog) -> None:
    whose = {"a": ("ana", "global"), "b": ("ben", "global"), "c": ("ana", "private")}
    first = [memory(name, "Prefers metric units", user_id=user, scope=scope) for name, (user, scope) in whose.items()]
    assert [(one.status, one.event_id) for one in append(log, *first)] == [("stored", name) for name in whose]
    again = memory("b2", "prefers METRIC units ", user_id="ben", session_id="s2")
    assert [(one.status, one.event_id) for one in append(log, again)] == [("duplicate", "b")]
    assert ids(log.read_user("ben", 0)) == ["b"]


def test_even_a_shared_hash_never_answers_with_anothers_id(log: EventLog) -> None:
    anas = memory("a")
    done = append(log, anas, replace(anas, event_id="b", user_id="ben"), replace(anas, event_id="c", scope="private"))
    assert [(one.status, one.event_id) for one in done] == [("stored", "a"), ("stored", "b"), ("stored", "c")]


def test_messages_and_imports_are_told_apart_by_id_only(log: EventLog) -> None:
    imported = replace(memory("i1"), content_hash=None)
    assert statuses(log, message("m1"), message("m2"), imported, replace(imported, event_id="i2")) == ["stored"] * 4


# Reading


def test_reads_see_what_they_should_in_seq_order(make: Make) -> None:
    log, reader = make(), make()
    tomorrow = NOON + timedelta(days=1)
    append(log, message("a"), message("b", occurred_at=tomorrow), message("c", user_id="ben"), message("d"))
    append(log, message("e", session_id="s2"), message("f", occurred_at=tomorrow))
    assert (reader.last_seq(), reader.count()) == (6, 6)
    assert reader.day_heads() == {"2025-06-01": 5, "2025-06-02": 6}
    assert ids(reader.read_day("2025-06-01")) == ["a", "c", "d", "e"]
    assert ids(reader.read_day("2025-06-01", max_seq=4)) == ["a", "c", "d"]
    assert ids(reader.read_user("ana", 2)) == ["d", "e", "f"]
    assert ids(reader.read_user_tail("ana", {"2025-06-02": 2, "2025-06-01": 1, "2030-01-01": 0})) == ["d", "e", "f"]
    assert ids(reader.read_user_tail("ana", {"2025-06-01": 0})) == ["a", "d", "e"]
    assert ids(reader.read_session_day("ana", "s1", "2025-06-01")) == ["a", "d"]
    assert sorted(reader.find(["f", "a", "none", "a"])) == ["a", "f"]
    assert reader.find([]) == {}
    assert reader.read_user_tail("ana", {}) == reader.read_day("2024-01-01") == reader.read_user("none", 0) == []


def test_an_empty_log_reads_as_empty(log: EventLog) -> None:
    assert (log.last_seq(), log.count(), log.day_heads(), log.backlog({"2025-06-01": 0})) == (0, 0, {}, (0, None))
    assert append(log) == []


def test_the_backlog_is_what_lies_above_the_floors(log: EventLog) -> None:
    append(log, message("a"), message("b"), message("c", occurred_at=NOON + timedelta(days=1)))
    time.sleep(0.002)
    append(log, message("d"))
    recorded = {event.event_id: event.recorded_at for event in log.read_user("ana", 0)}
    assert log.backlog({"2025-06-01": 1, "2025-06-02": 3}) == (2, recorded["b"])
    assert log.backlog({"2025-06-01": 2, "2025-06-02": 3}) == (1, recorded["d"])
    assert log.backlog({"2025-06-01": 0, "2025-06-02": 0}) == (4, recorded["a"])
    assert log.backlog({"2025-06-01": 4, "2025-06-02": 9, "2030-01-01": 0}) == (0, None)


def test_two_thousand_days_are_read(log: EventLog, tmp_path: Path) -> None:
    append(log, message("a"))
    run_sql(
        tmp_path,
        """WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO events
        SELECT i, 'e' || i, kind, 'u' || (i % 7), agent_id, scope, session_id, occurred_at, 0,
        date('2020-01-01', (i % 2000) || ' days'), recorded_at, payload, NULL FROM n, events WHERE seq = 1""",
    )
    floors = dict.fromkeys(log.day_heads(), 18_000)
    assert len(floors) == 2000
    assert log.backlog(floors)[0] == 2000
    tail = log.read_user_tail("u4", floors)
    assert [event.seq for event in tail] == [seq for seq in range(18_001, 20_001) if seq % 7 == 4]


@pytest.mark.parametrize(
    "name", ["DAY_HEADS", "TAIL_OF_DAY", "BACKLOG_OF_DAY", "WITH_ID", "LAST_OF_CONTENT", "SPOKEN_SINCE"]
)
def test_what_runs_often_looks_up_and_never_scans(log: EventLog, name: str) -> None:
    log.last_seq()
    compiled = log._engine.dialect.statement_compiler(log._engine.dialect, getattr(event_table, name))
    with log._engine.connect() as connection:
        nothing = (None,) * len(compiled.positiontup or ())
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}", nothing).all()
    assert any("SEARCH events" in step.detail for step in plan)
    assert not any("SCAN events" in step.detail or "TEMP B-TREE" in step.detail for step in plan[:-1])
