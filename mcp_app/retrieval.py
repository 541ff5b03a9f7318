"""Retrieval: a user's released rows and tail, searched by meaning and by words, fused into one order."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from domain.errors import Permanent
from domain.text import tokens
from mcp_app.block import Filters, microseconds
from mcp_app.embedding import EmbeddingWorker
from mcp_app.queries import Asked, Vector
from mcp_app.released import Released, part_of_table
from mcp_app.reviewed import Reviewed, ReviewedFacts
from mcp_app.search import CANDIDATES, Hit, Part, Query, hits
from mcp_app.tail import Tails, UserTail
from resources.event_log import EventLog
from resources.fact_tables import FactTables
from resources.lake import Lake
from resources.releases import Manifest, Releases
from resources.settings import Settings
from resources.vector_index import quoted

_log = logging.getLogger(__name__)

_TAIL_WAIT_SECONDS = 1.5
_QUERY_WAIT_SECONDS = 4.0
_LOOK_AGAIN_SECONDS = 5.0  # after a release was found unreadable


@dataclass(frozen=True, slots=True)
class Answer:
    """What a retrieval found.

    Attributes:
        hits: best first, all that any search found.
        partial: some rows took part by words only, or the model did not answer in time.
        release: number of the release that was read, 0 before the first.
        pending_events: how many of the user's events the release lacks; they were searched as well.
    """

    hits: Sequence[Hit]
    partial: bool
    release: int
    pending_events: int


class Retrieval:
    """Searches one data folder; any thread."""

    def __init__(self, log: EventLog, lake: Lake, settings: Settings, worker: EmbeddingWorker) -> None:
        self._releases = Releases(lake.root)
        self._worker = worker
        self._tails = Tails(log)
        self._reviewed = Reviewed(log, FactTables(lake, log, settings))
        self._released = Released(settings.index_dir, settings.exact_rows)
        self._unreadable: tuple[str, float] = ("", 0.0)  # run of a release, and until when it is not tried again

    def manifest(self) -> Manifest | None:
        """Return the current release.

        Raises:
            Permanent: its manifest is there and not readable.
        """
        return self._releases.current()

    def search(
        self, user_id: str, query: str, filters: Filters, min_similarity: float = 0.0, deadline_seconds: float = 4.8
    ) -> Answer:
        """Return every memory of the user that meaning or words find, best first.

        Args:
            user_id: whose memories; no other user's row is ever read.
            query: what is looked for.
            filters: applied before anything is cut.
            min_similarity: in [0, 1]; above 0 only memories at least so similar are found.
            deadline_seconds: the model gets what is left of it after the rest.
        """
        deadline = time.monotonic() + deadline_seconds
        asked = self._worker.queries.ask(query)  # the model works while the rows are fetched
        manifest = self._usable_manifest()
        try:
            held = self._released.of(user_id, manifest) if manifest else ()
            vector = self._vector(asked, manifest, deadline)
            if held is None and manifest:
                held = self._candidates(user_id, query, vector, manifest, filters)
            reviewed = self._reviewed.of(user_id, manifest)
        except Permanent as error:
            # Everything is in the log: without the index the tail is all there is, and it lacks nothing.
            self._unreadable = (manifest.run_id if manifest else "", time.monotonic() + _LOOK_AGAIN_SECONDS)
            _log.warning("The release is not used: %s", error)
            manifest, held, reviewed = None, (), None
            vector = self._vector(asked, None, deadline)
        tail = self._tails.of(user_id, manifest)
        fresh, is_whole = self._fresh_part(tail, vector, deadline)
        parts = [*_without(held or (), tail.event_ids), fresh]
        if reviewed:
            decided, is_decided_whole = self._fresh_part(reviewed, vector, deadline)
            parts, is_whole = [*_without(parts, reviewed.fact_ids), decided], is_whole and is_decided_whole
        model = self._worker.queries.model
        wanted = Query(query, vector, filters, min_similarity, model.calibration if model else None)
        found = hits(parts, wanted)
        is_partial = vector is None or not is_whole
        return Answer(found, is_partial, manifest.release if manifest else 0, tail.pending_events)

    def _vector(self, asked: Asked, manifest: Manifest | None, deadline: float) -> Vector | None:
        """Return the query's vector if it is there in time and may be compared with the release's."""
        left = min(_QUERY_WAIT_SECONDS, deadline - time.monotonic() - 0.5)
        vector = self._worker.queries.wait(asked, left)
        model = self._worker.queries.model
        if model is None or (manifest and manifest.embedder["fingerprint"] != model.fingerprint):
            return None
        return vector

    def _usable_manifest(self) -> Manifest | None:
        try:
            manifest = self._releases.current()
        except Permanent as error:
            _log.warning("The release is not used: %s", error)
            return None
        run_id, until = self._unreadable
        return None if manifest and manifest.run_id == run_id and time.monotonic() < until else manifest

    def _fresh_part(self, tail: UserTail | ReviewedFacts, vector: Vector | None, deadline: float) -> tuple[Part, bool]:
        """Return the rows that are made here, and whether all have their vectors; the newest get them first."""
        model = self._worker.queries.model
        missing = tail.vectors.missing()
        if missing and model is not None:
            left = min(_TAIL_WAIT_SECONDS, deadline - time.monotonic() - 0.3)
            tail.vectors.add(self._worker.vectors(missing, left if vector is not None else 0.0), model.dim)
        vectors, embedded, is_whole = tail.vectors.now()
        return Part(tail.block, ~embedded | embedded, vectors, embedded), is_whole

    def _candidates(
        self, user_id: str, query: str, vector: Vector | None, manifest: Manifest, filters: Filters
    ) -> tuple[Part, ...]:
        """Return the rows that the index finds, of a user with more rows than are kept in memory."""
        reader = self._released.reader(user_id, manifest)
        where = _where(user_id, filters)
        found = reader.matching(query, where, CANDIDATES) if tokens(query) else []
        if vector is not None:
            found += [key for key, _ in reader.nearest(vector.tolist(), where, CANDIDATES)]
        return (part_of_table(reader.ids_of(user_id, dict.fromkeys(found))),) if found else ()


def _without(parts: Sequence[Part], memory_ids: frozenset[str]) -> list[Part]:
    if not memory_ids:
        return list(parts)
    return [replace(part, visible=part.visible & ~part.block.of_memories(memory_ids)) for part in parts]


def _where(user_id: str, filters: Filters) -> str:
    """Return the filters as SQL for the index; they are applied again, exactly, to the rows that it gives."""
    parts = [f"user_id = {quoted(user_id)}", f"(expires_at IS NULL OR expires_at > {_instant(filters.now)})"]
    parts += [f"{name} IN ({', '.join(map(quoted, sorted(some)))})" for name, some in filters.chosen().items()]
    if filters.since:
        parts.append(f"occurred_at >= {_instant(filters.since)}")
    if filters.until:
        parts.append(f"occurred_at < {_instant(filters.until)}")
    if filters.known_by:
        parts.append(f"recorded_at <= {_instant(filters.known_by)}")
    return " AND ".join(parts)


def _instant(moment: datetime) -> str:
    return f"arrow_cast({microseconds(moment)}, 'Timestamp(Microsecond, Some(\"UTC\"))')"
