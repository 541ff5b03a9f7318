"""What the tests of the server share: one in this process, and one in a process of its own over plain HTTP."""

import asyncio
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fastmcp import Client

from mcp_app.server import App, build
from resources.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
Json = dict[str, Any]


class Memory:
    """A server in this process, called through MCP; a context, so that the next one may use the same folder."""

    def __init__(self, settings: Settings, **options: Any) -> None:
        self.settings = settings.model_copy(update=options)
        self.app: App = build(self.settings)
        ready = self.app.service.worker.ready
        until(ready.done, 60)

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *_error: object) -> None:
        self.app.close()

    def call(self, tool: str, **arguments: Any) -> Json:
        async def once() -> Json:
            async with Client(self.app.mcp) as client:
                answer = await client.call_tool_mcp(tool, arguments)
                assert answer.is_error == (answer.structured_content["status"] == "error")
                assert json.loads(answer.content[0].text) == answer.structured_content
                return dict(answer.structured_content)

        return asyncio.run(once())

    def refused(self, tool: str, **arguments: Any) -> str:
        """Return the message of a call that must be refused as the caller's fault."""
        answer = self.call(tool, **arguments)
        assert answer["status"] == "error", answer
        assert answer["code"] == "bad_input", answer
        return str(answer["message"])

    def store(self, content: str, user: str = "ana", **arguments: Any) -> str:
        answer = self.call("memory_store", user_id=user, content=content, **arguments)
        assert answer["status"] == "success", answer
        return str(answer["memory_id"])

    def find(self, query: str, user: str = "ana", **arguments: Any) -> list[Json]:
        return self.page(query, user, **arguments)["memories"]

    def texts(self, query: str, user: str = "ana", **arguments: Any) -> list[str]:
        return [memory["content"] for memory in self.find(query, user, **arguments)]

    def page(self, query: str, user: str = "ana", **arguments: Any) -> Json:
        answer = self.call("memory_retrieve", user_id=user, query=query, **arguments)
        assert answer["status"] == "success", answer
        return answer


class Server:
    """``python -m mcp_app`` on a free port of this machine; a context."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.environment = {
            **os.environ,
            "HINDSIGHT_DATA": str(data),
            "HINDSIGHT_EMBEDDER": "hash",
            "HINDSIGHT_MCP_PORT": "0",
            "PYTHONPATH": str(ROOT),
            **environment,
        }
        self.port = 0
        self.process: subprocess.Popen[str] | None = None
        self.log: list[str] = []

    def __enter__(self) -> "Server":
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mcp_app"],
            env=self.environment,
            cwd=self.environment["HINDSIGHT_DATA"],
            stderr=subprocess.PIPE,
            text=True,
        )
        listening = threading.Event()
        self._reader = threading.Thread(target=self._read, args=(listening,), daemon=True)
        self._reader.start()
        assert listening.wait(60), self.log
        return self

    def _read(self, listening: threading.Event) -> None:
        assert self.process
        assert self.process.stderr
        for line in self.process.stderr:
            self.log.append(line)
            if found := re.search(r"MCP Server listening on \S+:(\d+)", line):
                self.port = int(found[1])
                listening.set()

    def __exit__(self, *_error: object) -> None:
        self.end(signal.SIGTERM)

    def end(self, how: signal.Signals) -> None:
        assert self.process
        if self.process.returncode is not None:
            return
        self.process.send_signal(how)
        self.process.wait(timeout=30)
        self._reader.join(timeout=10)
        assert self.process.stderr
        self.process.stderr.close()

    def post(self, body: Json | bytes, headers: Mapping[str, str] | None = None, path: str = "/mcp") -> tuple[int, Any]:
        """Return status and body of a POST with exactly these headers (and Host and Content-Length)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        given = {"Content-Type": "application/json", **(headers or {})}
        connection.putrequest("POST", path, skip_host="Host" in given, skip_accept_encoding=True)
        for name, value in {**given, "Content-Length": str(len(sent))}.items():
            connection.putheader(name, value)
        connection.endheaders(sent)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, json.loads(text) if text.startswith("{") else text

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path, headers=dict(headers or {}))
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, json.loads(text) if text.startswith("{") else text

    def call(self, tool: str, **arguments: Any) -> Json:
        status, answer = self.post(request(tool, **arguments))
        assert status == 200, answer
        return dict(answer["result"]["structuredContent"])


def request(tool: str, **arguments: Any) -> Json:
    return {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": tool, "arguments": arguments}, "id": 1}


def at_once(n: int, work: Callable[[int], object]) -> list[Any]:
    """Return what ``work`` returned for 0 … n-1, called in as many threads at the same moment; raise what it raised."""
    results: list[Any] = [None] * n
    start = threading.Barrier(n)

    def run(number: int) -> None:
        start.wait()
        try:
            results[number] = work(number)
        except BaseException as error:  # noqa: BLE001 - raised below, in the test's own thread
            results[number] = error

    threads = [threading.Thread(target=run, args=(n,)) for n in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def until(is_so: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.05)
