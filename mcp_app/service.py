"""What the tools do, with plain arguments: the server calls it over MCP, ``hindsight eval`` and tests directly."""

import base64
import json
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from domain import ids
from domain.errors import BadInput
from domain.facets import CURRENT
from domain.records import GLOBAL_SCOPE, Appended, NewEvent
from mcp_app import present
from mcp_app.arguments import shown
from mcp_app.block import EPOCH, Filters, Row, microseconds
from mcp_app.embedding import EmbeddingWorker
from mcp_app.retrieval import Answer, Retrieval
from resources.event_log import EventLog
from resources.reflect_requests import ReflectRequests, State

MAX_PAGE = 20
READABLE = frozenset({GLOBAL_SCOPE})
AGENT = "default"  # tokens, which name agents, do not exist yet: whoever calls is this one


class Service:
    """The memory of one data folder."""

    def __init__(self, log: EventLog, retrieval: Retrieval, worker: EmbeddingWorker) -> None:
        self.log = log
        self.retrieval = retrieval
        self.worker = worker
        self.reflections = ReflectRequests(log)

    def who(self, user_id: str, session_id: str, scope: str = "") -> dict[str, str]:
        """Return the columns that say whose event it is.

        Raises:
            BadInput: the scope is not writable.
        """
        if scope not in {"", GLOBAL_SCOPE}:
            raise BadInput(
                f"scope {shown(scope)} is not writable: without tokens everything is in '{GLOBAL_SCOPE}'; leave it out."
            )
        return {"user_id": user_id, "agent_id": AGENT, "scope": GLOBAL_SCOPE, "session_id": session_id}

    def store(self, events: Sequence[NewEvent]) -> Future[list[Appended]]:
        """Append the events of one request; the future is done when they are durable."""
        future = self.log.append(events)

        def embed(done: Future[list[Appended]]) -> None:
            if not done.cancelled() and done.exception() is None:
                self.worker.stored(events)

        future.add_done_callback(embed)
        return future

    def retrieve(self, request: "Request", now: datetime) -> dict[str, Any]:
        """Return one page of what was found, as the tool answers it.

        Raises:
            BadInput: the cursor belongs to another request.
        """
        page = _asked_page(request, now)
        filters = request.filters(now, page.first_asked)
        answer = self.retrieval.search(request.user_id, request.query, filters, request.min_similarity)
        return _shown_page(request, answer, page, now)

    def reflect(self, user_id: str, request_id: str, since: date | None, now: datetime) -> dict[str, Any]:
        """Return where a reflection on the user stands, as the tool answers it; a new one is asked for without an id.

        Raises:
            BadInput: the user has no request of that id, or has said nothing yet.
        """
        if request_id:
            state = self.reflections.state(user_id, request_id)
        else:
            state = self.reflections.ask(user_id, GLOBAL_SCOPE, since, AGENT)
        return shown_state(state, now)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What the caller of a retrieval wants of all that is readable; see ``mcp_app.block.Filters``."""

    since: datetime | None = None
    until: datetime | None = None
    kinds: frozenset[str] = frozenset()
    facets: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    emotion: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """One ``memory_retrieve``, its arguments checked and understood."""

    user_id: str
    query: str
    top_k: int
    narrowing: Narrowing = Narrowing()
    min_similarity: float = 0.0
    cursor: str = ""
    include_pending: bool = False
    explain: bool = False

    def filters(self, now: datetime, known_by: datetime) -> Filters:
        """Return the filters of this request at an instant, over what was recorded by another."""
        wanted = {name: getattr(self.narrowing, name) for name in Narrowing.__slots__}
        statuses = frozenset({CURRENT, "pending"} if self.include_pending else {CURRENT})
        return Filters(scopes=READABLE, now=now, known_by=known_by, statuses=statuses, **wanted)

    def key(self) -> str:
        """Return what stands for all that a next page must share with this one, the same in every process."""
        wanted = (getattr(self.narrowing, name) for name in Narrowing.__slots__)
        parts = [repr(sorted(value)) if isinstance(value, frozenset) else repr(value) for value in wanted]
        return ids.digest(self.user_id, self.query, str(self.min_similarity), str(self.include_pending), *parts)[:12]


@dataclass(frozen=True, slots=True)
class _Page:
    """Where a page begins.

    Attributes:
        start: in the order of what was found, from 0.
        first_asked: when the first page was; what was recorded since does not shift the later ones.
    """

    start: int
    first_asked: datetime


def _asked_page(request: Request, now: datetime) -> _Page:
    if not request.cursor.strip():
        return _Page(0, now)
    try:
        key, start, first_us = json.loads(base64.b64decode(request.cursor.strip(), altchars=b"-_", validate=True))
        page = _Page(int(start), EPOCH + timedelta(microseconds=int(first_us)))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise BadInput(
            f"cursor {shown(request.cursor)} is not one that memory_retrieve gave; leave it out to start."
        ) from error
    if key != request.key() or page.start < 0:
        raise BadInput("cursor belongs to another query or other filters; send those again, or leave it out to start.")
    return page


def _shown_page(request: Request, answer: Answer, page: _Page, now: datetime) -> dict[str, Any]:
    hits = answer.hits[page.start : page.start + request.top_k]
    end = page.start + len(hits)
    # Once more, whatever the index, the blocks and the tail did: nothing of anybody else leaves here.
    mine = [(hit, rows) for hit in hits if _is_for(request, (rows := hit.rows)[0])]
    shown_page: dict[str, Any] = {
        "status": "success",
        "memories": [present.memory(hit, rows, now, explain=request.explain) for hit, rows in mine],
        "has_more": end < len(answer.hits),
        "partial": answer.partial,
        "release": answer.release,
        "pending_events": answer.pending_events,
    }
    if end < len(answer.hits):
        cursor = json.dumps([request.key(), end, microseconds(page.first_asked)])
        shown_page["cursor"] = base64.urlsafe_b64encode(cursor.encode()).decode()
    return shown_page


_NOTHING_NEW = "All that the user said was reflected on already; what came of it is in memory_retrieve or in review."
_RESULTS = {
    "ok": "Done. New facts are served within seconds of the next publish; those that wait for review are not.",
    "waiting": "Today's budget for the model is spent; the rest is done tomorrow.",
    "failed": "It failed and is tried again in the next scheduled reflection.",
    "given_up": "Some of it could not be understood by the model, however often asked.",
}


def shown_state(state: State, now: datetime) -> dict[str, Any]:
    """Return where a reflection stands, as the tool and the command answer it."""
    told_state: dict[str, Any] = {"status": state.status, "request_id": state.request_id, "days_done": state.days}
    if state.status == "finished":
        told = {
            name: state.told[name] for name in ("accepted", "rejected", "reason") if state.told.get(name) is not None
        }
        message = _RESULTS[state.result] if state.days or state.result != "ok" else _NOTHING_NEW
        return {**told_state, "result": state.result, **told, "message": message}
    if state.is_overdue(now):
        return {
            **told_state,
            "message": "Nobody has taken it up for a minute: the pipeline seems to be down. It is kept.",
        }
    return {**told_state, "message": "Ask again with this request_id in some seconds; do not wait for it."}


def _is_for(request: Request, row: Row) -> bool:
    return row["user_id"] == request.user_id and row["scope"] in READABLE


def utc_now() -> datetime:
    """Return this instant, aware."""
    return datetime.now(UTC)
