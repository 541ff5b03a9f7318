"""Ages in words of both languages."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ages import event_in_words, in_words

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ago", "en", "zh"),
    [
        (timedelta(seconds=59), "just now", "刚刚"),
        (timedelta(minutes=1), "1 minute ago", "1分钟前"),
        (timedelta(hours=23, minutes=59), "23 hours ago", "23小时前"),
        (timedelta(days=1), "1 day ago", "1天前"),
        (timedelta(days=13), "13 days ago", "13天前"),
        (timedelta(days=14), "2 weeks ago", "2周前"),
        (timedelta(days=60), "2 months ago", "2个月前"),
        (timedelta(days=240), "8 months ago", "8个月前"),
        (timedelta(days=730), "2 years ago", "2年前"),
        (-timedelta(days=3), "in 3 days", "3天后"),
        (-timedelta(seconds=5), "just now", "刚刚"),
    ],
)
def test_ages(ago: timedelta, en: str, zh: str) -> None:
    assert (in_words(NOW - ago, NOW), in_words(NOW - ago, NOW, "zh")) == (en, zh)


@pytest.mark.parametrize(
    ("start", "end", "en", "zh"),
    [
        (-1, 1, "now", "正在此时"),
        (0, 1, "now", "正在此时"),
        (-3, -2, "2 days ago", "2天前"),
        (2, 3, "in 2 days", "2天后"),
        (-1, 0, "just now", "刚刚"),
    ],
)
def test_where_an_interval_lies(start: int, end: int, en: str, zh: str) -> None:
    interval = NOW + timedelta(days=start), NOW + timedelta(days=end)
    assert (event_in_words(*interval, NOW), event_in_words(*interval, NOW, "zh")) == (en, zh)


@given(st.timedeltas(timedelta(0), timedelta(days=9_000)))
def test_an_age_is_never_put_too_high(ago: timedelta) -> None:
    words = in_words(NOW - ago, NOW).split()
    days = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1, "week": 7, "month": 30, "year": 365}
    if words[0] != "just":
        assert int(words[0]) >= 1
        assert timedelta(days=int(words[0]) * days[words[1].rstrip("s")]) <= ago + timedelta(seconds=1)
