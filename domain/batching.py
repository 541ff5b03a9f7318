"""Which days are due for a run, and in which runs they go. Pure.

Days without trouble go together in ranges. A day that failed is tried again apart from them, later each time, so that
it never holds back the others; days that failed together for one reason are tried together, so that a model that is
away does not become a run for each day.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from domain.days import ranges

# One run's days: long enough that start-up (some seconds) does not count, short enough that a kill costs little.
MAX_DAYS_A_RUN = 120
# A day without events takes some milliseconds, a run of its own a second or more.
MAX_GAP_DAYS = 31
# Days in trouble that may be at work at once, but for those of one run: the rest of the machine is for the others.
MAX_RETRIES = 3
_FIRST_PAUSE = timedelta(seconds=30)
_LONGEST_PAUSE = timedelta(hours=1)


Cause = Literal["day", "run", "crash"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is known of a day that failed and has not succeeded since.

    Attributes:
        failures: how often.
        last_at: when last, aware.
        cause: ``day``: others of its run did well; ``run``: all days of its run failed; ``crash``: its run ended
            without naming a day.
    """

    failures: int
    last_at: datetime
    cause: Cause = "day"

    @property
    def max_days(self) -> int:
        """Return with how many days it may be tried again: the one that makes a run crash is found by quartering."""
        if self.cause == "crash":
            return max(1, MAX_DAYS_A_RUN >> 2 * min(self.failures - 1, 4))
        return 1 if self.cause == "day" else MAX_DAYS_A_RUN


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
    well = together(free - set(trouble), barriers=running | set(trouble))
    again = _retries(
        {day: trouble[day] for day in free if day in trouble and is_rested(trouble[day], now)}, days | running
    )
    return sorted([*well, *again[: max(0, MAX_RETRIES - len(running & set(trouble)))]])


def _retries(rested: Mapping[str, Trouble], others: set[str]) -> list[tuple[str, str]]:
    """Return the runs that try these days again, those that have waited longest first."""
    found: list[tuple[str, str]] = []
    for max_days in {trouble.max_days for trouble in rested.values()}:
        group = {day for day, trouble in rested.items() if trouble.max_days == max_days}
        found += ranges(group, max_gap_days=MAX_GAP_DAYS, max_days=max_days, barriers=others - group)
    return sorted(found, key=lambda pair: (rested[pair[0]].last_at, pair))


def is_rested(trouble: Trouble | None, now: datetime) -> bool:
    """Return whether what failed, if it did, may be tried again."""
    return trouble is None or now >= trouble.last_at + pause(trouble.failures)


def together(days: Iterable[str], barriers: Collection[str] = ()) -> list[tuple[str, str]]:
    """Return the (first, last) day of the runs that do all the days; days without events between them cost little."""
    return ranges(days, max_gap_days=MAX_GAP_DAYS, max_days=MAX_DAYS_A_RUN, barriers=barriers)


def pause(failures: int) -> timedelta:
    """Return how long a day rests after so many failures: 30 s, doubling, an hour at most."""
    return min(_FIRST_PAUSE * int(2 ** min(failures - 1, 10)), _LONGEST_PAUSE)
