"""What ``memory_store`` makes of its arguments: events for the log."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Any

import uuid_utils

from domain import dedup, ids
from domain.errors import BadInput
from domain.records import EventKind, NewEvent
from mcp_app.arguments import instant, label, said, shown

MAX_MESSAGES = 1_000
ROLES = ("user", "assistant", "tool", "system", "other")
_TEXTS = ("content", "user_said", "agent_did", "outcome")


def memory_event(
    who: Mapping[str, str], told: Mapping[str, Any], occurred_at: datetime, idempotency_key: str
) -> NewEvent:
    """Return the event of one memory.

    Args:
        who: user_id, agent_id, scope and session_id.
        told: what was said and its labels; empty values are left out.
        occurred_at: aware.
        idempotency_key: the client's, empty for none.

    Raises:
        BadInput: nothing was said.
    """
    payload = {name: value for name, value in told.items() if value not in (None, [], {}, "")}
    if not any(payload.get(name) for name in _TEXTS):
        caption = (payload.get("media") or {}).get("caption")
        if not isinstance(caption, str) or not said(caption, "media.caption"):
            raise BadInput("Nothing to remember: give content, or user_said / agent_did / outcome, or messages.")
        payload["content"] = caption
    content_hash = dedup.content_hash(who["user_id"], who["scope"], payload)
    return _event("memory", who, payload, occurred_at, _id(who, idempotency_key), content_hash)


def message_events(
    who: Mapping[str, str],
    messages: Sequence[Mapping[str, Any]],
    labels: Mapping[str, Any],
    occurred_at: datetime,
    zone: tzinfo,
    idempotency_key: str,
) -> list[NewEvent]:
    """Return the events of a conversation's turns, in their order.

    A turn without a time of its own is said a millisecond after the one before, so that the order stays.

    Args:
        who: user_id, agent_id, scope and session_id.
        messages: each ``{role, content, speaker?, occurred_at?}``.
        labels: what every turn gets (category, participants, metadata).
        occurred_at: aware, of the first turn.
        zone: of stamps without an offset.
        idempotency_key: the client's, empty for none.

    Raises:
        BadInput: a turn has no role or content; names its place.
    """
    if len(messages) > MAX_MESSAGES:
        raise BadInput(f"messages has {len(messages)} turns, at most {MAX_MESSAGES} fit: send it in parts.")
    events: list[NewEvent] = []
    moment = occurred_at
    for n, message in enumerate(messages):
        where = f"messages[{n}]"
        payload = {**{k: v for k, v in labels.items() if v}, **_turn(message, where)}
        given = message.get("occurred_at") or message.get("timestamp")
        moment = instant(str(given), f"{where}.occurred_at", zone) if given else _next(moment, n)
        events.append(_event("message", who, payload, moment, _id(who, idempotency_key, n), None))
    return events


def _next(moment: datetime, n: int) -> datetime:
    try:
        return moment + timedelta(milliseconds=bool(n))
    except OverflowError as error:
        raise BadInput(
            f"occurred_at {moment.isoformat()} leaves no time for messages[{n}]: give an earlier one."
        ) from error


def _turn(message: Mapping[str, Any], where: str) -> dict[str, Any]:
    role, content = message.get("role"), message.get("content")
    if role not in ROLES:
        raise BadInput(f"{where}.role is {shown(role)}; it must be one of {', '.join(ROLES)}.")
    if not isinstance(content, str) or not said(content, f"{where}.content"):
        raise BadInput(f"{where}.content must be a text that is not blank.")
    speaker = message.get("speaker") or ""
    if not isinstance(speaker, str):
        raise BadInput(f"{where}.speaker is {shown(speaker)}; it must be a name.")
    turn = {"role": role, "content": content}
    if speaker.strip():
        turn["speaker"] = label(speaker, f"{where}.speaker")
    return turn


def _event(
    kind: EventKind,
    who: Mapping[str, str],
    payload: Mapping[str, Any],
    occurred_at: datetime,
    event_id: str,
    content_hash: str | None,
) -> NewEvent:
    return NewEvent(
        event_id=event_id,
        kind=kind,
        user_id=who["user_id"],
        agent_id=who["agent_id"],
        scope=who["scope"],
        session_id=who["session_id"],
        occurred_at=occurred_at,
        payload=payload,
        content_hash=content_hash,
    )


def _id(who: Mapping[str, str], key: str, turn: int | None = None) -> str:
    if not key.strip():
        return str(uuid_utils.uuid7())
    key = label(key, "idempotency_key")
    # No key holds a NUL, so that a turn's never equals another key.
    return ids.from_key(who["user_id"], who["scope"], key if turn is None else f"{key}\0{turn}")
