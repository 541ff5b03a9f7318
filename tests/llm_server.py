"""A chat server on loopback that answers as a test says: real HTTP, the OpenAI chat completions protocol.

    with LLMServer() as server:
        server.answer(lambda body: '{"facts": []}')

What ``answer`` gets returns for a request's body: text (a 200 with that content), a dict (a 200 with that body), or one
of ``status``, ``message``, ``hang``, ``trickle``, ``drop``, ``truncated``, ``html``, ``no_usage``, ``delay``.
"""

import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Body = dict[str, Any]


@dataclass(frozen=True)
class Status:
    """An HTTP answer.

    Attributes:
        wait_seconds: before it; ``is_trickled``: with a space every 50 ms, as servers do to keep a connection alive.
        is_dropped: the connection ends without it.
    """

    code: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    wait_seconds: float = 0.0
    is_trickled: bool = False
    is_dropped: bool = False


Answer = str | Body | Status


def completion(text: str | None, *, finish_reason: str = "stop", **message: Any) -> Body:
    """Return the body of a 200; ``message`` are further fields of the message, such as ``reasoning_content``."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted-1",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **message},
                "finish_reason": finish_reason,
            }
        ],
        "usage": {
            "prompt_tokens": 11,
            "completion_tokens": 7,
            "total_tokens": 18,
            "prompt_tokens_details": {"cached_tokens": 3},
        },
    }


def status(code: int, headers: Mapping[str, str] | None = None, body: Any = None) -> Status:
    """Return an answer with any code; without a body an error as OpenAI words it."""
    return Status(code, error("not now") if body is None else body, headers or {})


def error(message: str, *, code: str | None = None, param: str | None = None) -> Body:
    """Return the body of an error."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def hang(seconds: float) -> Status:
    """Return an answer that comes after so long, or when the server closes."""
    return Status(200, completion("too late"), wait_seconds=seconds)


def trickle(seconds: float) -> Status:
    """Return an answer of which a byte comes now and then, and the rest after so long."""
    return Status(200, completion("too late"), wait_seconds=seconds, is_trickled=True)


def delay(seconds: float, answer: str | Body) -> Status:
    """Return a good answer that comes after so long."""
    return Status(200, completion(answer) if isinstance(answer, str) else answer, wait_seconds=seconds)


def drop() -> Status:
    """Return no answer: the connection is reset."""
    return Status(0, is_dropped=True)


def truncated(text: str) -> Body:
    """Return an answer that was cut off at the token limit."""
    return completion(text, finish_reason="length")


def html() -> Status:
    """Return what a login page or a wrong path answers."""
    return Status(200, "<html><body>Please sign in</body></html>", {"Content-Type": "text/html"})


def no_usage(text: str) -> Body:
    """Return an answer of a server that counts no tokens."""
    return {key: value for key, value in completion(text).items() if key != "usage"}


class LLMServer:
    """The server; a context manager.

    Attributes:
        base_url: for a client.
        modes: response formats it knows; others get a 400 that says so.
        requests: bodies in the order of their arrival, each with ``time`` (monotonic, seconds), ``path`` and
            ``authorization``; those refused for their format too.
        n_answered: answers whose last byte was written.
    """

    def __init__(self) -> None:
        self.modes = {"json_schema", "json_object", "text"}
        self.requests: list[Body] = []
        self.n_answered = 0
        self.n_at_once_max = 0
        self._n_at_once = 0
        self._answer: Callable[[Body], Answer] = lambda _: '{"facts": []}'
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._http = _HTTP(self)
        self.base_url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()  # waits for the threads of the requests

    def answer(self, fn: Callable[[Body], Answer]) -> None:
        """Answer every request from now on with what the function returns for its body; it may be called at once."""
        self._answer = fn

    def taken(self, body: Body) -> Status:
        """Return the answer to a request that has arrived, after its wait."""
        with self._lock:
            self.requests.append(body)
            self._n_at_once += 1
            self.n_at_once_max = max(self.n_at_once_max, self._n_at_once)
        mode = (body.get("response_format") or {"type": "text"})["type"]
        if mode not in self.modes:
            words = f"This response_format type is unavailable: {mode}"
            return Status(400, error(words, param="response_format"))
        made = self._answer(body)
        if isinstance(made, str):
            made = completion(made)
        found = Status(200, made) if isinstance(made, dict) else made
        if not found.is_trickled:
            self.is_closing_within(found.wait_seconds)
        return found

    def is_closing_within(self, seconds: float) -> bool:
        """Wait, and return early with True once the server closes."""
        return self._closing.wait(seconds)

    def ended(self, *, is_answered: bool) -> None:
        """Count a request that is over."""
        with self._lock:
            self.n_answered += is_answered
            self._n_at_once -= 1


class _HTTP(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 128

    def __init__(self, script: LLMServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that gave up waiting and closed its end; show what is a fault of the script."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _HTTP

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        about = {"time": time.monotonic(), "path": self.path, "authorization": self.headers["Authorization"]}
        is_answered = False
        try:
            is_answered = self._write(self.server.script.taken({**body, **about}))
        finally:
            self.server.script.ended(is_answered=is_answered)

    def _write(self, answer: Status) -> bool:
        self.close_connection = True
        if answer.is_dropped:
            self.connection.shutdown(socket.SHUT_RDWR)
            return False
        data = answer.body.encode() if isinstance(answer.body, str) else json.dumps(answer.body).encode()
        self.send_response(answer.code)
        length = {} if answer.is_trickled else {"Content-Length": str(len(data))}
        headers = {"Content-Type": "application/json", "Connection": "close"} | dict(answer.headers)
        for name, value in {**headers, **length}.items():
            self.send_header(name, value)
        self.end_headers()
        if answer.is_trickled:
            self._trickle(answer.wait_seconds)
        self.wfile.write(data)
        return True

    def _trickle(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.server.script.is_closing_within(0.05):
            self.wfile.write(b" ")

    def log_message(self, *_: object) -> None:
        pass
