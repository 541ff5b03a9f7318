"""Which days are due for a run, and in which runs they go. Pure.

Days without trouble go together in ranges. A day that failed is tried again alone, later each time, so that
it never holds back the others.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from domain.days import ranges

# One run's days: long enough that start-up (some seconds) does not count, short enough that a kill costs little.
MAX_DAYS_A_RUN = 120
# A day without events takes some milliseconds, a run of its own a second or more.
MAX_GAP_DAYS = 31
_FIRST_PAUSE = timedelta(seconds=30)
_LONGEST_PAUSE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Trouble:
    """How often a day has failed of late, and when last (aware)."""

    failures: int
    last_at: datetime


def due(head: Mapping[str, int], built: Mapping[str, int]) -> dict[str, int]:
    """Return the days whose tables lack events, with the highest seq each: ``head`` above ``built``."""
    return {day: seq for day, seq in head.items() if seq > built.get(day, 0)}


def is_time(n_events: int, oldest_age_seconds: float, batch_events: int, batch_seconds: float) -> bool:
    """Return whether what waits is worth a run: enough events, or the oldest has waited long enough."""
    return n_events > 0 and (n_events >= batch_events or oldest_age_seconds >= batch_seconds)


def plan(days: set[str], running: set[str], trouble: Mapping[str, Trouble], now: datetime) -> list[tuple[str, str]]:
    """Return the (first, last) day of each run to start now, ascending.

    Args:
        days: those due.
        running: those that a run is at work on; they wait for its end.
        trouble: those that failed of late.
        now: aware.
    """
    free = days - running
    again = [
        (day, day) for day in free if day in trouble and now >= trouble[day].last_at + pause(trouble[day].failures)
    ]
    return sorted([*again, *together(free - set(trouble), barriers=running | set(trouble))])


def together(days: Iterable[str], barriers: Collection[str] = ()) -> list[tuple[str, str]]:
    """Return the (first, last) day of the runs that do all the days; days without events between them cost little."""
    return ranges(days, max_gap_days=MAX_GAP_DAYS, max_days=MAX_DAYS_A_RUN, barriers=barriers)


def pause(failures: int) -> timedelta:
    """Return how long a day rests after so many failures: 30 s, doubling, an hour at most."""
    return min(_FIRST_PAUSE * int(2 ** min(failures - 1, 10)), _LONGEST_PAUSE)
