"""The tail: what a user said that the released index was not built from, made into the same rows as the pipeline's.

Sessions are paired by the same domain functions and from the same day's turns as in the pipeline, so that a memory
has the same id and text before and after the run that indexes it. Rows of the index that the tail has made anew are
shadowed by them.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from domain import episodes, facets
from domain.bm25 import Mask
from domain.records import Event
from mcp_app.block import Block, Row, block_of_rows
from resources.event_log import EventLog
from resources.releases import Day, Manifest

_USERS_KEPT = 500
_EVENTS_KEPT = 100_000  # of all users together; about 2 KB each with its rows
_NO_DAYS: Mapping[str, Day] = {}
_Group = tuple[str, str]  # session and day of turns; a memory is a group of its own
_Made = tuple[tuple[int, ...], frozenset[str], tuple[Row, ...]]  # seqs it was made from, all its events, its rows


class TailVectors:
    """The vectors of a tail's rows, as far as they are there; any thread may add to them.

    Args:
        texts: of the n rows.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._needed = np.fromiter((bool(text.strip()) for text in texts), np.bool_, len(texts))
        self._embedded = np.zeros(len(texts), np.bool_)
        self._matrix = np.zeros((len(texts), 1), np.float32)

    def missing(self) -> list[str]:
        """Return the texts that lack a vector, oldest first; blank ones never get one."""
        return [self._texts[int(n)] for n in np.flatnonzero(self._needed & ~self._embedded)]

    def add(self, vectors: Mapping[str, NDArray[np.float16]], dim: int) -> None:
        """Take those of the vectors, each (dim,), that are still missing."""
        if not vectors:
            return
        if self._matrix.shape[1] != dim:
            self._matrix = np.zeros((len(self._texts), dim), np.float32)
            self._embedded = np.zeros(len(self._texts), np.bool_)
        matrix, embedded = self._matrix, self._embedded
        for n in np.flatnonzero(self._needed & ~embedded):
            if (vector := vectors.get(self._texts[int(n)])) is not None:
                matrix[n] = vector
                embedded[n] = True  # last: who sees it finds the vector whole

    def now(self) -> tuple[NDArray[np.float32], Mask, bool]:
        """Return (n, dim) vectors, (n,) which rows have one, and whether all that need one do."""
        embedded = self._embedded.copy()
        return self._matrix, embedded, bool((embedded | ~self._needed).all())


@dataclass(frozen=True, slots=True)
class UserTail:
    """One user's tail.

    Attributes:
        block: its rows, oldest event first.
        vectors: of these rows.
        event_ids: every event of the sessions that were paired anew: index rows with such a memory_id are shadowed.
        pending_events: how many events the release lacks.
    """

    block: Block
    vectors: TailVectors
    event_ids: frozenset[str]
    pending_events: int


@dataclass(slots=True)
class _State:
    days: Mapping[str, Day] | None = None  # of the release that it is the tail of
    seen_seq: int = 0
    events: dict[str, Event] = field(default_factory=dict)
    groups: dict[_Group, _Made] = field(default_factory=dict)
    tail: UserTail | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class Tails:
    """The tails of the users who asked last; any thread."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._states: OrderedDict[str, _State] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, user_id: str, manifest: Manifest | None) -> UserTail:
        """Return a user's tail against a release: every event that was committed before this call and is not in it."""
        days = manifest.days if manifest else _NO_DAYS
        state = self._state(user_id)
        with state.lock:
            # A release that lacks what an earlier one had (lake made anew, rollback) is followed from the beginning.
            if state.days is None or not _has_all(days, state.days):
                self._begin(user_id, state, days)
            else:
                self._go_on(user_id, state, days)
            if state.tail is None:
                state.tail = self._made(user_id, state)
            return state.tail

    def _state(self, user_id: str) -> _State:
        with self._lock:
            state = self._states.pop(user_id, None) or _State()
            n_events = sum(len(other.events) for other in self._states.values())
            while self._states and (len(self._states) >= _USERS_KEPT or n_events > _EVENTS_KEPT):
                n_events -= len(self._states.popitem(last=False)[1].events)
            self._states[user_id] = state
            return state

    def _begin(self, user_id: str, state: _State, days: Mapping[str, Day]) -> None:
        # The end first: what is committed after it is read by the next call, whatever the reads below see.
        seen_seq = self._log.last_seq()
        heads = self._log.day_heads()
        floors = {day: floor for day, head in heads.items() if head > (floor := _floor(days, day))}
        events = self._log.read_user_tail(user_id, floors) if floors else []
        state.events = {event.event_id: event for event in events}
        state.seen_seq, state.days, state.tail = seen_seq, days, None

    def _go_on(self, user_id: str, state: _State, days: Mapping[str, Day]) -> None:
        seen = self._log.last_seq()
        fresh = self._log.read_user(user_id, state.seen_seq) if seen > state.seen_seq else []
        events = state.events
        if fresh or days is not state.days:
            known = (*events.values(), *fresh)
            events = {e.event_id: e for e in known if e.seq > _floor(days, e.partition_day)}
        if events.keys() != state.events.keys():
            state.tail = None
        state.events, state.days = events, days
        state.seen_seq = max([seen, *(event.seq for event in fresh)])

    def _made(self, user_id: str, state: _State) -> UserTail:
        parts: dict[_Group, list[Event]] = {}
        for event in sorted(state.events.values(), key=lambda e: e.seq):
            parts.setdefault(_group(event), []).append(event)
        groups = {}
        for group, events in parts.items():
            stamp = tuple(event.seq for event in events)
            known = state.groups.get(group)
            groups[group] = known if known and known[0] == stamp else self._paired(user_id, stamp, events)
        state.groups = groups
        rows = [row for _, _, made in groups.values() for row in made]
        shadow = frozenset(event_id for _, event_ids, _ in groups.values() for event_id in event_ids)
        vectors = TailVectors([row["text"] for row in rows])
        return UserTail(block_of_rows(rows), vectors, shadow, len(state.events))

    def _paired(self, user_id: str, stamp: tuple[int, ...], events: list[Event]) -> _Made:
        """Return the rows of one group; all turns that the session has that day have a part in them."""
        first = events[0]
        if first.kind == "message":
            known = self._log.read_session_day(user_id, first.session_id, first.partition_day)
            events = [e for e in known if e.kind == "message" and e.seq <= stamp[-1]]
        rows = _rows(episodes.build(events), first.partition_day)
        return stamp, frozenset(event.event_id for event in events), tuple(rows)


def _floor(days: Mapping[str, Day], day: str) -> int:
    return days[day].max_seq if day in days else 0


def _has_all(days: Mapping[str, Day], before: Mapping[str, Day]) -> bool:
    return days is before or all(_floor(days, day) >= state.max_seq for day, state in before.items())


def _group(event: Event) -> _Group:
    return (event.session_id, event.partition_day) if event.kind == "message" else ("", event.event_id)


def _rows(made: Iterable[episodes.Episode], day: str) -> Iterable[Row]:
    # Rows of the tail name no model: their vectors come apart from them.
    return (row for episode in made for row in facets.index_rows(episode, day, fingerprint=""))
