"""The event log when things go wrong, or happen at once: locks, full disks, bad rows, threads, processes, kill -9."""

import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from domain.errors import BadInput, BadSettings, HindsightError, Permanent, Temporary
from domain.records import Appended
from resources.event_log import EventLog

from .event_logs import Make, append, database, ids, memory, message, opener, run_sql, statuses

CHILD = """
import sys, threading
from datetime import date, datetime, timedelta, timezone
from itertools import count
from zoneinfo import ZoneInfo
from domain.days import DayRule
from domain.dedup import content_hash
from domain.records import NewEvent
from resources.event_log import EventLog

_, url, name, work = sys.argv
log = EventLog(url, DayRule(ZoneInfo("UTC"), date(2025, 1, 1)), timedelta(hours=1))
noon = datetime(2025, 6, 1, 12, tzinfo=timezone.utc)

def store(event_id, content):
    payload = {"content": content}
    digest = content_hash("ana", "global", payload)
    event = NewEvent(event_id, "memory", "ana", "agent", "global", "s1", noon, payload, digest)
    (done,) = log.append([event]).result()
    sys.stdout.write(f"{done.status} {done.event_id}" + chr(10))
    sys.stdout.flush()

def for_ever(thread):
    for n in count():
        store(f"{name}-{thread}-{n}", f"{name} {thread} {n}")

def the_same(thread):
    for n in range(10):
        store(f"{name}-{thread}-{n}", "I like tea")

sys.stdin.readline()
threads = [threading.Thread(target=globals()[work], args=(thread,)) for thread in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
log.close()
"""


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    with opener(tmp_path) as make:
        yield make


@pytest.fixture
def log(make: Make) -> EventLog:
    return make()


def on_connect(log: EventLog, act: Callable[[sqlite3.Connection], object]) -> None:
    """Do something with each connection that the log opens from now on, such as lowering a limit of SQLite."""
    sa.event.listen(log._engine, "connect", lambda connection, _record: act(connection))


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the file's write lock, as another process would."""
    with closing(sqlite3.connect(database(folder), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def child(folder: Path, name: str, work: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD, f"sqlite:///{database(folder)}", name, work]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


# At once


def test_requests_that_queue_share_a_commit(log: EventLog, tmp_path: Path) -> None:
    append(log, message("first"))
    with locked(tmp_path):
        futures = [log.append([message(f"m{n}")]) for n in range(300)]
        assert not any(future.done() for future in futures[1:])
        assert log.count() == 1
    assert [future.result(30)[0].seq for future in futures] == list(range(2, 302))
    # The writer holds what it took before it met the lock; the rest is one group.
    assert len({event.recorded_at for event in log.read_user("ana", 1)}) <= 2


def test_one_bad_request_does_not_fail_its_group(log: EventLog, tmp_path: Path) -> None:
    on_connect(log, lambda connection: connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 5_000))
    append(log, message("first"))
    huge = memory("huge", "x" * 10_000)
    with locked(tmp_path):
        futures = [log.append(events) for events in ([memory("a", "1")], [memory("b", "2"), huge], [memory("c", "3")])]
        half = log.append([memory("half", "\ud83d")])
    assert [futures[0].result(30)[0].status, futures[2].result(30)[0].status] == ["stored", "stored"]
    with pytest.raises(BadInput, match="shorter payload"):
        futures[1].result(30)
    with pytest.raises(BadInput, match="content"):
        half.result(30)
    assert ids(log.read_user("ana", 0)) == ["first", "a", "c"]


def test_a_cancelled_request_is_not_written(log: EventLog, tmp_path: Path) -> None:
    append(log, message("first"))
    with locked(tmp_path):
        running = log.append([message("a")])
        while not running.running():
            time.sleep(0.001)
        waiting = [log.append([message("b")]), log.append([message("c")])]
        assert (running.cancel(), waiting[0].cancel()) == (False, True)
    assert [running.result(30)[0].event_id, waiting[1].result(30)[0].event_id] == ["a", "c"]
    assert ids(log.read_user("ana", 1)) == ["a", "c"]


def test_eight_threads_that_store_the_same_make_one(make: Make) -> None:
    logs = [make(), make()]
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda n: append(logs[n % 2], memory(f"e{n}"))[0], range(200)))
    assert Counter(one.status for one in done) == {"stored": 1, "duplicate": 199}
    assert {one.event_id for one in done} == set(ids(logs[0].read_user("ana", 0)))


@pytest.mark.slow
def test_two_processes_that_store_the_same_make_one(log: EventLog, tmp_path: Path) -> None:
    children = [child(tmp_path, name, "the_same") for name in ("p", "q")]  # both make the schema, too
    said: list[str] = []
    for process in children:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in children:
        said += process.communicate(timeout=50)[0].splitlines()
        assert process.returncode == 0
    assert Counter(line.split()[0] for line in said) == {"stored": 1, "duplicate": 159}
    assert {line.split()[1] for line in said} == set(ids(log.read_user("ana", 0)))


@pytest.mark.slow
def test_what_was_acknowledged_survives_kill_9(log: EventLog, tmp_path: Path) -> None:
    acknowledged: list[str] = []
    for name in "abcd":
        with child(tmp_path, name, "for_ever") as process:
            assert process.stdin
            assert process.stdout
            process.stdin.write("go\n")
            process.stdin.flush()
            lines = [process.stdout.readline()]
            time.sleep(random.uniform(0.05, 0.5))  # noqa: S311 - any moment will do
            process.kill()
            lines += process.stdout.readlines()
        acknowledged += [line.split()[1] for line in lines if line.endswith("\n")]
    kept = Counter(ids(log.read_user("ana", 0)))
    assert len(acknowledged) > 100
    assert [event_id for event_id in acknowledged if kept[event_id] != 1] == []
    assert [event.seq for event in log.read_user("ana", 0)] == list(range(1, log.last_seq() + 1))
    assert statuses(log, message("after")) == ["stored"]


# Going wrong


def test_a_lock_past_the_timeout_is_temporary(make: Make, tmp_path: Path) -> None:
    log = make(busy_timeout=timedelta(milliseconds=50))
    append(log, message("a"))
    with locked(tmp_path), pytest.raises(Temporary, match=r"events\.db is locked by another process; try again"):
        append(log, message("b"))
    assert statuses(log, message("b")) == ["stored"]


def test_a_full_disk_is_temporary_and_the_writer_lives_on(log: EventLog) -> None:
    append(log, message("a"))
    log._connection.invalidate()  # type: ignore[union-attr]
    log._connection = None
    on_connect(log, lambda connection: connection.execute("PRAGMA max_page_count = 30").close())
    with pytest.raises(Temporary, match="disk"):
        append(log, memory("big", "x" * 500_000))
    assert statuses(log, message("b")) == ["stored"]
    assert ids(log.read_user("ana", 0)) == ["a", "b"]


def test_a_read_only_store_is_permanent(make: Make) -> None:
    append(make(), message("a"))
    log = make()
    on_connect(log, lambda connection: connection.execute("PRAGMA query_only = 1").close())
    with pytest.raises(Permanent, match=r"events\.db cannot be opened for writing.*check the rights"):
        append(log, message("b"))
    assert log.count() == 1


@pytest.mark.parametrize("use", [EventLog.count, lambda log: append(log, message("a"))])
def test_a_file_that_is_no_database_is_permanent(
    log: EventLog, tmp_path: Path, use: Callable[[EventLog], object]
) -> None:
    database(tmp_path).parent.mkdir()
    database(tmp_path).write_text("Dear diary, " * 1000)
    with pytest.raises(Permanent, match=r"events\.db is no intact event log: .*; restore a backup, or move it away"):
        use(log)


def test_a_folder_that_cannot_be_made_is_permanent(log: EventLog, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file in the way")
    with pytest.raises(Permanent, match="folder"):
        log.last_seq()


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "postgresql://u:secret@db/x", "events.db", ""])
def test_only_the_url_of_a_file_is_taken(url: str) -> None:
    with pytest.raises(BadSettings, match=r"sqlite:///folder/events\.db") as refused:
        EventLog(url, None, timedelta())  # type: ignore[arg-type] - refused before it looks at the days
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("broken", ['{"content": "tr', "[1]", b'{"content": "\xff\xfe"}', b'"\x80', ""])
def test_a_payload_that_cannot_be_read_is_named(log: EventLog, tmp_path: Path, broken: str | bytes) -> None:
    append(log, message("a"), message("b"), message("c"))
    run_sql(tmp_path, "UPDATE events SET payload = CAST(? AS TEXT) WHERE seq = 2", broken)
    with pytest.raises(Permanent, match=r"event b \(seq 2\) cannot be read") as failed:
        log.read_user("ana", 0)
    assert "content" not in str(failed.value)
    assert sorted(log.find(["a", "c"])) == ["a", "c"]


def test_an_id_that_no_text_can_be_is_refused_by_reads(log: EventLog) -> None:
    with pytest.raises(BadInput, match="surrogate"):
        log.find(["\ud83d"])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_in_the_writer_fails_its_group_only(log: EventLog) -> None:
    def broken(_stored: bytes) -> str:
        raise ZeroDivisionError

    append(log, message("a"))
    log._connection.driver_connection.text_factory = broken  # type: ignore[union-attr]
    with pytest.raises(ZeroDivisionError):
        append(log, message("a"))
    assert statuses(log, message("a"), message("b")) == ["repeated", "stored"]


def test_close_writes_what_is_queued_and_then_refuses(log: EventLog, tmp_path: Path) -> None:
    append(log, message("first"))
    with locked(tmp_path):
        futures: list[Future[list[Appended]]] = [log.append([message(f"m{n}")] * 3) for n in range(400)]
    log.close()
    log.close()
    assert all(future.done() for future in futures)
    assert {future.result()[0].status for future in futures} == {"stored"}
    for use in (log.count, log.day_heads, lambda: log.append([message("late")])):
        with pytest.raises(HindsightError, match="closed"):
            use()


def test_a_log_that_was_never_used_makes_no_file(log: EventLog, tmp_path: Path) -> None:
    log.close()
    assert list(tmp_path.iterdir()) == []
