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
    pa.field("role", pa.string()),
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
            pa.field("status", pa.string(), nullable=False),
            pa.field("confidence", pa.string()),
            pa.field("fact", pa.string()),
            pa.field("row_digest", pa.string(), nullable=False),
            pa.field("vector", pa.list_(pa.float16(), dim), nullable=False),
        ]
    )


_QUOTES = pa.list_(pa.struct([pa.field("memory_id", pa.string()), pa.field("text", pa.string())]))
_EXTRACTED = [
    pa.field("subject", pa.string(), nullable=False),
    pa.field("attribute", pa.string(), nullable=False),
    pa.field("object", pa.string(), nullable=False),
    pa.field("value", pa.string(), nullable=False),
    pa.field("content", pa.string(), nullable=False),
    pa.field("category", pa.string(), nullable=False),
    pa.field("confidence", pa.string(), nullable=False),
    pa.field("language", pa.string(), nullable=False),
]
_EXTRACTION_FIELDS = [
    pa.field("extraction_id", pa.string(), nullable=False),
    pa.field("user_id", pa.string(), nullable=False),
    pa.field("scope", pa.string(), nullable=False),
    pa.field("chunk", pa.string(), nullable=False),
    *_EXTRACTED,
    pa.field("occurred_at", INSTANT, nullable=False),
    pa.field("utc_offset_min", pa.int16(), nullable=False),
    pa.field("start_char", pa.int32(), nullable=False),
    pa.field("valid_from", pa.date32(), nullable=False),
    pa.field("valid_until", pa.date32()),
    pa.field("quotes", _QUOTES, nullable=False),
    pa.field("source_memory_ids", TEXTS, nullable=False),
    pa.field("source_event_ids", TEXTS, nullable=False),
    pa.field("recorded_at", INSTANT, nullable=False),
    pa.field("extractor", pa.string(), nullable=False),
    pa.field("accepted", pa.bool_(), nullable=False),
    pa.field("reason", pa.string(), nullable=False),
]
EXTRACTIONS = pa.schema(_EXTRACTION_FIELDS)

FACT_OPERATIONS = pa.schema(
    [
        pa.field("operation", pa.string(), nullable=False),
        pa.field("fact_id", pa.string(), nullable=False),
        pa.field("replaces", pa.string(), nullable=False),
        pa.field("why", pa.string(), nullable=False),
        pa.field("key", pa.string(), nullable=False),
        pa.field("day", pa.string(), nullable=False),
        *_EXTRACTION_FIELDS,
    ]
)

FACTS = pa.schema(
    [
        pa.field("fact_id", pa.string(), nullable=False),
        pa.field("user_id", pa.string(), nullable=False),
        pa.field("scope", pa.string(), nullable=False),
        pa.field("key", pa.string(), nullable=False),
        *_EXTRACTED,
        pa.field("status", pa.string(), nullable=False),
        pa.field("occurred_at", INSTANT, nullable=False),
        pa.field("utc_offset_min", pa.int16(), nullable=False),
        pa.field("valid_from", pa.date32(), nullable=False),
        pa.field("valid_to", pa.date32()),
        pa.field("recorded_at", INSTANT, nullable=False),
        pa.field("approved_at", INSTANT),
        pa.field("retired_at", INSTANT),
        pa.field("replaced_by", pa.string(), nullable=False),
        pa.field("n_sources", pa.int32(), nullable=False),
        pa.field("quotes", _QUOTES, nullable=False),
        pa.field("source_memory_ids", TEXTS, nullable=False),
        pa.field("source_event_ids", TEXTS, nullable=False),
        pa.field("extractor", pa.string(), nullable=False),
        pa.field("decision", pa.string(), nullable=False),
        pa.field("decided_by", pa.string(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
    ]
)

LLM_CALLS = pa.schema(
    [
        pa.field("event_id", pa.string(), nullable=False),
        pa.field("seq", pa.int64(), nullable=False),
        pa.field("user_id", pa.string(), nullable=False),
        pa.field("scope", pa.string(), nullable=False),
        pa.field("recorded_at", INSTANT, nullable=False),
        pa.field("purpose", pa.string(), nullable=False),
        pa.field("request_hash", pa.string(), nullable=False),
        pa.field("prompt_version", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("outcome", pa.string(), nullable=False),
        pa.field("finish_reason", pa.string(), nullable=False),
        pa.field("input_tokens", pa.int64(), nullable=False),
        pa.field("output_tokens", pa.int64(), nullable=False),
        pa.field("cost_usd", pa.float64(), nullable=False),
        pa.field("latency_ms", pa.int64(), nullable=False),
        pa.field("run_id", pa.string(), nullable=False),
        pa.field("error", pa.string(), nullable=False),
    ]
)

SORT_KEYS = {
    "interactions": ("user_id", "occurred_at", "event_id"),
    "episodes": ("user_id", "occurred_at", "memory_id"),
    "episode_vectors": ("user_id", "memory_id", "facet", "part"),
    "extractions": ("user_id", "scope", "occurred_at", "extraction_id"),
    "llm_calls": ("recorded_at", "seq"),
    "fact_operations": ("user_id", "scope", "occurred_at", "extraction_id"),
    "facts": ("user_id", "scope", "fact_id"),
}


def from_rows(rows: list[dict[str, Any]], schema: pa.Schema, table: str) -> pa.Table:
    """Return the rows as a table in the order that ``SORT_KEYS`` names for ``table``."""
    made = pa.Table.from_pylist(rows, schema=schema)
    return made.sort_by([(key, "ascending") for key in SORT_KEYS[table]])
