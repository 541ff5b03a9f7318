"""Which day's tables an event belongs to. Pure: the caller passes both instants and the zone."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class DayRule:
    """The partition zone and the first day there are tables for; pinned in the data folder."""

    zone: ZoneInfo
    first_day: date

    def of(self, occurred_at: datetime, recorded_at: datetime) -> str:
        """Return the ISO day of an event: its own in the rule's zone, or the recorded one where that has no tables.

        Dagster has partitions from the first day to today, so an event before or after those (a chat of 2011, a date
        of next year) is filed under the day on which it was recorded; its ``occurred_at`` is untouched.

        Args:
            occurred_at: aware instant.
            recorded_at: aware instant, not before ``first_day``.
        """
        today = recorded_at.astimezone(self.zone).date()
        day = occurred_at.astimezone(self.zone).date()
        return (day if self.first_day <= day <= today else today).isoformat()

    def has_tables(self, day: str, now: datetime) -> bool:
        """Return whether an ISO day lies between the first day and the day of ``now`` (aware)."""
        return self.first_day.isoformat() <= day <= now.astimezone(self.zone).date().isoformat()

    def is_outside(self, occurred_at: datetime, partition_day: str) -> bool:
        """Return whether an event lies under another day than its own."""
        return occurred_at.astimezone(self.zone).date().isoformat() != partition_day


def ranges(
    days: Iterable[str], *, max_gap_days: int = 0, max_days: int = 100_000, barriers: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Return the (first, last) day of as few ranges as hold all the days, ascending.

    >>> ranges(["2026-01-03", "2026-01-01", "2026-01-02", "2026-02-01"])
    [('2026-01-01', '2026-01-03'), ('2026-02-01', '2026-02-01')]

    Args:
        days: ISO days.
        max_gap_days: a range may go on over so many days that are none of ``days``.
        max_days: the longest range.
        barriers: ISO days that no range may go over.
    """
    found: list[tuple[date, date]] = []
    walls = sorted(date.fromisoformat(day) for day in barriers)
    for day in sorted({date.fromisoformat(text) for text in days}):
        first, last = found[-1] if found else (date.min, date.min)
        is_near = found and (day - last).days - 1 <= max_gap_days and (day - first).days < max_days
        if is_near and not any(last < wall < day for wall in walls):
            found[-1] = (first, day)
        else:
            found.append((day, day))
    return [(first.isoformat(), last.isoformat()) for first, last in found]
