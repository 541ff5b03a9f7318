"""Events of one day become episodes: one thing that happened, with who, what, when and its labels.

Pure. A ``memory`` event is an episode of its own. Turns of a conversation (``message`` events) are paired within their
session and day, in the order in which they were said: a user's turn, the first answer of the assistant, the first tool
result after it. All else (notes, pushes, other people's turns, a second answer) is an episode with ``content`` only.
The result does not depend on the order in which the events arrived.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import groupby
from typing import Any

from domain import chunks, ids, labels, timewords
from domain.records import TOLD_KINDS, Event

_GENERIC_SPEAKERS = frozenset({"", "user", "assistant", "human", "ai", "tool", "system", "other"})
_FACET_OF_ROLE = {
    "user": "user_said",
    "human": "user_said",
    "assistant": "agent_did",
    "ai": "agent_did",
    "tool": "outcome",
}
_TEXTS = ("content", "user_said", "agent_did", "outcome")

BINARY_SALIENCE = 0.1


@dataclass(frozen=True, slots=True)
class Episode:
    """One row of the ``episodes`` table; the columns are those of ``domain.tables.EPISODES``."""

    memory_id: str
    user_id: str
    agent_id: str
    scope: str
    session_id: str
    speaker: str | None
    role: str | None
    participants: tuple[str, ...]
    category: str | None
    emotion: str
    language: str
    salience: float
    occurred_at: datetime
    utc_offset_min: int
    recorded_at: datetime
    event_start: datetime | None
    event_end: datetime | None
    time_words: tuple[str, ...]
    expires_at: datetime | None
    metadata: str | None
    media: str | None
    source_event_ids: tuple[str, ...]
    user_said: str | None
    agent_did: str | None
    outcome: str | None
    content: str | None
    variants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Draft:
    """An episode before its labels: the first event and the text of each facet."""

    first: Event
    facets: Mapping[str, str]
    sources: tuple[Event, ...] = field(default=())


def everyone(user_id: str) -> bool:
    """Return True: the filter that keeps all users."""
    return bool(user_id) or True


def build(events: Iterable[Event], keep: Callable[[str], bool] = everyone) -> list[Episode]:
    """Return the episodes of one day's events, sorted by (user_id, occurred_at, memory_id).

    Args:
        events: all events of the day, in any order; kinds other than memory and message are passed over.
        keep: which users; a bucket of users can be built apart with the same result.
    """
    told = [e for e in events if e.kind in TOLD_KINDS and keep(e.user_id)]
    drafts = [_Draft(e, _memory_facets(e.payload), (e,)) for e in told if e.kind == "memory"]
    turns = sorted((e for e in told if e.kind == "message"), key=_turn_order)
    for _, session in groupby(turns, key=_session):
        drafts += _paired(list(session))
    made = [_labelled(draft) for draft in drafts]
    return sorted(made, key=lambda e: (e.user_id, e.occurred_at, e.memory_id))


def rows(made: Iterable[Episode]) -> list[dict[str, Any]]:
    """Return the episodes as rows of the ``episodes`` table."""
    return [{name: getattr(e, name) for name in Episode.__slots__} for e in made]


def from_row(row: Mapping[str, Any]) -> Episode:
    """Return a row of the ``episodes`` table as the record it was made from."""
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in row.items()}
    return Episode(**values)


def _session(event: Event) -> tuple[str, str, str]:
    return event.user_id, event.scope, event.session_id


def _turn_order(event: Event) -> tuple[tuple[str, str, str], datetime, int]:
    return _session(event), event.occurred_at.astimezone(UTC), event.seq


def _memory_facets(payload: Mapping[str, Any]) -> dict[str, str]:
    return {name: payload[name] for name in _TEXTS if payload.get(name)}


def _paired(turns: list[Event]) -> list[_Draft]:
    drafts: list[_Draft] = []
    open_pair = False  # whether the last draft began with a user's turn and may still take an answer
    for turn in turns:
        text = turn.payload.get("content") or ""
        facet = _FACET_OF_ROLE.get(turn.payload.get("role", ""), "content")
        joins = open_pair and facet in {"agent_did", "outcome"} and facet not in drafts[-1].facets
        if joins:
            last = drafts[-1]
            drafts[-1] = replace(last, facets={**last.facets, facet: text}, sources=(*last.sources, turn))
        else:
            drafts.append(_Draft(turn, {facet if facet != "outcome" else "content": text}, (turn,)))
            open_pair = facet == "user_said"
    return drafts


def _labelled(draft: _Draft) -> Episode:
    first, payload = draft.first, draft.first.payload
    speaker = payload.get("speaker") or None
    mine = draft.facets.get("user_said") or draft.facets.get("content") or next(iter(draft.facets.values()), "")
    words = _time_words(tuple(draft.facets.values()), first.occurred_at)
    when = timewords.event_time(words)
    language, emotion, salience = _labels(mine, payload.get("category"))
    expires_at = payload.get("expires_at")
    offset = first.occurred_at.utcoffset()
    return Episode(
        memory_id=first.event_id,
        user_id=first.user_id,
        agent_id=first.agent_id,
        scope=first.scope,
        session_id=first.session_id,
        speaker=speaker,
        role=payload.get("role") or None,
        participants=_participants(payload, draft.sources),
        category=payload.get("category"),
        emotion=payload.get("emotion") or emotion,
        language=language,
        salience=salience,
        occurred_at=first.occurred_at.astimezone(UTC),
        utc_offset_min=int(offset.total_seconds() // 60) if offset else 0,
        recorded_at=first.recorded_at.astimezone(UTC),
        event_start=when[0].astimezone(UTC) if when else None,
        event_end=when[1].astimezone(UTC) if when else None,
        time_words=tuple(word.text for word in words),
        expires_at=datetime.fromisoformat(expires_at).astimezone(UTC) if expires_at else None,
        metadata=ids.json_text(payload["metadata"]) if payload.get("metadata") else None,
        media=ids.json_text(payload["media"]) if payload.get("media") else None,
        source_event_ids=tuple(event.event_id for event in draft.sources),
        user_said=draft.facets.get("user_said"),
        agent_did=draft.facets.get("agent_did"),
        outcome=draft.facets.get("outcome"),
        content=draft.facets.get("content"),
        variants=tuple(payload.get("variants") or ()),
    )


def _participants(payload: Mapping[str, Any], sources: tuple[Event, ...]) -> tuple[str, ...]:
    """Return the named people: those the caller named, then the speakers, each once."""
    speakers = [s for e in sources if is_named(s := e.payload.get("speaker"))]
    return tuple(dict.fromkeys([*(payload.get("participants") or ()), *speakers]))


def is_named(speaker: str | None) -> bool:
    """Return whether a speaker is somebody by name and not just a role."""
    return (speaker or "").casefold() not in _GENERIC_SPEAKERS


# The server labels the same tail again with each retrieval; a label depends on nothing but its arguments.
@lru_cache(maxsize=20_000)
def _labels(text: str, category: str | None) -> tuple[str, str, float]:
    if chunks.is_binary_looking(text):
        return "und", "neutral", BINARY_SALIENCE
    return labels.language(text), labels.emotion(text), labels.salience(text, category)


@lru_cache(maxsize=20_000)
def _time_words(texts: tuple[str, ...], occurred_at: datetime) -> tuple[timewords.TimeWord, ...]:
    return tuple(word for text in texts for word in timewords.resolve(text, occurred_at))
