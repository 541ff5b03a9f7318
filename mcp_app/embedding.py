"""Vectors inside the server: of queries, and, by a low-priority worker, of what was stored since the last release.

The worker shares the vector cache with the pipeline, so that a text is embedded by whichever comes first and by
nobody again. A retrieve may ask for some texts to go first and wait a little for them.
"""

import logging
import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout

import numpy as np
from numpy.typing import NDArray

from domain import episodes, facets
from domain.errors import HindsightError
from domain.records import Event, NewEvent
from resources.embedder import Embedder
from resources.vector_cache import VectorCache, embed_cached

_log = logging.getLogger(__name__)

Vector = NDArray[np.float16]

_BATCH = 8  # small: what a retrieve puts in front waits for one batch at most
_URGENT = 200  # what the model makes in the time a retrieve waits, with room
_QUEUED = 20_000  # beyond that the pipeline's run embeds them; a server restarted on a long tail must not race it
_KEPT = 50_000
_QUERIES_KEPT = 5_000
_QUERY_PREFIX = "query\x00"  # keeps a query's vector apart from a passage's of the same text in the cache


class EmbeddingWorker:
    """One thread that embeds texts, urgent ones first, and answers for queries."""

    def __init__(self, embedder: Embedder, cache: VectorCache) -> None:
        self.embedder = embedder
        self._cache = cache
        self._urgent: dict[str, None] = {}  # ordered sets
        self._waiting: dict[str, None] = {}
        self._stored: deque[NewEvent] = deque(maxlen=_QUEUED)
        self._known: OrderedDict[str, Vector] = OrderedDict()
        self._changed = threading.Condition()
        self._closed = False
        self._queries: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="query-embedder")
        self._thread = threading.Thread(target=self._work, name="embedding-worker", daemon=True)
        self._thread.start()
        self.ready: Future[None] = self._pool.submit(self._warm_up)

    def _warm_up(self) -> None:
        self.embedder.embed_query("ready?")

    def stored(self, events: Iterable[NewEvent]) -> None:
        """Have what was just stored embedded when nothing more urgent is to do; of an overlong queue the oldest go."""
        with self._changed:
            self._stored.extend(events)
            self._changed.notify_all()

    def vectors(self, texts: Sequence[str], wait_seconds: float) -> dict[str, Vector]:
        """Return the vectors there are of the texts, newest last; missing ones are embedded first, newest first.

        Args:
            texts: any, blank ones are never embedded.
            wait_seconds: how long to wait for the missing ones; what is not ready by then is not in the answer.
        """
        found = self._there(texts)
        missing = [t for t in reversed(list(dict.fromkeys(texts))) if t not in found and t.strip()]
        if not missing or wait_seconds <= 0:
            return found
        deadline = time.monotonic() + wait_seconds
        with self._changed:
            self._urgent.update(dict.fromkeys(missing[:_URGENT]))
            self._waiting.update(dict.fromkeys(missing[_URGENT:]))
            self._changed.notify_all()
            while (left := deadline - time.monotonic()) > 0 and any(t not in self._known for t in missing):
                self._changed.wait(left)
            for text in missing[:_URGENT]:
                if text in self._urgent:
                    del self._urgent[text]
                    self._waiting[text] = None
        return found | self._there(missing)

    def _there(self, texts: Sequence[str]) -> dict[str, Vector]:
        with self._changed:
            found = {text: self._known[text] for text in texts if text in self._known}
        rest = [text for text in texts if text not in found]
        if rest:
            cached = self._cache.get_many(self.embedder.fingerprint, rest)
            self._keep(cached)
            found |= cached
        return found

    def query(self, text: str, wait_seconds: float) -> NDArray[np.float32] | None:
        """Return a query's unit vector (dim,), None when the model did not give it in time or is broken."""
        with self._changed:
            if text in self._queries:
                self._queries.move_to_end(text)
                return self._queries[text]
        try:
            vector = self._pool.submit(self._embed_query, text).result(wait_seconds)
        except FutureTimeout:
            return None
        except HindsightError as error:
            _log.warning("The query was not embedded: %s", error)
            return None
        with self._changed:
            self._queries[text] = vector
            while len(self._queries) > _QUERIES_KEPT:
                self._queries.popitem(last=False)
        return vector

    def _embed_query(self, text: str) -> NDArray[np.float32]:
        key = _QUERY_PREFIX + text
        cached = self._cache.get_many(self.embedder.fingerprint, [key])
        if key in cached:
            return cached[key].astype(np.float32)
        vector = self.embedder.embed_query(text)
        self._cache.put_many(self.embedder.fingerprint, {key: vector.astype(np.float16)})
        return vector

    def pending(self) -> int:
        """Return how many texts wait for their vector."""
        with self._changed:
            return len(self._urgent) + len(self._waiting) + len(self._stored)

    def close(self) -> None:
        """Stop after the batch at hand."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(timeout=10)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _work(self) -> None:
        _lower_priority()
        while (batch := self._next_batch()) is not None:
            try:
                self._keep(embed_cached(self.embedder, self._cache, batch))
            except HindsightError as error:
                _log.warning("%d texts were not embedded (the next run will): %s", len(batch), error)
                time.sleep(1)  # a model that is away is not asked a hundred times a second

    def _next_batch(self) -> list[str] | None:
        with self._changed:
            while not (self._urgent or self._waiting or self._stored or self._closed):
                self._changed.wait()
            if self._closed:
                return None
            events = [] if self._urgent or self._waiting else [self._stored.popleft()]
            source = self._urgent or self._waiting
            batch = [text for text, _ in zip(list(source), range(_BATCH), strict=False)]
            for text in batch:
                del source[text]
        return batch + [text for event in events for text in _texts(event)]

    def _keep(self, vectors: dict[str, Vector]) -> None:
        with self._changed:
            self._known.update(vectors)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
            self._changed.notify_all()


def _texts(event: NewEvent) -> list[str]:
    """Return the texts that the pipeline will embed for an event that is paired with no other."""
    alone = Event(
        seq=1,
        event_id=event.event_id,
        kind=event.kind,
        user_id=event.user_id,
        agent_id=event.agent_id,
        scope=event.scope,
        session_id=event.session_id,
        occurred_at=event.occurred_at,
        partition_day="",
        recorded_at=event.occurred_at,
        payload=event.payload,
    )
    return [part.text for episode in episodes.build([alone]) for part in facets.parts(episode) if part.text.strip()]


def _lower_priority() -> None:
    """Let requests go before this thread (Linux counts niceness by thread; elsewhere it stays as it is)."""
    try:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
    except (OSError, AttributeError):
        _log.debug("The embedding worker keeps the process's priority")
