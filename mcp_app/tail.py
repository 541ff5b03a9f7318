"""The tail: what a user said that the released index was not built from, made into the same rows as the pipeline's.

Sessions are paired by the same domain functions and from the same day's turns as in the pipeline, so that a memory
has the same id and text before and after the run that indexes it. Rows of the index that the tail has made anew are
shadowed by them.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from domain import episodes, facets
from domain.records import Event
from mcp_app.block import Row
from resources.event_log import EventLog
from resources.releases import Manifest

_USERS_KEPT = 500
_Group = tuple[str, str]  # session, day


@dataclass(frozen=True, slots=True)
class UserTail:
    """One user's tail.

    Attributes:
        rows: index rows without vectors, oldest event first.
        event_ids: every event of the sessions that were paired anew: index rows with such a memory_id are shadowed.
        pending_events: how many events the release lacks.
    """

    rows: tuple[Row, ...]
    event_ids: frozenset[str]
    pending_events: int


@dataclass(slots=True)
class _State:
    release: int | None = None
    seen_seq: int = 0
    events: dict[str, Event] = field(default_factory=dict)
    groups: dict[_Group, tuple[tuple[int, ...], tuple[Event, ...], tuple[Row, ...]]] = field(default_factory=dict)
    tail: UserTail | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class Tails:
    """The tails of the users who asked last; any thread."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._states: OrderedDict[str, _State] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, user_id: str, manifest: Manifest | None, fingerprint: str) -> UserTail:
        """Return a user's tail against a release: every event that was committed before this call and is not in it."""
        release, built = (manifest.release, manifest.built) if manifest else (0, {})
        state = self._state(user_id)
        with state.lock:
            if state.release is None or release < state.release:
                self._begin(user_id, state, built)
            else:
                self._go_on(user_id, state, release, built)
            state.release = release
            if state.tail is None:
                state.tail = self._made(user_id, state, fingerprint)
            return state.tail

    def _state(self, user_id: str) -> _State:
        with self._lock:
            state = self._states.pop(user_id, None) or _State()
            self._states[user_id] = state
            while len(self._states) > _USERS_KEPT:
                self._states.popitem(last=False)
            return state

    def _begin(self, user_id: str, state: _State, built: Mapping[str, int]) -> None:
        # The end first: what is committed after it is read by the next call, whatever the reads below see.
        state.seen_seq = self._log.last_seq()
        floors = {day: built.get(day, 0) for day, head in self._log.day_heads().items() if head > built.get(day, 0)}
        events = self._log.read_user_tail(user_id, floors) if floors else []
        state.events = {event.event_id: event for event in events}
        state.groups, state.tail = {}, None

    def _go_on(self, user_id: str, state: _State, release: int, built: Mapping[str, int]) -> None:
        before = len(state.events)
        if release != state.release:
            state.events = {k: e for k, e in state.events.items() if e.seq > built.get(e.partition_day, 0)}
        seen = self._log.last_seq()
        fresh = self._log.read_user(user_id, state.seen_seq) if seen > state.seen_seq else []
        for event in fresh:
            if event.seq > built.get(event.partition_day, 0):
                state.events[event.event_id] = event
        state.seen_seq = max([seen, *(event.seq for event in fresh)])
        if fresh or len(state.events) != before:
            state.tail = None

    def _made(self, user_id: str, state: _State, fingerprint: str) -> UserTail:
        parts: dict[_Group, list[Event]] = {}
        for event in sorted(state.events.values(), key=lambda e: e.seq):
            parts.setdefault((event.session_id, event.partition_day), []).append(event)
        groups = {}
        for group, events in parts.items():
            stamp = tuple(event.seq for event in events)
            known = state.groups.get(group)
            groups[group] = (
                known if known and known[0] == stamp else self._paired(user_id, group, stamp, events, fingerprint)
            )
        state.groups = groups
        rows = [row for _, _, made in groups.values() for row in made]
        shadow = frozenset(event.event_id for _, events, _ in groups.values() for event in events)
        return UserTail(tuple(rows), shadow, len(state.events))

    def _paired(
        self, user_id: str, group: _Group, stamp: tuple[int, ...], fresh: list[Event], fingerprint: str
    ) -> tuple[tuple[int, ...], tuple[Event, ...], tuple[Row, ...]]:
        """Return the rows of one session and day; with turns, all of the session's turns that day have a part in them."""
        session_id, day = group
        events = fresh
        if any(event.kind == "message" for event in fresh):
            known = self._log.read_session_day(user_id, session_id, day)
            events = [e for e in known if e.kind == "message" and e.seq <= max(stamp)]
            events += [e for e in fresh if e.kind != "message"]
        made = episodes.build(events)
        return stamp, tuple(events), tuple(_rows(made, day, fingerprint))


def _rows(made: Iterable[episodes.Episode], day: str, fingerprint: str) -> Iterable[Row]:
    return (row for episode in made for row in facets.index_rows(episode, day, fingerprint))
