"""Slow: kills, a pipeline at work, stdio, and a start with a hundred thousand memories."""

import asyncio
import itertools
import os
import shutil
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from domain.records import NewEvent
from resources import wiring
from resources.settings import Settings
from tests.pipeline_runs import Pipeline, event

from .serving import ROOT, Memory, Server, at_once

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_a_kill_loses_nothing_acknowledged(settings: Settings) -> None:
    settings.data.mkdir(parents=True)
    acknowledged: dict[str, str] = {}
    for round_number, seconds in enumerate((0.4, 0.7, 1.1, 1.6)):
        with Server(settings.data) as server:
            stop = time.monotonic() + 20

            def write(writer: int, server: Server = server, stop: float = stop, n_round: int = round_number) -> None:
                for n in range(100_000):
                    text = f"round {n_round} writer {writer} note {n}"
                    try:
                        answer = server.call("memory_store", user_id=f"w{writer}", content=text, idempotency_key=text)
                    except (OSError, AssertionError, ValueError):
                        return  # killed
                    assert answer["status"] == "success"
                    acknowledged[text] = answer["memory_id"]
                    assert time.monotonic() < stop

            killer = threading.Timer(seconds, server.end, (signal.SIGKILL,))
            killer.start()
            at_once(8, write)
            killer.join()
    assert len(acknowledged) > 100
    log = wiring.open_log(settings)
    kept = log.find(list(acknowledged.values()))
    assert {text: kept[key].payload["content"] for text, key in acknowledged.items()} == {t: t for t in acknowledged}
    assert len(set(acknowledged.values())) == len(acknowledged)
    log.close()
    with Server(settings.data) as server:
        for writer in range(8):
            last = [text for text in acknowledged if f"writer {writer} " in text][-1]
            found = all_pages(server, f"w{writer}", last)
            assert found.count(acknowledged[last]) == 1
            assert len(found) == len(set(found))


def all_pages(server: Server, user: str, query: str) -> list[str]:
    found: list[str] = []
    cursor = None
    while True:
        page = server.call("memory_retrieve", user_id=user, query=query, top_k=20, cursor=cursor)
        found += [one["id"] for one in page["memories"]]
        if not page["has_more"]:
            return found
        cursor = page["cursor"]


def contents(memory: Memory, user: str, query: str) -> list[str]:
    """Return the contents on all pages."""
    pages = [memory.page(query, user, top_k=20)]
    while pages[-1]["has_more"]:
        pages.append(memory.page(query, user, top_k=20, cursor=pages[-1]["cursor"]))
    return [one["content"] for page in pages for one in page["memories"]]


def test_retrieval_answers_while_releases_come_and_the_lake_goes(pipeline: Pipeline, settings: Settings) -> None:
    users = ("ana", "ben", "李雷")
    for n in range(120):
        day = datetime(2026, 3, 1 + n % 4, 9, tzinfo=UTC) + timedelta(minutes=n)
        pipeline.say(event(f"note {n} about trains 火车", users[n % 3], day, session_id=str(n)))
    pipeline.all()
    done = threading.Event()
    asked = 0
    with Memory(settings) as memory:

        def watch(user: str) -> None:
            nonlocal asked
            expected = {f"note {n} about trains 火车" for n in range(120) if users[n % 3] == user}
            while not done.is_set():
                found = contents(memory, user, "火车 trains")
                assert len(found) == len(set(found)), "a memory came twice"
                assert expected <= set(found), f"{len(expected - set(found))} memories were missing"
                asked += 1

        def store(user: str) -> None:
            for n in itertools.takewhile(lambda _n: not done.is_set(), itertools.count()):
                text = f"{user} says {n} things of trains"
                stored = memory.store(text, user, occurred_at=f"2026-03-0{1 + n % 4}T12:00:00Z", session_id=f"x{n}")
                assert memory.find(text, user)[0]["id"] == stored
                time.sleep(0.1)

        with ThreadPoolExecutor(5) as pool:
            watchers = [*(pool.submit(watch, user) for user in users), pool.submit(store, "zoe")]
            for turn in range(6):
                pipeline.all()
                if turn % 2:
                    shutil.rmtree(settings.lake_dir / ("index" if turn == 1 else ""))
                    time.sleep(0.5)
                if any(watcher.done() for watcher in watchers):
                    break
            done.set()
            for watcher in watchers:
                watcher.result(timeout=60)
    assert asked > 20


def test_stdio_works(tmp_path: Path) -> None:
    environment = {**os.environ, "HINDSIGHT_DATA": str(tmp_path), "PYTHONPATH": str(ROOT)}
    transport = StdioTransport(sys.executable, ["-m", "mcp_app", "--stdio"], env=environment, cwd=str(tmp_path))

    async def talk() -> list[dict[str, Any]]:
        async with Client(transport) as client:
            told = {"user_id": "ana", "content": "用户对花生过敏"}
            stored = await client.call_tool_mcp("memory_store", told)
            found = await client.call_tool_mcp("memory_retrieve", {"user_id": "ana", "query": "花生"})
            return [stored.structured_content, found.structured_content]

    stored, found = asyncio.run(talk())
    assert found["memories"][0]["id"] == stored["memory_id"]


def test_a_hundred_thousand_memories_are_up_in_ten_seconds(pipeline: Pipeline, settings: Settings) -> None:
    start = datetime(2026, 3, 1, tzinfo=UTC)
    for some in range(0, 100_000, 10_000):
        events = [
            NewEvent(
                f"e{n}", "memory", f"user{n % 200}" if n % 5 else "big", "a", "global", f"s{n % 50}",
                start + timedelta(seconds=n), {"content": f"note {n} of trains to town {n % 97}"},
            )
            for n in range(some, some + 10_000)
        ]  # fmt: skip
        pipeline.log.append(events).result(timeout=60)
    pipeline.all()
    started = time.monotonic()
    with Server(settings.data) as server:
        for user in ("user1", "big"):
            page = server.call("memory_retrieve", user_id=user, query="note of trains to town 5")
            assert (page["pending_events"], page["partial"]) == (0, False)
            assert page["memories"][0]["content"].endswith("town 5")
        took = time.monotonic() - started
    assert took < 10, f"it took {took:.1f} s"
