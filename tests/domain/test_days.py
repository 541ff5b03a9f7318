"""Which day an event is filed under, and how days become ranges."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.days import DayRule, ranges

NOW = datetime(2026, 3, 10, 1, 30, tzinfo=UTC)
FIRST = date(2026, 1, 1)


@pytest.mark.parametrize(
    ("zone", "occurred", "day"),
    [
        ("UTC", "2026-03-09T23:59:59+00:00", "2026-03-09"),
        ("Asia/Shanghai", "2026-03-09T23:59:59+00:00", "2026-03-10"),
        ("America/New_York", "2026-03-09T03:59:59+00:00", "2026-03-08"),
        ("America/New_York", "2026-03-08T04:59:59+00:00", "2026-03-07"),  # the day the clocks changed there
        ("UTC", "2026-01-01T00:00:00+00:00", "2026-01-01"),
        ("UTC", "2025-12-31T23:59:59+00:00", "2026-03-10"),  # before the first day
        ("UTC", "2011-05-01T00:00:00+00:00", "2026-03-10"),
        ("UTC", "2027-05-01T00:00:00+00:00", "2026-03-10"),
        ("America/New_York", "2027-05-01T00:00:00+00:00", "2026-03-09"),  # where it is still yesterday
        ("UTC", "2026-03-10T23:00:00+00:00", "2026-03-10"),  # later today
    ],
)
def test_the_day_of_an_event(zone: str, occurred: str, day: str) -> None:
    rule = DayRule(ZoneInfo(zone), FIRST)
    when = datetime.fromisoformat(occurred)
    assert rule.of(when, NOW) == day
    assert rule.is_outside(when, day) == (when.astimezone(ZoneInfo(zone)).date().isoformat() != day)


@given(
    st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - gets its zone
    st.sampled_from(["UTC", "Asia/Shanghai", "America/New_York", "Pacific/Apia"]),
)
def test_every_day_has_tables(when: datetime, zone: str) -> None:
    rule = DayRule(ZoneInfo(zone), FIRST)
    assert rule.has_tables(rule.of(when, NOW), NOW)


def test_days_that_have_no_tables() -> None:
    rule = DayRule(ZoneInfo("Asia/Shanghai"), FIRST)
    assert [rule.has_tables(day, NOW) for day in ("2025-12-31", "2026-01-01", "2026-03-10", "2026-03-11")] == [
        False,
        True,
        True,
        False,
    ]


DATES = st.dates(date(2026, 1, 1), date(2026, 4, 30)).map(date.isoformat)


@given(st.sets(DATES), st.integers(0, 40), st.integers(1, 50), st.sets(DATES))
def test_ranges_hold_all_days_and_keep_their_bounds(
    days: set[str], max_gap_days: int, max_days: int, barriers: set[str]
) -> None:
    found = ranges(days, max_gap_days=max_gap_days, max_days=max_days, barriers=barriers)
    assert found == sorted(found)
    inside: list[str] = []
    for first, last in found:
        assert {first, last} <= days
        length = (date.fromisoformat(last) - date.fromisoformat(first)).days + 1
        assert length <= max_days
        every = [(date.fromisoformat(first) + timedelta(days=n)).isoformat() for n in range(length)]
        assert not (set(every) - days) & barriers
        gap = 0
        for day in every:
            gap = 0 if day in days else gap + 1
            assert gap <= max_gap_days
        inside += every
    assert len(inside) == len(set(inside))
    assert days <= set(inside)
    for (_, last), (first, _) in pairwise(found):  # as few as can be
        between = (date.fromisoformat(first) - date.fromisoformat(last)).days - 1
        joined = [d for d in barriers if last < d < first]
        start = next(f for f, end in found if end == last)
        assert (
            between > max_gap_days or joined or (date.fromisoformat(first) - date.fromisoformat(start)).days >= max_days
        )
