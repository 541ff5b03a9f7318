"""The columns of every table in the lake, and the row order. Pure: schemas only.

Instants are microseconds in UTC; the offset an event was given with stands beside it as ``utc_offset_min``.
Text columns hold text as it was said. JSON columns hold the one JSON text of ``domain.ids.json_text``.
"""

from typing import Any

import pyarrow as pa

INSTANT = pa.timestamp("us", tz="UTC")
TEXTS = pa.list_(pa.string())

_WHO = [
    pa.field("user_id", pa.string(), nullable=False),
    pa.field("agent_id", pa.string(), nullable=False),
    pa.field("scope", pa.string(), nullable=False),
    pa.field("session_id", pa.string(), nullable=False),
]

INTERACTIONS = pa.schema(
    [
        pa.field("event_id", pa.string(), nullable=False),
        pa.field("seq", pa.int64(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        *_WHO,
        pa.field("occurred_at", INSTANT, nullable=False),
        pa.field("utc_offset_min", pa.int16(), nullable=False),
        pa.field("recorded_at", INSTANT, nullable=False),
        pa.field("payload", pa.string(), nullable=False),
    ]
)

_EPISODE_FIELDS = [
    pa.field("memory_id", pa.string(), nullable=False),
    *_WHO,
    pa.field("speaker", pa.string()),
    pa.field("participants", TEXTS, nullable=False),
    pa.field("category", pa.string()),
    pa.field("emotion", pa.string(), nullable=False),
    pa.field("language", pa.string(), nullable=False),
    pa.field("salience", pa.float32(), nullable=False),
    pa.field("occurred_at", INSTANT, nullable=False),
    pa.field("utc_offset_min", pa.int16(), nullable=False),
    pa.field("recorded_at", INSTANT, nullable=False),
    pa.field("event_start", INSTANT),
    pa.field("event_end", INSTANT),
    pa.field("time_words", TEXTS, nullable=False),
    pa.field("expires_at", INSTANT),
    pa.field("metadata", pa.string()),
    pa.field("media", pa.string()),
    pa.field("source_event_ids", TEXTS, nullable=False),
]

EPISODES = pa.schema(
    [
        *_EPISODE_FIELDS,
        pa.field("user_said", pa.string()),
        pa.field("agent_did", pa.string()),
        pa.field("outcome", pa.string()),
        pa.field("content", pa.string()),
        pa.field("variants", TEXTS, nullable=False),
    ]
)

FACETS = ("content", "user_said", "agent_did", "outcome", "caption", "variant")
_FACET_FIELDS = [
    pa.field("facet", pa.string(), nullable=False),
    pa.field("part", pa.int16(), nullable=False),
    pa.field("start_char", pa.int32(), nullable=False),
    pa.field("text", pa.string(), nullable=False),
    pa.field("fingerprint", pa.string(), nullable=False),
]


def episode_vectors(dim: int) -> pa.Schema:
    """Return the columns of ``episode_vectors``: one unit vector, float16, for each facet part of an episode."""
    return pa.schema(
        [
            pa.field("memory_id", pa.string(), nullable=False),
            pa.field("user_id", pa.string(), nullable=False),
            *_FACET_FIELDS,
            pa.field("vector", pa.list_(pa.float16(), dim), nullable=False),
        ]
    )


def memories(dim: int) -> pa.Schema:
    """Return the columns of an index bucket: a row for each facet part, with what a retrieval shows or filters by."""
    return pa.schema(
        [
            pa.field("id", pa.string(), nullable=False),
            pa.field("kind", pa.string(), nullable=False),
            pa.field("day", pa.string(), nullable=False),
            *_EPISODE_FIELDS,
            *_FACET_FIELDS,
            pa.field("row_digest", pa.string(), nullable=False),
            pa.field("vector", pa.list_(pa.float16(), dim), nullable=False),
        ]
    )


SORT_KEYS = {
    "interactions": ("user_id", "occurred_at", "event_id"),
    "episodes": ("user_id", "occurred_at", "memory_id"),
    "episode_vectors": ("user_id", "memory_id", "facet", "part"),
}


def from_rows(rows: list[dict[str, Any]], schema: pa.Schema, table: str) -> pa.Table:
    """Return the rows as a table in the order that ``SORT_KEYS`` names for ``table``."""
    made = pa.Table.from_pylist(rows, schema=schema)
    return made.sort_by([(key, "ascending") for key in SORT_KEYS[table]])
