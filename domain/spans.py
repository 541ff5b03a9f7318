"""Stretches of local time: days, weeks, months and the choice among years. Pure.

A span is two naive local datetimes, [start, end). Whoever calls adds the offset. Functions that go past the years 1 to
9999 raise ``OverflowError`` or ``ValueError``, as ``datetime`` does.
"""

from calendar import monthrange
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple

Span = tuple[datetime, datetime]
Tense = Literal["past", "future"] | None
Part = Literal["early", "mid", "late"]


class Found(NamedTuple):
    """A time word: where it begins and ends in a text, what it means, and what it lacks."""

    first: int
    last: int
    span: Span
    is_dated: bool = True  # False: a bare clock time, for now of the day on which it was said
    needs_date: bool = False  # it means nothing unless a date stands near by: "after 5 pm", "at 4"
    is_open: bool = False  # "7:30" may be twelve hours later where the date names an evening


ONE_DAY = timedelta(days=1)
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}  # their first months, as meteorologists have them


def midnight(at: datetime) -> datetime:
    """Return the start of the day, naive."""
    return at.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)


def day(at: datetime, shift: int = 0) -> Span:
    """Return the day that is ``shift`` days after that of ``at``."""
    start = midnight(at) + timedelta(days=shift)
    return start, start + ONE_DAY


def week(at: datetime, shift: int = 0) -> Span:
    """Return the Monday to Sunday that is ``shift`` weeks after that of ``at``."""
    start = midnight(at) + timedelta(days=7 * shift - at.weekday())
    return start, start + 7 * ONE_DAY


def weekday(at: datetime, number: int, shift: int = 0) -> Span:
    """Return the weekday (Monday is 0) of the week that is ``shift`` weeks after that of ``at``."""
    return day(week(at, shift)[0], number)


def weekend(at: datetime, shift: int = 0) -> Span:
    """Return Saturday and Sunday of the week that is ``shift`` weeks after that of ``at``."""
    monday, end = week(at, shift)
    return monday + 5 * ONE_DAY, end


def month(year: int, number: int) -> Span:
    """Return a month; numbers outside 1 to 12 run on into the years before and after."""
    first, following = (divmod(year * 12 + number - 1 + n, 12) for n in (0, 1))
    return datetime(first[0], first[1] + 1, 1), datetime(following[0], following[1] + 1, 1)  # noqa: DTZ001 - naive


def month_length(year_number: int, month_number: int) -> int:
    """Return the number of days of a month."""
    return monthrange(year_number, month_number)[1]


def year(number: int) -> Span:
    """Return a calendar year."""
    return month(number, 1)[0], month(number + 1, 1)[0]


def date(year_number: int, month_number: int, day_number: int) -> Span:
    """Return a day of the calendar."""
    return day(datetime(year_number, month_number, day_number))  # noqa: DTZ001 - naive by contract


def season(year_number: int, name: str) -> Span:
    """Return three months; the winter of a year begins in its December."""
    first = SEASONS[name]
    return month(year_number, first)[0], month(year_number, first + 3)[0]


def third(whole: Span, part: Part) -> Span:
    """Return the days 1 to 10, 11 to 20 or 21 to the last of a month; of a year its first, middle or last months."""
    start, end = whole
    if end - start > 31 * ONE_DAY:
        months = {"early": (1, 4), "mid": (5, 9), "late": (10, 13)}[part]
        return month(start.year, months[0])[0], month(start.year, months[1])[0]
    borders = [start, start + 10 * ONE_DAY, start + 20 * ONE_DAY, end]
    place = {"early": 0, "mid": 1, "late": 2}[part]
    return borders[place], borders[place + 1]


def hours(of: Span, first: int, last: int) -> Span:
    """Return the hours [first, last) of a day; 24 and more lie in the next."""
    return of[0] + timedelta(hours=first), of[0] + timedelta(hours=last)


def clock(of: Span, hour: int, minute: int | None) -> Span:
    """Return an hour of a day, or a minute of it if one is named.

    Raises:
        ValueError: there is no such time of day; the hours 24 to 29 are the next day's.
    """
    if not (0 <= hour < 30 and 0 <= (minute or 0) < 60):
        raise ValueError(f"no time of day: {hour}:{minute}")
    start = of[0] + timedelta(hours=hour, minutes=minute or 0)
    return start, start + (timedelta(hours=1) if minute is None else timedelta(minutes=1))


_SMALLER = {
    "year": ("month", 12),
    "month": ("day", 30),
    "week": ("day", 7),
    "day": ("hour", 24),
    "hour": ("minute", 60),
    "minute": ("minute", 1),
}


def away(at: datetime, amount: float, unit: str) -> Span:
    """Return the unit (hour, day, week, month, ...) that holds the instant ``amount`` units after ``at``, aware.

    Halves go by the next smaller unit: half a year is six months, half an hour thirty minutes.
    """
    if amount != int(amount):
        smaller, factor = {"year": ("month", 12), "month": ("day", 30), "hour": ("minute", 60), "day": ("hour", 24)}[
            unit
        ]
        amount, unit = round(amount * factor), smaller
    n = int(amount)
    if unit in {"minute", "hour"}:
        length = timedelta(minutes=1) if unit == "minute" else timedelta(hours=1)
        # Hours pass by the clock of the world, also across the change to summer time.
        there = (at.astimezone(UTC) + n * length).astimezone(at.tzinfo).replace(tzinfo=None)
        start = there.replace(second=0, microsecond=0, minute=there.minute if unit == "minute" else 0)
        return start, start + length
    if unit == "day":
        return day(at, n)
    if unit == "week":
        return week(at, n)
    return month(at.year, at.month + n) if unit == "month" else year(at.year + n)


def same_day(at: datetime, years: int) -> Span:
    """Return the day of ``at`` in another year; 29 February becomes the 28th where there is none."""
    there = at.year + years
    return date(there, at.month, min(at.day, monthrange(there, at.month)[1]))


def on_weekday(candidates: Sequence[Span], number: int | None) -> Sequence[Span]:
    """Return those that begin on the weekday (Monday is 0) beside a date; all if none does or none is given."""
    return [span for span in candidates if span[0].weekday() == number] or candidates


def chosen(candidates: Sequence[Span], at: datetime, tense: Tense) -> Span:
    """Return the span that a speaker at ``at`` means: the latest begun, the first not over, or the nearest.

    Args:
        candidates: ascending.
        at: when it was said.
        tense: "past" takes the latest that began before, "future" the first that is not over, None the nearest.

    Raises:
        ValueError: there is none, because no year or month near has such a day.
    """
    if not candidates:
        raise ValueError("no such day near by")
    now = at.replace(tzinfo=None)
    if tense == "past":
        return next((span for span in reversed(candidates) if span[0] <= now), candidates[0])
    if tense == "future":
        return next((span for span in candidates if span[1] > now), candidates[-1])
    return min(candidates, key=lambda span: max(span[0] - now, now - span[1], timedelta(0)))


def day_of_month(at: datetime, number: int, weekday_number: int | None, tense: Tense) -> Span:
    """Return the coming day of that number, or the last one if the tense is past.

    Args:
        at: when it was said.
        number: "the 25th".
        weekday_number: the weekday beside it (Monday is 0), on which the day must fall: that one of half a year around.
        tense: of the verb that governs the date.

    Raises:
        ValueError: there is no such day.
    """
    shifts = range(-1, 3) if weekday_number is None else range(-6, 7)
    months = [month(at.year, at.month + shift) for shift in shifts]
    found = [day(start, number - 1) for start, end in months if 1 <= number <= (end - start).days]
    return chosen(on_weekday(found, weekday_number), at, tense or "future")
