"""One line of our own JSONL becomes an event. Pure.

The form (docs/import.md): ``user_id``, ``content`` and ``occurred_at``; with ``role`` it is a turn of a conversation,
without it a memory. ``event_id`` names the record for good: the same one again adds nothing.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from domain import ids
from domain.errors import BadInput
from domain.records import GLOBAL_SCOPE, NewEvent

_MEMORY_FIELDS = (
    "content",
    "user_said",
    "agent_did",
    "outcome",
    "participants",
    "category",
    "emotion",
    "expires_at",
    "variants",
    "media",
    "speaker",
)
_MESSAGE_FIELDS = ("role", "speaker", "content", "participants", "category")
_TEXTS = ("content", "user_said", "agent_did", "outcome")
_LABELS = ("role", "speaker", "category", "emotion")
_LISTS = ("participants", "variants")
_NAMES = ("event_id", "agent_id", "scope", "session_id")
_OWN = {"event_id", "user_id", "agent_id", "scope", "session_id", "occurred_at", "kind", "metadata"}


def event(record: Any, timezone: str) -> NewEvent:
    """Return the event of one record.

    Args:
        record: the parsed JSON of a line.
        timezone: IANA name, for stamps without an offset.

    Raises:
        BadInput: a field is missing or has the wrong form; names it.
    """
    if not isinstance(record, dict):
        raise BadInput(f"not a JSON object but {type(record).__name__}")
    user_id = _text(record, "user_id")
    is_turn = bool(record.get("role"))
    fields = _MESSAGE_FIELDS if is_turn else _MEMORY_FIELDS
    _check_forms(record)
    payload = {name: record[name] for name in fields if record.get(name) not in (None, "", [], {})}
    if not any(payload.get(name, "").strip() for name in _TEXTS):
        raise BadInput("no content: give content, or user_said / agent_did / outcome")
    if "expires_at" in payload:
        payload["expires_at"] = _instant("expires_at", payload["expires_at"], timezone).isoformat()
    extra = {name: value for name, value in record.items() if name not in {*_OWN, *fields} and value is not None}
    if metadata := {**extra, **(record.get("metadata") or {})}:
        payload["metadata"] = metadata
    occurred_at = _instant("occurred_at", _text(record, "occurred_at"), timezone)
    session_id = str(record.get("session_id") or "")
    derived = ids.from_source("jsonl", user_id, session_id, occurred_at.isoformat(), ids.json_text(payload))
    return NewEvent(
        event_id=str(record.get("event_id") or derived),
        kind="message" if is_turn else "memory",
        user_id=user_id,
        agent_id=str(record.get("agent_id") or "import"),
        scope=str(record.get("scope") or GLOBAL_SCOPE),
        session_id=session_id,
        occurred_at=occurred_at,
        payload=payload,
    )


def _check_forms(record: Mapping[str, Any]) -> None:
    """Raise where a field has a form that no table has a column for; one such event would stop all of its day.

    Raises:
        BadInput: names the field.
    """
    for name in (*_TEXTS, *_LABELS, *_NAMES, "expires_at"):
        if not isinstance(record.get(name) or "", str | int if name in _NAMES else str):
            raise BadInput(f"{name} must be a text, it is {record[name]!r}")
    for name in _LISTS:
        value = record.get(name) or []
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise BadInput(f"{name} must be a list of texts, it is {value!r}")
    if not isinstance(record.get("metadata") or {}, dict):
        raise BadInput(f"metadata must be an object, it is {record['metadata']!r}")


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadInput(f"{name} must be a text that is not blank, it is {value!r}")
    return value


def _instant(name: str, text: str, timezone: str) -> datetime:
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadInput(f"{name} is {text!r}; it must be ISO 8601, such as 2026-02-01T09:30:00+08:00") from error
    instant = parsed if parsed.tzinfo else parsed.replace(tzinfo=ZoneInfo(timezone))
    try:
        instant.astimezone(UTC)
    except OverflowError as error:
        raise BadInput(f"{name} is {text!r}, which is outside the years 1 to 9999 in UTC") from error
    return instant
