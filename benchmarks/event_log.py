"""Durable appends a second through the event log, beside plain sqlite3 with one commit each, in the same run.

Both write the same rows to the same table with the same indexes and pragmas (WAL, synchronous=FULL); the event log also
looks for the id and for a duplicate before each. Every append is awaited before its thread makes the next. The two
take turns, so that a disk that slows down does so for both; the ratios are what to read.
"""

import argparse
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from domain.days import DayRule
from domain.dedup import content_hash
from domain.ids import json_text
from domain.records import NewEvent
from resources.event_log import EventLog

ROUNDS = 3
DAYS = DayRule(ZoneInfo("UTC"), date(2025, 1, 1))
INSERT = """INSERT INTO events VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM events), ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?,
?)"""
Append = Callable[[NewEvent], object]


@dataclass(frozen=True)
class Rate:
    """Appends a second, and the longest that one waited, in milliseconds."""

    per_s: float
    worst_ms: float


def event(writer: str, n: int) -> NewEvent:
    """Return a memory of 300 characters that no other writer or number has."""
    payload = {"content": f"{writer} {n} prefers the window seat, 喜欢靠窗的座位。" * 6, "category": "preference"}
    now = datetime.now(UTC)
    digest = content_hash("ana", "global", payload)
    return NewEvent(f"{writer}-{n}", "memory", "ana", "agent", "global", "s1", now, payload, digest)


def append_for(append: Append, writer: str, seconds: float) -> list[float]:
    """Return how long each append took, in seconds."""
    took: list[float] = []
    end = time.perf_counter() + seconds
    while (started := time.perf_counter()) < end:
        append(event(writer, len(took)))
        took.append(time.perf_counter() - started)
    return took


def rate_of(took: list[float], seconds: float) -> Rate:
    """Return the rate of appends that took so long, of all writers together."""
    return Rate(len(took) / seconds, max(took) * 1000)


def in_threads(opened: Callable[[], Append], writer: str, n_threads: int, seconds: float) -> list[float]:
    """Return how long each append of all threads took; each thread has its own ``opened()``."""
    took: list[float] = []

    def work(thread: int) -> None:
        took.extend(append_for(opened(), f"{writer}-{thread}", seconds))

    threads = [threading.Thread(target=work, args=(thread,)) for thread in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def log_took(path: Path, writer: str, n_threads: int, seconds: float) -> list[float]:
    """Return how long each append through one event log took."""
    with closing(EventLog(f"sqlite:///{path}", DAYS, timedelta(hours=1))) as log:
        log.last_seq()  # makes the table
        return in_threads(lambda: lambda new: log.append([new]).result(), writer, n_threads, seconds)


def naive_took(path: Path, writer: str, n_threads: int, seconds: float) -> list[float]:
    """Return how long each append took, each thread with a connection of its own."""
    with closing(EventLog(f"sqlite:///{path}", DAYS, timedelta(hours=1))) as log:
        log.last_seq()  # makes the table
    return in_threads(lambda: naive(path), writer, n_threads, seconds)


def naive(path: Path) -> Append:
    """Return an append with a connection and a commit of its own."""
    connection = sqlite3.connect(path, timeout=30, isolation_level=None)
    connection.execute("PRAGMA synchronous=FULL")

    def append(new: NewEvent) -> None:
        now_us = int(new.occurred_at.timestamp() * 1e6)
        who = (new.event_id, new.kind, new.user_id, new.agent_id, new.scope, new.session_id)
        day = new.occurred_at.date().isoformat()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(INSERT, (*who, now_us, day, now_us, json_text(dict(new.payload)), new.content_hash))
        connection.execute("COMMIT")

    return append


def in_processes(side: str, path: Path, n_processes: int, seconds: float) -> list[float]:
    """Return how long each append of all processes took; they start together once all are ready."""
    command = [sys.executable, __file__, "--worker", side, "--path", str(path), "--seconds", str(seconds)]
    workers = [
        subprocess.Popen([*command, "--writer", f"p{n}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for n in range(n_processes)
    ]
    for worker in workers:
        if worker.stdout:
            worker.stdout.readline()
    for worker in workers:
        if worker.stdin:
            worker.stdin.write("go\n")
            worker.stdin.flush()
    return [float(line) for worker in workers for line in worker.communicate()[0].split()]


SIDES = {"event log": log_took, "sqlite3": naive_took}


def work(side: str, path: Path, writer: str, seconds: float) -> None:
    """Append as one of several processes, and print how long each took."""
    print("ready", flush=True)
    sys.stdin.readline()
    print(*SIDES[side](path, writer, 1, seconds), sep="\n")


def measured(side: str, kind: str, n: int, seconds: float) -> Rate:
    """Return the rate on a new file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.db"
        took = in_processes(side, path, n, seconds) if kind == "processes" else SIDES[side](path, "w", n, seconds)
    return rate_of(took, seconds)


def median(rates: list[Rate]) -> Rate:
    """Return the rate in the middle."""
    return sorted(rates, key=lambda rate: rate.per_s)[len(rates) // 2]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement; there are 18 (default 2)")
    parser.add_argument("--worker", choices=SIDES, help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--writer", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.worker:
        work(asked.worker, asked.path, asked.writer, asked.seconds)
        return
    print(f"{'writers':<14}{'event log/s':>12}{'sqlite3/s':>12}{'ratio':>8}{'worst ms':>12}{'worst ms':>12}")
    for n, kind in ((1, "threads"), (8, "threads"), (2, "processes")):
        rounds = [[measured(side, kind, n, asked.seconds) for side in SIDES] for _ in range(ROUNDS)]
        ours, naives = (median([each[side] for each in rounds]) for side in (0, 1))
        ratio = median([Rate(each[0].per_s / each[1].per_s, 0) for each in rounds]).per_s
        worst = [max(each[side].worst_ms for each in rounds) for side in (0, 1)]
        rates = f"{ours.per_s:>12,.0f}{naives.per_s:>12,.0f}{ratio:>8.2f}"
        print(f"{n} {kind:<12}{rates}{worst[0]:>12,.0f}{worst[1]:>12,.0f}", flush=True)


if __name__ == "__main__":
    main()
