"""Ids that come from content or from a caller's key, and the bucket of a user. Pure."""

import hashlib
import json
from typing import Any


def digest(*parts: str) -> str:
    """Return 32 hex digits that stand for the parts in their order (BLAKE2b, 128 bit)."""
    joined = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return hashlib.blake2b(joined.encode(), digest_size=16).hexdigest()


def digest_bytes(data: bytes | memoryview) -> str:
    """Return 32 hex digits that stand for the bytes (BLAKE2b, 128 bit)."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def json_text(value: Any) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, not escaped."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def from_key(user_id: str, scope: str, key: str) -> str:
    """Return the event id for a client's idempotency key; another user's or scope's same key gives another id."""
    return "key-" + digest(user_id, scope, key)


def from_source(source: str, *parts: str) -> str:
    """Return the event id of an imported record, so that the same export again adds nothing."""
    return "imp-" + digest(source, *parts)


def bucket(user_id: str, n_buckets: int) -> int:
    """Return the bucket of a user, in [0, n_buckets): a file layout, the same for ever for one n_buckets."""
    return int.from_bytes(hashlib.blake2b(user_id.encode(), digest_size=8).digest(), "big") % n_buckets
