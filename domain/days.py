"""Which day's tables an event belongs to. Pure: the caller passes both instants and the zone."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
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

    def is_outside(self, occurred_at: datetime, partition_day: str) -> bool:
        """Return whether an event lies under another day than its own."""
        return occurred_at.astimezone(self.zone).date().isoformat() != partition_day


def contiguous(days: list[str]) -> list[tuple[str, str]]:
    """Return the first and last day of each unbroken run of ISO days, ascending.

    >>> contiguous(["2026-01-03", "2026-01-01", "2026-01-02", "2026-02-01"])
    [('2026-01-01', '2026-01-03'), ('2026-02-01', '2026-02-01')]
    """
    ranges: list[tuple[str, str]] = []
    for day in sorted(set(days)):
        if ranges and date.fromisoformat(ranges[-1][1]) + timedelta(days=1) == date.fromisoformat(day):
            ranges[-1] = (ranges[-1][0], day)
        else:
            ranges.append((day, day))
    return ranges
