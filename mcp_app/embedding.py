"""Vectors inside the server: a low-priority worker embeds what was stored since the last release.

It shares the vector cache with the pipeline, so that a text is embedded by whichever comes first and by nobody
again. A retrieve may ask for some texts to go first and wait a little for them.
"""

import logging
import os
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future

import numpy as np
from numpy.typing import NDArray

from domain import episodes, facets
from domain.errors import HindsightError, Temporary
from domain.records import Event, NewEvent
from mcp_app.queries import Queries
from mcp_app.queries import Vector as QueryVector
from resources.embedder import Embedder
from resources.vector_cache import VectorCache, embed_cached

_log = logging.getLogger(__name__)

Vector = NDArray[np.float16]

_BATCH = 8  # small: what a retrieve puts in front waits for one batch at most
_URGENT = 200  # what the model makes in the time a retrieve waits, with room
_QUEUED = 20_000  # beyond that the pipeline's run embeds them; a server restarted on a long tail must not race it
_KEPT = 50_000
_MIN_REST_SECONDS = 0.05  # single stores gather to a batch meanwhile
_MAX_REST_SECONDS = 0.5
_PAUSE_SECONDS = 1.0  # a model that is away is not asked a hundred times a second


class EmbeddingWorker:
    """One thread that embeds texts, urgent ones first; queries have threads of their own (``queries``)."""

    def __init__(self, embedder: Embedder, cache: VectorCache) -> None:
        self.embedder = embedder
        self.queries = Queries(embedder, cache)
        self._cache = cache
        self._urgent: dict[str, float] = {}  # in order, each with the instant after which nobody waits for it
        self._waiting: OrderedDict[str, None] = OrderedDict()
        self._stored: deque[NewEvent] = deque(maxlen=_QUEUED)
        self._known: OrderedDict[str, Vector] = OrderedDict()
        self._changed = threading.Condition()
        self._closed = threading.Event()
        self._rest_seconds = _MIN_REST_SECONDS
        self._thread = threading.Thread(target=self._work, name="embedding-worker", daemon=True)
        self._thread.start()

    @property
    def ready(self) -> Future[QueryVector]:
        """Return the future that is done when the model has answered for the first time."""
        return self.queries.ready

    def stored(self, events: Iterable[NewEvent]) -> None:
        """Have what was just stored embedded when nothing more urgent is to do; of an overlong queue the oldest go."""
        with self._changed:
            self._stored.extend(events)
            self._changed.notify_all()

    def vectors(self, texts: Sequence[str], wait_seconds: float) -> dict[str, Vector]:
        """Return the vectors there are of the texts; missing ones are embedded first, the last of them first of all.

        Args:
            texts: none of them blank.
            wait_seconds: how long to wait for the missing ones; what is not ready by then is not in the answer.
        """
        found = self._there(texts)
        missing = [text for text in reversed(dict.fromkeys(texts)) if text not in found]
        if not missing:
            return found
        deadline = time.monotonic() + max(0.0, wait_seconds)
        with self._changed:
            self._urgent.update((text, max(deadline, self._urgent.get(text, 0.0))) for text in missing[:_URGENT])
            self._put_off(missing[_URGENT:])
            self._changed.notify_all()
            while (left := deadline - time.monotonic()) > 0 and any(t not in self._known for t in missing):
                self._changed.wait(left)
            return found | {text: self._known[text] for text in missing if text in self._known}

    def pending(self) -> int:
        """Return how many texts wait for their vector."""
        with self._changed:
            return len(self._urgent) + len(self._waiting) + len(self._stored)

    def close(self) -> None:
        """Stop after the batch at hand, or without it when the model hangs."""
        with self._changed:
            self._closed.set()
            self._changed.notify_all()
        self.queries.close()
        self._thread.join(timeout=5)

    def _there(self, texts: Sequence[str]) -> dict[str, Vector]:
        with self._changed:
            found = {text: self._known[text] for text in texts if text in self._known}
        rest = [text for text in texts if text not in found]
        model = self.queries.model
        if rest and model is not None:
            try:
                cached = self._cache.get_many(model.fingerprint, rest)
            except HindsightError as error:
                _log.warning("The vector cache was not read: %s", error)
            else:
                self._keep(cached)
                found |= cached
        return found

    def _put_off(self, texts: Iterable[str]) -> None:
        for text in texts:
            if len(self._waiting) >= _QUEUED:
                break
            self._waiting[text] = None

    def _work(self) -> None:
        _lower_priority()
        while (batch := self._next_batch()) is not None:
            started = time.monotonic()
            fault = self._fault(batch)
            self._rest_seconds = min(_MAX_REST_SECONDS, max(_MIN_REST_SECONDS, time.monotonic() - started))
            if fault is not None and not isinstance(fault, Temporary) and len(batch) > 1:
                for one in batch:  # it may be one of them that the model does not take
                    self._fault([one])
            if fault is not None:
                self._closed.wait(_PAUSE_SECONDS)

    def _fault(self, batch: Sequence[str | NewEvent]) -> Exception | None:
        """Embed what is said; return what went wrong, None if nothing did."""
        try:
            texts = [text for one in batch for text in ([one] if isinstance(one, str) else _texts(one))]
            self._keep(embed_cached(self.embedder, self._cache, texts))
        except HindsightError as error:
            _log.warning("%d texts were not embedded (the next run will): %s", len(batch), error)
            return error
        except Exception as error:  # noqa: BLE001 - a fault of the model must not end the only thread that embeds
            _log.warning("%d texts were not embedded: %s", len(batch), type(error).__name__)
            return error
        return None

    def _next_batch(self) -> Sequence[str | NewEvent] | None:
        """Return what is to be embedded next; None when the worker was closed."""
        with self._changed:
            while not (self._urgent or self._waiting or self._stored or self._closed.is_set()):
                self._changed.wait()
            if self._stored and not self._closed.is_set():  # stores are coming: leave them half of the time
                self._changed.wait_for(lambda: self._urgent or self._closed.is_set(), self._rest_seconds)
            if self._closed.is_set():
                return None
            if urgent := list(self._taken_urgent()):
                return urgent
            if self._waiting:
                return [self._waiting.popitem(last=False)[0] for _ in range(min(_BATCH, len(self._waiting)))]
            return [self._stored.popleft() for _ in range(min(_BATCH, len(self._stored)))]

    def _taken_urgent(self) -> Iterator[str]:
        """Take a batch of urgent texts; those that nobody waits for any longer become ordinary ones."""
        now, taken = time.monotonic(), 0
        for text, deadline in list(self._urgent.items()):
            if taken == _BATCH:
                return
            del self._urgent[text]
            if deadline < now:
                self._put_off([text])
            else:
                taken += 1
                yield text

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
