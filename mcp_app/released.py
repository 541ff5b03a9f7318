"""The released rows of the users who asked last, kept in memory and brought up to each release by what it changed."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from domain import ids
from mcp_app.block import block_of_table
from mcp_app.search import Part
from resources.releases import Day, Manifest
from resources.vector_index import BucketReader

_BYTES_KEPT = 400_000_000
_PARTS = 6  # so many pieces are searched hardly slower than one
_DAYS_AT_ONCE = 100  # a release that changed more is read whole
_SHARE_REPLACED = 0.3  # when more of the rows in memory is out of date, they are read anew


@dataclass(slots=True)
class _User:
    """One user's rows as of a release.

    Attributes:
        days: as the rows were read; None before the first read.
        parts: the rows; none where there are more than are kept in memory.
    """

    days: Mapping[str, Day] | None = None
    fingerprint: str = ""
    parts: tuple[Part, ...] | None = None
    bytes: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class Released:
    """Reads the index for one data folder; any thread.

    Args:
        index_dir: the buckets.
        exact_rows: users with more rows are not kept in memory.
    """

    def __init__(self, index_dir: Path, exact_rows: int) -> None:
        self._index_dir = index_dir
        self._exact_rows = exact_rows
        self._lock = threading.Lock()
        self._users: OrderedDict[str, _User] = OrderedDict()
        self._readers: dict[tuple[str, int], BucketReader] = {}

    def reader(self, user_id: str, manifest: Manifest) -> BucketReader:
        """Return what reads the user's bucket as the release has it.

        Raises:
            Permanent: the version is gone.
        """
        bucket = ids.bucket(user_id, len(manifest.buckets))
        key = (manifest.run_id, bucket)  # a number comes again when the lake was made anew
        with self._lock:
            known = self._readers.get(key)
        if known is None:
            known = BucketReader(self._index_dir, manifest.buckets[bucket])
            with self._lock:
                self._readers = {k: r for k, r in self._readers.items() if k[0] == manifest.run_id} | {key: known}
        return known

    def of(self, user_id: str, manifest: Manifest) -> tuple[Part, ...] | None:
        """Return all rows of a user in a release, None where they are more than are kept in memory.

        Raises:
            Permanent: the index cannot be read.
        """
        with self._lock:
            user = self._users.setdefault(user_id, _User())
            self._users.move_to_end(user_id)
        with user.lock:  # who asks for the same rows meanwhile waits for this reading of them
            if user.days is not manifest.days:
                self._bring_up(user, user_id, manifest)
            parts = user.parts
        self._evict()
        return parts

    def _bring_up(self, user: _User, user_id: str, manifest: Manifest) -> None:
        fingerprint = str(manifest.embedder["fingerprint"])
        changed = _changed_days(user.days or {}, manifest.days)
        if user.parts is None or user.fingerprint != fingerprint or len(changed) > _DAYS_AT_ONCE:
            parts = self._whole(user_id, manifest)
        elif changed:
            parts = self._renewed(user.parts, changed, user_id, manifest)
        else:
            parts = user.parts
        user.parts, user.fingerprint, user.days = parts, fingerprint, manifest.days
        user.bytes = sum(part.block.nbytes + part.vectors.nbytes + 1_000 * len(part.block) for part in parts or ())

    def _whole(self, user_id: str, manifest: Manifest) -> tuple[Part, ...] | None:
        reader = self.reader(user_id, manifest)
        n_rows = reader.count_user(user_id)
        if n_rows > self._exact_rows:
            return None
        return (part_of_table(reader.user_rows(user_id)),) if n_rows else ()

    def _renewed(
        self, parts: tuple[Part, ...], changed: frozenset[str], user_id: str, manifest: Manifest
    ) -> tuple[Part, ...] | None:
        fresh = self.reader(user_id, manifest).user_rows(user_id, sorted(changed))
        kept = [
            Part(part.block, part.visible & ~part.block.among("day", changed), part.vectors, part.embedded)
            for part in parts
        ]
        renewed = [part for part in kept if part.visible.any()]
        n_held, n_visible = (sum(map(size, renewed)) for size in (lambda p: len(p.visible), lambda p: p.visible.sum()))
        is_loose = n_held - n_visible > _SHARE_REPLACED * n_held or len(renewed) >= _PARTS
        if (fresh.num_rows and is_loose) or n_visible + fresh.num_rows > self._exact_rows:
            return self._whole(user_id, manifest)
        return (*renewed, part_of_table(fresh)) if fresh.num_rows else tuple(renewed)

    def _evict(self) -> None:
        with self._lock:
            total = sum(user.bytes for user in self._users.values())
            while len(self._users) > 1 and (total > _BYTES_KEPT or len(self._users) > 10_000):
                total -= self._users.popitem(last=False)[1].bytes


def part_of_table(table: Any) -> Part:
    """Return rows of the index, all of them visible and with their vectors."""
    flat = table["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=False).astype(np.float32)
    everything = np.ones(table.num_rows, np.bool_)
    return Part(block_of_table(table), everything, flat.reshape(table.num_rows, -1), everything)


def _changed_days(before: Mapping[str, Day], after: Mapping[str, Day]) -> frozenset[str]:
    both: Iterable[str] = before.keys() | after.keys()
    return frozenset(day for day in both if _digest(before, day) != _digest(after, day))


def _digest(days: Mapping[str, Day], day: str) -> str | None:
    return days[day].digest if day in days else None
