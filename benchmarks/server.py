"""Calls a second and latency of the server over HTTP on loopback, beside a bare FastMCP tool in the same run.

    python benchmarks/server.py [--seconds 3] [--embedder bundled]

The server runs as people run it: a process of its own, a durable log, the real model and its embedding worker on. The
bare server is the same transport with a tool that answers a constant. Both are asked by the same lean client, in
turns, so that what else the machine does falls on both. Tail and vector lag stand beside each figure.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MEMORIES = 500
TAIL = 200
BARE = """
import socket, uvicorn
from fastmcp import FastMCP
mcp = FastMCP("bare")
@mcp.tool
async def memory_store(user_id: str, content: str, session_id: str = "") -> dict:
    return {"status": "success", "memory_id": "01890000-0000-7000-8000-000000000000"}
web = mcp.http_app(path="/mcp", stateless_http=True, json_response=True)
listening = socket.socket()
listening.bind(("127.0.0.1", 0))
import sys
print("MCP Server listening on 127.0.0.1:%d" % listening.getsockname()[1], file=sys.stderr, flush=True)
uvicorn.Server(uvicorn.Config(web, log_level="warning", access_log=False)).run(sockets=[listening])
"""
_PLACES = ["Bern", "Lisbon", "北京", "上海", "Oslo", "杭州", "Porto", "成都", "Turin", "西安"]
_THINGS = ["train", "咖啡", "dentist", "爬山", "invoice", "花生", "garden", "出差", "concert", "体检"]


def sentence(n: int) -> str:
    """Return the nth of many sentences of about 20 words in two languages."""
    place, thing = _PLACES[n % 10], _THINGS[n // 10 % 10]
    if n % 2:
        return f"第{n}条：用户说下周要去{place}，顺便安排{thing}的事情，住{n % 7}晚，回来以后再联系家人"
    return f"Note {n}: the user plans to go to {place} and wants the {thing} settled before day {n % 28} of the month"


@dataclass(frozen=True, slots=True)
class Measured:
    """The answers that one round got, and how long each took in ms."""

    calls_per_second: float
    latencies_ms: list[float]

    def __str__(self) -> str:
        """Return p50 and p95."""
        ordered = sorted(self.latencies_ms)
        return f"p50 {statistics.median(ordered):7.1f} ms  p95 {ordered[int(len(ordered) * 0.95)]:7.1f} ms"


@contextmanager
def serving(arguments: list[str], environment: dict[str, str]) -> Iterator[int]:
    """Start a server; give the port that it says it listens on."""
    process = subprocess.Popen(
        [sys.executable, *arguments], env={**os.environ, **environment}, cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr  # noqa: S101 - a pipe was asked for
    try:
        for line in process.stderr:
            if found := re.search(r"MCP Server listening on \S+:(\d+)", line):
                break
        else:
            sys.exit("the server did not start")
        threading.Thread(target=process.stderr.read, daemon=True).start()  # a full pipe would stop the server
        yield int(found[1])
    finally:
        process.terminate()
        process.wait(timeout=30)


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: bytes, body: bytes) -> bytes:
    """Return the body of an answer; the connection stays open."""
    writer.write(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    headers = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", headers, re.IGNORECASE)
    if not headers.startswith(b"HTTP/1.1 200") or not length:
        sys.exit(f"unexpected answer: {headers!r}")
    return await reader.readexactly(int(length[1]))


Call = Callable[[int], tuple[str, dict[str, Any]]]


async def load(port: int, n_clients: int, seconds: float, call: Call, n_calls: int = 10_000_000) -> Measured:
    """Return what so many clients got from a server in so much time, or by so many calls, each of another number."""
    head = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: */*\r\n"
    latencies: list[float] = []
    numbers = iter(range(n_calls))
    end = time.perf_counter() + seconds

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for number in numbers:
            if time.perf_counter() >= end:
                break
            tool, arguments = call(number)
            params = {"name": tool, "arguments": arguments}
            body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
            started = time.perf_counter()
            answer = await ask(reader, writer, head, body)
            latencies.append((time.perf_counter() - started) * 1000)
            if b'"isError":true' in answer:
                sys.exit(f"unexpected answer: {answer[:300]!r}")
        writer.close()

    started = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(n_clients)))
    return Measured(len(latencies) / (time.perf_counter() - started), latencies)


async def get(port: int, path: str) -> dict[str, Any]:
    """Return the JSON of a page, whatever its status."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    return dict(json.loads(answer.partition(b"\r\n\r\n")[2]))


async def ready(port: int) -> None:
    """Wait until the model is loaded and nothing waits for its vector."""
    while True:
        state = await get(port, "/ready")
        if not state["troubles"] and not state["texts_to_embed"]:
            return
        await asyncio.sleep(0.2)


def storing(name: str, n_users: int = 50) -> Call:
    """Return calls that store another sentence each."""
    return lambda n: (
        "memory_store",
        {"user_id": f"{name}{n % n_users}", "session_id": f"s{n % 7}", "content": sentence(n) + f" ({name})"},
    )


def asking(user: str, n_queries: int, name: str) -> Call:
    """Return calls that ask for one of so many different things."""

    def call(number: int) -> tuple[str, dict[str, Any]]:
        n = number % n_queries
        query = f"{name} {n}: when is the {_THINGS[n % 10]} in {_PLACES[n % 7]}?"
        return "memory_retrieve", {"user_id": user, "query": query}

    return call


async def seed(port: int) -> None:
    """Store what is to be released, each with its vector."""
    await ready(port)
    await load(port, 4, 600, storing("reader", 1), MEMORIES)
    await ready(port)


async def measure(port: int, bare: int, seconds: float) -> None:
    """Print the figures."""
    await ready(port)
    for clients in (1, 16):
        got = await load(bare, clients, seconds, storing("bare"))
        print(f"{'bare tool':38} {clients:2} clients  {got}  {got.calls_per_second:5.0f}/s")
    await retrieve(port, f"retrieve, {MEMORIES} released, no tail", seconds)
    for clients in (1, 32):
        floor, stored = [], []
        for turn in range(2):
            floor.append(await load(bare, clients, seconds / 2, storing("bare")))
            stored.append(await load(port, clients, seconds / 2, storing(f"c{clients}t{turn}u")))
        rate, most = (statistics.mean(one.calls_per_second for one in some) for some in (stored, floor))
        lag = (await get(port, "/ready"))["texts_to_embed"]
        print(
            f"{'store':38} {clients:2} clients  {stored[-1]}  {rate:5.0f}/s of {most:5.0f}/s bare: ratio "
            f"{rate / most:.2f}; {lag} texts wait for a vector"
        )
    await load(port, 4, 600, storing("reader", 1), MEMORIES + TAIL)  # the first ones are answered as said already
    lag = (await get(port, "/ready"))["texts_to_embed"]
    await retrieve(port, f"retrieve, tail {TAIL}, {lag} lack vectors", seconds)
    await ready(port)
    await retrieve(port, f"retrieve, tail {TAIL}, all embedded", seconds)


async def retrieve(port: int, title: str, seconds: float) -> None:
    """Print the latency of queries that the model has and has not seen."""
    for name, n_queries in (("known query", 20), ("new query", 10_000_000)):
        await load(port, 1, 600, asking("reader0", 20, "known query"), 20)
        for clients in (1, 16):
            call = asking("reader0", n_queries, name if n_queries == 20 else f"{title} {clients}")
            got = await load(port, clients, seconds, call)
            print(f"{title:38} {clients:2} clients  {got}  {got.calls_per_second:5.0f}/s  {name}")


def main() -> None:
    """Seed a data folder, release it, then measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="of each figure")
    parser.add_argument("--embedder", default="bundled")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = {"HINDSIGHT_DATA": folder, "HINDSIGHT_EMBEDDER": chosen.embedder, "HINDSIGHT_MCP_PORT": "0"}
        with serving(["-m", "mcp_app"], environment) as port:
            asyncio.run(seed(port))
        run = [sys.executable, "-c", "from cli.main import main; main()", "run", "all"]
        subprocess.run(run, env={**os.environ, **environment}, cwd=ROOT, check=True, capture_output=True)
        with serving(["-c", BARE], {}) as bare, serving(["-m", "mcp_app"], environment) as port:
            asyncio.run(measure(port, bare, chosen.seconds))


if __name__ == "__main__":
    main()
