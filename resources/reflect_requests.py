"""Requests to reflect on a user now, as events: asked by an agent or a person, answered by the pipeline.

A request (``reflect``) is answered by ``reflected`` events that name it: one when a run takes it up, one when it is
done. Asking again while it is open joins it. Where it stands is read from the log, by whoever knows its id.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

import uuid_utils

from domain import ids
from domain.errors import BadInput
from domain.records import Event, NewEvent
from resources.event_log import EventLog
from resources.ledger import AGENT

PICKED_UP_WITHIN = timedelta(seconds=60)
MAX_STARTS = 3  # runs that took a request up and ended without a word: then it has failed


@dataclass(frozen=True, slots=True)
class State:
    """Where a request stands.

    Attributes:
        status: ``accepted`` waits for the pipeline, ``running``, ``finished``.
        asked_at: when, UTC.
        days: how many of the user's days were reflected on for it so far.
        result: of a finished one: ``ok``, ``failed``, ``waiting`` (for tomorrow's budget) or ``given_up``.
        told: what the pipeline says of the finished one: accepted, rejected, reason.
    """

    request_id: str
    status: Literal["accepted", "running", "finished"]
    asked_at: datetime
    days: int
    result: str
    told: Mapping[str, Any]

    def is_overdue(self, now: datetime) -> bool:
        """Return whether nobody has taken it up for a minute: the pipeline seems to be down."""
        return self.status == "accepted" and now - self.asked_at > PICKED_UP_WITHIN


class ReflectRequests:
    """The requests of one event log."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    def ask(self, user_id: str, scope: str, since: date | None, agent_id: str) -> State:
        """Return the state of a new request, durable, or of the open one for the same user and days.

        Raises:
            BadInput: the user has said nothing yet.
        """
        if not self._log.knows(user_id):
            raise BadInput(
                f"There is nothing from user {user_id[:80]!r} to reflect on: check the name, or store first."
            )
        wanted = since.isoformat() if since else ""
        asked = [e for e in self._log.read_kind("reflect", user_id) if _wants(e, scope, wanted)]
        if asked and (state := self.state(user_id, asked[-1].event_id)).status != "finished":
            return state
        # The number makes two who ask at one moment ask the same.
        request_id = "reflect-" + ids.digest(user_id, scope, wanted, str(len(asked)))
        event = NewEvent(
            event_id=request_id,
            kind="reflect",
            user_id=user_id,
            agent_id=agent_id,
            scope=scope,
            session_id="",
            occurred_at=datetime.now(UTC),
            payload={"since": wanted},
        )
        self._log.append([event]).result()
        return self.state(user_id, request_id)

    def state(self, user_id: str, request_id: str) -> State:
        """Return where a request stands.

        Raises:
            BadInput: the user has no such request.
        """
        request = self._log.find([request_id]).get(request_id)
        if request is None or request.kind != "reflect" or request.user_id != user_id:
            raise BadInput(
                f"request_id {request_id[:80]!r} is none of this user's: leave it out to ask for a reflection."
            )
        since = self._log.read_kind("reflected", user_id, request.seq)
        own = [e for e in since if e.payload.get("request") == request_id]
        days = {e.payload["day"] for e in since if "day" in e.payload and e.scope == request.scope}
        if own and own[-1].payload["result"] != "started":
            told = own[-1].payload
            return State(request_id, "finished", request.recorded_at, len(days), told["result"], told)
        return State(request_id, "running" if own else "accepted", request.recorded_at, len(days), "", {})

    def unfinished(self, after_seq: int = 0) -> list[Event]:
        """Return the open requests of all users, oldest first."""
        asked = self._log.read_kind("reflect", after_seq=after_seq)
        return [e for e in asked if self.state(e.user_id, e.event_id).status != "finished"]

    def starts(self, request: Event) -> int:
        """Return how many runs have taken a request up."""
        since = self._log.read_kind("reflected", request.user_id, request.seq)
        return sum(e.payload.get("request") == request.event_id for e in since)

    def say(self, requests: Iterable[Event], result: str, told: Mapping[str, Any] | None = None) -> None:
        """Record that requests were taken up (``started``) or are done, durable when this returns."""
        events = [
            NewEvent(
                event_id=f"reflected-{uuid_utils.uuid7()}",
                kind="reflected",
                user_id=request.user_id,
                agent_id=AGENT,
                scope=request.scope,
                session_id="",
                occurred_at=datetime.now(UTC),
                payload={"request": request.event_id, "result": result, "chunks": [], **(told or {})},
            )
            for request in requests
        ]
        if events:
            self._log.append(events).result()

    def named(self, request_ids: Iterable[str]) -> list[Event]:
        """Return the requests with these ids."""
        return list(self._log.find(list(request_ids)).values())


def _wants(request: Event, scope: str, since: str) -> bool:
    return request.scope == scope and request.payload["since"] == since
