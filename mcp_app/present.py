"""How a memory is shown to an agent: plain JSON, nothing empty, times with their offset and in words."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from domain import ages, facets
from mcp_app.block import Row
from mcp_app.search import Hit

_FACETS = ("content", "user_said", "agent_did", "outcome")
_ROUND = 4


def memory(hit: Hit, rows: Sequence[Row], now: datetime, *, explain: bool) -> dict[str, Any]:
    """Return a found memory as a tool answers it.

    Args:
        hit: what was found.
        rows: its index rows, at least one.
        now: aware, for ages.
        explain: whether to add how its score came about.
    """
    row = rows[0]
    offset = timezone(timedelta(minutes=row["utc_offset_min"]))
    texts = {name: facets.whole_text(rows, name) for name in _FACETS}
    shown = {
        "id": row["memory_id"],
        "kind": row["kind"],
        "content": texts["content"] or "\n".join(text for text in texts.values() if text),
        **{name: text for name, text in texts.items() if name != "content"},
        "category": row["category"],
        "emotion": row["emotion"],
        "occurred_at": row["occurred_at"].astimezone(offset).isoformat(),
        "age": ages.in_words(row["occurred_at"], now, row["language"]),
        "event_time": _event_time(row, now, offset),
        "expires_at": row["expires_at"].astimezone(offset).isoformat() if row["expires_at"] else None,
        "scope": row["scope"],
        "session_id": row["session_id"],
        "speaker": row["speaker"],
        "participants": list(row["participants"]),
        "metadata": json.loads(row["metadata"]) if row["metadata"] else None,
        "media": json.loads(row["media"]) if row["media"] else None,
        "score": round(hit.ranked.score, _ROUND),
        "similarity": None if hit.similarity is None else round(hit.similarity, _ROUND),
        "source_event_ids": list(row["source_event_ids"]),
        "confidence": row["confidence"],
        **_fact(row),
        "explain": _explained(hit) if explain else None,
    }
    return {name: value for name, value in shown.items() if value not in (None, [], {}, "")}


def _fact(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a fact says beside its sentence; what it rests on can be looked up by id."""
    if not row["fact"]:
        return {}
    return {"status": row["status"], **json.loads(row["fact"])}


def _event_time(row: Mapping[str, Any], now: datetime, offset: timezone) -> dict[str, str] | None:
    start, end = row["event_start"], row["event_end"]
    if start is None or end is None:
        return None
    return {
        "start": start.astimezone(offset).isoformat(),
        "end": end.astimezone(offset).isoformat(),
        "relative": ages.event_in_words(start, end, now, row["language"]),
    }


def _explained(hit: Hit) -> dict[str, Any]:
    return {"ranks": dict(hit.ranked.ranks), "factors": dict(hit.ranked.factors)}
