"""What the tests of reflection start from: episodes and chunks of a few lines."""

from datetime import datetime, timedelta
from typing import Any

from domain import episodes
from domain.episodes import Episode
from domain.facts import Candidate, Quote
from domain.records import Event
from domain.reflection_chunks import Chunk, build

NOON = datetime.fromisoformat("2026-03-02T12:00:00+08:00")


def told(
    *lines: str | dict[str, Any], user: str = "ana", scope: str = "global", day: str = "2026-03-02"
) -> list[Episode]:
    """Return an episode for each line, a minute apart in one session; a dict gives the event's payload."""
    events = []
    for n, line in enumerate(lines, 1):
        payload = {"content": line} if isinstance(line, str) else line
        own = {k: payload[k] for k in ("session_id", "occurred_at") if k in payload}
        events.append(
            Event(
                seq=n,
                event_id=f"{user}-{scope}-{n}",
                kind="message" if "role" in payload else "memory",
                user_id=user,
                agent_id="agent",
                scope=scope,
                session_id=own.get("session_id", "s1"),
                occurred_at=own.get("occurred_at", NOON + timedelta(minutes=n)),
                partition_day=day,
                recorded_at=NOON,
                payload={k: v for k, v in payload.items() if k not in own},
            )
        )
    return episodes.build(events)


def chunk(*lines: str | dict[str, Any], **who: str) -> Chunk:
    """Return the lines as one chunk."""
    (only,) = build(told(*lines, **who), "2026-03-02", 5_000)
    return only


def proposal(content: str, quote: str | None = None, source: str = "1", **fields: Any) -> Candidate:
    """Return a proposal that rests on a quote, by default the content itself."""
    values: dict[str, Any] = {
        "subject": "user",
        "attribute": "preference",
        "object": content,
        "value": "like",
        "category": "preference",
        "confidence": "high",
        "valid_from": "",
        "quotes": (Quote(source, content if quote is None else quote),),
        "sources": (source,),
        **fields,
    }
    return Candidate(content=content, **values)
