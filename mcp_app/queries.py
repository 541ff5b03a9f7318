"""Vectors of queries, by a few threads: a model that hangs holds up those who wait for it, and these not for long."""

import logging
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from domain.errors import HindsightError
from domain.similarity import Calibration
from resources.embedder import Embedder
from resources.vector_cache import VectorCache

_log = logging.getLogger(__name__)

_KEPT = 5_000
_THREADS = 8  # so many calls may hang before no query is embedded any more
_STUCK_SECONDS = 4.0  # a call that takes so long is no normal one: the model is loading, or hangs
_STUCK_WAIT_SECONDS = 0.5  # what a query waits then
_PREFIX = "query\x00"  # keeps a query's vector apart from a passage's of the same text in the cache

Vector = NDArray[np.float32]
Asked = Future[Vector]


@dataclass(frozen=True, slots=True)
class Model:
    """What the vectors of a model mean."""

    fingerprint: str
    dim: int
    calibration: Calibration


class Queries:
    """Embeds queries; one that was asked before comes from memory, and after a restart from the vector cache."""

    def __init__(self, embedder: Embedder, cache: VectorCache) -> None:
        self._embedder = embedder
        self._cache = cache
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Vector] = OrderedDict()
        self._jobs: queue.SimpleQueue[tuple[Asked, Callable[[], Vector]] | None] = queue.SimpleQueue()
        self._n_threads = 0
        self._running: dict[int, float] = {}  # by thread, since when
        self._model: Model | None = None
        self.ready = self._submit(self._warm_up)

    @property
    def model(self) -> Model | None:
        """Return what is known of the model, None before it has answered once."""
        return self._model

    def ask(self, text: str) -> Asked:
        """Return the future of a query's unit vector (dim,)."""
        with self._lock:
            known = self._known.get(text)
            if known is not None:
                self._known.move_to_end(text)
        if known is None:
            return self._submit(lambda: self._embedded(text))
        done: Asked = Future()
        done.set_result(known)
        return done

    def wait(self, asked: Asked, seconds: float) -> Vector | None:
        """Return the vector that was asked for, None when the model does not give it in time or is broken."""
        try:
            return asked.result(min(seconds, _STUCK_WAIT_SECONDS) if self.is_stuck() else max(0.0, seconds))
        except FutureTimeout:
            asked.cancel()  # if it has not begun, nobody needs it any more
        except (HindsightError, CancelledError) as error:
            _log.warning("A query was not embedded: %s", error)
        except Exception as error:  # noqa: BLE001 - whatever breaks in a model, words still find
            _log.warning("A query was not embedded: %s", type(error).__name__, exc_info=error)
        return None

    def close(self) -> None:
        """Let go of the threads that are not in the model."""
        for _ in range(_THREADS):
            self._jobs.put(None)

    def is_stuck(self) -> bool:
        """Return whether a call has been in the model for longer than any takes."""
        with self._lock:
            started = list(self._running.values())
        return any(time.monotonic() - since > _STUCK_SECONDS for since in started)

    def _warm_up(self) -> Vector:
        vector = self._embedder.embed_query("ready?")
        self._know_model()
        return vector

    def _know_model(self) -> Model:
        if self._model is None:
            embedder = self._embedder
            self._model = Model(embedder.fingerprint, embedder.dim, embedder.calibration)
        return self._model

    def _embedded(self, text: str) -> Vector:
        fingerprint, key = self._know_model().fingerprint, _PREFIX + text
        vector = self._cached(fingerprint, key)
        if vector is None:
            kept = self._embedder.embed_query(text).astype(np.float16)
            vector = kept.astype(np.float32)  # as it comes out of the cache: the order is the same after a restart
            try:
                self._cache.put_many(fingerprint, {key: kept})
            except HindsightError as error:
                _log.warning("A query's vector was not kept: %s", error)
        with self._lock:
            self._known[text] = vector
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return vector

    def _cached(self, fingerprint: str, key: str) -> Vector | None:
        try:
            found = self._cache.get_many(fingerprint, [key])
        except HindsightError as error:
            _log.warning("The vector cache was not read: %s", error)
            return None
        return found[key].astype(np.float32) if key in found else None

    def _submit(self, work: Callable[[], Vector]) -> Asked:
        asked: Asked = Future()
        with self._lock:
            # A daemon: a model that hangs must not keep the process from ending, as an executor's threads would.
            if self._n_threads < _THREADS and len(self._running) + self._jobs.qsize() >= self._n_threads:
                self._n_threads += 1
                threading.Thread(target=self._work, name=f"query-embedder-{self._n_threads}", daemon=True).start()
            self._jobs.put((asked, work))
        return asked

    def _work(self) -> None:
        me = threading.get_ident()
        while (job := self._jobs.get()) is not None:
            asked, work = job
            if not asked.set_running_or_notify_cancel():
                continue
            with self._lock:
                self._running[me] = time.monotonic()
            try:
                asked.set_result(work())
            except BaseException as error:  # noqa: BLE001 - it is the asker's
                asked.set_exception(error)
            finally:
                with self._lock:
                    del self._running[me]
