"""Time words of both languages, against the moment at which they were said."""

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import timewords

from .timeword_cases import EN, LATER_EN, LATER_ZH, SEEN_EN, SEEN_ZH, ZH, A, Case, N
from .timeword_plan_cases import FILED, PLANS

SHANGHAI = datetime.fromisoformat(A)
PIECES = st.sampled_from(
    [case[0] for case in ZH + EN + PLANS] + list("今明后上下周年月日点三五9 :-/") + ["next ", " ago", "in "]
)
MIXED = st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join)
OFFSETS = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
ZONES = OFFSETS | st.sampled_from([ZoneInfo("America/New_York"), ZoneInfo("Asia/Shanghai"), UTC])


def event(said: str) -> datetime:
    local, _, zone = said.partition(" ")
    at = datetime.fromisoformat(local)
    return at.replace(tzinfo=ZoneInfo(zone)) if zone else at


def interval(written: str, at: datetime) -> tuple[datetime, datetime]:
    first, _, last = written.partition("/")
    start = datetime.fromisoformat(first)
    end = datetime.fromisoformat(last) if last else start + timedelta(days=1)
    return start.replace(tzinfo=at.tzinfo), end.replace(tzinfo=at.tzinfo)


@pytest.mark.parametrize("case", ZH + EN + LATER_ZH + LATER_EN + SEEN_ZH + SEEN_EN + PLANS, ids=lambda case: case[0])
def test_words_mean(case: Case) -> None:
    text, said, expected = case
    at = event(said)
    found = timewords.resolve(text, at)
    assert [(word.start, word.end) for word in found] == [interval(written, at) for written in expected]
    assert all(word.start.utcoffset() == word.start.replace(tzinfo=at.tzinfo).utcoffset() for word in found)


def test_the_words_stay_as_they_were_written() -> None:
    found = timewords.resolve("从２０２３年５月７日起，Next Friday见", SHANGHAI)
    assert [word.text for word in found] == ["２０２３年５月７日", "Next Friday"]


@given(MIXED, st.datetimes(timezones=ZONES))
def test_any_text_at_any_time(text: str, at: datetime) -> None:
    place = 0
    for word in timewords.resolve(text, at):
        assert word.text
        assert word.start.astimezone(UTC) < word.end.astimezone(UTC)
        place = text.index(word.text, place) + len(word.text)


@pytest.mark.parametrize(
    "text", ["明天" * 200_000, "next " * 200_000, "1" * 500_000, "三" * 500_000, "\u202e明天\u202c 🎉" * 9]
)
def test_odd_texts(text: str) -> None:
    began = time.perf_counter()
    timewords.resolve(text, SHANGHAI)
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize("year", [1, 2, 9998, 9999])
def test_the_ends_of_the_calendar(year: int) -> None:
    for text, *_ in ZH + EN + PLANS:
        for month, day in ((1, 1), (12, 31)):
            timewords.resolve(text, datetime(year, month, day, 12, tzinfo=timezone(timedelta(hours=14))))


@pytest.fixture
def far_away() -> Iterator[None]:
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Pacific/Kiritimati"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.usefixtures("far_away")
def test_the_zone_of_the_machine_does_not_matter() -> None:
    for case in ZH + EN + PLANS:
        test_words_mean(case)


def test_the_hour_that_summer_time_skips() -> None:
    (word,) = timewords.resolve("明天凌晨两点", event(N))
    assert word.start.astimezone(UTC) == datetime(2026, 3, 8, 7, tzinfo=UTC)
    assert word.end.astimezone(UTC) == datetime(2026, 3, 8, 8, tzinfo=UTC)


@pytest.mark.parametrize(("text", "said", "expected"), FILED)
def test_an_episode_is_filed_under_its_shortest_dated_time(text: str, said: str, expected: str | None) -> None:
    at = event(said)
    found = timewords.event_time(timewords.resolve(text, at))
    assert found == (interval(expected, at) if expected else None)
