"""What the tools do, with plain arguments: the server calls it over MCP, ``hindsight eval`` and tests directly."""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any

from domain import ids
from domain.errors import BadInput
from domain.records import GLOBAL_SCOPE, Appended, NewEvent
from mcp_app import present
from mcp_app.block import Filters
from mcp_app.embedding import EmbeddingWorker
from mcp_app.retrieval import Answer, Retrieval
from resources.event_log import EventLog

MAX_PAGE = 20
AGENT = "default"  # tokens, which name agents, do not exist yet: whoever calls is this one


class Service:
    """The memory of one data folder."""

    def __init__(self, log: EventLog, retrieval: Retrieval, worker: EmbeddingWorker) -> None:
        self.log = log
        self.retrieval = retrieval
        self.worker = worker

    def who(self, user_id: str, session_id: str, scope: str | None) -> dict[str, str]:
        """Return the columns that say whose event it is.

        Raises:
            BadInput: the scope is not writable.
        """
        if scope not in {None, "", GLOBAL_SCOPE}:
            raise BadInput(
                f"scope {scope!r} is not writable: without tokens everything is in '{GLOBAL_SCOPE}'; leave it out."
            )
        return {"user_id": user_id, "agent_id": AGENT, "scope": GLOBAL_SCOPE, "session_id": session_id}

    def store(self, events: Sequence[NewEvent]) -> Future[list[Appended]]:
        """Append the events of one request; the future is done when they are durable."""
        future = self.log.append(events)
        future.add_done_callback(lambda done: None if done.exception() else self.worker.stored(events))
        return future

    def retrieve(self, request: "Request", now: datetime) -> dict[str, Any]:
        """Return one page of what was found, as the tool answers it.

        Raises:
            BadInput: the cursor belongs to another request.
        """
        start = _offset(request)
        answer = self.retrieval.search(request.user_id, request.query, request.filters(now), request.min_similarity)
        return _page(request, answer, start, now)


class Request:
    """One ``memory_retrieve``, its arguments checked and understood."""

    def __init__(
        self,
        user_id: str,
        query: str,
        top_k: int,
        narrowing: Mapping[str, Any],
        min_similarity: float = 0.0,
        cursor: str | None = None,
        *,
        explain: bool = False,
    ) -> None:
        self.user_id = user_id
        self.query = query
        self.top_k = top_k
        self.narrowing = narrowing
        self.min_similarity = min_similarity
        self.cursor = cursor
        self.explain = explain

    def filters(self, now: datetime) -> Filters:
        """Return the filters of this request at an instant."""
        return Filters(scopes=frozenset({GLOBAL_SCOPE}), now=now, **self.narrowing)

    def key(self) -> str:
        """Return what stands for all that a next page must share with this one."""
        narrowing = [f"{name}={value!r}" for name, value in sorted(self.narrowing.items())]
        return ids.digest(self.user_id, self.query, str(self.min_similarity), *narrowing)[:12]


def _offset(request: Request) -> int:
    if request.cursor is None:
        return 0
    try:
        key, start = json.loads(base64.urlsafe_b64decode(request.cursor.encode()))
        offset = int(start)
    except (ValueError, TypeError, binascii.Error) as error:
        raise BadInput(
            f"cursor {request.cursor[:40]!r} is not one that memory_retrieve gave; leave it out to start."
        ) from error
    if key != request.key() or offset < 0:
        raise BadInput("cursor belongs to another query or other filters; send those again, or leave it out to start.")
    return offset


def _page(request: Request, answer: Answer, start: int, now: datetime) -> dict[str, Any]:
    hits = answer.hits[start : start + request.top_k]
    has_more = start + len(hits) < len(answer.hits)
    cursor = json.dumps([request.key(), start + len(hits)]).encode()
    page: dict[str, Any] = {
        "status": "success",
        "memories": [present.memory(hit, now, explain=request.explain) for hit in hits],
        "has_more": has_more,
        "partial": answer.partial,
        "release": answer.release,
        "pending_events": answer.pending_events,
    }
    if has_more:
        page["cursor"] = base64.urlsafe_b64encode(cursor).decode()
    return page


def utc_now() -> datetime:
    """Return this instant, aware."""
    return datetime.now(UTC)
