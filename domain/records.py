"""The records that travel between the parts: frozen, typed, parsed once at the edge."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

GLOBAL_SCOPE = "global"

# What was said; all other kinds say what was done with it.
TOLD_KINDS = frozenset({"memory", "message"})
EventKind = Literal["memory", "message", "review", "reflect", "reflected", "llm_call"]


@dataclass(frozen=True, slots=True)
class NewEvent:
    """One event as a writer hands it to the log.

    Attributes:
        event_id: unique in the whole log; see ``domain.ids`` for where it comes from.
        occurred_at: aware; its own offset is kept beside the instant.
        payload: JSON-able; what each kind holds stands in docs/tables.md.
        content_hash: what the duplicate rule compares (``domain.dedup``), None exempts the event from it.
    """

    event_id: str
    kind: EventKind
    user_id: str
    agent_id: str
    scope: str
    session_id: str
    occurred_at: datetime
    payload: Mapping[str, Any]
    content_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One event as the log holds it.

    Attributes:
        seq: commit order, ascending, >= 1.
        occurred_at: aware, in the offset it was given with.
        partition_day: ISO day of the tables it belongs to, fixed at append (``domain.days``).
        recorded_at: aware, UTC: when the log took it.
    """

    seq: int
    event_id: str
    kind: str
    user_id: str
    agent_id: str
    scope: str
    session_id: str
    occurred_at: datetime
    partition_day: str
    recorded_at: datetime
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Appended:
    """What became of one event that was handed to the log.

    Attributes:
        status: ``stored`` is durable; ``repeated``: this event_id was there with the same payload; ``conflict``: it
            was there with another payload (nothing was written); ``duplicate``: the duplicate rule found it said
            already (nothing was written).
        event_id: the id under which the content is in the log (the first one's for a duplicate).
        seq: its place in the log.
    """

    status: Literal["stored", "repeated", "conflict", "duplicate"]
    event_id: str
    seq: int
